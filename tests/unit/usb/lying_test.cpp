// Goal: a source process that lies as it likes gets no credit it was not assessed for, predicts
// nothing, crashes nothing, and is latched where it should be.
// Method: lying_source in the place of rngd-source: it knows every byte it sends; a real generator
//         above it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "entropy/conditioner.hpp"
#include "entropy/errc.hpp"
#include "entropy/gate.hpp"
#include "entropy/generator.hpp"
#include "usb/source_process.hpp"

using namespace talla;
using namespace talla::usb;
using entropy::Generator;
using entropy::LatchReason;
using entropy::State;

namespace {

SourceProcessOptions lying(const std::string& lie) {
  return {.program = LYING_SOURCE_PROGRAM,
          .device = "chaoskey:0123",
          .silence_ms_max = 2000,
          .hello_timeout_ms = 3000,
          .environment = {"LIE=" + lie}};
}

struct Appliance {
  SystemClock clock;
  entropy::SystemOsRandom os;
  entropy::CpuRdSeed cpu;
  std::unique_ptr<Generator> generator;

  Status start(const std::string& lie) {
    TALLA_TRY(auto source, SourceProcess::start(lying(lie)));
    std::vector<entropy::SourceSlot> slots;
    slots.push_back({.source = std::move(source),
                     .independent = true,
                     .required = true,
                     .assessment = {.origin = entropy::AssessmentOrigin::unit,
                                    .digest = std::string(64, 'a')}});
    entropy::GeneratorOptions options;
    options.appliance_id = "lied-to";
    options.pool_blocks = 64;
    TALLA_TRY(generator, Generator::create(options, std::move(slots), {clock, os, cpu}));
    return generator->start(20'000);
  }
  /// Draws all the time until it is latched; false when it never is.
  bool latches(int seconds) {
    const std::int64_t until_ns = clock.monotonic_ns() + std::int64_t{seconds} * 1'000'000'000;
    while (clock.monotonic_ns() < until_ns && generator->state() != State::latched) {
      generator->pump(50);
      static_cast<void>(generator->full_entropy(1024));
    }
    return generator->state() == State::latched;
  }
};

struct Lie {
  const char* name;
  LatchReason reason;
};

class Lies : public ::testing::TestWithParam<Lie> {};
class Claims : public ::testing::TestWithParam<const char*> {};

std::string plain(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

TEST_P(Claims, are_refused_at_the_start) {
  const auto process = SourceProcess::start(lying(GetParam()));
  ASSERT_FALSE(process);
  EXPECT_TRUE(process.error().is(UsbErrc::claim_refused)) << process.error().text();
}
INSTANTIATE_TEST_SUITE_P(Ways, Claims,
                         ::testing::Values("claims-more", "claims-rate", "claims-bits",
                                           "other-serial", "other-model", "raw-alea",
                                           "unknown-model"),
                         [](const auto& about) { return plain(about.param); });

TEST(Claims, a_stream_before_the_hello_is_malformed_and_a_dripping_hello_is_given_up) {
  EXPECT_TRUE(SourceProcess::start(lying("no-hello")).error().is(UsbErrc::malformed_frame));
  EXPECT_TRUE(SourceProcess::start(lying("drips-hello")).error().is(UsbErrc::process_failed));
}

TEST(Claims, where_the_entropy_figure_comes_from_is_the_cores_word) {
  const auto process = SourceProcess::start(lying("flood"));
  ASSERT_TRUE(process) << process.error().text();
  EXPECT_EQ((*process)->assessment_origin().find("laboratory"), std::string::npos)
      << (*process)->assessment_origin();
  EXPECT_NE((*process)->assessment_origin().find("assumed"), std::string::npos);
}

TEST(Claims, the_sites_figure_is_the_one_that_counts) {
  SourceProcessOptions options = lying("flood");
  options.assessed_millibits_per_sample = 3000;  // and the process insists on 4,000
  const auto process = SourceProcess::start(options);
  ASSERT_FALSE(process);
  EXPECT_TRUE(process.error().is(UsbErrc::claim_refused)) << process.error().text();
}

TEST_P(Lies, end_in_the_latch_and_in_no_bits) {
  Appliance appliance;
  const Status started = appliance.start(GetParam().name);
  if (started) {
    EXPECT_TRUE(appliance.latches(20));
  }
  ASSERT_TRUE(appliance.generator);
  EXPECT_EQ(appliance.generator->state(), State::latched);
  EXPECT_EQ(appliance.generator->latched(), GetParam().reason)
      << latch_reason_name(appliance.generator->latched().value_or(LatchReason::none));
  EXPECT_EQ(appliance.generator->ready_bits(), 0U);
  EXPECT_FALSE(appliance.generator->full_entropy(1));
}
INSTANTIATE_TEST_SUITE_P(
    Ways, Lies,
    ::testing::Values(
        Lie{"stuck", LatchReason::health_permanent}, Lie{"periodic", LatchReason::health_permanent},
        Lie{"biased", LatchReason::health_permanent}, Lie{"exits", LatchReason::source_failed},
        Lie{"crashes", LatchReason::source_failed}, Lie{"silent", LatchReason::source_failed},
        Lie{"closes-and-lives", LatchReason::source_failed}, Lie{"bye", LatchReason::source_failed},
        Lie{"error", LatchReason::source_failed}, Lie{"hello-again", LatchReason::source_failed},
        Lie{"notices", LatchReason::source_failed}, Lie{"huge-length", LatchReason::source_failed},
        Lie{"wrong-magic", LatchReason::source_failed},
        Lie{"empty-samples", LatchReason::source_failed},
        Lie{"random-bytes", LatchReason::source_failed}, Lie{"drip", LatchReason::source_failed}),
    [](const auto& about) { return plain(about.param.name); });

// It floods as fast as it can with samples that pass every test, and knows them all: the other half
// of every bit is not its own.
TEST(Liar, knows_every_byte_and_predicts_nothing) {
  constexpr std::size_t per_block = 144;  // 576 bits at 4 bits a sample
  std::set<Bytes> seen;
  std::uint64_t blocks = 0;
  for (int boot = 0; boot < 2; ++boot) {
    Appliance appliance;
    const Status started = appliance.start("flood");
    ASSERT_TRUE(started) << started.error().text();
    std::uint64_t state = 42;  // what the liar sends, as in lying_source.cpp
    Bytes sent(2 * entropy::gate_window_samples);
    for (auto& byte : sent) {
      state += 0x9E3779B97F4A7C15ULL;
      std::uint64_t z = state;
      z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
      z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
      byte = static_cast<std::uint8_t>((z ^ (z >> 31U)) >> 56U);
    }
    for (std::size_t block = 1; block <= 8; ++block) {
      const auto drawn = appliance.generator->full_entropy(64);
      ASSERT_TRUE(drawn) << drawn.error().text();
      const std::vector<entropy::Contribution> parts{
          {ByteView(sent).subspan(entropy::gate_window_samples + block * per_block, per_block),
           4000, true, true}};
      const SecretBytes its_half =
          entropy::condition(entropy::ConditionerKind::sha512, parts).value();
      // What is left when it takes away all it knows is the DRBG's half, which is another one at
      // each boot.
      Bytes rest(64);
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = drawn->bytes[i] ^ its_half[i];
      EXPECT_TRUE(seen.insert(rest).second);
      EXPECT_TRUE(seen.insert(Bytes(drawn->bytes.begin(), drawn->bytes.end())).second);
      ++blocks;
    }
    // Credit is what the core assessed, by the samples it took, and not by what was sent.
    const entropy::Metrics metrics = appliance.generator->metrics();
    EXPECT_EQ(metrics.credited_millibits, metrics.blocks_made * per_block * 4000);
    EXPECT_GE(metrics.sources[0].raw_samples * 4000, metrics.credited_millibits);
  }
  EXPECT_EQ(seen.size(), 2 * blocks);
}

TEST(Liar, a_flood_is_taken_at_the_cores_pace) {
  const auto process = SourceProcess::start(lying("flood"));
  ASSERT_TRUE(process) << process.error().text();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  Bytes samples(4096);
  std::size_t total = 0;
  while (total < 5'000'000) {
    const auto got = (*process)->read(samples, 1000);
    ASSERT_TRUE(got) << got.error().text();
    total += *got;
  }
}

TEST(Liar, notices_without_end_do_not_hold_a_read) {
  const auto process = SourceProcess::start(lying("notices"));
  ASSERT_TRUE(process) << process.error().text();
  Bytes samples(4096);
  for (std::size_t total = 0; total < 100'000;) total += (*process)->read(samples, 1000).value();
  SystemClock clock;
  const std::int64_t from_ns = clock.monotonic_ns();
  const auto nothing = (*process)->read(samples, 100);
  ASSERT_TRUE(nothing) << nothing.error().text();
  EXPECT_EQ(*nothing, 0U);
  EXPECT_LT(clock.monotonic_ns() - from_ns, 5'000'000'000) << "it ended at all";
}

}  // namespace
