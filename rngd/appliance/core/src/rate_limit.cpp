#include "rate_limit.hpp"

#include <algorithm>

namespace talla::core {
namespace {

/// Clients come and go with the invitations of tables.
constexpr std::size_t buckets_max = 4096;

}  // namespace

bool RateLimit::take(const std::string& client, std::int64_t now_ns) {
  if (rate_per_s_ == 0) return true;
  const std::scoped_lock lock(mutex_);
  if (buckets_.size() >= buckets_max) {  // whoever was silent for so long has a full one again
    const double full_s = static_cast<double>(burst_) / rate_per_s_;
    std::erase_if(buckets_, [&](const auto& entry) {
      return static_cast<double>(now_ns - entry.second.filled_ns) * 1e-9 >= full_s;
    });
  }
  auto& bucket =
      buckets_.try_emplace(client, Bucket{static_cast<double>(burst_), now_ns}).first->second;
  const double passed_s = std::max(0.0, static_cast<double>(now_ns - bucket.filled_ns) * 1e-9);
  bucket.tokens = std::min(static_cast<double>(burst_), bucket.tokens + passed_s * rate_per_s_);
  bucket.filled_ns = now_ns;
  if (bucket.tokens < 1.0) return false;
  bucket.tokens -= 1.0;
  return true;
}

}  // namespace talla::core
