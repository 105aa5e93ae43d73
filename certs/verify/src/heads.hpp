/// \file
/// Which record of its table a CALL may rest on (FORMAT.md section 8, `head`). Private to
/// certs_verify.
///
/// Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "format/call.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// The newest records of one table's chain, from the last one behind which no older can be a head.
class Heads {
 public:
  /// The next record comes; the first one behind a gap is where what is known begins.
  void reach(const Record& record);
  /// That record stands in the chain, with this head.
  void take(const Record& record, const Digest& head);
  /// Records of the table are missing here.
  void forget();
  /// The first record since the gap, 0 before any.
  [[nodiscard]] std::uint64_t begin() const { return begin_.value_or(0); }

  /// A CALL cites one record, of whose chain its core names the head, and nothing stands between
  /// that could change what is called for; with an order it cites one more, and of a mix perhaps
  /// one from before its shoe. False: the cited record is none of those known here.
  /// Errors: head_wrong.
  [[nodiscard]] Result<bool> check(const Record& call, const CallCore& core) const;
  /// Whether nothing but commitments and ends of objects can stand behind the record of that head.
  [[nodiscard]] bool stands(const Digest& head) const;
  /// What a CALL of a mix cites from before its shoe.
  [[nodiscard]] static std::span<const std::uint64_t> before_shoe(const Record& call,
                                                                  const CallCore& core);

 private:
  struct Behind {
    std::uint64_t seq = 0;
    Kind kind = Kind::unknown;
    std::string object;
    Digest head{};
  };
  std::optional<std::uint64_t> begin_;
  std::vector<Behind> behind_;
};

}  // namespace talla::certs
