#include "rate_limit.hpp"

#include <algorithm>

namespace talla::core {

bool RateLimit::take(const std::string& client, std::int64_t now_ns) {
  if (rate_per_s_ == 0) return true;
  const std::scoped_lock lock(mutex_);
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
