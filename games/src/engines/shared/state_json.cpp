#include "engines/shared/state_json.hpp"

namespace talla::games {

tl::unexpected<Error> bad_state(const std::string& why) {
  return fail(Errc::state_malformed, why);
}

Result<bool> read_flag(json::Reader& reader, std::string_view key) {
  if (!reader.has(key)) return false;
  TALLA_TRY(const bool value, reader.boolean(key));
  if (!value) return bad_state(std::string(key) + " is written only when true");
  return true;
}

json::Array texts_json(std::span<const std::string> texts) {
  return {texts.begin(), texts.end()};
}

json::Array cards_json(std::span<const Card> cards) {
  json::Array out;
  for (const auto card : cards) out.emplace_back(card.text());
  return out;
}

Result<std::vector<Card>> read_cards(json::Reader& reader, std::string_view key, std::size_t most) {
  std::vector<Card> out;
  if (!reader.has(key)) return out;
  TALLA_TRY(const auto* list, reader.array(key));
  if (list->empty() || list->size() > most)
    return bad_state(std::string(key) + " has 1 to " + std::to_string(most) +
                     " cards, or is not written");
  for (const auto& value : *list) {
    if (!value.is_string()) return bad_state(std::string(key) + ": a card is a text");
    TALLA_TRY(const auto card, Card::parse(value.string()));
    out.push_back(card);
  }
  return out;
}

Result<std::vector<Card>> read_french_cards(json::Reader& reader, std::string_view key,
                                            std::size_t most) {
  TALLA_TRY(auto out, read_cards(reader, key, most));
  for (const auto card : out) {
    if (card.family() != shuffle::CardFamily::french)
      return bad_state(std::string(key) + ": a French card is due");
  }
  return out;
}

void put_bets(json::Value& state, const BetBook& bets) {
  if (!bets.empty()) state["bets"] = bets.to_json();
}

void put_settled(json::Value& state, const std::vector<Settlement>& settled) {
  if (settled.empty()) return;
  json::Array list;
  list.reserve(settled.size());
  for (const auto& one : settled) list.push_back(to_json(one));
  state["settled"] = std::move(list);
}

void put_carry(json::Object& meter, const Fraction& carry) {
  if (!carry.is_zero()) meter["carry"] = carry.text();
}

Result<Fraction> read_carry(json::Reader& meter) {
  if (!meter.has("carry")) return Fraction();
  TALLA_TRY(const auto text, meter.string("carry"));
  const auto carry = Fraction::parse_canonical(text);
  if (!carry || *carry <= Fraction(0) || *carry >= Fraction(1) || carry->text() != text)
    return bad_state("a carry is a part of one unit");
  return *carry;
}

Result<BetBook> read_bets(json::Reader& reader) {
  const auto* bets = reader.optional("bets");
  if (bets == nullptr) return BetBook();
  TALLA_TRY(auto book, BetBook::from_json(*bets));
  if (book.empty()) return fail(Errc::state_malformed, "bets is written only when there are some");
  return book;
}

Result<std::vector<Settlement>> read_settled(json::Reader& reader) {
  std::vector<Settlement> out;
  if (!reader.has("settled")) return out;
  TALLA_TRY(const auto* list, reader.array("settled"));
  if (list->empty())
    return fail(Errc::state_malformed, "settled is written only when there is something");
  for (const auto& entry : *list) {
    TALLA_TRY(auto one, settlement_from_json(entry));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace talla::games
