// The chart of a blackjack table: the cells by totals, in the codes and letters that people see.
#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "games/advice.hpp"
#include "games/engine.hpp"
#include "odds/blackjack/chart.hpp"
#include "odds/box_words.hpp"
#include "odds/kinds.hpp"

namespace talla::games {

namespace {

using blackjack::Action;

struct Letters {
  std::string_view action;
  std::string_view otherwise;  ///< empty: whatever it is
  std::string_view es;
  std::string_view en;
  std::string_view es_words;
  std::string_view en_words;
};
constexpr std::array letters = {
    Letters{"hit", "", "C", "H", "carta", "hit"},
    Letters{"stand", "", "P", "S", "plantarse", "stand"},
    Letters{"double", "hit", "D", "D", "doblar; si no se puede, carta", "double, else hit"},
    Letters{"double", "stand", "DP", "DS", "doblar; si no se puede, plantarse",
            "double, else stand"},
    Letters{"split", "", "S", "P", "separar", "split"},
    Letters{"surrender", "hit", "R", "R", "retirarse; si no se puede, carta",
            "surrender, else hit"},
    Letters{"surrender", "stand", "RP", "RS", "retirarse; si no se puede, plantarse",
            "surrender, else stand"}};

const Letters& of_cell(const ChartCell& cell) {
  const auto found = std::ranges::find_if(letters, [&](const Letters& one) {
    return one.action == cell.action && (one.otherwise.empty() || one.otherwise == cell.otherwise);
  });
  TALLA_CHECK(found != letters.end());
  return *found;
}

/// The dealer's first cards from two on, the ace last.
constexpr std::array<std::size_t, blackjack::classes_count> shown_order = {1, 2, 3, 4, 5,
                                                                           6, 7, 8, 9, 0};

std::string card_name(std::size_t one) {
  return one == blackjack::ace_class ? "A" : std::to_string(one + 1);
}

class Chart {
 public:
  explicit Chart(const blackjack::HandLaw& law) : law_(law), chart_(blackjack::chart(law)) {}

  PlayChart shown() {
    PlayChart out;
    for (const std::size_t dealer : shown_order) out.dealer.push_back(card_name(dealer));
    constexpr std::size_t lowest = 5;  // two and three
    constexpr std::size_t highest = 20;
    for (std::size_t total = lowest; total <= highest; ++total)
      out.hard.push_back(row(std::to_string(total), [&](std::size_t dealer) {
        return cell(chart_.hard.at(total).at(dealer));
      }));
    for (std::size_t one = 1; one < blackjack::ten_class; ++one)
      out.soft.push_back(row("A-" + card_name(one), [&](std::size_t dealer) {
        return cell(chart_.cell(blackjack::ace_class, one, dealer, law_));
      }));
    for (const std::size_t one : shown_order)
      out.pairs.push_back(row(card_name(one) + "-" + card_name(one), [&](std::size_t dealer) {
        return cell({chart_.pairs.at(one).at(dealer), later_of_pair(one, dealer)});
      }));
    exceptions(out);
    out.best_edge = chart_.best.best.staked - chart_.best.best.returned;
    out.chart_edge = chart_.played.staked - chart_.played.returned;
    return out;
  }

 private:
  template <class Cell>
  static ChartRow row(std::string hand, Cell of) {
    ChartRow out{std::move(hand), {}};
    for (const std::size_t dealer : shown_order) out.against.push_back(of(dealer));
    return out;
  }

  [[nodiscard]] Action later_of_pair(std::size_t one, std::size_t dealer) const {
    return chart_.cell(one, one, dealer, law_).later;
  }

  [[nodiscard]] static ChartCell cell(const blackjack::ChartPlay& play) {
    return {std::string(action_code(play.first)), std::string(action_code(play.later))};
  }

  /// Different cards only: a pair has its own cell.
  void exceptions(PlayChart& out) const {
    for (std::size_t a = 0; a < blackjack::classes_count; ++a) {
      for (std::size_t b = a + 1; b < blackjack::classes_count; ++b) {
        if (a == blackjack::ace_class && b == blackjack::ten_class) continue;
        for (const std::size_t dealer : shown_order) {
          const Action best = chart_.best.first.at(a).at(b).at(dealer);
          if (best == chart_.cell(a, b, dealer, law_).first) continue;
          out.exceptions.push_back({card_name(a) + "-" + card_name(b), card_name(dealer),
                                    std::string(action_code(best))});
        }
      }
    }
  }

  const blackjack::HandLaw& law_;
  blackjack::Chart chart_;
};

json::Value rows_json(const std::vector<ChartRow>& rows) {
  json::Array out;
  for (const ChartRow& row : rows) {
    json::Array against;
    for (const ChartCell& cell : row.against)
      against.emplace_back(json::Object{{"action", cell.action}, {"otherwise", cell.otherwise}});
    out.emplace_back(json::Object{{"hand", row.hand}, {"against", std::move(against)}});
  }
  return out;
}

}  // namespace

std::string_view action_code(Action action) {
  switch (action) {
    case Action::hit:
      return "hit";
    case Action::twice:
      return "double";
    case Action::split:
      return "split";
    case Action::surrender:
      return "surrender";
    case Action::even_money:
      return "even-money";
    case Action::stand:
      break;
  }
  return "stand";
}

Result<blackjack::HandLaw> law_of_hands(const Table& table) {
  const auto none = [&] {
    return fail(Errc::game_not_available,
                table.rules().id + ": how such hands are played best is not worked out");
  };
  if (table.rules().family != "blackjack") return none();
  const auto shoe = table.engine().shoe(table);
  TALLA_CHECK(shoe && shoe->cards_count % french_deck_cards == 0);
  const auto law =
      blackjack::hand_law(blackjack::Law(table), shoe->cards_count / french_deck_cards);
  if (!law) return none();
  return *law;
}

Result<PlayChart> play_chart(const Table& table) {
  TALLA_TRY(const auto law, law_of_hands(table));
  return Chart(law).shown();
}

json::Value to_json(const PlayChart& chart) {
  json::Array dealer;
  for (const std::string& one : chart.dealer) dealer.emplace_back(one);
  json::Array exceptions;
  for (const ChartException& one : chart.exceptions)
    exceptions.emplace_back(
        json::Object{{"hand", one.hand}, {"dealer", one.dealer}, {"action", one.action}});
  return json::Object{{"dealer", std::move(dealer)},          {"hard", rows_json(chart.hard)},
                      {"soft", rows_json(chart.soft)},        {"pairs", rows_json(chart.pairs)},
                      {"exceptions", std::move(exceptions)},  {"best_edge", chart.best_edge.text()},
                      {"chart_edge", chart.chart_edge.text()}};
}

std::string_view chart_letters(const ChartCell& cell, std::string_view language) {
  return language == "en" ? of_cell(cell).en : of_cell(cell).es;
}

std::vector<ChartWord> chart_legend(std::string_view language) {
  std::vector<ChartWord> out;
  for (const Letters& one : letters)
    out.push_back(language == "en" ? ChartWord{one.en, one.en_words}
                                   : ChartWord{one.es, one.es_words});
  return out;
}

}  // namespace talla::games
