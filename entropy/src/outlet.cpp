#include "outlet.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::entropy {

Outlet::Outlet(std::size_t blocks_max, SeedIdentity identity)
    : blocks_max_(blocks_max), pool_(blocks_max), identity_(std::move(identity)) {
  identity_.purpose = outlet_purpose;
}

const SeedIdentity& Outlet::next_identity() {
  if (!drbg_) ++identity_.incarnation;
  return identity_;
}

bool Outlet::seed(DrbgKind kind, std::span<const std::uint8_t> seed, std::int64_t now_ns) {
  if (!drbg_) {
    auto made = Drbg::instantiate(kind, seed, personalisation_of(identity_));
    if (!made) return false;
    drbg_ = std::move(*made);
  } else if (!drbg_->reseed(seed)) {
    drbg_.reset();
    return false;
  }
  ++identity_.seeds;
  seed_due_ = false;
  calls_since_seed_ = 0;
  output_since_seed_ = 0;
  seeded_ns_ = now_ns;
  return true;
}

bool Outlet::ready(std::size_t n_bytes) const {
  return drbg_ && !seed_due_ && pool_.size() * block_bytes >= n_bytes;
}

bool Outlet::give(std::span<std::uint8_t> out) {
  TALLA_CHECK(ready(out.size()));
  if (!drbg_->generate(out)) {
    drbg_.reset();
    return false;
  }
  ++calls_since_seed_;
  output_since_seed_ += out.size();
  if (output_since_seed_ >= Drbg::seed_output_bytes) seed_due_ = true;
  while (!out.empty()) {
    const std::size_t part = std::min(out.size(), block_bytes);
    static_cast<void>(pool_.take_xor(out.first(part)));
    out = out.subspan(part);
  }
  return true;
}

void Outlet::age(std::uint32_t calls_max, std::int64_t interval_ns, std::int64_t now_ns) {
  if (calls_since_seed_ >= calls_max || now_ns - seeded_ns_ >= interval_ns) seed_due_ = true;
}

std::size_t Outlet::wipe() {
  drbg_.reset();
  seed_due_ = true;
  return pool_.wipe();
}

}  // namespace talla::entropy
