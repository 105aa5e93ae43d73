// Goal: the generator gives full-entropy bits in "operational" only, each once, and says truthfully
// what fed them.
// Method: emulated sources on simulated time; every state is visited and asked for bits; failures
// are injected.
#include "entropy/generator.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "entropy/rdseed_source.hpp"
#include "rig.hpp"

namespace talla::entropy {
namespace {

TEST(Generator, no_state_but_operational_yields_bits) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  EXPECT_EQ(rig.generator->state(), State::off);
  EXPECT_TRUE(gives_nothing(*rig.generator));
  EXPECT_FALSE(rig.generator->pump(1));
  ASSERT_TRUE(rig.generator->start());
  EXPECT_EQ(rig.generator->state(), State::operational);
  EXPECT_TRUE(rig.generator->full_entropy(472));
  ASSERT_TRUE(rig.generator->test_on_demand());
  EXPECT_EQ(rig.generator->state(), State::suspended);
  EXPECT_TRUE(gives_nothing(*rig.generator));
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->state() == State::operational; }));
  EXPECT_TRUE(rig.generator->full_entropy(64));
  rig.generator->latch(LatchReason::operator_request);
  EXPECT_EQ(rig.generator->latched(), LatchReason::operator_request);
  EXPECT_TRUE(gives_nothing(*rig.generator));
  EXPECT_FALSE(rig.generator->pump(1));
  EXPECT_TRUE(gives_nothing(*rig.generator));
}

TEST(Generator,
     sp_800_90a_11_3_the_same_answers_are_asked_for_at_a_start_on_demand_and_at_a_reset) {
  Rig rig;
  int asked = 0;
  bool hold = true;
  GeneratorOptions options = Rig::options();
  options.further_known_answers = [&]() -> Status {
    ++asked;
    if (!hold) return fail(Errc::self_test_failed, "another answer");
    return {};
  };
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  EXPECT_EQ(asked, 1);
  static_cast<void>(rig.generator->take_events());
  ASSERT_TRUE(rig.generator->test_on_demand());
  EXPECT_EQ(asked, 2);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->state() == State::operational; }));
  int passed = 0;
  for (const Event& event : rig.generator->take_events())
    passed += event.kind == EventKind::self_test && event.passed ? 1 : 0;
  EXPECT_EQ(passed, 1) << "one SELFTEST for one test";
  hold = false;
  EXPECT_TRUE(rig.generator->test_on_demand().error().is(Errc::self_test_failed));
  EXPECT_EQ(rig.generator->latched(), LatchReason::self_test_failed);
  EXPECT_TRUE(gives_nothing(*rig.generator));
  EXPECT_FALSE(rig.generator->reset_latch());
  EXPECT_EQ(asked, 4);
  EXPECT_EQ(rig.generator->latched(), LatchReason::self_test_failed);
  EXPECT_TRUE(rig.generator->test_on_demand().error().is(Errc::wrong_state));
  EXPECT_EQ(asked, 4) << "what is latched is not tested on demand";
  hold = true;
  ASSERT_TRUE(rig.generator->reset_latch());
  EXPECT_EQ(asked, 5);
}

TEST(Generator, an_answer_that_differs_at_the_start_lets_nothing_begin) {
  Rig rig;
  GeneratorOptions options = Rig::options();
  options.further_known_answers = []() -> Status {
    return fail(Errc::self_test_failed, "another answer");
  };
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  EXPECT_FALSE(rig.generator->start());
  EXPECT_EQ(rig.generator->latched(), LatchReason::self_test_failed);
  EXPECT_TRUE(gives_nothing(*rig.generator));
}

TEST(Generator, startup_yields_nothing_at_any_step) {
  Rig rig;
  ModelOptions silent = Rig::raw();
  silent.illness = Illness::silent;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(silent));
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  const Status status = rig.generator->start(1000);
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().is(Errc::latched));
  EXPECT_EQ(rig.generator->latched(), LatchReason::startup_timeout);
  EXPECT_TRUE(gives_nothing(*rig.generator));
}

TEST(Generator, the_latch_opens_only_through_a_passed_startup_test) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  EXPECT_TRUE(rig.generator->reset_latch().error().is(Errc::wrong_state));
  ASSERT_TRUE(rig.generator->start());
  EXPECT_TRUE(rig.generator->start().error().is(Errc::wrong_state));
  rig.generator->latch(LatchReason::clock_step);
  rig.models[0]->set_illness(Illness::stuck);
  EXPECT_FALSE(rig.generator->reset_latch());
  EXPECT_EQ(rig.generator->latched(), LatchReason::health_permanent);
  EXPECT_TRUE(gives_nothing(*rig.generator));
  rig.models[0]->set_illness(Illness::healthy);
  EXPECT_TRUE(rig.generator->reset_latch());
  EXPECT_TRUE(rig.generator->full_entropy(64));
}

TEST(Generator, sp800_90c_rbg3_xor_is_named_only_with_a_raw_physical_source) {
  Rig raw;
  ASSERT_TRUE(raw.make_raw());
  ASSERT_TRUE(raw.generator->start());
  const Evidence evidence = raw.generator->full_entropy(32)->evidence;
  EXPECT_EQ(construction_name(evidence.construction), "rbg3-xor");
  EXPECT_FALSE(evidence.uncertified);
  ASSERT_EQ(evidence.sources.size(), 1U);
  EXPECT_EQ(evidence.sources[0].assessed_millibits_per_sample, 7000U);
  EXPECT_TRUE(evidence.sources[0].credited);
  EXPECT_EQ(evidence.sources[0].verdict, Verdict::good);
  EXPECT_EQ(evidence.reseed_counter, 1U);
  EXPECT_GT(evidence.last_good_verdict_ns, 0);

  Rig system;
  SourceSlot slot;
  slot.source = std::make_unique<SystemSource>(system.os);
  std::vector<SourceSlot> slots;
  slots.push_back(std::move(slot));
  GeneratorOptions options = Rig::options();
  options.allow_uncertified = true;
  ASSERT_TRUE(system.make(options, std::move(slots)));
  ASSERT_TRUE(system.generator->start());
  EXPECT_EQ(construction_name(system.generator->evidence().construction), "system");
  EXPECT_TRUE(system.generator->evidence().uncertified);
  const Metrics metrics = system.generator->metrics();
  EXPECT_EQ(metrics.credited_millibits, 0U);
  // 72 bytes of 8 bits each for every block.
  EXPECT_EQ(metrics.uncertified_millibits, metrics.blocks_made * 576'000);
}

TEST(Generator, a_figure_without_a_document_makes_no_certified_source) {
  for (const AssessmentOrigin origin : {AssessmentOrigin::assumed, AssessmentOrigin::stated}) {
    Rig rig;
    std::vector<SourceSlot> slots;
    slots.push_back(rig.slot(Rig::raw()));
    slots.push_back(rig.slot(Rig::raw(2)));
    slots[1].assessment = {.origin = origin, .digest = {}};
    ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
    ASSERT_TRUE(rig.generator->start());
    const Evidence evidence = rig.generator->evidence();
    EXPECT_EQ(construction_name(evidence.construction), "rbg3-xor");
    EXPECT_TRUE(evidence.uncertified)
        << "the second device is credited by a figure nobody answers for";
    EXPECT_EQ(assessment_origin_name(evidence.sources[0].assessment.origin), "unit");
    EXPECT_EQ(evidence.sources[0].assessment.digest, std::string(64, 'a'));
    EXPECT_EQ(evidence.sources[1].assessment.origin, origin);
    EXPECT_EQ(rig.generator->metrics().credited_millibits, 0U);
    EXPECT_GT(rig.generator->metrics().uncertified_millibits, 0U);
  }
}

TEST(Generator, a_digest_stands_with_the_origins_that_have_a_document) {
  const auto made = [](AssessmentOrigin origin, const std::string& digest) {
    Rig rig;
    std::vector<SourceSlot> slots;
    slots.push_back(rig.slot(Rig::raw()));
    slots[0].assessment = {.origin = origin, .digest = digest};
    const Status status = rig.make(Rig::options(), std::move(slots));
    EXPECT_TRUE(status || status.error().is(Errc::source_refused));
    return status.has_value();
  };
  const std::string digest(64, '0');
  EXPECT_TRUE(made(AssessmentOrigin::unit, digest));
  EXPECT_TRUE(made(AssessmentOrigin::type, digest));
  EXPECT_FALSE(made(AssessmentOrigin::unit, ""));
  EXPECT_FALSE(made(AssessmentOrigin::type, std::string(64, 'A')));
  EXPECT_FALSE(made(AssessmentOrigin::unit, std::string(63, '0')));
  EXPECT_FALSE(made(AssessmentOrigin::assumed, digest)) << "a document nobody made";
  EXPECT_FALSE(made(AssessmentOrigin::stated, digest));
}

TEST(Generator, sources_that_do_not_belong_are_refused) {
  const auto refused = [](SourceClass source_class) {
    Rig rig;
    ModelOptions model = Rig::raw();
    model.description.source_class = source_class;
    std::vector<SourceSlot> slots;
    slots.push_back(rig.slot(model));
    const Status status = rig.make(Rig::options(), std::move(slots));
    return !status && status.error().is(Errc::source_refused);
  };
  EXPECT_TRUE(refused(SourceClass::lab));
  EXPECT_TRUE(refused(SourceClass::system));
  EXPECT_TRUE(refused(SourceClass::rdseed));
  EXPECT_TRUE(refused(SourceClass::conditioned_physical));
  EXPECT_FALSE(refused(SourceClass::raw_physical));
  Rig empty;
  EXPECT_TRUE(empty.make(Rig::options(), {}).error().is(Errc::source_refused));
}

TEST(Generator, options_out_of_range_are_refused) {
  const auto refused = [](const std::function<void(GeneratorOptions&)>& change) {
    Rig rig;
    GeneratorOptions options = Rig::options();
    change(options);
    std::vector<SourceSlot> slots;
    slots.push_back(rig.slot(Rig::raw()));
    const Status status = rig.make(options, std::move(slots));
    return !status && status.error().is(Errc::bad_settings);
  };
  EXPECT_FALSE(refused([](GeneratorOptions&) {}));
  EXPECT_TRUE(refused([](GeneratorOptions& o) { o.appliance_id.clear(); }));
  EXPECT_TRUE(refused([](GeneratorOptions& o) { o.pool_blocks = 7; }));
  EXPECT_TRUE(refused([](GeneratorOptions& o) { o.pool_blocks = 4097; }));
  EXPECT_TRUE(refused([](GeneratorOptions& o) { o.reseed_calls = 0; }));
  EXPECT_TRUE(refused([](GeneratorOptions& o) { o.reseed_interval_ns = 0; }));
  EXPECT_TRUE(refused([](GeneratorOptions& o) { o.cycle_min_ns = 0; }));
  EXPECT_TRUE(refused([](GeneratorOptions& o) { o.years_per_false_alarm = 0; }));
}

TEST(Generator, an_answer_is_all_or_nothing_and_no_block_is_given_twice) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  EXPECT_TRUE(rig.generator->full_entropy(0).error().is(Errc::bad_settings));
  EXPECT_TRUE(rig.generator->full_entropy(64 * 64 + 1).error().is(Errc::request_too_large));
  const std::size_t ready = rig.generator->ready_bits();
  ASSERT_GT(ready, 0U);
  ASSERT_LT(ready, 64U * 512U + 1);
  std::set<SecretBytes> seen;
  std::size_t given = 0;
  while (rig.generator->ready_bits() >= 512) {
    seen.insert(rig.generator->full_entropy(64)->bytes);
    ++given;
  }
  EXPECT_EQ(given, ready / 512);
  EXPECT_EQ(seen.size(), given);
  const auto dry = rig.generator->full_entropy(1);
  ASSERT_FALSE(dry);
  EXPECT_TRUE(dry.error().is(Errc::not_ready));
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->ready_bits() >= 512 * 64; }));
  EXPECT_TRUE(rig.generator->full_entropy(64 * 64));
  EXPECT_EQ(rig.generator->ready_bits(), 0U);
}

TEST(Generator, every_block_rests_on_576_assessed_bits_or_more) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->metrics().pool_blocks == 64; }));
  const Metrics metrics = rig.generator->metrics();
  // 83 samples of 7 bits: 581 bits.
  EXPECT_EQ(metrics.credited_millibits, metrics.blocks_made * 581'000);
  EXPECT_EQ(metrics.uncertified_millibits, 0U);
  EXPECT_EQ(metrics.blocks_made,
            metrics.blocks_given + metrics.blocks_for_seeds + metrics.pool_blocks);
  EXPECT_LE(metrics.blocks_made * 83, metrics.sources[0].green_samples);
}

TEST(Generator, samples_are_dated) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  rig.clock.advance_ns(5'000'000'000);
  const std::int64_t before = rig.clock.monotonic_ns();
  ASSERT_TRUE(rig.generator->start());
  const auto first = rig.generator->full_entropy(64).value();
  EXPECT_GE(first.samples_from_ns, before);
  EXPECT_GE(first.samples_to_ns, first.samples_from_ns);
  EXPECT_LE(first.samples_to_ns, rig.clock.monotonic_ns());
  EXPECT_LE(first.samples_to_ns, first.evidence.last_good_verdict_ns);
}

SecretBytes output_of(std::uint64_t source_seed, std::uint64_t os_seed, std::uint8_t cpu_value = 0,
                      std::uint64_t boot = 7, std::uint64_t instance = 0) {
  Rig rig(os_seed, cpu_value);
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw(source_seed)));
  GeneratorOptions options = Rig::options();
  options.boot_counter = boot;
  options.instance = instance;
  EXPECT_TRUE(rig.make(options, std::move(slots)));
  EXPECT_TRUE(rig.generator->start());
  return rig.generator->full_entropy(256)->bytes;
}

TEST(Generator, a_fully_known_device_does_not_determine_the_output) {
  EXPECT_EQ(output_of(1, 1), output_of(1, 1));        // the rig itself is deterministic
  EXPECT_NE(output_of(1, 1), output_of(1, 2));        // device known, system not
  EXPECT_NE(output_of(1, 1, 5), output_of(1, 1, 6));  // device and system known, RDSEED not
}

TEST(Generator, a_fully_known_system_does_not_determine_the_output) {
  EXPECT_NE(output_of(1, 1), output_of(2, 1));
}

TEST(Generator, no_two_boots_or_instances_share_a_stream) {
  EXPECT_NE(output_of(1, 1, 0, 7), output_of(1, 1, 0, 8));
  EXPECT_NE(output_of(1, 1, 0, 7, 0), output_of(1, 1, 0, 7, 1));
}

TEST(Generator, a_system_or_rdseed_that_fails_at_seeding_latches) {
  Rig os;
  ASSERT_TRUE(os.make_raw());
  os.os.broken = true;
  EXPECT_FALSE(os.generator->start());
  EXPECT_EQ(os.generator->latched(), LatchReason::seed_failed);
  EXPECT_TRUE(gives_nothing(*os.generator));

  Rig running;
  ASSERT_TRUE(running.make_raw());
  ASSERT_TRUE(running.generator->start());
  running.os.broken = true;
  ASSERT_TRUE(running.generator->test_on_demand());  // asks for a new seed
  ASSERT_TRUE(running.pump_until([&] { return running.generator->latched().has_value(); }));
  EXPECT_EQ(running.generator->latched(), LatchReason::seed_failed);
  EXPECT_TRUE(gives_nothing(*running.generator));
}

TEST(Generator, seeds_come_by_count_by_time_and_are_reported) {
  Rig rig;
  GeneratorOptions options = Rig::options();
  options.reseed_calls = 4;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(rig.generator->full_entropy(16));
  EXPECT_EQ(rig.generator->evidence().reseed_counter, 1U);
  rig.generator->pump(10);
  EXPECT_EQ(rig.generator->evidence().reseed_counter, 2U);
  rig.clock.advance_ns(options.reseed_interval_ns);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->evidence().reseed_counter >= 3; }));
  std::size_t reported = 0;
  for (const Event& event : rig.generator->take_events())
    reported += event.kind == EventKind::reseed ? 1 : 0;
  EXPECT_EQ(reported, rig.generator->evidence().reseed_counter);
  EXPECT_TRUE(rig.generator->take_events().empty());
}

TEST(Generator, an_overdue_seed_stops_the_output_even_when_nobody_pumps) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  EXPECT_TRUE(rig.generator->full_entropy(16));
  rig.clock.advance_ns(2 * Rig::options().reseed_interval_ns);
  EXPECT_TRUE(gives_nothing(*rig.generator));
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->ready_bits() > 0; }));
  EXPECT_TRUE(rig.generator->full_entropy(16));
}

TEST(Generator, the_drbg_cycles_in_the_background_at_irregular_times) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  std::set<std::int64_t> gaps;
  std::int64_t last = 0;
  std::uint64_t cycles = rig.generator->metrics().cycles;
  for (int i = 0; i < 1000; ++i) {
    rig.generator->pump(10);
    if (rig.generator->metrics().cycles == cycles) continue;
    cycles = rig.generator->metrics().cycles;
    if (last != 0) gaps.insert((rig.clock.monotonic_ns() - last) / 100'000'000);
    last = rig.clock.monotonic_ns();
  }
  EXPECT_GT(cycles, 30U);
  EXPECT_GT(gaps.size(), 3U);
  EXPECT_GE(*gaps.begin(), 2);
  EXPECT_LE(*gaps.rbegin(), 11);
}

TEST(Generator,
     sp800_90b_4_3_a_stream_of_unknown_rate_is_read_and_judged_while_nobody_wants_anything) {
  Rig rig;
  ModelOptions model = Rig::raw();
  model.description.nominal_rate_hz = 0;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(model));
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  const auto full = [&] {
    const Metrics metrics = rig.generator->metrics();
    return metrics.pool_blocks == metrics.pool_blocks_max;
  };
  ASSERT_TRUE(rig.pump_until(full));
  const auto before = rig.generator->metrics().sources[0].raw_samples;
  for (int i = 0; i < 100; ++i) rig.generator->pump(100);
  EXPECT_GE(rig.generator->metrics().sources[0].raw_samples - before, 90U * 4096U);
  rig.models[0]->set_illness(Illness::gone);
  rig.generator->pump(100);
  EXPECT_EQ(rig.generator->latched(), LatchReason::source_failed) << "at once, with a full pool";
}

/// Streams `rate` samples a second from its making on, by a clock that goes on only while somebody
/// waits: for a sample that is not due yet, 100 us at a time.
class TimedSource final : public NoiseSource {
 public:
  TimedSource(std::uint32_t rate, ManualClock& clock)
      : description_{.model = "timed",
                     .serial = std::to_string(rate),
                     .source_class = SourceClass::raw_physical,
                     .bits_per_sample = 8,
                     .assessed_millibits_per_sample = 7000,
                     .nominal_rate_hz = 0},
        rate_(rate),
        clock_(clock) {}
  [[nodiscard]] const SourceDescription& description() const override { return description_; }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override {
    const std::int64_t until_ns = clock_.monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
    while (true) {
      const auto due =
          static_cast<std::uint64_t>(clock_.monotonic_ns() - from_ns_) * rate_ / 1'000'000'000;
      if (due > read_ || clock_.monotonic_ns() >= until_ns) {
        const std::size_t count = std::min<std::size_t>(due - read_, samples.size());
        if (count > 0) static_cast<void>(os_.fill(samples.first(count)));
        read_ += count;
        return count;
      }
      clock_.advance_ns(100'000);
    }
  }
  void stop() override {}
  /// How far the reader is behind.
  [[nodiscard]] double behind_s() const {
    return static_cast<double>(clock_.monotonic_ns() - from_ns_) * 1e-9 -
           static_cast<double>(read_) / rate_;
  }

 private:
  SourceDescription description_;
  std::uint32_t rate_;
  ManualClock& clock_;
  SystemOsRandom os_;
  std::int64_t from_ns_ = clock_.monotonic_ns();
  std::uint64_t read_ = 0;
};

TEST(Generator, a_slow_stream_does_not_hold_up_a_fast_one) {
  ManualClock clock;
  SystemOsRandom os;
  CpuRdSeed cpu;
  std::vector<SourceSlot> slots;
  const TimedSource* fast = nullptr;
  for (const std::uint32_t rate : {20U, 1'000'000U}) {
    auto source = std::make_unique<TimedSource>(rate, clock);
    fast = source.get();
    slots.push_back({.source = std::move(source), .independent = true, .required = false});
  }
  auto made = Generator::create(Rig::options(), std::move(slots), {clock, os, cpu});
  ASSERT_TRUE(made) << made.error().text();
  const std::int64_t end_ns = clock.monotonic_ns() + 600'000'000;
  static_cast<void>(
      (*made)->start(300));  // the slow one does not get through its start-up test in this time
  for (int k = 0; k < 10'000 && clock.monotonic_ns() < end_ns; ++k) (*made)->pump(100);
  // Waiting 50 ms for each sample of the slow one would leave four fifths of the fast one unread.
  EXPECT_LT(fast->behind_s(), 0.2);
}

TEST(Generator, a_forked_child_gets_nothing) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto got = rig.generator->full_entropy(64);
    const bool refused = !got && got.error().is(Errc::wrong_process);
    ::_exit(refused && gives_nothing(*rig.generator) && !rig.generator->pump(1) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(rig.generator->full_entropy(64));
}

TEST(Generator, a_feeder_thread_serves_waiting_callers) {
  SystemClock clock;
  SystemOsRandom os;
  NoRdSeed cpu;
  GeneratorOptions options = Rig::options();
  options.allow_uncertified = true;
  options.pool_blocks = 8;
  std::vector<SourceSlot> slots(1);
  slots[0].source = std::make_unique<SystemSource>(os);
  auto generator = Generator::create(options, std::move(slots), {clock, os, cpu}).value();
  ASSERT_TRUE(generator->start());
  generator->run();
  std::vector<std::jthread> callers;
  std::atomic<int> served{0};
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int i = 0; i < 50; ++i)
        served += generator->full_entropy(512, 10'000).has_value() ? 1 : 0;
    });
  }
  callers.clear();
  EXPECT_EQ(served, 200);
  generator->latch(LatchReason::operator_request);
  EXPECT_TRUE(gives_nothing(*generator));
  EXPECT_TRUE(generator->reset_latch());
  EXPECT_TRUE(generator->full_entropy(64, 1000));
  generator->halt();
}

}  // namespace
}  // namespace talla::entropy
