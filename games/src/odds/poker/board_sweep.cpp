// The sweep over all pairs of own cards beside five common ones.
#include "odds/poker/board_sweep.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::games::poker {
namespace {

/// Levels are sorted by their lower bits first, then by the upper ones.
constexpr unsigned digit_bits = 7;
constexpr std::size_t digits = std::size_t{1} << digit_bits;

}  // namespace

BoardSweep::BoardSweep(const HandTable<7>& table, std::span<const Card> deck,
                       std::uint16_t plays_from)
    : table_(&table), plays_from_(plays_from), deck_(deck.begin(), deck.end()) {
  constexpr std::size_t known = 7;  // to who has two cards beside five common ones
  TALLA_CHECK(table.levels_count() <= digits * digits);
  TALLA_CHECK(deck.size() > known + 1 && deck.size() <= deck_cards_count);
  bank_pairs_ = sets_below(deck.size() - known, 2);
  const std::size_t pairs = sets_below(deck.size() - common_.size(), 2);
  sorted_.resize(pairs);
  half_sorted_.resize(pairs);
  pairs_.resize(pairs);
  against_.resize(pairs);
}

void BoardSweep::sweep(std::span<const Card> board) {
  TALLA_CHECK(board.size() == common_.size());
  std::ranges::transform(board, common_.begin(), [this](Card card) {
    return static_cast<Place>(std::ranges::find(deck_, card) - deck_.begin());
  });
  std::ranges::sort(common_);
  TALLA_CHECK(common_.back() < deck_.size());
  rank_pairs();
  sort_pairs();
  Tally out;
  for (const Pair& pair : sorted_)
    if (pair.level < plays_from_) out.add(pair);
  Tally passed;
  for (auto begin = sorted_.begin(); begin != sorted_.end();) {
    const auto end = std::find_if(begin, sorted_.end(),
                                  [&](const Pair& pair) { return pair.level != begin->level; });
    const bool plays = begin->level >= plays_from_;
    for (auto each = begin; each != end; ++each) {
      Against& found = against_[each->at];
      found.level = each->level;
      found.not_playing = out.apart_from(*each, !plays);
      found.lower = plays ? passed.apart_from(*each, false) - found.not_playing : 0;
    }
    for (auto each = begin; each != end; ++each) passed.add(*each);
    for (auto each = begin; each != end; ++each) {
      Against& found = against_[each->at];
      const std::int32_t up_to = plays ? passed.apart_from(*each, true) : found.not_playing;
      found.higher = static_cast<std::int32_t>(bank_pairs_) - up_to;
    }
    begin = end;
  }
}

void BoardSweep::rank_pairs() {
  std::array<Place, others_most> others{};
  std::size_t count = 0;
  CardSum common;
  for (std::size_t at = 0; at < deck_.size(); ++at) {
    const auto place = static_cast<Place>(at);
    if (std::ranges::find(common_, place) == common_.end()) {
      others.at(count++) = place;
    } else {
      common = common.with(deck_[place]);
    }
  }
  std::uint16_t at = 0;
  for (std::size_t b = 1; b < count; ++b) {
    const CardSum one = common.with(deck_[others[b]]);
    for (std::size_t a = 0; a < b; ++a) {
      pairs_[at] = static_cast<std::uint16_t>(sets_below(others[b], 2) + others[a]);
      const std::uint16_t level = table_->level(one.with(deck_[others[a]]));
      half_sorted_[at] = {.level = level,
                          .at = at,
                          .a = static_cast<std::uint8_t>(a),
                          .b = static_cast<std::uint8_t>(b)};
      ++at;
    }
  }
}

void BoardSweep::sort_pairs() {
  const auto pass = [](const Pairs& from, Pairs& to, unsigned shift) {
    std::array<std::uint16_t, digits + 1> starts{};
    for (const Pair& pair : from) ++starts[(pair.level >> shift & (digits - 1)) + 1];
    for (std::size_t i = 1; i < starts.size(); ++i)
      starts[i] = static_cast<std::uint16_t>(starts[i] + starts[i - 1]);
    for (const Pair& pair : from) to[starts[pair.level >> shift & (digits - 1)]++] = pair;
  };
  pass(half_sorted_, sorted_, 0);
  half_sorted_ = sorted_;
  pass(half_sorted_, sorted_, digit_bits);
}

}  // namespace talla::games::poker
