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
#include "format/candidates.hpp"
#include "format/domain.hpp"
#include "joined_table.hpp"
#include "log_builder.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

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

// FORMAT section 7, "Candidates".
TEST(Joiner, opens_for_as_many_roots_as_the_policy_says_and_never_behind_a_call_that_picked_none) {
  JoinedTable table(MixRule::shoe, 3);
  ShoeCommitBody commit;
  commit.table = joined_table;
  commit.cards = 52;
  commit.deck = "french52x1";
  commit.covered = true;
  commit.candidates = {{Digest{1}, {}}, {Digest{2}, {}}, {Digest{3}, {}}};
  commit.context = test::development_context();
  Record shoe;
  const auto sealed = [&] {
    commit.root = shoe_roots_digest(joiner_hashes, commit.candidates);
    shoe = table.record(Kind::shoe_commit, "");
    shoe.object = "shoe-" + std::to_string(shoe.seq);
    shoe.body = commit.to_json();
    ASSERT_TRUE(table.take(shoe));
  };
  const auto closed = [&] {
    auto close = table.record(Kind::shoe_close, shoe.object);
    close.body = ShoeCloseBody{}.to_json();
    ASSERT_TRUE(table.take(close));
  };
  const auto wished = [&](std::uint32_t candidates) {
    return [&commit, &shoe, candidates](CallCore& core) {
      core.use = CallUse::mix;
      core.object = shoe.object;
      core.root = commit.root;
      core.at = 0;
      core.specification = MixSpecification{candidates, 52};
    };
  };
  sealed();
  EXPECT_EQ(table.refused(wished(3)), "");
  EXPECT_EQ(table.refused(wished(1)), "core_mismatch");
  CallCore core = table.core();
  wished(3)(core);
  const Record call = table.call_stands(core);
  auto ended = table.record(Kind::void_call, shoe.object);
  VoidBody why;
  why.call = call.seq;
  why.by = {"a", "b"};
  ended.body = why.to_json();
  ASSERT_TRUE(table.take(ended));
  EXPECT_EQ(table.refused(wished(3)), "candidate_wrong") << "it has to close";
  closed();
  commit.candidates.pop_back();
  sealed();
  EXPECT_EQ(table.refused(wished(2)), "candidate_wrong") << "one root less than the policy's";
  closed();
  commit.candidates.push_back(commit.candidates.front());
  sealed();
  EXPECT_EQ(table.refused(wished(3)), "candidate_wrong") << "one root twice";
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
