// Goal: a table signs one core a turn and no other, rests each on the record it knows, and takes no
//   CALL, result or record of its chain that is not what it signed or does not follow; a restart
//   changes nothing of that (PROTOCOL 5b).
// Method: records as a log would hold them, honest and with one thing told otherwise.
#include "verify/caller.hpp"

#include <botan/ec_group.h>
#include <botan/ecdsa.h>
#include <botan/pkcs8.h>
#include <botan/system_rng.h>
#include <gtest/gtest.h>

#include "format/body_draw.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "log_builder.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

const BotanHashes caller_hashes;

std::shared_ptr<const CallKey> new_key() {
  const Botan::ECDSA_PrivateKey key(Botan::system_rng(), Botan::EC_Group("secp256r1"));
  auto loaded = CallKey::load(Botan::PKCS8::PEM_encode(key));
  EXPECT_TRUE(loaded.has_value());
  return std::make_shared<const CallKey>(std::move(*loaded));
}

/// A table's chain as its client sees it.
class CalledTable {
 public:
  CalledTable() : key(new_key()), opening(record(Kind::table_open, "table-3")) {
    TableOpenBody body;
    body.place = "Mesa 7";
    body.settled_by_client = true;
    body.key = key->spki();
    body.chain = {Bytes{1}};
    body.parameters = json::Object{{"range", json::Object{{"kind", "wheel"}, {"pockets", 37}}}};
    opening.body = body.to_json();
    opening.prev.reset();
    opening.link = Digest{};
    auto made = Caller::open(key, opening, leaf(opening));
    EXPECT_TRUE(made.has_value()) << made.error().text();
    caller.emplace(std::move(*made));
    keep(opening);
  }

  Record record(Kind kind, const std::string& object) {
    Record made;
    made.origin = "talla.test/log";
    made.seq = ++seq_;
    made.kind = kind;
    made.object = object;
    made.table = "table-3";
    made.prev = last_;
    made.link = head_;
    return made;
  }
  static Digest leaf(const Record& record) {
    Digest made{};
    made[0] = static_cast<std::uint8_t>(record.seq);
    made[1] = 1;
    return made;
  }
  /// The record stands in the chain.
  void keep(const Record& record) {
    last_ = record.seq;
    head_ = chain_head(caller_hashes, *record.link, leaf(record));
  }
  Status take(const Record& record) {
    const Status taken = caller->take(record, leaf(record));
    if (taken) keep(record);
    return taken;
  }
  [[nodiscard]] CallBody signed_call() {
    CallWish wish;
    wish.object = "batch-4";
    wish.specification = DrawSpecification(WheelDraw{37});
    const auto made = caller->make(wish);
    EXPECT_TRUE(made.has_value()) << made.error().text();
    return *CallBody::from_json(*made);
  }
  Record call_record(const CallBody& body) {
    auto made = record(Kind::call, "batch-4");
    made.body = body.to_json();
    return made;
  }
  Record draw_of(std::uint64_t call) {
    auto made = record(Kind::draw, "batch-4");
    DrawBody body;
    body.call = call;
    body.outcome = {Outcome::Form::pocket, {17}};
    made.body = body.to_json();
    return made;
  }

  /// A VOID of a core that became no CALL and opens nothing.
  Record lapsed(const CallBody& body) {
    auto made = record(Kind::void_call, "table-3");
    VoidBody ended;
    ended.cause = VoidCause::lapsed;
    ended.lapsed = body;
    made.body = ended.to_json();
    return made;
  }

  std::shared_ptr<const CallKey> key;

 private:
  std::uint64_t seq_ = 2;
  std::optional<std::uint64_t> last_;
  Digest head_{};

 public:
  Record opening;
  std::optional<Caller> caller;
};

TEST(Caller, makes_a_core_of_the_table_of_the_next_turn_on_the_newest_record) {
  CalledTable table;
  const auto body = table.signed_call();
  EXPECT_EQ(body.core.table, "table-3");
  EXPECT_EQ(body.core.origin, "talla.test/log");
  EXPECT_EQ(body.core.turn, 1U);
  EXPECT_EQ(body.core.head, chain_head(caller_hashes, Digest{}, CalledTable::leaf(table.opening)));
  EXPECT_EQ(body.core.round, "0");
  EXPECT_TRUE(body.core.others.empty());
  EXPECT_TRUE(table.key->has_signed(call_statement(body.core.bytes()), body.signature));
  EXPECT_FALSE(new_key()->has_signed(call_statement(body.core.bytes()), body.signature));
}

TEST(Caller, signs_one_core_a_turn_and_the_next_with_another_number) {
  CalledTable table;
  const auto first = table.signed_call();
  EXPECT_FALSE(table.caller->make({})) << "the first has no result yet";
  const auto call = table.call_record(first);
  ASSERT_TRUE(table.take(call));
  EXPECT_FALSE(table.caller->make({})) << "a CALL is no result";
  ASSERT_TRUE(table.take(table.draw_of(call.seq)));
  const auto second = table.signed_call();
  EXPECT_EQ(second.core.turn, 2U);
  EXPECT_NE(second.core.value, first.core.value);
  EXPECT_NE(second.core.head, first.core.head);
}

TEST(Caller, takes_no_CALL_that_it_did_not_sign_byte_for_byte) {
  CalledTable table;
  const auto body = table.signed_call();
  const auto refused = [&](const CallBody& other) {
    return !table.caller->take(table.call_record(other), Digest{});
  };
  auto other = body;
  other.core.value[0] ^= 1U;
  EXPECT_TRUE(refused(other)) << "another number";
  other = body;
  other.signature[63] ^= 1U;
  EXPECT_TRUE(refused(other)) << "another signature";
  other = body;
  other.core.bets[0] ^= 1U;
  other.signature = table.key->sign(call_statement(other.core.bytes()));
  EXPECT_TRUE(refused(other)) << "signed by its own key, and not by it";
  auto elsewhere = table.call_record(body);
  elsewhere.object = "batch-5";
  EXPECT_FALSE(table.caller->take(elsewhere, Digest{}));
  EXPECT_TRUE(table.take(table.call_record(body)));
}

TEST(Caller, a_core_that_lapsed_spends_its_turn_and_the_next_one_is_free) {
  CalledTable table;
  const auto body = table.signed_call();
  ASSERT_TRUE(table.take(table.lapsed(body)));
  EXPECT_FALSE(table.caller->waiting());
  const auto second = table.signed_call();
  EXPECT_EQ(second.core.turn, 2U);
  EXPECT_NE(second.core.value, body.core.value);
}

TEST(Caller, takes_no_VOID_of_a_core_that_it_did_not_sign_or_that_is_a_CALL) {
  CalledTable table;
  const auto body = table.signed_call();
  const auto refused = [&](const CallBody& other) {
    return !table.caller->take(table.lapsed(other), Digest{});
  };
  auto other = body;
  other.core.value[0] ^= 1U;
  EXPECT_TRUE(refused(other)) << "another number";
  other = body;
  other.signature[63] ^= 1U;
  EXPECT_TRUE(refused(other)) << "another signature";
  other = body;
  other.core.at = 1;
  other.signature = table.key->sign(call_statement(other.core.bytes()));
  EXPECT_TRUE(refused(other)) << "signed by its own key, and not by it";
  EXPECT_TRUE(table.caller->waiting());
  const auto call = table.call_record(body);
  ASSERT_TRUE(table.take(call));
  EXPECT_TRUE(refused(body)) << "it stands: what ends it names its CALL";
  ASSERT_TRUE(table.take(table.draw_of(call.seq)));
  EXPECT_TRUE(refused(body)) << "nothing was asked";
}

TEST(Caller, a_lapse_opens_the_secret_that_was_committed_and_what_follows_from_it) {
  CalledTable table;
  const Digest secret{5};
  BatchCommitBody committed;
  committed.table = "table-3";
  committed.count = 1;
  committed.root = batch_leaf_hash(caller_hashes, "batch-4", 0, secret);
  committed.context = test::development_context();
  auto commit = table.record(Kind::batch_commit, "batch-4");
  commit.seq = 4;
  commit.body = committed.to_json();
  CallWish wish;
  wish.object = "batch-4";
  wish.root = committed.root;
  wish.specification = DrawSpecification(WheelDraw{37});
  const auto body = *CallBody::from_json(*table.caller->make(wish));
  VoidBody opened;
  opened.cause = VoidCause::lapsed;
  opened.lapsed = body;
  opened.secret = secret;
  opened.outcome = map_draw(caller_hashes, body.core.draw(), secret,
                            call_digest(caller_hashes, body.core.bytes()), {})
                       ->outcome;
  auto ended = table.record(Kind::void_call, "batch-4");
  ended.seq = 9;
  const auto holds = [&](const VoidBody& said) {
    ended.body = said.to_json();
    return check_lapsed(commit, ended).has_value();
  };
  EXPECT_TRUE(holds(opened));
  auto lie = opened;
  (*lie.secret)[0] ^= 1U;
  EXPECT_FALSE(holds(lie));
  lie = opened;
  lie.outcome->values[0] = (lie.outcome->values[0] + 1) % 37;
  EXPECT_FALSE(holds(lie));
  lie = opened;
  lie.lapsed->core.root[0] ^= 1U;
  EXPECT_FALSE(holds(lie)) << "of another batch";
  ended.object = "batch-5";
  EXPECT_FALSE(holds(opened));
}

TEST(Caller, takes_no_CALL_without_having_asked_and_no_result_of_another_call) {
  CalledTable table;
  const auto body = table.signed_call();
  EXPECT_FALSE(table.caller->take(table.draw_of(9), Digest{})) << "a result before its CALL";
  const auto call = table.call_record(body);
  ASSERT_TRUE(table.take(call));
  EXPECT_FALSE(table.caller->take(table.draw_of(call.seq + 40), Digest{}));
  ASSERT_TRUE(table.take(table.draw_of(call.seq)));
  EXPECT_FALSE(table.caller->take(table.call_record(body), Digest{})) << "nothing was asked";
}

TEST(Caller, takes_no_record_that_does_not_follow_the_one_before) {
  CalledTable table;
  auto commit = table.record(Kind::batch_commit, "batch-4");
  commit.link = Digest{7};
  EXPECT_FALSE(table.caller->take(commit, CalledTable::leaf(commit)));
  commit = table.record(Kind::batch_commit, "batch-4");
  commit.link.reset();
  EXPECT_FALSE(table.caller->take(commit, CalledTable::leaf(commit)));
  commit = table.record(Kind::batch_commit, "batch-4");
  ASSERT_TRUE(table.take(commit));
  EXPECT_EQ(table.signed_call().core.head,
            chain_head(caller_hashes, *commit.link, CalledTable::leaf(commit)));
  auto foreign = table.record(Kind::batch_commit, "batch-9");
  foreign.table = "table-8";
  EXPECT_TRUE(table.caller->take(foreign, Digest{})) << "another table's: none of its business";
  EXPECT_EQ(table.caller->last(), commit.seq);
}

TEST(Caller, goes_on_after_a_restart_with_its_number_and_the_core_under_way) {
  CalledTable table;
  const auto body = table.signed_call();
  const auto kept = *json::parse(json::canonical(table.caller->kept()));
  auto again = Caller::restore(table.key, table.opening, CalledTable::leaf(table.opening), kept);
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_TRUE(again->waiting());
  EXPECT_FALSE(again->make({}));
  const auto call = table.call_record(body);
  EXPECT_TRUE(again->take(call, CalledTable::leaf(call)));
  EXPECT_TRUE(again->take(table.draw_of(call.seq), CalledTable::leaf(call)));
  EXPECT_EQ(again->turn(), 2U);
  auto second =
      Caller::restore(table.key, table.opening, CalledTable::leaf(table.opening), again->kept());
  ASSERT_TRUE(second.has_value());
  EXPECT_EQ(second->turn(), 2U);
  EXPECT_FALSE(second->waiting());
  EXPECT_FALSE(second->make({})) << "where the chain stands is not known yet";
  const auto newest = table.record(Kind::batch_commit, "batch-4");
  ASSERT_TRUE(second->rest_on(newest, CalledTable::leaf(newest)));
  EXPECT_TRUE(second->make({}).has_value());
}

TEST(Caller, names_contributors_in_order_and_once_and_none_with_its_own_key) {
  CalledTable table;
  const auto made = [&](std::vector<Contributor> others) {
    CallWish wish;
    wish.object = "batch-4";
    wish.specification = DrawSpecification(WheelDraw{37});
    wish.others = std::move(others);
    return table.caller->make(wish).has_value();
  };
  const Contributor one{"seat-1", new_key()->spki(), 1, Digest{1}};
  const Contributor two{"seat-2", new_key()->spki(), 1, Digest{2}};
  auto same_key = two;
  same_key.key = one.key;
  auto tables = two;
  tables.key = table.key->spki();
  EXPECT_FALSE(made({two, one}));
  EXPECT_FALSE(made({one, one}));
  EXPECT_FALSE(made({one, same_key}));
  EXPECT_FALSE(made({one, tables}));
  EXPECT_FALSE(table.caller->waiting()) << "nothing was signed";
  EXPECT_TRUE(made({one, two}));
}

TEST(Caller, takes_a_result_with_each_number_as_it_was_committed_and_signed) {
  CalledTable table;
  const auto key = new_key();
  const Digest opening = CalledTable::leaf(table.opening);
  const Digest value{1, 2, 3};
  CallWish wish;
  wish.object = "batch-4";
  wish.specification = DrawSpecification(WheelDraw{37});
  wish.others = {
      {"seat-1", key->spki(), 1, contribution_commit(caller_hashes, opening, "seat-1", 1, value)}};
  const auto body = *CallBody::from_json(*table.caller->make(wish));
  EXPECT_EQ(body.core.others, wish.others);
  const auto call = table.call_record(body);
  ASSERT_TRUE(table.take(call));
  EXPECT_EQ(table.caller->open_call(), call.seq);
  const Digest digest = call_digest(caller_hashes, body.core.bytes());
  const auto opened = [&](const Digest& number, const CallKey& by) {
    return CallOpening{number, by.sign(opening_statement(digest, "seat-1", 1, number))};
  };
  const auto taken = [&](std::vector<CallOpening> openings) {
    auto drawn = table.draw_of(call.seq);
    auto said = *DrawBody::from_json(drawn.body);
    said.openings = std::move(openings);
    drawn.body = said.to_json();
    return table.caller->take(drawn, CalledTable::leaf(drawn)).has_value();
  };
  EXPECT_FALSE(taken({})) << "a number is left out";
  EXPECT_FALSE(taken({opened(Digest{9}, *key)})) << "another number than was committed";
  EXPECT_FALSE(taken({opened(value, *new_key())})) << "signed by another";
  EXPECT_FALSE(taken({opened(value, *key), opened(value, *key)}));
  EXPECT_TRUE(table.caller->waiting());
  EXPECT_TRUE(taken({opened(value, *key)}));
  EXPECT_EQ(table.caller->turn(), 2U);
}

// PROTOCOL 5b: the next call of that round or object keeps all but those whom the VOID names
// missing; the one behind it is free.
TEST(Caller, leaves_out_of_the_next_call_whom_a_VOID_named_missing_also_where_he_hands_in_anew) {
  CalledTable table;
  const Contributor one{"seat-1", new_key()->spki(), 1, Digest{1}};
  const Contributor two{"seat-2", new_key()->spki(), 1, Digest{2}};
  CallWish wish;
  wish.object = "batch-4";
  wish.specification = DrawSpecification(WheelDraw{37});
  wish.others = {one, two};
  EXPECT_EQ(table.caller->named(wish, {one, two}), wish.others);
  const auto signed_call = [&] {
    const auto call = table.call_record(*CallBody::from_json(*table.caller->make(wish)));
    EXPECT_TRUE(table.take(call));
    return call.seq;
  };
  const auto ended = [&](std::uint64_t call, const std::string& missing) {
    VoidBody body;
    body.call = call;
    body.cause = VoidCause::withheld;
    body.missing = {missing};
    auto record = table.draw_of(call);
    record.kind = Kind::void_call;
    record.body = body.to_json();
    return record;
  };
  const auto call = signed_call();
  EXPECT_FALSE(table.take(ended(call, "seat-9"))) << "who was not to open";
  ASSERT_TRUE(table.take(ended(call, "seat-2")));
  EXPECT_EQ(table.caller->named(wish, {one, two}), std::vector<Contributor>{one});
  CallWish other = wish;
  other.round = "round-7";
  EXPECT_EQ(table.caller->named(other, {one, two}), wish.others) << "of a round of its own";
  const auto again = Caller::restore(table.key, table.opening, CalledTable::leaf(table.opening),
                                     table.caller->kept());
  ASSERT_TRUE(again.has_value()) << again.error().text();
  EXPECT_EQ(again->named(wish, {one, two}), std::vector<Contributor>{one}) << "over a restart";
  wish.others = {one};
  static_cast<void>(signed_call());
  EXPECT_EQ(table.caller->named(wish, {one, two}), (std::vector<Contributor>{one, two}))
      << "that call went without him, the next one need not";
}

TEST(Caller, is_of_the_key_that_the_table_was_opened_with) {
  CalledTable table;
  EXPECT_FALSE(Caller::open(new_key(), table.opening, Digest{}));
  auto other = table.opening;
  other.kind = Kind::batch_commit;
  EXPECT_FALSE(Caller::open(table.key, other, Digest{}));
  EXPECT_FALSE(Caller::restore(table.key, table.opening, Digest{},
                               *json::parse(R"({"seed":"00","turn":1})")));
  EXPECT_FALSE(CallKey::load("no key"));
}

}  // namespace
}  // namespace talla::certs
