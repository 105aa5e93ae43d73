#include "stats/outcome/patterns.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace talla::stats::outcome {
namespace {

double factorial(std::size_t n) {
  double value = 1.0;
  for (std::size_t i = 2; i <= n; ++i) value *= static_cast<double>(i);
  return value;
}

/// Levels of four results, lowest first: {1, 0, 1, 2} for 7 3 7 9.
std::array<std::size_t, order_draws> levels_of(
    const std::array<std::uint32_t, order_draws>& values) {
  std::array<std::size_t, order_draws> levels{};
  for (std::size_t i = 0; i < order_draws; ++i) {
    for (std::size_t j = 0; j < order_draws; ++j) {
      bool first = values[j] < values[i];
      for (std::size_t k = 0; k < j; ++k) first = first && values[k] != values[j];
      levels[i] += static_cast<std::size_t>(first);
    }
  }
  return levels;
}

/// Six comparisons of two of the four, three outcomes each.
std::size_t comparisons_of(const std::array<std::uint32_t, order_draws>& v) {
  std::size_t code = 0;
  for (std::size_t i = 0; i < order_draws; ++i) {
    for (std::size_t j = i + 1; j < order_draws; ++j) {
      code = 3 * code + (v[i] < v[j] ? 0U : v[i] == v[j] ? 1U : 2U);
    }
  }
  return code;
}

/// The 75 weak orders: how large each level is, and the class of every result of six comparisons.
struct Orders {
  std::array<std::uint8_t, 729> class_of{};
  std::vector<std::vector<std::size_t>> level_sizes;

  Orders() {
    class_of.fill(order_classes);
    for (std::uint32_t code = 0; code < 256; ++code) {
      const std::array<std::uint32_t, order_draws> values = {code & 3U, code >> 2 & 3U,
                                                             code >> 4 & 3U, code >> 6};
      auto& klass = class_of[comparisons_of(values)];
      if (klass != order_classes) continue;
      klass = static_cast<std::uint8_t>(level_sizes.size());
      const auto levels = levels_of(values);
      std::vector<std::size_t> sizes(*std::max_element(levels.begin(), levels.end()) + 1);
      for (const std::size_t level : levels) ++sizes[level];
      level_sizes.push_back(std::move(sizes));
    }
  }
};
const Orders& orders() {
  static const Orders the;
  return the;
}

/// Sum over faces f1 < f2 < ... of the weights of drawing the i-th of them sizes[i] times, over all
/// draws.
double increasing_faces(const Urn& urn, std::span<const std::size_t> sizes) {
  std::vector<double> sums(sizes.size() + 1);
  sums[0] = 1.0;
  std::size_t draws = 0;
  for (const std::size_t size : sizes) draws += size;
  for (std::size_t face = 0; face < urn.faces(); ++face) {
    for (std::size_t i = sizes.size(); i > 0; --i)
      sums[i] += sums[i - 1] * urn.weight(face, sizes[i - 1]);
  }
  return sums.back() / urn.all(draws);
}

/// P(all of `faces` equally likely faces after t), step by step over how many are there.
std::vector<double> coupon_equal(std::size_t faces) {
  std::vector<double> held(faces + 1), waits = {0.0};
  held[0] = 1.0;
  double done = 0.0;
  const auto all = static_cast<double>(faces);
  while (done < 1.0 - 1e-9) {
    for (std::size_t i = faces; i > 0; --i) {
      const double stays = i == faces ? 0.0 : held[i] * static_cast<double>(i) / all;
      held[i] = stays + held[i - 1] * static_cast<double>(faces - i + 1) / all;
    }
    held[0] = 0.0;
    waits.push_back(held[faces]);
    done += held[faces];
  }
  waits.push_back(std::max(0.0, 1.0 - done));
  return waits;
}

/// Inclusion and exclusion over the faces that are missing.
std::vector<double> coupon_unequal(const Urn& urn) {
  const std::size_t sets = std::size_t{1} << urn.faces();
  std::vector<double> kept(sets, 1.0), power(sets, 1.0), waits = {0.0};
  for (std::size_t set = 0; set < sets; ++set) {
    for (std::size_t face = 0; face < urn.faces(); ++face) {
      if ((set >> face & 1) != 0) kept[set] -= urn.single(face);
    }
  }
  double done = 0.0;
  while (done < 1.0 - 1e-9) {
    double now = 0.0;
    for (std::size_t set = 0; set < sets; ++set) {
      power[set] *= std::max(0.0, kept[set]);
      now += std::popcount(set) % 2 == 0 ? power[set] : -power[set];
    }
    now = std::clamp(now, done, 1.0);
    waits.push_back(now - done);
    done = now;
  }
  waits.push_back(1.0 - done);
  return waits;
}

/// Ways to choose t cards with every face among them, over all ways.
std::vector<double> coupon_used_up(const Urn& urn) {
  std::vector<double> ways = {1.0};
  for (std::size_t face = 0; face < urn.faces(); ++face) {
    const auto copies = static_cast<std::size_t>(urn.single(face));
    std::vector<double> next(ways.size() + copies);
    double choices = 1.0;
    for (std::size_t taken = 1; taken <= copies; ++taken) {
      choices *= static_cast<double>(copies - taken + 1) / static_cast<double>(taken);
      for (std::size_t i = 0; i < ways.size(); ++i) next[i + taken] += choices * ways[i];
    }
    ways = std::move(next);
  }
  std::vector<double> waits(ways.size());
  double before = 0.0, all = 1.0;
  for (std::size_t t = 0; t < ways.size(); ++t) {
    if (t > 0) all *= (urn.total() - static_cast<double>(t) + 1.0) / static_cast<double>(t);
    const double now = ways[t] / all;
    waits[t] = std::max(0.0, now - before);
    before = now;
  }
  return waits;
}

constexpr std::size_t coupon_unequal_faces_most = 16;
constexpr double wait_rest = 1e-9;

}  // namespace

Urn Urn::with_replacement(std::span<const double> probabilities) {
  Urn urn;
  urn.weights_.assign(probabilities.begin(), probabilities.end());
  return urn;
}

Urn Urn::without_replacement(std::span<const std::uint32_t> copies) {
  Urn urn;
  urn.weights_.assign(copies.begin(), copies.end());
  urn.total_ = 0.0;
  for (const double weight : urn.weights_) urn.total_ += weight;
  urn.replaced_ = false;
  return urn;
}

double Urn::of(double sum, std::size_t count) const {
  double value = 1.0;
  for (std::size_t i = 0; i < count; ++i)
    value *= replaced_ ? sum : std::max(0.0, sum - static_cast<double>(i));
  return value;
}

std::array<double, 7> poker_probabilities(const Urn& urn) {
  // State: how many draws are used, and how many equal pairs are among them.
  std::map<std::pair<std::size_t, std::size_t>, double> states = {{{0, 0}, 1.0}};
  for (std::size_t face = 0; face < urn.faces(); ++face) {
    auto next = states;
    for (const auto& [state, ways] : states) {
      for (std::size_t count = 1; state.first + count <= poker_draws; ++count) {
        next[{state.first + count, state.second + count * (count - 1) / 2}] +=
            ways * urn.weight(face, count) / factorial(count);
      }
    }
    states = std::move(next);
  }
  std::array<double, 7> probabilities{};
  for (std::size_t i = 0; i < poker_pairs.size(); ++i) {
    probabilities[i] =
        states[{poker_draws, poker_pairs[i]}] * factorial(poker_draws) / urn.all(poker_draws);
  }
  return probabilities;
}

std::size_t order_class(const std::array<std::uint32_t, order_draws>& values) {
  return orders().class_of[comparisons_of(values)];
}

std::array<double, order_classes> order_probabilities(const Urn& urn) {
  std::array<double, order_classes> probabilities{};
  std::map<std::vector<std::size_t>, double> by_sizes;
  for (std::size_t klass = 0; klass < order_classes; ++klass) {
    const auto& sizes = orders().level_sizes[klass];
    const auto [place, fresh] = by_sizes.try_emplace(sizes, 0.0);
    if (fresh) place->second = increasing_faces(urn, sizes);
    probabilities[klass] = place->second;
  }
  return probabilities;
}

std::vector<double> order_statistic_probabilities(const Urn& urn, std::size_t draws,
                                                  std::size_t rank) {
  std::vector<double> probabilities;
  double below = 0.0, cumulated = 0.0;
  for (std::size_t face = 0; face < urn.faces(); ++face) {
    cumulated += urn.single(face);
    const double rest = face + 1 == urn.faces() ? 0.0 : urn.total() - cumulated;
    double now = 0.0;  // P(at least `rank` results are at most this face)
    for (std::size_t low = rank; low <= draws; ++low) {
      const double ways = factorial(draws) / (factorial(low) * factorial(draws - low));
      now += ways * urn.of(cumulated, low) * urn.of(rest, draws - low) / urn.all(draws);
    }
    if (face + 1 == urn.faces()) now = 1.0;
    probabilities.push_back(std::max(0.0, now - below));
    below = now;
  }
  return probabilities;
}

double match_probability(const Urn& urn, std::size_t draws) {
  std::vector<double> sums(draws + 1);
  sums[0] = 1.0;
  for (std::size_t face = 0; face < urn.faces(); ++face) {
    for (std::size_t used = draws; used > 0; --used) {
      for (std::size_t count = 1; count <= used; ++count) {
        const double weight = urn.weight(face, count);
        sums[used] += sums[used - count] * weight * weight / factorial(count);
      }
    }
  }
  return sums[draws] * factorial(draws) / (urn.all(draws) * urn.all(draws));
}

double rising_probability(const Urn& urn, std::size_t draws) {
  return increasing_faces(urn, std::vector<std::size_t>(draws, 1));
}

std::vector<double> coupon_probabilities(const Urn& urn) {
  if (!urn.replaced()) return coupon_used_up(urn);
  bool equal = true;
  for (std::size_t face = 1; face < urn.faces(); ++face) {
    equal = equal && std::abs(urn.single(face) - urn.single(0)) < 1e-12;
  }
  if (equal) return coupon_equal(urn.faces());
  return urn.faces() <= coupon_unequal_faces_most ? coupon_unequal(urn) : std::vector<double>{};
}

std::vector<double> wait_probabilities(double probability) {
  std::vector<double> waits = {0.0};
  double left = 1.0;
  while (left > wait_rest && waits.size() < 100'000) {
    waits.push_back(left * probability);
    left *= 1.0 - probability;
  }
  waits.push_back(left);
  return waits;
}

std::vector<double> wait_probabilities(std::uint32_t copies, std::uint32_t all) {
  std::vector<double> waits = {0.0};
  double left = 1.0;
  for (std::uint32_t t = 0; t + copies <= all; ++t) {
    const double hit = static_cast<double>(copies) / static_cast<double>(all - t);
    waits.push_back(left * hit);
    left *= 1.0 - hit;
  }
  return waits;
}

}  // namespace talla::stats::outcome
