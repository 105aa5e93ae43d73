/// \file
/// Contributors of calls, with keys and seeds of their own, for evidence in tests (FORMAT.md
/// section 8).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "format/call.hpp"

namespace talla::certs::test {

/// Those who take part in the calls of one TABLE_OPEN, each counting on by itself.
class Panel {
 public:
  Panel();
  ~Panel();
  /// Key and seed follow from `secret`, so that one of two ids can have both.
  void join(const std::string& id, const std::string& secret);
  void leave(const std::string& id);
  [[nodiscard]] const Bytes& key(const std::string& id) const;
  /// What the next core says of them; `opening`: leaf hash of TABLE_OPEN.
  [[nodiscard]] std::vector<Contributor> others(const HashSuite& hashes, const Digest& opening);
  /// What each opens behind the core as it was logged, also by a key that left. Nobody's key opens
  /// zeros.
  [[nodiscard]] std::vector<CallOpening> open(const HashSuite& hashes, const Digest& opening,
                                              const CallCore& core) const;
  /// Of the key of `id` over its opening of this value.
  [[nodiscard]] SignatureP256 sign(const HashSuite& hashes, const std::string& id,
                                   const CallCore& core, std::uint32_t t,
                                   const Digest& value) const;
  /// Of the key of `id`.
  [[nodiscard]] SignatureP256 sign(const std::string& id, const Bytes& statement) const;
  /// Changes what is opened, before the result follows from it.
  std::function<void(const CallCore&, std::vector<CallOpening>&)> lie;

 private:
  struct Member;
  [[nodiscard]] const Member& of(const std::string& id) const;
  std::map<std::string, std::shared_ptr<Member>> members_;  // there now
  std::map<std::string, std::shared_ptr<Member>> all_;
};

}  // namespace talla::certs::test
