#include "engines/poker/house_deal.hpp"

#include <algorithm>
#include <charconv>

namespace talla::games::poker::house {
namespace {

constexpr std::string_view hand_prefix = "seat-";
constexpr std::string_view card_infix = "-card-";
constexpr std::string_view bank_prefix = "bank-";

/// A number without sign or leading zero, below 1000.
std::optional<std::uint32_t> number_in(std::string_view text) {
  if (text.empty() || text.size() > 3 || text.front() == '0') return std::nullopt;
  std::uint32_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

DealPlace hand_card(const DealtHand& hand, std::size_t card) {
  return {hand_place(hand.box, card), Face::covered, hand.seats};
}

DealPlace bank_card(const DealPlan& plan, std::size_t card) {
  const bool open = std::find(plan.exposed.begin(), plan.exposed.end(), card) != plan.exposed.end();
  return {bank_place(card), open ? Face::open : Face::covered};
}

}  // namespace

std::string hand_place(Box box, std::size_t card) {
  return std::string(hand_prefix) + std::to_string(box) + std::string(card_infix) +
         std::to_string(card);
}

std::string bank_place(std::size_t card) {
  return std::string(bank_prefix) + std::to_string(card);
}

std::optional<NamedPlace> named_place(std::string_view place) {
  if (place.starts_with(bank_prefix)) {
    const auto card = number_in(place.substr(bank_prefix.size()));
    return card ? std::optional(NamedPlace{0, *card}) : std::nullopt;
  }
  const auto infix = place.find(card_infix);
  if (!place.starts_with(hand_prefix) || infix == std::string_view::npos) return std::nullopt;
  const auto box = number_in(place.substr(hand_prefix.size(), infix - hand_prefix.size()));
  const auto card = number_in(place.substr(infix + card_infix.size()));
  return box && card ? std::optional(NamedPlace{*box, *card}) : std::nullopt;
}

std::vector<DealPlace> deal_order(const DealPlan& plan, std::size_t from, std::size_t most) {
  std::vector<DealPlace> out;
  std::size_t at = 0;
  const auto wanted = [&] { return at++ >= from && out.size() < most; };
  if (plan.mode == DealMode::blocks) {
    for (const auto& hand : plan.hands) {
      for (std::size_t card = 1; card <= plan.cards; ++card) {
        if (wanted()) out.push_back(hand_card(hand, card));
      }
    }
    for (std::size_t card = 1; card <= plan.bank_cards; ++card) {
      if (wanted()) out.push_back(bank_card(plan, card));
    }
    return out;
  }
  for (std::size_t round = 1; round <= std::max(plan.cards, plan.bank_cards); ++round) {
    for (const auto& hand : plan.hands) {
      if (round <= plan.cards && wanted()) out.push_back(hand_card(hand, round));
    }
    if (round <= plan.bank_cards && wanted()) out.push_back(bank_card(plan, round));
  }
  return out;
}

}  // namespace talla::games::poker::house
