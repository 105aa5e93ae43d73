#include "state_json.hpp"

namespace talla::games {

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
  if (list->empty()) return fail(Errc::state_malformed, "settled is written only when there is something");
  for (const auto& entry : *list) {
    TALLA_TRY(auto one, settlement_from_json(entry));
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace talla::games
