/// \file
/// The OpenAPI document (rngd/openapi.json), compiled in.
#pragma once

#include <string_view>

namespace talla::rngd {

[[nodiscard]] std::string_view openapi_document();

}  // namespace talla::rngd
