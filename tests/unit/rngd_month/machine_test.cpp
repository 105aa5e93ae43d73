// Goal: contributions that were withheld, latches, resets, alarms, tests that failed and refused
//   accesses count in their month, once each, and in no other.
// Method: a whole simulated appliance in which each of them happens; its records are counted.
#include <gtest/gtest.h>

#include "../rngd/contributors.hpp"
#include "month/months.hpp"

namespace talla::core::test {
namespace {

constexpr const char* january = "2026-01";
constexpr const char* february = "2026-02";
constexpr std::int64_t days_31_ns = std::int64_t{31} * 24 * 3600 * 1'000'000'000;

/// All that the log has, counted; what was left out of it makes the root go.
void count_log(Rig& rig, month::Months& months) {
  for (std::uint64_t seq = 0; seq < rig.ledger().size(); ++seq) {
    const auto stored = rig.ledger().record(seq);
    ASSERT_TRUE(stored.has_value()) << stored.error().text();
    const auto taken = months.take(stored->bytes);
    ASSERT_TRUE(taken.has_value()) << taken.error().text();
  }
  ASSERT_EQ(months.below(), rig.ledger().size());
}

json::Value month_of_rig(Rig& rig, const std::string& of = january) {
  month::Months months;
  count_log(rig, months);
  return months.report(of, {.against = "nothing"});
}

std::string member_text(const json::Value& value, std::string_view key) {
  const auto* found = value.find(key);
  return found == nullptr ? std::string("none") : json::canonical(*found);
}

/// A call that one of them does not open, and the clock behind it.
void withhold(Rig& rig, const Rig::OpenBatch& batch, int index, std::vector<Player>& players,
              std::size_t silent) {
  const auto called = rig.post(
      "/v1/draws", with_others(rig, rig.draw_body(batch, index), others_of(rig, batch.table)));
  ASSERT_EQ(called.status, 200) << called.body;
  for (std::size_t i = 0; i < players.size(); ++i) {
    if (i == silent) continue;
    ASSERT_EQ(players[i].open(static_cast<std::uint64_t>(called.number({"call", "seq"}))).status,
              200);
  }
  rig.clock.advance_ns(21'000'000'000);
  rig.service().run_until_idle();
}

TEST(Months, who_withheld_a_contribution_is_counted_at_its_table_and_in_its_month) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  const auto other = rig.open_table(wheel_table);
  const auto batch = rig.open_batch(table);
  std::vector<Player> players;
  for (const int seat : {1, 2, 3}) {
    players.emplace_back(rig, table, seat);
    ASSERT_EQ(players.back().commit().status, 200);
  }
  withhold(rig, batch, 0, players, 1);
  const auto found = month_of_rig(rig);
  const json::Value* here = found.find("tables")->find(table);
  ASSERT_NE(here, nullptr);
  EXPECT_EQ(member_text(*here, "withheld"), R"({"seat-2":1})");
  EXPECT_EQ(member_text(*here, "voids"), R"({"withheld":1})");
  EXPECT_EQ(found.find("tables")->find(other), nullptr) << "nothing happened there";
  // Another one is silent a month later; who was silent before is waited for no more.
  players.erase(players.begin() + 1);
  rig.clock.advance_ns(days_31_ns);
  withhold(rig, rig.open_batch(table), 0, players, 0);
  EXPECT_EQ(member_text(*month_of_rig(rig).find("tables")->find(table), "withheld"),
            R"({"seat-2":1})");
  EXPECT_EQ(member_text(*month_of_rig(rig, february).find("tables")->find(table), "withheld"),
            R"({"seat-1":1})");
}

TEST(Months, a_person_who_latches_counts_once_and_the_reset_is_told_with_it) {
  Rig rig;
  ASSERT_EQ(rig.post_as(rig.operator_, "/v1/generator/latch").status, 200);
  rig.restart();  // the start says what stands, and latches nothing anew
  ASSERT_EQ(rig.reset_latch().status, 200);
  rig.restart();
  const auto found = month_of_rig(rig);
  const auto& latches = found.find("latches")->array();
  ASSERT_EQ(latches.size(), 1U) << json::canonical(found);
  EXPECT_EQ(latches[0].find("what")->string(), "generator-latch");
  const auto seq = static_cast<std::uint64_t>(latches[0].find("seq")->integer());
  EXPECT_EQ(rig.ledger().record(seq)->kind, certs::Kind::access);
  EXPECT_EQ(member_text(found, "latch_resets"),
            R"({"latch-reset.asked":1,"latch-reset.confirmed":1,"latch-reset.done":1})");
  EXPECT_EQ(member_text(found, "power"), R"({"start":1,"start-after-no-clean-stop":2})");
}

TEST(Months, a_test_that_fails_is_one_latch_and_says_why) {
  Rig rig;
  rig.supply.answers_hold = false;
  static_cast<void>(rig.post_as(rig.operator_, "/v1/generator/test"));
  rig.service().run_until_idle();
  ASSERT_TRUE(rig.supply.latched().has_value());
  const auto found = month_of_rig(rig);
  const auto& latches = found.find("latches")->array();
  ASSERT_EQ(latches.size(), 1U) << "known answers that do not hold are a test; " << latches.size();
  EXPECT_EQ(latches[0].find("what")->string(), "generator-self_test_failed");
  EXPECT_EQ(found.find("selftests")->find("fail")->integer(), 2);
  EXPECT_EQ(member_text(found, "latch_resets"), "{}");
}

TEST(Months, each_alarm_of_a_health_test_is_told_with_what_was_dropped) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  static_cast<void>(rig.open_batch(table));
  rig.alarm();
  rig.service().run_until_idle();
  rig.clock.advance_ns(days_31_ns);
  rig.alarm();
  rig.service().run_until_idle();
  const auto health = rig.records(certs::Kind::health);
  ASSERT_EQ(health.size(), 2U);
  for (const auto* of : {january, february}) {
    const auto found = month_of_rig(rig, of);
    const auto& alarms = found.find("alarms")->array();
    ASSERT_EQ(alarms.size(), 1U) << of;
    const auto& record = health[of == january ? 0 : 1];
    EXPECT_EQ(json::canonical(alarms[0]),
              R"({"dropped":8192,"level":1,"seq":)" + std::to_string(record.seq) +
                  R"(,"source":"rig","test":"repetition_count","time_us":)" +
                  std::to_string(record.time_us) + "}");
  }
  EXPECT_TRUE(month_of_rig(rig, "2026-03").find("alarms")->array().empty());
}

TEST(Months, a_certificate_that_nobody_enrolled_is_a_refused_access) {
  Rig rig;
  EXPECT_EQ(month_of_rig(rig).find("accesses_refused")->integer(), 0);
  rig.service().note_refused(
      {.id = "talla:nobody", .spki = std::string(64, '0'), .reason = "certificate-revoked"});
  rig.service().run_until_idle();
  EXPECT_EQ(month_of_rig(rig).find("accesses_refused")->integer(), 1);
}

TEST(Months, the_root_is_that_of_the_log_and_goes_with_the_first_record_that_is_left_out) {
  Rig rig;
  static_cast<void>(rig.open_table(wheel_table));
  month::Months months;
  count_log(rig, months);
  EXPECT_EQ(months.origin(), rig_origin);
  ASSERT_TRUE(months.root().has_value());
  const auto note = rig.get("/v1/checkpoint").body;
  EXPECT_NE(note.find(to_base64(*months.root())), std::string::npos) << note;
  month::Months gap;
  const auto second = rig.ledger().record(1);
  ASSERT_TRUE(second.has_value());
  ASSERT_TRUE(gap.take(second->bytes).has_value());
  EXPECT_FALSE(gap.root().has_value());
  const auto again = gap.take(second->bytes);
  ASSERT_FALSE(again.has_value());
  EXPECT_NE(again.error().detail.find("is behind record 1"), std::string::npos);
}

TEST(Months, a_month_is_four_digits_and_one_of_twelve) {
  for (const auto* good : {"2026-01", "2026-12", "1970-10"}) EXPECT_TRUE(month::is_month(good));
  for (const auto* bad :
       {"", "2026", "2026-1", "2026-00", "2026-13", "2026/11", "26-11-01", "2026-1a", "2026-110"})
    EXPECT_FALSE(month::is_month(bad)) << bad;
}

}  // namespace
}  // namespace talla::core::test
