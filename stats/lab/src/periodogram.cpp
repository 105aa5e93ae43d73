#include "stats_lab/periodogram.hpp"

#include <fftw3.h>

#include "planner.hpp"

namespace talla::stats {

Periodogram periodogram(std::span<const std::uint8_t> samples, std::size_t length) {
  Periodogram out;
  while (length > samples.size()) length /= 2;
  if (length < 2) return out;
  const std::size_t segments = samples.size() / length;
  const auto used = samples.first(segments * length);
  std::uint64_t sum = 0, squares = 0;
  for (const std::uint8_t sample : used) {
    sum += sample;
    squares += std::uint64_t{sample} * sample;
  }
  const auto n = static_cast<double>(used.size());
  const double mean = static_cast<double>(sum) / n;
  const double variance = static_cast<double>(squares) / n - mean * mean;
  if (!(variance > 0.0)) return out;
  out.length = length;
  out.segments = segments;
  out.power.assign(length / 2, 0.0);

  float* values = fftwf_alloc_real(length);
  fftwf_complex* transform = fftwf_alloc_complex(length / 2 + 1);
  fftwf_plan plan = nullptr;
  {
    const std::scoped_lock lock(fftw_planner());
    plan = fftwf_plan_dft_r2c_1d(static_cast<int>(length), values, transform, FFTW_ESTIMATE);
  }
  for (std::size_t segment = 0; segment < segments; ++segment) {
    for (std::size_t i = 0; i < length; ++i)
      values[i] = static_cast<float>(static_cast<double>(used[segment * length + i]) - mean);
    fftwf_execute(plan);
    for (std::size_t k = 1; k <= length / 2; ++k) {
      const double real = transform[k][0], imaginary = transform[k][1];
      out.power[k - 1] += real * real + imaginary * imaginary;
    }
  }
  {
    const std::scoped_lock lock(fftw_planner());
    fftwf_destroy_plan(plan);
  }
  fftwf_free(values);
  fftwf_free(transform);
  for (double& power : out.power)
    power /= variance * static_cast<double>(length) * static_cast<double>(segments);
  return out;
}

}  // namespace talla::stats
