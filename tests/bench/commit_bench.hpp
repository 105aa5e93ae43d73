/// \file
/// What the benches of durable commits share: a folder on the disk of the working directory, the
/// bare rate of that disk, processor time.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "base/result.hpp"

namespace talla_bench {

[[noreturn]] inline void give_up(const talla::Error& error) {
  static_cast<void>(std::fprintf(stderr, "%s\n", error.text().c_str()));
  std::abort();
}

template <class T>
T must(talla::Result<T> result) {
  if (!result) give_up(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// A folder on the disk of the working directory, not on a memory file system.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::current_path() / "talla-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path;
};

/// 512 bytes appended and synced again and again, with this delay before each sync: syncs per
/// second.
inline double bare_fdatasync_per_second(const Folder& folder, std::chrono::microseconds delay,
                                        std::chrono::milliseconds measured) {
  const int fd = ::open((folder.path + "/bare").c_str(), O_WRONLY | O_CREAT, 0600);
  const std::array<char, 512> row{};
  const auto begin = std::chrono::steady_clock::now();
  int count = 0;
  while (std::chrono::steady_clock::now() - begin < measured) {
    if (::write(fd, row.data(), row.size()) != 512) std::abort();
    std::this_thread::sleep_for(delay);
    if (::fdatasync(fd) != 0) std::abort();
    ++count;
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
  ::close(fd);
  return count / passed.count();
}

/// Of the whole process so far.
inline double process_cpu_us() {
  timespec used{};
  static_cast<void>(::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used));
  return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

}  // namespace talla_bench
