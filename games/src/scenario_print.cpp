#include "games/scenario.hpp"

namespace talla::games {
namespace {

std::string settlement_line(const Settlement& one) {
  std::string out = one.bet + "  seat " + std::to_string(one.seat) + "  " + one.kind + "  stake " +
                    std::to_string(one.stake) + "  " + std::string(bet_result_name(one.result)) +
                    "  returned " + std::to_string(one.returned);
  if (!one.remainder.is_zero()) out += " (remainder " + one.remainder.text() + ")";
  return out + "  [" + one.rule + "]\n";
}

}  // namespace

json::Value to_json(const ScenarioOutcome& outcome) {
  json::Array settlements;
  for (const auto& one : outcome.settlements) settlements.push_back(to_json(one));
  json::Object out{{"settlements", std::move(settlements)},
                   {"carried", outcome.carried},
                   {"needs", outcome.needs},
                   {"passed", outcome.passed()}};
  if (outcome.view) out["view"] = *outcome.view;
  if (!outcome.warnings.empty())
    out["warnings"] = json::Array(outcome.warnings.begin(), outcome.warnings.end());
  if (outcome.error) {
    json::Object error{{"code", outcome.error->code}, {"detail", outcome.error->detail}};
    if (outcome.error_step > 0) error["step"] = outcome.error_step;
    out["error"] = std::move(error);
  }
  if (!outcome.differences.empty()) {
    out["differences"] = json::Array(outcome.differences.begin(), outcome.differences.end());
  }
  return out;
}

std::string to_text(const ScenarioOutcome& outcome) {
  std::string out;
  for (const auto& one : outcome.settlements) out += settlement_line(one);
  out += "carried  " + json::canonical(outcome.carried) + "\n";
  out += "needs    " + json::canonical(outcome.needs) + "\n";
  if (outcome.view) out += "view     " + json::canonical(*outcome.view) + "\n";
  for (const auto& warning : outcome.warnings) out += "warning  " + warning + "\n";
  if (outcome.error) {
    out += "refused  ";
    if (outcome.error_step > 0) out += "at step " + std::to_string(outcome.error_step) + ": ";
    out += outcome.error->text() + "\n";
  }
  for (const auto& difference : outcome.differences) out += "differs  " + difference + "\n";
  return out;
}

}  // namespace talla::games
