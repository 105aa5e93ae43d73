#include "engines/second_bet/bank.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "base/check.hpp"

namespace talla::games::second_bet {
namespace {

constexpr std::string_view four_suited = "four-suited";
constexpr std::string_view four_in_sequence = "four-in-sequence";
constexpr std::string_view nothing = "nothing";
constexpr int ace_high = 14;

using Indices = std::vector<std::size_t>;  ///< of cards, from 0

int high_rank(Card card) {
  return card.rank() == 1 ? ace_high : card.rank();
}

/// Cards of ranks that are there more than once.
Indices grouped(std::span<const Card> cards) {
  Indices out;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const auto same = std::count_if(cards.begin(), cards.end(),
                                    [&](Card other) { return other.rank() == cards[i].rank(); });
    if (same > 1) out.push_back(i);
  }
  return out;
}

/// Four of one suit.
std::optional<Indices> suited(std::span<const Card> cards) {
  for (std::size_t left_out = 0; left_out < cards.size(); ++left_out) {
    Indices rest;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (i != left_out) rest.push_back(i);
    }
    const auto suit = cards[rest.front()].suit();
    if (std::all_of(rest.begin(), rest.end(),
                    [&](std::size_t i) { return cards[i].suit() == suit; }))
      return rest;
  }
  return std::nullopt;
}

bool consecutive(std::span<const Card> cards, const Indices& four, bool low_ace) {
  std::array<int, 4> ranks{};
  std::transform(four.begin(), four.end(), ranks.begin(),
                 [&](std::size_t i) { return low_ace ? cards[i].rank() : high_rank(cards[i]); });
  std::sort(ranks.begin(), ranks.end());
  return std::adjacent_find(ranks.begin(), ranks.end(), [](int a, int b) { return b != a + 1; }) ==
         ranks.end();
}

/// Four with consecutive ranks.
std::optional<Indices> in_sequence(std::span<const Card> cards, bool low_ace) {
  for (std::size_t left_out = 0; left_out < cards.size(); ++left_out) {
    Indices rest;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (i != left_out) rest.push_back(i);
    }
    if (consecutive(cards, rest, false) || (low_ace && consecutive(cards, rest, true))) return rest;
  }
  return std::nullopt;
}

/// The cards that make the row's combination; nothing: the hand does not hold it.
std::optional<Indices> held(const Law& law, std::span<const Card> cards, const std::string& holds) {
  if (holds == nothing) return Indices();
  if (holds == four_suited) return suited(cards);
  if (holds == four_in_sequence) return in_sequence(cards, law.flag("draw", "low_ace_run"));
  const auto wanted = poker::category_from(holds);
  TALLA_CHECK(wanted.has_value());
  const auto is = law.category(cards);
  const auto& order = law.rules().data.find("hands")->second.value.find("order")->array();
  const auto place = [&](std::string_view name) {
    return std::find_if(order.begin(), order.end(),
                        [&](const auto& one) { return one.string() == name; });
  };
  if (place(poker::category_name(is)) < place(holds)) return std::nullopt;
  return grouped(cards);
}

}  // namespace

std::vector<std::size_t> bank_discards(const Law& law, std::span<const Card> cards) {
  for (const auto& row : law.rules().data.find("draw")->second.value.find("bank")->array()) {
    const auto keeps = held(law, cards, row.find("holds")->string());
    if (!keeps) continue;
    Indices others;
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (std::find(keeps->begin(), keeps->end(), i) == keeps->end()) others.push_back(i);
    }
    std::stable_sort(others.begin(), others.end(), [&](std::size_t a, std::size_t b) {
      return high_rank(cards[a]) < high_rank(cards[b]);
    });
    others.resize(
        std::min(others.size(), static_cast<std::size_t>(row.find("discards")->integer())));
    for (auto& one : others) ++one;
    std::sort(others.begin(), others.end());
    return others;
  }
  TALLA_CHECK(false);  // check_bank_draw: the last row holds for every hand
  return {};
}

Status check_bank_draw(const json::Value& draw) {
  const auto bad = [](const std::string& why) {
    return fail(Errc::catalogue_malformed, "data.draw.bank: " + why);
  };
  const auto* rows = draw.find("bank");
  if (rows == nullptr || !rows->is_array() || rows->array().empty()) return bad("rows are missing");
  std::string last;
  for (const auto& value : rows->array()) {
    json::Reader row(value, "data.draw.bank");
    TALLA_TRY(last, row.string("holds"));
    if (last != nothing && last != four_suited && last != four_in_sequence) {
      TALLA_TRY(const auto category, poker::category_from(last));
      static_cast<void>(category);
    }
    TALLA_TRY(const auto count, row.integer("discards", 0, 5));
    static_cast<void>(count);
    TALLA_TRY_STATUS(row.finish());
  }
  return last == nothing ? Status() : Status(bad("the last row holds nothing"));
}

}  // namespace talla::games::second_bet
