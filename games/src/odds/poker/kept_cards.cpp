// Gains by the cards kept and given up.
#include "odds/poker/kept_cards.hpp"

#include <array>

#include "base/check.hpp"

namespace talla::games::poker {
namespace {

constexpr unsigned slot_bits = 21;

std::size_t pair_number(const PlacePair& pair) {
  return sets_below(pair.second, 2) + pair.first;
}

}  // namespace

KeptCards::KeptCards(std::size_t ranks)
    : ranks_(ranks),
      slots_(std::size_t{1} << slot_bits),
      rows_(ranks, three_kept),
      pairs_(rows_.rows() * pairs_count) {}

/// Of each suit the ranks kept and given up, 26 bits: equal where the cards differ only by suits,
/// and nowhere else.
KeptCards::Key KeptCards::key(std::span<const Place> kept, std::span<const Place> given_up) const {
  std::array<std::uint32_t, shuffle::suits_count> suits{};
  for (const Place place : kept) suits[place / ranks_] |= 1U << (place % ranks_ + ranks_);
  for (const Place place : given_up) suits[place / ranks_] |= 1U << (place % ranks_);
  order_suits(suits);
  return {std::uint64_t{suits[0]} << 32U | suits[1], std::uint64_t{suits[2]} << 32U | suits[3]};
}

std::size_t KeptCards::slot(const Key& key) const {
  std::uint64_t number = (key.first ^ key.second * 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  number ^= number >> 29U;
  std::size_t at = number * 0x9e3779b97f4a7c15ULL >> (64 - slot_bits);
  while (slots_[at].key != key && slots_[at].key != Key{}) at = (at + 1) & (slots_.size() - 1);
  return at;
}

void KeptCards::add(std::span<const Place> kept, std::span<const Place> given_up,
                    const Gains& gains, std::int64_t hands) {
  const Key known = key(kept, given_up);
  Slot& one = slots_[slot(known)];
  if (one.key == Key{}) {
    one.key = known;
    TALLA_CHECK(++used_ * 10 <= slots_.size() * 9);
  }
  one.sum.finals += hands;
  one.sum.gains.add(gains, hands);
}

void KeptCards::add_pairs(std::span<const Place> kept, std::span<const PlacePair> given_up,
                          std::span<const Gains> gains) {
  const auto spot = rows_.of(kept);
  const auto& image = *spot.image;
  const auto row = std::span(pairs_).subspan(spot.row * pairs_count, pairs_count);
  for (std::size_t i = 0; i < given_up.size(); ++i)
    row[image[pair_number(given_up[i])]].add(gains[i], 1);
}

KeptCards::Sum KeptCards::at(std::span<const Place> kept, std::span<const Place> given_up) const {
  if (kept.size() == three_kept) return at_pair(kept, given_up);
  return slots_[slot(key(kept, given_up))].sum;
}

KeptCards::Sum KeptCards::at_pair(std::span<const Place> kept,
                                  std::span<const Place> given_up) const {
  const auto spot = rows_.of(kept);
  const std::uint16_t pair = (*spot.image)[CardSets::number(given_up)];
  Sum out;
  std::int64_t alike = 0;
  rows_.each_alike(spot.row, pair, [&](std::uint16_t one) {
    out.gains.add(pairs_[spot.row * pairs_count + one], 1);
    ++alike;
  });
  const std::size_t others = ranks_ * shuffle::suits_count - five_cards;
  out.finals = alike * rows_.sets(spot.row) * sets_below(others, 2);
  return out;
}

}  // namespace talla::games::poker
