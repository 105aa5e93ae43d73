#include "stats_lab/fftw_spectrum.hpp"

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "planner.hpp"

namespace talla::stats {
namespace {

/// Values of eight bits as +1 and -1, the highest bit first.
std::array<std::array<float, 8>, 256> make_signs() {
  std::array<std::array<float, 8>, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned k = 0; k < 8; ++k) table[byte][k] = ((byte >> (7 - k)) & 1U) != 0 ? 1.0F : -1.0F;
  }
  return table;
}

/// |X_k|^2 summed in double precision: eight bits at a time from a table, then a two-level
/// rotation.
double square_at(const Bits& bits, std::size_t k) {
  using Complex = std::complex<double>;
  const auto n = static_cast<double>(bits.size());
  const auto turn = [&](std::size_t place) {
    // The product is reduced before it meets pi: its integer part would cost digits.
    const auto whole = static_cast<double>(place * k % bits.size());
    return std::polar(1.0, -2.0 * std::numbers::pi * whole / n);
  };
  std::array<Complex, 8> inside;
  for (std::size_t i = 0; i < 8; ++i) inside[i] = turn(i);
  std::vector<Complex> table(256);
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (std::size_t i = 0; i < 8; ++i)
      table[byte] += ((byte >> (7 - i)) & 1U) != 0 ? inside[i] : -inside[i];
  }
  constexpr std::size_t group = 256;  // bytes
  std::array<Complex, group> within;
  for (std::size_t i = 0; i < group; ++i) within[i] = turn(8 * i);
  const std::size_t bytes_count = bits.size() / 8;
  Complex sum = 0.0;
  for (std::size_t begin = 0; begin < bytes_count; begin += group) {
    const std::size_t count = std::min(group, bytes_count - begin);
    double real = 0.0, imaginary = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const Complex& value = table[bits.byte(begin + i)];
      real += value.real() * within[i].real() - value.imag() * within[i].imag();
      imaginary += value.real() * within[i].imag() + value.imag() * within[i].real();
    }
    sum += Complex(real, imaginary) * turn(8 * begin);
  }
  for (std::size_t i = bytes_count * 8; i < bits.size(); ++i)
    sum += (bits.bit(i) ? 1.0 : -1.0) * turn(i);
  return std::norm(sum);
}

}  // namespace

std::mutex& fftw_planner() {
  static std::mutex one;
  return one;
}

struct FftwSpectrum::Plan {
  std::size_t count = 0;
  float* values = nullptr;
  fftwf_complex* transform = nullptr;
  fftwf_plan plan = nullptr;
  std::array<std::array<float, 8>, 256> signs = make_signs();
};

FftwSpectrum::FftwSpectrum(std::size_t bits_count) : plan_(std::make_unique<Plan>()) {
  plan_->count = bits_count;
  const std::scoped_lock lock(fftw_planner());
  plan_->values = fftwf_alloc_real(bits_count + 8);
  plan_->transform = fftwf_alloc_complex(bits_count / 2 + 1);
  plan_->plan = fftwf_plan_dft_r2c_1d(static_cast<int>(bits_count), plan_->values, plan_->transform,
                                      FFTW_ESTIMATE);
}

FftwSpectrum::~FftwSpectrum() {
  const std::scoped_lock lock(fftw_planner());
  fftwf_destroy_plan(plan_->plan);
  fftwf_free(plan_->values);
  fftwf_free(plan_->transform);
}

std::size_t FftwSpectrum::count_below(const Bits& bits, double bound) {
  const std::size_t n = plan_->count;
  for (std::size_t i = 0; i * 8 < n; ++i) {
    std::copy_n(plan_->signs[bits.byte(i)].data(), 8, plan_->values + i * 8);
  }
  fftwf_execute(plan_->plan);
  // Error of the single-precision transform: its root mean square is below 3e-7 of the values'
  // (sqrt n); twenty times that.
  const double margin = 6e-6 * std::sqrt(static_cast<double>(n));
  const double low = std::max(bound - margin, 0.0), high = bound + margin;
  const auto surely = static_cast<float>(low * low), surely_not = static_cast<float>(high * high);
  std::size_t below = 0;
  std::vector<std::size_t> unsure;
  for (std::size_t i = 0; i < n / 2; ++i) {
    const float real = plan_->transform[i][0], imaginary = plan_->transform[i][1];
    const float square = real * real + imaginary * imaginary;
    if (square < surely) {
      ++below;
    } else if (square <= surely_not) {
      unsure.push_back(i);
    }
  }
  for (const std::size_t k : unsure)
    below += static_cast<std::size_t>(square_at(bits, k) < bound * bound);
  return below;
}

}  // namespace talla::stats
