// Goal: every line of a verdict is said in Spanish as in English, and nothing of it is lost.
// Method: each line with values of its own; the verdicts of whole stories, line by line.
#include "verify/notes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "lies.hpp"
#include "memory_source.hpp"
#include "scenes.hpp"
#include "verify/archive.hpp"

namespace talla::certs {
namespace {

std::vector<Note> all_notes() {
  std::vector<Note> out;
  for (std::size_t i = 0; i < notes_count; ++i) out.push_back(static_cast<Note>(i));
  return out;
}

/// The names in braces, as often as they stand there.
std::multiset<std::string_view> names_in(std::string_view form) {
  std::multiset<std::string_view> out;
  for (auto at = form.find('{'); at != std::string_view::npos; at = form.find('{', at + 1))
    out.emplace(form.substr(at + 1, form.find('}', at) - at - 1));
  return out;
}

games::RefusalValues values_of(Note note) {
  games::RefusalValues out;
  std::size_t number = 40;
  const auto names = names_in(note_form(note).en);
  for (auto name = names.begin(); name != names.end(); name = names.upper_bound(*name))
    out.emplace_back(*name, std::to_string(++number));
  return out;
}

TEST(Notes, say_the_same_with_the_same_values_in_both_languages) {
  std::set<std::string_view> seen;
  for (const auto note : all_notes()) {
    const auto& form = note_form(note);
    EXPECT_FALSE(form.en.empty());
    EXPECT_EQ(names_in(form.en), names_in(form.es)) << form.en;
    EXPECT_TRUE(seen.insert(form.en).second && seen.insert(form.es).second) << form.en;
    const auto values = values_of(note);
    const auto line = note_line(note, values);
    EXPECT_EQ(note_text(line, "en"), line);
    EXPECT_EQ(note_text(line, "es"), games::filled_form(form.es, values)) << line;
  }
}

TEST(Notes, leave_alone_what_is_no_line_of_a_verdict) {
  EXPECT_EQ(note_text("the archive before is not valid", "es"), "the archive before is not valid");
}

TEST(Notes, say_claims_of_many_bets_one_by_one) {
  EXPECT_EQ(claim_in("SETTLEMENT round-4: bet a pleno of 25: win, returned 900; bet b rojo of 50: "
                     "lose, returned 0",
                     "es"),
            "SETTLEMENT round-4: apuesta a pleno de 25: win, se devuelven 900; apuesta b rojo de "
            "50: lose, se devuelven 0");
  EXPECT_EQ(claim_in("VOID batch-1: voided, it would have been dice 3 4", "es"),
            "VOID batch-1: anulado, habría sido dados 3 4");
  EXPECT_EQ(claim_in("DRAW is record 7 of the log", "es"), "DRAW es el asiento 7 del registro");
  EXPECT_EQ(claim_in("records 0 to 9 of the log talla.example", "es"),
            "asientos 0 a 9 del registro talla.example");
}

TEST(Notes, of_archives_are_all_spanish) {
  test::Pki pki;
  const test::TwoArchives both = test::archives_of(test::spin_scene(pki), 1);
  std::set<std::string> said;
  const auto read = [&](ArchiveVerifier& verifier, std::string_view archive, bool contents) {
    test::MemorySource source(archive);
    const auto judged = verifier.verify(source, {.contents = contents});
    ASSERT_TRUE(judged) << judged.error().text();
    const auto& verdict = judged->verdict;
    EXPECT_NE(claim_in(verdict.claim_text, "es"), verdict.claim_text);
    for (const auto* lines : {&verdict.checked, &verdict.not_checked}) {
      for (const auto& line : *lines) {
        EXPECT_NE(note_text(line, "es"), line);
        said.insert(note_text(line, "es"));
      }
    }
  };
  ArchiveVerifier one_by_one(pki.roots_pem(), {});
  read(one_by_one, both.first, true);
  read(one_by_one, both.second, true);
  ArchiveVerifier alone(pki.roots_pem(), {});
  read(alone, both.second, false);
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): a literal
  EXPECT_TRUE(said.contains(note_form(Note::archive_follows).es.data()));
  EXPECT_TRUE(std::ranges::any_of(said, [](const std::string& line) {
    return line.find("asientos anteriores: no se dio el archivo sellado") != std::string::npos;
  }));
}

TEST(Notes, of_whole_stories_are_all_spanish) {
  test::Pki pki;
  const auto draws = test::draw_scene(pki);
  for (const auto& bundle :
       {test::shoe_scene(pki).closed, test::shoe_scene(pki).dealt, test::again_scene(pki),
        test::released_scene(pki).bundle, draws.drawn, draws.voided, draws.closed,
        test::spin_scene(pki), test::coup_scene(pki), test::meter_scene(pki),
        test::places_scene(pki)}) {
    const auto verdict = judged(bundle, pki);
    const auto claim = claim_in(verdict.claim_text, "es");
    EXPECT_NE(claim, verdict.claim_text);
    EXPECT_EQ(claim_in(verdict.claim_text, "en"), verdict.claim_text);
    EXPECT_TRUE(claim.starts_with(verdict.kind)) << claim;
    for (const auto* lines : {&verdict.checked, &verdict.not_checked}) {
      EXPECT_FALSE(lines->empty());
      for (const auto& line : *lines) EXPECT_NE(note_text(line, "es"), line);
    }
  }
}

}  // namespace
}  // namespace talla::certs
