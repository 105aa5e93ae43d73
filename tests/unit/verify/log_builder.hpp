/// \file
/// A log in memory that takes any record a writer would, and makes receipts and bundles of it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "format/bundle.hpp"
#include "format/context.hpp"
#include "format/merkle.hpp"
#include "format/proof.hpp"
#include "format/record.hpp"
#include "pki.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs::test {

/// Changes a record before it is logged, so that the log itself, well signed, tells something
/// wrong.
struct Tamper {
  Kind kind = Kind::unknown;
  std::size_t occurrence = 0;  ///< which record of that kind, from 0
  std::function<void(Record&)> change;
};

/// The log that every story is told in.
inline constexpr std::string_view story_origin = "casino.example/talla-1";

class LogBuilder {
 public:
  explicit LogBuilder(Pki& pki, Tamper tamper = {}) : pki_(pki), tamper_(std::move(tamper)) {}

  struct Entry {
    Kind kind;
    std::string object;  ///< empty for opening records and the machine's
    json::Value body;
    std::vector<std::uint64_t> cites;
  };
  /// Logs it as client `urn:talla:table-1`; gives its seq.
  std::uint64_t add(Entry entry);
  [[nodiscard]] std::uint64_t next_seq() const { return records_.size(); }

  struct Selection {
    std::uint64_t claim = 0;
    std::vector<std::string> objects;  ///< chains to include, up to the claim
    std::optional<std::string> catalogue;
    std::optional<json::Value> state_before;
  };
  [[nodiscard]] Bundle select(const Selection& selection) const;
  [[nodiscard]] Receipt receipt(std::uint64_t seq) const;

  BotanHashes hashes;

 private:
  [[nodiscard]] std::string checkpoint() const;
  Pki& pki_;
  Tamper tamper_;
  std::size_t seen_ = 0;
  std::vector<Record> records_;
  std::vector<std::string> texts_;
  std::map<std::string, std::uint64_t> newest_;
  MerkleTree tree_;
};

/// A context of an uncertified source, as a development appliance writes it.
[[nodiscard]] Context development_context();

}  // namespace talla::certs::test
