// Goal: test vectors beside the project, read whole.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace talla::stats {

inline const std::string vectors_folder = std::string(TALLA_SOURCE_DIR) + "/../shared/vectors/";

[[nodiscard]] inline std::vector<std::uint8_t> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace talla::stats
