// Counters of the bank's courses by the cards that they hold.
#include "odds/poker/draw_counters.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::games::poker {
namespace {

constexpr unsigned subsets_of_five = 1U << five_cards;
constexpr std::size_t seven_cards = 7;
constexpr unsigned seven_slots_bits = 23;
/// Cards dealt first to player and bank.
constexpr std::size_t dealt_first = 10;

std::size_t first_slot(std::uint64_t key) {
  return key * 0x9e3779b97f4a7c15ULL >> (64 - seven_slots_bits);
}

/// How many sets a change of suits makes out of one: its suits' masks in the key.
std::int64_t sets_of_key(std::uint64_t key) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << static_cast<unsigned>(ranks_count)) - 1;
  std::int64_t orders = 1;
  std::int64_t equal = 1;
  std::uint64_t before = 0;
  for (std::int64_t suit = 0; suit < shuffle::suits_count; ++suit) {
    const std::uint64_t now = key & mask;
    equal = suit > 0 && now == before ? equal + 1 : 1;
    orders = orders * (suit + 1) / equal;
    before = now;
    key >>= static_cast<unsigned>(ranks_count);
  }
  return orders;
}

}  // namespace

std::size_t merged(std::span<const Place> a, std::span<const Place> b, std::span<Place> out) {
  std::merge(a.begin(), a.end(), b.begin(), b.end(), out.begin());
  return a.size() + b.size();
}

std::size_t chosen(std::span<const Place, five_cards> hand, unsigned bits, std::span<Place> out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < hand.size(); ++i)
    if ((bits >> i & 1U) != 0) out[count++] = hand[i];
  return count;
}

DrawCounters::DrawCounters(std::size_t ranks) : sets_(ranks, set_cards_max) {
  for (auto& cells : cells_)
    for (std::size_t size = 0; size <= set_cards_max; ++size)
      cells[size].resize(sets_.classes(size));
  read_pairs(ranks);
  sevens_.resize(std::size_t{1} << seven_slots_bits);
  for (std::size_t changes = 0; changes < player_changes; ++changes) {
    const auto left = static_cast<std::int64_t>(sets_.cards() - dealt_first - changes);
    TALLA_CHECK(left >= 2);
    weights_[changes] = {left * (left - 1), left - 1, 2};
  }
}

void DrawCounters::read_pairs(std::size_t ranks) {
  for (std::size_t size = 0; size < with_pair_.size(); ++size) {
    const SuitRows& rows = rows_.emplace_back(ranks, size);
    auto& classes = with_pair_[size];
    classes.resize(rows.rows() * pairs_count);
    for (std::uint32_t row = 0; row < rows.rows(); ++row) {
      const auto set = rows.first(row);
      const SetWith of(set, sets_.cards());
      std::array<Place, 2> pair{0, 1};
      std::size_t number = 0;
      do {
        if (std::ranges::find_first_of(set, pair) == set.end())
          classes[row * pairs_count + number] = sets_.class_of(size + 2, of.with(pair[0], pair[1]));
        ++number;
      } while (next_set(pair, sets_.cards()));
    }
  }
}

std::size_t DrawCounters::slot(std::uint64_t key) const {
  std::size_t at = first_slot(key);
  while (sevens_[at].sets != 0 && sevens_[at].key != key) at = (at + 1) & (sevens_.size() - 1);
  return at;
}

void DrawCounters::put(std::size_t size, std::uint32_t number, std::int64_t courses,
                       std::size_t bank) {
  const std::uint32_t at = sets_.class_of(size, number);
  if (cells_[0][size][at].equal == 0) touched_[size].push_back(at);
  for (std::size_t changes = 0; changes < player_changes; ++changes)
    cells_[changes][size][at].equal += courses * weights_[changes][bank];
}

void DrawCounters::put_seven(std::span<const Place> set, std::int64_t courses) {
  const std::uint64_t key = sets_.key(set);
  const std::size_t at = slot(key);
  Seven& seven = sevens_[at];
  if (seven.sets == 0) {
    seven.key = key;
    seven.sets = sets_of_key(key);
    TALLA_CHECK(++sevens_used_ * 10 <= sevens_.size() * 9);
  }
  if (seven.standing.equal == 0) touched_sevens_.push_back(at);
  seven.standing.equal += courses * weights_[2][2];
}

void DrawCounters::add(std::span<const Place, five_cards> hand, std::int64_t hands,
                       const Courses& courses) {
  std::int64_t ones = 0;
  std::int64_t twos = 0;
  std::array<std::int64_t, deck_cards_count> with{};  // courses of two in which that card went
  for (const auto& [went, count] : courses.one) ones += count;
  for (const auto& [went, count] : courses.two) {
    twos += count;
    with[went.first] += count;
    with[went.second] += count;
  }
  std::array<Place, five_cards> part{};
  for (unsigned bits = 0; bits < subsets_of_five; ++bits) {
    const std::span<const Place> set(part.data(), chosen(hand, bits, part));
    const SetWith of(set, sets_.cards());
    const std::size_t size = of.size();
    if (courses.stood) put(size, of.number(), hands, 0);
    if (ones != 0) put(size, of.number(), hands * ones, 1);
    if (twos != 0) put(size, of.number(), hands * twos, 2);
    for (const auto& [went, count] : courses.one) put(size + 1, of.with(went), hands * count, 1);
    for (std::size_t went = 0; went < sets_.cards(); ++went)
      if (with[went] != 0) put(size + 1, of.with(static_cast<Place>(went)), hands * with[went], 2);
    if (size < five_cards) {
      for (const auto& [went, count] : courses.two)
        put(size + 2, of.with(went.first, went.second), hands * count, 2);
      continue;
    }
    for (const auto& [went, count] : courses.two) {
      std::array<Place, seven_cards> all{};
      merged(set, std::array{went.first, went.second}, all);
      put_seven(all, hands * count);
    }
  }
}

void DrawCounters::settle() {
  for (std::size_t size = 0; size <= set_cards_max; ++size) {
    for (const std::uint32_t at : touched_[size]) {
      const auto sets = static_cast<std::int64_t>(sets_.sets(size, at));
      for (auto& cells : cells_) {
        Standing& one = cells[size][at];
        TALLA_CHECK(one.equal % sets == 0);
        one.equal /= sets;
      }
    }
  }
  for (const std::size_t at : touched_sevens_) {
    Seven& seven = sevens_[at];
    TALLA_CHECK(seven.standing.equal % seven.sets == 0);
    seven.standing.equal /= seven.sets;
  }
}

void DrawCounters::pass(bool plays) {
  const auto move = [plays](Standing& one) {
    (plays ? one.below : one.out) += one.equal;
    one.equal = 0;
  };
  for (std::size_t size = 0; size <= set_cards_max; ++size) {
    for (auto& cells : cells_)
      for (const std::uint32_t at : touched_[size]) move(cells[size][at]);
    touched_[size].clear();
  }
  for (const std::size_t at : touched_sevens_) move(sevens_[at].standing);
  touched_sevens_.clear();
}

void DrawCounters::add_with_pairs(std::span<const Place> set, std::span<const PlacePair> pairs,
                                  std::int64_t times, std::span<Standing> sums) {
  if (set.size() == five_cards) {
    add_sevens(set, pairs, times, sums);
    return;
  }
  const auto spot = rows_[set.size()].of(set);
  const auto& image = *spot.image;
  const auto classes =
      std::span(with_pair_[set.size()]).subspan(spot.row * pairs_count, pairs_count);
  const auto& cells = cells_[2][set.size() + 2];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::size_t pair = sets_below(pairs[i].second, 2) + pairs[i].first;
    sums[i].add(cells[classes[image[pair]]], times);
  }
}

/// Memory is asked for all of them before the first one is read.
void DrawCounters::add_sevens(std::span<const Place> set, std::span<const PlacePair> pairs,
                              std::int64_t times, std::span<Standing> sums) {
  std::array<Place, seven_cards> all{};
  keys_.clear();
  for (const PlacePair& pair : pairs) {
    merged(set, std::array{pair.first, pair.second}, all);
    keys_.push_back(sets_.key(all));
    __builtin_prefetch(&sevens_[first_slot(keys_.back())]);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Seven& seven = sevens_[slot(keys_[i])];
    if (seven.sets != 0) sums[i].add(seven.standing, times);
  }
}

}  // namespace talla::games::poker
