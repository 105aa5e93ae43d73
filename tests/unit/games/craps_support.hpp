/// \file
/// What the tests of craps share: tables of any catalogue, throws, and the exact worth of a bet.
#pragma once

#include <map>
#include <string>

#include "play_support.hpp"

namespace talla::games::test {

/// The parameters of a table where a bet may lie without a shooter's beside it, unless they say
/// otherwise.
inline json::Value without_shooter(json::Value params) {
  if (params.find("shooter_stake") == nullptr) params["shooter_stake"] = "no-shooter";
  return params;
}

/// A craps table of that catalogue, minimum 25. Bets are looked at alone.
inline Table craps_table(const std::string& id, json::Value params = {}, Units min = 25,
                         Units chip = 1) {
  const auto rules = catalogue(id);
  params = without_shooter(std::move(params));
  Currency currency{rules->currency};
  currency.chip = chip;
  auto table = Table::open(rules, {"craps", currency, min, std::nullopt, std::move(params)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

inline State roll(const Table& table, const State& state, int first, int second) {
  return must(table, must(table, state, CloseBets{}),
              DrawResult{DrawKind::dice, {std::to_string(first), std::to_string(second)}});
}

inline int point_of(const Table& table, const State& state) {
  return static_cast<int>(table.engine().view(table, state, {}).find("point")->integer());
}

/// Expected return of the bet "b" from here on, in the units of its stake. A throw that leaves the
/// bet where it is repeats the situation; the table's point belongs to the situation only while the
/// bet itself has no number.
class Chain {
 public:
  explicit Chain(const Table& table) : table_(table) {}

  Fraction value(const State& state) {
    const auto key = situation(state);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    Fraction sum;
    int stays = 0;
    for (int first = 1; first <= 6; ++first) {
      for (int second = 1; second <= 6; ++second) {
        const auto after = roll(table_, state, first, second);
        if (const auto* result = find(settled(table_, after))) {
          sum += exact(*result);
        } else if (situation(after) == key) {
          ++stays;
        } else {
          sum += value(after);
        }
      }
    }
    return known_[key] = sum / Fraction(36 - stays);
  }

 private:
  const Settlement* find(const std::vector<Settlement>& settlements) {
    for (const auto& one : settlements) {
      if (one.bet == "b") return &(found_ = one);
    }
    return nullptr;
  }
  [[nodiscard]] std::string situation(const State& state) const {
    const auto view = table_.engine().view(table_, state, {});
    for (const auto& bet : view.find("bets")->array()) {
      if (bet.find("id")->string() != "b") continue;
      const auto& kind = bet.find("kind")->string();
      const bool on_table_point = kind == "win" || kind == "dont-win" ||
                                  kind.starts_with("asociada-win") ||
                                  kind.starts_with("asociada-dont-win");
      return json::canonical(bet) + (on_table_point ? std::to_string(point_of(table_, state)) : "");
    }
    return "gone";
  }

  const Table& table_;
  std::map<std::string, Fraction> known_;
  Settlement found_;
};

}  // namespace talla::games::test
