/// \file
/// Where the data of a laboratory command come from: a file or, as "-", standard input.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stats/bit_reader.hpp"

namespace talla::lab {

class Input {
 public:
  /// Errors: the file cannot be read, or is a folder.
  [[nodiscard]] static stats::Result<Input> open(const std::string& path);
  /// Bytes as they come; 0 at the end.
  std::size_t read(std::span<std::uint8_t> into);
  /// The first bytes (at most 4,096) without taking them.
  [[nodiscard]] std::span<const std::uint8_t> beginning();
  /// Size of a regular file in bytes; none for a pipe.
  [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }
  /// Everything that is left. Errors: more than `most` bytes.
  [[nodiscard]] stats::Result<std::vector<std::uint8_t>> read_all(std::size_t most);

 private:
  std::unique_ptr<std::ifstream> file_;  // null: standard input
  std::string path_;
  std::optional<std::uint64_t> size_;
  std::vector<std::uint8_t> ahead_;
  bool looked_ = false;
};

/// `form` is "auto", "binary" or "ascii".
[[nodiscard]] stats::BitForm form_of(const std::string& form, Input& input);

}  // namespace talla::lab
