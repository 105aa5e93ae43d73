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
#include "story.hpp"
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
void refused_and_kept(const Bundle& bundle, const test::Pki& pki, const std::string& story,
                      const Case& told) {
  const Error error = refusal(bundle, pki);
  EXPECT_TRUE(error.is(told.errc)) << error.text();
  keep_coded(told.errc, story + told.what, format_bundle(bundle));
}
std::string case_name(const testing::TestParamInfo<Case>& named) {
  return named.param.what;
}

class WrongShoe : public testing::TestWithParam<Case> {};
TEST_P(WrongShoe, is_refused) {
  test::Pki pki;
  refused_and_kept(test::shoe_scene(pki, with(GetParam().changed)).closed, pki, "shoe-",
                   GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    Protocol4, WrongShoe,
    testing::Values(
        Case{"root",
             VerifyErrc::root_unknown,
             {Kind::shoe_commit, 0, body<ShoeCommitBody>([](auto& b) { b.root[0] ^= 1; })}},
        Case{"tape_mac",
             VerifyErrc::tape_wrong,
             {Kind::shoe_commit, 0, body<ShoeCommitBody>([](auto& b) { b.tape_mac[0] ^= 1; })}},
        Case{"deck",
             VerifyErrc::deck_cards,
             {Kind::shoe_commit, 0,
              body<ShoeCommitBody>([](auto& b) { b.deck = "french52+1jx8"; })}},
        Case{"context",
             VerifyErrc::context_other,
             {Kind::shoe_commit, 0,
              body<ShoeCommitBody>([](auto& b) { b.context.game = "craps"; })}},
        Case{"tape_digest",
             VerifyErrc::tape_other,
             {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) { b.tape_digest[0] ^= 1; })}},
        Case{"mix_words",
             VerifyErrc::tape_other,
             {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) { ++b.words_used; })}},
        Case{"mix_of_another_number",
             VerifyErrc::call_signature,
             {Kind::call, 0, body<CallBody>([](auto& b) { b.signature[0] ^= 1; })}},
        Case{"rejected", VerifyErrc::tape_other, {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) {
                                                    ++b.words_rejected;
                                                  })}},
        Case{"client",
             VerifyErrc::request_other,
             {Kind::shoe_mix, 0, [](Record& r) { r.client->id = "urn:talla:other"; }}},
        Case{"mix_root", VerifyErrc::mix_root, {Kind::shoe_mix, 0, body<ShoeMixBody>([](auto& b) {
                                                  b.root[0] ^= 1;
                                                })}},
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
             VerifyErrc::deal_order,
             {Kind::card_deal, 1, body<CardDealBody>([](auto& b) { b.position = 0; })}},
        Case{"dealt",
             VerifyErrc::close_count,
             {Kind::shoe_close, 0, body<ShoeCloseBody>([](auto& b) { b.dealt = 9; })}},
        Case{"key", VerifyErrc::tape_wrong, {Kind::shoe_close, 0, body<ShoeCloseBody>([](auto& b) {
                                               b.disclosure->key[0] ^= 1;
                                             })}},
        Case{"tape", VerifyErrc::tape_wrong, {Kind::shoe_close, 0, body<ShoeCloseBody>([](auto& b) {
                                                b.disclosure->tape[7] ^= 1;
                                              })}},
        Case{"words",
             VerifyErrc::tape_account,
             {Kind::shoe_close, 0,
              body<ShoeCloseBody>([](auto& b) { ++b.disclosure->words_used; })}},
        Case{"closed_words_rejected",
             VerifyErrc::tape_account,
             {Kind::shoe_close, 0,
              body<ShoeCloseBody>([](auto& b) { ++b.disclosure->words_rejected; })}},
        Case{"kept_secret",
             VerifyErrc::disclosure_wrong,
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
             VerifyErrc::time_back,
             {Kind::card_deal, 4, [](Record& r) { r.time_us -= 1'000'000; }}},
        Case{"boot", VerifyErrc::boot_back, {Kind::card_deal, 4, [](Record& r) { r.boot = 2; }}},
        Case{"opened_tape_digest",
             VerifyErrc::tape_digest,
             {Kind::shoe_close, 0,
              body<ShoeCloseBody>([](auto& b) { b.disclosure->tape_digest[0] ^= 1; })}},
        Case{"call_not_cited",
             VerifyErrc::call_uncited,
             {Kind::shoe_mix, 0, [](Record& r) { r.cites.clear(); }}},
        Case{"other_table",
             VerifyErrc::gap,
             {Kind::shoe_commit, 0, [](Record& r) { r.body["table"] = r.table = "table-0"; }}}),
    case_name);

class WrongDraw : public testing::TestWithParam<Case> {};
TEST_P(WrongDraw, is_refused) {
  test::Pki pki;
  refused_and_kept(test::draw_scene(pki, with(GetParam().changed)).closed, pki, "draw-",
                   GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5, WrongDraw,
    testing::Values(
        Case{"root",
             VerifyErrc::root_unknown,
             {Kind::batch_commit, 0, body<BatchCommitBody>([](auto& b) { b.root[0] ^= 1; })}},
        Case{"index", VerifyErrc::secret_order, {Kind::call, 1, body<CallBody>([](auto& b) {
                                                   b.core.at = 0;
                                                 })}},
        Case{"range",
             VerifyErrc::range_other,
             {Kind::call, 0, body<CallBody>([](auto& b) {
                b.core.specification = DrawSpecification(DiceDraw{2, 7});
              })}},
        Case{"round_that_is_not_open",
             VerifyErrc::core_mismatch,
             {Kind::call, 0, body<CallBody>([](auto& b) { b.core.round = "round-1"; })}},
        Case{"draw_index", VerifyErrc::draw_index, {Kind::draw, 1, body<DrawBody>([](auto& b) {
                                                      b.index = 0;
                                                    })}},
        Case{"secret", VerifyErrc::secret_wrong, {Kind::draw, 0, body<DrawBody>([](auto& b) {
                                                    b.secret[0] ^= 1;
                                                  })}},
        Case{"outcome", VerifyErrc::wrong_mapping, {Kind::draw, 0, body<DrawBody>([](auto& b) {
                                                      b.outcome.values[0] = 7 - b.outcome.values[0];
                                                    })}},
        Case{"tape_digest", VerifyErrc::tape_other, {Kind::draw, 0, body<DrawBody>([](auto& b) {
                                                       b.tape_digest[0] ^= 1;
                                                     })}},
        Case{"call", VerifyErrc::call_none, {Kind::draw, 1, body<DrawBody>([](auto& b) {
                                               b.call -= 2;
                                             })}},
        Case{"batch_of_another_client",
             VerifyErrc::batch_client,
             {Kind::batch_commit, 0, [](Record& r) { r.client->id = "urn:talla:other"; }}},
        Case{"expired",
             VerifyErrc::batch_expired,
             {Kind::batch_commit, 0, body<BatchCommitBody>([](auto& b) { b.expires_us = 1; })}},
        Case{"void_by_one_twice",
             VerifyErrc::void_persons,
             {Kind::void_call, 0, body<VoidBody>([](auto& b) { b.by.back() = b.by.front(); })}},
        Case{"left_hash",
             VerifyErrc::unused_wrong,
             {Kind::batch_close, 0, body<BatchCloseBody>([](auto& b) { b.left[0][0] ^= 1; })}},
        Case{"void_outcome",
             VerifyErrc::wrong_mapping,
             {Kind::void_call, 0,
              body<VoidBody>([](auto& b) { b.outcome->values[0] = 7 - b.outcome->values[0]; })}},
        Case{"void_by_one",
             VerifyErrc::void_persons,
             {Kind::void_call, 0, body<VoidBody>([](auto& b) { b.by.pop_back(); })}},
        Case{"unopened",
             VerifyErrc::unused_count,
             {Kind::batch_close, 0, body<BatchCloseBody>([](auto& b) { b.secrets.clear(); })}},
        Case{"unused_secret",
             VerifyErrc::unused_wrong,
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
             VerifyErrc::state_left,
             {Kind::settlement, 0, body<SettlementBody>([](auto& b) { b.state_after[0] ^= 1; })}},
        Case{"state_before",
             VerifyErrc::state_other,
             {Kind::round_open, 0, body<RoundOpenBody>([](auto& b) { b.state_before[0] ^= 1; })}},
        Case{"cites_nothing",
             VerifyErrc::wrong_citation,
             {Kind::settlement, 0, [](Record& r) { r.cites.clear(); }}},
        Case{"bets_digest",
             VerifyErrc::bets_digest,
             {Kind::bets_closed, 0, body<BetsClosedBody>([](auto& b) { b.digest[0] ^= 1; })}},
        Case{"parameters",
             VerifyErrc::context_other,
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
  EXPECT_TRUE(refused.is(VerifyErrc::event_wrong)) << refused.text();
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
  EXPECT_TRUE(refused.is(VerifyErrc::event_wrong)) << refused.text();
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

TEST(WrongBundle, with_records_in_another_order_is_refused) {
  test::Pki pki;
  Bundle turned = test::shoe_scene(pki).closed;
  std::swap(turned.records[3], turned.records[4]);
  EXPECT_TRUE(refusal(turned, pki).is(VerifyErrc::seq_order));
  keep_coded(VerifyErrc::seq_order, "turned", format_bundle(turned));
}

TEST(WrongBundle, with_a_record_of_another_table_is_refused) {
  test::Pki pki;
  test::LogBuilder log(pki);
  Context context = test::story_context({});
  const auto other = test::open_client_table(log, context, json::Object{});
  const auto table = test::open_client_table(log, context, json::Object{});
  test::Shoe shoe(log, table, {.deck = "french52x1", .context = context});
  shoe.mix();
  const auto claim = log.next_seq();
  shoe.deal("burn", Face::open, {});
  const Bundle foreign = log.select({claim, {other, table}, {}, {}});
  EXPECT_TRUE(refusal(foreign, pki).is(VerifyErrc::object_foreign));
  keep_coded(VerifyErrc::object_foreign, "another_table", format_bundle(foreign));
}

TEST(WrongBundle, with_another_state_or_catalogue_is_refused) {
  test::Pki pki;
  const Bundle whole = test::spin_scene(pki);
  Bundle state = whole;
  (*state.state_before)["extra"] = 1;
  EXPECT_FALSE(verify_bundle(format_bundle(state), pki.roots_pem()));
  Bundle catalogue = whole;
  *catalogue.catalogue += "\n";
  EXPECT_TRUE(refusal(catalogue, pki).is(VerifyErrc::catalogue_other));
  keep_coded(VerifyErrc::catalogue_other, "one_line_more", format_bundle(catalogue));
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
