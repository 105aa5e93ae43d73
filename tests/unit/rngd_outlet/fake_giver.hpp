// A giver of known bytes: what each request got stands in `given`, in order.
#pragma once

#include <algorithm>
#include <mutex>

#include "base/bytes.hpp"
#include "entropy/errc.hpp"
#include "outlet/giver.hpp"

namespace talla::outlet {

class FakeGiver final : public Giver {
 public:
  explicit FakeGiver(std::size_t stock_bytes = 1U << 30U) : stock_(stock_bytes) {}
  [[nodiscard]] Result<entropy::GivenAway> give(std::size_t n_bytes) override {
    const std::lock_guard guard(lock_);
    if (stock_ < n_bytes) return fail(entropy::Errc::not_ready, "nothing to spare in this test");
    stock_ -= std::min(stock_, (n_bytes + 63) / 64 * 64);
    entropy::GivenAway out;
    for (std::size_t i = 0; i < n_bytes; ++i)
      out.bytes.push_back(static_cast<std::uint8_t>(next_ = next_ * 5 + 3));
    given_.insert(given_.end(), out.bytes.begin(), out.bytes.end());
    out.assessed_bits = certified_ ? 8 * n_bytes : 0;
    return out;
  }
  [[nodiscard]] std::size_t spare_bits() const override {
    const std::lock_guard guard(lock_);
    return 8 * stock_;
  }
  void set_stock(std::size_t bytes) {
    const std::lock_guard guard(lock_);
    stock_ = bytes;
  }
  void set_certified(bool certified) { certified_ = certified; }
  [[nodiscard]] Bytes given() const {
    const std::lock_guard guard(lock_);
    return given_;
  }

 private:
  mutable std::mutex lock_;
  std::size_t stock_;
  std::uint32_t next_ = 1;
  Bytes given_;
  bool certified_ = true;
};

}  // namespace talla::outlet
