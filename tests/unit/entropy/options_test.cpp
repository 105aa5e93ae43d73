// Goal: a generator is built within the stated bounds of every option and of what sources may stand
//   together, to the last unit; what credits and what the names say is as it is stated.
// Method: each bound and one beyond it; sources of each class in each order.
#include <gtest/gtest.h>

#include "journal.hpp"
#include "rig.hpp"

namespace talla::entropy {
namespace {

using Change = std::function<void(GeneratorOptions&)>;

/// Nothing: it was built; else the error.
std::string_view made(const Change& change, std::size_t sources = 1) {
  Rig rig;
  GeneratorOptions options = Rig::options();
  change(options);
  std::vector<SourceSlot> slots;
  for (std::size_t i = 0; i < sources; ++i) slots.push_back(rig.slot(Rig::raw(i)));
  const Status status = rig.make(options, std::move(slots));
  if (status) return "";
  for (const Errc errc : {Errc::bad_settings, Errc::source_refused})
    if (status.error().is(errc)) return errc_name(errc);
  return "another error";
}

constexpr std::int64_t day_ns = 86'400 * second_ns;

TEST(Options, at_their_bounds_are_taken_and_one_beyond_are_not) {
  const std::vector<Change> taken{
      [](auto& o) { o.appliance_id = "x"; },
      [](auto& o) { o.appliance_id = std::string(256, 'x'); },
      [](auto& o) { o.pool_blocks = 8; },
      [](auto& o) { o.pool_blocks = 4096; },
      [](auto& o) { o.outlet_blocks = 1024; },
      [](auto& o) { o.reseed_calls = 1; },
      [](auto& o) { o.reseed_calls = 1U << 20U; },
      [](auto& o) { o.reseed_interval_ns = second_ns; },
      [](auto& o) { o.reseed_interval_ns = day_ns; },
      [](auto& o) { o.cycle_min_ns = 1'000'000; },
      [](auto& o) { o.cycle_min_ns = day_ns; },
      [](auto& o) { o.cycle_spread_ns = 0; },
      [](auto& o) { o.cycle_spread_ns = day_ns; },
      [](auto& o) { o.years_per_false_alarm = 1; },
      [](auto& o) { o.years_per_false_alarm = 1'000'000; },
  };
  for (std::size_t i = 0; i < taken.size(); ++i) EXPECT_EQ(made(taken[i]), "") << i;
  const std::vector<Change> refused{
      [](auto& o) { o.appliance_id = ""; },
      [](auto& o) { o.appliance_id = std::string(257, 'x'); },
      [](auto& o) { o.pool_blocks = 7; },
      [](auto& o) { o.pool_blocks = 4097; },
      [](auto& o) { o.outlet_blocks = 1025; },
      [](auto& o) { o.reseed_calls = 0; },
      [](auto& o) { o.reseed_calls = (1U << 20U) + 1; },
      [](auto& o) { o.reseed_interval_ns = second_ns - 1; },
      [](auto& o) { o.reseed_interval_ns = day_ns + 1; },
      [](auto& o) { o.cycle_min_ns = 999'999; },
      [](auto& o) { o.cycle_min_ns = day_ns + 1; },
      [](auto& o) { o.cycle_spread_ns = -1; },
      [](auto& o) { o.cycle_spread_ns = day_ns + 1; },
      [](auto& o) { o.years_per_false_alarm = 0; },
      [](auto& o) { o.years_per_false_alarm = 1'000'001; },
  };
  for (std::size_t i = 0; i < refused.size(); ++i)
    EXPECT_EQ(made(refused[i]), "entropy_bad_settings") << i;
}

TEST(Options, one_to_sixteen_sources_may_stand_together_and_none_may_be_missing) {
  const Change nothing = [](auto&) {};
  EXPECT_EQ(made(nothing, 0), "entropy_source_refused");
  EXPECT_EQ(made(nothing, 16), "");
  EXPECT_EQ(made(nothing, 17), "entropy_source_refused");
  Rig rig;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  slots.emplace_back();
  EXPECT_TRUE(rig.make(Rig::options(), std::move(slots)).error().is(Errc::source_refused));
}

TEST(Options, the_digest_of_an_assessment_has_64_digits_of_0_to_9_and_a_to_f) {
  const auto taken = [](const std::string& digest) {
    Rig rig;
    std::vector<SourceSlot> slots;
    slots.push_back(rig.slot(Rig::raw()));
    slots[0].assessment.digest = digest;
    return rig.make(Rig::options(), std::move(slots)).has_value();
  };
  for (const char digit : std::string("0189abef")) EXPECT_TRUE(taken(std::string(64, digit)));
  for (const char other : std::string("/:@AF`g G"))
    EXPECT_FALSE(taken(std::string(63, '0') + other)) << other;
  EXPECT_FALSE(taken(std::string(65, '0')));
}

/// Which of these sources the generator credits, "1" or "0" each, behind its construction; or the
/// error.
std::string credits(const std::vector<SourceClass>& classes, bool uncertified, bool lab) {
  Rig rig;
  std::vector<SourceSlot> slots;
  for (const SourceClass source_class : classes) {
    ModelOptions model = Rig::raw();
    model.description.source_class = source_class;
    slots.push_back(rig.slot(model));
  }
  GeneratorOptions options = Rig::options();
  options.allow_uncertified = uncertified;
  options.allow_lab = lab;
  if (const Status status = rig.make(options, std::move(slots)); !status)
    return std::string(status.error().code);
  const Evidence evidence = rig.generator->evidence();
  std::string said(construction_name(evidence.construction));
  for (const SourceEvidence& source : evidence.sources) said += source.credited ? " 1" : " 0";
  return said;
}

TEST(Options, what_is_credited_follows_from_all_sources_in_whatever_order) {
  using enum SourceClass;
  EXPECT_EQ(credits({raw_physical, conditioned_physical}, false, false), "rbg3-xor 1 0");
  EXPECT_EQ(credits({conditioned_physical, raw_physical}, false, false), "rbg3-xor 0 1");
  EXPECT_EQ(credits({raw_physical, system, rdseed}, true, false), "rbg3-xor 1 0 0");
  EXPECT_EQ(credits({lab, raw_physical, system}, false, true), "lab 1 1 0");
  EXPECT_EQ(credits({raw_physical, lab, system}, false, true), "lab 1 1 0");
  EXPECT_EQ(credits({raw_physical, lab}, true, false), "entropy_source_refused");
  EXPECT_EQ(credits({lab, raw_physical}, true, false), "entropy_source_refused");
  EXPECT_EQ(credits({system, rdseed, conditioned_physical}, true, false), "system 1 1 1");
  EXPECT_EQ(credits({system}, false, false), "entropy_source_refused");
}

TEST(Options, what_the_laboratory_emulates_stands_in_the_account_of_what_is_credited) {
  Rig rig;
  ModelOptions model = Rig::raw();
  model.description.source_class = SourceClass::lab;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(model));
  GeneratorOptions options = Rig::options();
  options.allow_lab = true;
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  const Metrics metrics = rig.generator->metrics();
  EXPECT_EQ(metrics.credited_millibits, metrics.blocks_made * 581'000);
  EXPECT_EQ(metrics.uncertified_millibits, 0U);
  EXPECT_TRUE(rig.generator->evidence().uncertified);
}

TEST(Options, the_outlets_drbg_has_a_new_seed_when_its_last_one_is_as_old_as_is_stated) {
  Rig rig;
  GeneratorOptions options = by_output_alone(8);
  options.outlet_blocks = 2;
  options.reseed_interval_ns = 5 * second_ns;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(Rig::raw()));
  ASSERT_TRUE(rig.make(options, std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->spare_bits() == 1024; }));
  ASSERT_EQ(rig.generator->metrics().outlet_seeds, 1U);
  rig.clock.advance_ns(5 * second_ns);
  // Nobody asks for anything: what is kept for others is renewed all the same.
  EXPECT_TRUE(rig.pump_until([&] { return rig.generator->metrics().outlet_seeds == 2; }, 200));
}

TEST(Options, names_of_mechanisms_are_those_of_the_records) {
  EXPECT_EQ(drbg_kind_name(DrbgKind::ctr_aes256_df), "ctr-drbg-aes-256-df");
  EXPECT_EQ(drbg_kind_name(DrbgKind::hmac_sha512), "hmac-drbg-sha-512");
  EXPECT_EQ(conditioner_kind_name(ConditionerKind::sha512), "sha-512");
  EXPECT_EQ(conditioner_kind_name(ConditionerKind::hmac_sha512), "hmac-sha-512");
}

TEST(Journal, keeps_the_last_4096_events_and_counts_those_it_lost) {
  Journal journal;
  for (std::uint64_t i = 0; i < 4096 + 3; ++i) {
    Event event;
    event.generate_counter = i;
    journal.add(event);
  }
  EXPECT_EQ(journal.totals.events_lost, 3U);
  const std::vector<Event> events = journal.take();
  ASSERT_EQ(events.size(), 4096U);
  for (std::size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].generate_counter, i + 3);
  EXPECT_TRUE(journal.take().empty());
}

}  // namespace
}  // namespace talla::entropy
