// Goal: each step of the verification refuses its own kind of lie, also when the log that tells it
//       is well signed.
// Method: one record changed before it is logged (the tree and the signature are right), one
//         failure each.
#include <gtest/gtest.h>

#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "lies.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

struct ChangedRecord {
  Kind kind;
  std::size_t occurrence;
  std::function<void(Record&)> change;
};
test::SceneOptions with(const ChangedRecord& changed) {
  return {.tamper = {changed.kind, changed.occurrence, changed.change}, .context = {}};
}

Error refusal(const Bundle& bundle, const test::Pki& pki) {
  auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  EXPECT_FALSE(verdict);
  return verdict ? Error(VerifyErrc::unsupported_claim, "it verified") : verdict.error();
}

struct Case {
  const char* what;
  VerifyErrc errc;
  ChangedRecord changed;
};
std::string case_name(const testing::TestParamInfo<Case>& named) {
  return named.param.what;
}

class WrongShoe : public testing::TestWithParam<Case> {};
TEST_P(WrongShoe, is_refused) {
  test::Pki pki;
  const Error error = refusal(test::shoe_scene(pki, with(GetParam().changed)).closed, pki);
  EXPECT_TRUE(error.is(GetParam().errc)) << error.text();
}
INSTANTIATE_TEST_SUITE_P(
    Protocol4, WrongShoe,
    testing::Values(
        Case{"root",
             VerifyErrc::root_unknown,
             {Kind::shoe_commit, 0, body<ShoeCommitBody>([](auto& b) { b.root[0] ^= 1; })}},
        Case{"tape_mac",
             VerifyErrc::wrong_opening,
             {Kind::shoe_commit, 0, body<ShoeCommitBody>([](auto& b) { b.tape_mac[0] ^= 1; })}},
        Case{"deck",
             VerifyErrc::wrong_commitment,
             {Kind::shoe_commit, 0,
              body<ShoeCommitBody>([](auto& b) { b.deck = "french52+1jx8"; })}},
        Case{"context",
             VerifyErrc::wrong_commitment,
             {Kind::shoe_commit, 0,
              body<ShoeCommitBody>([](auto& b) { b.context.game = "craps"; })}},
        Case{"tape_digest",
             VerifyErrc::wrong_mapping,
             {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) { b.tape_digest[0] ^= 1; })}},
        Case{"mix_words",
             VerifyErrc::wrong_mapping,
             {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) { ++b.words_used; })}},
        Case{"mix_of_another_number",
             VerifyErrc::call_signature,
             {Kind::call, 0, body<CallBody>([](auto& b) { b.signature[0] ^= 1; })}},
        Case{"rejected",
             VerifyErrc::wrong_mapping,
             {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) { ++b.words_rejected; })}},
        Case{"client",
             VerifyErrc::wrong_citation,
             {Kind::shoe_mix, 0, [](Record& r) { r.client->id = "urn:talla:other"; }}},
        Case{"mix_root",
             VerifyErrc::wrong_commitment,
             {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) { b.root[0] ^= 1; })}},
        Case{
            "card", VerifyErrc::wrong_opening, {Kind::card_deal, 1, body<CardDealBody>([](auto& b) {
                                                  b.opening->card =
                                                      b.opening->card == "AS" ? "2S" : "AS";
                                                })}},
        Case{"salt",
             VerifyErrc::wrong_opening,
             {Kind::card_deal, 1, body<CardDealBody>([](auto& b) { b.opening->salt[0] ^= 1; })}},
        Case{"path",
             VerifyErrc::wrong_opening,
             {Kind::card_deal, 1, body<CardDealBody>([](auto& b) { b.opening->path[3][0] ^= 1; })}},
        Case{"leaf",
             VerifyErrc::wrong_position,
             {Kind::card_deal, 1, body<CardDealBody>([](auto& b) { b.opening->leaf ^= 1; })}},
        Case{"position",
             VerifyErrc::wrong_position,
             {Kind::card_deal, 1, body<CardDealBody>([](auto& b) { b.position = 0; })}},
        Case{"dealt",
             VerifyErrc::wrong_position,
             {Kind::shoe_close, 0, body<ShoeCloseBody>([](auto& b) { b.dealt = 9; })}},
        Case{
            "key",
            VerifyErrc::wrong_opening,
            {Kind::shoe_close, 0, body<ShoeCloseBody>([](auto& b) { b.disclosure->key[0] ^= 1; })}},
        Case{"tape",
             VerifyErrc::wrong_opening,
             {Kind::shoe_close, 0,
              body<ShoeCloseBody>([](auto& b) { b.disclosure->tape[7] ^= 1; })}},
        Case{"words",
             VerifyErrc::wrong_mapping,
             {Kind::shoe_close, 0,
              body<ShoeCloseBody>([](auto& b) { ++b.disclosure->words_used; })}},
        Case{"closed_words_rejected",
             VerifyErrc::wrong_mapping,
             {Kind::shoe_close, 0,
              body<ShoeCloseBody>([](auto& b) { ++b.disclosure->words_rejected; })}},
        Case{"kept_secret",
             VerifyErrc::wrong_opening,
             {Kind::shoe_close, 0, body<ShoeCloseBody>([](auto& b) { b.disclosure.reset(); })}},
        Case{"other_origin",
             VerifyErrc::wrong_origin,
             {Kind::card_deal, 4, [](Record& r) { r.origin = "casino.example/talla-2"; }}},
        Case{"other_number",
             VerifyErrc::link_gap,
             {Kind::card_deal, 4, [](Record& r) { r.seq += 100; }}},
        Case{"other_prev",
             VerifyErrc::link_gap,
             {Kind::card_deal, 4, [](Record& r) { r.prev = *r.prev - 1; }}},
        Case{"time",
             VerifyErrc::gap,
             {Kind::card_deal, 4, [](Record& r) { r.time_us -= 1'000'000; }}},
        Case{"other_table",
             VerifyErrc::gap,
             {Kind::shoe_commit, 0, [](Record& r) { r.body["table"] = r.table = "table-0"; }}}),
    case_name);

class WrongDraw : public testing::TestWithParam<Case> {};
TEST_P(WrongDraw, is_refused) {
  test::Pki pki;
  const Error error = refusal(test::draw_scene(pki, with(GetParam().changed)).closed, pki);
  EXPECT_TRUE(error.is(GetParam().errc)) << error.text();
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5, WrongDraw,
    testing::Values(
        Case{"root",
             VerifyErrc::root_unknown,
             {Kind::batch_commit, 0, body<BatchCommitBody>([](auto& b) { b.root[0] ^= 1; })}},
        Case{"index", VerifyErrc::wrong_position, {Kind::call, 1, body<CallBody>([](auto& b) {
                                                     b.core.at = 0;
                                                   })}},
        Case{"range",
             VerifyErrc::wrong_commitment,
             {Kind::call, 0, body<CallBody>([](auto& b) {
                b.core.specification = DrawSpecification(DiceDraw{2, 7});
              })}},
        Case{"round_that_is_not_open",
             VerifyErrc::core_mismatch,
             {Kind::call, 0, body<CallBody>([](auto& b) { b.core.round = "round-1"; })}},
        Case{"draw_index",
             VerifyErrc::wrong_commitment,
             {Kind::draw, 1, body<DrawBody>([](auto& b) { b.index = 0; })}},
        Case{"secret", VerifyErrc::wrong_opening, {Kind::draw, 0, body<DrawBody>([](auto& b) {
                                                     b.secret[0] ^= 1;
                                                   })}},
        Case{"outcome", VerifyErrc::wrong_mapping, {Kind::draw, 0, body<DrawBody>([](auto& b) {
                                                      b.outcome.values[0] = 7 - b.outcome.values[0];
                                                    })}},
        Case{"tape_digest", VerifyErrc::wrong_mapping, {Kind::draw, 0, body<DrawBody>([](auto& b) {
                                                          b.tape_digest[0] ^= 1;
                                                        })}},
        Case{"call", VerifyErrc::wrong_citation, {Kind::draw, 1, body<DrawBody>([](auto& b) {
                                                    b.call -= 2;
                                                  })}},
        Case{"void_outcome",
             VerifyErrc::wrong_mapping,
             {Kind::void_call, 0,
              body<VoidBody>([](auto& b) { b.outcome->values[0] = 7 - b.outcome->values[0]; })}},
        Case{"void_by_one",
             VerifyErrc::wrong_citation,
             {Kind::void_call, 0, body<VoidBody>([](auto& b) { b.by.pop_back(); })}},
        Case{"unopened",
             VerifyErrc::wrong_opening,
             {Kind::batch_close, 0, body<BatchCloseBody>([](auto& b) { b.secrets.clear(); })}},
        Case{"unused_secret",
             VerifyErrc::wrong_opening,
             {Kind::batch_close, 0, body<BatchCloseBody>([](auto& b) { b.secrets[0][0] ^= 1; })}}),
    case_name);

class WrongSettlement : public testing::TestWithParam<Case> {};
TEST_P(WrongSettlement, is_refused_for_spin_and_coup) {
  test::Pki pki;
  const Error spin = refusal(test::spin_scene(pki, with(GetParam().changed)), pki);
  EXPECT_TRUE(spin.is(GetParam().errc)) << spin.text();
  const Error coup = refusal(test::coup_scene(pki, with(GetParam().changed)), pki);
  EXPECT_TRUE(coup.is(GetParam().errc)) << coup.text();
}
INSTANTIATE_TEST_SUITE_P(
    Protocol6, WrongSettlement,
    testing::Values(
        Case{"amount",
             VerifyErrc::wrong_settlement,
             {Kind::settlement, 0,
              body<SettlementBody>([](auto& b) { b.results[0].returned += 1; })}},
        Case{
            "rule",
            VerifyErrc::wrong_settlement,
            {Kind::settlement, 0, body<SettlementBody>([](auto& b) { b.results[0].rule += "x"; })}},
        Case{"left_out",
             VerifyErrc::wrong_settlement,
             {Kind::settlement, 0, body<SettlementBody>([](auto& b) { b.results.pop_back(); })}},
        Case{"state_after",
             VerifyErrc::wrong_settlement,
             {Kind::settlement, 0, body<SettlementBody>([](auto& b) { b.state_after[0] ^= 1; })}},
        Case{"state_before",
             VerifyErrc::wrong_settlement,
             {Kind::round_open, 0, body<RoundOpenBody>([](auto& b) { b.state_before[0] ^= 1; })}},
        Case{"cites_nothing",
             VerifyErrc::wrong_citation,
             {Kind::settlement, 0, [](Record& r) { r.cites.clear(); }}},
        Case{"bets_digest",
             VerifyErrc::wrong_commitment,
             {Kind::bets_closed, 0, body<BetsClosedBody>([](auto& b) { b.digest[0] ^= 1; })}},
        Case{"parameters",
             VerifyErrc::wrong_commitment,
             {Kind::table_open, 0,
              body<TableOpenBody>([](auto& b) { b.parameters["other"] = 1; })}}),
    case_name);

TEST(HandConfirmed, of_the_state_of_the_table_is_accepted_and_of_another_is_refused) {
  test::Pki pki;
  const auto told = verify_bundle(format_bundle(test::confirmed_scene(pki)), pki.roots_pem());
  EXPECT_TRUE(told) << told.error().text();
  const ChangedRecord another{Kind::hand_confirmed, 0,
                              body<HandConfirmedBody>([](auto& b) { b.state_before[0] ^= 1; })};
  const Error refused = refusal(test::confirmed_scene(pki, with(another)), pki);
  EXPECT_TRUE(refused.is(VerifyErrc::wrong_settlement)) << refused.text();
  EXPECT_NE(refused.text().find("another hand was confirmed"), std::string::npos) << refused.text();
}

TEST(WrongShoeInPlay, a_coup_from_a_second_shoe_is_refused) {
  test::Pki pki;
  const Error refused = refusal(test::two_shoes_scene(pki), pki);
  EXPECT_TRUE(refused.is(VerifyErrc::two_live)) << refused.text();
}

TEST(WrongShoeInPlay, another_stop_card_than_that_of_the_rules_is_refused) {
  test::Pki pki;
  const ChangedRecord deeper{Kind::shoe_commit, 0,
                             body<ShoeCommitBody>([](auto& b) { ++b.stop_depth; })};
  const Error refused = refusal(test::last_coup_scene(pki, with(deeper)), pki);
  EXPECT_TRUE(refused.is(VerifyErrc::wrong_settlement)) << refused.text();
}

TEST(WrongBundle, without_a_record_of_its_chain_has_a_gap) {
  test::Pki pki;
  const Bundle whole = test::shoe_scene(pki).closed;
  for (std::size_t i = 0; i < whole.records.size(); ++i) {
    Bundle part = whole;
    part.records.erase(part.records.begin() + static_cast<std::ptrdiff_t>(i));
    const bool ends = i < 2 || i + 1 == whole.records.size();  // opening records, and the claim
    EXPECT_TRUE(refusal(part, pki).is(ends ? VerifyErrc::gap : VerifyErrc::link_gap)) << i;
  }
}

TEST(WrongBundle, with_another_state_or_catalogue_is_refused) {
  test::Pki pki;
  const Bundle whole = test::spin_scene(pki);
  Bundle state = whole;
  (*state.state_before)["extra"] = 1;
  EXPECT_FALSE(verify_bundle(format_bundle(state), pki.roots_pem()));
  Bundle catalogue = whole;
  *catalogue.catalogue += "\n";
  EXPECT_TRUE(refusal(catalogue, pki).is(VerifyErrc::wrong_commitment));
  Bundle without = whole;
  without.catalogue.reset();
  EXPECT_TRUE(refusal(without, pki).is(VerifyErrc::rules_unavailable));
}

TEST(WrongBundle, with_a_claim_it_cannot_prove_is_refused) {
  test::Pki pki;
  Bundle bundle = test::spin_scene(pki);
  bundle.claim = 3;
  EXPECT_TRUE(refusal(bundle, pki).is(VerifyErrc::unsupported_claim));
  bundle.claim = 999;
  EXPECT_TRUE(refusal(bundle, pki).is(VerifyErrc::gap));
}

TEST(WrongBundle, with_a_checkpoint_of_another_key_or_size_is_refused) {
  test::Pki pki;
  test::PkiOptions other_options;
  other_options.seed = "another appliance";
  test::Pki other(other_options);
  Bundle foreign = test::shoe_scene(pki).closed;
  foreign.checkpoint = test::shoe_scene(other).closed.checkpoint;
  EXPECT_TRUE(refusal(foreign, pki).is(VerifyErrc::wrong_signature));
  Bundle shorter = test::shoe_scene(pki).closed;
  shorter.checkpoint = test::draw_scene(pki).closed.checkpoint;
  EXPECT_TRUE(refusal(shorter, pki).is(VerifyErrc::not_included));
}

}  // namespace
}  // namespace talla::certs
