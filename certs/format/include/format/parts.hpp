/// \file
/// Numbered parts: a content longer than one record, written as several records of its kind
///                 (FORMAT.md section 2).
///
/// For BETS_CLOSED (its `bets`) and SETTLEMENT (its `results`). Every part but the last holds a
/// piece of the list alone, the last everything else; the content counts from the last part on.
/// Errors: FormatErrc::malformed_body. Threads: plain values.
#pragma once

#include <optional>
#include <vector>

#include "format/body_table.hpp"
#include "format/bounds.hpp"

namespace talla::certs {

/// Canonical bytes of the list in one record; the rest of 60,000 is for the envelope and its
/// citations.
inline constexpr std::size_t part_list_bytes_max = 40'000;

/// The bodies that hold this content, in order: itself when its list fits, else its parts. Errors:
/// malformed_body (a list for more than `part_counts.max` parts, or one entry too long for any).
[[nodiscard]] Result<std::vector<BetsClosedBody>> in_parts(BetsClosedBody whole);
[[nodiscard]] Result<std::vector<SettlementBody>> in_parts(SettlementBody whole);

/// Whether the body is a whole content or the last part of one.
[[nodiscard]] bool ends_content(const json::Value& body);

/// Puts the parts of one content together again.
template <class Body>
class PartCollector {
 public:
  /// Nothing before the last part; then the whole (part 0 of 0). Errors: malformed_body, when it is
  /// not the next part.
  [[nodiscard]] Result<std::optional<Body>> take(Body part);
  /// No content has begun, or the last one is whole.
  [[nodiscard]] bool empty() const { return !begun_; }

 private:
  std::optional<Body> begun_;  // the parts so far
};
extern template class PartCollector<BetsClosedBody>;
extern template class PartCollector<SettlementBody>;

}  // namespace talla::certs
