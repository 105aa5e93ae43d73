/// \file
/// The page of an inspection, from its JSON alone.
#pragma once

#include <string>

#include "base/json.hpp"

namespace talla::lab::submit {

/// In `es` or `en`; as HTML, or as PDF.
[[nodiscard]] std::string field_html(const json::Value& inspection, const std::string& language);
[[nodiscard]] std::string field_pdf(const json::Value& inspection, const std::string& language);

}  // namespace talla::lab::submit
