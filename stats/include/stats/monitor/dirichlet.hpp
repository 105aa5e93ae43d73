/// \file
/// Dirichlet-mixture likelihood ratio of a finite alphabet against given probabilities, mixed over
/// four strengths of prior.
///
/// Null: independent symbols with probabilities p. The alternative of one strength is the Dirichlet
/// mixture with parameters A p_x around them, whose predictive probability of x after counts n is
/// (n_x + A p_x) / (n + A): the e-process is the product of its ratios to p_x. A small A finds
/// large biases of unknown shape fast, a large one small biases.
/// Source:  Krichevsky and Trofimov 1981 (A p = 1/2); Robbins 1970 (mixture martingales). Cost:
/// four divisions a symbol.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "stats/monitor/scaled.hpp"
#include "stats/monitor/state.hpp"

namespace talla::stats::monitor {

class Dirichlet {
 public:
  static constexpr std::size_t strengths = 4;
  /// Prior counts of an average symbol.
  static constexpr std::array<double, strengths> prior_counts = {0.5, 20, 400, 8000};

  /// Precondition: at least two probabilities, all positive, adding up to 1.
  explicit Dirichlet(std::vector<double> probabilities);

  /// Precondition: symbol < number of probabilities.
  void observe(std::size_t symbol);
  [[nodiscard]] double e() const;
  [[nodiscard]] double log_e() const;
  void begin_epoch();
  void freeze(bool frozen) { frozen_ = frozen; }
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  std::vector<double> probabilities_;
  std::vector<double> inverse_;  // 1 / p
  std::vector<std::uint64_t> counts_;
  std::uint64_t total_ = 0;
  std::array<double, strengths> mass_{};  // A
  std::array<Scaled, strengths> ratios_{};
  bool frozen_ = false;
};

}  // namespace talla::stats::monitor
