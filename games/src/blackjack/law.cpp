#include "blackjack/law.hpp"

#include "base/check.hpp"

namespace talla::games::blackjack {

const Citation& Law::cite(std::string_view block) const {
  const auto found = rules().data.find(block);
  TALLA_CHECK(found != rules().data.end());
  return found->second.cite;
}

const json::Value* Law::find(std::string_view block, std::string_view key) const {
  const auto found = rules().data.find(block);
  if (found == rules().data.end()) return nullptr;
  const auto* value = found->second.value.find(key);
  return value == nullptr ? nullptr : &resolve(*value);
}

const json::Value& Law::need(std::string_view block, std::string_view key) const {
  const auto* value = find(block, key);
  TALLA_CHECK(value != nullptr);
  return *value;
}

const json::Value& Law::resolve(const json::Value& value) const {
  const auto* name = value.is_object() ? value.find("parameter") : nullptr;
  if (name == nullptr) return value;
  const auto* chosen = table_->params().json().find(name->string());
  TALLA_CHECK(chosen != nullptr);
  return *chosen;
}

const std::string& Law::text(std::string_view block, std::string_view key) const {
  return need(block, key).string();
}

bool Law::flag(std::string_view block, std::string_view key) const {
  return need(block, key).boolean();
}

int Law::number(std::string_view block, std::string_view key) const {
  return static_cast<int>(need(block, key).integer());
}

Fraction Law::fraction(std::string_view block, std::string_view key) const {
  return fraction_of(need(block, key));
}

Fraction Law::fraction_of(const json::Value& value) const {
  const auto& chosen = resolve(value);
  if (chosen.is_integer()) return Fraction(chosen.integer());
  const auto parsed = Fraction::parse(chosen.string());
  TALLA_CHECK(parsed.has_value());
  return *parsed;
}

std::vector<int> Law::numbers(std::string_view block, std::string_view key) const {
  std::vector<int> out;
  for (const auto& one : need(block, key).array()) out.push_back(static_cast<int>(one.integer()));
  return out;
}

int Law::points(Card card) const {
  const auto& ranks = need("cards", "ranks").array();
  return static_cast<int>(ranks.at(static_cast<std::size_t>(card.rank() - 1)).integer());
}

std::string_view Law::insurance_bet() const {
  return has("insurance") ? std::string_view(text("insurance", "bet")) : std::string_view();
}

const BetRule& Law::bet(std::string_view kind) const {
  const auto* rule = rules().bet(kind);
  TALLA_CHECK(rule != nullptr);
  return *rule;
}

}  // namespace talla::games::blackjack
