// Goal: a shoe whose order a machine had verifies, public, dealt by the machine alone, or covered
//   with the auditor's openings; every lie about the release, the report or the openings is refused
//   (FORMAT.md sections 7 and 9).
// Method: one honest story; then one record of it changed before it is logged, one failure each;
//         openings changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/body_release.hpp"
#include "format/openings.hpp"
#include "lies.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// NAME.talla, perhaps with NAME.openings.
void keep_with_openings(const std::string& name, const std::string& bundle,
                        const std::string& openings = {}) {
  keep_lie(name + ".talla", bundle);
  if (!openings.empty()) keep_lie(name + ".openings", openings);
}

Result<Verdict> verdict_of(const test::ReleasedScene& scene, const test::Pki& pki,
                           const std::string& openings = {}) {
  return verify_bundle(format_bundle(scene.bundle), pki.roots_pem(), {.openings = openings});
}

TEST(Released, a_public_shoe_shows_that_its_machine_reported_the_committed_order_under_each_root) {
  test::Pki pki;
  const auto scene = test::released_scene(pki);
  keep_with_openings("true_public", format_bundle(scene.bundle));
  const auto verdict = verdict_of(scene, pki);
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_THAT(verdict->checked, Contains(HasSubstr("reported each of 52 cards at its place")));
  EXPECT_THAT(verdict->checked, Contains(HasSubstr("reported each of 50 cards at its place")));
  EXPECT_THAT(verdict->checked,
              Contains(HasSubstr("released once, to urn:talla:shuffler-1, card by card")));
  EXPECT_THAT(verdict->not_checked,
              Contains(HasSubstr("what the ciphertext for urn:talla:shuffler-1 holds")));
}

TEST(Released, a_shoe_that_its_machine_alone_deals_is_evidence_of_its_shuffle) {
  test::Pki pki;
  const auto scene = test::released_scene(pki, {.covered = false, .machine_only = true});
  keep_with_openings("true_machine_only", format_bundle(scene.bundle));
  const auto verdict = verdict_of(scene, pki);
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_THAT(verdict->checked, Contains(HasSubstr("reported each of 52 cards at its place")));
}

TEST(Released, a_covered_shoe_needs_the_auditors_openings) {
  test::Pki pki;
  const auto scene = test::released_scene(pki, {.covered = true});
  const auto without = verdict_of(scene, pki);
  ASSERT_TRUE(without);
  EXPECT_THAT(without->not_checked,
              Contains(HasSubstr("whether urn:talla:shuffler-1 reported a match")));
  EXPECT_THAT(without->not_checked, Contains(HasSubstr("composition of")));
  keep_with_openings("true_covered", format_bundle(scene.bundle), scene.openings);
  const auto with = verdict_of(scene, pki, scene.openings);
  ASSERT_TRUE(with) << with.error().text();
  EXPECT_THAT(
      with->checked,
      Contains(HasSubstr("by the auditor's openings each of its 2 shuffles was run again")));
  EXPECT_THAT(with->checked, Contains(HasSubstr("reported each of 50 cards at its place")));
  EXPECT_THAT(with->not_checked, Not(Contains(HasSubstr("composition"))));
}

TEST(Released, openings_that_lie_are_refused) {
  test::Pki pki;
  const auto scene = test::released_scene(pki, {.covered = true});
  const auto whole = *Openings::parse(scene.openings);
  int count = 0;
  const auto refused = [&](VerifyErrc errc, const std::function<void(Openings&)>& lie) {
    auto file = whole;
    lie(file);
    const auto verdict = verdict_of(scene, pki, file.text());
    ASSERT_FALSE(verdict) << count;
    EXPECT_TRUE(verdict.error().is(errc)) << count << ": " << verdict.error().text();
    keep_with_openings(
        "chain-" + std::string(errc_name(errc)) + "-openings_" + std::to_string(count++),
        format_bundle(scene.bundle), file.text());
  };
  for (const std::size_t root : {0U, 1U}) {
    refused(VerifyErrc::tape_wrong, [&](auto& file) { file.roots[root].key[5] ^= 1; });
    refused(VerifyErrc::tape_wrong, [&](auto& file) { file.roots[root].tape.back() ^= 1; });
    refused(VerifyErrc::tape_wrong,
            [&](auto& file) { file.roots[root].tape.resize(file.roots[root].tape.size() + 8); });
  }
  refused(VerifyErrc::tape_wrong, [](auto& file) { std::swap(file.roots[0], file.roots[1]); });
  refused(VerifyErrc::roots_opened, [](auto& file) { file.roots.pop_back(); });
  refused(VerifyErrc::roots_opened, [](auto& file) { file.roots.push_back(file.roots[0]); });
  refused(VerifyErrc::openings_other, [](auto& file) { file.origin += "x"; });
  refused(VerifyErrc::openings_other, [](auto& file) { file.shoe = "shoe-0"; });
  refused(VerifyErrc::openings_other, [](auto& file) { ++file.close; });
  const auto open = test::released_scene(pki);
  const auto of_public = verdict_of(open, pki, whole.text());
  ASSERT_FALSE(of_public) << "a public shoe has no openings";
  EXPECT_TRUE(of_public.error().is(VerifyErrc::openings_other)) << of_public.error().text();
  keep_with_openings("chain-openings_other-of_a_public_shoe", format_bundle(open.bundle),
                     whole.text());
}

class WrongRelease : public testing::TestWithParam<Lie> {};
TEST_P(WrongRelease, is_refused) {
  test::Pki pki;
  const Lie& lie = GetParam();
  const test::SceneOptions options{.tamper = {lie.kind, lie.occurrence, lie.change}, .context = {}};
  const auto scene = test::released_scene(pki, {}, options);
  const auto verdict = verdict_of(scene, pki);
  ASSERT_FALSE(verdict);
  EXPECT_TRUE(verdict.error().is(lie.errc)) << verdict.error().text();
  keep_coded(lie.errc, std::string("released-") + lie.what, format_bundle(scene.bundle));
}

/// What a machine signs, well signed by it, of something else than it has seen and where.
struct SignedLie {
  const char* what;
  VerifyErrc errc;
  test::ReportLie told;
};
class WronglySigned : public testing::TestWithParam<SignedLie> {};
TEST_P(WronglySigned, is_refused_under_each_root) {
  test::Pki pki;
  const SignedLie& lie = GetParam();
  for (const std::size_t root : {0U, 1U}) {
    test::ReleasedPlan plan;
    plan.lies[root] = lie.told;
    const auto scene = test::released_scene(pki, plan);
    const auto verdict = verdict_of(scene, pki);
    ASSERT_FALSE(verdict) << root;
    EXPECT_TRUE(verdict.error().is(lie.errc)) << verdict.error().text();
    keep_coded(lie.errc, std::string("released-") + lie.what + std::to_string(root),
               format_bundle(scene.bundle));
  }
}
INSTANTIATE_TEST_SUITE_P(
    Protocol4, WronglySigned,
    testing::Values(SignedLie{"another_order_seen",
                              VerifyErrc::report_seen,
                              {.seen = [](auto& b) { (*b.seen)[31] ^= 1; }}},
                    SignedLie{"one_report_left_out",
                              VerifyErrc::report_number,
                              {.seen = [](auto& b) { b.number = 2; }}},
                    SignedLie{"of_another_log",
                              VerifyErrc::report_signature,
                              {.terms = [](auto& of) { of.origin = "casino.example/talla-2"; }}},
                    SignedLie{"of_another_table",
                              VerifyErrc::report_signature,
                              {.terms = [](auto& of) { of.table = "table-99"; }}},
                    SignedLie{"of_another_shoe",
                              VerifyErrc::report_signature,
                              {.terms = [](auto& of) { of.shoe = "shoe-99"; }}},
                    SignedLie{"of_another_release",
                              VerifyErrc::report_signature,
                              {.terms = [](auto& of) { of.head[0] ^= 1; }}}),
    [](const auto& named) { return std::string(named.param.what); });

/// Makes a record one that the table's client asked for.
void asked_by_table(Record& record) {
  record.client = Client{"urn:talla:table-1", BotanHashes().sha256({test::Pki().table_spki()})};
}

constexpr auto release = Kind::shoe_release;
constexpr auto report = Kind::shuffle_report;
using Release = ShoeReleaseBody;
using Report = ShuffleReportBody;
const json::Object jam{{"key", "AAAA"},
                       {"number", 1},
                       {"recognised", 0},
                       {"result", "jam"},
                       {"signature", std::string(86, 'A') + "=="}};

INSTANTIATE_TEST_SUITE_P(
    Protocol4, WrongRelease,
    testing::Values(
        Lie{"another_machine", VerifyErrc::report_client, release, 0,
            body<Release>([](auto& b) { b.machine = "urn:talla:x"; })},
        Lie{"another_key", VerifyErrc::report_client, release, 0,
            body<Release>([](auto& b) { b.key[0] ^= 1; })},
        Lie{"another_reporter", VerifyErrc::report_client, report, 0,
            [](Record& r) { r.client->id = "urn:talla:x"; }},
        Lie{"another_reporters_key", VerifyErrc::report_client, report, 0,
            [](Record& r) { r.client->spki[0] ^= 1; }},
        Lie{"nobody_reports", VerifyErrc::report_client, report, 0,
            [](Record& r) { r.client.reset(); }},
        Lie{"released_twice", VerifyErrc::release_twice, report, 0,
            [](Record& r) {
              asked_by_table(r);
              r.kind = Kind::shoe_release;
              r.body =
                  Release{.machine = "urn:talla:table-1", .key = {}, .ciphertext = {}}.to_json();
            }},
        Lie{"reported_before_its_release", VerifyErrc::report_undue, release, 0,
            [](Record& r) {
              r.kind = Kind::shuffle_report;
              r.body = jam;
            }},
        Lie{"released_again_in_play", VerifyErrc::release_twice, Kind::card_deal, 1,
            [](Record& r) {
              r.kind = Kind::shoe_release;
              r.body =
                  Release{.machine = "urn:talla:table-1", .key = {}, .ciphertext = {}}.to_json();
            }},
        Lie{"no_report_before_the_first_card", VerifyErrc::not_covered, report, 0,
            [](Record& r) {
              asked_by_table(r);
              r.kind = Kind::card_open;
              r.body["x"] = 1;
              r.body = json::Object{{"position", 0},
                                    {"place", "t"},
                                    {"leaf", 0},
                                    {"card", "AS"},
                                    {"salt", std::string(64, '0')},
                                    {"path", json::Array{}}};
            }},
        Lie{"released_to_the_table", VerifyErrc::release_own, release, 0,
            [](Record& r) {
              auto b = *Release::from_json(r.body);
              b.key = r.client->spki;
              r.body = b.to_json();
            }},
        Lie{"another_order_than_it_signed", VerifyErrc::report_signature, report, 0,
            body<Report>([](auto& b) { (*b.seen)[0] ^= 1; })},
        Lie{"another_signature", VerifyErrc::report_signature, report, 1,
            body<Report>([](auto& b) { b.signature[40] ^= 1; })},
        Lie{"a_signature_of_the_table", VerifyErrc::report_key, report, 0,
            body<Report>([](auto& b) { b.key.back() ^= 1; })},
        Lie{"not_cited", VerifyErrc::report_uncited, report, 1, [](Record& r) { r.cites.clear(); }},
        Lie{"counted_on", VerifyErrc::report_number, report, 1,
            body<Report>([](auto& b) { b.number = 2; })},
        Lie{"fewer_cards_match", VerifyErrc::report_count, report, 0,
            body<Report>([](auto& b) { b.recognised = 51; })},
        Lie{"targets_of_a_whole_order", VerifyErrc::report_count, report, 0,
            body<Report>([](auto& b) { b.targets = 52; })},
        Lie{"no_count_of_targets", VerifyErrc::report_count, report, 1,
            body<Report>([](auto& b) { b.targets.reset(); })},
        Lie{"fewer_targets_match", VerifyErrc::report_count, report, 1,
            body<Report>([](auto& b) { b.targets = 49; })},
        Lie{"more_targets_than_cards", VerifyErrc::report_count, report, 1,
            body<Report>([](auto& b) { b.targets = 51; })},
        Lie{"a_shelf_of_old_cards", VerifyErrc::release_form, release, 1,
            body<Release>([](auto& b) {
              b.form = ReleaseForm::shelf;
              b.compartments = 10;
            })}),
    [](const auto& named) { return std::string(named.param.what); });

}  // namespace
}  // namespace talla::certs
