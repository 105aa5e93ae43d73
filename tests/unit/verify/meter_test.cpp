// Goal: a bundle shows what a meter held that several tables feed, and a verifier refuses every
//   other story about it (FORMAT sections 6 and 9).
// Method: a round of blackjack with a common jackpot; one record changed before it is logged, or
//   one taken out of the file. What needs no rules of games goes to the second verifier too
//   (TALLA_LIES).
#include <gtest/gtest.h>

#include <algorithm>

#include "format/body_table.hpp"
#include "lies.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

/// The METERs of the story: two of other tables, then that of the claim's round.
constexpr std::size_t own_meter = 2;

struct MeterLie {
  const char* what;
  VerifyErrc errc;
  bool for_rules;  ///< only who has the rules can see it
  Kind kind;
  std::size_t occurrence;
  std::function<void(Record&)> change;
};

bool has_note(const Verdict& verdict, std::string_view words) {
  return std::ranges::any_of(verdict.not_checked, [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

/// The file without its records of this kind, from the n-th on, so many.
Bundle without(Bundle bundle, Kind kind, std::size_t n, std::size_t count = 1) {
  std::size_t seen = 0;
  std::erase_if(bundle.records, [&](const BundleRecord& one) {
    const auto record = parse_record(one.record);
    if (!record || record->kind != kind) return false;
    const auto at = seen++;
    return at >= n && at < n + count;
  });
  return bundle;
}

TEST(SharedMeter, FORMAT_9_the_record_before_shows_what_it_held_and_older_ones_may_be_left_out) {
  test::Pki pki;
  const Bundle whole = test::meter_scene(pki);
  const auto all = verify_bundle(format_bundle(whole), pki.roots_pem());
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_FALSE(has_note(*all, "what other rounds made of"));
  const auto bounded =
      verify_bundle(format_bundle(without(whole, Kind::meter, 0)), pki.roots_pem());
  ASSERT_TRUE(bounded) << bounded.error().text();
  EXPECT_TRUE(has_note(*bounded, "what other rounds made of"));
}

TEST(WrongSharedMeter, without_the_record_before_or_its_opening_proves_nothing) {
  test::Pki pki;
  const Bundle whole = test::meter_scene(pki);
  const auto refused = [&](const Bundle& bundle, VerifyErrc errc, const std::string& name) {
    const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
    ASSERT_FALSE(verdict) << name;
    EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
    keep_coded(errc, "meter-" + name, format_bundle(bundle));
  };
  refused(without(whole, Kind::meter, 0, 2), VerifyErrc::meter_passed, "no-record-before");
  refused(without(whole, Kind::meter, 1), VerifyErrc::meter_passed, "a-gap-in-the-middle");
  refused(without(whole, Kind::meter, own_meter), VerifyErrc::link_gap, "no-move");
  refused(without(whole, Kind::meter_open, 0), VerifyErrc::gap, "no-opening");
}

class WrongSharedMeterLie : public testing::TestWithParam<MeterLie> {};
TEST_P(WrongSharedMeterLie, is_refused) {
  test::Pki pki;
  const auto& lie = GetParam();
  const Bundle bundle =
      test::meter_scene(pki, {.tamper = {lie.kind, lie.occurrence, lie.change}, .context = {}});
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  ASSERT_FALSE(verdict);
  EXPECT_TRUE(verdict.error().is(lie.errc)) << verdict.error().text();
  if (!lie.for_rules) keep_coded(lie.errc, std::string("meter-") + lie.what, format_bundle(bundle));
}

INSTANTIATE_TEST_SUITE_P(
    Protocol6, WrongSharedMeterLie,
    testing::Values(MeterLie{"held_more", VerifyErrc::meter_stood, false, Kind::meter, own_meter,
                             body<MeterBody>([](auto& b) {
                               b.before += 100;
                               b.after += 100;
                             })},
                    MeterLie{"elsewhere_less", VerifyErrc::meter_stood, false, Kind::meter, 1,
                             body<MeterBody>([](auto& b) {
                               b.contribution -= 1;
                               b.after -= 1;
                             })},
                    MeterLie{"opened_with_less", VerifyErrc::meter_stood, false, Kind::meter_open,
                             0, body<MeterOpenBody>([](auto& b) { b.value -= 1; })},
                    MeterLie{"another_word", VerifyErrc::meter_stood, false, Kind::meter, own_meter,
                             body<MeterBody>([](auto& b) { b.meter = "carrusel"; })},
                    MeterLie{"kept_a_unit", VerifyErrc::event_wrong, true, Kind::meter, own_meter,
                             body<MeterBody>([](auto& b) {
                               b.contribution -= 1;
                               b.after -= 1;
                             })},
                    MeterLie{"other_terms", VerifyErrc::meter_terms, true, Kind::meter_open, 0,
                             body<MeterOpenBody>([](auto& b) { b.terms["contribution"] = "1/2"; })},
                    MeterLie{"other_game", VerifyErrc::meter_terms, false, Kind::meter_open, 0,
                             body<MeterOpenBody>([](auto& b) { b.game = "triple-blackjack"; })},
                    MeterLie{"other_money", VerifyErrc::meter_terms, false, Kind::meter_open, 0,
                             body<MeterOpenBody>([](auto& b) { b.unit = "1/100"; })},
                    MeterLie{"not_its_meter", VerifyErrc::meter_foreign, false, Kind::table_open, 0,
                             body<TableOpenBody>([](auto& b) {
                               b.meters.begin()->second = "meter-99";
                             })},
                    MeterLie{"opening_not_cited", VerifyErrc::meter_foreign, false,
                             Kind::table_open, 0, [](Record& r) { r.cites.clear(); }},
                    MeterLie{"closed_between", VerifyErrc::meter_over, false, Kind::meter, 1,
                             [](Record& r) {
                               r.kind = Kind::meter_close;
                               r.table.clear();
                               r.link.reset();
                               r.prev.reset();
                               r.body = json::Object{{"value", 0}};
                             }},
                    MeterLie{"not_this_round", VerifyErrc::wrong_settlement, true, Kind::meter,
                             own_meter, body<MeterBody>([](auto& b) { b.round = "round-1"; })},
                    MeterLie{"move_not_cited", VerifyErrc::wrong_citation, false, Kind::settlement,
                             0, [](Record& r) { r.cites.pop_back(); }}),
    [](const testing::TestParamInfo<MeterLie>& named) { return named.param.what; });

}  // namespace
}  // namespace talla::certs
