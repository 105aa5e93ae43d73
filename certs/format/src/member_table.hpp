/// \file
/// The members of an object in words, as the page lists them. Private to certs_format.
#pragma once

#include "format/described.hpp"

namespace talla::certs {

/// Instantiated beside each description.
template <class B>
[[nodiscard]] MemberTable members_of();

}  // namespace talla::certs
