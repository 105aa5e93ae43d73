// Holds the cards that were dealt outside rounds against what the rules burn of a fresh shoe.
#include "format/game_events.hpp"
#include "replay.hpp"

namespace talla::certs {
namespace {

/// What the rules burn behind a shuffle, card by card: they ask for it while bets are open.
class Burns {
 public:
  /// Rules that take no shoe at their first state burn nothing before a round.
  static Result<Burns> behind_shuffle(const games::Table& table, std::uint32_t cards) {
    TALLA_TRY(auto driver, games::Driver::start(table, games::Journal::off));
    Burns out;
    if (driver.apply(games::ShoeOpened{cards, false})) out.driver_ = std::move(driver);
    return out;
  }
  [[nodiscard]] std::optional<games::DealPlace> due() {
    if (!driver_) return std::nullopt;
    if (driver_->stop_card_due() && !driver_->pass_stop_card()) return std::nullopt;
    const games::Needs needs = driver_->needs();
    if (games::find_need<games::BetsOpen>(needs) == nullptr) return std::nullopt;
    return driver_->next_card_place();
  }
  /// True when this card is the burn that is due; it counts then.
  [[nodiscard]] Result<bool> take(const CardDealBody& card) {
    const auto wanted = due();
    if (!wanted || wanted->place != card.place || face_of(wanted->face) != card.face) return false;
    TALLA_TRY(const auto event, card_event(card));
    return driver_->apply(event).has_value();
  }

 private:
  std::optional<games::Driver> driver_;
};

}  // namespace

/// Behind a SHOE_RECOMMIT rules may burn fewer cards than of a fresh shoe: there none has to come.
Status Replay::check_burns_of(const std::vector<const Record*>& chain, std::uint64_t until) const {
  std::optional<Burns> burns;
  std::uint32_t cards = 0;
  bool fresh = true;
  bool mixed = false;
  for (const Record* record : chain) {
    if (record->seq >= until) break;
    if (record->kind == Kind::shoe_commit) {
      TALLA_TRY(const auto body, ShoeCommitBody::from_json(record->body));
      cards = body.cards;
    } else if (record->kind == Kind::shoe_recommit) {
      mixed = fresh = false;
    } else if (record->kind == Kind::shoe_mix && !mixed) {
      TALLA_TRY(burns, Burns::behind_shuffle(*table_, cards));
      mixed = true;
    } else if (record->kind == Kind::card_deal && burns) {
      TALLA_TRY(const auto body, CardDealBody::from_json(record->body));
      TALLA_TRY(const bool burned, burns->take(body));
      if (burned) continue;
      if (body.round.empty())
        return refuse(VerifyErrc::card_undue, *record, "the rules burn no such card there");
      if (fresh && burns->due())
        return refuse(VerifyErrc::card_undue, *record,
                      "a card that the rules burn first is left out");
      burns.reset();
    }
  }
  return {};
}

Status Replay::check_burns(const Evidence& evidence) const {
  for (const auto& [object, chain] : evidence.objects) {
    if (chain.front()->kind == Kind::shoe_commit)
      TALLA_TRY_STATUS(check_burns_of(chain, evidence.claim->seq));
  }
  return {};
}

}  // namespace talla::certs
