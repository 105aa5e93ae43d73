/// \file
/// The transform of the spectral test by FFTW, in single precision with an exact second look.
///
/// Method:  the few values that lie so near the bound that single precision cannot tell (about one
///          of a million bits) are summed again in double precision.
/// Threads: one object belongs to one thread; making and ending objects locks FFTW's planner.
/// Licence: FFTW is GPL; only the laboratory program links this library.
#pragma once

#include <memory>

#include "stats/sp800_22/battery.hpp"

namespace talla::stats {

class FftwSpectrum final : public sp800_22::Spectrum {
 public:
  /// For sequences of that many bits. FFTW estimates its plan: measuring takes seconds and gains a
  /// tenth.
  explicit FftwSpectrum(std::size_t bits_count);
  ~FftwSpectrum() override;
  /// Precondition: bits.size() is the count given at making.
  [[nodiscard]] std::size_t count_below(const Bits& bits, double bound) override;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace talla::stats
