/// \file
/// Fills what a verdict says first. Private to certs_verify.
#pragma once

#include "evidence.hpp"

namespace talla::certs {

/// Of a bundle that holds; behind `conclude` and `name_catalogue`.
void summarise(Evidence& evidence);
/// Of a receipt that holds.
void summarise_receipt(Verdict& verdict);

}  // namespace talla::certs
