#include "hash_list.hpp"

#include <algorithm>

namespace talla::certs {
namespace {
constexpr std::size_t hashes_max = 64;
}  // namespace

std::vector<Digest> hash_list(Fields& in, std::string_view key) {
  std::vector<Digest> hashes;
  const json::Array* list = in.array(key);
  if (list == nullptr) return hashes;
  in.require(list->size() <= hashes_max, key, "too many hashes");
  for (const auto& entry : *list) {
    auto bytes = entry.is_string() ? from_base64(entry.string()) : from_base64("-");
    if (!bytes || bytes->size() != Digest{}.size()) {
      in.refuse(key, "an array of hashes in base64 is expected");
      break;
    }
    std::copy(bytes->begin(), bytes->end(), hashes.emplace_back().begin());
  }
  return hashes;
}

json::Value hash_list_json(const std::vector<Digest>& hashes) {
  json::Array list;
  for (const Digest& hash : hashes) list.emplace_back(to_base64(hash));
  return json::Value(std::move(list));
}

}  // namespace talla::certs
