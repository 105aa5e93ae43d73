#include "games/refusal.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "speech/refusals.hpp"

namespace talla::games {
namespace {

/// A form cut at its slots: text, slot, text, slot, ..., text.
struct CutForm {
  std::vector<std::string_view> texts;
  std::vector<std::string_view> slots;
  std::size_t written = 0;  ///< characters of all texts
};

CutForm cut(std::string_view form) {
  CutForm out;
  for (;;) {
    const auto open = form.find('{');
    const auto close = open == std::string_view::npos ? open : form.find('}', open);
    out.texts.push_back(form.substr(0, open));
    out.written += out.texts.back().size();
    if (close == std::string_view::npos) return out;
    out.slots.push_back(form.substr(open + 1, close - open - 1));
    form.remove_prefix(close + 1);
  }
}

/// The values of a text that has this form; every one holds something.
std::optional<RefusalValues> read(const CutForm& form, std::string_view text) {
  if (!text.starts_with(form.texts.front())) return std::nullopt;
  text.remove_prefix(form.texts.front().size());
  RefusalValues out;
  for (std::size_t i = 0; i < form.slots.size(); ++i) {
    const auto next = form.texts[i + 1];
    const bool last = i + 1 == form.slots.size();
    std::size_t at = std::string_view::npos;
    if (last) {
      if (text.ends_with(next)) at = text.size() - next.size();
    } else {
      at = text.find(next, 1);
    }
    if (at == std::string_view::npos || at == 0) return std::nullopt;
    out.emplace_back(form.slots[i], std::string(text.substr(0, at)));
    text.remove_prefix(at + next.size());
  }
  if (!text.empty()) return std::nullopt;
  return out;
}

using Books = std::vector<std::span<const RefusalForm>>;

Books books(std::span<const RefusalForm> more) {
  return {more,
          speech::stake_refusals(),
          speech::play_refusals(),
          speech::table_refusals(),
          speech::circle_refusals(),
          speech::bank_refusals(),
          speech::tournament_refusals()};
}

/// What stands around a sentence is no part of it: "seat 2 plays no hand; now: seat 1 decides: ..."
/// is no "seat {seat} decides: ...", "what stays: rojo: 3 is ..." is not about a bet "what stays:
/// rojo".
bool swallows_frame(const RefusalValues& values) {
  static constexpr std::array<std::string_view, 4> frames{"; now: ", "; there are: ", "what stays",
                                                          " would stay alone"};
  return std::any_of(values.begin(), values.end(), [](const auto& one) {
    if (one.first == "why") return false;  // a whole sentence, read by itself
    return std::any_of(frames.begin(), frames.end(), [&](std::string_view frame) {
      return one.second.find(frame) != std::string::npos;
    });
  });
}

/// The form that says it with most words of its own.
std::optional<RefusalFacts> plain_facts(std::string_view text, std::span<const RefusalForm> more) {
  std::optional<RefusalFacts> best;
  std::size_t written = 0;
  for (const auto& book : books(more)) {
    for (const auto& form : book) {
      const auto parts = cut(form.en);
      if (best && parts.written <= written) continue;
      auto values = read(parts, text);
      if (!values || swallows_frame(*values)) continue;
      best = RefusalFacts{&form, *std::move(values), {}, {}};
      written = parts.written;
    }
  }
  return best;
}

/// "01 IV.1.B.b", "art. 2 a", "10.1.A VI (base es-1977, provisional)", "es-1977 03 V.1
/// (provisional)".
bool is_citation(std::string_view text) {
  const bool number = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return (number || text.starts_with("es-") || text.starts_with("art. ")) &&
         text.find(' ') != std::string_view::npos;
}

/// Where the citation at the end begins: " (01 IV.1)"; npos: there is none.
std::size_t citation_behind(std::string_view text) {
  if (!text.ends_with(')')) return std::string_view::npos;
  for (auto at = text.find(" ("); at != std::string_view::npos; at = text.find(" (", at + 1)) {
    if (is_citation(text.substr(at + 2, text.size() - at - 3))) return at;
  }
  return std::string_view::npos;
}

std::string word_in(std::string_view word, bool spanish) {
  for (const auto& known : speech::refusal_words()) {
    if (known.en == word) return std::string(spanish ? known.es : known.en);
  }
  return std::string(word);
}

constexpr std::string_view between = "; ";

std::string said(std::string_view detail, std::string_view language,
                 std::span<const RefusalForm> more);

std::string said_each(std::string_view list, std::string_view language,
                      std::span<const RefusalForm> more) {
  std::string out;
  for (;;) {
    const auto end = list.find(between);
    out += (out.empty() ? std::string() : std::string(between)) +
           said(list.substr(0, end), language, more);
    if (end == std::string_view::npos) return out;
    list.remove_prefix(end + between.size());
  }
}

std::string value_said(std::string_view slot, const std::string& value, std::string_view language,
                       std::span<const RefusalForm> more) {
  if (slot == "why") return said(value, language, more);
  if (slot == "now") return said_each(value, language, more);
  return slot.ends_with('~') ? word_in(value, language == "es") : value;
}

std::string said(std::string_view detail, std::string_view language,
                 std::span<const RefusalForm> more) {
  const auto facts = facts_of(detail, more);
  if (!facts) return std::string(detail);
  RefusalValues values;
  for (const auto& [slot, value] : facts->values) {
    values.emplace_back(slot, value_said(slot, value, language, more));
  }
  auto out = filled_form(language == "es" ? facts->form->es : facts->form->en, values);
  if (!facts->before.empty()) out = facts->before + ": " + out;
  return facts->after.empty() ? out : out + " (" + facts->after + ")";
}

struct CodeWords {
  std::string_view code;
  std::string_view es;
  std::string_view en;
};
constexpr std::array code_words{
    CodeWords{"catalogue_malformed", "El catálogo está mal escrito", "The catalogue is malformed"},
    CodeWords{"catalogue_unknown", "No hay tal catálogo", "No such catalogue"},
    CodeWords{"game_unknown", "El catálogo no tiene ese juego", "The catalogue has no such game"},
    CodeWords{"game_not_available", "El juego no se sirve aquí", "The game is not served here"},
    CodeWords{"parameter_unknown", "El juego no tiene ese parámetro",
              "The game has no such parameter"},
    CodeWords{"parameter_not_allowed", "El parámetro no admite ese valor",
              "The parameter does not take this value"},
    CodeWords{"parameter_missing", "Falta un parámetro de la mesa",
              "A parameter of the table is missing"},
    CodeWords{"table_invalid", "La mesa no puede abrirse así", "The table cannot be opened so"},
    CodeWords{"decree_missing", "El decreto que lo regula no está disponible",
              "Its decree is not at hand"},
    CodeWords{"bets_closed", "No se admiten apuestas ahora", "No bets are taken now"},
    CodeWords{"bet_unknown", "No hay tal apuesta en la mesa", "No such bet on the table"},
    CodeWords{"bet_duplicate", "Ese nombre de apuesta ya está en uso",
              "The id of the bet is taken"},
    CodeWords{"bet_kind_unknown", "El juego no tiene esa apuesta", "The game has no such bet"},
    CodeWords{"bet_not_offered", "Esa apuesta no se admite en esta mesa",
              "The bet is not offered here"},
    CodeWords{"bet_position", "La apuesta no puede ir ahí", "The bet does not go there"},
    CodeWords{"below_minimum", "No llega al mínimo", "Below the minimum"},
    CodeWords{"above_maximum", "Pasa del máximo", "Above the maximum"},
    CodeWords{"chip_step", "El importe no se hace con fichas enteras",
              "Not an amount in whole chips"},
    CodeWords{"withdrawal_refused", "La apuesta no puede retirarse",
              "The bet may not be taken back"},
    CodeWords{"seat_invalid", "Ese puesto o casilla no vale", "That seat or box is not valid"},
    CodeWords{"amount_invalid", "El importe no vale", "The amount is not valid"},
    CodeWords{"not_multiple", "El importe ha de ser múltiplo", "The amount must be a multiple"},
    CodeWords{"not_due", "Ahora no toca", "Not due now"},
    CodeWords{"action_unknown", "El juego no tiene esa decisión", "The game has no such action"},
    CodeWords{"action_refused", "Esa decisión no cabe ahora", "The action is not open now"},
    CodeWords{"place_unknown", "Ese lugar no es el que toca", "Not the place that is due"},
    CodeWords{"card_invalid", "Esa carta no vale", "That card is not valid"},
    CodeWords{"outcome_invalid", "Ese resultado no es posible", "That outcome is not possible"},
    CodeWords{"cards_exhausted", "No quedan cartas", "No cards are left"},
    CodeWords{"no_shoe", "No hay sabot abierto", "No shoe is open"},
    CodeWords{"misdeal_unknown", "El juego no tiene ese error", "The game has no such error"},
    CodeWords{"shoe_finished", "El sabot ha terminado", "The shoe is finished"},
    CodeWords{"state_malformed", "El estado no corresponde al juego",
              "The state does not fit the game"},
    CodeWords{"scenario_malformed", "El escenario está mal escrito", "The scenario is malformed"},
    CodeWords{"expectation_failed", "No ha salido lo esperado", "Not what was expected"},
    CodeWords{"arithmetic_range", "Un importe se sale de lo calculable",
              "An amount leaves the range"},
};

std::string due_said(const Need& need) {
  if (const auto* open = std::get_if<BetsOpen>(&need)) {
    return open->can_close ? "bets are open" : "bets are open, closing comes later";
  }
  if (std::get_if<ShoeNeed>(&need) != nullptr) return "a new shoe is due";
  if (const auto* deal = std::get_if<Deal>(&need))
    return "the next card goes to " + deal->cards.front().place;
  if (const auto* turn = std::get_if<Reveal>(&need))
    return "the card to turn lies at " + turn->place;
  if (const auto* draw = std::get_if<Draw>(&need))
    return "a draw is due: " + std::string(draw_kind_name(draw->kind));
  if (std::get_if<Shuffle>(&need) != nullptr) return "cards are to be shuffled again";
  if (const auto* meter = std::get_if<ReadMeter>(&need))
    return "the meter to read is " + meter->meter;
  if (const auto* choice = std::get_if<Decide>(&need)) {
    std::vector<std::string> actions;
    for (const auto& one : choice->choices) {
      if (std::find(actions.begin(), actions.end(), one.action) == actions.end())
        actions.push_back(one.action);
    }
    return "seat " + std::to_string(choice->seat) + " decides: " + listed(actions);
  }
  if (std::get_if<Confirm>(&need) != nullptr) return "the hand is to be confirmed";
  return "the round is settled";
}

/// Whether this event may hear what is due instead: it came at the wrong time, or from the wrong
/// seat.
bool hears_what_is_due(const Error& error, const Event& event) {
  if (std::holds_alternative<Act>(event) || std::holds_alternative<TimeOut>(event))
    return error.is(Errc::action_refused) || error.is(Errc::not_due);
  return error.is(Errc::not_due) || error.is(Errc::bets_closed);
}

std::string with_due(const Needs& due, std::string detail) {
  std::string now;
  for (const auto& need : due) {
    const auto one = due_said(need);
    if (detail.find(one) == std::string::npos)
      now += (now.empty() ? std::string() : std::string(between)) + one;
  }
  return now.empty() ? detail
                     : filled_form("{why}; now: {now}", {{"why", std::move(detail)}, {"now", now}});
}

template <class T>
std::vector<std::string> ids_of(const std::vector<T>& all, std::string T::*id) {
  std::vector<std::string> out;
  out.reserve(all.size());
  for (const auto& one : all) out.push_back(one.*id);
  return out;
}

std::string with_codes(std::string detail, const std::vector<std::string>& codes) {
  if (codes.empty()) return detail;
  return filled_form("{why}; there are: {allowed}",
                     {{"why", std::move(detail)}, {"allowed", listed(codes)}});
}

}  // namespace

std::string filled_form(std::string_view form, const RefusalValues& values) {
  const auto parts = cut(form);
  std::string out(parts.texts.front());
  for (std::size_t i = 0; i < parts.slots.size(); ++i) {
    const auto found = std::find_if(values.begin(), values.end(),
                                    [&](const auto& one) { return one.first == parts.slots[i]; });
    TALLA_CHECK(found != values.end());
    out += found->second;
    out += parts.texts[i + 1];
  }
  return out;
}

tl::unexpected<Error> refuse(Errc errc, std::string_view form, const RefusalValues& values) {
  return fail(errc, filled_form(form, values));
}

std::optional<RefusalFacts> facts_of(std::string_view detail, std::span<const RefusalForm> more) {
  // A citation first: what is left has the form.
  if (const auto at = citation_behind(detail); at != std::string_view::npos) {
    if (auto rest = facts_of(detail.substr(0, at), more)) {
      rest->after = std::string(detail.substr(at + 2, detail.size() - at - 3));
      return rest;
    }
  }
  const auto colon = detail.find(": ");
  if (colon != std::string_view::npos && is_citation(detail.substr(0, colon))) {
    if (auto rest = facts_of(detail.substr(colon + 2), more)) {
      rest->before = std::string(detail.substr(0, colon));
      return rest;
    }
  }
  return plain_facts(detail, more);
}

std::string refusal_text(std::string_view code, std::string_view detail, std::string_view language,
                         std::span<const RefusalForm> more) {
  if (language != "es") return std::string(detail);
  if (facts_of(detail, more)) return said(detail, language, more);
  const auto words = errc_words(code, language);
  if (words.empty()) return std::string(detail);
  return detail.empty() ? std::string(words)
                        : std::string(words) + " (" + std::string(detail) + ")";
}

std::string_view errc_words(std::string_view code, std::string_view language) {
  const auto* found = std::find_if(code_words.begin(), code_words.end(),
                                   [&](const CodeWords& one) { return one.code == code; });
  if (found == code_words.end()) return {};
  return language == "es" ? found->es : found->en;
}

Error with_instead(const GameRules& rules, const Needs& due, const Event& event, Error error) {
  if (error.is(Errc::bet_kind_unknown)) {
    error.detail = with_codes(std::move(error.detail), ids_of(rules.bets, &BetRule::id));
  } else if (error.is(Errc::action_unknown)) {
    error.detail = with_codes(std::move(error.detail), ids_of(rules.actions, &Named::id));
  } else if (error.is(Errc::misdeal_unknown)) {
    error.detail = with_codes(std::move(error.detail), ids_of(rules.errors, &ErrorRule::code));
  } else if (hears_what_is_due(error, event)) {
    error.detail = with_due(due, std::move(error.detail));
  }
  return error;
}

std::string due_words(const Needs& due) {
  std::string out;
  for (const auto& need : due)
    out += (out.empty() ? std::string() : std::string(between)) + due_said(need);
  return out;
}

std::string due_text(std::string_view words, std::string_view language) {
  return language == "es" ? said_each(words, language, {}) : std::string(words);
}

std::string listed(std::span<const std::string> all, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == most) return out + ", ...";
    out += (i == 0 ? "" : ", ") + all[i];
  }
  return out;
}

}  // namespace talla::games
