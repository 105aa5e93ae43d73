/// \file
/// The makers of all drivers but ChaosKey's; each model is one file below src/. Facts of the
/// protocols: the makers' own drivers and firmware, named in each file.
#pragma once

#include <memory>

#include "usb/driver.hpp"

namespace talla::usb {

/// Araneus Alea I and II: the device's output, conditioned inside.
[[nodiscard]] std::unique_ptr<Driver> make_alea();
/// Infinite Noise (FT240X): modular noise multiplier, one bit a sample.
[[nodiscard]] std::unique_ptr<Driver> make_infnoise();
/// BitBabbler White (four generators) and Black (one), FT232H. Settings: mask 1 to 15, rate 458 to
/// 30000000 bit/s, fold 0 to 4 (0: raw).
[[nodiscard]] std::unique_ptr<Driver> make_bitbabbler();
/// OneRNG. Setting mode: avalanche-raw (default), avalanche, both-raw, both, rf-raw, rf, silent.
[[nodiscard]] std::unique_ptr<Driver> make_onerng();
/// TrueRNG V1 to V3: whitened inside.
[[nodiscard]] std::unique_ptr<Driver> make_truerng();
/// TrueRNGpro and pro V2. Settings: mode raw (default), unwhitened (V2), normal, generator-1,
/// generator-2; millivolts-min and millivolts-max of the supply.
[[nodiscard]] std::unique_ptr<Driver> make_truerng_pro();
/// SwiftRNG on its own bulk endpoints. Setting noise: 1 (default), 2, or processed.
[[nodiscard]] std::unique_ptr<Driver> make_swiftrng();
/// SwiftRNG on CDC-ACM; the same commands and setting.
[[nodiscard]] std::unique_ptr<Driver> make_swiftrng_cdc();
/// ID Quantique Quantis USB: conditioned inside, its own tests asked for their verdict.
[[nodiscard]] std::unique_ptr<Driver> make_quantis();
/// NeuG on FST-01: CRC-32 over converter words inside.
[[nodiscard]] std::unique_ptr<Driver> make_neug();

}  // namespace talla::usb
