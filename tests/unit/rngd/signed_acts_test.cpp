// Goal: what a person signs of an act that is none on a table is recorded when it is right for this
// request, and refused when it is for any other; without it the log says so.
// Method: a whole appliance on simulated time; its log is read by the verifier's own rules.
#include <gtest/gtest.h>

#include <array>

#include "format/merkle.hpp"
#include "rig.hpp"
#include "verify/signed_steps.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string file_digest(64, '5');
const std::string other_digest(64, '6');

/// An approval of a file, asked for with that idempotency key.
struct Wish {
  std::string key = "request-1";
  std::string signed_for = "request-1";  ///< the key that was signed
  std::string digest = file_digest;
  std::string act = "restore";  ///< that was signed
};

Got ask(Rig& rig, const Client& who, const Client& signer, const Wish& wish) {
  const auto head = to_hex(certs::request_key_head(certs::OpensslHashes(), wish.signed_for));
  json::Value body(
      json::Object{{"act", "restore"},
                   {"digest", file_digest},
                   {"signature", Rig::order_signature(signer, wish.act, {}, head, wish.digest)}});
  return rig.post_as(who, "/v1/acts", json::canonical(body), wish.key);
}

std::string leaf_of(const certs::Record& record) {
  const auto text = certs::write_record(record);
  EXPECT_TRUE(text) << text.error().text();
  return to_hex(certs::leaf_hash(certs::OpensslHashes(), as_bytes(*text)));
}

Got confirm(Rig& rig, const Client& who, const std::string& act, const std::string& head) {
  const json::Value body(
      json::Object{{"signature", Rig::order_signature(who, "restore", {}, head, file_digest)}});
  return rig.post_as(who, "/v1/acts/" + act + "/confirm", json::canonical(body));
}

/// What the verifier says of all steps of the log; `alone`: how many nobody has signed.
void expect_taken(Rig& rig, std::uint64_t alone) {
  const certs::OpensslHashes hashes;
  certs::SignedSteps steps;
  for (const auto& record : rig.records(Kind::access)) {
    const auto leaf = digest_from_hex(leaf_of(record));
    const auto taken = steps.take(hashes, record, *leaf);
    EXPECT_TRUE(taken) << taken.error().text();
  }
  EXPECT_EQ(steps.alone(), alone);
}

TEST(SignedActs, both_persons_sign_one_request_and_a_restart_between_them_changes_nothing) {
  Rig rig;
  const auto asked = ask(rig, rig.officer, rig.officer, {});
  ASSERT_EQ(asked.status, 201) << asked.body;
  EXPECT_EQ(ask(rig, rig.officer, rig.officer, {}).body, asked.body) << "asked again";
  const auto act = asked.text({"act", "id"});
  EXPECT_EQ(asked.at({"act"}).find("head"), nullptr) << "it has no table";
  rig.restart();
  const auto first = rig.records(Kind::access).back();
  const auto done = confirm(rig, rig.inspector, act, leaf_of(first));
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(rig.records(Kind::access).size(), 2U);
  for (const auto& record : rig.records(Kind::access)) {
    ASSERT_NE(record.body.find("order"), nullptr);
    const auto key = from_base64(record.body.find("order")->find("key")->string());
    EXPECT_EQ(certs::OpensslHashes().sha256({*key}), record.client->spki);
  }
  expect_taken(rig, 0);
}

TEST(SignedActs, a_signature_for_another_request_file_act_or_of_another_person_is_refused) {
  Rig rig;
  const std::array wishes{
      Wish{.key = "request-2", .signed_for = "request-1", .digest = file_digest, .act = "restore"},
      Wish{.key = "request-1", .signed_for = "request-2", .digest = file_digest, .act = "restore"},
      Wish{.key = "request-1", .signed_for = "request-1", .digest = other_digest, .act = "restore"},
      Wish{.key = "request-1", .signed_for = "request-1", .digest = {}, .act = "restore"},
      Wish{.key = "request-1",
           .signed_for = "request-1",
           .digest = file_digest,
           .act = "config-change"}};
  for (const Wish& wish : wishes)
    EXPECT_EQ(ask(rig, rig.officer, rig.officer, wish).code(), "order_signature");
  EXPECT_EQ(ask(rig, rig.officer, rig.inspector, {}).code(), "order_signature");
  EXPECT_TRUE(rig.records(Kind::access).empty());
  const auto asked = ask(rig, rig.officer, rig.officer, {});
  ASSERT_EQ(asked.status, 201) << asked.body;
  const auto act = asked.text({"act", "id"});
  const auto key_head = to_hex(certs::request_key_head(certs::OpensslHashes(), "request-1"));
  for (const auto& head : {key_head, std::string(64, '0')})
    EXPECT_EQ(confirm(rig, rig.inspector, act, head).code(), "order_signature");
  EXPECT_EQ(rig.records(Kind::access).size(), 1U);
}

TEST(SignedActs, a_step_without_signature_is_taken_and_the_log_has_none) {
  Rig rig;
  const auto body = R"({"act":"restore","digest":")" + file_digest + "\"}";
  const auto alone = rig.post_as(rig.officer, "/v1/acts", body);
  ASSERT_EQ(alone.status, 201) << alone.body;
  const auto act = alone.text({"act", "id"});
  const auto first = rig.records(Kind::access).back();
  ASSERT_EQ(confirm(rig, rig.inspector, act, leaf_of(first)).status, 200);
  const auto access = rig.records(Kind::access);
  ASSERT_EQ(access.size(), 2U);
  EXPECT_EQ(access[0].body.find("order"), nullptr);
  EXPECT_NE(access[1].body.find("order"), nullptr);
  ASSERT_EQ(ask(rig, rig.officer, rig.officer, {}).status, 201);
  const auto second = rig.records(Kind::access).back();
  const auto path = "/v1/acts/" + certs::object_id("act", second.seq) + "/confirm";
  ASSERT_EQ(rig.post_as(rig.inspector, path).status, 200);
  EXPECT_EQ(rig.records(Kind::access).back().body.find("order"), nullptr)
      << "what the first person signed is not the second one's";
  expect_taken(rig, 2);
}

}  // namespace
}  // namespace talla::core::test
