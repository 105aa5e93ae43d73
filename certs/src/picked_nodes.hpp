/// \file
/// The few nodes of a log's tree that some proofs need, found in one reading of its leaves. Private
/// to certs.
///
/// First every proof is asked for with `wishes` as its source, which answers nothing true and
/// remembers what was asked; `load` reads the leaves once; then the same proofs are made with
/// `nodes`. Memory: the nodes wished for.
/// Errors: ledger_damaged, those of the ledger. Threads: one.
#pragma once

#include <unordered_map>

#include "certs/ledger.hpp"
#include "format/merkle.hpp"

namespace talla::certs {

class PickedNodes {
 public:
  [[nodiscard]] NodeSource wishes() {
    return [this](unsigned level, std::uint64_t index) -> Result<Digest> {
      return nodes_.try_emplace(place(level, index)).first->second;
    };
  }
  /// The first `size` leaves; all that was wished for lies in them.
  [[nodiscard]] Status load(const HashSuite& hashes, const Ledger& ledger, std::uint64_t size) {
    CompactRange tree;
    const CompactRange::NodeSink pick = [this](unsigned level, std::uint64_t index,
                                               const Digest& hash) {
      const auto wished = nodes_.find(place(level, index));
      if (wished != nodes_.end()) wished->second = hash;
    };
    TALLA_TRY_STATUS(
        ledger.leaves(0, size, [&](const Digest& leaf) { tree.append(hashes, leaf, pick); }));
    return tree.size() == size ? Status()
                               : Status(fail(Errc::ledger_damaged, "leaves are missing"));
  }
  [[nodiscard]] NodeSource nodes() const {
    return [this](unsigned level, std::uint64_t index) -> Result<Digest> {
      const auto found = nodes_.find(place(level, index));
      if (found == nodes_.end()) return fail(Errc::not_found, "a node that nobody wished for");
      return found->second;
    };
  }

 private:
  /// A log of 2^57 records is none.
  static std::uint64_t place(unsigned level, std::uint64_t index) {
    return index | (std::uint64_t{level} << 57U);
  }
  std::unordered_map<std::uint64_t, Digest> nodes_;
};

}  // namespace talla::certs
