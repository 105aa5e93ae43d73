/// \file
/// What a life spends its processor time on, so that a figure of its speed says where to look.
/// Threads: one; its time alone is counted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace talla::sim {

enum class Part {
  guests,   ///< who choose, sign and read replies
  service,  ///< the appliance at work
  starts,   ///< it opens again, and what must hold behind that
  again,    ///< requests asked again at the end
  log,      ///< the whole log read
  claims,   ///< evidence verified
  secrecy,  ///< files searched for the generator's bits
  rest,     ///< keys, a first start, the disk's losses, chance
};
inline constexpr std::size_t parts_count = 8;
[[nodiscard]] const char* part_name(Part part);

/// Nanoseconds by part.
using Spent = std::array<std::int64_t, parts_count>;

/// From here to its end time is that part's, and no longer that of the part around it.
class Spending {
 public:
  explicit Spending(Part part);
  ~Spending();
  Spending(const Spending&) = delete;
  Spending& operator=(const Spending&) = delete;

 private:
  Part before_;
};

/// What was spent since this was last asked.
[[nodiscard]] Spent take_spent();

}  // namespace talla::sim
