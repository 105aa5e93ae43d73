#include "engines/trente/census.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/check.hpp"

namespace talla::games::trente {
namespace {

using Word = std::uint64_t;
__extension__ using Wide = unsigned __int128;

/// 2^58 less these: the largest primes below it. Sums of a thousand products stay below 2^126.
constexpr unsigned prime_bits = 58;
constexpr std::array<Word, 12> below_power = {27,  57,  63,  137, 141, 147,
                                              161, 203, 213, 251, 291, 297};

/// Some cards of a row: how many, and their points together.
struct Part {
  std::size_t cards = 0;
  std::size_t points = 0;
};
/// How a part comes from one without a value: by so many cards of it.
struct Link {
  std::size_t added = 0;
  std::size_t from = 0;
};

/// Parts of a row whose cards have at least so many points each, and how they come from those with
/// higher cards only.
struct Parts {
  std::vector<Part> all;
  std::vector<std::vector<Link>> links;
};

constexpr std::size_t empty_level = points_most + 1;

/// By the lowest value, 2 to 10; [11] is the empty part.
std::array<Parts, empty_level + 1> parts_up_to(std::size_t points) {
  std::array<Parts, empty_level + 1> out;
  out[empty_level].all = {{}};
  for (std::size_t value = points_most; value >= 2; --value) {
    const auto& higher = out.at(value + 1).all;
    auto& here = out.at(value);
    for (std::size_t sum = 0; sum <= points; ++sum) {
      for (std::size_t cards = (sum + points_most - 1) / points_most; cards * value <= sum;
           ++cards) {
        std::vector<Link> links;
        for (std::size_t i = 0; i < higher.size(); ++i) {
          if (higher[i].cards > cards) continue;
          const std::size_t added = cards - higher[i].cards;
          if (higher[i].points + added * value == sum) links.push_back({added, i});
        }
        here.all.push_back({cards, sum});
        here.links.push_back(std::move(links));
      }
    }
  }
  return out;
}

/// The whole count modulo one prime.
class Remainders {
 public:
  using Parted = std::array<Parts, empty_level + 1>;

  Remainders(Word prime, const Points& cards, std::size_t reach, const Parted& parts,
             std::size_t drawn)
      : prime_(prime),
        cards_(cards),
        reach_(reach),
        parts_(parts),
        drawn_(drawn),
        total_(std::accumulate(cards.begin(), cards.end(), std::size_t{0})),
        factorial_(total_ + 1, 1),
        inverse_(total_ + 1, 1) {
    for (std::size_t i = 1; i <= total_; ++i) {
      factorial_[i] = times(factorial_[i - 1], i);
      inverse_[i] = power(factorial_[i], prime_ - 2);
    }
  }

  /// By total: ordered draws of `drawn` cards whose first ones are two rows of that total.
  std::array<Word, totals_count> run() {
    std::array<Word, totals_count> out{};
    Layer layer{1};
    for (std::size_t value = points_most; value >= 2; --value) {
      layer = step(layer, value, reach_ + points_most - 1);
      const std::size_t total = reach_ + value - 1;
      Layer rest = with_last_cards(layer, value);
      for (std::size_t lower = value - 1; lower >= 2; --lower) rest = step(rest, lower, total);
      out.at(value - 1) = with_aces(rest, total, true);
    }
    out[0] = with_aces(layer, reach_, false);
    return out;
  }

 private:
  using Layer = std::vector<Word>;  ///< [part of one row x parts + part of the other]

  [[nodiscard]] Word times(Word a, Word b) const { return static_cast<Word>(Wide{a} * b % prime_); }
  [[nodiscard]] Word power(Word base, Word exponent) const {
    Word out = 1;
    for (; exponent > 0; exponent >>= 1U) {
      if ((exponent & 1U) != 0) out = times(out, base);
      base = times(base, base);
    }
    return out;
  }
  /// n (n - 1) ... k factors.
  [[nodiscard]] Word falling(std::size_t n, std::size_t k) const {
    return k > n ? 0 : times(factorial_[n], inverse_[n - k]);
  }

  /// In how many ways so many cards of a value go to one row and so many to the other.
  [[nodiscard]] std::vector<std::vector<Word>> ways(std::size_t value, std::size_t most) const {
    std::vector<std::vector<Word>> out(most + 1, std::vector<Word>(most + 1, 0));
    for (std::size_t a = 0; a <= most; ++a) {
      for (std::size_t b = 0; a + b <= cards_.at(value) && b <= most; ++b)
        out[a][b] = times(falling(cards_.at(value), a + b), times(inverse_[a], inverse_[b]));
    }
    return out;
  }

  [[nodiscard]] Layer step(const Layer& from, std::size_t value, std::size_t points) const {
    const Parts& parts = parts_.at(value);
    const std::size_t before = parts_.at(value + 1).all.size();
    const std::size_t size = parts.all.size();
    const auto weights = ways(value, points / value);
    Layer to(size * size, 0);
    for (std::size_t x = 0; x < size; ++x) {
      if (parts.all[x].points > points) continue;
      for (std::size_t y = x; y < size; ++y) {
        if (parts.all[y].points > points) continue;
        Wide sum = 0;
        for (const Link& one : parts.links[x]) {
          const Word* row = &from[one.from * before];
          const auto& weight = weights[one.added];
          for (const Link& other : parts.links[y])
            sum += Wide{row[other.from]} * weight[other.added];
        }
        to[x * size + y] = to[y * size + x] = static_cast<Word>(sum % prime_);
      }
    }
    return to;
  }

  /// One of the cards of each row is its last: all there are now may be it.
  [[nodiscard]] Layer with_last_cards(Layer layer, std::size_t value) const {
    const auto& all = parts_.at(value).all;
    for (std::size_t x = 0; x < all.size(); ++x) {
      for (std::size_t y = 0; y < all.size(); ++y) {
        Word& count = layer[x * all.size() + y];
        count = times(count, all[x].cards * all[y].cards);
      }
    }
    return layer;
  }

  /// What is missing of the total is aces. The cards of a row lie in any order, but for the last
  /// one if that is chosen; behind both rows lies anything.
  [[nodiscard]] Word with_aces(const Layer& layer, std::size_t total, bool last_chosen) const {
    const auto& all = parts_[2].all;
    const std::size_t aces = cards_[1];
    std::vector<Word> orders(all.size(), 0);
    for (std::size_t x = 0; x < all.size(); ++x) {
      if (all[x].points > total || total - all[x].points > aces) continue;
      const std::size_t missing = total - all[x].points;
      const std::size_t cards = all[x].cards + missing;
      if (cards > total_ || (last_chosen && cards == 0)) continue;
      orders[x] = times(factorial_[last_chosen ? cards - 1 : cards], inverse_[missing]);
    }
    Word out = 0;
    for (std::size_t x = 0; x < all.size(); ++x) {
      if (orders[x] == 0) continue;
      Word sum = 0;
      for (std::size_t y = 0; y < all.size(); ++y) {
        const Word count = layer[x * all.size() + y];
        if (count == 0 || orders[y] == 0) continue;
        const std::size_t missing = 2 * total - all[x].points - all[y].points;
        const std::size_t cards = all[x].cards + all[y].cards + missing;
        if (missing > aces || cards > drawn_) continue;
        const Word behind = times(falling(aces, missing), falling(total_ - cards, drawn_ - cards));
        sum = (sum + times(times(count, orders[y]), behind)) % prime_;
      }
      out = (out + times(sum, orders[x])) % prime_;
    }
    return out;
  }

  Word prime_;
  const Points& cards_;
  std::size_t reach_;
  const Parted& parts_;
  std::size_t drawn_;
  std::size_t total_;
  std::vector<Word> factorial_;
  std::vector<Word> inverse_;
};

/// Cards of two rows of so many points at most: the lowest ones that there are.
std::size_t cards_most(const Points& cards, std::size_t points) {
  std::size_t out = 0;
  for (std::size_t value = 1; value <= points_most; ++value) {
    const std::size_t taken = std::min<std::size_t>(cards.at(value), points / value);
    out += taken;
    points -= taken * value;
  }
  return out;
}

}  // namespace

Points points_of_decks(const Figures& figures, std::uint32_t decks) {
  constexpr std::uint32_t suits = 4;
  Points out{};
  for (const int value : figures.values) out.at(static_cast<std::size_t>(value)) += suits * decks;
  return out;
}

std::array<Ratio, totals_count> equal_rows(const Points& cards, int reach) {
  const auto total = std::accumulate(cards.begin(), cards.end(), std::size_t{0});
  TALLA_CHECK(reach > static_cast<int>(points_most));
  TALLA_CHECK(reach <= reach_most);
  TALLA_CHECK(cards[0] == 0);
  TALLA_CHECK(total <= 416);
  const auto least = static_cast<std::size_t>(reach);
  const std::size_t most = least + points_most - 1;
  const std::size_t drawn = cards_most(cards, 2 * most);
  WideInt draws = 1;
  for (std::size_t i = 0; i < drawn; ++i) draws *= total - i;

  const auto parts = parts_up_to(most);
  std::array<WideInt, totals_count> counts{};
  WideInt known = 1;
  for (const Word below : below_power) {
    if (known > draws) break;
    const Word prime = (Word{1} << prime_bits) - below;
    const auto remainders = Remainders(prime, cards, least, parts, drawn).run();
    // known x inverse = 1 modulo this prime, by Fermat.
    const WideInt inverse =
        boost::multiprecision::powm(WideInt(known % prime), WideInt(prime - 2), WideInt(prime));
    for (std::size_t i = 0; i < totals_count; ++i) {
      const WideInt wanted = (remainders.at(i) + prime - counts.at(i) % prime) * inverse % prime;
      counts.at(i) += known * wanted;
    }
    known *= prime;
  }
  TALLA_CHECK(known > draws);
  std::array<Ratio, totals_count> out;
  for (std::size_t i = 0; i < totals_count; ++i) out.at(i) = Ratio(counts.at(i), draws);
  return out;
}

}  // namespace talla::games::trente
