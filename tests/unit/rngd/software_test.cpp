// Goal: software that is not as signed takes no new commitments, leaves records that say what, and
// is not reset by anybody while it lasts; challenges are answered with their record, also when the
// appliance stops.
// Method: a whole appliance on simulated time under a watch that finds what the test says.
#include <gtest/gtest.h>

#include <algorithm>

#include "fake_watch.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string nonce_body = R"({"nonce":"000102030405060708090a0b0c0d0e0f"})";
constexpr const char* challenge_path = "/v1/software/challenge";

std::vector<std::string> selftests(Rig& rig) {
  std::vector<std::string> all;
  for (std::uint64_t seq = 0; seq < rig.log().size(); ++seq) {
    const auto record = *certs::parse_record(rig.ledger().record(seq)->bytes);
    if (record.kind == Kind::selftest)
      all.push_back(record.body.find("test")->string() + " " +
                    record.body.find("result")->string());
  }
  return all;
}

TEST(Software, what_is_not_as_signed_latches_until_it_is_good_again_and_two_persons_reset) {
  FakeWatch watch;
  Rig rig;
  rig.software = &watch;
  rig.restart();
  const auto table = rig.open_table(wheel_table);
  const auto batch = rig.open_batch(table);
  watch.found = {{"/usr/share/talla/catalogues/es-1977.toml", "changed"}};
  watch.tick();
  rig.service().run_until_idle();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "software_mismatch");
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).status, 200)
      << "what is committed goes on";
  EXPECT_EQ(rig.supply.latched(), entropy::LatchReason::software_mismatch);
  const auto ready = rig.service().ready();
  EXPECT_NE(std::ranges::find(ready.reasons, "software_mismatch"), ready.reasons.end());
  const auto tests = selftests(rig);
  for (const auto* wanted :
       {"software-manifest fail", "software-changed:/usr/share/talla/catalogues/es-1977.toml fail",
        "generator-software_mismatch fail"})
    EXPECT_NE(std::ranges::find(tests, wanted), tests.end()) << wanted;
  const auto early = rig.post_as(rig.officer, "/v1/acts", R"({"act":"latch-reset"})");
  EXPECT_EQ(early.code(), "cause_persists");

  watch.found.clear();
  watch.tick();
  rig.service().run_until_idle();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched")
      << "good again is no reset";
  rig.restart();
  EXPECT_EQ(rig.supply.latched(), entropy::LatchReason::software_mismatch)
      << "a restart ends no latch";
  EXPECT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
}

TEST(Software, every_start_records_the_manifest_and_without_one_it_is_unsigned) {
  FakeWatch watch;
  Rig rig;
  EXPECT_EQ(rig.get("/v1/status").text({"software", "state"}), "unsigned");
  EXPECT_EQ(rig.post_as(rig.inspector, challenge_path, nonce_body).code(), "software_unsigned");
  watch.digest->fill(0x22);
  rig.software = &watch;
  rig.restart();
  std::vector<std::string> digests;
  for (std::uint64_t seq = 0; seq < rig.log().size(); ++seq) {
    const auto record = *certs::parse_record(rig.ledger().record(seq)->bytes);
    if (record.kind != Kind::software) continue;
    const auto* manifest = record.body.find("manifest");
    digests.push_back(manifest == nullptr ? "" : manifest->string());
  }
  EXPECT_EQ(digests, (std::vector<std::string>{"", to_hex(*watch.digest)}));
  rig.client = rig.inspector;
  EXPECT_EQ(rig.get("/v1/software").text({"software", "signed_manifest"}), "note");
}

TEST(Software, a_challenge_is_answered_once_its_record_is_durable_and_names_who_asked) {
  FakeWatch watch;
  Rig rig;
  rig.software = &watch;
  rig.restart();
  EXPECT_EQ(rig.post(challenge_path, nonce_body).code(), "forbidden") << "a table";
  const auto got = rig.post_as(rig.inspector, challenge_path, nonce_body);
  ASSERT_EQ(got.status, 200) << got.body;
  EXPECT_EQ(got.text({"challenge", "nonce"}), "000102030405060708090a0b0c0d0e0f");
  const auto seq = static_cast<std::uint64_t>(got.number({"seq"}));
  const auto record = *certs::parse_record(rig.ledger().record(seq)->bytes);
  EXPECT_EQ(record.kind, Kind::access);
  EXPECT_EQ(record.client->id, rig.inspector.id);
  EXPECT_EQ(record.body.find("what")->string(), "software-challenge");
  EXPECT_EQ(record.body.find("object")->string(), std::string(64, '3'));
  for (const auto* body : {R"({"nonce":""})", R"({"nonce":"0001"})", R"({"nonce":"0g"})"})
    EXPECT_EQ(rig.post_as(rig.inspector, challenge_path, body).code(), "nonce_malformed") << body;
  EXPECT_EQ(rig.post_as(rig.inspector, challenge_path, "{}").code(), "malformed_request");
  watch.full = true;
  EXPECT_EQ(rig.post_as(rig.inspector, challenge_path, nonce_body).code(), "too_busy");
  watch.full = false;
  watch.stopping = true;
  EXPECT_EQ(rig.post_as(rig.inspector, challenge_path, nonce_body).code(), "stopping");
}

}  // namespace
}  // namespace talla::core::test
