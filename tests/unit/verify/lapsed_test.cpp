// Goal: a core that does not stand any more is answered all the same, opened where it names the
//   next secret, and counted; nobody can say of one that it lapsed where it did not (FORMAT 8).
// Method: true logs with such VOIDs, and well-signed lies about them, each valid in every other
//   respect. Every file goes to the other verifiers too (TALLA_LIES), named by its code.
#include <gtest/gtest.h>

#include <algorithm>

#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_table.hpp"
#include "lies.hpp"
#include "story.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

using test::Batch;
using test::LogBuilder;

/// The record that a core rests on is not the newest any more.
void stale(CallCore& core) {
  core.head[0] ^= 1;
}

/// A client's table for two dice, with two batches.
struct LapsedTable {
  explicit LapsedTable(test::Pki& pki, test::Tamper tamper = {}) : log(pki, std::move(tamper)) {
    table =
        test::open_client_table(log, context, json::Object{{"range", specification_json(dice)}});
    one.emplace(log, table, 4, context);
    two.emplace(log, table, 2, context);
  }
  Bundle upto(std::uint64_t claim) { return log.select({claim, {table}, {}, {}}); }
  LogBuilder log;
  Context context = test::story_context({});
  DrawSpecification dice = DiceDraw{2, 6};
  std::string table;
  std::optional<Batch> one;
  std::optional<Batch> two;
};

bool tells(const std::vector<std::string>& lines, const std::string& words) {
  return std::ranges::any_of(
      lines, [&](const std::string& line) { return line.find(words) != std::string::npos; });
}

void lapse_refused_by(VerifyErrc errc, const Bundle& bundle, const test::Pki& pki,
                      const std::string& name) {
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  ASSERT_FALSE(verdict) << name;
  EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  keep_coded(errc, "lapsed-" + name, format_bundle(bundle));
}

TEST(Lapsed, PROTOCOL_5b_cores_are_counted_as_repetitions_and_play_goes_on) {
  test::Pki pki;
  const Bundle bundle = test::lapsed_scene(pki);
  const Verdict verdict = judged(bundle, pki);
  EXPECT_TRUE(tells(verdict.checked, "each of 4 calls is signed"));
  EXPECT_TRUE(tells(verdict.checked, "repetitions before, as far as this file shows: 2"));
  keep_lie("true_chain-lapsed.talla", format_bundle(bundle));
}

TEST(Lapsed, what_it_would_have_been_is_a_claim_of_its_own) {
  test::Pki pki;
  LapsedTable scene(pki);
  const Verdict opened = judged(scene.upto(scene.one->lapse(scene.dice, stale)), pki);
  EXPECT_NE(opened.claim_text.find("it would have been dice"), std::string::npos)
      << opened.claim_text;
  EXPECT_TRUE(tells(opened.checked, "repetitions before, as far as this file shows: 0"));
  scene.two->close();
  const Bundle kept = scene.upto(scene.two->lapse(scene.dice, {}, true));
  EXPECT_NE(judged(kept, pki).claim_text.find("nothing was opened"), std::string::npos);
  keep_lie("true_chain-lapsed-claim.talla", format_bundle(kept));
}

/// A core that lapsed has taken a turn of the table, and is one of its voids.
TEST(Lapsed, totals_wrong_where_running_counts_leave_it_out) {
  for (const std::uint64_t left_out : {0U, 1U}) {
    test::Pki pki;
    LapsedTable scene(pki);
    scene.one->lapse(scene.dice, stale);
    RoundOpenBody opened;
    opened.table = scene.table;
    const auto round =
        object_id("round", scene.log.add({Kind::round_open, "", opened.to_json(), {0}}));
    PlaceCounts counts = scene.log.counts(scene.table);
    counts.turns -= left_out;
    scene.log.add({Kind::round_end, round, RoundEndBody{{}, 0, counts}.to_json(), {}});
    const Bundle bundle = scene.upto(scene.one->close());
    if (left_out == 0) {
      judged(bundle, pki);
    } else {
      lapse_refused_by(VerifyErrc::totals_wrong, bundle, pki, "not-counted");
    }
  }
}

struct LapseLie {
  const char* what;
  VerifyErrc errc;
  std::size_t occurrence;  // 0 opens its secret, 1 opens none
  std::function<void(Record&)> change;
};
std::function<void(Record&)> lapsed_core(const std::function<void(CallCore&)>& change) {
  return body<VoidBody>([change](VoidBody& body) { change(body.lapsed->core); });
}
std::string lapse_lie_name(const testing::TestParamInfo<LapseLie>& named) {
  return named.param.what;
}

class WrongLapse : public testing::TestWithParam<LapseLie> {};
TEST_P(WrongLapse, is_refused) {
  test::Pki pki;
  const LapseLie& lie = GetParam();
  const test::SceneOptions options{.tamper = {Kind::void_call, lie.occurrence, lie.change},
                                   .context = {}};
  lapse_refused_by(lie.errc, test::lapsed_scene(pki, options), pki, lie.what);
}
INSTANTIATE_TEST_SUITE_P(
    Protocol5b, WrongLapse,
    testing::Values(
        LapseLie{"a_turn_skipped", VerifyErrc::turn_gap, 1, lapsed_core([](auto& c) { ++c.turn; })},
        LapseLie{"a_turn_again", VerifyErrc::turn_gap, 1, lapsed_core([](auto& c) { --c.turn; })},
        LapseLie{"nobody_signed", VerifyErrc::call_signature, 1,
                 body<VoidBody>([](auto& b) { b.lapsed->signature.fill(0); })},
        LapseLie{"of_another_client", VerifyErrc::call_signature, 0,
                 [](Record& r) { r.client->id = "urn:talla:other"; }},
        LapseLie{"another_origin", VerifyErrc::core_mismatch, 1,
                 lapsed_core([](auto& c) { c.origin = "casino.example/talla-2"; })},
        LapseLie{"another_table", VerifyErrc::core_mismatch, 1,
                 lapsed_core([](auto& c) { c.table = "table-9"; })},
        LapseLie{"another_object", VerifyErrc::core_mismatch, 0,
                 lapsed_core([](auto& c) { c.object = "batch-9"; })},
        LapseLie{"cites_a_record", VerifyErrc::lapsed_cites, 1,
                 [](Record& r) { r.cites = {r.seq - 1}; }},
        LapseLie{"another_root", VerifyErrc::lapsed_wrong, 0,
                 lapsed_core([](auto& c) { c.root[0] ^= 1; })},
        LapseLie{"another_index", VerifyErrc::lapsed_wrong, 0,
                 lapsed_core([](auto& c) { ++c.at; })},
        LapseLie{"another_secret", VerifyErrc::secret_wrong, 0,
                 body<VoidBody>([](auto& b) { (*b.secret)[0] ^= 1; })},
        LapseLie{"another_path", VerifyErrc::secret_wrong, 0,
                 body<VoidBody>([](auto& b) { b.path[0][0] ^= 1; })},
        LapseLie{"another_outcome", VerifyErrc::wrong_mapping, 0,
                 body<VoidBody>([](auto& b) { b.outcome->values[0] = 7 - b.outcome->values[0]; })}),
    lapse_lie_name);

/// The next secret of an open batch is opened, so that everybody sees what was tried.
TEST(WrongLapse, lapsed_wrong_where_the_next_secret_is_kept_closed) {
  test::Pki pki;
  LapsedTable scene(pki);
  scene.one->lapse(scene.dice, stale, true);
  lapse_refused_by(VerifyErrc::lapsed_wrong, scene.upto(scene.one->draw(scene.dice)), pki,
                   "kept-closed");
}

/// An appliance that saw the number and did not like what it gives.
TEST(WrongLapse, lapsed_wrong_of_a_core_that_could_stand) {
  test::Pki pki;
  LapsedTable scene(pki);
  scene.one->lapse(scene.dice, {});
  lapse_refused_by(VerifyErrc::lapsed_wrong, scene.upto(scene.one->draw(scene.dice)), pki,
                   "could-stand");
}

/// Of another range than the table's it could not.
TEST(Lapsed, a_core_of_another_range_could_not_stand) {
  test::Pki pki;
  LapsedTable scene(pki);
  scene.one->lapse(DiceDraw{1, 6}, {});
  const Bundle bundle = scene.upto(scene.one->draw(scene.dice));
  EXPECT_TRUE(
      tells(judged(bundle, pki).checked, "repetitions before, as far as this file shows: 1"));
  keep_lie("true_chain-lapsed-range.talla", format_bundle(bundle));
}

TEST(WrongLapse, turn_open_while_a_call_has_no_result) {
  test::Pki pki;
  LapsedTable scene(pki);
  scene.two->call(scene.dice);
  lapse_refused_by(VerifyErrc::turn_open, scene.upto(scene.one->lapse(scene.dice, stale)), pki,
                   "open");
}

/// A turn that lapsed is over.
TEST(WrongLapse, turn_gap_for_a_call_of_its_turn) {
  test::Pki pki;
  LapsedTable scene(pki, {Kind::call, 0, body<CallBody>([](auto& b) { --b.core.turn; })});
  scene.one->lapse(scene.dice, stale);
  lapse_refused_by(VerifyErrc::turn_gap, scene.upto(scene.one->draw(scene.dice)), pki, "again");
}

/// Closing a table and opening it again lets somebody try again, too.
TEST(Lapsed, an_opening_behind_another_counts_as_a_repetition) {
  test::Pki pki;
  EXPECT_TRUE(tells(judged(test::places_scene(pki), pki).checked,
                    "repetitions before, as far as this file shows: 1"));
}

}  // namespace
}  // namespace talla::certs
