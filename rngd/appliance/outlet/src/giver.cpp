#include "outlet/giver.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::outlet {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t saved_bytes_min = 1024;

}  // namespace

Allowance::Allowance(std::uint32_t bytes_per_second, std::int64_t now_ns)
    : rate_(bytes_per_second),
      full_(std::max<std::int64_t>(bytes_per_second, saved_bytes_min) * second_ns),
      balance_(full_),
      then_ns_(now_ns) {
  TALLA_CHECK(bytes_per_second >= 1 && bytes_per_second <= (1U << 30U));
}

std::size_t Allowance::bytes(std::int64_t now_ns) {
  // More time than fills the bucket counts as that much: nothing overflows.
  const std::int64_t passed_ns = std::clamp<std::int64_t>(now_ns - then_ns_, 0, full_ / rate_ + 1);
  then_ns_ = now_ns;
  balance_ = std::min(full_, balance_ + passed_ns * rate_);
  const auto whole = static_cast<std::size_t>(balance_ / second_ns);
  return whole - whole % give_bytes_unit;
}

void Allowance::spend(std::size_t n_bytes) {
  const std::size_t units = (n_bytes + give_bytes_unit - 1) / give_bytes_unit;
  balance_ -= static_cast<std::int64_t>(units * give_bytes_unit) * second_ns;
  TALLA_CHECK(balance_ >= 0);
}

}  // namespace talla::outlet
