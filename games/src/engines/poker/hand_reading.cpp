#include "engines/poker/hand_reading.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/poker/card_ranks.hpp"

namespace talla::games::poker {
namespace {

constexpr int strength_to_ace = 15;
constexpr int strength_wheel_second = 14;
constexpr unsigned rank_bits = 4;

/// Ranks packed from the first place down, the places not used zero.
class Packed {
 public:
  void add(int rank) {
    shift_ -= rank_bits;
    key_ |= static_cast<std::uint32_t>(rank) << shift_;
  }
  [[nodiscard]] std::uint32_t key() const { return key_; }

 private:
  unsigned shift_ = category_shift;
  std::uint32_t key_ = 0;
};

bool completed(Category category) {
  return category == Category::straight || category == Category::flush ||
         category == Category::straight_flush || category == Category::royal_flush;
}

}  // namespace

int french_rank_of(Card card) {
  TALLA_CHECK(card.family() == shuffle::CardFamily::french);
  return rank_of(card);
}

HandReading::HandReading(const Ranker& ranker, std::span<const Card> cards, bool runs)
    : ranker_(ranker), runs_(runs) {
  TALLA_CHECK(!cards.empty());
  TALLA_CHECK(cards.size() <= hand_cards_max);
  for (const Card card : cards) {
    if (card.is_joker()) {
      TALLA_CHECK(ranker_.joker_ != JokerMode::none);
      TALLA_CHECK(!joker_);
      joker_ = true;
    } else {
      put({.rank = french_rank_of(card), .suit = static_cast<int>(card.suit())});
    }
  }
}

void HandReading::put(ReadCard card) {
  cards_.at(cards_count_++) = card;
  ++copies_.at(static_cast<std::size_t>(card.rank));
}

void HandReading::take_back() {
  --copies_.at(static_cast<std::size_t>(cards_.at(--cards_count_).rank));
}

bool HandReading::holds(ReadCard card) const {
  return std::any_of(
      cards_.begin(), cards_.begin() + static_cast<std::ptrdiff_t>(cards_count_),
      [&](ReadCard each) { return each.rank == card.rank && each.suit == card.suit; });
}

HandValue HandReading::value() {
  if (!joker_) return {key()};
  std::uint32_t best = key_with({.rank = rank_ace, .suit = -1});
  if (!runs_) return {best};
  for (int suit = 0; suit < shuffle::suits_count; ++suit) {
    if (!holds({rank_ace, suit})) best = std::max(best, key_with({rank_ace, suit}));
    if (ranker_.joker_ == JokerMode::ace_only) continue;
    for (int rank = ranker_.lowest_rank_; rank <= rank_king; ++rank) {
      if (holds({rank, suit})) continue;
      const std::uint32_t made = key_with({rank, suit});
      if (completed(ranker_.category({made}))) best = std::max(best, made);
    }
  }
  return {best};
}

std::uint32_t HandReading::key_with(ReadCard joker) {
  put(joker);
  const std::uint32_t made = key();
  take_back();
  return made;
}

std::uint32_t HandReading::key() {
  order_ranks();
  const int strength = straight_strength();
  const Category is = category(strength);
  const std::int8_t level_of = ranker_.level_.at(static_cast<std::size_t>(is));
  const auto level = static_cast<std::uint32_t>(level_of);
  return (level << category_shift) | ranks_compared(is, strength);
}

bool HandReading::one_suit() const {
  return runs_ &&
         std::all_of(cards_.begin(), cards_.begin() + static_cast<std::ptrdiff_t>(cards_count_),
                     [this](ReadCard card) { return card.suit == cards_.front().suit; });
}

/// 0: no straight. The lowest straight that the ace opens has its highest other card as top, unless
/// it stands second.
int HandReading::straight_strength() const {
  const int n = static_cast<int>(cards_count_);
  if (!runs_ || std::any_of(copies_.begin(), copies_.end(), [](int copies) { return copies > 1; }))
    return 0;
  const auto in_hand = [this](int rank) { return copies_.at(static_cast<std::size_t>(rank)) == 1; };
  int low = 0;
  while (!in_hand(low)) ++low;
  int next = low;
  while (next <= rank_ace && in_hand(next)) ++next;
  if (next - low == n) return next - 1 == rank_ace ? strength_to_ace : next - 1;
  const bool ace_below =
      ranker_.ace_low_straight_ && in_hand(rank_ace) && low == ranker_.lowest_rank_;
  if (!ace_below || next - low != n - 1) return 0;
  return ranker_.wheel_second_ ? strength_wheel_second : next - 1;
}

void HandReading::order_ranks() {
  ordered_.fill(0);
  std::size_t different = 0;
  for (int rank = rank_ace; rank > 1; --rank) {
    const int copies = copies_.at(static_cast<std::size_t>(rank));
    if (copies == 0) continue;
    std::size_t place = different++;
    for (; place > 0 && copies_.at(static_cast<std::size_t>(ordered_.at(place - 1))) < copies;
         --place) {
      ordered_.at(place) = ordered_.at(place - 1);
    }
    ordered_.at(place) = rank;
  }
}

bool HandReading::has(Category category, int strength) const {
  const auto copies = [this](std::size_t place) {
    return copies_.at(static_cast<std::size_t>(ordered_.at(place)));
  };
  const bool five = cards_count_ == hand_cards_max;
  switch (category) {
    case Category::high_card:
      return true;
    case Category::ace_king:
      return five && copies_.at(rank_ace) > 0 && copies_.at(rank_king) > 0;
    case Category::pair:
      return copies(0) >= 2;
    case Category::two_pair:
      return copies(0) >= 2 && copies(1) >= 2;
    case Category::figuras:
      return five && std::all_of(cards_.begin(), cards_.end(),
                                 [](ReadCard card) { return card.rank >= rank_jack; });
    case Category::trio:
      return copies(0) >= 3;
    case Category::straight:
      return strength > 0;
    case Category::flush:
      return one_suit();
    case Category::full:
      return copies(0) == 3 && copies(1) == 2;
    case Category::four:
      return copies(0) >= 4;
    case Category::straight_flush:
      return strength > 0 && one_suit();
    case Category::royal_flush:
      return strength == strength_to_ace && one_suit();
    case Category::five_aces:
      return copies_.at(rank_ace) == static_cast<int>(hand_cards_max);
  }
  return false;
}

Category HandReading::category(int strength) const {
  for (std::size_t level = categories_count; level-- > 0;) {
    const Category each = ranker_.category_at_level_.at(level);
    if (ranker_.level_.at(static_cast<std::size_t>(each)) == static_cast<int>(level) &&
        has(each, strength)) {
      return each;
    }
  }
  return Category::high_card;
}

std::uint32_t HandReading::ranks_compared(Category category, int strength) const {
  Packed packed;
  if (category == Category::straight || category == Category::straight_flush ||
      category == Category::royal_flush) {
    packed.add(strength);
    return packed.key();
  }
  const bool literal = !ranker_.full_kickers_;
  if (category == Category::figuras) {
    const int paired = ordered_.front();
    packed.add(paired);
    int left =
        literal ? 1
                : static_cast<int>(hand_cards_max) - copies_.at(static_cast<std::size_t>(paired));
    for (int rank = rank_ace; rank >= rank_jack; --rank) {
      for (int i = 0; rank != paired && i < copies_.at(static_cast<std::size_t>(rank)) && left > 0;
           ++i, --left)
        packed.add(rank);
    }
    return packed.key();
  }
  const bool rank_alone = category == Category::four || category == Category::full ||
                          category == Category::trio || category == Category::flush;
  const std::size_t places = literal && rank_alone                   ? 1
                             : literal && category == Category::pair ? 2
                                                                     : hand_cards_max;
  for (std::size_t place = 0; place < places && ordered_.at(place) != 0; ++place)
    packed.add(ordered_.at(place));
  return packed.key();
}

}  // namespace talla::games::poker
