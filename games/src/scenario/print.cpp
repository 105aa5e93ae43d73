// What a scenario came to, as JSON and in words.
#include "games/listing_words.hpp"
#include "games/refusal.hpp"
#include "games/scenario.hpp"

namespace talla::games {
namespace {

/// The code itself, in Spanish behind its words.
std::string result_words(BetResult result, const Words& words) {
  const std::string code(bet_result_name(result));
  const auto said = words("result/" + code);
  return said == code ? code : said + " (" + code + ")";
}

std::string settlement_line(const Settlement& one, const Words& words) {
  std::string out = one.bet;
  if (one.seat > 0) out += "  " + words("seat number") + " " + std::to_string(one.seat);
  out += "  " + one.kind + "  " + words("staked") + " " + std::to_string(one.stake) + "  " +
         result_words(one.result, words) + ", " + words("returned") + " " +
         std::to_string(one.returned);
  if (!one.remainder.is_zero()) out += " (" + words("remainder") + " " + one.remainder.text() + ")";
  return out + "  [" + one.rule + "]\n";
}

/// "puesto 3, mano baja: pareja de ases (AS AH)".
std::string hand_line(const ShownHand& hand, const Words& words, std::string_view language) {
  const bool bank = hand.holder == "bank";
  auto out = bank ? words("bank")
                  : words("seat number") + " " + hand.holder.substr(hand.holder.find('-') + 1);
  if (!hand.which.empty()) out += ", " + words("hand/" + hand.which);
  out += ": " + hand_words(hand, language) + " (";
  for (std::size_t i = 0; i < hand.cards.size(); ++i)
    out += (i == 0 ? "" : " ") + hand.cards[i].text();
  return out + ")\n";
}

std::string refused_line(const Error& error, std::size_t step, const Words& words,
                         std::string_view language) {
  std::string out = words("refused");
  if (step > 0) out += " " + words("at step") + " " + std::to_string(step);
  return out + ": " + std::string(error.code) + ": " +
         refusal_text(error.code, error.detail, language);
}

/// The same sentences in the reader's language.
std::string difference_text(const std::string& difference, std::string_view language) {
  return refusal_text(errc_name(Errc::expectation_failed), difference, language);
}

/// A warning of a table, in the book of refusals too; it has no code.
std::string warning_text(const std::string& warning, std::string_view language) {
  return refusal_text({}, warning, language);
}

}  // namespace

json::Value to_json(const ScenarioOutcome& outcome, std::string_view language) {
  json::Array settlements;
  for (const auto& one : outcome.settlements) settlements.push_back(to_json(one));
  json::Object out{{"settlements", std::move(settlements)},
                   {"carried", outcome.carried},
                   {"needs", outcome.needs},
                   {"passed", outcome.passed()}};
  if (!outcome.hands.empty()) {
    json::Array hands;
    for (const auto& one : outcome.hands) {
      auto hand = to_json(one);
      hand["text"] = hand_words(one, language);
      hands.push_back(std::move(hand));
    }
    out["hands"] = std::move(hands);
  }
  if (outcome.view) out["view"] = *outcome.view;
  if (!outcome.warnings.empty()) {
    json::Array warnings;
    for (const auto& one : outcome.warnings) warnings.emplace_back(warning_text(one, language));
    out["warnings"] = std::move(warnings);
  }
  if (outcome.error) {
    json::Object error{
        {"code", outcome.error->code},
        {"detail", refusal_text(outcome.error->code, outcome.error->detail, language)}};
    if (outcome.error_step > 0) error["step"] = outcome.error_step;
    out["error"] = std::move(error);
  }
  if (!outcome.differences.empty()) {
    json::Array differences;
    for (const auto& one : outcome.differences)
      differences.emplace_back(difference_text(one, language));
    out["differences"] = std::move(differences);
  }
  return out;
}

std::string to_text(const ScenarioOutcome& outcome, std::string_view language) {
  const Words words(language);
  std::string out;
  for (const auto& one : outcome.settlements) out += settlement_line(one, words);
  for (const auto& one : outcome.hands) out += hand_line(one, words, language);
  const bool carries = outcome.carried != json::Value();
  if (carries) out += words("carried") + ": " + json::canonical(outcome.carried) + "\n";
  if (!outcome.due.empty()) out += words("due") + ": " + due_text(outcome.due, language) + "\n";
  if (outcome.view) out += words("view") + ": " + json::canonical(*outcome.view) + "\n";
  for (const auto& one : outcome.warnings)
    out += words("warning") + ": " + warning_text(one, language) + "\n";
  if (outcome.error)
    out += refused_line(*outcome.error, outcome.error_step, words, language) + "\n";
  for (const auto& one : outcome.differences)
    out += words("differs") + ": " + difference_text(one, language) + "\n";
  return out;
}

std::string why_not(const ScenarioOutcome& outcome, std::string_view language) {
  std::string out;
  if (outcome.differences.empty()) return out;
  if (outcome.error)
    out = refused_line(*outcome.error, outcome.error_step, Words(language), language);
  for (const auto& one : outcome.differences)
    out += (out.empty() ? "" : "; ") + difference_text(one, language);
  return out;
}

}  // namespace talla::games
