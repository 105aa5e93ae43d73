// Goal: a contributor opens its number behind a call that holds and behind no other, once for each
//   count; it follows the table without a gap, sees whether its number is in the result, and a
//   later life of it changes nothing of that (PROTOCOL 5b, OPEN).
// Method: a table's records as a log would hold them, honest and with one thing told otherwise.
#include "verify/joiner.hpp"

#include <botan/ec_group.h>
#include <botan/ecdsa.h>
#include <botan/pkcs8.h>
#include <botan/system_rng.h>
#include <gtest/gtest.h>

#include <functional>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/domain.hpp"
#include "log_builder.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

const BotanHashes joiner_hashes;
constexpr const char* joined_table = "table-3";

std::shared_ptr<const CallKey> fresh_key() {
  const Botan::ECDSA_PrivateKey key(Botan::system_rng(), Botan::EC_Group("secp256r1"));
  return std::make_shared<const CallKey>(
      std::move(CallKey::load(Botan::PKCS8::PEM_encode(key)).value()));
}

Digest leaf_of(const Record& record) {
  Digest made = joiner_hashes.sha256({as_bytes(json::canonical(record.body))});
  made[0] = static_cast<std::uint8_t>(record.seq);
  return made;
}

/// A table whose calls one contributor follows.
class JoinedTable {
 public:
  explicit JoinedTable(MixRule mix = MixRule::shoe) : table_key(fresh_key()), key(fresh_key()) {
    opening = record(Kind::table_open, joined_table);
    body.place = "Mesa 7";
    body.policy.mix = mix;
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

TEST(Joiner, opens_what_it_committed_to_behind_the_call_that_names_it) {
  JoinedTable table;
  const Commitments ahead = table.joiner->ahead(2);
  ASSERT_EQ(ahead.commits.size(), 2U);
  EXPECT_FALSE(table.joiner->answer()) << "nobody has called";
  const CallCore core = table.core();
  const Record call = table.call_stands(core);
  const auto answer = table.joiner->answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(contribution_commit(joiner_hashes, leaf_of(table.opening), "seat-1", 1, answer->value),
            ahead.commits[0]);
  EXPECT_TRUE(table.key->has_signed(
      opening_statement(call_digest(joiner_hashes, core.bytes()), "seat-1", 1, answer->value),
      answer->signature));
  EXPECT_EQ(table.joiner->joined(), Joined::waiting);
  ASSERT_TRUE(table.take(table.draw_of(call, {*answer})));
  EXPECT_EQ(table.joiner->joined(), Joined::in);
  EXPECT_FALSE(table.joiner->answer()) << "nobody waits";
  EXPECT_EQ(table.joiner->next(), 2U);
  EXPECT_EQ(table.joiner->ahead(1).commits.at(0), ahead.commits[1]);
  EXPECT_EQ(table.joiner->ahead(40).commits.size(), commitments_ahead_max);
}

TEST(Joiner, opens_behind_no_call_that_says_something_else) {
  JoinedTable table;
  const auto refused = [&](auto lie) { return table.refused(lie); };
  EXPECT_EQ(refused([](CallCore&) {}), "");
  EXPECT_EQ(refused([](CallCore& core) { core.others.clear(); }), "not asked");
  EXPECT_EQ(refused([](CallCore& core) { core.others[0].commit[3] ^= 1U; }), "commit_mismatch");
  EXPECT_EQ(refused([](CallCore& core) { core.others[0].t = 2; }), "t_gap");
  EXPECT_EQ(refused([](CallCore& core) { core.others[0].id = "seat-2"; }), "duplicate");
  EXPECT_EQ(refused([](CallCore& core) { core.root[0] ^= 1U; }), "root_unknown");
  EXPECT_EQ(refused([](CallCore& core) { core.at = 1; }), "core_mismatch");
  EXPECT_EQ(refused([](CallCore& core) { core.turn = 2; }), "turn_gap");
  EXPECT_EQ(refused([](CallCore& core) { core.head[0] ^= 1U; }), "head_wrong");
  EXPECT_EQ(refused([](CallCore& core) { core.round = "round-9"; }), "core_mismatch");
  EXPECT_EQ(refused([](CallCore& core) { core.parameters[0] ^= 1U; }), "core_mismatch");
  EXPECT_EQ(refused([](CallCore& core) { core.game = "black-jack"; }), "core_mismatch");
  EXPECT_EQ(refused([](CallCore& core) { core.origin = "talla.test/other"; }), "core_mismatch");
  EXPECT_EQ(refused([](CallCore& core) { core.table = "table-9"; }), "core_mismatch");
  auto told = table.call(table.core());
  told.body =
      CallBody{table.core(), table.key->sign(call_statement(table.core().bytes()))}.to_json();
  EXPECT_EQ(table.refused_record(told), "call_signature");
  told = table.call(table.core());
  told.object = "batch-999";
  EXPECT_EQ(table.refused_record(told), "core_mismatch");
  told = table.call(table.core());
  told.cites = {};
  EXPECT_EQ(table.refused_record(told), "head_wrong");
}

TEST(Joiner, a_call_that_it_did_not_answer_ends_and_the_next_one_is_free) {
  JoinedTable table;
  CallCore wrong = table.core();
  wrong.others[0].commit[0] ^= 1U;
  const Record call = table.call_stands(wrong);
  EXPECT_EQ(table.joiner->joined(), Joined::refused);
  EXPECT_FALSE(table.joiner->answer());
  const CallOpening forged;
  EXPECT_FALSE(table.take(table.draw_of(call, {forged}))) << "a number that it never opened";
  ASSERT_TRUE(table.take(table.withheld(call, {"seat-1"})));
  EXPECT_EQ(table.joiner->joined(), Joined::missing);
  EXPECT_EQ(table.joiner->next(), 2U) << "the count is spent";
  EXPECT_EQ(table.refused([](CallCore&) {}), "");
}

TEST(Joiner, never_opens_behind_two_cores_of_a_turn_or_a_count) {
  JoinedTable table;
  const Record call = table.call_stands(table.core());
  ASSERT_TRUE(table.joiner->answer());
  EXPECT_FALSE(table.take(table.call(table.core()))) << "the first has no result yet";
  ASSERT_TRUE(table.take(table.withheld(call, {"seat-2"})));
  EXPECT_EQ(table.joiner->joined(), Joined::voided);
  EXPECT_EQ(table.refused([](CallCore& core) { --core.turn; }), "turn_gap");
  EXPECT_EQ(table.refused([](CallCore& core) { --core.others[0].t; }), "t_gap");
  EXPECT_EQ(table.refused([](CallCore&) {}), "") << "a turn and a count of its own";
}

TEST(Joiner, holds_the_result_to_what_it_opened) {
  JoinedTable table;
  const Record call = table.call_stands(table.core());
  const CallOpening mine = *table.joiner->answer();
  CallOpening other = mine;
  other.value[0] ^= 1U;
  EXPECT_FALSE(table.take(table.draw_of(call, {other})));
  other = mine;
  other.signature[0] ^= 1U;
  EXPECT_FALSE(table.take(table.draw_of(call, {other})));
  EXPECT_FALSE(table.take(table.draw_of(call, {})));
  auto elsewhere = table.draw_of(call, {mine});
  elsewhere.object = "batch-999";
  EXPECT_FALSE(table.take(elsewhere));
  EXPECT_EQ(table.joiner->joined(), Joined::waiting);
  EXPECT_TRUE(table.take(table.draw_of(call, {mine})));
}

TEST(Joiner, follows_the_chain_without_a_gap) {
  JoinedTable table;
  auto left_out = table.record(Kind::batch_close, table.batch.object);
  const Record batch_before = table.batch;
  auto next = table.record(Kind::call, table.batch.object);
  EXPECT_FALSE(table.joiner->take(next, Digest{})) << "behind a record that is not shown";
  left_out.link->at(0) ^= 1U;
  EXPECT_FALSE(table.joiner->take(left_out, Digest{})) << "another history before it";
  auto foreign = table.call(table.core());
  foreign.origin = "talla.test/other";
  EXPECT_FALSE(table.joiner->take(foreign, Digest{}));
  auto reopened = table.record(Kind::table_open, joined_table);
  EXPECT_FALSE(table.joiner->take(reopened, Digest{}));
}

TEST(Joiner, nothing_that_an_open_call_is_about_ends_before_it) {
  JoinedTable table;
  static_cast<void>(table.call_stands(table.core()));
  for (const Kind kind : {Kind::table_close, Kind::batch_close}) {
    const auto ends = table.record(
        kind, kind == Kind::table_close ? std::string(joined_table) : table.batch.object);
    const Status taken = table.joiner->take(ends, Digest{});
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error().code, "turn_open");
    table.last = table.records.back().seq;
  }
}

TEST(Joiner, a_batch_that_is_closed_is_called_for_no_more) {
  JoinedTable table;
  auto close = table.record(Kind::batch_close, table.batch.object);
  ASSERT_TRUE(table.take(close));
  EXPECT_EQ(table.refused([](CallCore&) {}), "root_unknown");
}

TEST(Joiner, opens_for_the_bets_that_were_closed_alone) {
  JoinedTable table;
  auto opened = table.record(Kind::round_open, "");
  opened.object = "round-" + std::to_string(opened.seq);
  opened.body = RoundOpenBody{
      .table = joined_table,
      .number = 1,
      .state_before = {},
      .shoe = {},
      .last = {},
      .keys = {}}.to_json();
  ASSERT_TRUE(table.take(opened));
  const auto in_round = [&](CallCore& core) { core.round = opened.object; };
  EXPECT_EQ(table.refused(in_round), "core_mismatch") << "the bets are not closed";
  BetsClosedBody closed;
  closed.bets = {{.id = "a", .seat = 1, .kind = "straight", .stake = 5, .on = {"17"}, .box = {}}};
  closed.digest = bets_digest(joiner_hashes, bets_json(closed.bets));
  auto bets = table.record(Kind::bets_closed, opened.object);
  auto lie = closed;
  lie.bets[0].stake = 500;
  bets.body = lie.to_json();
  EXPECT_FALSE(table.take(bets)) << "the digest is of other bets";
  bets.body = closed.to_json();
  ASSERT_TRUE(table.take(bets));
  ASSERT_EQ(table.joiner->bets().size(), 1U);
  EXPECT_EQ(table.joiner->bets()[0].stake, 5);
  EXPECT_EQ(table.refused(in_round), "core_mismatch") << "of no bets";
  EXPECT_EQ(table.refused([&](CallCore& core) {
    core.round = opened.object;
    core.bets = closed.digest;
  }),
            "");
}

TEST(Joiner, mixes_a_root_once_and_all_of_it) {
  JoinedTable table;
  ShoeCommitBody commit;
  commit.table = joined_table;
  commit.cards = 312;
  commit.deck = "french52x6";
  commit.root = Digest{9};
  commit.context = test::development_context();
  auto shoe = table.record(Kind::shoe_commit, "");
  shoe.object = "shoe-" + std::to_string(shoe.seq);
  shoe.body = commit.to_json();
  ASSERT_TRUE(table.take(shoe));
  const auto mix = [&](CallCore& core) {
    core.use = CallUse::mix;
    core.object = shoe.object;
    core.root = commit.root;
    core.at = 0;
    core.specification = MixSpecification{1, 312};
  };
  EXPECT_EQ(table.refused(mix), "");
  EXPECT_EQ(table.refused([&](CallCore& core) {
    mix(core);
    core.specification = MixSpecification{1, 311};
  }),
            "core_mismatch");
  CallCore core = table.core();
  mix(core);
  const Record call = table.call_stands(core);
  auto mixed = table.record(Kind::shoe_mix, shoe.object);
  ShoeMixBody said;
  said.call = call.seq;
  said.root = commit.root;
  said.openings = {*table.joiner->answer()};
  mixed.body = said.to_json();
  ASSERT_TRUE(table.take(mixed));
  EXPECT_EQ(table.refused(mix), "mix_twice");
}

// FORMAT section 7, "Mixed in each round".
TEST(Joiner, mixes_what_is_left_behind_the_bets_of_each_round_and_never_before) {
  JoinedTable table(MixRule::round);
  ShoeCommitBody commit;
  commit.table = joined_table;
  commit.cards = 312;
  commit.deck = "french52x6";
  commit.root = Digest{9};
  commit.context = test::development_context();
  auto shoe = table.record(Kind::shoe_commit, "");
  shoe.object = "shoe-" + std::to_string(shoe.seq);
  shoe.body = commit.to_json();
  ASSERT_TRUE(table.take(shoe));
  const auto wished = [&](std::uint32_t dealt, const std::string& round) {
    return [&commit, &shoe, dealt, round](CallCore& core) {
      core.use = CallUse::mix;
      core.object = shoe.object;
      core.root = commit.root;
      core.at = dealt;
      core.round = round;
      core.specification = MixSpecification{1, 312 - dealt};
    };
  };
  const auto mixed = [&](std::uint32_t dealt, const std::string& round) {
    CallCore core = table.core();
    wished(dealt, round)(core);
    const Record call = table.call_stands(core);
    auto made = table.record(Kind::shoe_mix, shoe.object);
    ShoeMixBody said;
    said.call = call.seq;
    said.root = commit.root;
    said.openings = {*table.joiner->answer()};
    made.body = said.to_json();
    return made;
  };
  ASSERT_TRUE(table.take(mixed(0, "0")));
  auto card = table.record(Kind::card_deal, shoe.object);
  CardDealBody burnt;
  burnt.place = "burn";
  burnt.face = Face::unseen;
  card.body = burnt.to_json();
  ASSERT_TRUE(table.take(card));
  auto opened = table.record(Kind::round_open, "");
  opened.object = "round-" + std::to_string(opened.seq);
  opened.body = RoundOpenBody{
      .table = joined_table,
      .number = 1,
      .state_before = {},
      .shoe = shoe.object,
      .last = {},
      .keys = {}}.to_json();
  ASSERT_TRUE(table.take(opened));
  EXPECT_EQ(table.refused(wished(1, opened.object)), "mix_twice") << "bets can still be made";
  BetsClosedBody closed;
  closed.digest = bets_digest(joiner_hashes, json::Array{});
  auto bets = table.record(Kind::bets_closed, opened.object);
  bets.body = closed.to_json();
  ASSERT_TRUE(table.take(bets));
  EXPECT_EQ(table.refused(wished(0, opened.object)), "core_mismatch") << "a card was dealt";
  EXPECT_EQ(table.refused(wished(1, opened.object)), "");
  const auto again = mixed(1, opened.object);
  auto more = table.record(Kind::bets_closed, "round-99");
  more.body = closed.to_json();
  const Status early = table.take(more);
  ASSERT_FALSE(early) << "what follows from the call is known already";
  EXPECT_EQ(early.error().code, "turn_open");
  ASSERT_TRUE(table.take(again));
  EXPECT_EQ(table.refused(wished(1, opened.object)), "mix_twice");
}

TEST(Joiner, a_later_life_opens_the_same_bytes_and_believes_no_other_history) {
  JoinedTable table;
  const Record call = table.call_stands(table.core());
  const CallOpening mine = *table.joiner->answer();
  Joiner later = table.again();
  ASSERT_TRUE(later.answer());
  EXPECT_EQ(*later.answer(), mine);
  const auto kept = table.joiner->kept();
  const auto begin = [&] {
    return Joiner::restore(table.key, "seat-1", table.opening, leaf_of(table.opening), kept)
        .value();
  };
  Joiner early = begin();
  EXPECT_FALSE(early.answer()) << "before its records are taken again";
  ASSERT_TRUE(early.take(table.batch, leaf_of(table.batch)));
  CallCore other = CallBody::from_json(call.body)->core;
  other.value[0] ^= 1U;
  auto told = call;
  told.body = CallBody{other, table.table_key->sign(call_statement(other.bytes()))}.to_json();
  EXPECT_FALSE(early.take(told, leaf_of(told))) << "another core stands in its place";
  EXPECT_FALSE(early.answer());
  Joiner cut = begin();
  ASSERT_TRUE(cut.take(table.batch, leaf_of(table.batch)));
  auto instead = table.call(table.core());
  instead.seq = call.seq + 5;
  instead.prev = table.batch.seq;
  instead.link = chain_head(joiner_hashes, *table.batch.link, leaf_of(table.batch));
  EXPECT_FALSE(cut.take(instead, leaf_of(instead))) << "the call is gone";
}

TEST(Joiner, a_later_life_may_begin_with_the_newest_record_that_is_needed) {
  JoinedTable table;
  const Record close = table.record(Kind::batch_close, table.batch.object);
  ASSERT_TRUE(table.take(close));
  ASSERT_EQ(table.joiner->again_from(), close.seq) << "nothing is committed that calls are for";
  const auto kept = table.joiner->kept();
  const auto begin = [&] {
    return Joiner::restore(table.key, "seat-1", table.opening, leaf_of(table.opening), kept)
        .value();
  };
  Joiner other = begin();
  EXPECT_FALSE(other.begin_at(close, Digest{5})) << "another record stands there";
  Joiner later = begin();
  ASSERT_TRUE(later.begin_at(close, leaf_of(close)));
  table.commit(4);
  ASSERT_TRUE(later.take(table.batch, leaf_of(table.batch)));
  const Record call = table.call_stands(table.core());
  ASSERT_TRUE(later.take(call, leaf_of(call)));
  EXPECT_TRUE(later.answer());
}

TEST(Joiner, a_core_that_lapsed_spends_its_count) {
  JoinedTable table;
  const CallCore core = table.core();
  auto ended = table.record(Kind::void_call, joined_table);
  VoidBody lapsed;
  lapsed.cause = VoidCause::lapsed;
  lapsed.lapsed = CallBody{core, table.table_key->sign(call_statement(core.bytes()))};
  ended.body = lapsed.to_json();
  ASSERT_TRUE(table.take(ended));
  ++table.turn;
  EXPECT_EQ(table.joiner->next(), 2U);
  EXPECT_EQ(table.refused([](CallCore&) {}), "");
}

TEST(Joiner, who_comes_later_opens_for_what_it_has_seen_committed) {
  JoinedTable table;
  const auto key = fresh_key();
  auto late = Joiner::open(key, "seat-2", table.opening, leaf_of(table.opening)).value();
  const Record call = table.call_stands(table.core());
  const Record drawn = table.draw_of(call, {*table.joiner->answer()});
  ASSERT_TRUE(table.take(drawn));
  ASSERT_TRUE(late.begin_at(drawn, leaf_of(drawn)));
  const auto with_both = [&] {
    CallCore core = table.core();
    core.others.push_back({"seat-2", key->spki(), late.ahead(1).from, late.ahead(1).commits[0]});
    return core;
  };
  const Record second = table.call_stands(with_both());
  ASSERT_TRUE(late.take(second, leaf_of(second)));
  EXPECT_EQ(late.joined(), Joined::refused) << "its root was committed before it came";
  const Record voided = table.withheld(second, {"seat-2"});
  ASSERT_TRUE(table.take(voided));
  ASSERT_TRUE(late.take(voided, leaf_of(voided)));
  table.commit(4);
  ASSERT_TRUE(late.take(table.batch, leaf_of(table.batch)));
  const Record third = table.call_stands(with_both());
  ASSERT_TRUE(late.take(third, leaf_of(third)));
  EXPECT_EQ(late.joined(), Joined::waiting);
  EXPECT_TRUE(late.answer());
}

TEST(Joiner, the_tables_own_key_contributes_once) {
  const JoinedTable table;
  EXPECT_FALSE(
      Joiner::open(table.table_key, "seat-1", table.opening, leaf_of(table.opening)).has_value());
  EXPECT_FALSE(Joiner::open(table.key, "seat-1", table.batch, Digest{}).has_value());
}

}  // namespace
}  // namespace talla::certs
