#include "engines/dice/sentence.hpp"

#include "engines/dice/rules.hpp"

namespace talla::games::dice {
namespace {

/// The sentences' parts in one language.
struct Speech {
  std::string_view first, next, wins, loses, null, then_right, then_wrong, number_right,
      number_wrong, until, only_double, others, beside;
};
constexpr Speech english{"first throw",
                         "next throw",
                         "wins with",
                         "loses with",
                         "null with",
                         "then the point wins, 7 loses",
                         "then 7 wins, the point loses",
                         "its number before 7 wins",
                         "7 before its number wins",
                         "stays until decided",
                         "only as a double, the same total otherwise loses",
                         "every other total loses",
                         "beside"};
constexpr Speech spanish{"primera tirada",
                         "tirada siguiente",
                         "gana con",
                         "pierde con",
                         "nula con",
                         "después gana el punto y pierde el 7",
                         "después gana el 7 y pierde el punto",
                         "gana su número antes que el 7",
                         "gana el 7 antes que su número",
                         "sigue hasta decidirse",
                         "solo por dobles, el mismo total de otra forma pierde",
                         "pierde con los demás totales",
                         "junto a"};

std::string totals_text(const Totals& all) {
  std::string out;
  for (int total = 2; total <= 12; ++total) {
    if (all.contains(total)) out += (out.empty() ? "" : ", ") + std::to_string(total);
  }
  return out;
}

void add(std::string& out, std::string_view words, const Totals& all,
         std::string_view before = "; ") {
  if (all.empty()) return;
  if (!out.empty()) out += before;
  out.append(words).append(" ").append(totals_text(all));
}

std::string fates(const Form& form, const Speech& say) {
  std::string out;
  add(out, say.wins, form.win);
  add(out, say.loses, form.lose);
  add(out, say.null, form.null);
  return out;
}

std::string sentence(const Form& form, const Speech& say, const std::string& with) {
  switch (form.kind) {
    case FormKind::line:
    case FormKind::come:
      return std::string(form.kind == FormKind::line ? say.first : say.next) + ": " +
             fates(form, say) + "; " + std::string(form.right ? say.then_right : say.then_wrong);
    case FormKind::once:
      return std::string(say.next) + ": " + fates(form, say) + "; " + std::string(say.others);
    case FormKind::until:
      return fates(form, say) + (form.doubles ? " (" + std::string(say.only_double) + ")" : "") +
             "; " + std::string(say.until);
    case FormKind::odds:
      return std::string(say.beside) + " " + with + ": " +
             std::string(form.right ? say.number_right : say.number_wrong);
    case FormKind::place:
      return std::string(form.right ? say.number_right : say.number_wrong);
  }
  return {};
}

}  // namespace

std::string sentence_of(const Catalogue& catalogue, const GameRules& rules, const BetRule& bet,
                        std::string_view language) {
  const auto form = form_of(rules, bet);
  if (!form) return {};
  return sentence(*form, language == "es" ? spanish : english,
                  catalogue.text(language, "bet", form->with));
}

}  // namespace talla::games::dice
