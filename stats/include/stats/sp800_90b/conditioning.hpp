/// \file
/// Output entropy of a conditioning component, NIST SP 800-90B (2018), 3.1.5.
///
/// Range:   n_in, n_out, nw 1 to 2^20 bits; 0 < h_in <= n_in. Relative error below 1e-12.
/// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "stats/result.hpp"

namespace talla::stats::sp800_90b {

struct Conditioning {
  std::uint32_t n_in = 0;   ///< bits in
  std::uint32_t n_out = 0;  ///< bits out
  std::uint32_t nw = 0;     ///< narrowest internal width, bits
  double h_in = 0.0;        ///< assessed min-entropy of the input, bits
  /// non-vetted components: assessed min-entropy per bit of a long output (3.1.5.2).
  std::optional<double> h_prime;
};

/// What comes out of a conditioning component.
struct OutputEntropy {
  double formula = 0.0;  ///< Output_Entropy(n_in, n_out, nw, h_in), bits
  double h_out = 0.0;    ///< what may be claimed, bits
  /// formula = min(n_out, nw) * (1 - 2^log2_epsilon); -64 or less is full entropy, FIPS 140-3 IG
  /// D.K.
  double log2_epsilon = 0.0;
};

/// Errors: a value out of range, named.
[[nodiscard]] Result<OutputEntropy> output_entropy(const Conditioning& component);

}  // namespace talla::stats::sp800_90b
