// Goal: at a table that mixes in each round nobody knows a card of a round while bets can be made
//   (FORMAT section 7, "Mixed in each round").
// Method: two coups of punto y banca, told with one lie each: whoever lies has the table's key, and
//   cards follow from the lie. Every one goes to the other verifiers too (TALLA_LIES).
#include <gtest/gtest.h>

#include <algorithm>

#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "lies.hpp"
#include "panel.hpp"
#include "story.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

using test::RoundsScene;
using test::Shoe;

void round_refused_by(VerifyErrc errc, const Bundle& bundle, const test::Pki& pki,
                      const std::string& name) {
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  ASSERT_FALSE(verdict) << name;
  EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  keep_coded(errc, "rounds-" + name, format_bundle(bundle));
}

std::size_t count_of(const Bundle& bundle, std::string_view kind) {
  const auto named = "\"kind\":\"" + std::string(kind) + "\"";
  return static_cast<std::size_t>(std::ranges::count_if(bundle.records, [&](const auto& one) {
    return one.record.find(named) != std::string::npos;
  }));
}

TEST(MixedEachRound, two_coups_hold_and_the_verdict_says_what_that_proves) {
  test::Pki pki;
  const auto told = test::rounds_scene(pki);
  EXPECT_EQ(count_of(told, "SHOE_MIX"), 3U) << "the shoe's own, and one behind each round's bets";
  const auto verdict = judged(told, pki);
  EXPECT_TRUE(std::ranges::any_of(verdict.checked, [](const std::string& line) {
    return line.find("nobody knew a card of a round while its bets were open") != line.npos;
  }));
  // Of a shoe that is mixed once nobody says that.
  const auto once = judged(test::rounds_scene(pki, {.mix = MixRule::shoe, .behind_bets = {}}), pki);
  EXPECT_TRUE(std::ranges::none_of(once.checked, [](const std::string& line) {
    return line.find("while its bets were open") != line.npos;
  }));
}

struct RoundLie {
  const char* what;
  VerifyErrc errc;
  RoundsScene scene;
};

class WrongMixOfRounds : public testing::TestWithParam<RoundLie> {};
TEST_P(WrongMixOfRounds, is_refused) {
  test::Pki pki;
  round_refused_by(GetParam().errc, test::rounds_scene(pki, GetParam().scene), pki,
                   GetParam().what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol4, WrongMixOfRounds,
    testing::Values(
        RoundLie{"the_order_of_the_round_before", VerifyErrc::mix_missing, {.behind_bets = {}}},
        RoundLie{"mixed_before_the_bets",
                 VerifyErrc::mix_twice,
                 {.before_bets = RoundsScene::mixed, .behind_bets = {}}},
        RoundLie{"mixed_before_the_round",
                 VerifyErrc::mix_twice,
                 {.behind_bets = {}, .before_round = RoundsScene::mixed}},
        RoundLie{"mixed_before_the_bets_and_behind",
                 VerifyErrc::mix_twice,
                 {.before_bets = RoundsScene::mixed}},
        RoundLie{"mixed_twice_behind_the_bets",
                 VerifyErrc::mix_twice,
                 {.behind_bets = [](Shoe& shoe) { shoe.mix(), shoe.mix(); }}},
        RoundLie{"mixed_at_a_table_that_mixes_once", VerifyErrc::mix_twice, {.mix = MixRule::shoe}},
        RoundLie{"a_mix_told_and_the_order_kept",
                 VerifyErrc::wrong_position,
                 {.behind_bets = [](Shoe& shoe) { shoe.call_mix(), shoe.answer_mix(true); }}},
        RoundLie{"given_to_a_machine",
                 VerifyErrc::release_early,
                 {.before_round = [](Shoe& shoe) { shoe.release(); }}}),
    [](const testing::TestParamInfo<RoundLie>& named) { return named.param.what; });

struct RoundCoreLie {
  const char* what;
  VerifyErrc errc;
  std::function<void(CallCore&)> change;
};
class WrongCoreOfRounds : public testing::TestWithParam<RoundCoreLie> {};
TEST_P(WrongCoreOfRounds, is_refused) {
  test::Pki pki;
  const auto& lie = GetParam();
  const test::SceneOptions options{
      .tamper = {Kind::call, 2, body<CallBody>([&](CallBody& call) { lie.change(call.core); })},
      .context = {}};
  round_refused_by(lie.errc, test::rounds_scene(pki, {}, options), pki, lie.what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol4, WrongCoreOfRounds,
    testing::Values(RoundCoreLie{"as_if_nothing_was_dealt", VerifyErrc::mix_at,
                                 [](CallCore& core) { core.at = 0; }},
                    RoundCoreLie{"of_all_leaves", VerifyErrc::core_mismatch,
                                 [](CallCore& core) {
                                   core.specification = MixSpecification{1, 416};
                                 }},
                    RoundCoreLie{"of_one_leaf_less", VerifyErrc::core_mismatch,
                                 [](CallCore& core) {
                                   core.specification = MixSpecification{1, core.mix().places - 1};
                                 }},
                    RoundCoreLie{"of_no_round", VerifyErrc::core_mismatch,
                                 [](CallCore& core) { core.round = "0"; }},
                    RoundCoreLie{"of_other_bets", VerifyErrc::core_mismatch,
                                 [](CallCore& core) { core.bets[0] ^= 1; }},
                    RoundCoreLie{"of_another_root", VerifyErrc::root_unknown,
                                 [](CallCore& core) { core.root[0] ^= 1; }}),
    [](const testing::TestParamInfo<RoundCoreLie>& named) { return named.param.what; });

// The appliance would know the order while bets can still be made: its mix follows from the call.
TEST(MixedEachRound, no_bets_are_closed_while_a_mix_is_called_for) {
  test::Pki pki;
  const RoundsScene scene{.behind_bets = [](Shoe& shoe) { shoe.answer_mix(); },
                          .before_round =
                              [](Shoe& shoe) {
                                shoe.shuffle_again({.returned = {}});
                                shoe.call_mix();
                              }};
  round_refused_by(VerifyErrc::turn_open, test::rounds_scene(pki, scene), pki,
                   "called_for_before_the_round");
}

TEST(MixedEachRound, a_key_has_part_in_its_round_though_it_came_after_the_first_mix) {
  test::Pki pki;
  test::Panel panel;
  panel.join("seat-1", "a");
  const auto told = test::rounds_scene(pki, {.panel = &panel});
  VerifyOptions options;
  options.mine = BotanHashes().sha256({panel.key("seat-1")});
  const auto verdict = verify_bundle(format_bundle(told), pki.roots_pem(), options);
  ASSERT_TRUE(verdict) << verdict.error().text();
  keep_lie("true_chain-mine-rounds.talla", format_bundle(told));
  keep_lie("true_chain-mine-rounds.mine", to_hex(*options.mine));
}

}  // namespace
}  // namespace talla::certs
