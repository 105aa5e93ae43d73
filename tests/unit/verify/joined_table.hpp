// Goal: a table whose calls one contributor follows, record by record, for tests of refusals.
#pragma once

#include <botan/ec_group.h>
#include <botan/ecdsa.h>
#include <botan/pkcs8.h>
#include <botan/system_rng.h>
#include <gtest/gtest.h>

#include <functional>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/candidates.hpp"
#include "format/domain.hpp"
#include "log_builder.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/joiner.hpp"

namespace talla::certs {

inline const BotanHashes joiner_hashes;
inline constexpr const char* joined_table = "table-3";

inline std::shared_ptr<const CallKey> fresh_key() {
  const Botan::ECDSA_PrivateKey key(Botan::system_rng(), Botan::EC_Group("secp256r1"));
  return std::make_shared<const CallKey>(
      std::move(CallKey::load(Botan::PKCS8::PEM_encode(key)).value()));
}

inline Digest leaf_of(const Record& record) {
  Digest made = joiner_hashes.sha256({as_bytes(json::canonical(record.body))});
  made[0] = static_cast<std::uint8_t>(record.seq);
  return made;
}

/// A table whose calls one contributor follows.
class JoinedTable {
 public:
  explicit JoinedTable(MixRule mix = MixRule::shoe, std::uint32_t candidates = 1)
      : table_key(fresh_key()), key(fresh_key()) {
    opening = record(Kind::table_open, joined_table);
    body.place = "Mesa 7";
    body.policy.mix = mix;
    body.policy.candidates = candidates;
    body.settled_by_client = mix == MixRule::shoe;
    if (!body.settled_by_client) body.game = "punto-banco";
    body.key = table_key->spki();
    body.chain = {Bytes{1}};
    body.parameters = json::Object{{"range", json::Object{{"kind", "wheel"}, {"pockets", 37}}}};
    opening.body = body.to_json();
    opening.prev.reset();
    opening.link = Digest{};
    joiner.emplace(Joiner::open(key, "seat-1", opening, leaf_of(opening)).value());
    stands(opening);
    commit(16);
  }

  Record record(Kind kind, const std::string& object) {
    Record made;
    made.origin = "talla.test/log";
    made.seq = ++seq_;
    made.kind = kind;
    made.object = object;
    made.table = joined_table;
    made.prev = last;
    made.link = head;
    return made;
  }
  void stands(const Record& record) {
    last = record.seq;
    head = chain_head(joiner_hashes, *record.link, leaf_of(record));
    records.push_back(record);
  }
  Status take(const Record& record) {
    Status taken = joiner->take(record, leaf_of(record));
    if (taken) stands(record);
    return taken;
  }
  /// A batch is committed to; calls draw from it.
  void commit(std::uint32_t count) {
    batch = record(Kind::batch_commit, "");
    batch.object = "batch-" + std::to_string(batch.seq);
    batch_body.table = joined_table;
    batch_body.count = count;
    batch_body.root = Digest{7, 7};
    batch_body.context = test::development_context();
    batch.body = batch_body.to_json();
    index = 0;
    EXPECT_TRUE(take(batch));
  }
  /// The core of the next turn, with what the contributor handed in.
  CallCore core() {
    CallCore made;
    made.origin = "talla.test/log";
    made.table = joined_table;
    made.turn = turn + 1;
    made.head = head;
    made.object = batch.object;
    made.root = batch_body.root;
    made.at = index;
    made.bets = bets_digest(joiner_hashes, json::Array{});
    made.specification = DrawSpecification(WheelDraw{37});
    made.parameters = parameters_digest(joiner_hashes, body.parameters);
    made.game = body.game;
    const Commitments ahead = joiner->ahead(1);
    made.others = {{"seat-1", key->spki(), ahead.from, ahead.commits.at(0)}};
    return made;
  }
  Record call(const CallCore& core) {
    auto made = record(Kind::call, core.object);
    made.cites = {*last};
    made.body = CallBody{core, table_key->sign(call_statement(core.bytes()))}.to_json();
    return made;
  }
  /// A CALL that the contributor takes; its record.
  Record call_stands(const CallCore& core) {
    auto made = call(core);
    const Status taken = take(made);
    EXPECT_TRUE(taken) << taken.error().text();
    ++turn;
    ++index;
    return made;
  }
  Record draw_of(const Record& call, std::vector<CallOpening> openings) {
    auto made = record(Kind::draw, call.object);
    DrawBody drawn;
    drawn.call = call.seq;
    drawn.openings = std::move(openings);
    drawn.outcome = {Outcome::Form::pocket, {17}};
    made.body = drawn.to_json();
    return made;
  }
  Record withheld(const Record& call, std::vector<std::string> missing) {
    auto made = record(Kind::void_call, call.object);
    VoidBody ended;
    ended.call = call.seq;
    ended.cause = VoidCause::withheld;
    ended.missing = std::move(missing);
    ended.secret = Digest{};
    made.body = ended.to_json();
    return made;
  }
  /// Why a CALL with this core is not answered; empty: it is.
  std::string refused(const std::function<void(CallCore&)>& lie) {
    CallCore told = core();
    lie(told);
    return refused_record(call(told));
  }
  std::string refused_record(const Record& told) {
    auto other = again();
    const Status taken = other.take(told, leaf_of(told));
    if (!taken) return std::string(taken.error().code);
    if (other.answer()) return "";
    return other.refusal() ? std::string(other.refusal()->code) : "not asked";
  }
  /// A later life of the contributor, which has taken everything again.
  Joiner again() {
    auto other = Joiner::restore(key, "seat-1", opening, leaf_of(opening), joiner->kept());
    EXPECT_TRUE(other) << other.error().text();
    for (const Record& record : records) {
      const Status taken = other->take(record, leaf_of(record));
      EXPECT_TRUE(taken) << taken.error().text();
    }
    return std::move(*other);
  }

  std::shared_ptr<const CallKey> table_key, key;
  Record opening, batch;
  TableOpenBody body;
  BatchCommitBody batch_body;
  std::optional<Joiner> joiner;
  std::vector<Record> records;
  std::optional<std::uint64_t> last;
  Digest head{};
  std::uint32_t turn = 0, index = 0;

 private:
  std::uint64_t seq_ = 2;
};

}  // namespace talla::certs
