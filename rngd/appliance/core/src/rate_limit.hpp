/// \file
/// A token bucket for each client, on the monotonic clock.
///
/// Threads: any.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace talla::core {

class RateLimit {
 public:
  /// `rate_per_s` 0: no limit. `burst` is at least 1.
  RateLimit(std::uint32_t rate_per_s, std::uint32_t burst)
      : rate_per_s_(rate_per_s), burst_(burst) {}
  /// Takes a token; false when the bucket is empty.
  [[nodiscard]] bool take(const std::string& client, std::int64_t now_ns);

 private:
  struct Bucket {
    double tokens;
    std::int64_t filled_ns;
  };
  std::uint32_t rate_per_s_;
  std::uint32_t burst_;
  std::mutex mutex_;
  std::map<std::string, Bucket> buckets_;  // mutex_; of enrolled and invited clients
};

}  // namespace talla::core
