#include "games/rules.hpp"

#include <algorithm>
#include <array>

#include "games/refusal.hpp"

namespace talla::games {
namespace {

template <class T>
const T* by_id(const std::vector<T>& all, std::string_view id, std::string T::*name) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const T& one) { return one.*name == id; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

Fraction Payout::factor(const Params& params) const {
  const Fraction kept =
      commission_parameter.empty() ? commission : params.fraction(commission_parameter);
  return Fraction(1) + pays - kept;
}

const Payout* BetRule::payout(std::string_view when) const {
  return by_id(payouts, when, &Payout::when);
}

const Payout* BetRule::payout(std::string_view when, const Params& params) const {
  for (const auto& one : payouts_when) {
    if (one.payout.when == when && params.holds(one.when)) return &one.payout;
  }
  return payout(when);
}

const BetRule* GameRules::bet(std::string_view bet_id) const {
  return by_id(bets, bet_id, &BetRule::id);
}

const ParameterRule* GameRules::parameter(std::string_view parameter_id) const {
  return by_id(parameters, parameter_id, &ParameterRule::id);
}

std::string_view end_of_name(EndOf of) {
  static constexpr std::array<std::string_view, 3> names{"round", "shoe", "shooter"};
  return names.at(static_cast<std::size_t>(of));
}

const SessionEndRule* GameRules::session_end(const Params& params) const {
  const auto found = std::find_if(session_ends.begin(), session_ends.end(), [&](const auto& one) {
    return !one.when || params.holds(*one.when);
  });
  return found == session_ends.end() ? nullptr : &*found;
}

const ErrorRule* GameRules::error(std::string_view code) const {
  return by_id(errors, code, &ErrorRule::code);
}

const MinimumRule* GameRules::minimum(std::string_view bet_id) const {
  for (const auto& one : minimums) {
    if (std::find(one.bets.begin(), one.bets.end(), bet_id) != one.bets.end()) return &one;
  }
  return nullptr;
}

std::string GameRules::rule(const Citation& citation) const {
  std::string out = citation.number.empty() ? number : citation.number;
  out += ' ';
  out += citation.section;
  if (!citation.inherited.empty()) return citation.inherited + " " + out + " (provisional)";
  if (!base.empty()) out += " (base " + base + ", provisional)";
  return out;
}

Result<const GameRules*> find_game(const Catalogue& catalogue, std::string_view id) {
  if (const auto* game = catalogue.game(id)) return game;
  const auto& elsewhere = catalogue.base_games;
  if (std::find(elsewhere.begin(), elsewhere.end(), id) != elsewhere.end()) {
    return refuse(Errc::decree_missing,
                  "{catalogue}: the rules of {game} stand in {decree}, which is not at hand",
                  {{"catalogue", catalogue.id},
                   {"game", std::string(id)},
                   {"decree", catalogue.base_decree}});
  }
  std::vector<std::string> there;
  there.reserve(catalogue.games.size());
  for (const auto& game : catalogue.games) there.push_back(game.id);
  return refuse(Errc::game_unknown, "{catalogue} has no game {game}; there are: {allowed}",
                {{"catalogue", catalogue.id},
                 {"game", id.empty() ? "''" : std::string(id.substr(0, 60))},
                 {"allowed", listed(there)}});
}

const GameRules* Catalogue::game(std::string_view game_id) const {
  return by_id(games, game_id, &GameRules::id);
}

std::string Catalogue::text(std::string_view lang, std::string_view category,
                            std::string_view code) const {
  const auto table = texts.find(std::string(lang));
  if (table != texts.end()) {
    const auto codes = table->second.find(std::string(category));
    if (codes != table->second.end()) {
      const auto found = codes->second.find(std::string(code));
      if (found != codes->second.end()) return found->second;
    }
  }
  return std::string(code);
}

}  // namespace talla::games
