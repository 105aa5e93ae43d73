/// \file
/// Memory for secrets: locked, kept out of core dumps and forked children, wiped before it is given
///                     back.
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
[[nodiscard]] bool equal_constant_time(std::span<const std::uint8_t> a,
                                       std::span<const std::uint8_t> b) noexcept;

/// Memory behind SecretBytes: locked, left out of core dumps (MADV_DONTDUMP), empty in a forked
/// child (MADV_WIPEONFORK), zeroed when it comes, wiped when it goes. Up to 4,096 bytes come from
/// slabs whose pages many secrets share and which stay locked for the next ones; larger ones have
/// pages of their own.
/// Threads: any. Throws std::bad_alloc when there is none. Where the system refuses to lock
/// (RLIMIT_MEMLOCK), allocation goes on and `secret_memory()` tells, until
/// `demand_locked_secrets()`.
void* allocate_secret(std::size_t size);
/// `size` is what was asked of allocate_secret.
void release_secret(void* memory, std::size_t size) noexcept;

/// What this process holds in secret memory at one moment.
struct SecretMemory {
  std::size_t mapped_bytes;    ///< In pages that the system gave.
  std::size_t used_bytes;      ///< In secrets, each rounded up to its block or pages.
  std::size_t unlocked_bytes;  ///< Ever given that could not be locked or hidden.
};
[[nodiscard]] SecretMemory secret_memory() noexcept;

/// From now on memory that the system does not lock and hide is no memory: allocate_secret throws.
/// For the rest of the process. Threads: any.
void demand_locked_secrets() noexcept;

/// While one lives, what a library allocates on this thread is secret, if its memory comes through
/// the house (OpenSSL's does: entropy/openssl_memory.hpp). They nest.
class SecretScope {
 public:
  SecretScope() noexcept;
  ~SecretScope();
  SecretScope(const SecretScope&) = delete;
  SecretScope& operator=(const SecretScope&) = delete;
  [[nodiscard]] static bool active() noexcept;
};

/// Gives containers memory for secrets (allocate_secret).
template <class T>
struct SecretAllocator {
  using value_type = T;
  SecretAllocator() = default;
  template <class U>
  SecretAllocator(const SecretAllocator<U>& /*other*/) noexcept {}  // NOLINT: allocator rebind
  T* allocate(std::size_t count) { return static_cast<T*>(allocate_secret(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept {
    release_secret(memory, count * sizeof(T));
  }
  template <class U>
  bool operator==(const SecretAllocator<U>& /*other*/) const noexcept {
    return true;
  }
};

/// Secret bytes of any length. Copying is allowed and stays in secret memory; printing is not
/// offered.
using SecretBytes = std::vector<std::uint8_t, SecretAllocator<std::uint8_t>>;

/// A 32-byte key or secret inside an object that itself lives in secret memory or for one call
/// only; wiped at the end.
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
