#include "outlet.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace talla::entropy {

namespace {

SeedIdentity for_outlet(SeedIdentity identity) {
  identity.purpose = outlet_purpose;
  return identity;
}

}  // namespace

Outlet::Outlet(std::size_t blocks_max, DrbgKind kind, SeedIdentity identity, SeedLimits limits)
    : blocks_max_(blocks_max),
      pool_(blocks_max),
      drbg_(kind, for_outlet(std::move(identity)), limits) {}

LatchReason Outlet::take(std::span<const std::uint8_t> block, TimeRange samples, OsRandom& os,
                         RdSeed& rdseed, std::int64_t now_ns) {
  if (drbg_.seed_due()) return drbg_.seed(block, os, rdseed, now_ns);
  pool_.push(block, samples);
  return LatchReason::none;
}

bool Outlet::ready(std::size_t n_bytes) const {
  // Before the first seed one is due.
  return !drbg_.seed_due() && pool_.size() * block_bytes >= n_bytes;
}

bool Outlet::give(std::span<std::uint8_t> out) {
  TALLA_CHECK(ready(out.size()));
  if (!drbg_.generate(out)) return false;
  while (!out.empty()) {
    const std::size_t part = std::min(out.size(), block_bytes);
    static_cast<void>(pool_.take_xor(out.first(part)));
    out = out.subspan(part);
  }
  return true;
}

std::size_t Outlet::wipe() {
  drbg_.destroy();
  raw_.wipe();
  return pool_.wipe();
}

}  // namespace talla::entropy
