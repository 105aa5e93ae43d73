/// \file
/// A message of gigabytes that repeats a short content, as one view: the same pages lie behind each
/// other as often as it takes, so that memory holds them once.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace talla::lab::acvp {

class Repeated {
 public:
  /// `content` of 1 to 4,096 bytes, `bytes` at least 1. Errors: acvp_failed when the system has no
  /// room of addresses.
  [[nodiscard]] static Result<Repeated> create(ByteView content, std::size_t bytes);
  Repeated(Repeated&& other) noexcept;
  Repeated& operator=(Repeated&& other) = delete;
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;
  ~Repeated();
  [[nodiscard]] ByteView view() const;

 private:
  Repeated(void* at, std::size_t mapped, std::size_t bytes)
      : at_(at), mapped_(mapped), bytes_(bytes) {}
  void* at_;
  std::size_t mapped_;
  std::size_t bytes_;
};

}  // namespace talla::lab::acvp
