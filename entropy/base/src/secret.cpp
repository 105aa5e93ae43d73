// Hands secret memory out: small secrets from slabs, large ones as pages of their own.
#include "base/secret.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <mutex>

#include "secret_memory.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(memory, bytes) \
  (static_cast<void>(memory), static_cast<void>(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(memory, bytes) \
  (static_cast<void>(memory), static_cast<void>(bytes))
#endif

namespace talla {

namespace {

thread_local unsigned scopes = 0;                     // NOLINT: of one thread
thread_local std::uint64_t wiped_by_this_thread = 0;  // NOLINT

constexpr std::size_t block_bytes_min = 32;
constexpr std::size_t block_bytes_max = 4096;
constexpr std::size_t slab_bytes = std::size_t{64} * 1024;  // of blocks of one size
constexpr std::size_t sizes = static_cast<std::size_t>(std::countr_zero(block_bytes_max) -
                                                       std::countr_zero(block_bytes_min)) +
                              1;

std::size_t whole_pages(std::size_t bytes) {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// Blocks of one size. What was released is wiped and waits here, locked, for the next secret:
/// asking the system for a page, locking it and touching it first costs a hundred times a wipe.
class Slabs {
 public:
  /// A zeroed block. Throws std::bad_alloc.
  void* take(std::size_t block_bytes) {
    const std::scoped_lock lock(mutex_);
    if (free_ != nullptr) {
      Link* const block = free_;
      ASAN_UNPOISON_MEMORY_REGION(block, block_bytes);
      free_ = block->next;
      block->next = nullptr;
      return block;
    }
    if (fresh_bytes_ == 0) {
      fresh_ = static_cast<std::byte*>(map_secret(slab_bytes));
      fresh_bytes_ = slab_bytes;
    }
    void* const block = fresh_;
    fresh_ += block_bytes;
    fresh_bytes_ -= block_bytes;
    return block;
  }

  /// `block` is wiped.
  void keep(void* block, std::size_t block_bytes) noexcept {
    const std::scoped_lock lock(mutex_);
    auto* const link = static_cast<Link*>(block);
    link->next = free_;
    free_ = link;
    ASAN_POISON_MEMORY_REGION(block, block_bytes);
  }

 private:
  struct Link {
    Link* next;
  };
  std::mutex mutex_;
  Link* free_ = nullptr;         // mutex_
  std::byte* fresh_ = nullptr;   // mutex_; never handed out yet
  std::size_t fresh_bytes_ = 0;  // mutex_
};

Slabs& slabs_of(std::size_t block_bytes) {
  static std::array<Slabs, sizes> slabs;  // trivially destroyed: usable until the process ends
  return slabs[static_cast<std::size_t>(std::countr_zero(block_bytes) -
                                        std::countr_zero(block_bytes_min))];
}

std::size_t block_for(std::size_t bytes) {
  return std::bit_ceil(std::max(bytes, block_bytes_min));
}

}  // namespace

void wipe(void* memory, std::size_t size) noexcept {
  if (size > 0) ::explicit_bzero(memory, size);
  wiped_by_this_thread += size;
}

std::uint64_t wiped_bytes() noexcept {
  return wiped_by_this_thread;
}

bool equal_constant_time(std::span<const std::uint8_t> a,
                         std::span<const std::uint8_t> b) noexcept {
  if (a.size() != b.size()) return false;
  std::uint8_t difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = static_cast<std::uint8_t>(difference | (a[i] ^ b[i]));
  return difference == 0;
}

void* allocate_secret(std::size_t size) {
  const bool small = size <= block_bytes_max;
  const std::size_t taken = small ? block_for(size) : whole_pages(size);
  void* const memory = small ? slabs_of(taken).take(taken) : map_secret(taken);
  count_used(taken);
  return memory;
}

void release_secret(void* memory, std::size_t size) noexcept {
  const bool small = size <= block_bytes_max;
  const std::size_t taken = small ? block_for(size) : whole_pages(size);
  wipe(memory, taken);
  count_unused(taken);
  if (small) {
    slabs_of(taken).keep(memory, taken);
  } else {
    unmap_secret(memory, taken);
  }
}

SecretScope::SecretScope() noexcept {
  ++scopes;
}
SecretScope::~SecretScope() {
  --scopes;
}
bool SecretScope::active() noexcept {
  return scopes > 0;
}

Secret32::Secret32(std::span<const std::uint8_t, 32> bytes) {
  std::copy(bytes.begin(), bytes.end(), bytes_.begin());
}

}  // namespace talla
