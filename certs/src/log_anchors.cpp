// The anchors of a log: compared when it is opened, written as it grows.
#include "certs/log_anchors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "certs/errc.hpp"

namespace talla::certs {

Result<std::uint64_t> LogAnchors::compare(Prover& log, const Options& options) const {
  std::uint64_t boot = 0;
  if (anchor_ != nullptr) {
    TALLA_TRY(const auto state, anchor_->read());
    if (!state && log.size() > 0 && !options.adopt) {
      return fail(Errc::anchor_malformed,
                  fmt::format("the anchor is gone, but the ledger holds {} records", log.size()));
    }
    if (state) {
      TALLA_TRY_STATUS(compare_with_anchor(log, options.origin, *state));
      boot = state->boot;
    }
  }
  if (outer_ == nullptr) return boot;
  TALLA_TRY(const std::uint64_t outside,
            outer_->compare(log, {.origin = options.origin, .adopt = options.adopt}));
  return std::max(boot, outside);
}

Status LogAnchors::write_inner(const AnchorState& state) {
  if (anchor_ == nullptr) return {};
  TALLA_TRY_STATUS(anchor_->write(state));
  written_size_ = state.size;
  return {};
}

Status LogAnchors::write(const AnchorState& state) {
  TALLA_TRY_STATUS(write_inner(state));
  return outer_ == nullptr ? Status() : outer_->write(state);
}

Status LogAnchors::post(const AnchorState& state) {
  if (outer_ != nullptr) outer_->post(state);
  return write_inner(state);
}

std::uint64_t LogAnchors::lag(std::uint64_t size) const {
  const std::uint64_t outside = outer_ == nullptr ? written_size_ : outer_->written_size();
  return size - std::min(size, outside);
}

}  // namespace talla::certs
