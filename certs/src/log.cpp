#include "certs/log.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"

namespace talla::certs {

namespace {

bool is_refusal(const Error& error) {
  return error.is(Errc::duplicate_key) || error.is(Errc::duplicate_nonce) ||
         error.is(Errc::group_refused);
}

}  // namespace

Log::Log(const Effects& effects, Options options)
    : hashes_(effects.hashes),
      ledger_(effects.ledger),
      clock_(effects.clock),
      anchor_(effects.anchor),
      outer_(effects.outer),
      options_(std::move(options)),
      prover_({effects.hashes, effects.ledger, effects.signer}, options_.origin),
      chains_(effects.hashes, effects.ledger) {}

Result<std::optional<std::uint64_t>> Log::last_of(const std::string& object) const {
  if (const auto staged = heads_.find(object); staged != heads_.end()) {
    return std::optional<std::uint64_t>(staged->second);
  }
  TALLA_TRY(const auto state, ledger_.object(object));
  return state ? std::optional<std::uint64_t>(state->last) : std::nullopt;
}

Result<std::optional<std::uint64_t>> Log::place(const RecordDraft& draft, Record& record) const {
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
                .table = {},
                .prev = {},
                .link = {},
                .meter_prev = {},
                .cites = std::move(draft.cites),
                .body = std::move(draft.body),
                .note = std::move(draft.note)};
  TALLA_TRY(const auto before, place(draft, record));
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

Result<bool> Log::nonce_used(std::string_view client, const Bytes& nonce) {
  const bool staged = std::any_of(
      group_.nonces.begin(), group_.nonces.end(),
      [&](const ClientNonce& one) { return one.nonce == nonce && one.client == client; });
  if (staged) return true;
  return ledger_.staging_nonce_used(client, nonce);
}

Log::Mark Log::mark() const {
  return {.records = group_.records.size(),
          .sealed = group_.sealed.size(),
          .replies = group_.replies.size(),
          .nonces = group_.nonces.size(),
          .documents = group_.documents.size(),
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

void Log::drop_group() {
  group_ = {};
  heads_.clear();
  chains_.drop();
  time_us_ = written_time_us_;
}

Result<Written> Log::write() {
  if (latched()) {
    drop_group();
    return fail(Errc::ledger_latched, "the log takes no more records");
  }
  const auto group = std::make_shared<Group>(std::move(group_));
  auto number = ledger_.write(group);
  if (!number) {
    unsigned_ = unsigned_ || !is_refusal(number.error());
    drop_group();
    return pass(std::move(number));
  }
  const Written written{.number = *number, .records = group->records.size()};
  if (!group->records.empty()) {
    written_size_ += group->records.size();
    written_time_us_ = time_us_;
    written_.push_back({*number, group});
    chains_.keep();
  }
  drop_group();
  return written;
}

Result<std::string> Log::settle(std::uint64_t number) {
  std::string last;
  while (!written_.empty() && written_.front().number <= number) {
    prover_.add_group(std::move(written_.front().group->records));  // durable: ours alone
    written_.pop_front();
    auto note = checkpoint(size());
    if (!note) {
      unsigned_ = true;
      return pass(std::move(note));
    }
    last = std::move(*note);
  }
  return last;
}

Result<Signature64> Log::sign_ahead() {
  TALLA_CHECK(written_.empty());
  return prover_.sign_ahead(group_.records);
}

Result<Committed> Log::commit() {
  const std::uint64_t before = written_size_;
  const bool empty = group_.empty();
  TALLA_TRY(const Written written, write());
  if (Status synced = empty ? Status() : sync(); !synced) {
    unsigned_ = true;
    return pass(std::move(synced));
  }
  TALLA_TRY(std::string note, settle(written.number));
  static_cast<void>(tidy());  // a failure latches, but this group is durable
  return Committed{.size_before = before, .size = written_size_, .checkpoint = std::move(note)};
}

}  // namespace talla::certs
