// Those who contribute to a rig's calls.
#include "contributors.hpp"

#include <gtest/gtest.h>

#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "must.hpp"
#include "seat_pair.hpp"

namespace talla::core::test {

Player::Player(Rig& rig, std::string table, std::int64_t seat)
    : rig_(&rig), table_(std::move(table)), seat_(seat), id_("seat-" + std::to_string(seat)) {
  renew();
  token_ = rig.nonce();
  const auto invited =
      rig.post("/v1/tables/" + table_ + "/invitations",
               json::canonical(json::Value(json::Object{
                   {"seat", seat}, {"token", to_hex(rig.hashes().sha256({as_bytes(token_)}))}})));
  EXPECT_EQ(invited.status, 200) << invited.body;
  const auto opened = must(rig.ledger().record(*certs::object_seq("table", table_)));
  leaf_ = opened.leaf;
}

void Player::renew() {
  key_ = std::make_shared<const certs::CallKey>(
      must(certs::CallKey::load(certs::testing::seat_pair().pem)));
  seed_ = must(digest_from_hex(rig_->nonce()));
}

Client Player::client() const {
  const auto found = rig_->service().invited(rig_->hashes().sha256({as_bytes(token_)}));
  if (found) return *found;
  Client ended{.id = table_ + "/" + id_, .spki = {}, .roles = {Role::contributor}};
  ended.invitation = Invitation{table_, seat_, rig_->hashes().sha256({as_bytes(token_)})};
  return ended;
}

Digest Player::value(std::uint32_t t) const {
  return certs::contribution_value(rig_->hashes(), seed_, leaf_, t);
}

Digest Player::commit_of(std::uint32_t t) const {
  return certs::contribution_commit(rig_->hashes(), leaf_, id_, t, value(t));
}

std::string Player::commit_body(std::uint32_t from, std::uint32_t count) const {
  json::Array commits;
  for (std::uint32_t i = 0; i < count; ++i) commits.emplace_back(to_hex(commit_of(from + i)));
  return json::canonical(json::Value(json::Object{
      {"id", id_}, {"key", to_base64(key())}, {"from", from}, {"commits", std::move(commits)}}));
}

Got Player::commit(std::uint32_t from, std::uint32_t count) {
  return rig_->post_as(client(), "/v1/tables/" + table_ + "/commitments", commit_body(from, count));
}

certs::CallOpening Player::opening(const certs::CallCore& core) const {
  std::uint32_t t = 1;
  for (const auto& one : core.others) {
    if (one.id == id_) t = one.t;
  }
  certs::CallOpening opened;
  opened.value = value(t);
  opened.signature = key_->sign(certs::opening_statement(
      certs::call_digest(rig_->hashes(), core.bytes()), id_, t, opened.value));
  return opened;
}

std::string Player::opening_body(const certs::CallOpening& opening) const {
  return json::canonical(json::Value(json::Object{
      {"id", id_}, {"value", to_hex(opening.value)}, {"signature", to_base64(opening.signature)}}));
}

Request Player::open_request(std::uint64_t call) const {
  auto request = rig_->request("POST", "/v1/calls/" + std::to_string(call) + "/openings",
                               opening_body(opening(core_at(*rig_, call))));
  request.client = client();
  request.idempotency_key.clear();
  return request;
}

Got Player::open(std::uint64_t call) {
  return rig_->ask(open_request(call));
}

Got Player::get(const std::string& path) {
  auto request = rig_->request("GET", path);
  request.client = client();
  return rig_->ask(std::move(request));
}

json::Array others_of(Rig& rig, const std::string& table) {
  json::Array others;
  const auto view = rig.get("/v1/tables/" + table);
  for (const auto& one : view.at({"table", "contributors"}).array()) {
    json::Object named;
    for (const auto* member : {"id", "key", "t", "commit"}) named[member] = *one.find(member);
    others.emplace_back(std::move(named));
  }
  return others;
}

std::string with_others(Rig& rig, const std::string& body, json::Value others) {
  const auto said = must(json::parse(body));
  auto core = said.find("core")->object();
  core["others"] = std::move(others);
  return rig.signed_core(std::move(core));
}

certs::CallCore core_at(Rig& rig, std::uint64_t call) {
  const auto stored = must(rig.ledger().record(call));
  return must(certs::CallBody::from_json(must(certs::parse_record(stored.bytes)).body)).core;
}

}  // namespace talla::core::test
