#include "engines/baccarat/census.hpp"

#include <numeric>

#include "base/check.hpp"

namespace talla::games::baccarat {
namespace {

class Counter {
 public:
  Counter(const Figures& figures, const Values& values)
      : figures_(figures),
        left_(values),
        cards_(std::accumulate(values.begin(), values.end(), 0U)) {
    TALLA_CHECK(cards_ >= 6);
    TALLA_CHECK(cards_ <= 416);
  }

  Census run() {
    for (std::size_t p1 = 0; p1 < 10; ++p1) {
      for (std::size_t p2 = p1; p2 < 10; ++p2) hands(p1, p2);
    }
    return census_;
  }

 private:
  /// Takes a pair of values out; in how many orders it can be drawn.
  std::uint64_t take_pair(std::size_t a, std::size_t b) {
    const std::uint64_t first = left_[a]--;
    const std::uint64_t second = left_[b]--;
    return a == b ? first * second : 2 * first * second;
  }
  void put_back(std::size_t a, std::size_t b) {
    ++left_[a];
    ++left_[b];
  }

  void hands(std::size_t p1, std::size_t p2) {
    if (left_[p1] == 0 || left_[p2] < (p1 == p2 ? 2U : 1U)) return;
    const auto punto_ways = take_pair(p1, p2);
    for (std::size_t b1 = 0; b1 < 10; ++b1) {
      for (std::size_t b2 = b1; b2 < 10; ++b2) {
        if (left_[b1] == 0 || left_[b2] < (b1 == b2 ? 2U : 1U)) continue;
        const auto ways = punto_ways * take_pair(b1, b2);
        coup(ways, (p1 + p2) % 10, (b1 + b2) % 10);
        put_back(b1, b2);
      }
    }
    put_back(p1, p2);
  }

  void coup(std::uint64_t ways, std::size_t punto, std::size_t banca) {
    if (natural(figures_, static_cast<int>(punto), static_cast<int>(banca))) {
      add(ways * (cards_ - 4) * (cards_ - 5), punto, banca);
    } else if (!figures_.punto_draws[punto]) {
      banca_card(ways, punto, banca, stood_column, cards_ - 5);
    } else {
      for (std::size_t third = 0; third < 10; ++third) {
        if (left_[third] == 0) continue;
        const std::uint64_t more = ways * left_[third]--;
        banca_card(more, (punto + third) % 10, banca, third, 1);
        ++left_[third];
      }
    }
  }

  /// Banca's card if it draws; `rest`: in how many ways the sixth card can lie when it is the
  /// fifth.
  void banca_card(std::uint64_t ways, std::size_t punto, std::size_t banca, std::size_t column,
                  std::uint64_t rest) {
    if (!figures_.banca_draws[banca][column]) {
      const std::uint64_t continuations = column == stood_column ? (cards_ - 4) * rest : cards_ - 5;
      add(ways * continuations, punto, banca);
      return;
    }
    for (std::size_t value = 0; value < 10; ++value) {
      add(ways * rest * left_[value], punto, (banca + value) % 10);
    }
  }

  void add(std::uint64_t ways, std::size_t punto, std::size_t banca) {
    if (punto == banca) {
      census_.tie[punto] += ways;
    } else if (punto > banca) {
      census_.punto[punto] += ways;
    } else {
      census_.banca[banca] += ways;
    }
  }

  const Figures& figures_;
  Values left_;
  std::uint64_t cards_;
  Census census_;
};

std::uint64_t sum(const std::array<std::uint64_t, 10>& all) {
  return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
}

}  // namespace

std::uint64_t Census::of(Hand winner) const {
  return sum(winner == Hand::punto ? punto : winner == Hand::banca ? banca : tie);
}

Values values_of_decks(const Figures& figures, std::uint32_t decks) {
  Values out{};
  for (const int value : figures.values) out[static_cast<std::size_t>(value)] += 4 * decks;
  return out;
}

Census count_coups(const Figures& figures, const Values& values) {
  return Counter(figures, values).run();
}

}  // namespace talla::games::baccarat
