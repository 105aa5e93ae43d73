// How many TLS handshakes an address may begin.
#include "handshake_rate.hpp"

#include <algorithm>

namespace talla::http {

void HandshakeRate::fill(Bucket& bucket, std::int64_t now_ns) const {
  const auto passed = static_cast<double>(std::max<std::int64_t>(now_ns - bucket.since_ns, 0));
  bucket.used = std::max(bucket.used - passed * 1e-9 * per_second_, 0.0);
  bucket.since_ns = std::max(bucket.since_ns, now_ns);
}

void HandshakeRate::forget_full(std::int64_t now_ns) {
  for (auto it = buckets_.begin(); it != buckets_.end();) {
    fill(it->second, now_ns);
    it = it->second.used > 0 ? std::next(it) : buckets_.erase(it);
  }
}

HandshakeRate::Bucket& HandshakeRate::bucket_of(const std::string& address, std::int64_t now_ns) {
  if (const auto found = buckets_.find(address); found != buckets_.end()) return found->second;
  if (buckets_.size() >= addresses_max) {
    // Not for each that comes: a look at all of them costs more than a handshake.
    if (now_ns - crowd_.since_ns >= 1'000'000'000) forget_full(now_ns);
    if (buckets_.size() >= addresses_max) return crowd_;
  }
  return buckets_.emplace(address, Bucket{.used = 0, .since_ns = now_ns}).first->second;
}

bool HandshakeRate::take(const std::string& address, std::int64_t now_ns) {
  Bucket& bucket = bucket_of(address, now_ns);
  fill(bucket, now_ns);
  if (bucket.used + 1 > static_cast<double>(per_second_ * burst_seconds)) return false;
  bucket.used += 1;
  return true;
}

void HandshakeRate::give_back(const std::string& address) {
  const auto found = buckets_.find(address);
  Bucket& bucket = found == buckets_.end() ? crowd_ : found->second;
  bucket.used = std::max(bucket.used - 1, 0.0);
}

}  // namespace talla::http
