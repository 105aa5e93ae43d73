// The rig's generator: a fixed stream, alarms and latches when a test asks for them.
#include <gtest/gtest.h>

#include <algorithm>

#include "certs/openssl_hashes.hpp"
#include "entropy/errc.hpp"
#include "entropy/health.hpp"
#include "rig.hpp"

namespace talla::core::test {

Result<entropy::FullEntropy> FakeSupply::full_entropy(std::size_t n_bytes) {
  if (latched_) return fail(entropy::Errc::latched, "fake latch");
  if (pool_empty) return fail(entropy::Errc::not_ready, "fake pool is empty");
  entropy::FullEntropy bits;
  const certs::OpensslHashes hashes;
  while (bits.bytes.size() < n_bytes) {
    const Bytes input = ByteWriter().u64(counter_++).take();
    for (const auto byte : hashes.sha256({as_bytes("rig"), input})) bits.bytes.push_back(byte);
  }
  bits.bytes.resize(n_bytes);
  if (stuck) std::fill(bits.bytes.begin(), bits.bytes.end(), *stuck);
  given.insert(given.end(), bits.bytes.begin(), bits.bytes.end());
  bits.samples_to_ns = clock_.monotonic_ns() + 1;
  bits.samples_from_ns = bits.samples_to_ns - 1'000'000;
  bits.evidence = evidence();
  return bits;
}

Result<entropy::GivenAway> FakeSupply::give_away(std::size_t n_bytes) {
  if (latched_) return fail(entropy::Errc::latched, "fake latch");
  if (n_bytes > spare_bytes) return fail(entropy::Errc::not_ready, "nothing to spare");
  entropy::GivenAway bits;
  const certs::OpensslHashes hashes;
  while (bits.bytes.size() < n_bytes) {
    const Bytes input = ByteWriter().u64(given_away.size() + bits.bytes.size()).take();
    for (const auto byte : hashes.sha256({as_bytes("outlet"), input})) bits.bytes.push_back(byte);
  }
  bits.bytes.resize(n_bytes);
  given_away.insert(given_away.end(), bits.bytes.begin(), bits.bytes.end());
  return bits;
}

Status FakeSupply::set_raw_aside(std::optional<std::size_t> source) {
  if (source && *source >= evidence().sources.size())
    return fail(entropy::Errc::source_refused, "no such source");
  raw_of = source;
  return {};
}

Result<SecretBytes> FakeSupply::take_raw() {
  if (latched_ || !raw_of || !raw_ready) return fail(entropy::Errc::not_ready, "no run is ready");
  SecretBytes run(entropy::gate_window_samples);
  for (auto& sample : run) {
    sample = static_cast<std::uint8_t>((raw_given.size() * 2654435761U) >> 8U);
    raw_given.push_back(sample);
  }
  return run;
}

void FakeSupply::latch(entropy::LatchReason reason) {
  if (latched_) return;
  latched_ = reason;
  entropy::Event event;
  event.state = entropy::State::latched;
  event.reason = reason;
  events.push_back(event);
}

void FakeSupply::begin_reset() {
  EXPECT_FALSE(resetting_) << "one reset at a time";
  resetting_ = true;
  ++resets;
}

void FakeSupply::begin_test() {
  EXPECT_FALSE(latched_ || testing) << "what is latched or under test is not tested";
  ++tests;
  entropy::Event tested;
  tested.kind = entropy::EventKind::self_test;
  tested.passed = answers_hold;
  events.push_back(tested);
  if (!answers_hold) return latch(entropy::LatchReason::self_test_failed);
  testing = true;
}

std::optional<Status> FakeSupply::take_reset() {
  if (!resetting_ || !reset_passes) return std::nullopt;
  resetting_ = false;
  const auto before = latched_.value_or(entropy::LatchReason::none);
  latched_.reset();
  entropy::Event tested;
  tested.kind = entropy::EventKind::self_test;
  tested.passed = true;
  events.push_back(tested);
  if (!*reset_passes) {
    latch(before);
    return Status(fail(entropy::Errc::latched, "the start-up test failed"));
  }
  entropy::Event seeded;
  seeded.kind = entropy::EventKind::reseed;
  seeded.reseed_counter = 2;
  events.push_back(seeded);
  return Status();
}

entropy::Evidence FakeSupply::evidence() const {
  entropy::Evidence evidence;
  evidence.state = latched_  ? entropy::State::latched
                   : testing ? entropy::State::suspended
                             : entropy::State::operational;
  entropy::SourceEvidence source;
  source.model = model;
  source.source_class = entropy::SourceClass::system;
  source.assessed_millibits_per_sample = 8000;
  source.credited = true;
  source.verdict = entropy::Verdict::good;
  evidence.sources.push_back(std::move(source));
  evidence.reseed_counter = 1;
  evidence.generate_counter = counter_;
  return evidence;
}

}  // namespace talla::core::test
