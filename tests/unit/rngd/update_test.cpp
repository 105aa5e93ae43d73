// Goal: software changes by two persons while nothing is open, or it latches (PROTOCOL section 8);
// the log says which manifest counts, who approved it and what a start did not take.
// Method: a whole appliance on simulated time, started again under other manifests.
#include <gtest/gtest.h>

#include <algorithm>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

class Manifest final : public SoftwareHook {
 public:
  explicit Manifest(std::uint8_t of) { become(of); }
  void become(std::uint8_t of) { digest.emplace().fill(of); }
  [[nodiscard]] std::string hex() const { return to_hex(*digest); }

  [[nodiscard]] std::optional<Digest> manifest() const override { return digest; }
  [[nodiscard]] std::vector<SoftwareCheck> take_checks() override {
    return std::exchange(checks, {});
  }
  [[nodiscard]] json::Object status() const override {
    return {{"state", "signed"}, {"findings", json::Array()}};
  }
  [[nodiscard]] std::string signed_manifest() const override { return "note"; }
  [[nodiscard]] bool challenge(const Client& /*client*/, const Bytes& /*nonce*/,
                               Answer& /*answer*/) override {
    return false;
  }

  std::optional<Digest> digest;
  std::vector<SoftwareCheck> checks;
};

std::string update_to(const Manifest& manifest) {
  return R"({"act":"software-update","digest":")" + manifest.hex() + R"("})";
}

/// The seq of the ACCESS that approves it.
std::uint64_t approve_update(Rig& rig, const Manifest& manifest) {
  const auto asked = rig.post_as(rig.officer, "/v1/acts", update_to(manifest));
  EXPECT_EQ(asked.status, 201) << asked.body;
  const auto done =
      rig.post_as(rig.inspector, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm");
  EXPECT_EQ(done.status, 200) << done.body;
  return done.record(Kind::access).seq;
}

bool failed_test(Rig& rig, const std::string& name) {
  return std::ranges::any_of(rig.records(Kind::selftest), [&](const certs::Record& record) {
    return record.body.find("test")->string() == name &&
           record.body.find("result")->string() == "fail";
  });
}

std::string new_batch(Rig& rig) {
  const auto got = rig.post("/v1/tables/" + rig.open_table(wheel_table) + "/batches");
  return got.status == 201 ? "" : got.code();
}

TEST(SoftwareUpdate,
     PROTOCOL_8_a_manifest_nobody_approved_latches_at_every_start_until_the_old_one_is_back) {
  Manifest manifest(0x11);
  Rig rig;
  rig.software = &manifest;
  rig.restart();
  EXPECT_EQ(new_batch(rig), "") << "the first manifest of an appliance needs nobody";
  const auto old = manifest.hex();
  manifest.become(0x22);
  for (int start = 0; start < 2; ++start) {
    rig.restart();
    EXPECT_EQ(rig.supply.latched(), entropy::LatchReason::software_mismatch);
    EXPECT_EQ(new_batch(rig), "software_mismatch");
    EXPECT_TRUE(failed_test(rig, "software-not-approved:" + manifest.hex()));
    const auto reasons = rig.service().ready().reasons;
    EXPECT_NE(std::ranges::find(reasons, "software_mismatch"), reasons.end());
    EXPECT_EQ(rig.service().metrics().gauges.at("talla_software_not_approved"), 1.0);
    EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", R"({"act":"latch-reset"})").code(),
              "cause_persists");
    const auto last = rig.records(Kind::software).back();
    EXPECT_EQ(last.body.find("manifest")->string(), manifest.hex()) << "the log says what runs";
    EXPECT_TRUE(last.cites.empty());
  }
  manifest.checks.push_back({.files = 3});
  rig.service().run_until_idle();
  EXPECT_EQ(new_batch(rig), "software_mismatch") << "as signed is not approved";
  rig.client = rig.inspector;
  const auto shown = rig.get("/v1/status");
  EXPECT_EQ(shown.text({"software", "state"}), "mismatch");
  EXPECT_EQ(shown.text({"software", "approved"}), old);
  EXPECT_EQ(shown.at({"software", "findings"}).array().at(0).find("what")->string(),
            "not-approved");
  rig.client = Rig().client;

  manifest.become(0x11);
  rig.restart();
  EXPECT_EQ(new_batch(rig), "entropy_latched") << "a latch ends by two persons alone";
  EXPECT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(new_batch(rig), "");
  EXPECT_EQ(rig.service().metrics().gauges.at("talla_software_not_approved"), 0.0);
}

TEST(SoftwareUpdate,
     PROTOCOL_8_what_two_approved_is_taken_by_the_next_start_once_and_its_record_cites_them) {
  Manifest manifest(0x11);
  Rig rig;
  rig.software = &manifest;
  rig.restart();
  manifest.become(0x22);
  const auto confirmed = approve_update(rig, manifest);
  rig.restart();
  EXPECT_EQ(rig.supply.latched(), std::nullopt);
  EXPECT_EQ(new_batch(rig), "");
  EXPECT_EQ(rig.records(Kind::software).back().cites, std::vector<std::uint64_t>{confirmed});
  rig.client = rig.inspector;
  EXPECT_TRUE(rig.get("/v1/acts").at({"approvals"}).array().empty()) << "an approval serves once";
  rig.client = Rig().client;
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", update_to(manifest)).code(), "wrong_state")
      << "it counts already";
  rig.restart();
  EXPECT_TRUE(rig.records(Kind::software).back().cites.empty());
  EXPECT_EQ(new_batch(rig), "");
  manifest.become(0x11);
  rig.restart();
  EXPECT_EQ(new_batch(rig), "software_mismatch") << "the way back is a change like any other";
}

TEST(SoftwareUpdate,
     PROTOCOL_8_an_approval_of_another_manifest_and_one_that_a_newer_one_replaced_do_not_serve) {
  Manifest manifest(0x11);
  Rig rig;
  rig.software = &manifest;
  rig.restart();
  approve_update(rig, Manifest(0x22));
  approve_update(rig, Manifest(0x33));
  manifest.become(0x22);
  rig.restart();
  EXPECT_EQ(new_batch(rig), "software_mismatch");
  EXPECT_TRUE(failed_test(rig, "software-not-approved:" + manifest.hex()));
  manifest.become(0x33);
  rig.restart();
  EXPECT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(new_batch(rig), "");
}

TEST(SoftwareUpdate, PROTOCOL_8_nobody_approves_while_a_shoe_a_round_or_a_CALL_is_open) {
  Manifest manifest(0x11);
  const Manifest next(0x22);
  Rig rig;
  rig.software = &manifest;
  rig.restart();
  const auto asked = rig.post_as(rig.officer, "/v1/acts", update_to(next)).text({"act", "id"});
  const auto refused = [&](const std::string& what) {
    const auto ask = rig.post_as(rig.officer, "/v1/acts", update_to(Manifest(0x33)));
    EXPECT_EQ(ask.status, 409) << what;
    EXPECT_EQ(ask.code(), "not_at_rest") << what;
    EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + asked + "/confirm").code(), "not_at_rest")
        << what;
  };
  const auto shoe = rig.deal_ready_shoe(rig.open_table(shoe_table)).text({"shoe", "id"});
  refused("a shoe");
  EXPECT_EQ(rig.post("/v1/shoes/" + shoe + "/close").status, 200);

  const auto table = rig.open_table(roulette_table);
  const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  refused("a round");
  const auto batch = rig.open_batch(table, 2);
  EXPECT_EQ(rig.post("/v1/rounds/" + round + "/close-bets",
                     R"({"bets":[{"id":"b","seat":1,"kind":"rojo","stake":100}]})")
                .status,
            200);
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0, round)).status, 200);

  // An CALL that is held: an alarm overlaps its batch.
  const auto held = rig.open_batch(rig.open_table(wheel_table), 2);
  const auto reply = rig.send(rig.request("POST", "/v1/draws", rig.draw_body(held, 0)));
  rig.service().run_once();
  rig.alarm();
  rig.service().run_until_idle();
  refused("a CALL");
  const auto finish = rig.post_as(rig.inspector, "/v1/acts",
                                  R"({"act":"table-finish","object":")" + held.table + R"("})");
  EXPECT_EQ(
      rig.post_as(rig.operator_, "/v1/acts/" + finish.text({"act", "id"}) + "/confirm").status,
      200);
  rig.service().run_until_idle();
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + asked + "/confirm").status, 200);
}

TEST(SoftwareUpdate,
     PROTOCOL_8_what_was_opened_behind_the_approval_is_ended_before_the_change_counts) {
  Manifest manifest(0x11);
  Rig rig;
  rig.software = &manifest;
  rig.restart();
  manifest.become(0x22);
  const auto confirmed = approve_update(rig, manifest);
  const auto shoe = rig.deal_ready_shoe(rig.open_table(shoe_table)).text({"shoe", "id"});
  rig.restart();
  EXPECT_EQ(new_batch(rig), "software_mismatch");
  EXPECT_TRUE(failed_test(rig, "software-not-at-rest:" + manifest.hex()));
  EXPECT_EQ(rig.post("/v1/shoes/" + shoe + "/close").status, 200) << "what is committed goes on";
  rig.restart();
  EXPECT_EQ(rig.records(Kind::software).back().cites, std::vector<std::uint64_t>{confirmed});
  EXPECT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(new_batch(rig), "");
}

TEST(SoftwareUpdate, PROTOCOL_8_a_start_without_the_manifest_that_counts_latches) {
  Manifest manifest(0x11);
  Rig rig;
  rig.software = &manifest;
  rig.restart();
  rig.software = nullptr;
  rig.restart();
  EXPECT_EQ(new_batch(rig), "software_mismatch");
  EXPECT_TRUE(failed_test(rig, "software-not-approved:none"));
  EXPECT_EQ(rig.get("/v1/status").text({"software", "state"}), "mismatch");
}

TEST(SoftwareUpdate, PROTOCOL_8_where_nobody_could_be_asked_a_new_appliance_takes_its_manifest) {
  Manifest manifest(0x11);
  Rig rig;
  rig.settings.clients = {{"talla:officer-1", std::string(64, '1'), {"security-officer"}}};
  rig.software = &manifest;
  rig.restart();
  manifest.become(0x22);
  rig.restart();
  EXPECT_EQ(new_batch(rig), "");
  EXPECT_TRUE(rig.records(Kind::software).back().cites.empty());
}

}  // namespace
}  // namespace talla::core::test
