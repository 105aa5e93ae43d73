/// \file
/// Those who contribute to a rig's calls, each with key and seed of its own, by invitation.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rig.hpp"
#include "verify/call_key.hpp"

namespace talla::core::test {

/// One who contributes: `seat-N` of a table.
class Player {
 public:
  /// Makes a key and a seed; `table` invites it.
  Player(Rig& rig, std::string table, std::int64_t seat);

  /// Who asks with its token.
  [[nodiscard]] Client client() const;
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const Bytes& key() const { return key_->spki(); }
  [[nodiscard]] Digest value(std::uint32_t t) const;
  [[nodiscard]] Digest commit_of(std::uint32_t t) const;
  /// Hands in so many from `from` on.
  Got commit(std::uint32_t from = 1, std::uint32_t count = 16);
  [[nodiscard]] std::string commit_body(std::uint32_t from, std::uint32_t count) const;
  /// What it opens behind this core, for its `t`.
  [[nodiscard]] certs::CallOpening opening(const certs::CallCore& core) const;
  [[nodiscard]] std::string opening_body(const certs::CallOpening& opening) const;
  /// Opens behind the table's open call.
  Got open(std::uint64_t call);
  /// The request of it.
  [[nodiscard]] Request open_request(std::uint64_t call) const;
  Got get(const std::string& path);
  /// Another key and seed, as of a phone that lost its own.
  void renew();

 private:
  Rig* rig_;
  std::string table_;
  std::int64_t seat_;
  std::string id_;
  std::string token_;
  std::shared_ptr<const certs::CallKey> key_;
  Digest seed_{};
  Digest leaf_{};  // of TABLE_OPEN
};

/// The contributors that the table's view has, as a core names them.
[[nodiscard]] json::Array others_of(Rig& rig, const std::string& table);
/// A body of `signed_core` with these others.
[[nodiscard]] std::string with_others(Rig& rig, const std::string& body, json::Value others);
/// The core of a CALL in the log.
[[nodiscard]] certs::CallCore core_at(Rig& rig, std::uint64_t call);

}  // namespace talla::core::test
