// Gives OpenSSL its memory, secret memory inside a SecretScope.
#include "entropy/openssl_memory.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/secret.hpp"
#include "entropy/errc.hpp"

namespace talla::entropy {

namespace {

/// Stands before each piece of memory that OpenSSL holds.
struct alignas(std::max_align_t) Head {
  std::size_t bytes;  // without this head
  bool secret;
};

void* behind(Head* head, std::size_t bytes, bool secret) {
  if (head == nullptr) return nullptr;
  *head = {.bytes = bytes, .secret = secret};
  return head + 1;
}

Head* head_of(void* memory) {
  return static_cast<Head*>(memory) - 1;
}

void* take(std::size_t bytes, bool secret) noexcept {
  if (bytes == 0 || bytes > SIZE_MAX - sizeof(Head)) return nullptr;
  const std::size_t whole = sizeof(Head) + bytes;
  if (!secret)
    return behind(static_cast<Head*>(std::malloc(whole)), bytes, false);  // NOLINT: it is malloc
  try {
    return behind(static_cast<Head*>(allocate_secret(whole)), bytes, true);
  } catch (const std::bad_alloc&) {
    return nullptr;  // OpenSSL's call fails
  }
}

void give_back(void* memory, const char* /*file*/, int /*line*/) {
  if (memory == nullptr) return;
  Head* const head = head_of(memory);
  if (head->secret) {
    release_secret(head, sizeof(Head) + head->bytes);
  } else {
    std::free(head);  // NOLINT: it is free
  }
}

void* allocate(std::size_t bytes, const char* /*file*/, int /*line*/) {
  return take(bytes, SecretScope::active());
}

void* reallocate(void* memory, std::size_t bytes, const char* file, int line) {
  if (memory == nullptr) return allocate(bytes, file, line);
  if (bytes == 0) {
    give_back(memory, file, line);
    return nullptr;
  }
  Head* const head = head_of(memory);
  if (!head->secret && !SecretScope::active()) {
    if (bytes > SIZE_MAX - sizeof(Head)) return nullptr;
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): OpenSSL asks for C memory
    void* const moved = std::realloc(head, sizeof(Head) + bytes);
    return behind(static_cast<Head*>(moved), bytes, false);
  }
  void* const moved = take(bytes, true);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, memory, std::min(bytes, head->bytes));
  if (!head->secret) wipe(memory, head->bytes);
  give_back(memory, file, line);
  return moved;
}

}  // namespace

Status keep_openssl_secrets() {
  if (::CRYPTO_set_mem_functions(allocate, reallocate, give_back) == 1) return {};
  return fail(Errc::bad_settings,
              "OpenSSL has allocated memory already: its secrets cannot be locked");
}

}  // namespace talla::entropy
