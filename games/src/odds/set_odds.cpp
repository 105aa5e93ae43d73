// Odds of pai gow: the client's bet against the bank's house way, by each house way and at best.
#include <array>
#include <map>
#include <optional>

#include "engines/pai_gow/rules.hpp"
#include "odds/kinds.hpp"
#include "odds/poker/counted.hpp"
#include "odds/poker/pai_gow.hpp"
#include "odds/stored_odds.hpp"

namespace talla::games {

namespace {

constexpr std::array<std::string_view, pai_gow::house_ways_count> client_ways = {
    "way-informative", "way-best-high", "way-best-low"};
constexpr std::string_view best_way = "best-play";

/// Both hands win the stake less the commission, both lose it, one each gives it back.
Odds setting_odds(const Ratio& win, const Ratio& lose, const Ratio& commission) {
  const Ratio gain = Ratio(1) - commission;
  return {.win = win,
          .lose = lose,
          .other = Ratio(1) - win - lose,
          .returned = Ratio(1) + win * gain - lose,
          .square = win * gain * gain + lose};
}

/// Chances to win and to lose.
using Chances = std::pair<Ratio, Ratio>;
Chances chances(const poker::PaiGowSums& sums) {
  return {Fraction(sums.win, sums.deals), Fraction(sums.lose, sums.deals)};
}

std::map<std::string_view, Chances> count_ways(const pai_gow::Rules& rules) {
  const poker::PaiGowHands hands(rules.ranker, poker::ranks_count);
  const std::array aims = {
      poker::PaiGowAim{.commission = rules.commission, .wrongly = !rules.whole_foul}};
  const auto all = poker::PaiGow(hands).against(rules.way, aims);
  std::map<std::string_view, Chances> out{{best_way, chances(all.best.front())}};
  for (std::size_t way = 0; way < client_ways.size(); ++way)
    out.emplace(client_ways.at(way), chances(all.ways.at(way)));
  return out;
}

}  // namespace

Result<TableOdds> set_odds(const Table& table, OddsTime time) {
  const auto& rules = table.prepared<pai_gow::Rules>();
  TableOdds out;
  std::map<std::string_view, Chances> counted;
  if (time == OddsTime::minutes) counted = count_ways(rules);
  for (const std::string_view way : {best_way, client_ways[0], client_ways[1], client_ways[2]}) {
    if (time == OddsTime::seconds) {
      const auto stored = stored_setting(counted_law(table, rules.bet, way));
      if (!stored) {
        out.others.push_back(poker::takes_minutes(rules.bet));
        continue;
      }
      counted.emplace(
          way, chances({.win = stored->win, .lose = stored->lose, .deals = stored_setting_deals}));
    }
    const auto& [win, lose] = counted.at(way);
    out.bets.push_back({.bet = rules.bet,
                        .on = {},
                        .odds = setting_odds(win, lose, rules.commission),
                        .method = OddsMethod::count,
                        .play = {std::string(way)}});
  }
  out.others.push_back(
      {rules.bank_bet, rules.player_banks
                           ? "it depends on all stakes against that bank: not worked out"
                           : "players do not take the bank at this table"});
  return out;
}

}  // namespace talla::games
