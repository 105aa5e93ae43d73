/// \file
/// What the core believes of a source process's hello: nothing that it does not know itself.
#pragma once

#include "usb/driver.hpp"
#include "usb/source_frame.hpp"

namespace talla::usb {

/// Compares the hello with what was asked for (`selector`: model, serial) and with what a driver of
/// the house says of that model under `options`: class, bits, entropy and rate must be one of its
/// own, for one of the products it knows. The entropy's origin is then written here, not taken
/// over. Errors: claim_refused, bad_option.
[[nodiscard]] Status check_claim(const std::string& selector, const DriverOptions& options,
                                 const Registry& registry, HelloFrame& hello);

}  // namespace talla::usb
