// Opening a log: rebuilds the tree, checks records again, compares it with the anchor.
#include <fmt/format.h>

#include <algorithm>

#include "certs/log.hpp"

namespace talla::certs {

namespace {
constexpr std::uint64_t recheck_step = 10'000;
}  // namespace

Result<std::unique_ptr<Log>> Log::open(const Effects& effects, Options options) {
  if (!origin_valid(options.origin))
    return fail(Errc::id_malformed, "log origin '" + options.origin + "'");
  std::unique_ptr<Log> log(new Log(effects, std::move(options)));  // NOLINT: private constructor
  TALLA_TRY_STATUS(log->rebuild());
  TALLA_TRY_STATUS(log->recheck());
  TALLA_TRY_STATUS(log->compare_anchor());
  TALLA_TRY_STATUS(log->write_anchor());
  return log;
}

Status Log::rebuild() {
  TALLA_TRY_STATUS(prover_.load());
  written_size_ = size();
  if (size() == 0) return {};
  TALLA_TRY(const LedgerRecord last, ledger_.record(size() - 1));
  auto record = parse_record(last.bytes);
  if (!record)
    return fail(Errc::ledger_damaged,
                fmt::format("record {}: {}", size() - 1, record.error().text()));
  time_us_ = record->time_us;
  written_time_us_ = record->time_us;
  boot_ = record->boot + 1;
  return chains_.load();
}

Status Log::recheck() const {
  const std::uint64_t count =
      options_.recheck_all ? size() : std::min(size(), options_.recheck_records);
  for (std::uint64_t from = size() - count; from < size(); from += recheck_step) {
    const std::uint64_t to = std::min(size(), from + recheck_step);
    TALLA_TRY(const auto records, ledger_.records(from, to));
    if (records.size() != to - from)
      return fail(Errc::ledger_damaged, fmt::format("records {} to {}", from, to));
    for (std::uint64_t seq = from; seq < to; ++seq) {
      const LedgerRecord& stored_record = records[seq - from];
      TALLA_TRY(const Digest leaf, node(0, seq));
      if (leaf_hash(hashes_, as_bytes(stored_record.bytes)) != leaf) {
        return fail(Errc::ledger_damaged,
                    fmt::format("record {} does not have its leaf hash", seq));
      }
      const auto record = parse_record(stored_record.bytes);
      if (!record || record->seq != seq || record->origin != options_.origin) {
        return fail(Errc::ledger_damaged,
                    fmt::format("record {} is not record {} of this log", seq, seq));
      }
    }
  }
  return {};
}

Status Log::compare_anchor() {
  if (anchor_ != nullptr) {
    TALLA_TRY(const auto state, anchor_->read());
    if (!state && size() > 0 && !options_.adopt_anchor) {
      return fail(Errc::anchor_malformed,
                  fmt::format("the anchor is gone, but the ledger holds {} records", size()));
    }
    if (state) {
      TALLA_TRY_STATUS(compare_with_anchor(prover_, options_.origin, *state));
      boot_ = std::max(boot_, state->boot + 1);
    }
  }
  if (outer_ != nullptr) {
    TALLA_TRY(const std::uint64_t boot, outer_->compare(prover_, {.origin = options_.origin,
                                                                  .adopt = options_.adopt_anchor}));
    boot_ = std::max(boot_, boot + 1);
  }
  return {};
}

Result<AnchorState> Log::anchor_state() const {
  const std::uint64_t now = size();
  TALLA_TRY(const Digest head, root(now));
  return AnchorState{.origin = options_.origin, .size = now, .root = head, .boot = boot_};
}

Status Log::write_anchor() {
  TALLA_TRY(const AnchorState state, anchor_state());
  if (anchor_ != nullptr) {
    TALLA_TRY_STATUS(anchor_->write(state));
    anchored_size_ = state.size;
  }
  return outer_ == nullptr ? Status() : outer_->write(state);
}

Status Log::post_anchor() {
  TALLA_TRY(const AnchorState state, anchor_state());
  if (outer_ != nullptr) outer_->post(state);
  if (anchor_ == nullptr) return {};
  TALLA_TRY_STATUS(anchor_->write(state));
  anchored_size_ = state.size;
  return {};
}

std::uint64_t Log::anchor_lag() const {
  const std::uint64_t outside = outer_ == nullptr ? anchored_size_ : outer_->written_size();
  return size() - std::min(size(), outside);
}

}  // namespace talla::certs
