// Goal: contributors beside the table (FORMAT section 8): their numbers are in the result, each was
//   fixed before the call and is signed by its key; nobody is named twice, counts wrongly, is left
//   out in silence, or is said to be late before the time is up.
// Method: true logs with two contributors, and well-signed lies of an appliance and a table that
//   work together: cores are signed again and results follow from the lie. Every file goes to the
//   other verifiers too (TALLA_LIES), named by the code that refuses it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "lies.hpp"
#include "story.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

using test::Batch;
using test::LogBuilder;

constexpr const char* partner_id = "partner-1";
constexpr const char* seat_id = "seat-1";

/// A client's table for two dice with a seat and a partner, who take part unless they leave.
struct PanelTable {
  explicit PanelTable(test::Pki& pki, test::Tamper tamper = {}, json::Value parameters = {})
      : log(pki, std::move(tamper)) {
    people.join(partner_id, "of the partner");
    people.join(seat_id, "of the seat");
    log.seat(&people);
    if (!parameters.is_object()) parameters = json::Object{{"range", specification_json(dice)}};
    table = test::open_client_table(log, context, std::move(parameters));
  }
  Batch& batch() {
    if (!batch_) batch_.emplace(log, table, 8, context);
    return *batch_;
  }
  test::Shoe& shoe() {
    if (!shoe_) shoe_.emplace(log, table, test::ShoePlan{"french52x1", 1, 0, context});
    return *shoe_;
  }
  Bundle upto(std::uint64_t claim) { return log.select({claim, {table}, {}, {}}); }
  Bundle drawn(int times = 1) {
    std::uint64_t seq = 0;
    for (int i = 0; i < times; ++i) seq = batch().draw(dice);
    return upto(seq);
  }
  Digest key(const char* id) const { return log.hashes.sha256({people.key(id)}); }
  test::Panel people;
  LogBuilder log;
  Context context = test::story_context({});
  DrawSpecification dice = DiceDraw{2, 6};
  std::string table;

 private:
  std::optional<Batch> batch_;
  std::optional<test::Shoe> shoe_;
};

bool line_of(const std::vector<std::string>& lines, const std::string& words) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

Verdict panel_told(const Bundle& bundle, const test::Pki& pki, const std::string& name) {
  keep_lie("true_chain-contributors-" + name + ".talla", format_bundle(bundle));
  return judged(bundle, pki);
}

void panel_refused_by(VerifyErrc errc, const Bundle& bundle, const test::Pki& pki,
                      const std::string& name) {
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  ASSERT_FALSE(verdict) << name;
  EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  keep_coded(errc, "contributors-" + name, format_bundle(bundle));
}

/// The other verifiers are asked for the same key: it stands beside the file.
bool mine(const Bundle& bundle, const test::Pki& pki, const Digest& key, const char* name) {
  const auto keep = [&](const std::string& front) {
    const std::string file = front + "-contributors-" + name;
    keep_lie(file + ".talla", format_bundle(bundle));
    keep_lie(file + ".mine", to_hex(key));
  };
  VerifyOptions options;
  options.mine = key;
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem(), options);
  keep(verdict ? "true_chain" : "chain-not_mine");
  if (verdict) return line_of(verdict->checked, to_hex(key) + " that you named");
  EXPECT_TRUE(verdict.error().is(VerifyErrc::not_mine)) << verdict.error().text();
  return false;
}

TEST(Contributors, PROTOCOL_5b_of_draws_are_named_in_the_verdict_with_their_keys) {
  test::Pki pki;
  PanelTable scene(pki);
  const Bundle bundle = scene.drawn(3);
  const Verdict verdict = panel_told(bundle, pki, "draws");
  const std::string names = "partner-1 (key " + to_hex(scene.key(partner_id)) + "), seat-1 (key " +
                            to_hex(scene.key(seat_id)) + ")";
  EXPECT_TRUE(line_of(verdict.checked, "one of these was honest"));
  EXPECT_TRUE(
      line_of(verdict.checked, names + "; repetitions before, as far as this file shows: 0"));
  EXPECT_TRUE(line_of(verdict.not_checked, "whose keys those are that contributed: " + names));
  EXPECT_FALSE(line_of(verdict.not_checked, "without the numbers of these"));
}

/// One number changes the outcome: it is an input, not only an ornament.
TEST(Contributors, PROTOCOL_5b_numbers_are_inputs_of_the_outcome_of_a_draw) {
  std::set<std::vector<std::uint32_t>> outcomes;
  for (int secret = 0; secret < 8; ++secret) {
    test::Pki pki;
    PanelTable scene(pki);
    scene.people.lie = [&](const CallCore&, std::vector<CallOpening>& opened) {
      opened[1].value[0] = static_cast<std::uint8_t>(secret);
    };
    const Bundle bundle = scene.drawn();
    const auto drawn = DrawBody::from_json(scene.log.record(bundle.claim).body);
    ASSERT_TRUE(drawn);
    outcomes.insert(drawn->outcome.values);
  }
  EXPECT_GT(outcomes.size(), 3U);
}

TEST(Contributors, PROTOCOL_5b_of_mixes_are_in_the_order_of_dealing) {
  test::Pki pki;
  PanelTable scene(pki, {}, json::Object{{"deck", "french52x1"}});
  scene.shoe().mix();
  scene.shoe().deal("seat-1", Face::open, {});
  const Bundle dealt = scene.upto(scene.log.next_seq() - 1);
  EXPECT_TRUE(mine(dealt, pki, scene.key(seat_id), "mine-dealt"));
  scene.shoe().shuffle_again({{0}, {}});
  scene.people.leave(seat_id);
  scene.shoe().mix();
  scene.shoe().deal("seat-1", Face::open, {});
  const Bundle again = scene.upto(scene.shoe().close());
  const Verdict verdict = panel_told(again, pki, "mixes");
  // One of two orders is without the seat's number.
  EXPECT_TRUE(line_of(verdict.not_checked,
                      "without the numbers of these, whom a call had named: "
                      "seat-1"));
  EXPECT_FALSE(mine(again, pki, scene.key(seat_id), "mine-mixes-seat"));
  EXPECT_TRUE(mine(again, pki, scene.key(partner_id), "mine-mixes-partner"));
}

TEST(Contributors, an_own_key_is_told_by_its_digest_or_by_itself) {
  test::Pki pki;
  PanelTable scene(pki);
  const Bytes& key = scene.people.key(seat_id);
  const Digest digest = scene.key(seat_id);
  EXPECT_EQ(own_key_of(to_hex(digest)), digest);
  EXPECT_EQ(own_key_of(as_text(key)), digest);
  EXPECT_EQ(
      own_key_of("-----BEGIN PUBLIC KEY-----\n" + to_base64(key) + "\n-----END PUBLIC KEY-----\n"),
      digest);
  for (const std::string& none : {std::string(), std::string("seat-1"), to_hex(digest) + "00",
                                  std::string(as_text(key).substr(1))})
    EXPECT_FALSE(own_key_of(none)) << none;
}

/// A result that nobody of them has a part in, and a key that is none of theirs.
TEST(Contributors, not_mine_where_a_key_has_no_part_in_what_the_claim_rests_on) {
  test::Pki pki;
  PanelTable scene(pki);
  EXPECT_FALSE(mine(scene.drawn(), pki, scene.log.client_spki(), "mine-of-nobody"));
  EXPECT_TRUE(mine(scene.drawn(), pki, scene.key(seat_id), "mine-drawn"));
  scene.people.leave(seat_id);
  const Bundle without = scene.drawn();
  EXPECT_FALSE(mine(without, pki, scene.key(seat_id), "mine-left"));
  EXPECT_TRUE(mine(without, pki, scene.key(partner_id), "mine-stays"));
  EXPECT_FALSE(mine(scene.upto(0), pki, scene.key(partner_id),
                    "mine-opening"));  // TABLE_OPEN rests on no result
  VerifyOptions options;
  options.mine = scene.key(partner_id);
  const auto receipt = verify_receipt("", "", "", options);
  ASSERT_FALSE(receipt);
  EXPECT_TRUE(receipt.error().is(VerifyErrc::not_mine)) << "a receipt rests on no result";
  // What is said of the whole batch rests on each of its draws.
  const Bundle closed = scene.upto(scene.batch().close());
  EXPECT_FALSE(mine(closed, pki, scene.key(seat_id), "mine-batch-seat"));
  EXPECT_TRUE(mine(closed, pki, scene.key(partner_id), "mine-batch-partner"));
}

/// Who opens nothing is named, is counted, and stands as dropped when the next call goes without.
TEST(Contributors, PROTOCOL_5b_withheld_numbers_count_as_a_repetition_and_are_named_as_dropped) {
  test::Pki pki;
  PanelTable scene(pki);
  const Bundle given_up = scene.upto(scene.batch().withheld(scene.dice, {seat_id}));
  const Verdict ended = panel_told(given_up, pki, "withheld");
  EXPECT_TRUE(line_of(ended.not_checked, "seat-1 (key " + to_hex(scene.key(seat_id)))) << "dropped";
  scene.people.leave(seat_id);
  const Bundle without = scene.drawn();
  const Verdict verdict = panel_told(without, pki, "dropped");
  EXPECT_TRUE(line_of(verdict.checked, "repetitions before, as far as this file shows: 1"));
  EXPECT_TRUE(line_of(verdict.not_checked,
                      "whom a call had named: seat-1 (key " + to_hex(scene.key(seat_id)) + ")"));
  EXPECT_FALSE(mine(without, pki, scene.key(seat_id), "mine-dropped"));
  // It comes back, with the next count of its own: the VOID had spent one.
  scene.people.join(seat_id, "of the seat");
  const Bundle back = scene.drawn();
  EXPECT_TRUE(line_of(panel_told(back, pki, "back").checked, "seat-1 (key"));
  EXPECT_TRUE(mine(back, pki, scene.key(seat_id), "mine-back"));
}

TEST(Contributors, PROTOCOL_5b_a_shoe_stays_when_the_numbers_of_its_mix_are_withheld) {
  test::Pki pki;
  PanelTable scene(pki, {}, json::Object{{"deck", "french52x1"}});
  const Bundle given_up = scene.upto(scene.shoe().withheld({partner_id, seat_id}));
  panel_told(given_up, pki, "mix-withheld");
  scene.people.leave(partner_id);
  scene.shoe().mix();
  scene.shoe().deal("seat-1", Face::open, {});
  const Bundle bundle = scene.upto(scene.shoe().close());
  const Verdict verdict = panel_told(bundle, pki, "mix-again");
  EXPECT_TRUE(
      line_of(verdict.checked,
              "repetitions before, as far as this file shows: 1"));  // the close is the claim
  EXPECT_TRUE(line_of(verdict.not_checked, "whom a call had named: partner-1"));
}

TEST(Contributors, PROTOCOL_5b_a_core_that_lapsed_has_spent_their_counts_whatever_it_says_wrongly) {
  test::Pki pki;
  PanelTable scene(pki, {Kind::table_open, 0,
                         body<TableOpenBody>([](auto& open) { open.policy.max_voids = 2; })});
  scene.batch().lapse(scene.dice, [](CallCore& core) { core.head[0] ^= 1; });
  scene.batch().lapse(scene.dice, [](CallCore& core) {
    core.head[0] ^= 1;
    core.others[1].t = 77;  // the next of the other one is spent alone
  });
  scene.people.leave(seat_id);
  const Bundle bundle = scene.drawn();
  EXPECT_TRUE(line_of(panel_told(bundle, pki, "lapsed").checked,
                      "repetitions before, as far as this file shows: 2"));
}

TEST(Contributors, an_order_of_two_persons_ends_a_call_whose_numbers_nobody_knows) {
  test::Pki pki;
  PanelTable scene(pki);
  const Bundle ended = scene.upto(scene.batch().void_next(scene.dice));
  const Verdict verdict = panel_told(ended, pki, "ordered");
  EXPECT_NE(verdict.claim_text.find("nobody can know"), std::string::npos) << verdict.claim_text;
}

struct PanelLie {
  const char* what;
  VerifyErrc errc;
  std::function<void(PanelTable&, CallCore&)> change;
};
std::string panel_lie_name(const testing::TestParamInfo<PanelLie>& named) {
  return named.param.what;
}

/// The second of three cores says something wrong of those who contribute.
class WrongContributors : public testing::TestWithParam<PanelLie> {};
TEST_P(WrongContributors, are_refused) {
  test::Pki pki;
  PanelTable* told = nullptr;
  const auto change = body<CallBody>([&](CallBody& body) { GetParam().change(*told, body.core); });
  PanelTable scene(pki, {Kind::call, 1, change});
  told = &scene;
  panel_refused_by(GetParam().errc, scene.drawn(3), pki, GetParam().what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5b, WrongContributors,
    testing::Values(PanelLie{"in_another_order", VerifyErrc::others_order,
                             [](PanelTable&, CallCore& c) { std::swap(c.others[0], c.others[1]); }},
                    PanelLie{"one_twice", VerifyErrc::duplicate,
                             [](PanelTable&, CallCore& c) { c.others.push_back(c.others[1]); }},
                    PanelLie{"one_key_for_two", VerifyErrc::duplicate,
                             [](PanelTable&, CallCore& c) { c.others[1].key = c.others[0].key; }},
                    PanelLie{"one_id_for_two", VerifyErrc::duplicate,
                             [](PanelTable&, CallCore& c) { c.others[1].id = c.others[0].id; }},
                    // The table would be its own second party.
                    PanelLie{"the_table_itself", VerifyErrc::duplicate,
                             [](PanelTable& told, CallCore& c) {
                               const auto open = TableOpenBody::from_json(
                                   told.log.record(*object_seq("table", told.table)).body);
                               c.others[1].key = open->key;
                             }},
                    // A number of one seat would stand for that of another.
                    PanelLie{"the_key_of_another_before", VerifyErrc::duplicate,
                             [](PanelTable&, CallCore& c) { c.others[1].id = "seat-2"; }},
                    PanelLie{"a_count_skipped", VerifyErrc::t_gap,
                             [](PanelTable&, CallCore& c) { ++c.others[1].t; }},
                    // A number that everybody has seen already would be used again.
                    PanelLie{"a_count_again", VerifyErrc::t_gap,
                             [](PanelTable&, CallCore& c) { --c.others[0].t; }},
                    PanelLie{"a_newcomer_who_counts_from_two", VerifyErrc::t_gap,
                             [](PanelTable& told, CallCore& c) {
                               told.people.join("seat-2", "of another seat");
                               c.others.push_back({"seat-2", told.people.key("seat-2"), 2, {}});
                               told.people.leave("seat-2");
                             }},
                    PanelLie{"another_commitment", VerifyErrc::commit_mismatch,
                             [](PanelTable&, CallCore& c) { c.others[1].commit[0] ^= 1; }},
                    // A commitment binds the id: who copies it has nothing that opens it.
                    PanelLie{
                        "the_commitment_of_another", VerifyErrc::commit_mismatch,
                        [](PanelTable&, CallCore& c) { c.others[1].commit = c.others[0].commit; }}),
    panel_lie_name);

struct OpeningLie {
  const char* what;
  VerifyErrc errc;
  std::function<void(PanelTable&, const CallCore&, std::vector<CallOpening>&)> change;
};
std::string opening_lie_name(const testing::TestParamInfo<OpeningLie>& named) {
  return named.param.what;
}

/// What was opened is not what was to be opened; the outcome follows from it.
class WrongContributions : public testing::TestWithParam<OpeningLie> {};
TEST_P(WrongContributions, are_refused_of_a_draw) {
  test::Pki pki;
  PanelTable scene(pki);
  scene.batch().draw(scene.dice);
  scene.people.lie = [&](const CallCore& core, std::vector<CallOpening>& opened) {
    GetParam().change(scene, core, opened);
  };
  panel_refused_by(GetParam().errc, scene.drawn(), pki, std::string("draw-") + GetParam().what);
}
TEST_P(WrongContributions, are_refused_of_a_mix) {
  test::Pki pki;
  PanelTable scene(pki, {}, json::Object{{"deck", "french52x1"}});
  scene.people.lie = [&](const CallCore& core, std::vector<CallOpening>& opened) {
    GetParam().change(scene, core, opened);
  };
  scene.shoe().mix();
  scene.shoe().deal("seat-1", Face::open, {});
  panel_refused_by(GetParam().errc, scene.upto(scene.log.next_seq() - 1), pki,
                   std::string("mix-") + GetParam().what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5b, WrongContributions,
    testing::Values(
        // Who opens last has seen the others' numbers and would like another one of its own.
        OpeningLie{"another_number", VerifyErrc::commit_mismatch,
                   [](PanelTable& told, const CallCore& core, std::vector<CallOpening>& opened) {
                     opened[1].value[0] ^= 1;
                     opened[1].signature = told.people.sign(told.log.hashes, seat_id, core,
                                                            core.others[1].t, opened[1].value);
                   }},
        OpeningLie{"in_another_order", VerifyErrc::commit_mismatch,
                   [](PanelTable&, const CallCore&, std::vector<CallOpening>& opened) {
                     std::swap(opened[0], opened[1]);
                   }},
        OpeningLie{"signed_by_another", VerifyErrc::opening_signature,
                   [](PanelTable&, const CallCore&, std::vector<CallOpening>& opened) {
                     opened[1].signature = opened[0].signature;
                   }},
        OpeningLie{"signed_by_nobody", VerifyErrc::opening_signature,
                   [](PanelTable&, const CallCore&, std::vector<CallOpening>& opened) {
                     opened[0].signature.fill(0);
                   }},
        // The appliance calls twice with one number: its owner signed another core.
        OpeningLie{"given_for_another_call", VerifyErrc::opening_signature,
                   [](PanelTable& told, const CallCore& core, std::vector<CallOpening>& opened) {
                     CallCore other = core;
                     other.value[0] ^= 1;
                     opened[1].signature = told.people.sign(told.log.hashes, seat_id, other,
                                                            core.others[1].t, opened[1].value);
                   }},
        OpeningLie{"one_left_out", VerifyErrc::openings_count,
                   [](PanelTable&, const CallCore&, std::vector<CallOpening>& opened) {
                     opened.pop_back();
                   }},
        OpeningLie{
            "all_left_out", VerifyErrc::openings_count,
            [](PanelTable&, const CallCore&, std::vector<CallOpening>& opened) { opened.clear(); }},
        // A free number behind all others would choose the outcome.
        OpeningLie{"one_too_many", VerifyErrc::openings_count,
                   [](PanelTable&, const CallCore&, std::vector<CallOpening>& opened) {
                     opened.push_back(opened[0]);
                   }}),
    opening_lie_name);

/// A free number where a call has named nobody.
TEST(WrongContribution, openings_count_where_the_table_is_alone) {
  test::Pki pki;
  PanelTable scene(pki);
  scene.people.leave(partner_id);
  scene.people.leave(seat_id);
  scene.people.lie = [](const CallCore&, std::vector<CallOpening>& opened) {
    opened.emplace_back().value.fill(7);
  };
  panel_refused_by(VerifyErrc::openings_count, scene.drawn(), pki, "alone");
}

TEST(WrongContribution, opening_signature_of_a_key_that_is_none) {
  test::Pki pki;
  PanelTable* told = nullptr;
  Digest value;
  value.fill(3);
  // The commitment is of this value, so that nothing but the key is wrong.
  const auto none = body<CallBody>([&](CallBody& body) {
    Contributor& one = body.core.others[1];
    one.key.back() ^= 1;
    one.commit = contribution_commit(told->log.hashes, told->log.opening_of(told->table), one.id,
                                     one.t, value);
  });
  PanelTable scene(pki, {Kind::call, 0, none});
  told = &scene;
  scene.people.lie = [&](const CallCore&, std::vector<CallOpening>& opened) {
    opened[1].value = value;
  };
  panel_refused_by(VerifyErrc::opening_signature, scene.drawn(), pki, "no-key");
}

/// A table cannot take back what it said of itself when it opened.
TEST(WrongContribution, required_missing_where_a_call_leaves_out_a_key_that_the_table_requires) {
  for (const bool left_out : {false, true}) {
    test::Pki pki;
    test::Panel keys;
    keys.join(partner_id, "of the partner");
    const Bytes key = keys.key(partner_id);
    const auto require =
        body<TableOpenBody>([&](TableOpenBody& open) { open.policy.required = {key}; });
    PanelTable scene(pki, {Kind::table_open, 0, require});
    scene.batch().draw(scene.dice);
    if (left_out) {
      scene.people.leave(partner_id);
      panel_refused_by(VerifyErrc::required_missing, scene.drawn(), pki, "required");
      continue;
    }
    // A core that lapsed may have lapsed for that.
    scene.log.seat(nullptr);
    scene.batch().lapse(scene.dice, {});
    scene.log.seat(&scene.people);
    scene.people.leave(seat_id);
    const Bundle bundle = scene.upto(scene.batch().withheld(scene.dice, {partner_id}));
    panel_told(bundle, pki, "required");
  }
}

/// An appliance that does not like the other numbers gives up at once.
TEST(WrongContribution, withheld_early_before_the_time_is_up) {
  for (const std::int64_t us : {-1, 0}) {
    test::Pki pki;
    PanelTable scene(pki);
    const Bundle bundle = scene.upto(scene.batch().withheld(scene.dice, {seat_id}, us));
    if (us == 0) {
      judged(bundle, pki);
    } else {
      panel_refused_by(VerifyErrc::withheld_early, bundle, pki, "at-once");
    }
  }
}

TEST(WrongContribution, missing_wrong_of_one_who_was_not_to_open) {
  test::Pki pki;
  PanelTable scene(pki);
  panel_refused_by(VerifyErrc::missing_wrong,
                   scene.upto(scene.batch().withheld(scene.dice, {"seat-1", "seat-2"})), pki,
                   "another");
  test::Pki same;
  PanelTable alone(same);
  alone.people.leave(partner_id);
  alone.people.leave(seat_id);
  panel_refused_by(VerifyErrc::missing_wrong,
                   alone.upto(alone.batch().withheld(alone.dice, {"seat-1"})), same, "nobody");
}

/// The secret of a call that was given up is opened: what was tried is seen.
TEST(WrongContribution, a_secret_is_the_committed_one_and_no_outcome_is_said_that_nobody_knows) {
  const auto told = [](VerifyErrc errc, const std::function<void(VoidBody&)>& change,
                       const std::string& name) {
    test::Pki pki;
    PanelTable scene(pki, {Kind::void_call, 0, body<VoidBody>(change)});
    const auto ended = scene.batch().void_next(scene.dice);
    panel_refused_by(errc, scene.upto(ended), pki, name);
  };
  told(
      VerifyErrc::outcome_undue,
      [](VoidBody& body) {
        body.outcome = Outcome{Outcome::Form::dice, {1, 1}};
      },
      "said");
  told(
      VerifyErrc::secret_wrong, [](VoidBody& body) { (*body.secret)[0] ^= 1; }, "secret");
}

}  // namespace
}  // namespace talla::certs
