// What a verdict says first: in words what is proven, then what is not.
#include "verify/summary.hpp"

#include <array>

#include "summary_of.hpp"

namespace talla::certs {
namespace {

constexpr std::array all_clauses{
    SummaryClause{"proven_card", Note::proven_card},
    SummaryClause{"proven_place", Note::proven_place},
    SummaryClause{"proven_mix", Note::proven_mix},
    SummaryClause{"proven_close", Note::proven_close},
    SummaryClause{"proven_draw", Note::proven_draw},
    SummaryClause{"proven_void", Note::proven_void},
    SummaryClause{"proven_unused", Note::proven_unused},
    SummaryClause{"proven_settled", Note::proven_settled},
    SummaryClause{"proven_cited", Note::proven_cited},
    SummaryClause{"proven_recorded", Note::proven_recorded},
    SummaryClause{"proven_logged", Note::proven_logged},
    SummaryClause{"proven_laboratory", Note::proven_laboratory},
    SummaryClause{"proven_alone", Note::proven_alone},
    SummaryClause{"proven_joined", Note::proven_joined},
    SummaryClause{"proven_witnessed", Note::proven_witnessed},
    SummaryClause{"proven_certified", Note::proven_certified},
    SummaryClause{"unproven_follows", Note::unproven_follows},
    SummaryClause{"unproven_together", Note::unproven_together},
    SummaryClause{"unproven_people", Note::unproven_people},
    SummaryClause{"unproven_rules", Note::unproven_rules},
    SummaryClause{"unproven_catalogue", Note::unproven_catalogue},
    SummaryClause{"unproven_cards", Note::unproven_cards},
    SummaryClause{"unproven_before", Note::unproven_before},
    SummaryClause{"unproven_later", Note::unproven_later},
    SummaryClause{"unproven_history", Note::unproven_history},
    SummaryClause{"unproven_unasked", Note::unproven_unasked},
    SummaryClause{"unproven_uncertified", Note::unproven_uncertified},
    SummaryClause{"unproven_elsewhere", Note::unproven_elsewhere},
    SummaryClause{"unproven_lab", Note::unproven_lab},
    SummaryClause{"unproven_lab_table", Note::unproven_lab_table},
    SummaryClause{"unproven_development", Note::unproven_development},
};

std::string clauses_in(const std::vector<std::string>& clauses, std::string_view language) {
  std::string out;
  for (const std::string& clause : clauses)
    out += (out.empty() ? "" : "; ") + note_text(clause, language);
  return out;
}

Note proven_of(const Record& claim) {
  switch (claim.kind) {
    case Kind::card_deal:
    case Kind::card_open:
      return claim.body.find("card") != nullptr ? Note::proven_card : Note::proven_place;
    case Kind::shoe_mix:
      return Note::proven_mix;
    case Kind::shoe_close:
      return Note::proven_close;
    case Kind::draw:
      return Note::proven_draw;
    case Kind::void_call:
      return Note::proven_void;
    case Kind::batch_close:
      return Note::proven_unused;
    case Kind::settlement:
      return Note::proven_settled;
    case Kind::access:  // of a laboratory file alone
      return Note::proven_laboratory;
    default:
      return Note::proven_recorded;
  }
}

bool was_drawn(Kind kind) {
  return kind != Kind::void_call && kind != Kind::batch_close && !kind_opens(kind);
}

/// Of every file: what no file shows, and what this one lacks.
void say_lacks(Verdict& verdict, Note uncertified) {
  const auto lacks = [&](Note note) { verdict.not_proven.push_back(note_line(note)); };
  if (verdict.witnessed)
    verdict.proven.push_back(note_line(Note::proven_witnessed));
  else
    lacks(Note::unproven_history);
  if (verdict.verdict_class == VerdictClass::certified)
    verdict.proven.push_back(note_line(Note::proven_certified));
  else if (verdict.lab_table)
    lacks(Note::unproven_lab_table);
  else
    lacks(verdict.verdict_class == VerdictClass::lab ? Note::unproven_lab : uncertified);
  if (verdict.development) lacks(Note::unproven_development);
}

}  // namespace

std::span<const SummaryClause> summary_clauses() {
  return all_clauses;
}

std::string proven_line(const Verdict& verdict, std::string_view language) {
  return (language == "es" ? "Demostrado: " : "Proven: ") + clauses_in(verdict.proven, language);
}

std::string not_proven_line(const Verdict& verdict, std::string_view language) {
  return (language == "es" ? "SIN demostrar: " : "NOT proven: ") +
         clauses_in(verdict.not_proven, language);
}

void summarise(Evidence& evidence) {
  Verdict& verdict = evidence.verdict;
  const auto proven = [&](Note note, const games::RefusalValues& values = {}) {
    verdict.proven.push_back(note_line(note, values));
  };
  const auto lacks = [&](Note note, const games::RefusalValues& values = {}) {
    verdict.not_proven.push_back(note_line(note, values));
  };
  proven(proven_of(*evidence.claim));
  // Of what was given up, left or only recorded nobody asks who chose it.
  if (evidence.rests && was_drawn(evidence.claim->kind)) {
    const bool alone = evidence.joined.empty();
    proven(alone ? Note::proven_alone : Note::proven_joined,
           {{"count", std::to_string(evidence.joined.size())}});
    lacks(alone ? Note::unproven_together : Note::unproven_people);
  }
  if (!verdict.unknown_catalogue.empty()) lacks(Note::unproven_catalogue);
  if (evidence.unopened) lacks(Note::unproven_cards);
  if (evidence.shown_from)
    lacks(Note::unproven_before, {{"first", std::to_string(*evidence.shown_from)}});
  if (verdict.lab_table) {
    if (!evidence.bundle.outcomes) lacks(Note::unproven_follows);
  } else {
    lacks(Note::unproven_later);
  }
  say_lacks(verdict,
            verdict.certification.empty() ? Note::unproven_unasked : Note::unproven_uncertified);
}

void summarise_receipt(Verdict& verdict) {
  verdict.proven.push_back(note_line(Note::proven_logged));
  verdict.not_proven.push_back(note_line(Note::unproven_follows));
  say_lacks(verdict, Note::unproven_elsewhere);
}

}  // namespace talla::certs
