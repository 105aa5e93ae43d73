/// \file
/// Links to single bundles for who has no certificate: a player with a ticket, an inspector with a
/// phone.
///
/// A link is `/bundles/SEQ-TAG`: the claim's sequence number and 128 bits of an HMAC of it, so that
/// nobody finds a bundle whose link he was not given. The key is a file of the appliance, made at
/// the first start; a link stays good for as long as it.
/// Errors:  those of the key's file. Threads: const calls may run in parallel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.hpp"
#include "base/result.hpp"

namespace talla::web {

class Links {
 public:
  /// With the key in this file, which is made if it is not there.
  [[nodiscard]] static Result<Links> open(const HashSuite& hashes, const std::string& key_file);
  [[nodiscard]] std::string path(std::uint64_t seq) const;
  /// The claim of a path that `path` gave; nothing for any other.
  [[nodiscard]] std::optional<std::uint64_t> claim(std::string_view path) const;

 private:
  explicit Links(std::unique_ptr<HmacKey> key) : key_(std::move(key)) {}
  std::unique_ptr<HmacKey> key_;
};

}  // namespace talla::web
