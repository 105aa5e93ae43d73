/// \file
/// What the clients hold in their hands, and what the log must therefore still say after every
/// fault (README.md, what must hold).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/service.hpp"
#include "format/record.hpp"
#include "random.hpp"
#include "rig.hpp"
#include "seat.hpp"

namespace talla::sim {

class Book {
 public:
  /// An acknowledged reply to a keyed request. Throws Failure when the same request was answered
  /// otherwise before, or when a record it carries contradicts one that was given before.
  void acknowledged(const core::Request& request, const core::Reply& reply);
  /// Calls have ended: what evidence must say of the numbers of those they named.
  void contributed(const std::vector<Contributed>& ended);
  /// After a start: the newest acknowledged records are in the log, byte for byte; some
  /// acknowledged requests, asked again, get their first reply.
  void check_after_start(core::test::Rig& rig, Random& random);
  /// At the end: every acknowledged record, one reply of four, the whole log and claims of it
  ///             verified by the independent verifier.
  void check_all(core::test::Rig& rig, Random& random);
  /// No file holds bytes of the generator in clear: secrets are sealed, and what is opened is
  /// printed in hex.
  static void check_secrecy(const core::test::Rig& rig);

  [[nodiscard]] std::size_t replies() const { return replies_.size(); }
  [[nodiscard]] std::size_t verified() const { return verified_; }
  [[nodiscard]] std::size_t contributions() const { return contributed_.size(); }

 private:
  struct Given {
    core::Request request;
    std::string body;
  };
  static void ask_again(core::test::Rig& rig, const Given& given);
  /// Another request of that client on the same path; null: none.
  [[nodiscard]] const Given* another_of(const Given& given) const;
  /// Asks `other` with the key that belongs to `given`: that must be refused.
  static void ask_under_its_key(core::test::Rig& rig, const Given& given, const Given& other);
  static void check_record(core::test::Rig& rig, std::uint64_t seq, const std::string& text);
  void check_records(core::test::Rig& rig) const;
  void check_log(core::test::Rig& rig, const std::string& roots);
  void check_claims(core::test::Rig& rig, Random& random);
  void check_contributed(core::test::Rig& rig, const std::string& roots, Random& random);

  std::map<std::pair<std::string, std::string>, Given> replies_;  // by client and key
  std::map<std::uint64_t, std::string> records_;                  // acknowledged, by seq
  std::vector<Contributed> contributed_;
  std::map<certs::Kind, std::vector<std::uint64_t>> claims_;  // that the log holds
  std::size_t verified_ = 0;
};

}  // namespace talla::sim
