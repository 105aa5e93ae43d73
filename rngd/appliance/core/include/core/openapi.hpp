/// \file
/// The interface as an OpenAPI 3.1 document, written from the rows of the operations.
///
/// Threads: a pure function.
#pragma once

#include <string>

namespace talla::core {

/// JSON with an indent of one space, members in the order of their names, a line at the end.
[[nodiscard]] std::string openapi_document();

}  // namespace talla::core
