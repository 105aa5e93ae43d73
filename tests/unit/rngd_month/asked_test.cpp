// Goal: an appliance tells of a month what its log says, a bounded piece of counting a question,
//   and proves that its log of now has that of then as its beginning.
// Method: a whole simulated appliance, whose answers are held against its records; a ledger of many
//   records, asked until all are counted.
#include <gtest/gtest.h>

#include "counted_months.hpp"
#include "format/body_machine.hpp"
#include "format/checkpoint.hpp"
#include "format/log_end.hpp"
#include "format/merkle.hpp"
#include "paid_house.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

TEST(MonthAsked, the_appliance_says_what_its_records_say_to_who_oversees_and_to_a_laboratory) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  ASSERT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).status, 200);
  month::Months months;
  for (std::uint64_t seq = 0; seq < rig.ledger().size(); ++seq)
    ASSERT_TRUE(months.take(rig.ledger().record(seq)->bytes).has_value());
  const auto own = std::exchange(rig.client, rig.inspector);
  const auto got = rig.get("/v1/month?month=2026-01");
  ASSERT_EQ(got.status, 200) << got.body;
  EXPECT_EQ(got.body, json::canonical(months.report(
                          "2026-01", {.against = "the ledger of the appliance that says it"})));
  EXPECT_EQ(got.at({"tables", batch.table, "draws"}).array().size(), 1U);
  // What is recorded later is counted on.
  rig.client = own;
  ASSERT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 1)).status, 200);
  rig.client = person_client("talla:lab-1", Role::lab);
  const auto later = rig.get("/v1/month?month=2026-01");
  EXPECT_GT(later.number({"log", "below"}), got.number({"log", "below"}));
  EXPECT_EQ(rig.get("/v1/month?month=2026-02").at({"tables"}).object().size(), 0U);
  for (const auto* bad : {"/v1/month", "/v1/month?month=2026-13", "/v1/month?month=2026-1",
                          "/v1/month?month=", "/v1/month?month=2026-01&table=1"})
    EXPECT_EQ(rig.get(bad).code(), "malformed_request") << bad;
  rig.client = own;
  EXPECT_EQ(rig.get("/v1/month?month=2026-01").code(), "forbidden");
}

TEST(MonthAsked, one_question_counts_a_bounded_piece_and_says_what_is_left) {
  rngd::test::MemoryLedger ledger;
  const std::uint64_t all = 2 * CountedMonths::records_at_a_time + 7;
  const auto body =
      certs::ReseedBody{.counter = 1, .cause = certs::ReseedCause::timer, .assessed_millibits = 0}
          .to_json();
  for (std::uint64_t seq = 0; seq < all; ++seq) ledger.add(certs::Kind::reseed, {}, {}, body);
  CountedMonths months;
  for (const std::uint64_t counted : {std::uint64_t{5000}, std::uint64_t{10'000}, all, all}) {
    const auto report = months.report(ledger, all, "1970-01");
    ASSERT_TRUE(report.has_value()) << report.error().text();
    EXPECT_EQ(report->find("log")->find("below")->integer(), static_cast<std::int64_t>(counted));
    EXPECT_EQ(report->find("reseeds")->integer(), static_cast<std::int64_t>(counted));
    EXPECT_EQ(report->find("faults")->array().size(), counted < all ? 1U : 0U);
  }
  // What is behind the size that was named is not looked at.
  ledger.add(certs::Kind::reseed, {}, {}, body);
  EXPECT_EQ(months.report(ledger, all, "1970-01")->find("reseeds")->integer(),
            static_cast<std::int64_t>(all));
}

TEST(Consistency, a_checkpoint_of_then_is_the_beginning_of_the_log_of_now) {
  Rig rig;
  const auto head_now = [&rig] {
    const auto note = certs::parse_note(rig.get("/v1/checkpoint").body);
    return *certs::parse_checkpoint_text(note->text);
  };
  const auto then = head_now();
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  ASSERT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).status, 200);
  const auto now = head_now();
  ASSERT_GT(now.size, then.size);
  const auto path = "/v1/consistency?from=" + std::to_string(then.size);
  const auto got = rig.get(path);
  ASSERT_EQ(got.status, 200) << got.body;
  EXPECT_EQ(rig.get(path + "&to=" + std::to_string(now.size)).body, got.body);
  const auto file = certs::parse_consistency(got.body);
  ASSERT_TRUE(file.has_value()) << file.error().text();
  EXPECT_EQ(file->head, now);
  ASSERT_EQ(file->proofs.size(), 1U);
  const auto& proof = file->proofs.front();
  EXPECT_EQ(proof.root, then.root);
  EXPECT_TRUE(certs::verify_consistency(rig.hashes(), {then.size, then.root}, {now.size, now.root},
                                        proof.path)
                  .has_value());
  for (const std::string& bad :
       {std::string("/v1/consistency"), std::string("/v1/consistency?from=0"),
        "/v1/consistency?from=" + std::to_string(now.size), path + "&to=1",
        path + "&to=" + std::to_string(then.size), path + "&to=" + std::to_string(now.size + 1),
        path + "&to=x"})
    EXPECT_EQ(rig.get(bad).code(), "malformed_request") << bad;
}

}  // namespace
}  // namespace talla::core::test
