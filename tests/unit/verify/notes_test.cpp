// Goal: every line of a verdict is said in Spanish as in English, and nothing of it is lost.
// Method: each line with values of its own; the verdicts of whole stories, line by line.
#include "verify/notes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "lies.hpp"

namespace talla::certs {
namespace {

std::vector<Note> all_notes() {
  std::vector<Note> out;
  for (std::size_t i = 0; i < notes_count; ++i) out.push_back(static_cast<Note>(i));
  return out;
}

/// The names in braces, as often as they stand there.
std::multiset<std::string> names_in(std::string_view form) {
  std::multiset<std::string> out;
  for (auto at = form.find('{'); at != std::string_view::npos; at = form.find('{', at + 1))
    out.emplace(form.substr(at + 1, form.find('}', at) - at - 1));
  return out;
}

games::RefusalValues values_of(Note note) {
  games::RefusalValues out;
  std::size_t number = 40;
  for (const auto name : {"keys",    "records", "log",    "reason", "quorum", "names",    "time",
                          "batch",   "draws",   "shoe",   "cards",  "times",  "shuffles", "machine",
                          "results", "count",   "record", "game",   "table",  "meter",    "seat",
                          "round",   "result",  "first",  "last",   "place",  "opened",   "calls",
                          "key",     "client"}) {
    ++number;
    if (names_in(note_form(note).en).contains(name)) out.emplace_back(name, std::to_string(number));
  }
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

TEST(Notes, of_whole_stories_are_all_spanish) {
  test::Pki pki;
  const auto draws = test::draw_scene(pki);
  for (const auto& bundle :
       {test::shoe_scene(pki).closed, test::shoe_scene(pki).dealt, test::again_scene(pki),
        test::released_scene(pki).bundle, draws.drawn, draws.voided, draws.closed,
        test::spin_scene(pki), test::coup_scene(pki), test::meter_scene(pki),
        test::places_scene(pki)}) {
    const auto verdict = judged(bundle, pki);
    for (const auto* lines : {&verdict.checked, &verdict.not_checked}) {
      EXPECT_FALSE(lines->empty());
      for (const auto& line : *lines) EXPECT_NE(note_text(line, "es"), line);
    }
  }
}

}  // namespace
}  // namespace talla::certs
