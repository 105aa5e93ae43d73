#include "games/engine.hpp"

#include "games/refusal.hpp"

namespace talla::games {

Forced forced_in(const Needs& needs) {
  Forced out;
  if (const auto* deal = find_need<Deal>(needs)) {
    TALLA_CHECK(!deal->cards.empty());
    out.kind = Forced::Kind::card;
    out.card = deal->cards.front();
    return out;
  }
  const bool other = find_need<Reveal>(needs) != nullptr || find_need<Draw>(needs) != nullptr ||
                     find_need<Shuffle>(needs) != nullptr ||
                     find_need<ShoeNeed>(needs) != nullptr ||
                     find_need<ReadMeter>(needs) != nullptr;
  if (other) out.kind = Forced::Kind::other;
  return out;
}

Error Engine::explained(const Table& table, const State& state, const Event& event,
                        Error error) const {
  return with_instead(table.rules(), needs(table, state), event, std::move(error));
}

}  // namespace talla::games
