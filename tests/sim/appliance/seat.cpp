// One who puts numbers of its own into the calls of a guest's table.
#include "seat.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "certs/openssl_hashes.hpp"
#include "failure.hpp"
#include "rig.hpp"
#include "seat_pair.hpp"

namespace talla::sim {
namespace {

constexpr std::uint32_t ahead_max = 16;
constexpr std::uint32_t ahead_least = 3;

const certs::OpensslHashes& seat_hashes() {
  static const certs::OpensslHashes hashes;
  return hashes;
}

Digest random_digest(Random& random) {
  Digest out{};
  for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(random.word());
  return out;
}

Digest token_digest(const std::string& token) {
  return seat_hashes().sha256({as_bytes(token)});
}

bool names(const json::Value* list, const std::string& id) {
  return list != nullptr &&
         std::ranges::any_of(list->array(), [&](const auto& one) { return one.string() == id; });
}

}  // namespace

Seat::Seat(SeatPlace place, Random& random)
    : place_(std::move(place)),
      random_(&random),
      id_(place_.number == 0 ? "talla:partner-" + place_.table
                             : "seat-" + std::to_string(place_.number)),
      token_(to_hex(random_digest(random))),
      inside_(place_.number == 0) {
  new_key();
}

void Seat::new_key() {
  auto key = certs::CallKey::load(certs::testing::seat_pair().pem);
  require(key.has_value(), "no key for a seat");
  key_ = std::make_shared<const certs::CallKey>(std::move(*key));
  seed_ = random_digest(*random_);
  next_ = 1;
  spent_ = 0;
  ++counts_.keys;
}

std::optional<json::Object> Seat::invitation() const {
  if (place_.number == 0) return std::nullopt;
  return json::Object{{"seat", place_.number}, {"token", to_hex(token_digest(token_))}};
}

core::Client Seat::client() const {
  core::Client who{.id = place_.table + "/" + id_,
                   .spki = {},
                   .roles = {core::Role::contributor},
                   .public_key = {},
                   .chain = {},
                   .invitation = {}};
  if (place_.number == 0) {
    who.id = id_;
    who.spki = std::string(64, '7');
  } else {
    who.invitation = core::Invitation{place_.table, place_.number, token_digest(token_)};
  }
  return who;
}

Digest Seat::value(std::uint32_t t) const {
  return certs::contribution_value(seat_hashes(), seed_, place_.opening, t);
}

json::Object Seat::opening(std::uint32_t t, const Digest& value) const {
  const auto signature = key_->sign(certs::opening_statement(named_.value().digest, id_, t, value));
  return {{"id", id_}, {"value", to_hex(value)}, {"signature", to_base64(signature)}};
}

void Seat::post(std::string path, json::Object body, Asked what) {
  what_ = what;
  asked_ = core::Request{.method = "POST",
                         .path = std::move(path),
                         .body = json::canonical(json::Value(std::move(body))),
                         .client = client(),
                         .idempotency_key = {}};
}

const core::Request* Seat::asks() {
  if (!inside_) return nullptr;
  if (asked_) return &*asked_;
  if (named_ && !named_->opened && !named_->refused && !named_->keeps_back) {
    if (named_->lies) {
      lie();
    } else {
      open();
    }
  } else if (!named_ && random_->once_in(400)) {
    new_key();  // a phone that lost its own
    commit();
  } else if (next_ <= spent_ + ahead_least) {
    commit();
  }
  return asked_ ? &*asked_ : nullptr;
}

void Seat::commit() {
  const auto most = ahead_max - std::min(next_ - spent_ - 1, ahead_max);
  const auto count = 1 + static_cast<std::uint32_t>(random_->below(std::max(most, 1U)));
  json::Array commits;
  for (std::uint32_t t = next_; t < next_ + count; ++t)
    commits.emplace_back(
        to_hex(certs::contribution_commit(seat_hashes(), place_.opening, id_, t, value(t))));
  post("/v1/tables/" + place_.table + "/commitments",
       {{"id", id_},
        {"key", to_base64(key_->spki())},
        {"from", next_},
        {"commits", std::move(commits)}},
       Asked::commit);
}

void Seat::open() {
  const auto t = named_.value().t;
  post("/v1/calls/" + std::to_string(named_->seq) + "/openings", opening(t, value(t)), Asked::open);
}

/// An opening with one thing wrong in it.
void Seat::lie() {
  const auto t = named_.value().t;
  json::Object body = opening(t, value(t));
  switch (random_->below(4)) {
    case 0:
      body = opening(t, value(t + 1));
      break;  // the next number, well signed
    case 1:
      body = opening(t + 1, value(t));
      break;  // signed for another t
    case 2:
      body["value"] = to_hex(value(t + 1));
      break;  // not what is signed
    default: {
      const auto other = std::exchange(named_->digest, random_digest(*random_));
      body = opening(t, value(t));  // for another call
      named_->digest = other;
    }
  }
  post("/v1/calls/" + std::to_string(named_->seq) + "/openings", std::move(body), Asked::lie);
}

void Seat::answered(const core::Reply& reply) {
  if (!asked_) return;  // its call has ended meanwhile
  const auto value = json::parse(reply.body);
  require(value.has_value(), [&] { return "a reply is no JSON: " + reply.body; });
  if (reply.status >= 500) {
    require(reply.status == 503,
            [&] { return "a reply of the server's own failure: " + reply.body; });
    return;
  }
  const auto asked = *std::exchange(asked_, std::nullopt);
  const auto what = std::exchange(what_, Asked::nothing);
  if (what == Asked::lie) {
    require(reply.status >= 400, [&] { return "a lie was taken: " + asked.body; });
    if (named_) named_->lies = false;
    ++counts_.lies;
    return;
  }
  if (reply.status >= 300) return refused(*value);
  if (what == Asked::commit) next_ = static_cast<std::uint32_t>(value->find("next")->integer());
  if (what == Asked::open && named_) {
    named_->opened = true;
    ++counts_.opened;
  }
}

void Seat::refused(const json::Value& problem) {
  const auto* code = problem.find("code");
  require(code != nullptr, [&] { return "a refusal without code: " + json::canonical(problem); });
  // The call has ended, or waits for the key before; its table is closed, and behind a start not
  // known any more (a table that was lost its guest would miss); it has counted on.
  static const std::set<std::string> allowed{"wrong_state", "turn_open", "table_closed",
                                             "not_found", "t_gap"};
  require(allowed.contains(code->string()),
          [&] { return id_ + ": refused: " + json::canonical(problem); });
  if (const auto* next = problem.find("next")) {
    const auto told = static_cast<std::uint32_t>(next->integer());
    // A call that waits for it may have ended without it, and its commitments with that.
    require(named_ || told >= next_,
            [&] { return id_ + ": commitments are lost: " + json::canonical(problem); });
    next_ = told;
  }
  if (named_ && code->string() != "turn_open") named_->refused = true;
}

void Seat::called(std::uint64_t seq, const json::Value& core) {
  named_.reset();
  for (const auto& one : core.find("others")->array()) {
    if (one.find("id")->string() != id_) continue;
    const auto t = static_cast<std::uint32_t>(one.find("t")->integer());
    if (one.find("key")->string() != to_base64(key_->spki())) return;  // its key before: lost
    spent_ = t;
    if (seq == 0) return;  // it lapsed
    const auto bytes = json::canonical(core);
    named_ = Named{.seq = seq,
                   .digest = certs::call_digest(seat_hashes(), bytes),
                   .t = t,
                   .keeps_back = random_->once_in(40),
                   .lies = random_->once_in(20),
                   .opened = false,
                   .refused = false};
    if (named_->keeps_back) ++counts_.kept_back;
  }
}

Contributed Seat::ended(const json::Value& view) {
  const auto& end = *view.find("ended");
  Contributed said{.seq = static_cast<std::uint64_t>(end.find("seq")->integer()),
                   .key = seat_hashes().sha256({key_->spki()}),
                   .in = false};
  const auto named = std::exchange(named_, std::nullopt);
  if (!named) return said;
  if (what_ == Asked::open || what_ == Asked::lie) asked_.reset();
  const bool missing = names(view.find("missing"), id_);
  require(!missing || !named->opened, [&] {
    return id_ + " opened, which was acknowledged, and is called missing: " + json::canonical(view);
  });
  if (missing) next_ = named->t + 1;  // what it handed in is gone with it
  said.in = end.find("kind")->string() != "void";
  require(!said.in || !named->keeps_back,
          [&] { return "a result without the number of " + id_ + ": " + json::canonical(view); });
  return said;
}

}  // namespace talla::sim
