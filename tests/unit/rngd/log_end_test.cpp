// Goal: a log that the root has ended is read-only: no record and no document is added whatever is
//   asked or happens, what was answered is answered again byte for byte, questions are answered,
//   and what is behind the end proves nothing (certs/FORMAT.md section 5).
// Method: an appliance with an open shoe and an open batch is opened again with the root's word;
//   time, alarms, refused certificates and every kind of command fall on it; the ledger is
//   compared.
#include <gtest/gtest.h>

#include "rig.hpp"

namespace talla::core::test {
namespace {

class EndedLog : public testing::Test {
 protected:
  EndedLog() : table_(rig_.open_table(wheel_table)), batch_(rig_.open_batch(table_, 4)) {
    // NOLINTNEXTLINE(cppcoreguidelines-prefer-member-initializer): in the order of the steps
    key_ = "the-draw";
    body_ = rig_.draw_body(batch_, 0);
    reply_ = rig_.post("/v1/draws", body_, key_);
    EXPECT_EQ(reply_.status, 200) << reply_.body;
    rig_.deal_ready_shoe(rig_.open_table(shoe_table));
  }
  /// The appliance is started with the word that its first `size` records count.
  void end(std::uint64_t size) {
    rig_.crash();
    rig_.settings.ended = LogEnded{.reason = "compromised", .size = size};
    rig_.open();
  }

  Rig rig_;
  std::string table_;
  Rig::OpenBatch batch_;
  std::string key_;
  std::string body_;
  Got reply_;
};

TEST_F(EndedLog, nothing_is_added_whatever_happens) {
  const auto size = rig_.log().size();
  const auto intents = rig_.records(certs::Kind::call).size();
  end(size);
  EXPECT_EQ(rig_.log().size(), size) << "no record of the start";
  for (const auto& [path, body] : std::vector<std::pair<std::string, std::string>>{
           {"/v1/tables", wheel_table},
           {"/v1/tables/" + table_ + "/batches", "{\"count\":1}"},
           {"/v1/tables/" + table_ + "/close", "{}"},
           {"/v1/draws", rig_.draw_body(batch_, 1)}}) {
    const auto refused = rig_.post(path, body);
    EXPECT_EQ(refused.code(), "log_ended") << path << refused.body;
    EXPECT_EQ(refused.status, 409);
  }
  EXPECT_EQ(rig_.post_as(rig_.operator_, "/v1/generator/latch").code(), "log_ended");
  EXPECT_EQ(rig_.post_as(rig_.officer, "/v1/acts", R"({"act":"latch-reset"})").code(), "log_ended");
  rig_.alarm();
  rig_.service().note_refused(
      {.id = "talla:x", .spki = std::string(64, 'b'), .reason = "certificate-expired"});
  rig_.clock.advance_ns(std::int64_t{3'600} *
                        1'000'000'000);  // batches are long over, a clock may have stepped
  rig_.service().run_until_idle();
  rig_.service().stop();
  EXPECT_EQ(rig_.log().size(), size);
  EXPECT_EQ(rig_.ledger().size(), size);
  EXPECT_EQ(rig_.records(certs::Kind::call).size(), intents);
}

TEST_F(EndedLog, what_was_answered_is_answered_again_and_questions_too) {
  end(rig_.log().size());
  const auto again = rig_.post("/v1/draws", body_, key_);
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, reply_.body);
  EXPECT_EQ(rig_.post("/v1/draws", rig_.draw_body(batch_, 2), key_).code(), "key_reused");
  EXPECT_EQ(rig_.get("/v1/tables/" + table_).status, 200);
  const auto drawn = reply_.record(certs::Kind::draw).seq;
  EXPECT_EQ(rig_.get("/v1/receipts/" + std::to_string(drawn)).status, 200);
  EXPECT_EQ(rig_.get("/v1/bundles/" + std::to_string(drawn)).status, 200);
  const auto ready = rig_.service().ready();
  EXPECT_FALSE(ready.ready);
  EXPECT_EQ(ready.reasons, std::vector<std::string>{"log_ended"});
  EXPECT_EQ(rig_.service().metrics().gauges.at("talla_log_ended"), 1.0);
}

TEST_F(EndedLog, what_is_behind_the_end_proves_nothing) {
  const auto drawn = reply_.record(certs::Kind::draw).seq;
  end(drawn);
  EXPECT_EQ(rig_.get("/v1/bundles/" + std::to_string(drawn)).code(), "log_ended");
  EXPECT_EQ(rig_.get("/v1/receipts/" + std::to_string(drawn)).status, 200)
      << "what was given is given";
}

}  // namespace
}  // namespace talla::core::test
