// Goal: secrets lie in memory that is locked, left out of dumps, empty in a child, zeroed before
//   and wiped after use; many small ones share pages; where nothing can be locked and locking is
//   demanded, there is none.
// Method: what the kernel says of the pages (/proc/self/smaps), forked children, a child without
//         the right to lock.
#include "base/secret.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "support/sanitized.hpp"

namespace talla {
namespace {

constexpr const char* locks_nothing = "the address sanitizer answers mlock and locks nothing";

/// The kernel's flags of the mapping that holds the address ("rd wr lo dd wf").
std::string flags_at(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto wanted =
      reinterpret_cast<std::uintptr_t>(address);  // NOLINT: compared with what the kernel prints
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    char dash = 0;
    std::istringstream words(line);
    if (words >> std::hex >> from >> dash >> to && dash == '-')
      inside = from <= wanted && wanted < to;
    if (inside && line.starts_with("VmFlags:")) return line + " ";
  }
  return {};
}

TEST(SecretMemory, is_locked_and_hidden_whatever_its_size) {
  if (test::address_sanitized) GTEST_SKIP() << locks_nothing;
  for (const std::size_t size : {1U, 33U, 4096U, 4097U, 300'000U}) {
    void* memory = allocate_secret(size);
    const std::string flags = flags_at(memory);
    for (const char* flag : {" lo ", " dd ", " wf "})
      EXPECT_THAT(flags, testing::HasSubstr(flag)) << size << " bytes";
    release_secret(memory, size);
  }
}

TEST(SecretMemory, small_secrets_share_pages) {
  const std::size_t before = secret_memory().mapped_bytes;
  std::vector<void*> held(1000);
  for (void*& one : held) one = allocate_secret(32);
  EXPECT_LE(secret_memory().mapped_bytes - before, 64U * 1024);
  std::vector<void*> sorted = held;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i)
    EXPECT_GE(static_cast<char*>(sorted[i]) - static_cast<char*>(sorted[i - 1]), 32);
  for (void* one : held) release_secret(one, 32);
}

TEST(SecretMemory, what_is_released_is_taken_again_and_counted) {
  const SecretMemory before = secret_memory();
  for (int i = 0; i < 10'000; ++i) release_secret(allocate_secret(500), 500);
  EXPECT_LE(secret_memory().mapped_bytes - before.mapped_bytes, 64U * 1024);
  EXPECT_EQ(secret_memory().used_bytes, before.used_bytes);
  void* large = allocate_secret(100'000);
  EXPECT_EQ(secret_memory().used_bytes, before.used_bytes + 25 * 4096);
  release_secret(large, 100'000);
  EXPECT_EQ(secret_memory().used_bytes, before.used_bytes);
}

TEST(SecretMemory, a_child_sees_zeros) {
  const SecretBytes secret(100, 0xaa);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(std::count(secret.begin(), secret.end(), 0) == 100 ? 0 : 1);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

/// A process that may lock nothing: no room, and not the right that overrides it.
void lose_the_right_to_lock() {
  const rlimit none{0, 0};
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, 2> rights{};
  if (::syscall(SYS_capget, &header, rights.data()) != 0) ::_exit(9);
  for (auto* set : {&rights[0].effective, &rights[0].permitted}) *set &= ~(1U << CAP_IPC_LOCK);
  if (::setrlimit(RLIMIT_MEMLOCK, &none) != 0 || ::syscall(SYS_capset, &header, rights.data()) != 0)
    ::_exit(9);
}

TEST(SecretMemory, that_cannot_be_locked_is_counted_and_refused_on_demand) {
  if (test::address_sanitized) GTEST_SKIP() << locks_nothing;
  EXPECT_EXIT(
      {
        lose_the_right_to_lock();
        void* memory = allocate_secret(100'000);
        if (secret_memory().unlocked_bytes < 100'000) ::_exit(1);
        release_secret(memory, 100'000);
        demand_locked_secrets();
        try {
          static_cast<void>(allocate_secret(100'000));
        } catch (const std::bad_alloc&) {
          ::_exit(0);
        }
        ::_exit(2);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace talla
