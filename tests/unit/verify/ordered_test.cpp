// Goal: what had been opened stands in a VOID by order; a round, or outside rounds a shoe or batch,
//   is called for again behind VOIDs no more often than its table allows, and with everybody who
//   was not missing, unless two persons ordered it for this state of this table (FORMAT section 8).
// Method: true logs with two contributors and two persons; then one lie of appliance and table
//   together, valid in every other respect. Every file goes to the other verifiers too
//   (TALLA_LIES), named by the code that refuses it.
#include <gtest/gtest.h>

#include "format/body_draw.hpp"
#include "format/body_machine.hpp"
#include "format/body_table.hpp"
#include "lies.hpp"
#include "story.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

constexpr const char* first_seat = "seat-1";
constexpr const char* other_seat = "seat-2";
constexpr const char* inspector = "urn:talla:inspector";
constexpr const char* officer = "urn:talla:officer";

/// What a lie makes of an order before it stands.
struct OrderLie {
  std::function<void(CallOrder&, const test::Panel&)> order{};
  std::function<void(AccessBody&)> access{};
  std::function<void(Client&)> client{};
  bool cited = true;
};

/// A client's table for two dice with two seats, and two persons who may order.
struct RepeatedTable {
  explicit RepeatedTable(test::Pki& pki, std::uint32_t max_voids = 1, test::Tamper tamper = {})
      : log(pki,
            tamper.kind != Kind::unknown
                ? std::move(tamper)
                : test::Tamper{Kind::table_open, 0, body<TableOpenBody>([=](TableOpenBody& open) {
                                 open.policy.max_voids = max_voids;
                               })}) {
    seats.join(first_seat, "of the first seat");
    seats.join(other_seat, "of the other seat");
    persons.join(inspector, "of the inspector");
    persons.join(officer, "of the officer");
    log.seat(&seats);
    table =
        test::open_client_table(log, context, json::Object{{"range", specification_json(dice)}});
    batch.emplace(log, table, 8, context);
  }
  std::uint64_t voided(const std::vector<std::string>& missing) {
    return batch->withheld(dice, missing);
  }
  /// What both persons sign for `object` at this head.
  CallOrder order(const std::string& object, const Digest& head) const {
    CallOrder made{head, {}};
    const Bytes statement = order_statement(test::story_origin, object, head);
    for (const char* id : {inspector, officer})
      made.by.push_back({id, persons.key(id), persons.sign(id, statement)});
    return made;
  }
  /// The next CALL carries such an order of this state of the table.
  void ordered(const OrderLie& lie = {}) {
    auto made = order(batch->id(), log.head(table));
    if (lie.order) lie.order(made, persons);
    const auto& second = made.by.back();
    AccessBody step;
    step.what = "call-again.confirmed";
    step.object = batch->id();
    step.by = {made.by.front().id, second.id};
    step.order = AccessOrder{made.head, second.key, second.signature};
    if (lie.access) lie.access(step);
    Client client{second.id, log.hashes.sha256({second.key})};
    if (lie.client) lie.client(client);
    access = log.add({Kind::access, {}, step.to_json(), {}, {}, {}, client});
    log.ordered = [this, made, cited = lie.cited](CallBody& body,
                                                  std::vector<std::uint64_t>& cites) {
      body.order = made;
      if (cited) cites.push_back(access);
    };
  }
  Bundle drawn() {
    const auto seq = batch->draw(dice);
    log.ordered = nullptr;
    return upto(seq);
  }
  Bundle upto(std::uint64_t claim) {
    std::vector<std::uint64_t> more;
    if (access != 0) more.push_back(access);
    return log.select({claim, {table}, {}, {}, 0, more});
  }

  test::Panel seats, persons;
  test::LogBuilder log;
  Context context = test::story_context({});
  DrawSpecification dice = DiceDraw{2, 6};
  std::string table;
  std::optional<test::Batch> batch;
  std::uint64_t access = 0;
};

void repeated_told(const Bundle& bundle, const test::Pki& pki, const std::string& name) {
  keep_lie("true_chain-repeated-" + name + ".talla", format_bundle(bundle));
  judged(bundle, pki);
}

void repeated_refused(VerifyErrc errc, const Bundle& bundle, const test::Pki& pki,
                      const std::string& name) {
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  ASSERT_FALSE(verdict) << name;
  EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  keep_lie("chain-" + std::string(errc_name(errc)) + "-repeated-" + name + ".talla",
           format_bundle(bundle));
}

TEST(RepeatedCall, PROTOCOL_5b_stands_as_often_as_the_policy_allows_then_by_an_order) {
  for (const std::uint32_t allowed : {0U, 1U, 3U}) {
    test::Pki pki;
    RepeatedTable scene(pki, allowed);
    for (std::uint32_t i = 0; i < allowed; ++i) scene.voided({first_seat, other_seat});
    repeated_told(scene.drawn(), pki, "allowed-" + std::to_string(allowed));
    scene.voided({first_seat, other_seat});
    test::Pki again;
    RepeatedTable over(again, allowed);
    for (std::uint32_t i = 0; i <= allowed; ++i) over.voided({first_seat, other_seat});
    repeated_refused(VerifyErrc::void_limit, over.drawn(), again,
                     "limit-" + std::to_string(allowed));
    scene.ordered();
    repeated_told(scene.drawn(), pki, "ordered-" + std::to_string(allowed));
    repeated_refused(VerifyErrc::void_limit, scene.drawn(), pki,
                     "further-" + std::to_string(allowed));
  }
}

TEST(RepeatedCall, void_limit_counts_cores_that_lapsed_and_each_object_by_itself) {
  test::Pki pki;
  RepeatedTable scene(pki, 1);
  const auto wrong = [](CallCore& core) { core.game = "another"; };
  scene.log.seat(nullptr);
  scene.batch->lapse(scene.dice, wrong);
  repeated_told(scene.drawn(), pki, "lapsed-once");
  scene.batch->lapse(scene.dice, wrong);
  test::Batch fresh(scene.log, scene.table, 4, scene.context);
  repeated_told(scene.upto(fresh.draw(scene.dice)), pki, "another-batch");
  repeated_refused(VerifyErrc::void_limit, scene.drawn(), pki, "lapsed");
}

TEST(RepeatedCall, PROTOCOL_5b_keeps_all_whom_the_void_does_not_name) {
  const auto story = [](const std::vector<std::string>& missing, const char* left, bool drops) {
    test::Pki pki;
    RepeatedTable scene(pki);
    scene.voided(missing);
    if (left != nullptr) scene.seats.leave(left);
    const std::string name = missing.front() + "-" + (left == nullptr ? "nobody" : left);
    if (drops)
      repeated_refused(VerifyErrc::contributor_dropped, scene.drawn(), pki, name);
    else
      repeated_told(scene.drawn(), pki, name);
  };
  story({first_seat}, first_seat, false);
  story({first_seat}, nullptr, false);
  story({first_seat}, other_seat, true);
  story({first_seat, other_seat}, other_seat, false);
}

TEST(RepeatedCall, contributor_dropped_by_an_order_to_void_and_for_another_key) {
  test::Pki pki;
  RepeatedTable scene(pki);
  scene.batch->void_next(scene.dice);
  scene.seats.leave(first_seat);
  repeated_refused(VerifyErrc::contributor_dropped, scene.drawn(), pki, "by-order");
  // Behind a result everybody may leave.
  test::Pki free;
  RepeatedTable settled(free);
  settled.voided({first_seat});
  settled.drawn();
  settled.seats.leave(other_seat);
  repeated_told(settled.drawn(), free, "behind-a-result");
  // The id stays, and somebody else's key comes.
  test::Pki same;
  RepeatedTable swapped(same);
  swapped.batch->void_next(swapped.dice);
  test::Panel others;
  others.join(first_seat, "of somebody else");
  swapped.log.seat(&others);
  repeated_refused(VerifyErrc::contributor_dropped, swapped.drawn(), same, "another-key");
  // Two persons let a round go on whose seat has lost its key.
  test::Pki lost;
  RepeatedTable left(lost);
  left.batch->void_next(left.dice);
  left.seats.leave(first_seat);
  left.ordered();
  repeated_told(left.drawn(), lost, "lost-key");
}

TEST(RepeatedCall, order_wrong_of_one_person_copied_old_or_of_somebody_else) {
  const auto told = [](const OrderLie& lie, const std::string& name) {
    test::Pki pki;
    RepeatedTable scene(pki, 0);
    scene.voided({first_seat});
    scene.ordered(lie);
    repeated_refused(VerifyErrc::order_wrong, scene.drawn(), pki, name);
  };
  told({.order = [](CallOrder& order, const test::Panel&) { order.by[1] = order.by[0]; }},
       "one-person");
  told({.order =
            [](CallOrder& order, const test::Panel&) {
              order.by[1] = {"urn:talla:officer", order.by[0].key, order.by[0].signature};
            }},
       "one-key");
  told({.order =
            [](CallOrder& order, const test::Panel& persons) {
              const Bytes statement = order_statement("casino.example/talla-2", "batch-1", {});
              order.by[1].signature = persons.sign(officer, statement);
            }},
       "another-log");
  told({.order =
            [](CallOrder& order, const test::Panel& persons) {
              for (auto& one : order.by)
                one.signature = persons.sign(
                    one.id, order_statement(test::story_origin, "round-99", order.head));
            }},
       "another-round");
  told({.order =
            [](CallOrder& order, const test::Panel& persons) {
              order.head[0] ^= 1U;
              for (auto& one : order.by)
                one.signature = persons.sign(
                    one.id, order_statement(test::story_origin, "batch-1", order.head));
            }},
       "no-head");
  told({.access = [](AccessBody& step) { step.what = "call-again.asked"; }}, "not-confirmed");
  told({.access = [](AccessBody& step) { step.refused = true; }}, "withdrawn");
  told({.access = [](AccessBody& step) { step.object = "batch-99"; }}, "access-of-another");
  told({.access = [](AccessBody& step) { step.by.pop_back(); }}, "access-of-one");
  told({.access = [](AccessBody& step) { step.order->head[0] ^= 1U; }}, "access-at-another-head");
  told({.client = [](Client& client) { client.spki[0] ^= 1U; }}, "access-of-another-key");
}

/// An order serves one CALL: what happened since is what nobody ordered.
TEST(RepeatedCall, order_wrong_of_an_order_that_served_before) {
  test::Pki pki;
  RepeatedTable scene(pki, 0);
  scene.voided({first_seat});
  scene.ordered();
  const auto used = scene.log.ordered;
  repeated_told(scene.drawn(), pki, "first-use");
  scene.log.ordered = used;
  repeated_refused(VerifyErrc::order_wrong, scene.drawn(), pki, "second-use");
}

/// A call behind the limit cites its ACCESS, and the file holds it.
TEST(RepeatedCall, order_wrong_without_its_ACCESS) {
  test::Pki pki;
  RepeatedTable scene(pki, 0);
  scene.voided({first_seat});
  scene.ordered();
  Bundle bundle = scene.drawn();
  std::erase_if(bundle.records, [&](const BundleRecord& one) {
    return one.record.find(R"("kind":"ACCESS")") != std::string::npos;
  });
  repeated_refused(VerifyErrc::order_wrong, bundle, pki, "not-there");
  test::Pki other;
  RepeatedTable silent(other, 0);
  silent.voided({first_seat});
  silent.ordered({.cited = false});
  const auto verdict = verify_bundle(format_bundle(silent.drawn()), other.roots_pem());
  ASSERT_FALSE(verdict);
  EXPECT_TRUE(verdict.error().is(VerifyErrc::head_wrong)) << verdict.error().text();
}

/// What had been opened when two persons voided a draw stands in the VOID.
TEST(VoidedContribution, PROTOCOL_5_openings_stand_in_it_and_the_outcome_where_they_are_all) {
  using Seats = std::vector<std::string>;
  for (const Seats& opened : {Seats{}, Seats{first_seat}, Seats{first_seat, other_seat}}) {
    test::Pki pki;
    RepeatedTable scene(pki);
    const auto seq = scene.batch->void_next(scene.dice, opened);
    const auto said = VoidBody::from_json(scene.log.record(seq).body);
    ASSERT_TRUE(said);
    EXPECT_EQ(said->outcome.has_value(), opened.size() == 2);
    repeated_told(scene.upto(seq), pki, "opened-" + std::to_string(opened.size()));
  }
}

TEST(VoidedContribution, openings_that_are_hidden_changed_or_of_others_are_refused) {
  const auto told = [](VerifyErrc errc, const std::string& name, auto change,
                       const std::vector<std::string>& opened = {first_seat, other_seat}) {
    test::Pki same;
    RepeatedTable lying(same, 1, {Kind::void_call, 0, body<VoidBody>(change)});
    const auto seq = lying.batch->void_next(lying.dice, opened);
    repeated_refused(errc, lying.upto(seq), same, name);
  };
  told(VerifyErrc::wrong_mapping, "outcome-hidden", [](VoidBody& body) { body.outcome.reset(); });
  told(VerifyErrc::outcome_undue, "opening-hidden",
       [](VoidBody& body) { body.openings.pop_back(); });
  told(VerifyErrc::wrong_mapping, "another-outcome",
       [](VoidBody& body) { body.outcome->values[0] = body.outcome->values[0] % 6 + 1; });
  told(VerifyErrc::commit_mismatch, "another-number",
       [](VoidBody& body) { body.openings[0].value[0] ^= 1U; });
  told(VerifyErrc::opening_signature, "unsigned",
       [](VoidBody& body) { body.openings[0].signature[9] ^= 1U; });
  told(VerifyErrc::openings_count, "stranger",
       [](VoidBody& body) { body.openings[0].id = "seat-0"; }, {first_seat});
}

/// Who ordered a VOID stands in its ACCESS, which the file holds.
TEST(VoidedCall, void_order_of_others_than_those_who_signed_or_without_them) {
  test::Pki pki;
  RepeatedTable lying(pki, 1, {Kind::void_call, 0, body<VoidBody>([](VoidBody& body) {
                                 body.by = {"urn:talla:anna", "urn:talla:bruno"};
                               })});
  const auto invented = lying.batch->void_next(lying.dice);
  repeated_refused(VerifyErrc::void_order, lying.upto(invented), pki, "invented");
  test::Pki other;
  RepeatedTable silent(other);
  const auto seq = silent.batch->void_next(silent.dice);
  for (const std::string step : {"draw-void.asked", "draw-void.confirmed"}) {
    Bundle bundle = silent.upto(seq);
    std::erase_if(bundle.records, [&](const BundleRecord& one) {
      return one.record.find(step) != std::string::npos;
    });
    repeated_refused(VerifyErrc::void_order, bundle, other, "without-" + step);
  }
  repeated_told(silent.upto(seq), other, "by-two");
}

/// A new batch or shoe for the same round, or a commitment beside it, leaves the order as it is.
TEST(RepeatedCall, an_order_outlives_commitments_and_nothing_else) {
  test::Pki pki;
  RepeatedTable scene(pki, 0);
  scene.voided({first_seat});
  scene.ordered();
  const test::Batch beside(scene.log, scene.table, 4, scene.context);
  repeated_told(scene.drawn(), pki, "committed-beside");
  test::Pki moved;
  RepeatedTable other(moved, 0);
  other.voided({first_seat});
  other.ordered();
  const auto kept = std::exchange(other.log.ordered, nullptr);
  test::Batch second(other.log, other.table, 4, other.context);
  second.draw(other.dice);
  other.log.ordered = kept;
  repeated_refused(VerifyErrc::order_wrong, other.drawn(), moved, "drawn-beside");
}

}  // namespace
}  // namespace talla::certs
