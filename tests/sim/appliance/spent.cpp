// What a life spends its processor time on.
#include "spent.hpp"

#include <ctime>
#include <utility>

namespace talla::sim {
namespace {

struct Meter {
  Spent spent{};
  Part now = Part::rest;
  std::int64_t since_ns = 0;
};

Meter& meter() {
  static Meter one;
  return one;
}

/// Time up to here belongs to the part that ends.
void turn_to(Part part) {
  constexpr std::int64_t of_a_second = 1'000'000'000;
  timespec at{};
  static_cast<void>(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at));
  const auto now_ns = at.tv_sec * of_a_second + at.tv_nsec;
  auto& one = meter();
  one.spent.at(static_cast<std::size_t>(one.now)) += now_ns - one.since_ns;
  one.since_ns = now_ns;
  one.now = part;
}

}  // namespace

const char* part_name(Part part) {
  static constexpr std::array names{"guests", "service", "starts",  "asking again",
                                    "log",    "claims",  "secrecy", "rest"};
  static_assert(names.size() == parts_count);
  return names.at(static_cast<std::size_t>(part));
}

Spending::Spending(Part part) : before_(meter().now) {
  turn_to(part);
}

Spending::~Spending() {
  turn_to(before_);
}

Spent take_spent() {
  turn_to(meter().now);
  return std::exchange(meter().spent, {});
}

}  // namespace talla::sim
