/// \file
/// One plain file, open for reading. Private to the folder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/result.hpp"

namespace talla::software {

class File {
 public:
  /// Errors: Errc::unreadable; links, folders, pipes and devices are refused.
  [[nodiscard]] static Result<File> open(const std::string& path);
  File(File&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}
  File& operator=(File&&) = delete;
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File();
  [[nodiscard]] std::int64_t size() const { return size_; }
  /// All of `into`, or false.
  [[nodiscard]] bool read_at(std::uint64_t offset, std::span<std::uint8_t> into) const;

 private:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
  std::int64_t size_ = 0;
};

}  // namespace talla::software
