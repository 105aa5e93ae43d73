#include "engines/poker/order_data.hpp"

#include "base/check.hpp"
#include "engines/shared/rules_check.hpp"

namespace talla::games::poker {
namespace {

constexpr std::string_view block = "hands";

std::vector<std::string_view> all_categories() {
  std::vector<std::string_view> out;
  out.reserve(categories_count);
  for (std::size_t i = 0; i < categories_count; ++i)
    out.push_back(category_name(static_cast<Category>(i)));
  return out;
}

std::vector<Category> read_list(const json::Value& value) {
  std::vector<Category> out;
  for (const auto& name : value.array()) {
    const auto category = category_from(name.string());
    TALLA_CHECK(category.has_value());
    out.push_back(*category);
  }
  return out;
}

JokerMode joker_from(std::string_view name) {
  if (name == "ace-or-completer") return JokerMode::ace_or_completer;
  return name == "ace-only" ? JokerMode::ace_only : JokerMode::none;
}

}  // namespace

std::span<const DataKey> hand_order_keys() {
  static const std::vector<DataKey> all = {
      {block, "order", DataType::words, 0, 0, all_categories()},
      {block, "ace_low", DataType::flag},
      {block, "kickers", DataType::choice, 0, 0, {"full", "combination"}, false},
      {block, "wheel", DataType::choice, 0, 0, {"lowest", "second"}, false},
      {block, "joker", DataType::choice, 0, 0, {"none", "ace-or-completer", "ace-only"}, false},
  };
  return all;
}

Status check_hand_order(const GameRules& rules) {
  const auto found = rules.data.find(block);
  if (found == rules.data.end()) return bad_rules(rules, "data.hands is missing");
  TALLA_TRY_STATUS(check_data_block(rules, std::string(block), found->second, hand_order_keys()));
  const auto& value = found->second.value;
  // A wheel that stands second needs the low ace at every table.
  const bool wheel = value.find("wheel") != nullptr;
  if (wheel && *value.find("ace_low") != json::Value(true))
    return bad_rules(rules, "data.hands.wheel needs ace_low = true");
  HandOrder order;
  order.low_to_high = read_list(*value.find("order"));
  const auto ranker = Ranker::create(order);
  return ranker ? Status() : Status(bad_rules(rules, ranker.error().detail));
}

HandOrder hand_order(const DataLaw& law) {
  HandOrder out;
  const auto* order = law.find(block, "order");
  TALLA_CHECK(order != nullptr);
  out.low_to_high = read_list(*order);
  out.ace_low_straight = law.flag(block, "ace_low");
  if (law.find(block, "kickers") != nullptr) out.full_kickers = law.is(block, "kickers", "full");
  if (law.find(block, "wheel") != nullptr) out.wheel_second = law.is(block, "wheel", "second");
  if (law.find(block, "joker") != nullptr) out.joker = joker_from(law.text(block, "joker"));
  return out;
}

Ranker hand_ranker(const DataLaw& law) {
  const auto ranker = Ranker::create(hand_order(law));
  TALLA_CHECK(ranker.has_value());
  return *ranker;
}

}  // namespace talla::games::poker
