// How a rig's table calls for draws and mixes, and what a verifier says of them.
#include <gtest/gtest.h>

#include "certs/files.hpp"
#include "format/body_shoe.hpp"
#include "format/call.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"
#include "must.hpp"
#include "rig.hpp"
#include "verify/verify.hpp"

namespace talla::core::test {

certs::Mix mix_in(const Got& reply) {
  const certs::OpensslHashes hashes;
  const auto body = certs::ShoeMixBody::from_json(reply.record(certs::Kind::shoe_mix).body);
  const auto call = certs::CallBody::from_json(reply.record(certs::Kind::call).body);
  EXPECT_TRUE(body.has_value() && call.has_value());
  const auto mix = certs::mix_of(hashes, call->core, *body);
  EXPECT_TRUE(mix.has_value());
  return mix.value_or(certs::Mix{});
}

Rig::OpenBatch Rig::open_batch(const std::string& table, int count) {
  const auto made =
      post("/v1/tables/" + table + "/batches", R"({"count":)" + std::to_string(count) + "}");
  EXPECT_EQ(made.status, 201) << made.body;
  return {table, made.text({"batch", "id"}), made.text({"batch", "root"})};
}

json::Object Rig::core_of(const std::string& table, const std::string& round) {
  const auto got = get("/v1/tables/" + table);
  EXPECT_EQ(got.status, 200) << got.body;
  json::Value bets{json::Array{}};
  if (!round.empty()) {
    const auto played = get("/v1/rounds/" + round);
    if (played.text({"round", "state"}) != "betting") bets = played.at({"round", "bets"});
  }
  return {
      {"v", 2},
      {"type", "talla-call"},
      {"origin", rig_origin},
      {"table", table},
      {"turn", got.at({"table", "turn"})},
      {"head", got.at({"table", "head"})},
      {"round", round.empty() ? "0" : round},
      {"bets", to_hex(certs::bets_digest(hashes(), bets))},
      {"game", got.at({"table", "game"})},
      {"variant", got.at({"table", "variant"})},
      {"catalogue", got.at({"table", "catalogue"})},
      {"parameters", to_hex(certs::parameters_digest(hashes(), got.at({"table", "parameters"})))},
      {"value", nonce()},
      {"others", json::Array{}}};
}

std::string Rig::signed_core(json::Object core) {
  const json::Value said(std::move(core));
  return json::canonical(json::Value(
      json::Object{{"core", said}, {"signature", sign_core(client, json::canonical(said))}}));
}

json::Value specification_due(const json::Value& view) {
  if (const auto* range = view.find("parameters")->find("range")) return *range;
  const auto* needs = view.find("needs");
  for (const auto& need : needs == nullptr ? json::Array() : needs->array()) {
    if (need.find("need")->string() != "draw") continue;
    const auto kind = need.find("kind")->string();
    if (kind == "wheel")
      return json::Object{{"kind", kind}, {"pockets", need.find("pockets")->array().size()}};
    if (kind == "dice")
      return json::Object{
          {"kind", kind}, {"count", *need.find("count")}, {"faces", *need.find("faces")}};
    return json::Object{{"kind", kind}, {"bounds", json::Array{*need.find("faces")}}};
  }
  return json::Object{{"kind", "wheel"}, {"pockets", 37}};  // none is due
}

std::string Rig::draw_body(const OpenBatch& batch, int index, const std::string& round) {
  auto core = core_of(batch.table, round);
  core["use"] = "draw";
  core["object"] = batch.id;
  core["root"] = batch.root;
  core["at"] = index;
  core["specification"] = specification_due(get("/v1/tables/" + batch.table).at({"table"}));
  return signed_core(std::move(core));
}

json::Object Rig::mix_core(const std::string& shoe) {
  const auto got = get("/v1/shoes/" + shoe);
  EXPECT_EQ(got.status, 200) << got.body;
  const auto table = got.text({"shoe", "table"});
  const auto view = get("/v1/tables/" + table);
  const auto* round = view.at({"table"}).find("round");
  auto core = core_of(table, round == nullptr ? std::string() : round->string());
  core["use"] = "mix";
  core["object"] = shoe;
  core["root"] = got.at({"shoe", "root"});
  const auto dealt = got.number({"shoe", "position"});
  core["at"] = dealt;
  const auto* several = got.at({"shoe"}).find("candidates");
  core["specification"] = json::Object{{"candidates", several == nullptr ? 1 : several->integer()},
                                       {"places", got.number({"shoe", "cards"}) - dealt}};
  return core;
}

std::string Rig::mix_body(const std::string& shoe) {
  return signed_core(mix_core(shoe));
}

certs::Caller Rig::caller(const std::string& table) {
  const auto got = get("/v1/receipts/" + std::to_string(*certs::object_seq("table", table)));
  const auto& bytes = got.at({"record"}).string();
  auto made = must(certs::Caller::open(table_call_key(client.id), must(certs::parse_record(bytes)),
                                       certs::leaf_hash(hashes(), as_bytes(bytes))));
  const auto last = get("/v1/tables/" + table).number({"table", "last"});
  const auto newest = get("/v1/receipts/" + std::to_string(last)).at({"record"}).string();
  must(made.rest_on(must(certs::parse_record(newest)),
                    certs::leaf_hash(hashes(), as_bytes(newest))));
  return made;
}

void take_reply(certs::Caller& caller, const std::string& body) {
  const auto reply = must(json::parse(body));
  const certs::OpensslHashes hashes;
  for (const auto& receipt : reply.find("receipts")->array()) {
    const auto& bytes = receipt.find("record")->string();
    must(caller.take(must(certs::parse_record(bytes)), certs::leaf_hash(hashes, as_bytes(bytes))));
  }
}

std::string wheel_call(certs::Caller& caller, const Rig::OpenBatch& batch, int index) {
  certs::CallWish wish;
  wish.object = batch.id;
  wish.root = must(digest_from_hex(batch.root));
  wish.at = static_cast<std::uint32_t>(index);
  wish.bets = certs::bets_digest(certs::OpensslHashes(), json::Array{});
  wish.specification = certs::DrawSpecification(certs::WheelDraw{37});
  return json::canonical(must(caller.make(wish)));
}

Result<certs::Verdict> Rig::judge(std::uint64_t seq, const std::string& openings) {
  const auto bundle = get("/v1/bundles/" + std::to_string(seq));
  EXPECT_EQ(bundle.status, 200) << bundle.body;
  const auto root = must(certs::read_file(keys() + "/ca.pem"));
  return certs::verify_bundle(bundle.body, root, {.openings = openings});
}

void Rig::verify(std::uint64_t seq) {
  const auto verdict = judge(seq);
  ASSERT_TRUE(verdict.has_value()) << verdict.error().text();
  EXPECT_EQ(verdict->claim, seq);
}

}  // namespace talla::core::test
