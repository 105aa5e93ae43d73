// Goal: what a call binds (FORMAT section 8): one core a turn, of the table's key, over the state
//   of the table that it names, before its result and before anything that waits for it.
// Method: well-signed logs with one lie each: whoever lies has the table's key and signs again, the
//   results follow from the lie, links and proofs hold. Every one goes to the other verifiers too
//   (TALLA_LIES), named by the code that refuses it.
#include <gtest/gtest.h>

#include <algorithm>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "lies.hpp"
#include "story.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

using test::Batch;
using test::LogBuilder;

void call_refused_by(VerifyErrc errc, const Bundle& bundle, const test::Pki& pki,
                     const std::string& name) {
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  ASSERT_FALSE(verdict) << name;
  EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  keep_coded(errc, name, format_bundle(bundle));
}

/// Changes the core of a call; it is signed again.
std::function<void(Record&)> core(const std::function<void(CallCore&)>& change) {
  return body<CallBody>([change](CallBody& body) { change(body.core); });
}

struct CallLie {
  const char* what;
  VerifyErrc errc;
  Kind kind;
  std::size_t occurrence;
  std::function<void(Record&)> change;
};
test::SceneOptions told_call(const CallLie& lie) {
  return {.tamper = {lie.kind, lie.occurrence, lie.change}, .context = {}};
}
std::string call_lie_name(const testing::TestParamInfo<CallLie>& named) {
  return named.param.what;
}

class WrongCallOfDraws : public testing::TestWithParam<CallLie> {};
TEST_P(WrongCallOfDraws, is_refused) {
  test::Pki pki;
  call_refused_by(GetParam().errc, test::draw_scene(pki, told_call(GetParam())).drawn, pki,
                  std::string("draw-") + GetParam().what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5b, WrongCallOfDraws,
    testing::Values(CallLie{"a_turn_skipped", VerifyErrc::turn_gap, Kind::call, 1,
                            core([](auto& c) { ++c.turn; })},
                    CallLie{"a_turn_again", VerifyErrc::turn_gap, Kind::call, 1,
                            core([](auto& c) { --c.turn; })},
                    CallLie{"another_signature", VerifyErrc::call_signature, Kind::call, 1,
                            body<CallBody>([](auto& b) { b.signature[63] ^= 1; })},
                    CallLie{"nobody_signed", VerifyErrc::call_signature, Kind::call, 0,
                            body<CallBody>([](auto& b) { b.signature.fill(0); })},
                    CallLie{"of_another_client", VerifyErrc::call_signature, Kind::call, 0,
                            [](Record& r) { r.client->id = "urn:talla:other"; }},
                    CallLie{"of_nobody", VerifyErrc::call_signature, Kind::call, 0,
                            [](Record& r) { r.client.reset(); }},
                    CallLie{"another_head", VerifyErrc::head_wrong, Kind::call, 1,
                            core([](auto& c) { c.head[0] ^= 1; })},
                    CallLie{"cites_nothing", VerifyErrc::head_wrong, Kind::call, 1,
                            [](Record& r) { r.cites.clear(); }},
                    CallLie{"cites_the_call_before", VerifyErrc::head_wrong, Kind::call, 1,
                            [](Record& r) { --r.cites[0]; }},
                    CallLie{"cites_two", VerifyErrc::head_wrong, Kind::call, 1,
                            [](Record& r) { r.cites.insert(r.cites.begin(), r.cites[0] - 1); }},
                    CallLie{"another_origin", VerifyErrc::core_mismatch, Kind::call, 0,
                            core([](auto& c) { c.origin = "casino.example/talla-2"; })},
                    CallLie{"another_table", VerifyErrc::core_mismatch, Kind::call, 0,
                            core([](auto& c) { c.table = "table-0"; })},
                    CallLie{"another_batch", VerifyErrc::core_mismatch, Kind::call, 0,
                            core([](auto& c) { c.object = "batch-0"; })},
                    CallLie{"another_game", VerifyErrc::core_mismatch, Kind::call, 0,
                            core([](auto& c) { c.game = "craps"; })},
                    CallLie{"another_variant", VerifyErrc::core_mismatch, Kind::call, 0,
                            core([](auto& c) { c.variant = "fast"; })},
                    CallLie{"another_catalogue", VerifyErrc::core_mismatch, Kind::call, 0,
                            core([](auto& c) { c.catalogue[0] ^= 1; })},
                    CallLie{"other_parameters", VerifyErrc::core_mismatch, Kind::call, 0,
                            core([](auto& c) { c.parameters[0] ^= 1; })},
                    CallLie{"another_root", VerifyErrc::root_unknown, Kind::call, 1,
                            core([](auto& c) { c.root[0] ^= 1; })},
                    CallLie{"outcome_of_another_call", VerifyErrc::wrong_mapping, Kind::draw, 1,
                            body<DrawBody>([](auto& b) {
                              b.outcome.values[0] = 7 - b.outcome.values[0];
                            })},
                    CallLie{"answers_another_request", VerifyErrc::request_other, Kind::draw, 1,
                            [](Record& r) { r.key = "another"; }},
                    CallLie{"call_not_cited", VerifyErrc::call_uncited, Kind::draw, 1,
                            [](Record& r) { r.cites.clear(); }},
                    CallLie{"key_of_nobody", VerifyErrc::table_key, Kind::table_open, 0,
                            body<TableOpenBody>([](auto& b) { b.key.back() ^= 1; })},
                    CallLie{"key_cut_short", VerifyErrc::table_key, Kind::table_open, 0,
                            body<TableOpenBody>([](auto& b) { b.key.pop_back(); })},
                    CallLie{"certificate_damaged", VerifyErrc::table_key, Kind::table_open, 0,
                            body<TableOpenBody>([](auto& b) { b.chain[0].push_back(0); })},
                    CallLie{"opened_by_nobody", VerifyErrc::table_key, Kind::table_open, 0,
                            [](Record& r) { r.client.reset(); }},
                    CallLie{"opened_with_another_key", VerifyErrc::table_key, Kind::table_open, 0,
                            [](Record& r) { r.client->spki[0] ^= 1; }}),
    call_lie_name);

class WrongCallOfMixes : public testing::TestWithParam<CallLie> {};
TEST_P(WrongCallOfMixes, is_refused) {
  test::Pki pki;
  call_refused_by(GetParam().errc, test::again_scene(pki, {}, told_call(GetParam())), pki,
                  std::string("mix-") + GetParam().what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5b, WrongCallOfMixes,
    testing::Values(
        CallLie{"a_turn_skipped", VerifyErrc::turn_gap, Kind::call, 2,
                core([](auto& c) { ++c.turn; })},
        CallLie{"the_root_before", VerifyErrc::root_unknown, Kind::call, 1,
                core([](auto& c) { c.root[31] ^= 1; })},
        CallLie{"cards_dealt", VerifyErrc::mix_at, Kind::call, 1, core([](auto& c) { c.at = 1; })},
        CallLie{"fewer_places", VerifyErrc::core_mismatch, Kind::call, 0, core([](auto& c) {
                  c.specification = MixSpecification{1, 51};
                })},
        CallLie{"without_its_call", VerifyErrc::mix_early, Kind::shoe_mix, 1,
                body<ShoeMixBody>([](auto& b) { --b.call; })}),
    call_lie_name);

/// A table of a client that settles itself, with a batch of four.
struct DrawTable {
  explicit DrawTable(test::Pki& pki) : log(pki) {
    table =
        test::open_client_table(log, context, json::Object{{"range", specification_json(range)}});
    batch.emplace(log, table, 4, context);
  }
  Bundle upto(std::uint64_t claim) { return log.select({claim, {table}, {}, {}}); }
  LogBuilder log;
  Context context = test::story_context({});
  DrawSpecification range = DiceDraw{2, 6};
  std::string table;
  std::optional<Batch> batch;
};

TEST(OpenCall, turn_open_for_a_second_call) {
  test::Pki pki;
  DrawTable scene(pki);
  scene.batch->call(scene.range);
  const auto drawn = scene.batch->draw(scene.range);
  call_refused_by(VerifyErrc::turn_open, scene.upto(drawn), pki, "two-calls");
}

TEST(OpenCall, turn_open_for_the_close_of_its_batch) {
  test::Pki pki;
  DrawTable scene(pki);
  scene.batch->call(scene.range);
  call_refused_by(VerifyErrc::turn_open, scene.upto(scene.batch->close()), pki, "batch-closed");
}

TEST(OpenCall, turn_open_for_what_is_decided_in_its_round_or_ends_it) {
  for (const Kind kind : {Kind::action, Kind::hand_confirmed, Kind::round_end}) {
    test::Pki pki;
    DrawTable scene(pki);
    RoundOpenBody opened;
    opened.table = scene.table;
    const auto round =
        object_id("round", scene.log.add({Kind::round_open, "", opened.to_json(), {0}}));
    BetsClosedBody bets;
    bets.digest = bets_digest(scene.log.hashes, json::Array{});
    scene.log.add({Kind::bets_closed, round, bets.to_json(), {}});
    Batch other(scene.log, scene.table, 2, scene.context);
    scene.batch->call(scene.range);
    ActionBody timed_out;
    timed_out.time_out = true;
    const json::Value body = kind == Kind::action ? timed_out.to_json()
                             : kind == Kind::hand_confirmed
                                 ? HandConfirmedBody{}.to_json()
                                 : RoundEndBody{{}, 0, scene.log.counts(scene.table)}.to_json();
    scene.log.add({kind, round, body, {}});
    call_refused_by(VerifyErrc::turn_open, scene.upto(other.close()), pki,
                    "round-" + std::string(kind_name(kind)));
  }
}

TEST(OpenCall, another_batch_may_end_beside_it) {
  test::Pki pki;
  DrawTable scene(pki);
  Batch other(scene.log, scene.table, 2, scene.context);
  scene.batch->call(scene.range);
  const Bundle bundle = scene.upto(other.close());
  EXPECT_TRUE(verify_bundle(format_bundle(bundle), pki.roots_pem()));
  keep_lie("true_chain-batch-beside-call.talla", format_bundle(bundle));
}

struct ShoeTable {
  explicit ShoeTable(test::Pki& pki) : log(pki) {
    table = test::open_client_table(log, context, json::Object{{"deck", "french52x1"}});
    shoe.emplace(log, table, test::ShoePlan{"french52x1", 1, 0, context});
  }
  Bundle upto(std::uint64_t claim) { return log.select({claim, {table}, {}, {}}); }
  LogBuilder log;
  Context context = test::story_context({});
  std::string table;
  std::optional<test::Shoe> shoe;
};

TEST(WrongMix, mix_twice_of_one_root) {
  test::Pki pki;
  ShoeTable scene(pki);
  scene.shoe->mix();
  scene.shoe->mix();
  scene.shoe->deal("seat-1", Face::open, {});
  call_refused_by(VerifyErrc::mix_twice, scene.upto(scene.log.next_seq() - 1), pki, "one-root");
}

TEST(WrongMix, turn_open_when_the_shoe_closes_under_its_call) {
  test::Pki pki;
  ShoeTable scene(pki);
  scene.shoe->call_mix();
  call_refused_by(VerifyErrc::turn_open, scene.upto(scene.shoe->close()), pki, "shoe-closed");
}

TEST(WrongMix, mix_missing_before_an_order_is_given_away) {
  test::Pki pki;
  ShoeTable scene(pki);
  scene.shoe->release();
  scene.shoe->mix();
  scene.shoe->report();
  call_refused_by(VerifyErrc::mix_missing, scene.upto(scene.shoe->close()), pki, "released");
}

TEST(WrongMix, mix_missing_behind_a_shuffle) {
  test::Pki pki;
  ShoeTable scene(pki);
  scene.shoe->mix();
  scene.shoe->deal("seat-1", Face::open, {});
  scene.shoe->shuffle_again({{0}, {}});
  scene.shoe->deal_unmixed("seat-1");
  call_refused_by(VerifyErrc::mix_missing, scene.upto(scene.log.next_seq() - 1), pki, "again");
}

/// The verdict says how far the word of the table goes.
TEST(CallVerdict, names_the_key_and_for_whom_the_outcome_is_uniform) {
  test::Pki pki;
  const Verdict verdict = judged(test::draw_scene(pki).drawn, pki);
  const auto says = [](const std::vector<std::string>& lines, const std::string& words) {
    return std::ranges::any_of(
        lines, [&](const std::string& line) { return line.find(words) != std::string::npos; });
  };
  const std::string key = to_hex(test::LogBuilder(pki).client_spki());
  EXPECT_TRUE(says(verdict.checked, "each of 2 calls is signed by the key " + key));
  EXPECT_TRUE(says(verdict.checked, "uniform if the appliance or that key was honest"));
  EXPECT_TRUE(says(verdict.not_checked, "whether urn:talla:table-1 is whose key " + key + " is"));
}

}  // namespace
}  // namespace talla::certs
