/// \file
/// How many TLS handshakes an address may begin: a handshake costs the listener a signature, and
/// its caller nothing. Private to http.
///
/// Each address has a bucket of `burst_seconds` times its rate, which fills with the rate. Whoever
/// turns out to hold a certificate gives its part back: clients that come and go are not counted,
/// however many share an address. So many addresses that there is no room for another share one
/// bucket.
/// Threads: one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace talla::http {

class HandshakeRate {
 public:
  static constexpr std::int64_t burst_seconds = 10;
  static constexpr std::size_t addresses_max = 10'000;

  /// `per_second`: of one address, 1 or more.
  explicit HandshakeRate(unsigned per_second) : per_second_(per_second) {}

  /// One begins now (steady time, ns); whether it may.
  [[nodiscard]] bool take(const std::string& address, std::int64_t now_ns);
  /// One that was taken does not count.
  void give_back(const std::string& address);

 private:
  struct Bucket {
    double used = 0;            // of the burst
    std::int64_t since_ns = 0;  // when it was looked at
  };
  Bucket& bucket_of(const std::string& address, std::int64_t now_ns);
  /// What is full again needs no room.
  void forget_full(std::int64_t now_ns);
  void fill(Bucket& bucket, std::int64_t now_ns) const;

  const unsigned per_second_;
  std::unordered_map<std::string, Bucket> buckets_;
  Bucket crowd_;  // of all that have no room
};

}  // namespace talla::http
