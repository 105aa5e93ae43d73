#include "certs/log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"

namespace talla::certs {

namespace {

bool refusal(const Error& error) {
  return error.is(Errc::duplicate_key) || error.is(Errc::duplicate_nonce) || error.is(Errc::group_refused);
}

}  // namespace

Log::Log(const Effects& effects, Options options)
    : hashes_(effects.hashes),
      ledger_(effects.ledger),
      clock_(effects.clock),
      anchor_(effects.anchor),
      options_(std::move(options)),
      prover_({effects.hashes, effects.ledger, effects.signer}, options_.origin) {}

Result<std::optional<std::uint64_t>> Log::last_of(const std::string& object) const {
  if (const auto staged = heads_.find(object); staged != heads_.end()) {
    return std::optional<std::uint64_t>(staged->second);
  }
  TALLA_TRY(const auto state, ledger_.object(object));
  return state ? std::optional<std::uint64_t>(state->last) : std::nullopt;
}

Status Log::place(const RecordDraft& draft, Record& record) const {
  const std::string_view object_class = kind_object(draft.kind);
  if (kind_opens(draft.kind)) {
    if (!draft.object.empty()) return fail(Errc::record_refused, "an opening record names its own object");
    record.object = object_id(object_class, record.seq);
    return {};
  }
  if (object_class.empty() != draft.object.empty()) {
    return fail(Errc::record_refused, fmt::format("{} of object '{}'", kind_name(draft.kind), draft.object));
  }
  if (draft.object.empty()) return {};
  TALLA_TRY([[maybe_unused]] const std::uint64_t opened, object_seq(object_class, draft.object));
  TALLA_TRY(record.prev, last_of(draft.object));
  if (!record.prev) return fail(Errc::record_refused, "no object " + draft.object);
  record.object = draft.object;
  return {};
}

TimeQuality Log::group_quality() {
  if (group_.records.empty()) quality_ = clock_.quality();
  return quality_;
}

Result<Appended> Log::append(RecordDraft draft) {
  if (latched()) return fail(Errc::ledger_latched, "the log takes no more records");
  Record record{.origin = options_.origin,
                .seq = next_seq(),
                .kind = draft.kind,
                .unknown_kind = {},
                .time_us = std::max(time_us_, clock_.utc_us()),
                .time_quality = group_quality(),
                .boot = boot_,
                .client = std::move(draft.client),
                .key = std::move(draft.key),
                .request = draft.request,
                .object = {},
                .prev = {},
                .cites = std::move(draft.cites),
                .body = std::move(draft.body),
                .note = std::move(draft.note)};
  TALLA_TRY_STATUS(place(draft, record));
  auto& cites = record.cites;
  std::sort(cites.begin(), cites.end());
  cites.erase(std::unique(cites.begin(), cites.end()), cites.end());
  if (record.prev) std::erase(cites, *record.prev);
  TALLA_TRY(std::string bytes, draft.composed ? write_record(record, *draft.composed) : write_record(record));
  time_us_ = record.time_us;
  if (!record.object.empty()) heads_[record.object] = record.seq;
  group_.records.push_back({.seq = record.seq,
                            .kind = record.kind,
                            .object = record.object,
                            .prev = record.prev,
                            .bytes = bytes,
                            .leaf = leaf_hash(hashes_, as_bytes(bytes))});
  return Appended{.seq = record.seq,
                  .object = record.object,
                  .time_us = record.time_us,
                  .bytes = std::move(bytes),
                  .record = std::move(record)};
}

Result<bool> Log::nonce_used(std::string_view client, const Bytes& nonce) {
  const bool staged = std::any_of(group_.nonces.begin(), group_.nonces.end(), [&](const ClientNonce& one) {
    return one.nonce == nonce && one.client == client;
  });
  if (staged) return true;
  return ledger_.staging_nonce_used(client, nonce);
}

Log::Mark Log::mark() const {
  return {.records = group_.records.size(),
          .sealed = group_.sealed.size(),
          .replies = group_.replies.size(),
          .nonces = group_.nonces.size(),
          .drafts = group_.drafts.size(),
          .catalogues = group_.catalogues.size(),
          .spent = group_.spent.size(),
          .time_us = time_us_};
}

void Log::undo(const Mark& mark) {
  TALLA_CHECK(mark.records <= group_.records.size());
  const bool heads_stale = mark.records < group_.records.size();
  group_.records.resize(mark.records);
  group_.sealed.resize(mark.sealed);
  group_.replies.resize(mark.replies);
  group_.nonces.resize(mark.nonces);
  group_.drafts.resize(mark.drafts);
  group_.catalogues.resize(mark.catalogues);
  group_.spent.resize(mark.spent);
  time_us_ = mark.time_us;
  if (!heads_stale) return;
  heads_.clear();
  for (const LedgerRecord& record : group_.records) {
    if (!record.object.empty()) heads_[record.object] = record.seq;
  }
}

void Log::drop_group() {
  group_ = {};
  heads_.clear();
  time_us_ = committed_time_us_;
}

Result<Committed> Log::commit() {
  if (latched()) {
    drop_group();
    return fail(Errc::ledger_latched, "the log takes no more records");
  }
  const std::uint64_t before = size();
  Status stored_group = ledger_.commit(group_);
  if (!stored_group) {
    unsigned_ = unsigned_ || !refusal(stored_group.error());
    drop_group();
    return pass(std::move(stored_group));
  }
  Committed committed{.size_before = before, .size = before + group_.records.size(), .checkpoint = {}};
  if (!group_.records.empty()) {
    prover_.add_group(std::move(group_.records));
    committed_time_us_ = time_us_;
  }
  drop_group();
  if (committed.size == before) return committed;
  auto signed_note = checkpoint(committed.size);
  if (!signed_note) {
    unsigned_ = true;
    return pass(std::move(signed_note));
  }
  committed.checkpoint = std::move(*signed_note);
  return committed;
}

}  // namespace talla::certs
