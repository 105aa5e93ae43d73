// Goal: whatever held samples, blocks or output overwrites each byte of them when it is done.
// Method: the bytes that one act wipes are counted and compared with what it has to leave clean;
//         not one less, and none that nobody can explain.
#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "entropy/duplicate_words.hpp"
#include "entropy/gate.hpp"
#include "entropy_lab/faulty_source.hpp"
#include "rig.hpp"
#include "support/wiped.hpp"

namespace talla::entropy {
namespace {

using test::wiped_by;

constexpr std::uint64_t gate_window = gate_window_samples;
/// The last 131,072 samples with their mirror of two windows, two tables of 8,192 numbers.
constexpr std::uint64_t ring_and_tables = startup_samples + 2 * gate_window + 2 * 8192 * 4;
/// A set of 65,536 bits; there are two.
constexpr std::uint64_t seen_set = 65'536 / 8;
constexpr std::uint64_t past = ring_and_tables + 2 * seen_set;

HealthSettings seven_bits() {
  SourceDescription source;
  source.assessed_millibits_per_sample = 7000;
  source.nominal_rate_hz = 100'000;
  return health_settings(source, 1000).value();
}

/// A gate over windows that come one a second.
struct WatchedGate {
  Gate gate{seven_bits(), 0};
  std::int64_t count = 0;

  static Bytes noise(std::uint64_t seed) {
    ModelOptions model;
    model.seed = seed;
    ModelSource source(model);
    Bytes samples(gate_window);
    EXPECT_EQ(source.read(samples, 1).value(), gate_window);
    return samples;
  }
  GateReport feed(const Bytes& samples) {
    const std::int64_t from_ns = count++ * second_ns;
    return gate.feed(samples, {from_ns, from_ns + 1});
  }
  GateReport healthy() { return feed(noise(1000 + static_cast<std::uint64_t>(count))); }
  /// So many equal samples in a row, which the repetition count alone sees.
  GateReport run_of(std::ptrdiff_t equal) {
    Bytes samples = noise(3);
    std::fill_n(samples.begin() + 100, equal, std::uint8_t{7});
    return feed(samples);
  }
  /// The start-up test passed, and so many green windows.
  void open(std::size_t green) {
    for (std::size_t i = 0; i < startup_windows + green; ++i)
      ASSERT_EQ(healthy().alarm.level, 0U) << i;
    ASSERT_EQ(gate.green_samples(), green * gate_window);
  }
};

TEST(Wipe, is_counted_in_bytes) {
  Bytes some(100, 1);
  EXPECT_EQ(wiped_by([&] { wipe(some.data(), some.size()); }), 100U);
  EXPECT_EQ(some, Bytes(100, 0));
}

TEST(Wipe, samples_of_the_start_up_test_go_window_by_window) {
  WatchedGate watched;
  for (std::size_t i = 1; i <= startup_windows; ++i) {
    // With the last one the ring of the repeated words is full once: its older set begins anew.
    EXPECT_EQ(wiped_by([&] { static_cast<void>(watched.healthy()); }),
              i == startup_windows ? gate_window + seen_set : gate_window)
        << i;
  }
}

TEST(Wipe, samples_go_as_they_are_taken_and_a_window_whole_with_its_last_one) {
  WatchedGate watched;
  watched.open(1);
  SecretBytes out;
  out.reserve(gate_window);
  EXPECT_EQ(wiped_by([&] { static_cast<void>(watched.gate.take(100, out)); }), 100U);
  EXPECT_EQ(wiped_by([&] { static_cast<void>(watched.gate.take(gate_window - 100, out)); }),
            gate_window - 100 + gate_window);
}

TEST(Wipe, what_is_surplus_goes_a_window_at_a_time) {
  WatchedGate watched;
  watched.open(8);
  EXPECT_EQ(wiped_by([&] { static_cast<void>(watched.healthy()); }), gate_window);
  EXPECT_EQ(watched.gate.green_samples(), 8 * gate_window);
}

TEST(Wipe, a_red_window_goes_at_once_and_the_past_of_the_tests_with_the_new_start) {
  WatchedGate watched;
  watched.open(2);
  GateReport report;
  const std::uint64_t wiped = wiped_by([&] { report = watched.run_of(10); });
  ASSERT_EQ(report.alarm.level, 1U);
  EXPECT_EQ(wiped, gate_window + past + gate_window)
      << "the open gate_window once more at the restart";
  EXPECT_EQ(watched.gate.green_samples(), 2 * gate_window) << "what came before it is not suspect";
}

TEST(Wipe, suspect_green_windows_go_with_a_red_one) {
  WatchedGate watched;
  watched.open(2);
  Bytes samples = WatchedGate::noise(3);
  std::fill_n(samples.begin() + 100, 10, std::uint8_t{7});
  // Asked for before the two green ones came: they are as suspect as it is.
  const std::uint64_t wiped = wiped_by([&] {
    ASSERT_EQ(watched.gate.feed(samples, {startup_windows * second_ns, 99 * second_ns}).alarm.level,
              1U);
  });
  EXPECT_EQ(watched.gate.green_samples(), 0U);
  EXPECT_EQ(wiped, gate_window + 2 * gate_window + past + gate_window);
}

TEST(Wipe, a_gate_that_closes_keeps_no_sample_not_even_those_that_are_not_suspect) {
  WatchedGate watched;
  watched.open(2);
  GateReport report;
  const std::uint64_t wiped = wiped_by([&] { report = watched.run_of(20); });
  ASSERT_EQ(report.alarm.test, HealthTest::repetition_count);
  ASSERT_EQ(report.alarm.level, 2U);
  ASSERT_EQ(report.suspect_from_ns, (watched.count - 1) * second_ns);
  EXPECT_EQ(watched.gate.green_samples(), 0U);
  EXPECT_EQ(wiped, gate_window + 2 * gate_window + gate_window + past);
}

TEST(Wipe, a_gate_that_is_opened_anew_begins_with_nothing) {
  WatchedGate watched;
  watched.open(3);
  EXPECT_EQ(wiped_by([&] { watched.gate.reopen(); }), 3 * gate_window + 2 * gate_window + 2 * past);
  EXPECT_EQ(watched.gate.green_samples(), 0U);
}

TEST(Wipe, the_repeated_words_forget_all_that_they_hold) {
  DuplicateWords words(seven_bits());
  static_cast<void>(words.judge(WindowView(WatchedGate::noise(1).data(), gate_window), 1));
  EXPECT_EQ(wiped_by([&] { words.restart(); }), past);
  EXPECT_EQ(words.held_samples(), 0U);
}

/// Operational, 64 blocks in the pool, eight green windows behind it, nothing more from the source.
struct FullRig : Rig {
  FullRig() {
    std::vector<SourceSlot> slots;
    slots.push_back(slot(raw()));
    EXPECT_TRUE(make(by_output_alone(64), std::move(slots)));
    EXPECT_TRUE(generator->start());
    EXPECT_TRUE(pump_until([&] {
      const Metrics now = generator->metrics();
      return now.pool_blocks == 64 && now.sources[0].surplus_samples > 0;
    }));
    models[0]->set_illness(Illness::silent);
  }
};

TEST(Wipe, what_was_read_goes_when_the_gate_has_it) {
  FullRig rig;
  EXPECT_EQ(wiped_by([&] { rig.generator->pump(0); }), gate_window) << "the buffer of a read";
}

TEST(Wipe, a_block_goes_when_it_is_given_whole_where_only_part_of_it_was) {
  FullRig rig;
  FullEntropy drawn;
  EXPECT_EQ(wiped_by([&] { drawn = rig.generator->full_entropy(64).value(); }), 64U);
  EXPECT_EQ(wiped_by([&] { drawn = rig.generator->full_entropy(65).value(); }), 128U + 64U)
      << "two blocks, and the answer before";
}

TEST(Wipe, a_latch_leaves_no_block_and_no_sample_in_any_gate) {
  FullRig rig;
  EXPECT_EQ(wiped_by([&] { rig.generator->latch(LatchReason::operator_request); }),
            64U * 64U + 9 * gate_window + past)
      << "the pool, eight green windows and the open one, the past of the repeated words";
}

TEST(Wipe, a_spoilt_source_of_the_laboratory_keeps_nothing_either) {
  ModelSource healthy({});
  auto faulty = std::make_unique<FaultySource>(healthy, 100'000, 1);
  Bytes samples(300);
  faulty->set({.fault = Fault::silent});
  EXPECT_EQ(wiped_by([&] { EXPECT_EQ(faulty->read(samples, 1).value(), 0U); }), 300U);
  EXPECT_EQ(samples, Bytes(300, 0));
  EXPECT_EQ(wiped_by([&] { faulty.reset(); }), 8U + 16'000U);
}

}  // namespace
}  // namespace talla::entropy
