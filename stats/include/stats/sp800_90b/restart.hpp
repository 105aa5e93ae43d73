/// \file
/// Restart tests, NIST SP 800-90B (2018), 3.1.4: 1,000 samples after each of 1,000 restarts.
///
/// Cutoff:  the standard asks for the value that the largest count of a row or column exceeds with
///          probability alpha. It is computed exactly here; NIST's program simulates it and may
///          differ by one.
/// Threads: pure functions.
#pragma once

#include <cstdint>

#include "stats/sp800_90b/iid.hpp"
#include "stats/sp800_90b/non_iid.hpp"

namespace talla::stats::sp800_90b {

/// Restarts of the matrix, 3.1.4.
inline constexpr std::size_t restarts_count = 1000;  ///< rows, and samples of a row

/// Largest count of one symbol among 1,000 that is still accepted: P(more) <= alpha = 1 -
/// 0.99^(1/2000) when as many symbols as fit have probability 2^-h (3.1.4.3). Precondition: 0 < h
/// <= 8.
[[nodiscard]] unsigned restart_cutoff(double h);

struct RestartAssessment {
  unsigned cutoff = 0;         ///< restart_cutoff of the assessed entropy
  unsigned largest_count = 0;  ///< X_max over rows and columns
  bool sane = false;           ///< largest_count <= cutoff
  Track rows;                  ///< estimates on the row data; empty when not sane
  Track columns;
  double h_rows = 0.0;  ///< bits per symbol, at most the width
  double h_columns = 0.0;
  bool valid = false;        ///< sane, and both at least h_initial / 2
  double min_entropy = 0.0;  ///< min(h_rows, h_columns, h_initial) when valid
};

/// `h_initial`: assessed before, bits per symbol. `iid`: only the most common value counts (6.1).
/// Errors: not 1,000,000 samples; h_initial not in (0, width].
[[nodiscard]] Result<RestartAssessment> assess_restarts(const Samples& samples, double h_initial,
                                                        bool iid);

}  // namespace talla::stats::sp800_90b
