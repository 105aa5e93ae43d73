/// \file
/// Spectrum of samples by FFTW.
///
/// Licence: FFTW is GPL; only the laboratory program links this library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace talla::stats {

/// Squared magnitudes of the transform of samples minus their mean, over length and variance,
/// averaged over segments side by side (Bartlett's method, no window): independent samples have
/// mean 1 at every frequency.
struct Periodogram {
  std::vector<double> power;  ///< [k - 1]: at k / length cycles per sample, k = 1 to length / 2
  std::size_t length = 0;     ///< samples of a segment
  std::size_t segments = 0;
};
/// `length` is a power of two, made smaller until one segment fits. Empty below two samples and
/// when all samples are equal. Thread-safe.
[[nodiscard]] Periodogram periodogram(std::span<const std::uint8_t> samples, std::size_t length);

}  // namespace talla::stats
