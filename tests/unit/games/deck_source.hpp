/// \file
/// A deck whose order the test chose, and a table played from it through the driver.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "games/driver.hpp"
#include "play_support.hpp"

namespace talla::games::test {

/// Deals `order` from the front; every deck opened is that one again. No draws but those the test
/// names.
class DeckSource final : public CardSource, public DrawSource {
 public:
  explicit DeckSource(std::vector<Card> order) : order_(std::move(order)) {}
  std::vector<std::string> dice;  ///< values of the next throw

  Result<std::optional<ShoeOpened>> open_shoe(const ShoeNeed& need) override {
    at_ = 0;
    closed_.clear();
    return std::optional<ShoeOpened>(ShoeOpened{need.cards_count, false});
  }
  Result<Next> next_card(const DealPlace& place) override {
    if (at_ >= order_.size()) return Next{};
    const Card card = order_[at_++];
    if (place.face == Face::covered) closed_[place.place] = card;
    return Next{true, card};
  }
  Result<std::optional<Card>> reveal(const std::string& place) override {
    return std::optional<Card>(closed_.at(place));
  }
  Result<bool> shuffle(const Shuffle& /*need*/) override { return false; }
  Result<std::optional<DrawResult>> draw(const Draw& need) override {
    if (dice.empty()) return std::optional<DrawResult>();
    return std::optional<DrawResult>(DrawResult{need.kind, dice});
  }
  /// What shared meters hold now.
  std::map<std::string, Units> meters;
  Result<std::optional<Units>> read_meter(const std::string& meter) override {
    const auto found = meters.find(meter);
    return found == meters.end() ? std::optional<Units>() : std::optional(found->second);
  }

 private:
  std::vector<Card> order_;
  std::size_t at_ = 0;
  std::map<std::string, Card> closed_;
};

inline std::vector<Card> cards_of(const std::string& text) {
  std::vector<Card> out;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    const auto card = Card::parse(word);
    if (card) out.push_back(*card);
    if (!card) ADD_FAILURE() << "no card: " << word;
    word.clear();
  }
  return out;
}

/// A table played from a chosen deck.
class DeckTable {
 public:
  DeckTable(const Table& table, std::vector<Card> order)
      : table_(&table), source_(std::move(order)), driver_(*Driver::start(table)) {
    advance();
  }
  void must(const Event& event) {
    const auto status = driver_.apply(event);
    if (!status) ADD_FAILURE() << event_name(event) << ": " << status.error().text();
    advance();
  }
  [[nodiscard]] std::string refusal(const Event& event) {
    const auto status = driver_.apply(event);
    return status ? std::string() : std::string(status.error().code);
  }
  void advance() {
    const auto status = driver_.advance(source_, source_);
    if (!status) ADD_FAILURE() << status.error().text();
    for (auto& one : driver_.take_settlements()) settled_[one.bet] = one;
    expect_round_trip(*table_, driver_.state());
  }
  [[nodiscard]] DeckSource& source() { return source_; }
  [[nodiscard]] Driver& driver() { return driver_; }
  /// The last settlement of that bet; one without a result fails.
  [[nodiscard]] const Settlement& of(const std::string& bet) const {
    const auto found = settled_.find(bet);
    if (found == settled_.end()) {
      ADD_FAILURE() << bet << " is not settled";
      static const Settlement none;
      return none;
    }
    return found->second;
  }
  [[nodiscard]] const std::map<std::string, Settlement>& all() const { return settled_; }

 private:
  const Table* table_;
  DeckSource source_;
  Driver driver_;
  std::map<std::string, Settlement> settled_;
};

/// A whole French deck in an order that rapidcheck chose (or its first `count` cards).
inline std::vector<Card> all_french() {
  std::vector<Card> out;
  for (int rank = 1; rank <= 13; ++rank) {
    for (const auto suit : {shuffle::Suit::clubs, shuffle::Suit::diamonds, shuffle::Suit::hearts,
                            shuffle::Suit::spades})
      out.push_back(Card::of(rank, suit));
  }
  return out;
}

/// A table of another catalogue than es-1977, in cents.
inline Table open_of(std::string_view catalogue_id, std::string game, json::Value params = {},
                     Units min = 100, std::vector<std::string> shared = {}) {
  auto table = Table::open(catalogue(catalogue_id), {std::move(game),
                                                     {"EUR", Fraction(1, 100)},
                                                     min,
                                                     std::nullopt,
                                                     std::move(params),
                                                     std::move(shared)});
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

/// Places of the cards that were turned, in their order.
inline std::vector<std::string> turned(const std::vector<Event>& events) {
  std::vector<std::string> out;
  for (const auto& event : events) {
    if (const auto* one = std::get_if<CardRevealed>(&event)) out.push_back(one->place);
  }
  return out;
}

}  // namespace talla::games::test
