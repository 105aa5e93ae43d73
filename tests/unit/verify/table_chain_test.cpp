// Goal: what the chain of a table binds (FORMAT section 2): no record left out, one round and one
//   shoe at a time, a place whose history goes on, counts that are those of the chain.
// Method: well-signed logs with one lie each; the links behind it are those of the lie, so it holds
//   in every other respect. Every one goes to the other verifiers too (TALLA_LIES), named by the
//   code that refuses it.
#include <gtest/gtest.h>

#include <algorithm>

#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "lies.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

void refused_by(VerifyErrc errc, const Bundle& bundle, const test::Pki& pki,
                const std::string& name) {
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  ASSERT_FALSE(verdict) << name;
  EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  keep_lie("chain-" + std::string(errc_name(errc)) + "-" + name + ".talla", format_bundle(bundle));
}

bool says(const std::vector<std::string>& lines, std::string_view words) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

std::size_t place_of(const Bundle& bundle, Kind kind, std::size_t occurrence) {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < bundle.records.size(); ++i) {
    if (parse_record(bundle.records[i].record)->kind == kind && seen++ == occurrence) return i;
  }
  ADD_FAILURE() << "no such record";
  return 0;
}

Bundle without_one(Bundle bundle, Kind kind, std::size_t occurrence) {
  const auto at = place_of(bundle, kind, occurrence);
  bundle.records.erase(bundle.records.begin() + static_cast<std::ptrdiff_t>(at));
  return bundle;
}

TEST(TableChain, PROTOCOL_5b_a_place_goes_on_and_what_the_file_leaves_out_is_said) {
  test::Pki pki;
  const Bundle bundle = test::places_scene(pki);
  const Verdict verdict = judged(bundle, pki);
  EXPECT_TRUE(says(verdict.checked, "every record of table-6 from 11 to 13 is there"));
  EXPECT_TRUE(says(verdict.not_checked, "what table-6 did between its opening and record 11"));
  EXPECT_TRUE(says(verdict.not_checked, "place \"Mesa 1\", opening 2: what came before there"));
  keep_lie("true_chain-places.talla", format_bundle(bundle));
}

TEST(TableChain, PROTOCOL_5b_a_place_goes_on_with_another_key_in_a_log_whose_key_changes) {
  test::Pki pki;
  const Bundle bundle = test::renewed_scene(pki);
  const Verdict verdict = judged(bundle, pki);
  EXPECT_TRUE(says(verdict.checked, "each of the 2 keys of the log"));
  keep_lie("true_chain-renewed.talla", format_bundle(bundle));
}

TEST(TableChain, PROTOCOL_5b_a_first_opening_says_that_nothing_came_before) {
  test::Pki pki;
  const Bundle bundle = test::last_coup_scene(pki);
  const Verdict verdict = judged(bundle, pki);
  EXPECT_TRUE(says(verdict.not_checked, "place \"Mesa 1\", opening 1: that nothing came before"));
  EXPECT_FALSE(says(verdict.not_checked, "did between its opening"));
  keep_lie("true_chain-coups.talla", format_bundle(bundle));
}

TEST(WrongTableChain, link_gap_whatever_record_is_left_out) {
  test::Pki pki;
  const Bundle coups = test::last_coup_scene(pki);
  for (const Kind kind : {Kind::round_end, Kind::bets_closed, Kind::card_deal})
    refused_by(VerifyErrc::link_gap, without_one(coups, kind, 1), pki,
               "without-" + std::string(kind_name(kind)));
  Bundle behind = test::places_scene(pki);
  behind.claim = parse_record(behind.records[place_of(behind, Kind::batch_commit, 0)].record)->seq;
  refused_by(VerifyErrc::link_gap, behind, pki, "behind-the-claim");
}

TEST(WrongTableChain, two_rounds_while_the_coup_is_played) {
  test::Pki pki;
  refused_by(VerifyErrc::two_rounds, test::two_rounds_scene(pki), pki, "opened-twice");
}

TEST(WrongTableChain, two_live_shoes) {
  test::Pki pki;
  refused_by(VerifyErrc::two_live, test::two_shoes_scene(pki), pki, "committed-twice");
}

struct ChainLie {
  const char* what;
  VerifyErrc errc;
  Kind kind;
  std::size_t occurrence;
  std::function<void(Record&)> change;
};
test::SceneOptions told(const ChainLie& lie) {
  return {.tamper = {lie.kind, lie.occurrence, lie.change}, .context = {}};
}
std::string lie_name(const testing::TestParamInfo<ChainLie>& named) {
  return named.param.what;
}

class WrongPlace : public testing::TestWithParam<ChainLie> {};
TEST_P(WrongPlace, is_refused) {
  test::Pki pki;
  refused_by(GetParam().errc, test::places_scene(pki, told(GetParam())), pki, GetParam().what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5b, WrongPlace,
    testing::Values(ChainLie{"an_opening_skipped", VerifyErrc::place_gap, Kind::table_open, 1,
                             body<TableOpenBody>([](auto& b) { ++b.opened; })},
                    ChainLie{"another_place", VerifyErrc::place_gap, Kind::table_open, 1,
                             body<TableOpenBody>([](auto& b) { b.place = "Mesa 2"; })},
                    ChainLie{"close_not_cited", VerifyErrc::place_gap, Kind::table_open, 1,
                             [](Record& r) { r.cites.clear(); }},
                    ChainLie{"begun_anew", VerifyErrc::place_gap, Kind::table_open, 1,
                             body<TableOpenBody>([](auto& b) {
                               b.opened = 1;
                               b.counts = {};
                             })},
                    ChainLie{"turns_forgotten", VerifyErrc::totals_wrong, Kind::table_open, 1,
                             body<TableOpenBody>([](auto& b) { --b.counts.turns; })},
                    ChainLie{"closed_with_fewer", VerifyErrc::totals_wrong, Kind::table_close, 0,
                             body<TableCloseBody>([](auto& b) { --b.counts.turns; })},
                    ChainLie{"link_of_the_opening", VerifyErrc::link_gap, Kind::table_open, 1,
                             [](Record& r) { (*r.link)[0] ^= 1; }},
                    ChainLie{"no_link_of_the_opening", VerifyErrc::link_gap, Kind::table_open, 1,
                             [](Record& r) { r.link = Digest{}; }}),
    lie_name);

class WrongCoups : public testing::TestWithParam<ChainLie> {};
TEST_P(WrongCoups, is_refused) {
  test::Pki pki;
  refused_by(GetParam().errc, test::last_coup_scene(pki, told(GetParam())), pki, GetParam().what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5b, WrongCoups,
    testing::Values(ChainLie{"a_link", VerifyErrc::link_gap, Kind::card_deal, 7,
                             [](Record& r) { (*r.link)[31] ^= 1; }},
                    ChainLie{"the_record_before_the_last", VerifyErrc::link_gap, Kind::card_deal, 7,
                             [](Record& r) { r.prev = *r.prev - 1; }},
                    ChainLie{"a_turn_more", VerifyErrc::totals_wrong, Kind::round_end, 1,
                             body<RoundEndBody>([](auto& b) { ++b.counts.turns; })},
                    ChainLie{"a_void_more", VerifyErrc::totals_wrong, Kind::round_end, 0,
                             body<RoundEndBody>([](auto& b) { ++b.counts.voids; })},
                    ChainLie{"an_early_close_more", VerifyErrc::totals_wrong, Kind::round_end, 2,
                             body<RoundEndBody>([](auto& b) { ++b.counts.early_closes; })},
                    ChainLie{"a_round_skipped", VerifyErrc::number_gap, Kind::round_open, 1,
                             body<RoundOpenBody>([](auto& b) { ++b.number; })},
                    ChainLie{"a_shoe_skipped", VerifyErrc::number_gap, Kind::shoe_commit, 0,
                             body<ShoeCommitBody>([](auto& b) { ++b.number; })}),
    lie_name);

}  // namespace
}  // namespace talla::certs
