#include "odds/poker/board_sweep.hpp"

#include "base/check.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::poker {

void BoardSweep::sort_pairs(const std::vector<Card>& board) {
  others_.clear();
  for (const Card card : shuffle::DeckSpec::french(1).cards()) {
    if (std::find(board.begin(), board.end(), card) == board.end()) others_.push_back(card);
  }
  TALLA_CHECK(others_.size() == others_count);
  CardSum common;
  for (const Card card : board) common = common.with(card);
  pairs_.clear();
  for (std::uint8_t a = 0; a < others_count; ++a) {
    const CardSum one = common.with(others_[a]);
    for (auto b = static_cast<std::uint8_t>(a + 1); b < others_count; ++b) {
      pairs_.push_back({.level = table_->level(one.with(others_[b])), .a = a, .b = b});
    }
  }
  std::sort(pairs_.begin(), pairs_.end(),
            [](const Pair& x, const Pair& y) { return x.level < y.level; });
}

BoardSweep::Against BoardSweep::against(const Pair& pair, const Tally& out, const Tally& passed,
                                        const Tally& equal) const {
  const bool plays = pair.level >= plays_from_;
  Against found{.a = others_[pair.a], .b = others_[pair.b], .level = pair.level};
  found.not_playing = out.apart_from(pair, !plays);
  found.lower = plays ? passed.apart_from(pair, false) - found.not_playing : 0;
  const std::int64_t ties = plays ? equal.apart_from(pair, true) : 0;
  found.higher = bank_pairs - found.not_playing - found.lower - ties;
  return found;
}

std::uint64_t SuitKeys::number() const {
  auto keys = keys_;
  const auto order = [&keys](std::size_t i, std::size_t j) {
    const std::uint32_t low = std::min(keys[i], keys[j]);
    keys[i] = std::max(keys[i], keys[j]);
    keys[j] = low;
  };
  order(0, 1);
  order(2, 3);
  order(0, 2);
  order(1, 3);
  order(1, 2);
  std::uint64_t number = 1;
  for (const std::uint32_t key : keys) {
    number = (number ^ key) * 0x9e3779b97f4a7c15ULL;
    number ^= number >> 29U;
  }
  return (number * 0xbf58476d1ce4e5b9ULL) | 1U;
}

const Situations::Sum& Situations::at(std::uint64_t key) const {
  std::size_t at = key >> shift_;
  while (slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  return slots_[at];
}

void Situations::add(std::uint64_t key, std::uint32_t group, std::int64_t gain,
                     std::int64_t deals) {
  std::size_t at = key >> shift_;
  while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
  Sum& slot = slots_[at];
  if (slot.key == 0) {
    slot.key = key;
    slot.group = group;
    TALLA_CHECK(++used_ * 10 <= slots_.size() * 9);
  }
  slot.gain += gain;
  slot.deals += static_cast<std::uint32_t>(deals);
}

}  // namespace talla::games::poker
