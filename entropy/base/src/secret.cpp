#include "base/secret.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <new>

namespace talla {

namespace {

thread_local std::uint64_t wiped_by_this_thread = 0;

std::atomic<std::size_t> unlocked_count{0};  // NOLINT: the one process-wide fact about secret memory

std::size_t page_size() {
  static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return page;
}

std::size_t page_rounded(std::size_t size) {
  return (size + page_size() - 1) / page_size() * page_size();
}

/// Wiped single pages for the next use: mapping, locking and first touch cost a hundred times a wipe.
class SparePages {
 public:
  void* take() {
    const std::scoped_lock lock(mutex_);
    return count_ > 0 ? pages_[--count_] : nullptr;
  }
  bool keep(void* page) {
    const std::scoped_lock lock(mutex_);
    if (count_ == pages_.size()) return false;
    pages_[count_++] = page;
    return true;
  }

 private:
  std::mutex mutex_;
  std::array<void*, 32> pages_{};  // mutex_
  std::size_t count_ = 0;          // mutex_
};

SparePages& spare_pages() {
  static SparePages pages;  // trivially destroyed: usable until the process ends
  return pages;
}

}  // namespace

void wipe(void* memory, std::size_t size) noexcept {
  if (size > 0) ::explicit_bzero(memory, size);
  wiped_by_this_thread += size;
}

std::uint64_t wiped_bytes() noexcept {
  return wiped_by_this_thread;
}

bool equal_constant_time(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b) noexcept {
  if (a.size() != b.size()) return false;
  std::uint8_t difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = static_cast<std::uint8_t>(difference | (a[i] ^ b[i]));
  return difference == 0;
}

void* allocate_secret(std::size_t size) {
  const std::size_t whole = page_rounded(std::max<std::size_t>(size, 1));
  if (whole == page_size()) {
    if (void* spare = spare_pages().take(); spare != nullptr) return spare;
  }
  void* memory = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const bool locked = ::mlock(memory, whole) == 0;
  const bool hidden =
      ::madvise(memory, whole, MADV_DONTDUMP) == 0 && ::madvise(memory, whole, MADV_WIPEONFORK) == 0;
  if (!locked || !hidden) unlocked_count.fetch_add(1);
  return memory;
}

void release_secret(void* memory, std::size_t size) noexcept {
  const std::size_t whole = page_rounded(std::max<std::size_t>(size, 1));
  wipe(memory, whole);
  if (whole == page_size() && spare_pages().keep(memory)) return;
  static_cast<void>(::munmap(memory, whole));
}

std::size_t secret_memory_unlocked() noexcept {
  return unlocked_count.load();
}

Secret32::Secret32(std::span<const std::uint8_t, 32> bytes) {
  std::copy(bytes.begin(), bytes.end(), bytes_.begin());
}

}  // namespace talla
