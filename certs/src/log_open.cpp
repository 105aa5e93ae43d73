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
  TALLA_TRY(const std::uint64_t seen,
            log->anchors_.compare(log->prover_, {.origin = log->options_.origin,
                                                 .adopt = log->options_.adopt_anchor}));
  log->boot_ = std::max(log->boot_, seen + 1);
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
  boot_ = record->boot + 1;
  return stage_.load(record->time_us);
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
      TALLA_TRY(const Digest leaf, prover_.node(0, seq));
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

Status Log::write_anchor() {
  TALLA_TRY(const Digest head, prover_.root(size()));
  return anchors_.write({.origin = options_.origin, .size = size(), .root = head, .boot = boot_});
}

Status Log::post_anchor() {
  TALLA_TRY(const Digest head, prover_.root(size()));
  return anchors_.post({.origin = options_.origin, .size = size(), .root = head, .boot = boot_});
}

}  // namespace talla::certs
