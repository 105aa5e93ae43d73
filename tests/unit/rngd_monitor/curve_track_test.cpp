// Goal: the past of the curves has its bounds, shows its gaps and its extremes, survives a restart,
//   and no clock, no name and no file makes it grow, lie or fall over.
// Method: looks on a made-up time against one track; every answer is held against what was put in.
#include "monitor/curve_track.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace talla::rngd {
namespace {

using Track = CurveTrack;

constexpr std::int64_t minute = 60'000'000;
constexpr std::int64_t begin = 1'767'225'600'000'000;
Track::Range whole() {
  return {.from_us = 0,
          .to_us = std::numeric_limits<std::int64_t>::max(),
          .limit = 100'000,
          .name = {}};
}

/// A track whose time goes by as the test says.
struct Timed {
  explicit Timed(Track::Shape shape = {.step_us = minute,
                                       .chunk_intervals = 4,
                                       .chunks = 3,
                                       .figures_of_family = 5})
      : track(shape) {}
  void see(std::int64_t low, std::int64_t high, std::int64_t last, bool broken = false,
           const std::string& name = "wheel/frequency", CurveSide side = CurveSide::process) {
    CurveLook look{.utc_us = utc_us, .monotonic_ns = mono_ns, .broken = broken, .values = {}};
    look.values.push_back({.name = name, .side = side, .low = low, .high = high, .last = last});
    track.see(look);
  }
  void pass(std::int64_t us) {
    utc_us += us;
    mono_ns += us * 1000;
  }
  /// A look in each of so many minutes, with its number as its value.
  void minutes(int count) {
    for (int i = 0; i < count; ++i, pass(minute)) see(number, number, number), ++number;
  }
  [[nodiscard]] std::vector<Track::Run> runs(const Track::Range& range = whole(),
                                             const std::string& name = "wheel/frequency",
                                             CurveSide side = CurveSide::process) const {
    auto found = track.find(range);
    const auto curve = found.curves.find({name, side});
    return curve == found.curves.end() ? std::vector<Track::Run>() : curve->second;
  }
  /// All last values, run after run.
  [[nodiscard]] std::vector<std::int32_t> values(const Track::Range& range = whole()) const {
    std::vector<std::int32_t> all;
    for (const auto& run : runs(range)) all.insert(all.end(), run.last.begin(), run.last.end());
    return all;
  }

  Track track;
  std::int64_t utc_us = begin;
  std::int64_t mono_ns = 1'000'000'000'000;
  std::int64_t number = 0;
};

/// What a restart finds of a track: every chunk that was ever stored, by its slot.
class Files {
 public:
  void store(Track& track) {
    for (auto& chunk : track.take_changed())
      fields_[track.slot_of(chunk.number)] = std::move(chunk.fields);
  }
  /// Into another track. What was refused.
  std::vector<std::string> load(Track& track) const {
    std::vector<std::string> refused;
    for (const auto& [slot, fields] : fields_) {
      stats::monitor::StateReader in(fields);
      track.load(in, slot);
      if (const auto good = in.finish(); !good) refused.push_back(good.error().detail);
    }
    return refused;
  }
  [[nodiscard]] std::map<std::size_t, std::string>& fields() { return fields_; }

 private:
  std::map<std::size_t, std::string> fields_;
};

TEST(CurveTrack, of_each_interval_the_least_the_greatest_and_the_last_are_kept) {
  Timed t;
  t.see(-5, 3, 1);
  t.pass(minute / 10);
  t.see(1, 9000, 2);
  t.pass(minute / 10);
  t.see(2, 2, 2);
  const auto runs = t.runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].from_us, begin);
  EXPECT_EQ(runs[0].low, std::vector<std::int32_t>{-5});
  EXPECT_EQ(runs[0].high, std::vector<std::int32_t>{9000}) << "it crossed and fell back";
  EXPECT_EQ(runs[0].last, std::vector<std::int32_t>{2});
}

TEST(CurveTrack, the_newest_chunks_are_kept_and_no_more) {
  Timed t;
  t.minutes(4 * 3);
  EXPECT_EQ(t.values().size(), 12U);
  t.minutes(1);
  EXPECT_EQ(t.values().front(), 4) << "the oldest chunk goes as a whole";
  t.minutes(400);
  EXPECT_GE(t.values().size(), 9U);
  EXPECT_LE(t.values().size(), 12U);
  EXPECT_EQ(t.values().back(), 412);
  EXPECT_EQ(t.track.oldest_us(), t.runs()[0].from_us);
  EXPECT_EQ(t.runs().size(), 1U) << "chunk after chunk, one run";
}

TEST(CurveTrack, a_time_without_looks_is_a_gap_and_nothing_is_made_up) {
  Timed t;
  t.minutes(2);
  t.pass(3 * minute);
  t.minutes(2);
  const auto runs = t.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].last, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(runs[1].from_us, begin + 5 * minute);
  EXPECT_EQ(runs[1].last, (std::vector<std::int32_t>{2, 3}));
}

TEST(CurveTrack, a_break_is_a_gap_also_between_neighbouring_intervals_and_inside_one) {
  Timed t;
  t.minutes(1);
  t.see(1, 1, 1, true);
  t.pass(minute);
  t.see(2, 2, 2);
  t.see(3, 3, 3, true);
  t.pass(minute);
  t.see(4, 4, 4);
  const auto runs = t.runs();
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[1].last, (std::vector<std::int32_t>{1}));
  EXPECT_EQ(runs[2].last, (std::vector<std::int32_t>{3, 4}));
}

TEST(CurveTrack, who_is_not_seen_for_a_while_has_a_gap_of_his_own) {
  Timed t;
  for (int i = 0; i < 6; ++i, t.pass(minute)) {
    t.see(i, i, i);
    if (i != 3) t.see(i, i, i, false, "dice/frequency");
  }
  EXPECT_EQ(t.runs().size(), 1U);
  const auto dice = t.runs(whole(), "dice/frequency");
  ASSERT_EQ(dice.size(), 2U);
  EXPECT_EQ(dice[0].last, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(dice[1].last, (std::vector<std::int32_t>{4, 5}));
}

TEST(CurveTrack, a_clock_that_steps_back_erases_nothing) {
  Timed t;
  t.minutes(4);
  t.utc_us -= 3 * minute;
  t.see(100, 100, 100, true);
  t.pass(minute);
  t.minutes(2);
  EXPECT_EQ(t.values(), (std::vector<std::int32_t>{0, 1, 2, 3, 100, 4, 5}));
  const auto runs = t.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].from_us, begin + minute) << "the same time again, as a stretch of its own";
}

/// Whoever may set the clock must not be able to have the past forgotten in a minute.
TEST(CurveTrack, a_clock_that_jumps_to_and_fro_pushes_nothing_out) {
  Timed t;
  t.minutes(8);
  for (int i = 0; i < 1000; ++i) {
    t.utc_us += i % 2 == 0 ? -3600 * minute : 3600 * minute;
    t.see(-1, -1, -1, true);
    t.mono_ns += 100'000'000;  // ten looks a second
  }
  const auto values = t.values();
  EXPECT_EQ(values.front(), 0);
  EXPECT_LE(values.size(), 8U + 2U + 3U) << "100 seconds: two at once, and as many as may open";
}

TEST(CurveTrack, a_clock_before_1970_and_one_at_the_end_of_time_are_survived) {
  Timed t;
  for (const auto utc : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1},
                         std::numeric_limits<std::int64_t>::max(), std::int64_t{0}}) {
    t.utc_us = utc;
    t.mono_ns += minute * 1000;
    t.see(1, 1, 1, true);
  }
  for (const auto& run : t.runs()) EXPECT_GE(run.from_us, 0);
}

/// A device that is another one at each look.
TEST(CurveTrack, names_without_end_take_no_memory_without_end_and_nobodys_past) {
  Timed t;
  for (int i = 0; i < 12; ++i, t.pass(minute)) {
    t.see(i, i, i);
    for (int liar = 0; liar < 100; ++liar) {
      const std::string name = "liar-" + std::to_string(100 * i + liar) + "/lag 1";
      t.see(0, 0, 0, false, name, CurveSide::recent);
      t.see(0, 0, 0, false, name);
    }
    EXPECT_EQ(t.track.left_out(), 1U) << "of the last look";
  }
  EXPECT_EQ(t.values().size(), 12U);
  const auto found = t.track.find(whole());
  EXPECT_LE(found.curves.size(), 3U * 2U * 5U);
  Timed fresh;
  for (int liar = 0; liar < 100; ++liar)
    fresh.see(0, 0, 0, false, "liar-" + std::to_string(liar), CurveSide::recent);
  fresh.see(7, 7, 7);
  EXPECT_EQ(fresh.values(), std::vector<std::int32_t>{7})
      << "sources crowd out no monitor: each family has places of its own";
}

TEST(CurveTrack, names_that_no_monitor_has_are_left_out) {
  Timed t;
  for (const auto& name : {std::string(), std::string(Track::name_max + 1, 'a'),
                           std::string("a\0"
                                       "0",
                                       3)}) {
    t.see(1, 1, 1, false, name);
    EXPECT_EQ(t.track.left_out(), 1U);
  }
  t.see(1, 1, 1, false, std::string(Track::name_max, 'a'));
  EXPECT_EQ(t.track.left_out(), 0U);
  EXPECT_EQ(t.track.find(whole()).curves.size(), 1U);
}

TEST(CurveTrack, values_beyond_32_bits_are_cut) {
  Timed t;
  t.see(-1'000'000'000'000, 1'000'000'000'000, 5);
  EXPECT_EQ(t.runs()[0].low[0], std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(t.runs()[0].high[0], std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(t.runs()[0].last[0], 5);
}

TEST(CurveTrack, a_question_gets_its_range_its_newest_and_its_name) {
  Timed t;
  t.minutes(10);
  Track::Range range = whole();
  range.from_us = begin + 2 * minute;
  range.to_us = begin + 8 * minute;
  EXPECT_EQ(t.values(range), (std::vector<std::int32_t>{2, 3, 4, 5, 6, 7}));
  EXPECT_FALSE(t.track.find(range).more);
  range.limit = 3;
  EXPECT_EQ(t.values(range), (std::vector<std::int32_t>{5, 6, 7}));
  EXPECT_TRUE(t.track.find(range).more);
  range.limit = 6;
  EXPECT_FALSE(t.track.find(range).more);
  range.to_us = range.from_us;
  EXPECT_TRUE(t.track.find(range).curves.empty());
  range = whole();
  range.name = "wheel";
  EXPECT_TRUE(t.track.find(range).curves.empty());
  t.see(1, 1, 1, false, "wheel/frequency", CurveSide::detector);
  range.name = "wheel/frequency";
  EXPECT_EQ(t.track.find(range).curves.size(), 2U);
  EXPECT_TRUE(Timed().track.find(whole()).curves.empty());
  EXPECT_EQ(Timed().track.oldest_us(), -1);
}

TEST(CurveTrack, a_restart_goes_on_where_it_stopped_with_a_gap) {
  Timed t;
  Files files;
  for (int i = 0; i < 10; ++i) {
    t.minutes(1);
    files.store(t.track);
  }
  t.see(-70, 70, 10);
  files.store(t.track);
  Timed later;
  EXPECT_TRUE(files.load(later.track).empty());
  EXPECT_EQ(later.values(), t.values());
  EXPECT_EQ(later.runs().size(), 1U);
  later.utc_us = t.utc_us + minute / 2;
  later.see(11, 11, 11, true);  // in the same minute
  later.pass(minute / 2);
  later.see(12, 12, 12);
  const auto runs = later.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].low[0], -70) << "what was seen before stays";
  EXPECT_EQ(runs[1].last, (std::vector<std::int32_t>{11, 12}));
}

TEST(CurveTrack, a_chunk_that_is_lost_is_a_gap) {
  Timed t;
  Files files;
  t.minutes(12);
  files.store(t.track);
  files.fields().erase(1);
  Timed later;
  EXPECT_TRUE(files.load(later.track).empty());
  const auto runs = later.runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].last, (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(runs[1].last, (std::vector<std::int32_t>{8, 9, 10, 11}));
}

TEST(CurveTrack, an_old_chunk_that_somebody_put_back_is_not_shown) {
  Timed t;
  Files old;
  t.minutes(4);
  old.store(t.track);
  t.minutes(16);
  Files files;
  files.store(t.track);
  files.fields()[0] = old.fields()[0];  // chunk 0 where chunk 3 belongs
  Timed later;
  EXPECT_TRUE(files.load(later.track).empty());
  EXPECT_EQ(later.values().front(), 8) << "chunks 2 and 4 are left";
}

TEST(CurveTrack, every_changed_number_of_a_saved_chunk_is_refused_or_harmless) {
  Timed t;
  Files files;
  t.minutes(3);
  t.see(1, 1, 1, false, "dice/frequency", CurveSide::recent);
  files.store(t.track);
  const std::string good = files.fields().at(0);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char flip : {'\x01', '\x40', '\xff'}) {
      files.fields()[0] = good;
      files.fields()[0][i] = static_cast<char>(good[i] ^ flip);
      Timed later;
      const bool bad = !files.load(later.track).empty();
      refused += bad ? 1U : 0U;
      EXPECT_TRUE(!bad || later.track.oldest_us() == -1) << "nothing of it is used";
      later.utc_us = begin + 10 * minute;
      later.see(1, 1, 1, true);
      EXPECT_LE(later.track.find(whole()).curves.size(), 3U);
    }
  }
  EXPECT_GT(refused, good.size());
  for (std::size_t cut = 0; cut < good.size(); ++cut) {
    files.fields()[0] = good.substr(0, cut);
    Timed later;
    EXPECT_EQ(files.load(later.track).size(), 1U) << cut;
    EXPECT_EQ(later.track.oldest_us(), -1);
  }
  files.fields()[0] = good + "x";
  Timed later;
  EXPECT_EQ(files.load(later.track).size(), 1U);
}

TEST(CurveTrack, a_chunk_in_anothers_place_or_of_another_resolution_is_refused) {
  Timed t;
  Files files;
  t.minutes(1);
  files.store(t.track);
  Files moved;
  moved.fields()[1] = files.fields()[0];
  Timed later;
  ASSERT_EQ(moved.load(later.track).size(), 1U);
  EXPECT_NE(moved.load(later.track)[0].find("does not belong here"), std::string::npos);
  Timed hours({.step_us = 60 * minute, .chunk_intervals = 4, .chunks = 3, .figures_of_family = 5});
  ASSERT_EQ(files.load(hours.track).size(), 1U);
  EXPECT_NE(files.load(hours.track)[0].find("resolution"), std::string::npos);
}

TEST(CurveTrack, only_what_has_changed_is_stored_and_what_failed_is_stored_again) {
  Timed t;
  t.minutes(9);
  EXPECT_EQ(t.track.take_changed().size(), 3U);
  EXPECT_TRUE(t.track.take_changed().empty());
  t.minutes(1);
  EXPECT_EQ(t.track.take_changed().size(), 1U);
  t.track.not_stored(0);
  t.track.not_stored(77);
  const auto again = t.track.take_changed();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(again[0].number, 0U);
}

}  // namespace
}  // namespace talla::rngd
