// Goal: what the generator asks of its sources, tells of itself and takes in place of a lost device
//   is what is stated, in every state.
// Method: a corridor fed by hand on simulated time, and generators over counted sources; forked
//   children.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "corridor_by_hand.hpp"

namespace talla::entropy {
namespace {

constexpr std::size_t each_block = 83;

TEST(Corridor, asks_a_stream_for_samples_all_the_time_but_off_latched_or_when_it_has_failed) {
  ByHand stream(SourceClass::raw_physical);
  EXPECT_EQ(stream.wanted(), 0U);
  stream.open(8);
  EXPECT_EQ(stream.corridor->state(), State::operational);
  EXPECT_EQ(stream.wanted(), gate_window_samples);
  stream.corridor->advance();
  EXPECT_EQ(stream.wanted(), gate_window_samples) << "with every pool full";
  stream.corridor->latch(LatchReason::other);
  EXPECT_EQ(stream.wanted(), 0U);
}

TEST(Corridor, asks_who_answers_on_request_for_what_a_block_lacks_and_somebody_wants) {
  ByHand asked(SourceClass::system);
  EXPECT_EQ(asked.wanted(), 0U);
  ASSERT_TRUE(asked.corridor->begin());
  EXPECT_EQ(asked.wanted(), gate_window_samples) << "in its start-up test";
  for (std::size_t i = 0; i < startup_windows; ++i) asked.feed(gate_window_samples);
  EXPECT_EQ(asked.wanted(), gate_window_samples) << "nothing green, a seed due";
  asked.feed(gate_window_samples);
  EXPECT_EQ(asked.wanted(), 0U) << "a block is there";
  asked.leave(each_block - 1);
  EXPECT_EQ(asked.wanted(), gate_window_samples) << "one sample short of a block";
  asked.feed(gate_window_samples);
  asked.leave(each_block);
  EXPECT_EQ(asked.wanted(), 0U);
  for (int i = 0; i < 20; ++i) {
    asked.feed(gate_window_samples);
    asked.corridor->advance();
  }
  ASSERT_EQ(asked.corridor->metrics().pool_blocks, 8U);
  ASSERT_EQ(asked.corridor->metrics().outlet_blocks, 2U);
  asked.leave(0);
  EXPECT_EQ(asked.wanted(), 0U) << "nobody wants any";
  asked.corridor->raw_aside().want(0);
  EXPECT_EQ(asked.wanted(), gate_window_samples) << "a run is wanted";
  asked.feed(gate_window_samples - 1);
  EXPECT_EQ(asked.wanted(), gate_window_samples);
  asked.feed(1);
  EXPECT_EQ(asked.wanted(), 0U) << "and is there";
  asked.corridor->advance();
  ASSERT_TRUE(asked.corridor->raw_aside().holds());
  EXPECT_EQ(asked.wanted(), 0U);
  FullEntropy drawn;
  drawn.bytes.resize(1);
  ASSERT_TRUE(asked.corridor->draw(drawn));
  EXPECT_EQ(asked.wanted(), gate_window_samples) << "the pool lacks a block";
  asked.feed(gate_window_samples);
  asked.corridor->advance();
  asked.leave(0);
  ASSERT_EQ(asked.wanted(), 0U);
  GivenAway given;
  given.bytes.resize(1);
  ASSERT_TRUE(asked.corridor->give_away(given));
  EXPECT_EQ(asked.wanted(), gate_window_samples) << "the outlet lacks one";
}

TEST(Corridor, asks_who_answers_on_request_for_a_seed_that_is_due_and_for_a_start_up_test) {
  GeneratorOptions options = ByHand::small();
  options.outlet_blocks = 0;
  options.reseed_interval_ns = 5 * second_ns;
  ByHand asked(SourceClass::system, options);
  asked.open(2);
  ASSERT_EQ(asked.corridor->metrics().pool_blocks, 8U);
  asked.leave(0);
  asked.clock.advance_ns(5 * second_ns);
  EXPECT_EQ(asked.wanted(), 0U) << "nobody has looked at the clock yet";
  asked.corridor->advance();
  EXPECT_EQ(asked.wanted(), gate_window_samples) << "a seed is due, and nothing else is wanted";
  asked.feed(gate_window_samples);
  asked.corridor->advance();
  ASSERT_EQ(asked.wanted(), 0U);
  ASSERT_TRUE(asked.corridor->test_again());
  asked.feed(gate_window_samples);
  EXPECT_EQ(asked.wanted(), gate_window_samples) << "until its test is over, with all it needs";
  static_cast<void>(asked.corridor->lanes()[0].gate.stream_over(1));
  EXPECT_EQ(asked.wanted(), 0U) << "it has failed for good";
}

TEST(Corridor, an_alarm_is_told_with_what_it_cost_and_suspends_only_what_was_operational) {
  ByHand one(SourceClass::raw_physical);
  const auto disturbed = [&one](std::size_t at) {
    Bytes some(gate_window_samples);
    ASSERT_EQ(one.source.read(some, 1).value(), some.size());
    std::fill_n(some.begin() + static_cast<std::ptrdiff_t>(at), 10, std::uint8_t{7});
    one.corridor->fed(0, some.size(), some, {0, 0});
  };
  one.open(8);
  one.corridor->advance();
  const std::size_t held = one.green();
  disturbed(100);
  EXPECT_EQ(one.corridor->state(), State::suspended);
  EXPECT_EQ(one.corridor->metrics().blocks_wiped, 8U + 2U);
  const Event alarm = one.corridor->take_events().end()[-2];
  EXPECT_EQ(alarm.test, HealthTest::repetition_count);
  EXPECT_EQ(alarm.level, 1U);
  EXPECT_EQ(alarm.dropped_samples, held + gate_window_samples);
  const std::size_t states = one.states;
  disturbed(200);
  EXPECT_EQ(one.states, states) << "it is suspended already";
  ByHand starting(SourceClass::raw_physical);
  ASSERT_TRUE(starting.corridor->begin());
  Bytes stuck(gate_window_samples);
  ASSERT_EQ(starting.source.read(stuck, 1).value(), stuck.size());
  std::fill_n(stuck.begin() + 100, 10, std::uint8_t{7});
  starting.corridor->fed(0, stuck.size(), stuck, {0, 0});
  EXPECT_EQ(starting.corridor->state(), State::startup);
}

TEST(Corridor, takes_nothing_off_or_latched) {
  ByHand one(SourceClass::raw_physical);
  const auto read = [&one] { return one.corridor->metrics().sources[0].raw_samples; };
  one.feed(10);
  EXPECT_EQ(read(), 0U);
  one.open(1);
  const std::uint64_t before = read();
  one.corridor->latch(LatchReason::other);
  one.feed(10);
  EXPECT_EQ(read(), before);
}

TEST(Corridor, tells_of_each_new_state_and_keeps_the_first_reason) {
  ByHand one(SourceClass::raw_physical);
  one.open(4);
  const std::size_t before = one.states;
  EXPECT_EQ(before, 2U) << "startup, operational";
  one.corridor->latch(LatchReason::clock_step);
  EXPECT_EQ(one.states, before + 1);
  one.corridor->latch(LatchReason::other);
  EXPECT_EQ(one.states, before + 1);
  EXPECT_EQ(one.corridor->reason(), LatchReason::clock_step);
}

TEST(Corridor, dates_its_events_and_says_after_how_many_seeds_and_calls_they_were) {
  ByHand one(SourceClass::raw_physical);
  one.clock.advance_ns(5 * second_ns);
  one.open(4);
  FullEntropy drawn;
  drawn.bytes.resize(100);
  ASSERT_TRUE(one.corridor->draw(drawn));
  one.clock.advance_ns(second_ns);
  one.corridor->latch(LatchReason::other);
  const std::vector<Event> events = one.corridor->take_events();
  std::size_t reseeds = 0;
  std::size_t recovered = 0;
  for (const Event& event : events) {
    recovered += event.kind == EventKind::health && event.level == 0 ? 1U : 0U;
    const bool last = event.state == State::latched;
    EXPECT_EQ(event.monotonic_ns, (last ? 6 : 5) * second_ns);
    EXPECT_EQ(event.utc_us, one.clock.utc_us() - (last ? 0 : 1'000'000));
    if (event.kind == EventKind::reseed) {
      ++reseeds;
      EXPECT_EQ(event.reseed_counter, 1U);
      EXPECT_EQ(event.generate_counter, 0U);
    }
  }
  EXPECT_EQ(reseeds, 1U);
  EXPECT_EQ(recovered, 1U) << "when its start-up test was over, and at no other window";
  EXPECT_EQ(events.back().reseed_counter, 1U);
  EXPECT_EQ(events.back().generate_counter, 2U) << "a cycle and a draw";
  EXPECT_EQ(events.back().reason, LatchReason::other);
}

TEST(Corridor, counts_what_it_made_gave_refused_and_wiped) {
  ByHand one(SourceClass::raw_physical);
  one.open(8);
  one.corridor->advance();
  const Metrics before = one.corridor->metrics();
  EXPECT_EQ(before.state, State::operational);
  EXPECT_EQ(before.pool_blocks_max, 8U);
  EXPECT_EQ(before.outlet_blocks_max, 2U);
  EXPECT_EQ(before.pool_blocks, 8U);
  EXPECT_EQ(before.outlet_blocks, 2U);
  EXPECT_EQ(before.outlet_seeds, 1U);
  EXPECT_EQ(before.reseeds, 1U);
  EXPECT_EQ(before.cycles, 1U);
  EXPECT_EQ(before.generate_calls, 1U);
  EXPECT_EQ(before.blocks_made, 12U);
  EXPECT_EQ(before.blocks_for_seeds, 1U);
  EXPECT_EQ(before.uncertified_millibits, 12U * 581'000U) << "of the system's construction";
  EXPECT_EQ(before.credited_millibits, 0U);
  FullEntropy drawn;
  drawn.bytes.resize(65);
  ASSERT_TRUE(one.corridor->draw(drawn));
  drawn.bytes.resize(512);
  EXPECT_FALSE(one.corridor->draw(drawn));
  GivenAway given;
  given.bytes.resize(65);
  ASSERT_TRUE(one.corridor->give_away(given));
  EXPECT_FALSE(one.corridor->give_away(given));
  EXPECT_EQ(one.corridor->spare_bits(), 0U);
  EXPECT_EQ(one.corridor->ready_bits(), 6U * 512U);
  one.corridor->latch(LatchReason::other);
  const Metrics after = one.corridor->metrics();
  EXPECT_EQ(after.blocks_given, 2U);
  EXPECT_EQ(after.requests_refused, 1U);
  EXPECT_EQ(after.outlet_blocks_given, 2U);
  EXPECT_EQ(after.outlet_refused, 1U);
  EXPECT_EQ(after.blocks_wiped, 6U);
}

TEST(Corridor, wipes_what_waits_for_others_with_what_waits_for_draws) {
  ByHand one(SourceClass::raw_physical);
  one.open(8);
  one.corridor->advance();
  one.corridor->latch(LatchReason::other);
  EXPECT_EQ(one.corridor->metrics().blocks_wiped, 10U);
}

TEST(Corridor, a_start_ends_with_eight_blocks_and_not_before) {
  ByHand one(SourceClass::raw_physical);
  EXPECT_FALSE(one.corridor->started());
  ASSERT_TRUE(one.corridor->begin());
  for (std::size_t i = 0; i < startup_windows; ++i) one.feed(gate_window_samples);
  one.feed(gate_window_samples);
  one.leave(8 * each_block);  // a seed and seven blocks
  one.corridor->advance();
  EXPECT_EQ(one.corridor->state(), State::operational);
  EXPECT_EQ(one.corridor->metrics().pool_blocks, 7U);
  EXPECT_FALSE(one.corridor->started());
  one.feed(gate_window_samples);
  one.corridor->advance();
  EXPECT_TRUE(one.corridor->started());
  ASSERT_TRUE(one.corridor->test_again());
  EXPECT_FALSE(one.corridor->started()) << "eight blocks, but suspended";
}

TEST(Corridor, evidence_names_the_mechanisms_that_were_chosen) {
  GeneratorOptions options = ByHand::small();
  options.drbg = DrbgKind::hmac_sha512;
  options.conditioner = ConditionerKind::hmac_sha512;
  ByHand one(SourceClass::raw_physical, options);
  one.open(4);
  const Evidence evidence = one.corridor->evidence();
  EXPECT_EQ(evidence.drbg, DrbgKind::hmac_sha512);
  EXPECT_EQ(evidence.conditioner, ConditionerKind::hmac_sha512);
  EXPECT_EQ(evidence.state, State::operational);
  EXPECT_EQ(evidence.reseed_counter, 1U);
  EXPECT_EQ(evidence.generate_counter, 1U);
}

TEST(Corridor, a_drbg_that_fails_latches_and_gives_nothing) {
  // In a forked child the DRBG asks for a seed that nobody lends.
  for (const bool for_others : {false, true}) {
    ByHand one(SourceClass::raw_physical);
    one.open(8);
    one.corridor->advance();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      FullEntropy drawn;
      drawn.bytes.resize(64);
      GivenAway given;
      given.bytes.resize(64);
      const Status status = for_others ? one.corridor->give_away(given) : one.corridor->draw(drawn);
      ::_exit(!status && status.error().is(Errc::latched) &&
                      one.corridor->reason() == LatchReason::drbg_failed
                  ? 0
                  : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
}

TEST(Replacement, is_of_the_same_model_class_width_rate_figure_and_number) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  const auto tried = [&](const std::function<void(SourceDescription&)>& change,
                         std::size_t index = 0) {
    ModelOptions model = Rig::raw();
    change(model.description);
    const Status status =
        rig.generator->replace_source(index, std::make_unique<ModelSource>(model, &rig.clock));
    if (status) return std::string_view("taken");
    return status.error().is(Errc::source_refused) ? std::string_view("refused")
                                                   : std::string_view("another error");
  };
  EXPECT_EQ(tried([](auto&) {}), "taken") << "also a sound one while it is off";
  EXPECT_EQ(tried([](auto& d) { d.model = "other"; }), "refused");
  EXPECT_EQ(tried([](auto& d) { d.source_class = SourceClass::lab; }), "refused");
  EXPECT_EQ(tried([](auto& d) { d.bits_per_sample = 7; }), "refused");
  EXPECT_EQ(tried([](auto& d) { d.nominal_rate_hz = 99'999; }), "refused");
  EXPECT_EQ(tried([](auto& d) { d.assessed_millibits_per_sample = 7001; }), "refused");
  EXPECT_EQ(tried([](auto& d) { d.serial = "1"; }), "refused");
  const std::vector<Event> events = rig.generator->take_events();
  ASSERT_EQ(events.size(), 7U);
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].kind, EventKind::source);
    EXPECT_EQ(events[i].source, 0U);
    EXPECT_EQ(events[i].passed, i == 0);
  }
  EXPECT_EQ(tried([](auto&) {}, 1), "refused");
  EXPECT_TRUE(rig.generator->take_events().empty()) << "of no source";
  EXPECT_TRUE(rig.generator->replace_source(0, nullptr).error().is(Errc::source_refused));
}

TEST(Replacement, of_a_sound_source_is_refused_while_it_is_used_and_told_of) {
  Rig rig;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw(1)));
  slots.push_back(rig.slot(Rig::raw(2)));
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  const auto replace = [&] {
    return rig.generator->replace_source(1, std::make_unique<ModelSource>(Rig::raw(3), &rig.clock));
  };
  static_cast<void>(rig.generator->take_events());
  EXPECT_TRUE(replace().error().is(Errc::wrong_state));
  ASSERT_TRUE(rig.generator->test_on_demand());
  EXPECT_TRUE(replace().error().is(Errc::wrong_state)) << "suspended";
  rig.generator->latch(LatchReason::other);
  EXPECT_TRUE(replace());
  std::vector<bool> passed;
  for (const Event& event : rig.generator->take_events()) {
    if (event.kind != EventKind::source) continue;
    EXPECT_EQ(event.source, 1U);
    passed.push_back(event.passed);
  }
  EXPECT_EQ(passed, (std::vector<bool>{false, false, true}));
}

TEST(Generator, every_call_of_a_forked_child_is_refused) {
  Rig off;
  Rig running;
  Rig latched;
  GeneratorOptions options = ByHand::small();
  for (Rig* rig : {&off, &running, &latched}) {
    std::vector<SourceSlot> slots;
    slots.push_back(rig->slot(Rig::raw()));
    ASSERT_TRUE(rig->make(options, std::move(slots)));
  }
  ASSERT_TRUE(running.generator->start());
  ASSERT_TRUE(running.generator->set_raw_aside(0));
  ASSERT_TRUE(running.pump_until([&] { return running.generator->spare_bits() == 1024; }));
  for (int i = 0; i < 20; ++i) running.generator->pump(100);
  ASSERT_TRUE(latched.generator->start());
  latched.generator->latch(LatchReason::other);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto refused = [](const auto& result) {
      return !result && result.error().is(Errc::wrong_process);
    };
    int wrong = 0;
    wrong |= refused(off.generator->start()) ? 0 : 1;
    wrong |= refused(running.generator->full_entropy(1)) ? 0 : 2;
    wrong |= refused(running.generator->give_away(1)) ? 0 : 4;
    wrong |= refused(running.generator->take_raw()) ? 0 : 8;
    wrong |= refused(running.generator->test_on_demand()) ? 0 : 16;
    wrong |= refused(latched.generator->reset_latch()) ? 0 : 32;
    wrong |= running.generator->ready_bits() == 0 && running.generator->spare_bits() == 0 ? 0 : 64;
    wrong |= running.generator->pump(1) ? 128 : 0;
    ::_exit(wrong);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(running.generator->take_raw()) << "the parent's is as it was";
  EXPECT_TRUE(running.generator->give_away(1));
}

/// Counts how often its old samples were thrown away, and says how long it was asked to wait.
class CountedSource final : public NoiseSource {
 public:
  CountedSource(const ModelOptions& options, ManualClock* clock) : inner_(options, clock) {}
  [[nodiscard]] const SourceDescription& description() const override {
    return inner_.description();
  }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override {
    waits.insert(timeout_ms);
    ++reads;
    return inner_.read(samples, timeout_ms);
  }
  [[nodiscard]] Status renew() override {
    ++renewed;
    return {};
  }
  void stop() override {}
  void set_illness(Illness illness) { inner_.set_illness(illness); }
  int renewed = 0;
  int reads = 0;
  std::multiset<unsigned> waits;

 private:
  ModelSource inner_;
};

struct CountedRig : Rig {
  std::vector<CountedSource*> sources;
  explicit CountedRig(std::size_t count, bool required = true) {
    std::vector<SourceSlot> slots;
    for (std::size_t i = 0; i < count; ++i) {
      auto source = std::make_unique<CountedSource>(raw(i + 1), i == 0 ? &clock : nullptr);
      sources.push_back(source.get());
      slots.push_back({.source = std::move(source), .independent = true, .required = required});
    }
    EXPECT_TRUE(make(options(), std::move(slots)));
  }
};

TEST(Generator, old_samples_are_thrown_away_before_a_test_on_demand_and_a_reset) {
  CountedRig rig(1);
  ASSERT_TRUE(rig.generator->start());
  EXPECT_EQ(rig.sources[0]->renewed, 0);
  ASSERT_TRUE(rig.generator->test_on_demand());
  EXPECT_EQ(rig.sources[0]->renewed, 1);
  EXPECT_TRUE(rig.generator->test_on_demand().error().is(Errc::wrong_state)) << "it runs already";
  EXPECT_EQ(rig.sources[0]->renewed, 1);
  EXPECT_TRUE(rig.generator->reset_latch().error().is(Errc::wrong_state));
  EXPECT_EQ(rig.sources[0]->renewed, 1);
  rig.generator->latch(LatchReason::other);
  ASSERT_TRUE(rig.generator->reset_latch());
  EXPECT_EQ(rig.sources[0]->renewed, 2);
}

TEST(Generator, one_stream_is_waited_for_and_a_lost_one_is_left_alone) {
  CountedRig rig(1);
  ASSERT_TRUE(rig.generator->start());
  rig.sources[0]->waits.clear();
  EXPECT_TRUE(rig.generator->pump(77));
  EXPECT_EQ(rig.sources[0]->waits, (std::multiset<unsigned>{77}));
  rig.sources[0]->set_illness(Illness::silent);
  EXPECT_FALSE(rig.generator->pump(77)) << "nothing was read";
  rig.sources[0]->set_illness(Illness::gone);
  EXPECT_FALSE(rig.generator->pump(77));
  EXPECT_EQ(rig.generator->latched(), LatchReason::source_failed);
  const int reads = rig.sources[0]->reads;
  EXPECT_FALSE(rig.generator->pump(77));
  EXPECT_EQ(rig.sources[0]->reads, reads);
  EXPECT_FALSE(rig.generator->reset_latch(1000));
  EXPECT_EQ(rig.sources[0]->renewed, 0) << "its stream is over";
}

TEST(Generator, of_two_streams_each_is_asked_for_what_it_has_before_any_is_waited_for) {
  CountedRig rig(2, false);
  ASSERT_TRUE(rig.generator->start());
  for (CountedSource* source : rig.sources) source->waits.clear();
  EXPECT_TRUE(rig.generator->pump(10));
  for (CountedSource* source : rig.sources) EXPECT_EQ(source->waits, (std::multiset<unsigned>{0}));
  for (CountedSource* source : rig.sources) source->set_illness(Illness::silent);
  for (CountedSource* source : rig.sources) source->waits.clear();
  EXPECT_FALSE(rig.generator->pump(10));
  // Each once without waiting, then in turns of a millisecond until ten are over.
  for (CountedSource* source : rig.sources)
    EXPECT_EQ(source->waits, (std::multiset<unsigned>{0, 1, 1, 1, 1, 1}));
  rig.sources[0]->waits.clear();
  rig.sources[1]->waits.clear();
  rig.sources[0]->set_illness(Illness::healthy);
  EXPECT_TRUE(rig.generator->pump(10));
  EXPECT_EQ(rig.sources[1]->waits, (std::multiset<unsigned>{0}));
}

TEST(Generator, requests_are_bounded_by_the_pool_to_the_byte) {
  Rig rig;
  GeneratorOptions options = ByHand::small();
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  EXPECT_TRUE(rig.generator->give_away(0).error().is(Errc::bad_settings));
  EXPECT_TRUE(rig.generator->give_away(129).error().is(Errc::request_too_large));
  EXPECT_TRUE(rig.generator->give_away(128).error().is(Errc::not_started));
  EXPECT_TRUE(rig.generator->full_entropy(513).error().is(Errc::request_too_large));
  EXPECT_TRUE(rig.generator->full_entropy(512).error().is(Errc::not_started));
  EXPECT_TRUE(rig.generator->take_raw().error().is(Errc::not_started));
  EXPECT_EQ(rig.generator->latched(), std::nullopt);
  ASSERT_TRUE(rig.generator->start());
  EXPECT_EQ(rig.generator->latched(), std::nullopt);
}

TEST(Generator, a_caller_that_waits_is_told_of_the_latch) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  while (rig.generator->full_entropy(64)) {
  }
  constexpr unsigned an_hour_ms = 3'600'000;
  Result<FullEntropy> got;
  std::jthread caller([&] { got = rig.generator->full_entropy(64, an_hour_ms); });
  rig.generator->latch(LatchReason::other);
  caller.join();
  EXPECT_TRUE(got.error().is(Errc::latched));
}

}  // namespace
}  // namespace talla::entropy
