#include "engines/second_bet/rules.hpp"

#include "base/check.hpp"
#include "engines/poker/order_data.hpp"

namespace talla::games::second_bet {
namespace {

std::vector<Card> cards_of(const json::Value& texts) {
  std::vector<Card> out;
  for (const auto& one : texts.array()) {
    const auto card = Card::parse(one.string());
    TALLA_CHECK(card.has_value());
    out.push_back(*card);
  }
  return out;
}

poker::HandValue value_of(const poker::Ranker& ranker, std::span<const Card> cards) {
  if (cards.size() == 3) return ranker.three(cards.first<3>());
  TALLA_CHECK(cards.size() == 5);
  return ranker.five(cards.first<5>());
}

}  // namespace

poker::HandValue Law::value(std::span<const Card> cards) const {
  return value_of(ranker(), cards);
}

poker::house::DealMode Law::deal_mode() const {
  return is("deal", "mode", "blocks") ? poker::house::DealMode::blocks
                                      : poker::house::DealMode::one_by_one;
}

const json::Value& Law::side(std::string_view bet, std::string_view key) const {
  const auto* rule = find("sides", bet);
  TALLA_CHECK(rule != nullptr);
  const auto* value = rule->find(key);
  TALLA_CHECK(value != nullptr);
  return resolve(*value);
}

Fraction Law::stake_amount(std::string_view kind) const {
  const auto* rule = stake_rule(kind);
  TALLA_CHECK(rule != nullptr);
  const auto& amount = *rule->find("amount");
  if (resolve(*rule->find("form")).string() == "fixed") return stake_of(amount);
  return fraction_of(amount) * Fraction(table().min());
}

std::optional<Fraction> Law::prize(std::string_view kind, poker::Category category) const {
  const auto when = poker::category_name(category);
  if (const auto* rows = find("sides", kind)->find("rows")) {
    for (const auto& row : rows->array()) {
      if (row.find("when")->string() == when) return fraction_of(*row.find("pays"));
    }
    return std::nullopt;
  }
  const auto* payout = bet(kind).payout(when, table().params());
  return payout == nullptr ? std::nullopt : std::optional(payout->pays);
}

std::shared_ptr<const Rules> read_rules(const Table& table) {
  const DataLaw law(table);
  auto out = std::make_shared<Rules>(poker::hand_ranker(law));
  const auto lowest = cards_of(*law.find("bank", "minimum"));
  out->minimum = value_of(out->ranker, lowest);
  return out;
}

}  // namespace talla::games::second_bet
