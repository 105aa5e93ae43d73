// The stage of a log: each record gets its number, time and chain, and can be taken back.
#include "certs/log_stage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

Status LogStage::load(std::int64_t last_time_us) {
  time_us_ = last_time_us;
  written_time_us_ = last_time_us;
  return chains_.load();
}

Result<std::optional<std::uint64_t>> LogStage::last_of(const std::string& object) const {
  if (const auto staged = heads_.find(object); staged != heads_.end()) {
    return std::optional<std::uint64_t>(staged->second);
  }
  TALLA_TRY(const auto state, ledger_.object(object));
  return state ? std::optional<std::uint64_t>(state->last) : std::nullopt;
}

Result<std::optional<std::uint64_t>> LogStage::join(const RecordDraft& draft,
                                                    Record& record) const {
  std::optional<std::uint64_t> before;
  const std::string_view wanted = class_of_object(record.kind, record.body);
  if (kind_opens(draft.kind)) {
    if (!draft.object.empty())
      return fail(Errc::record_refused, "an opening record names its own object");
    record.object = object_id(wanted, record.seq);
    TALLA_TRY_STATUS(chains_.place(record, draft.follows));
    return before;
  }
  if (wanted.empty() != draft.object.empty()) {
    return fail(Errc::record_refused,
                fmt::format("{} of object '{}'", kind_name(draft.kind), draft.object));
  }
  if (draft.object.empty()) return before;
  TALLA_TRY([[maybe_unused]] const std::uint64_t opened, object_seq(wanted, draft.object));
  TALLA_TRY(before, last_of(draft.object));
  if (!before) return fail(Errc::record_refused, "no object " + draft.object);
  record.object = draft.object;
  if (wanted == kind_object(Kind::meter_open)) record.meter_prev = before;
  TALLA_TRY_STATUS(chains_.place(record, {}));
  return before;
}

TimeQuality LogStage::quality() {
  if (group_.records.empty()) quality_ = clock_.quality();
  return quality_;
}

Result<Appended> LogStage::append(const Place& place, RecordDraft draft) {
  Record record{.origin = place.origin,
                .seq = place.seq,
                .kind = draft.kind,
                .unknown_kind = {},
                .time_us = std::max(time_us_, clock_.utc_us()),
                .time_quality = quality(),
                .boot = place.boot,
                .client = std::move(draft.client),
                .key = std::move(draft.key),
                .request = draft.request,
                .object = {},
                .table = {},
                .prev = {},
                .link = {},
                .meter_prev = {},
                .cites = std::move(draft.cites),
                .body = std::move(draft.body),
                .note = std::move(draft.note)};
  TALLA_TRY(const auto before, join(draft, record));
  auto& cites = record.cites;
  std::sort(cites.begin(), cites.end());
  cites.erase(std::unique(cites.begin(), cites.end()), cites.end());
  TALLA_TRY(std::string bytes,
            draft.composed ? write_record(record, *draft.composed) : write_record(record));
  const Digest leaf = leaf_hash(hashes_, as_bytes(bytes));
  time_us_ = record.time_us;
  if (!record.object.empty()) heads_[record.object] = record.seq;
  chains_.add(record, leaf);
  group_.records.push_back({.seq = record.seq,
                            .kind = record.kind,
                            .object = record.object,
                            .prev = before,
                            .bytes = std::move(bytes),
                            .leaf = leaf});
  return Appended{.seq = record.seq,
                  .object = record.object,
                  .time_us = record.time_us,
                  .record = std::move(record),
                  .leaf = leaf};
}

LogStage::Mark LogStage::mark() const {
  return {.records = group_.records.size(),
          .sealed = group_.sealed.size(),
          .replies = group_.replies.size(),
          .documents = group_.documents.size(),
          .catalogues = group_.catalogues.size(),
          .spent = group_.spent.size(),
          .time_us = time_us_};
}

void LogStage::undo(const Mark& mark) {
  TALLA_CHECK(mark.records <= group_.records.size());
  const bool heads_stale = mark.records < group_.records.size();
  group_.records.resize(mark.records);
  group_.sealed.resize(mark.sealed);
  group_.replies.resize(mark.replies);
  group_.documents.erase(group_.documents.begin() + static_cast<std::ptrdiff_t>(mark.documents),
                         group_.documents.end());
  group_.catalogues.resize(mark.catalogues);
  group_.spent.resize(mark.spent);
  time_us_ = mark.time_us;
  if (!heads_stale) return;
  chains_.cut(mark.records);
  heads_.clear();
  for (const LedgerRecord& record : group_.records) {
    if (!record.object.empty()) heads_[record.object] = record.seq;
  }
}

void LogStage::keep() {
  chains_.keep();
  written_time_us_ = time_us_;
  drop();
}

void LogStage::drop() {
  group_ = {};
  heads_.clear();
  chains_.drop();
  time_us_ = written_time_us_;
}

}  // namespace talla::certs
