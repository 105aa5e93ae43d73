// Odds that take minutes to count, found by the law that they were counted under.
#include "odds/stored_odds.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "engines/pai_gow/rules.hpp"
#include "engines/second_bet/rules.hpp"
#include "engines/texas/rules.hpp"

namespace talla::games {

namespace {

constexpr std::size_t stored_hand_cards = 5;

Ratio ratio_from(std::string_view text) {
  const auto bar = text.find('/');
  const WideInt above{std::string(text.substr(0, bar))};
  if (bar == std::string_view::npos) return {above, 1};
  return {above, WideInt(std::string(text.substr(bar + 1)))};
}

/// What each hand is paid at this table.
json::Value payments(const DataLaw& law, const std::string& bet) {
  json::Object out;
  const BetRule& rule = law.bet(bet);
  for (const Payout& row : rule.payouts) {
    const Payout* payout = rule.payout(row.when, law.table().params());
    if (payout != nullptr) out[row.when] = payout->pays.text();
  }
  return out;
}

}  // namespace

std::uint64_t law_number(std::string_view law) {
  std::uint64_t number = 0xcbf29ce484222325ULL;
  for (const char one : law) number = (number ^ static_cast<unsigned char>(one)) * 0x100000001b3ULL;
  return number;
}

std::optional<Odds> stored_odds(std::string_view law) {
  const auto all = all_stored_odds();
  const auto found = std::ranges::find(all, law_number(law), &StoredOdds::law);
  if (law.empty() || found == all.end()) return std::nullopt;
  const Ratio win = ratio_from(found->win);
  const Ratio lose = ratio_from(found->lose);
  return Odds{.win = win,
              .lose = lose,
              .other = Ratio(1) - win - lose,
              .returned = ratio_from(found->returned),
              .square = ratio_from(found->square),
              .staked = ratio_from(found->staked)};
}

std::optional<StoredSetting> stored_setting(std::string_view law) {
  const auto all = all_stored_settings();
  const auto found = std::ranges::find(all, law_number(law), &StoredSetting::law);
  if (law.empty() || found == all.end()) return std::nullopt;
  return *found;
}

std::string law_text(const DataLaw& law, std::string_view kind,
                     std::span<const std::string_view> blocks, std::span<const std::string> bets) {
  json::Object out;
  out["kind"] = std::string(kind);
  for (const std::string_view block : blocks) {
    const auto found = law.rules().data.find(block);
    if (found != law.rules().data.end())
      out[std::string(block)] = law.resolved(found->second.value);
  }
  json::Object paid;
  for (const std::string& bet : bets) paid[bet] = payments(law, bet);
  out["pays"] = std::move(paid);
  return json::canonical(out);
}

std::string counted_law(const Table& table, std::string_view bet, std::string_view play) {
  const std::string& family = table.rules().family;
  if (family == "pai-gow") {
    const auto& rules = table.prepared<pai_gow::Rules>();
    if (bet != rules.bet) return {};
    constexpr std::array<std::string_view, 2> blocks = {"hands", "house_way"};
    // The best way depends on what a gain brings, and on what a hand set wrongly loses.
    std::string kind = "pai gow, " + std::string(play);
    if (play == "best-play") {
      kind += ", " + rules.commission.text();
      if (!rules.whole_foul) kind += ", a hand set wrongly loses its high hand alone";
    }
    return law_text(DataLaw(table), kind, blocks, {});
  }
  if (family == "texas-holdem") {
    const auto& rules = table.prepared<texas::Rules>();
    if (bet != rules.ante) return {};
    constexpr std::array<std::string_view, 8> blocks = {"hands",   "bank",    "stage_1", "stage_2",
                                                        "stage_3", "stage_4", "stage_5", "stage_6"};
    return law_text(DataLaw(table), "hold'em", blocks, std::array{rules.ante});
  }
  if (family != "second-bet") return {};
  const second_bet::Law law(table);
  if (bet != law.main_bet() || law.cards() != stored_hand_cards) return {};
  constexpr std::array<std::string_view, 4> blocks = {"hands", "bank", "settle", "draw"};
  const std::string kind =
      "five cards, " + std::to_string(law.exposed()) + " shown, second bet of " +
      std::to_string(law.number("second", "multiple")) + (law.sells_cards() ? ", a card sold" : "");
  return law_text(law, kind, blocks, std::array{law.main_bet(), law.second_bet()});
}

}  // namespace talla::games
