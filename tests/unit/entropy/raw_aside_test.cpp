// Goal: raw samples that are set aside come out of the quarantine in whole runs, each once, and
//   nothing else is made of them; draws come first; an alarm, a latch or a suspension gives none.
// Method: a generator on a source whose samples are all known beside it; where a run lies among
//   them says which samples it is.
#include "raw_aside.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "blocks_by_hand.hpp"
#include "entropy/gate.hpp"
#include "rig.hpp"

namespace talla::entropy {
namespace {

constexpr std::size_t draws_pool = 8;

struct AsideRig : Rig {
  explicit AsideRig(const ModelOptions& model = raw(42)) {
    std::vector<SourceSlot> slots;
    slots.push_back(slot(model));
    GeneratorOptions options = Rig::options();
    options.pool_blocks = draws_pool;
    options.outlet_blocks = 4;
    EXPECT_TRUE(make(options, std::move(slots)));
  }
  /// The next run; empty when none came.
  SecretBytes next_run() {
    for (int step = 0; step < 200; ++step) {
      if (auto run = generator->take_raw()) return std::move(*run);
      generator->pump(100);
    }
    return {};
  }
};

/// Where the run begins among these; their number: nowhere.
std::size_t place_of(const SecretBytes& run, const Bytes& known) {
  return static_cast<std::size_t>(std::ranges::search(known, run).begin() - known.begin());
}

TEST(RawAside, runs_are_samples_in_a_row_as_they_came_each_once) {
  AsideRig rig;
  ASSERT_TRUE(rig.generator->start());
  EXPECT_FALSE(rig.generator->take_raw()) << "nobody asked for any";
  ASSERT_TRUE(rig.generator->set_raw_aside(0));
  ModelSource twin(Rig::raw(42));
  Bytes known(200 * gate_window_samples);
  ASSERT_EQ(twin.read(known, 1).value(), known.size());
  std::size_t behind = startup_samples;
  for (int i = 0; i < 20; ++i) {
    const auto run = rig.next_run();
    ASSERT_EQ(run.size(), gate_window_samples);
    const auto place = place_of(run, known);
    ASSERT_LT(place, known.size());
    EXPECT_GE(place, behind) << "none twice, none of the start-up test";
    behind = place + run.size();
    EXPECT_EQ(rig.generator->take_raw().error().code, errc_name(Errc::not_ready))
        << "one at a time";
    ASSERT_TRUE(rig.generator->full_entropy(64));
  }
}

TEST(RawAside, what_is_set_aside_is_missing_from_what_blocks_are_made_of) {
  AsideRig with;
  AsideRig without;
  for (AsideRig* rig : {&with, &without}) ASSERT_TRUE(rig->generator->start());
  const auto full = [](AsideRig& rig) {
    return rig.pump_until([&] { return rig.generator->metrics().pool_blocks == draws_pool; });
  };
  ASSERT_TRUE(full(with) && full(without));
  EXPECT_EQ(to_hex(with.generator->full_entropy(64)->bytes),
            to_hex(without.generator->full_entropy(64)->bytes))
      << "the same up to here";
  ASSERT_TRUE(with.generator->set_raw_aside(0));
  ASSERT_EQ(with.next_run().size(), gate_window_samples);
  const auto drained = [](AsideRig& rig) {
    std::string last;
    for (std::size_t i = 0; i < 4 * draws_pool; ++i) {
      EXPECT_TRUE(rig.pump_until([&] { return rig.generator->ready_bits() >= 512; }));
      last = to_hex(rig.generator->full_entropy(64)->bytes);
    }
    return last;
  };
  EXPECT_NE(drained(with), drained(without));
}

TEST(RawAside, draws_come_first_and_half_of_what_may_wait_of_a_stream_stays_for_them) {
  AsideRig rig;
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.generator->set_raw_aside(0));
  std::size_t runs = 0;
  for (int step = 0; step < 400; ++step) {
    rig.generator->pump(100);
    if (rig.generator->take_raw()) {
      ++runs;
      EXPECT_EQ(rig.generator->metrics().pool_blocks, draws_pool);
    }
  }
  EXPECT_GT(runs, 50U);
  rig.models[0]->set_illness(Illness::silent);
  std::size_t drawn = 0;
  while (rig.generator->full_entropy(64)) {
    ++drawn;
    rig.generator->pump(0);
  }
  EXPECT_GE(drawn, 4 * gate_window_samples / per_block);
}

TEST(RawAside, a_source_that_is_read_on_request_gives_runs_too) {
  ModelOptions model = Rig::raw(3);
  model.description.nominal_rate_hz = 0;
  AsideRig rig(model);
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.generator->set_raw_aside(0));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(rig.next_run().size(), gate_window_samples);
  EXPECT_TRUE(rig.generator->full_entropy(64));
}

TEST(RawAside, nothing_is_given_before_the_start_suspended_or_latched) {
  AsideRig rig;
  EXPECT_EQ(rig.generator->set_raw_aside(1).error().code, errc_name(Errc::source_refused));
  ASSERT_TRUE(rig.generator->set_raw_aside(0));
  EXPECT_EQ(rig.generator->take_raw().error().code, errc_name(Errc::not_started));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_FALSE(rig.next_run().empty());
  rig.models[0]->set_illness(Illness::stuck, 1000, 10);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->state() == State::suspended; }));
  EXPECT_EQ(rig.generator->take_raw().error().code, errc_name(Errc::suspended));
  ASSERT_FALSE(rig.next_run().empty()) << "behind the start-up test again";
  for (int step = 0; step < 20; ++step) rig.generator->pump(100);
  rig.generator->latch(LatchReason::other);
  EXPECT_EQ(rig.generator->take_raw().error().code, errc_name(Errc::latched));
  ASSERT_TRUE(rig.generator->reset_latch());
  EXPECT_EQ(rig.generator->take_raw().error().code, errc_name(Errc::not_ready)) << "wiped";
}

TEST(RawAside, an_alarm_that_suspects_a_run_takes_it_back) {
  ModelOptions model = Rig::raw(42);
  model.period = 1500;
  AsideRig rig(model);
  const auto samples_read = [&rig] {
    return static_cast<std::size_t>(rig.generator->metrics().sources[0].raw_samples);
  };
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.generator->set_raw_aside(0));
  const std::size_t ill_from = samples_read();
  rig.models[0]->set_illness(Illness::periodic, 150);  // one lag sees it, in one window of 255
  // Young ones of bad samples: the alarm suspects 1,044,480 of them at most.
  for (int step = 0; step < 4000 && rig.generator->state() == State::operational; ++step) {
    if (step % 16 == 0) static_cast<void>(rig.generator->take_raw());
    rig.generator->pump(100);
  }
  ASSERT_EQ(rig.generator->state(), State::suspended) << "a latch would wipe it";
  const std::size_t alarm_at = samples_read();
  rig.models[0]->set_illness(Illness::healthy);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->state() == State::operational; }));
  const auto run = rig.next_run();
  ASSERT_EQ(run.size(), gate_window_samples);

  ModelSource twin(model);
  Bytes known(samples_read());
  const std::span<std::uint8_t> all(known);
  ASSERT_EQ(twin.read(all.first(ill_from), 1).value(), ill_from);
  twin.set_illness(Illness::periodic, 150);
  ASSERT_EQ(twin.read(all.subspan(ill_from, alarm_at - ill_from), 1).value(), alarm_at - ill_from);
  twin.set_illness(Illness::healthy);
  ASSERT_EQ(twin.read(all.subspan(alarm_at), 1).value(), known.size() - alarm_at);
  ASSERT_LT(place_of(run, known), known.size());
  EXPECT_GE(place_of(run, known), alarm_at) << "not the one that waited";
}

TEST(RawAside, who_wants_no_more_has_what_waits_wiped) {
  AsideRig rig;
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.generator->set_raw_aside(0));
  for (int step = 0; step < 20; ++step) rig.generator->pump(100);
  ASSERT_TRUE(rig.generator->set_raw_aside(std::nullopt));
  EXPECT_FALSE(rig.generator->take_raw());
  for (int step = 0; step < 20; ++step) rig.generator->pump(100);
  EXPECT_FALSE(rig.generator->take_raw());
}

TEST(RawAside, an_alarm_takes_back_a_run_of_its_source_that_ends_at_its_time_or_later) {
  SourceDescription source;
  source.assessed_millibits_per_sample = 7000;
  Gate gate(health_settings(source, 1000).value(), 0);
  ModelSource noise(Rig::raw());
  Bytes samples(startup_samples + gate_window_samples);
  ASSERT_EQ(noise.read(samples, 1).value(), samples.size());
  ASSERT_EQ(gate.feed(samples, {50, 60}).alarm.level, 0U);
  RawAside raw;
  raw.want(3);
  EXPECT_TRUE(raw.wants_run(3));
  EXPECT_FALSE(raw.wants_run(2));
  raw.take_from(gate);
  EXPECT_FALSE(raw.wants_run(3)) << "one at a time";
  raw.drop_since(2, 0);
  raw.drop_since(3, 61);
  EXPECT_TRUE(raw.holds());
  raw.drop_since(3, 60);
  EXPECT_FALSE(raw.holds());
}

}  // namespace
}  // namespace talla::entropy
