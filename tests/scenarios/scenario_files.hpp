// The scenario files of this folder, and the built-in catalogues they name.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "games/catalogue.hpp"
#include "games/scenario.hpp"
#include "support/source_tree.hpp"

namespace talla::games::test {

/// Digests are of no use here.
class NoDigest final : public HashSuite {
 public:
  [[nodiscard]] Digest sha256(std::initializer_list<ByteView> /*parts*/) const override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<HmacKey> hmac_key(ByteView /*key*/) const override {
    return nullptr;
  }
};

inline Result<std::shared_ptr<const Catalogue>> lookup(std::string_view id) {
  static std::map<std::string, std::shared_ptr<const Catalogue>> loaded;
  auto& known = loaded[std::string(id)];
  if (known == nullptr) {
    TALLA_TRY(known, load_embedded(id, NoDigest()));
  }
  return known;
}

inline std::vector<std::string> scenario_files() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           talla::test::source_tree() / "tests/scenarios")) {
    const auto extension = entry.path().extension();
    if (extension == ".jsonl" || extension == ".json") out.push_back(entry.path().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace talla::games::test
