/// \file
/// The places outside the ledger that know how long a log is: the anchor beside it and the outer
/// one (a device). Only the log makes one.
///
/// Errors:  anchor_malformed, ledger_shorter, ledger_different, the anchors' own.
/// Threads: the log's; the outer anchor has one of its own.
#pragma once

#include <cstdint>
#include <string>

#include "certs/anchor.hpp"
#include "certs/prover.hpp"

namespace talla::certs {

class LogAnchors {
 public:
  struct Options {
    const std::string& origin;
    /// Takes a ledger whose anchor is gone.
    bool adopt = false;
  };
  /// Each may be absent.
  LogAnchors(Anchor* anchor, OuterAnchor* outer) : anchor_(anchor), outer_(outer) {}

  /// Compares a log with what both know of it. The highest boot that either has seen, else 0.
  [[nodiscard]] Result<std::uint64_t> compare(Prover& log, const Options& options) const;
  /// Writes both and waits for it.
  [[nodiscard]] Status write(const AnchorState& state);
  /// The same, but the outer anchor's thread writes that one.
  [[nodiscard]] Status post(const AnchorState& state);
  /// Records of a log of this size since the outer anchor (else the other) was written.
  [[nodiscard]] std::uint64_t lag(std::uint64_t size) const;

 private:
  [[nodiscard]] Status write_inner(const AnchorState& state);

  Anchor* anchor_;
  OuterAnchor* outer_;
  std::uint64_t written_size_ = 0;  // records, of the last state in the anchor
};

}  // namespace talla::certs
