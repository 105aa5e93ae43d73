// Goal: who shows first when nobody bet in the last interval is who the table says, also where all
//       hands must be shown and the order settles nothing.
// Method: in every game of poker among players a hand of four in which the third to speak bets and
//         nobody does afterwards; the first hand that is turned is the one asked for.
#include <algorithm>

#include "circle_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace {

/// One hand of four, played until the first card of a player is turned.
class ShownHandOfFour {
 public:
  explicit ShownHandOfFour(const Table& table)
      : table_(&table),
        state_(test::start(table)),
        cards_(shuffle::DeckSpec::parse(table.rules().shoe->deck)->cards()) {
    advance(ShoeOpened{table.rules().shoe->cards_count, false});
    for (Seat seat = 1; seat <= 4; ++seat) {
      const Units resto = 20 * table.min();
      advance(test::stake("r" + std::to_string(seat), "resto", resto, {}, seat));
    }
    advance(CloseBets{});
    while (shown_ == 0 && step()) {
    }
  }

  [[nodiscard]] Seat shown() const { return shown_; }    ///< whose card was turned first
  [[nodiscard]] Seat bettor() const { return bettor_; }  ///< who made the last bet of the hand
  [[nodiscard]] Seat opener() const { return opener_; }  ///< who spoke first in the last interval

 private:
  void advance(const Event& event) { state_ = test::must(*table_, state_, event); }

  bool step() {
    const auto needs = table_->engine().needs(*table_, state_);
    if (const auto* deal = find_need<Deal>(needs)) {
      deal_one(deal->cards.front());
      return true;
    }
    if (const auto* reveal = find_need<Reveal>(needs)) {
      shown_ = static_cast<Seat>(reveal->place.at(5) - '0');  // "seat-3-card-1"
      return false;
    }
    const auto* decide = test::speaker(needs);
    if (decide == nullptr) return false;
    speak(*decide);
    return true;
  }

  void deal_one(const DealPlace& place) {
    const auto card = cards_.at(dealt_++);
    advance(CardDealt{place.place, place.face,
                      place.face == Face::open ? std::optional(card) : std::nullopt});
    opener_ = 0;
  }

  void speak(const Decide& decide) {
    const auto offered = [&](std::string_view action) {
      return std::ranges::find(decide.choices, action, &ActionChoice::action);
    };
    const auto has = [&](std::string_view action) {
      return offered(action) != decide.choices.end();
    };
    const auto plainly = [&](const std::string& action) {
      advance(Act{decide.seat, action, {}, {}, {}, {}});
    };
    if (has("mostrar")) {
      shown_ = decide.seat;
      return;
    }
    if (has("servido")) {
      opener_ = 0;
      return plainly("servido");
    }
    if (has("ciega")) return plainly("pasar");
    if (opener_ == 0) opener_ = decide.seat;
    ++turns_;
    for (const std::string bet : {"apostar", "subir"}) {
      if (!has(bet) || bettor_ != 0 || (turns_ < 3 && (has("pasar") || has("cubrir")))) continue;
      bettor_ = decide.seat;
      return advance(Act{decide.seat, bet, {}, offered(bet)->min, {}, {}});
    }
    plainly(has("pasar") ? "pasar" : "cubrir");
  }

  const Table* table_;
  State state_;
  std::vector<shuffle::Card> cards_;
  std::size_t dealt_ = 0;
  std::size_t turns_ = 0;
  Seat shown_ = 0;
  Seat bettor_ = 0;
  Seat opener_ = 0;
};

TEST(CircleShow, begins_with_the_opener_or_the_last_bettor_as_the_table_says) {
  std::size_t apart = 0;
  for (const auto& file : embedded_catalogues()) {
    const auto loaded = test::catalogue(file.id);
    for (const auto& game : loaded->games) {
      if (game.family != "circle-poker") continue;
      for (const std::string first : {"opener", "last-bettor"}) {
        const auto table = Table::open(
            loaded, {game.id, {"EUR"}, 20, std::nullopt, json::Object{{"show_first", first}}});
        ASSERT_TRUE(table) << table.error().text();
        const ShownHandOfFour hand(*table);
        EXPECT_EQ(hand.shown(), first == "opener" ? hand.opener() : hand.bettor())
            << file.id << ' ' << game.id << ' ' << first;
        if (hand.opener() != hand.bettor()) ++apart;
      }
    }
  }
  EXPECT_GT(apart, 20U) << "hands in which the two are not the same";
}

}  // namespace
}  // namespace talla::games
