// Goal: the quality tracker counts what it says, its alarms come for known faults, end with them,
// and are false no more often than stated.
// Method: all orders of small numbers of windows, exact binomial tails, plain slow counts, seeded
// noise with and without faults, a simulation with short pasts whose stated rate is large enough to
// be seen.
#include "stats/monitor/quality.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "stats/blocks/block_series.hpp"
#include "words.hpp"

namespace talla::stats::monitor {
namespace {

using test::Words;

/// Of all orders of reference + run different windows, how many raise an alarm at the last one.
std::pair<int, int> raised_of_all(const DriftWatch::Options& options) {
  std::vector<int> order(options.reference + options.run);
  std::iota(order.begin(), order.end(), 0);
  int raised = 0;
  int all = 0;
  do {
    DriftWatch watch(options);
    Change last = Change::none;
    for (const int value : order) last = watch.add(value);
    raised += last == Change::raised ? 1 : 0;
    ++all;
  } while (std::next_permutation(order.begin(), order.end()));
  return {raised, all};
}

const Quality::Row& row(const std::vector<Quality::Row>& rows, std::string_view name) {
  return *std::ranges::find(rows, name, &Quality::Row::measure);
}

struct Seen {
  std::vector<Quality::Event> events;
  [[nodiscard]] bool has(std::string_view measure, Quality::Scale scale, Quality::Against against,
                         bool raised) const {
    return std::ranges::any_of(events, [&](const auto& event) {
      return event.measure == measure && event.scale == scale && event.against == against &&
             event.raised == raised;
    });
  }
};

constexpr std::size_t window = Quality::short_samples;

}  // namespace

TEST(DriftWatch, among_all_orders_of_windows_the_share_of_alarms_is_the_stated_rate) {
  for (const auto& [reference, run, both] : {std::tuple{3U, 2U, false}, std::tuple{4U, 2U, true},
                                             std::tuple{5U, 3U, false}, std::tuple{4U, 4U, true}}) {
    const DriftWatch::Options options{.reference = reference, .run = run, .below_too = both};
    const auto [raised, all] = raised_of_all(options);
    EXPECT_DOUBLE_EQ(static_cast<double>(raised) / all,
                     std::round(DriftWatch::rate(options) * all) / all);
    EXPECT_NEAR(static_cast<double>(raised) / all, DriftWatch::rate(options), 1e-12);
  }
}

TEST(DriftWatch, ties_never_raise) {
  DriftWatch watch({.reference = 4, .run = 2, .below_too = true});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(watch.add(7), Change::none);
}

TEST(DriftWatch, what_does_not_matter_raises_nothing) {
  DriftWatch fine({.reference = 4, .run = 2, .least_difference = 0.5});
  for (const double value : {1.0, 1.1, 1.0, 1.1, 1.2, 1.3})
    EXPECT_EQ(fine.add(value), Change::none);
  DriftWatch ratio({.reference = 4, .run = 2, .least_ratio = 0.5});
  for (const double value : {1.0, 1.1, 1.0, 1.1, 1.2, 1.3})
    EXPECT_EQ(ratio.add(value), Change::none);
  EXPECT_EQ(ratio.add(2.0), Change::none);
  EXPECT_EQ(ratio.add(2.0), Change::raised) << "1.3 went into the past with the window before";
}

TEST(DriftWatch, an_alarm_stands_until_enough_windows_are_back_and_then_learns_anew) {
  DriftWatch watch({.reference = 4, .run = 2});
  for (const double value : {1.0, 2.0, 1.0, 2.0, 3.0}) EXPECT_EQ(watch.add(value), Change::none);
  EXPECT_FALSE(watch.alarm());
  EXPECT_EQ(watch.add(3.0), Change::raised);
  for (const double value : {3.0, 1.5, 3.0, 9.0}) EXPECT_EQ(watch.add(value), Change::none);
  EXPECT_TRUE(watch.alarm());
  EXPECT_EQ(watch.add(1.5), Change::none);
  EXPECT_EQ(watch.add(1.5), Change::cleared);
  EXPECT_FALSE(watch.alarm());
  EXPECT_FALSE(watch.ready());
}

TEST(ClaimWatch, cutoffs_are_the_exact_quantiles) {
  // Binomial(10, 1/2): P(X >= 9) = 11/1024, P(X >= 8) = 56/1024, P(X >= 10) = 1/1024.
  EXPECT_EQ(ClaimWatch::cutoff(10, 0.5, 11.0 / 1024 + 1e-12), 9U);
  EXPECT_EQ(ClaimWatch::cutoff(10, 0.5, 11.0 / 1024 - 1e-12), 10U);
  EXPECT_EQ(ClaimWatch::cutoff(10, 0.5, 0.9 / 1024), 11U) << "no count is that rare";
  // (131,072, 2^-8): against the sum of the probabilities, term by term.
  const std::uint64_t n = window;
  const double p = 1.0 / 256;
  const auto tail = [&](std::uint64_t from) {
    double sum = 0;
    for (std::uint64_t k = from; k < from + 400; ++k) {
      const auto x = static_cast<double>(k);
      // NOLINTBEGIN(concurrency-mt-unsafe): one thread
      sum += std::exp(std::lgamma(static_cast<double>(n) + 1) - std::lgamma(x + 1) -
                      std::lgamma(static_cast<double>(n) - x + 1) + x * std::log(p) +
                      (static_cast<double>(n) - x) * std::log1p(-p));
      // NOLINTEND(concurrency-mt-unsafe)
    }
    return sum;
  };
  const std::uint64_t cutoff = ClaimWatch::cutoff(n, p, 0x1p-24);
  EXPECT_LE(tail(cutoff), 0x1p-24);
  EXPECT_GT(tail(cutoff - 1), 0x1p-24);
}

TEST(ClaimWatch, one_window_is_no_alarm_two_are_and_eight_good_ones_end_it) {
  ClaimWatch watch(0.5);
  const std::uint64_t bad = ClaimWatch::cutoff(1000, 0.5, ClaimWatch::alarm_tail);
  EXPECT_EQ(watch.add(bad, 1000), Change::none);
  EXPECT_EQ(watch.add(bad - 1, 1000), Change::none);
  EXPECT_EQ(watch.add(bad, 1000), Change::none);
  EXPECT_EQ(watch.add(bad, 1000), Change::raised);
  EXPECT_EQ(watch.add(bad, 1000), Change::none) << "it stands already";
  for (int i = 0; i < 7; ++i) EXPECT_EQ(watch.add(500, 1000), Change::none);
  EXPECT_EQ(watch.add(bad - 1, 1000), Change::none)
      << "no alarm, and not good: the count begins anew";
  for (int i = 0; i < 7; ++i) EXPECT_EQ(watch.add(500, 1000), Change::none);
  EXPECT_EQ(watch.add(500, 1000), Change::cleared);
}

TEST(Quality, shares_are_those_of_a_plain_count_however_the_samples_are_cut) {
  for (const unsigned bits : {1U, 3U, 8U}) {
    const auto samples = Words(bits).samples(2 * window + 777, bits);
    Quality quality({.bits = bits, .millibits = 1});
    std::vector<Quality::Event> events;
    Words cuts(9);
    for (std::size_t at = 0; at < samples.size();) {
      const std::size_t part = std::min<std::size_t>(samples.size() - at, 1 + cuts.next() % 5000);
      quality.observe(std::span(samples).subspan(at, part), events);
      at += part;
    }
    const auto rows = quality.rows();
    EXPECT_EQ(rows.size(), Predictors::count + bits + 1);
    const auto begin = samples.begin() + window;
    for (unsigned bit = 0; bit < bits; ++bit) {
      const auto ones = std::count_if(begin, begin + window, [bit](std::uint8_t one) {
        return ((static_cast<unsigned>(one) >> bit) & 1U) != 0;
      });
      EXPECT_DOUBLE_EQ(*row(rows, "ones of bit " + std::to_string(bit)).share[0],
                       static_cast<double>(ones) / window);
    }
    for (const std::size_t lag : {1U, 8U}) {
      std::size_t hits = 0;
      for (std::size_t i = window; i < 2 * window; ++i)
        hits += samples[i] == samples[i - lag] ? 1U : 0U;
      EXPECT_DOUBLE_EQ(*row(rows, "lag " + std::to_string(lag)).share[0],
                       static_cast<double>(hits) / window);
    }
    EXPECT_FALSE(row(rows, "lag 1").share[1].has_value()) << "no long window has ended";
  }
}

TEST(Quality, the_least_and_the_greatest_window_between_two_looks_are_told_once) {
  Quality quality({.bits = 8, .millibits = 7000});
  std::vector<Quality::Event> events;
  EXPECT_FALSE(row(quality.take_rows(), "ones of bit 0").greatest[0]);
  std::vector<std::uint8_t> samples(window);
  for (const double share : {0.5, 0.75, 0.25, 0.5}) {
    for (std::size_t i = 0; i < window; ++i)
      samples[i] = i < static_cast<std::size_t>(share * static_cast<double>(window)) ? 1 : 0;
    quality.observe(samples, events);
  }
  const auto seen = row(quality.take_rows(), "ones of bit 0");
  EXPECT_EQ(*seen.share[0], 0.5);
  EXPECT_EQ(*seen.least[0], 0.25);
  EXPECT_EQ(*seen.greatest[0], 0.75);
  EXPECT_FALSE(seen.greatest[1]) << "no long window was whole";
  const auto after = row(quality.rows(), "ones of bit 0");
  EXPECT_EQ(*after.share[0], 0.5);
  EXPECT_FALSE(after.least[0] || after.greatest[0]);
}

TEST(Quality, blocks_are_the_bits_of_the_samples_highest_first) {
  for (const unsigned bits : {1U, 3U, 8U}) {
    auto samples = Words(20 + bits).samples(window, bits);
    for (std::size_t i = 0; i < 30'000; ++i)
      samples[i] = static_cast<std::uint8_t>(samples[i] | (i % 3 == 0 ? 1U : 0U));
    Quality quality({.bits = bits, .millibits = 1});
    std::vector<Quality::Event> events;
    for (std::size_t at = 0; at < samples.size();
         at += 777)  // pieces that end within a byte of bits
      quality.observe(
          std::span(samples).subspan(at, std::min<std::size_t>(777, samples.size() - at)), events);
    std::vector<std::uint8_t> packed;
    unsigned byte = 0;
    std::size_t used = 0;
    for (const std::uint8_t sample : samples) {
      for (unsigned bit = bits; bit-- > 0;) {
        byte = ((byte << 1U) | ((static_cast<unsigned>(sample) >> bit) & 1U)) & 0xFFU;
        if (++used % 8 == 0) packed.push_back(static_cast<std::uint8_t>(byte));
      }
    }
    const std::size_t blocks =
        std::min(Quality::fips_blocks_max, packed.size() / blocks::block_bytes);
    std::size_t failed = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
      const blocks::Block block(packed.data() + i * blocks::block_bytes, blocks::block_bytes);
      failed += blocks::judge(blocks::count(block), blocks::Bounds::fips_140_2).any() ? 1U : 0U;
    }
    EXPECT_GT(failed, 0U);
    EXPECT_LT(failed, blocks) << "some fail and some do not, or the share shows nothing";
    EXPECT_DOUBLE_EQ(*row(quality.rows(), "failed blocks").share[0],
                     static_cast<double>(failed) / static_cast<double>(blocks));
  }
}

TEST(Quality, good_noise_raises_nothing) {
  for (const auto& [bits, millibits] : {std::pair{8U, 8000U}, std::pair{1U, 1000U}}) {
    Quality quality({.bits = bits, .millibits = millibits});
    Words words(bits);
    Seen seen;
    for (int i = 0; i < 400; ++i) quality.observe(words.samples(window, bits), seen.events);
    EXPECT_TRUE(seen.events.empty()) << seen.events.front().measure;
    EXPECT_TRUE(row(quality.rows(), "lag 1").ready[0]) << "the past was long enough for a verdict";
  }
}

namespace {

/// Good windows, then ill ones, then good ones: raised in the second part, ended in the third.
template <class Spoil>
Seen episode(const Quality::Options& options, int good, int ill, int well, Spoil spoil) {
  Quality quality(options);
  Words words(77);
  Seen seen;
  for (int i = 0; i < good + ill + well; ++i) {
    auto samples = words.samples(window, options.bits);
    if (i >= good && i < good + ill) spoil(samples, words);
    quality.observe(samples, seen.events);
    if (i < good) {
      EXPECT_TRUE(seen.events.empty());
    }
  }
  for (const auto& each : quality.rows())
    EXPECT_FALSE(each.past_alarm[0] || each.claim_alarm[0]) << each.measure;
  return seen;
}

}  // namespace

namespace {

constexpr Quality::Options short_past{.bits = 4,
                                      .millibits = 3000,
                                      .recent = {.reference = 20, .run = 8},
                                      .lasting = {.reference = 12, .run = 8}};

std::string fields_of(const Quality& quality) {
  StateWriter out;
  quality.save(out);
  return out.fields();
}

Result<bool> load(Quality& quality, const std::string& fields) {
  StateReader in(fields);
  quality.load(in);
  return in.finish();
}

/// A bit that is one a little too often: within the claim, away from the past.
std::vector<std::uint8_t> biased(std::vector<std::uint8_t> samples, Words& words) {
  for (auto& sample : samples) {
    if (words.strikes(0.03)) sample = static_cast<std::uint8_t>(sample | 4U);
  }
  return samples;
}

}  // namespace

TEST(Quality, the_saved_past_is_the_past_of_the_next_life) {
  Quality without_pause(short_past);
  Words words(21);
  Seen first;
  Seen second;
  for (int i = 0; i < 40; ++i) without_pause.observe(words.samples(window, 4), first.events);
  ASSERT_TRUE(first.events.empty());
  Quality restarted(short_past);
  ASSERT_TRUE(load(restarted, fields_of(without_pause)));
  EXPECT_EQ(fields_of(restarted), fields_of(without_pause));
  EXPECT_TRUE(row(restarted.rows(), "lag 1").ready[0]) << "no window was forgotten";
  // Eight ill windows later both know, one of them in two lives.
  for (int i = 0; i < 8; ++i) {
    const auto samples = biased(words.samples(window, 4), words);
    without_pause.observe(samples, first.events);
    restarted.observe(samples, second.events);
  }
  for (const Seen& seen : {first, second})
    EXPECT_TRUE(seen.has("ones of bit 2", Quality::Scale::recent, Quality::Against::past, true));
  // The alarm stands through another restart and ends by itself.
  Quality again(short_past);
  ASSERT_TRUE(load(again, fields_of(restarted)));
  EXPECT_TRUE(row(again.rows(), "ones of bit 2").past_alarm[0]);
  EXPECT_EQ(row(again.rows(), "ones of bit 2").alarms, 1U);
  Seen third;
  for (int i = 0; i < 60; ++i) again.observe(words.samples(window, 4), third.events);
  EXPECT_TRUE(third.has("ones of bit 2", Quality::Scale::recent, Quality::Against::past, false));
  EXPECT_EQ(third.events.size(), 1U) << "nothing is told twice";
}

TEST(Quality, an_open_window_is_not_saved) {
  Quality quality(short_past);
  Words words(22);
  Seen seen;
  quality.observe(words.samples(3 * window, 4), seen.events);
  const std::string whole = fields_of(quality);
  quality.observe(words.samples(window - 1, 4), seen.events);
  EXPECT_EQ(fields_of(quality), whole);
}

TEST(Quality, a_state_of_other_options_or_a_damaged_one_is_refused_or_harmless) {
  Quality quality(short_past);
  Words words(23);
  Seen seen;
  for (int i = 0; i < 40; ++i)
    quality.observe(i < 30 ? words.samples(window, 4) : biased(words.samples(window, 4), words),
                    seen.events);
  const std::string good = fields_of(quality);
  for (auto other :
       {Quality::Options{.bits = 5, .millibits = 3000},
        Quality::Options{.bits = 4, .millibits = 3001},
        Quality::Options{.bits = 4, .millibits = 3000, .recent = {.reference = 19, .run = 8}}}) {
    Quality fresh(other);
    EXPECT_FALSE(load(fresh, good));
  }
  for (std::size_t cut = 0; cut < good.size(); cut += 97) {
    Quality fresh(short_past);
    EXPECT_FALSE(load(fresh, good.substr(0, cut)));
  }
  const auto samples = words.samples(window, 4);
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bad = good;
    bad[words.next() % bad.size()] = static_cast<char>(words.next() & 0xFFU);
    Quality fresh(short_past);
    if (!load(fresh, bad)) {
      ++refused;
      continue;
    }
    if (i % 20 == 0) fresh.observe(samples, seen.events);
    for (const auto& each : fresh.rows()) {
      for (const auto& share : each.share) EXPECT_TRUE(!share || (*share >= 0 && *share <= 1));
    }
  }
  EXPECT_GT(refused, 50)
      << "exponents, sizes and names are checked; the frame's checksum finds the rest";
}

TEST(Quality, a_repeated_sample_breaks_the_claim_at_once) {
  const auto seen =
      episode({.bits = 8, .millibits = 7500}, 3, 4, 12, [](auto& samples, Words& words) {
        for (std::size_t i = 5; i < samples.size(); ++i) {
          if (words.strikes(0.01)) samples[i] = samples[i - 5];
        }
      });
  using enum Quality::Scale;
  EXPECT_TRUE(seen.has("lag 5", recent, Quality::Against::claim, true));
  EXPECT_TRUE(seen.has("lag 5", recent, Quality::Against::claim, false))
      << "it ended with the fault";
  EXPECT_EQ(seen.events.size(), 2U);
}

TEST(Quality, a_bias_far_below_the_claim_is_a_drift_against_the_past) {
  // A claim of 4 bits allows one value in 16: a bit that is one in 51.5 of 100 samples breaks
  // nothing but the source's habit.
  const auto seen =
      episode({.bits = 8, .millibits = 4000}, 270, 20, 20, [](auto& samples, Words& words) {
        for (auto& sample : samples) {
          if (words.strikes(0.03)) sample = static_cast<std::uint8_t>(sample | 0x20U);
        }
      });
  using enum Quality::Scale;
  EXPECT_TRUE(seen.has("ones of bit 5", recent, Quality::Against::past, true));
  EXPECT_TRUE(seen.has("ones of bit 5", recent, Quality::Against::past, false));
  EXPECT_FALSE(seen.has("ones of bit 4", recent, Quality::Against::past, true));
}

TEST(Quality, failed_blocks_are_a_moving_rate) {
  // Runs of 30 equal bits now and then: a long run fails its block, and single failing blocks
  // raised nothing before.
  const auto seen =
      episode({.bits = 8, .millibits = 4000}, 270, 16, 20, [](auto& samples, Words& words) {
        for (std::size_t i = 0; i + 4 < samples.size(); i += 2500) {
          if (words.strikes(0.6))
            std::fill_n(samples.begin() + static_cast<std::ptrdiff_t>(i), 4, std::uint8_t{0});
        }
      });
  EXPECT_TRUE(seen.has("failed blocks", Quality::Scale::recent, Quality::Against::past, true));
  EXPECT_TRUE(seen.has("failed blocks", Quality::Scale::recent, Quality::Against::past, false));
}

TEST(Quality, a_small_lasting_drift_shows_in_the_long_windows) {
  // Half a point of bias in one bit: seldom enough beyond 255 short windows, always beyond long
  // ones.
  Quality quality({.bits = 1, .millibits = 500, .lasting = {.reference = 12, .run = 8}});
  Words words(5);
  Seen seen;
  for (int i = 0; i < 32 * 22; ++i) {
    auto samples = words.samples(window, 1);
    if (i >= 32 * 12) {
      for (auto& sample : samples) {
        if (words.strikes(0.005)) sample = 1;
      }
    }
    quality.observe(samples, seen.events);
  }
  EXPECT_TRUE(seen.has("ones of bit 0", Quality::Scale::lasting, Quality::Against::past, true));
}

TEST(Quality, false_alarms_of_good_noise_keep_to_the_stated_rate) {
  // Pasts of 15 and runs of 3: a drift's alarm at one window has a chance of 1 / C(18, 3) = 1/816
  // at most. 1,500 windows of fair bits, seeded: about as many as stated, never half more (the
  // bound holds for the mean; its deviation is about 5).
  const Quality::Options options{
      .bits = 1, .millibits = 1000, .recent = {.reference = 15, .run = 3}, .claim_tail = 0x1p-5};
  Quality quality(options);
  Words words(2026);
  std::vector<Quality::Event> events;
  constexpr int windows = 1500;
  for (int i = 0; i < windows; ++i) quality.observe(words.samples(window, 1), events);
  double claims = 0;
  double drifts = 0;
  for (const auto& event : events) {
    if (!event.raised || event.scale != Quality::Scale::recent) continue;
    (event.against == Quality::Against::claim ? claims : drifts) += 1;
  }
  const double stated = windows * Quality::false_alarms_per_window(options, Quality::Scale::recent);
  const double stated_claims = windows * 15 * 0x1p-10;
  EXPECT_NEAR(stated_claims + windows * (15 + 2 + 1) / 816.0, stated, 1e-9);
  EXPECT_LE(claims, stated_claims + 4 * std::sqrt(stated_claims));
  EXPECT_GE(claims, 1) << "a rate that is never reached would show nothing";
  EXPECT_LE(drifts, (stated - stated_claims) + 4 * std::sqrt(stated - stated_claims));
  EXPECT_GE(drifts, 1);
}

TEST(Quality, the_stated_rate_of_a_year_is_that_of_the_manual) {
  const auto per_year = [](unsigned bits, double rate) {
    return Quality::false_alarms_per_year({.bits = bits, .millibits = 500 * bits}, rate);
  };
  std::printf(
      "false alarms a year: %.3g at 60,000 8-bit samples/s, %.3g at 480,000 bits/s, %.3g at "
      "4,000,000/s\n",
      per_year(8, 60'000), per_year(1, 480'000), per_year(8, 4'000'000));
  EXPECT_LT(per_year(8, 4'000'000), 1e-3);
  EXPECT_LT(per_year(1, 480'000), 1e-4);
}

}  // namespace talla::stats::monitor
