// What part of a pot hands of poker win: every way to deal the cards that lack is counted.
#include "games/equity.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

#include "base/check.hpp"
#include "engines/circle/rules.hpp"
#include "engines/poker/hand_table.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {

namespace {

using circle::Token;

std::size_t tokens(const circle::Law& law, Token wanted) {
  std::size_t out = 0;
  for (const circle::Street& street : law.streets)
    out += static_cast<std::size_t>(std::ranges::count(street.deal, wanted));
  return out;
}

/// Cards that go to one place: a player's, or a row.
struct Place {
  std::vector<Card> cards;
  std::size_t size = 0;
};

class Equities {
 public:
  Equities(const circle::Law& law, const EquityCards& known)
      : law_(law), players_(known.hands.size()) {
    for (const auto& hand : known.hands) places_.push_back({hand, law.own_cards()});
    places_.push_back({known.common, tokens(law, Token::common)});
    places_.push_back({known.second, tokens(law, Token::second)});
    for (std::int64_t i = 2; i <= static_cast<std::int64_t>(players_); ++i)
      units_ = std::lcm(units_, i);
    rows_most_ = 2;
    sums_.resize(players_);
  }

  [[nodiscard]] Result<std::vector<Equity>> all(const EquityCards& known) {
    TALLA_TRY_STATUS(read(known));
    if (law_.hands.made == circle::Made::best_five && !law_.rank().has_joker() &&
        deck_size_ == poker::deck_cards_count &&
        places_[0].size + places_[players_].size == seven) {
      if (auto made = poker::HandTable<seven>::create(law_.rank())) table_ = std::move(*made);
    }
    deal(0);
    std::vector<Equity> out;
    for (const Sum& sum : sums_)
      out.push_back({Ratio(WideInt(sum.units), WideInt(units_) * rows_most_ * ways_),
                     Ratio(WideInt(sum.all), WideInt(ways_)),
                     Ratio(WideInt(sum.none), WideInt(ways_))});
    return out;
  }

 private:
  static constexpr std::size_t seven = 7;
  struct Sum {
    std::int64_t units = 0;  ///< of which a pot has units_ x rows_most_
    std::int64_t all = 0;
    std::int64_t none = 0;
  };

  [[nodiscard]] Status read(const EquityCards& known) {
    if (players_ < 2) return fail(Errc::card_invalid, "two hands at least");
    const auto deck = shuffle::DeckSpec::parse(law_.shoe.deck);
    TALLA_CHECK(deck.has_value());
    left_ = deck->cards();
    deck_size_ = left_.size();
    std::vector<Card> seen = known.dead;
    for (const Place& place : places_) {
      if (place.cards.size() > place.size)
        return fail(Errc::card_invalid,
                    "a hand or a row has at most " + std::to_string(place.size) + " cards");
      seen.insert(seen.end(), place.cards.begin(), place.cards.end());
    }
    for (const Card card : seen) {
      const auto found = std::ranges::find(left_, card);
      if (found == left_.end())
        return fail(Errc::card_invalid,
                    card.text() + " is twice there, or not of the deck " + law_.shoe.deck);
      left_.erase(found);
    }
    std::uint64_t ways = 1;
    std::size_t rest = left_.size();
    for (const Place& place : places_) {
      for (std::size_t i = 0; i < place.size - place.cards.size(); ++i, --rest) {
        if (rest == 0) return fail(Errc::card_invalid, "the deck does not reach");
        ways = ways * rest / (i + 1);
        if (ways > equity_ways_max)
          return fail(Errc::card_invalid, "more than " + std::to_string(equity_ways_max) +
                                              " ways to deal the cards that lack: name more");
      }
    }
    out_.assign(left_.size(), false);
    return {};
  }

  void deal(std::size_t place) {
    if (place == places_.size()) return count();
    choose(place, 0);
  }
  void choose(std::size_t at, std::size_t from) {
    Place& place = places_[at];
    if (place.cards.size() == place.size) return deal(at + 1);
    for (std::size_t i = from; i < left_.size(); ++i) {
      if (out_[i]) continue;
      out_[i] = true;
      place.cards.push_back(left_[i]);
      choose(at, i + 1);
      place.cards.pop_back();
      out_[i] = false;
    }
  }

  [[nodiscard]] std::uint64_t high(const std::vector<Card>& own, const std::vector<Card>& row) {
    if (law_.hands.made == circle::Made::two_and_three)
      return law_.rank().best_two_three(own, row).key;
    scratch_ = own;
    scratch_.insert(scratch_.end(), row.begin(), row.end());
    if (table_) return table_->level(std::span<const Card, seven>(scratch_));
    return law_.rank().best(scratch_).key;
  }

  void count() {
    ++ways_;
    rows_.clear();
    const auto& common = places_[players_].cards;
    std::vector<std::optional<std::uint64_t>> values(players_);
    for (std::size_t i = 0; i < players_; ++i) values[i] = high(places_[i].cards, common);
    rows_.push_back(values);
    if (law_.hands.two_rows) {
      for (std::size_t i = 0; i < players_; ++i)
        values[i] = high(places_[i].cards, places_[players_ + 1].cards);
      rows_.push_back(values);
    }
    if (law_.hands.low > 0) {
      bool any = false;
      for (std::size_t i = 0; i < players_; ++i) {
        const auto low = poker::low_of_two_three(places_[i].cards, common, law_.hands.low);
        values[i] = low ? std::optional<std::uint64_t>(~low->key) : std::nullopt;
        any = any || low.has_value();
      }
      if (any) rows_.push_back(values);
    }
    share();
  }

  void share() {
    const std::int64_t part = units_ * rows_most_ / static_cast<std::int64_t>(rows_.size());
    std::vector<std::int64_t> won(players_);
    for (const auto& values : rows_) {
      const auto best = *std::ranges::max_element(values);
      const std::int64_t winners = std::ranges::count(values, best);
      for (std::size_t i = 0; i < players_; ++i)
        if (values[i] == best) won[i] += part / winners;
    }
    for (std::size_t i = 0; i < players_; ++i) {
      sums_[i].units += won[i];
      sums_[i].all += won[i] == units_ * rows_most_ ? 1 : 0;
      sums_[i].none += won[i] == 0 ? 1 : 0;
    }
  }

  const circle::Law& law_;
  std::vector<Place> places_;  ///< hands, the common row, the second one
  std::size_t players_ = 0;
  std::size_t deck_size_ = 0;
  std::vector<Card> left_;
  std::vector<bool> out_;
  std::unique_ptr<const poker::HandTable<seven>> table_;
  std::int64_t units_ = 1;      ///< that every number of winners divides
  std::int64_t rows_most_ = 2;  ///< parts of a pot
  std::int64_t ways_ = 0;
  std::vector<Sum> sums_;
  std::vector<Card> scratch_;
  std::vector<std::vector<std::optional<std::uint64_t>>> rows_;
};

}  // namespace

Result<std::vector<Equity>> all_in_equities(const Table& table, const EquityCards& cards) {
  if (table.rules().family != "circle-poker")
    return fail(Errc::game_not_available,
                table.rules().id + ": equities are of poker among players");
  const auto& law = table.prepared<circle::PreparedLaw>().law;
  if (!law) return tl::unexpected<Error>(law.error());
  return Equities(*law, cards).all(cards);
}

}  // namespace talla::games
