#include "seeded_drbg.hpp"

#include <utility>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "entropy/conditioner.hpp"

namespace talla::entropy {

namespace {

constexpr std::uint32_t overdue_calls_factor = 16;
constexpr std::int64_t overdue_time_factor = 2;

}  // namespace

SeededDrbg::SeededDrbg(DrbgKind kind, SeedIdentity identity, SeedLimits limits)
    : kind_(kind), identity_(std::move(identity)), limits_(limits) {}

void SeededDrbg::age(std::int64_t now_ns) {
  if (now_ns - seeded_ns_ >= limits_.interval_ns) seed_due_ = true;
}

bool SeededDrbg::overdue(std::int64_t now_ns) const {
  return calls_since_seed_ >= overdue_calls_factor * limits_.calls ||
         now_ns - seeded_ns_ >= overdue_time_factor * limits_.interval_ns;
}

LatchReason SeededDrbg::seed(std::span<const std::uint8_t> block, OsRandom& os, RdSeed& rdseed,
                             std::int64_t now_ns) {
  if (!drbg_) ++identity_.incarnation;
  const Result<SecretBytes> seed = make_seed(block, identity_, os, rdseed);
  if (!seed) return LatchReason::seed_failed;
  if (!drbg_) {
    auto made = Drbg::instantiate(kind_, *seed, personalisation_of(identity_));
    if (!made) return LatchReason::drbg_failed;
    drbg_ = std::move(*made);
  } else if (!drbg_->reseed(*seed)) {
    destroy();
    return LatchReason::drbg_failed;
  }
  ++identity_.seeds;
  seed_due_ = false;
  calls_since_seed_ = 0;
  output_since_seed_ = 0;
  seeded_ns_ = now_ns;
  return LatchReason::none;
}

bool SeededDrbg::generate(std::span<std::uint8_t> out) {
  TALLA_CHECK(!spent());
  if (!drbg_) return false;
  if (!drbg_->generate(out)) {
    destroy();
    return false;
  }
  ++calls_;
  ++calls_since_seed_;
  output_since_seed_ += out.size();
  if (calls_since_seed_ >= limits_.calls || spent()) seed_due_ = true;
  return true;
}

bool SeededDrbg::cycle(std::int64_t now_ns, std::int64_t min_ns, std::int64_t spread_ns) {
  if (!drbg_ || spent() || now_ns < cycle_due_ns_) return true;
  SecretBytes thrown_away(block_bytes);
  if (!generate(thrown_away)) return false;
  ++cycles_;
  // The next moment comes from bytes that nobody else sees; its small bias is of no account.
  const std::uint64_t spread = static_cast<std::uint64_t>(spread_ns) >> 16U;
  const std::uint64_t part =
      spread * static_cast<std::uint64_t>(load_be32(thrown_away.data()) >> 16U);
  cycle_due_ns_ = now_ns + min_ns + static_cast<std::int64_t>(part);
  return true;
}

void SeededDrbg::destroy() {
  drbg_.reset();
  seed_due_ = true;
}

}  // namespace talla::entropy
