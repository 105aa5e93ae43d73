/// \file
/// Memory for secrets: locked, kept out of core dumps and forked children, wiped before it is given back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace talla {

/// Overwrites memory in a way the optimiser keeps.
void wipe(void* memory, std::size_t size) noexcept;

/// Bytes that this thread has overwritten with `wipe`, so that a test sees one that is left out.
[[nodiscard]] std::uint64_t wiped_bytes() noexcept;

/// Compares in time that depends on the sizes alone.
[[nodiscard]] bool equal_constant_time(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) noexcept;

/// Allocator behind SecretBytes: whole pages, mlock, MADV_DONTDUMP, MADV_WIPEONFORK, wiped on release. Memory comes
/// zeroed; a few wiped pages stay locked for the next use. Threads: any.
/// If the system refuses to lock (RLIMIT_MEMLOCK), allocation goes on and `secret_memory_unlocked()` counts it,
/// so that the production profile can refuse to start.
void* allocate_secret(std::size_t size);
void release_secret(void* memory, std::size_t size) noexcept;
[[nodiscard]] std::size_t secret_memory_unlocked() noexcept;

template <class T>
struct SecretAllocator {
  using value_type = T;
  SecretAllocator() = default;
  template <class U>
  SecretAllocator(const SecretAllocator<U>& /*other*/) noexcept {}  // NOLINT: allocator rebind
  T* allocate(std::size_t count) { return static_cast<T*>(allocate_secret(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { release_secret(memory, count * sizeof(T)); }
  template <class U>
  bool operator==(const SecretAllocator<U>& /*other*/) const noexcept {
    return true;
  }
};

/// Secret bytes of any length. Copying is allowed and stays in secret memory; printing is not offered.
using SecretBytes = std::vector<std::uint8_t, SecretAllocator<std::uint8_t>>;

/// A 32-byte key or secret inside an object that itself lives in secret memory or for one call only; wiped at the end.
class Secret32 {
 public:
  Secret32() = default;
  explicit Secret32(std::span<const std::uint8_t, 32> bytes);
  Secret32(const Secret32&) = default;
  Secret32& operator=(const Secret32&) = default;
  ~Secret32() { wipe(bytes_.data(), bytes_.size()); }
  [[nodiscard]] std::span<const std::uint8_t, 32> bytes() const { return bytes_; }
  [[nodiscard]] std::span<std::uint8_t, 32> writable() { return bytes_; }

 private:
  std::array<std::uint8_t, 32> bytes_{};
};

}  // namespace talla
