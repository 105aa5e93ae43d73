/// \file
/// An array of hashes in base64, as bundles hold them.
#pragma once

#include <string_view>
#include <vector>

#include "fields.hpp"

namespace talla::certs {

/// At most 64. An error becomes that of the object.
[[nodiscard]] std::vector<Digest> hash_list(Fields& in, std::string_view key);
[[nodiscard]] json::Value hash_list_json(const std::vector<Digest>& hashes);

}  // namespace talla::certs
