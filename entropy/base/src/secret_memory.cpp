// Asks the system for memory that is locked and hidden, and counts what secrets hold.
#include "secret_memory.hpp"

#include <sys/mman.h>

#include <atomic>
#include <new>

#include "base/secret.hpp"

namespace talla {

namespace {

/// The process-wide facts about secret memory.
struct Facts {
  std::atomic<bool> locked_only{false};
  std::atomic<std::size_t> mapped{0};
  std::atomic<std::size_t> used{0};
  std::atomic<std::size_t> unlocked{0};
};
Facts facts;  // NOLINT: one process, one memory

/// Not in a core dump, and empty in a forked child.
bool hide(void* memory, std::size_t bytes) {
  return ::madvise(memory, bytes, MADV_DONTDUMP) == 0 &&
         ::madvise(memory, bytes, MADV_WIPEONFORK) == 0;
}

}  // namespace

void* map_secret(std::size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  const bool locked = ::mlock(memory, bytes) == 0;
  const bool hidden = hide(memory, bytes);
  if (!locked || !hidden) {
    if (facts.locked_only) {
      static_cast<void>(::munmap(memory, bytes));
      throw std::bad_alloc();
    }
    facts.unlocked += bytes;
  }
  facts.mapped += bytes;
  return memory;
}

void unmap_secret(void* memory, std::size_t bytes) noexcept {
  static_cast<void>(::munmap(memory, bytes));
  facts.mapped -= bytes;
}

void count_used(std::size_t bytes) noexcept {
  facts.used += bytes;
}

void count_unused(std::size_t bytes) noexcept {
  facts.used -= bytes;
}

SecretMemory secret_memory() noexcept {
  return {.mapped_bytes = facts.mapped, .used_bytes = facts.used, .unlocked_bytes = facts.unlocked};
}

void demand_locked_secrets() noexcept {
  facts.locked_only = true;
}

}  // namespace talla
