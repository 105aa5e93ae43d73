#include "hand_counts.hpp"

#include <algorithm>
#include <utility>

#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/game_events.hpp"
#include "format/parts.hpp"
#include "games/engine.hpp"

namespace talla::report {
namespace {

using certs::Kind;
using certs::Record;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The text without "-N" at its end, or the text.
std::string_view without_number(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && is_digit(text[end - 1])) --end;
  return end > 1 && end < text.size() && text[end - 1] == '-' ? text.substr(0, end - 1) : text;
}

struct Count {
  std::string holder;
  std::int64_t total = 0;
};

/// Totals of one view of an engine: `NAME_total`, `totals` by name, `hands` of boxes.
std::vector<Count> counts_in(const json::Value& view) {
  std::vector<Count> all;
  if (!view.is_object()) return all;
  const bool bank_is_money = view.find("banker") != nullptr;  // what it stakes, not what it holds
  for (const auto& [name, value] : view.object()) {
    const std::string_view ending = "_total";
    if (!value.is_integer() || !name.ends_with(ending)) continue;
    const std::string holder = name.substr(0, name.size() - ending.size());
    if (!(bank_is_money && holder == "bank")) all.push_back({holder, value.integer()});
  }
  if (const auto* totals = view.find("totals"); totals != nullptr && totals->is_object()) {
    for (const auto& [name, value] : totals->object()) {
      std::string holder = name;
      std::ranges::replace(holder, '_', '-');
      if (value.is_integer()) all.push_back({std::move(holder), value.integer()});
    }
  }
  const auto* hands = view.find("hands");
  if (hands == nullptr || !hands->is_array()) return all;
  for (const auto& hand : hands->array()) {
    const auto* box = hand.find("box");
    const auto* total = hand.find("total");
    if (box != nullptr && box->is_integer() && total != nullptr && total->is_integer())
      all.push_back({"box-" + std::to_string(box->integer()), total->integer()});
  }
  return all;
}

/// The rules of a table on the way through a round.
class Counting {
 public:
  Counting(const games::Table& table, games::State state)
      : table_(table), state_(std::move(state)) {}

  Status apply(const games::Event& event) {
    TALLA_TRY_STATUS(table_.engine().advance(table_, state_, event));
    if (dealt_) note(counts_in(table_.engine().view(table_, state_, {})));
    return {};
  }

  Status step(const Record& record) {
    switch (record.kind) {
      case Kind::bets_closed:
        return bets(record);
      case Kind::action: {
        TALLA_TRY(const auto body, certs::ActionBody::from_json(record.body));
        TALLA_TRY(const auto event, certs::action_event(body));
        return apply(event);
      }
      case Kind::misdeal: {
        TALLA_TRY(const auto body, certs::MisdealBody::from_json(record.body));
        return apply(certs::misdeal_event(body));
      }
      case Kind::meter: {
        TALLA_TRY(const auto body, certs::MeterBody::from_json(record.body));
        return apply(certs::meter_event(body));
      }
      case Kind::hand_confirmed:
        return apply(games::ConfirmHand{});
      case Kind::card_deal: {
        TALLA_TRY(const auto body, certs::CardDealBody::from_json(record.body));
        TALLA_TRY(const auto event, certs::card_event(body));
        dealt_ = true;  // what a view had before was of the round before
        return apply(event);
      }
      case Kind::card_open: {
        TALLA_TRY(const auto body, certs::CardOpenBody::from_json(record.body));
        TALLA_TRY(const auto event, certs::reveal_event(body));
        return apply(event);
      }
      case Kind::shoe_mix:
        return mixed();
      default:
        return {};
    }
  }

  [[nodiscard]] json::Array take() const {
    json::Array out;
    for (const auto& one : counts_)
      out.emplace_back(json::Object{{"holder", one.holder}, {"total", one.total}});
    return out;
  }

 private:
  static std::size_t times(const std::vector<Count>& all, const std::string& holder) {
    return static_cast<std::size_t>(std::ranges::count(all, holder, &Count::holder));
  }
  /// Whose hand is settled leaves the view: what was counted of him last stands.
  void note(const std::vector<Count>& seen) {
    std::vector<Count> next;
    for (const auto& one : counts_) {
      if (times(seen, one.holder) < times(counts_, one.holder)) next.push_back(one);
    }
    for (const auto& one : seen) {
      if (times(seen, one.holder) >= times(counts_, one.holder)) next.push_back(one);
    }
    counts_ = std::move(next);
  }

  Status bets(const Record& record) {
    TALLA_TRY(const auto body, certs::BetsClosedBody::from_json(record.body));
    for (const auto& bet : body.withdrawn) TALLA_TRY_STATUS(apply(games::WithdrawBet{bet, {}}));
    for (const auto& bet : body.bets) {
      TALLA_TRY(const auto event, certs::place_event(bet));
      TALLA_TRY_STATUS(apply(event));
    }
    return certs::ends_content(record.body) ? apply(games::CloseBets{}) : Status();
  }

  /// A mix of the shoe in play is nothing for the rules unless they wait for it.
  Status mixed() {
    const games::Needs needs = table_.engine().needs(table_, state_);
    if (const auto* due = games::find_need<games::Shuffle>(needs))
      return apply(games::Shuffled{due->places});
    return {};
  }

  const games::Table& table_;
  games::State state_;
  std::vector<Count> counts_;
  bool dealt_ = false;  // a card of this round
};

}  // namespace

std::string holder_of(std::string_view place) {
  for (const std::string_view owner : {"box-", "seat-"}) {
    if (!place.starts_with(owner)) continue;
    std::size_t end = owner.size();
    while (end < place.size() && is_digit(place[end])) ++end;
    if (end > owner.size()) return std::string(place.substr(0, end));
  }
  std::string_view holder = without_number(place);
  constexpr std::string_view card = "-card";
  if (holder != place && holder.ends_with(card)) holder.remove_suffix(card.size());
  return std::string(holder);
}

json::Array hand_counts(const games::Table& table, const json::Value& before, const Record& opening,
                        const std::vector<const Record*>& round) {
  auto state = table.engine().restore(table, before);
  const auto opened = certs::RoundOpenBody::from_json(opening.body);
  if (!state || !opened) return {};
  Counting counting(table, std::move(*state));
  if (opened->last && !counting.apply(*opened->last)) return {};
  for (const Record* record : round) {
    if (!counting.step(*record)) return {};
  }
  return counting.take();
}

}  // namespace talla::report
