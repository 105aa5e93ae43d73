#include "certs/succession.hpp"

#include <fmt/format.h>

#include "base/json.hpp"
#include "certs/files.hpp"
#include "format/body_machine.hpp"

namespace talla::certs {

namespace {

/// Ahead of any log: sequence numbers stay below 2^53.
constexpr std::uint64_t retired_size = static_cast<std::uint64_t>(json::integer_max);

std::string successor_file(const std::string& data_folder) {
  return data_folder + "/retired.json";
}

/// What the two agreed to is part of the act's name.
std::string act_of(const RestoreTerms& terms) {
  return std::string("succession") + (terms.older ? "-older" : "") + (terms.lost ? "-lost" : "");
}

RecordDraft draft_of(Kind kind, json::Value body, std::vector<std::uint64_t> cites) {
  RecordDraft draft;
  draft.kind = kind;
  draft.body = std::move(body);
  draft.cites = std::move(cites);
  return draft;
}

Result<std::uint64_t> add_step(Log& log, const Succession& what, const Approver& who,
                               const char* step, json::Array by, std::vector<std::uint64_t> cites) {
  RecordDraft draft = draft_of(Kind::access,
                               json::Object{{"what", act_of(what.terms) + "." + step},
                                            {"result", "allowed"},
                                            {"object", what.predecessor.origin},
                                            {"by", std::move(by)}},
                               std::move(cites));
  draft.client = Client{.id = who.id, .spki = who.spki};
  TALLA_TRY(const Appended added, log.append(std::move(draft)));
  return added.seq;
}

Status stage(Log& log, const Succession& what) {
  json::Object key{{"purpose", "log"},
                   {"log_key", what.log_key.to_json()},
                   {"predecessor", to_base64(as_bytes(what.predecessor.checkpoint))}};
  TALLA_TRY(const Appended first, log.append(draft_of(Kind::key, std::move(key), {})));
  TALLA_TRY(const std::uint64_t asked,
            add_step(log, what, what.asked, "asked", json::Array{what.asked.id}, {first.seq}));
  TALLA_TRY(const std::uint64_t confirmed,
            add_step(log, what, what.confirmed, "confirmed",
                     json::Array{what.asked.id, what.confirmed.id}, {first.seq, asked}));
  for (const json::Value& secret : what.secrets) {
    TALLA_TRY(const Appended added,
              log.append(draft_of(Kind::key, secret, {first.seq, confirmed})));
    static_cast<void>(added);
  }
  for (const json::Value& place : what.places) {
    TALLA_TRY(const KeyBody body, KeyBody::from_json(place));
    TALLA_TRY(const Appended added, log.append(draft_of(Kind::key, place, {first.seq, confirmed})));
    log.group().documents.push_back({documents::place(body.place), std::to_string(added.seq)});
  }
  return {};
}

}  // namespace

std::string_view errc_name(SuccessionErrc errc) {
  switch (errc) {
    case SuccessionErrc::older_than_anchor:
      return "older_than_anchor";
    case SuccessionErrc::other_history:
      return "other_history";
    case SuccessionErrc::secret_unusable:
      return "secret_unusable";
    case SuccessionErrc::not_empty:
      return "not_empty";
    case SuccessionErrc::log_retired:
      return "log_retired";
  }
  return "unknown";
}

Status compare_backup(const HashSuite& hashes, const LedgerReading& reading,
                      const std::string& origin, const AnchorState& state) {
  if (state.origin != origin)
    return fail(SuccessionErrc::other_history,
                "the anchor belongs to the log '" + state.origin + "'");
  const std::uint64_t size = reading.tree.size();
  if (state.size > size) {
    return fail(
        SuccessionErrc::older_than_anchor,
        fmt::format(
            "the backup holds {} records, but {} are known to have been: the last {} are not in it",
            size, state.size, state.size - size));
  }
  if (state.size == 0) return {};
  TALLA_TRY(const Digest root, root_at(
                                   hashes,
                                   [&](unsigned level, std::uint64_t index) {
                                     return reading.tree.node(level, index);
                                   },
                                   state.size));
  if (root == state.root) return {};
  return fail(
      SuccessionErrc::other_history,
      fmt::format("the first {} records of the backup are not those that were seen", state.size));
}

Status retire_anchor(Anchor& anchor, const BackupManifest& manifest) {
  TALLA_TRY(const auto state, anchor.read());
  if (state && anchor_retired(*state)) return {};
  return anchor.write({.origin = manifest.origin,
                       .size = retired_size,
                       .root = manifest.root,
                       .boot = std::max(manifest.boot, state ? state->boot : 0)});
}

bool anchor_retired(const AnchorState& state) {
  return state.size == retired_size;
}

Status note_successor(const std::string& data_folder, const BackupManifest& manifest,
                      const std::string& successor) {
  return replace_file(successor_file(data_folder),
                      json::canonical(json::Object{{"followed_by", successor},
                                                   {"origin", manifest.origin},
                                                   {"size", manifest.size},
                                                   {"v", 1}}));
}

Status refuse_retired(const std::string& data_folder, const std::string& origin) {
  const auto text = read_file(successor_file(data_folder));
  if (!text) return {};
  const auto note = json::parse_canonical(*text);
  if (!note) return {};
  json::Reader reader(*note, "retired.json");
  const auto version = reader.integer("v", 1, 1);
  const auto successor = reader.string("followed_by");
  const auto named = reader.string("origin");
  const auto size = reader.integer("size", 0, json::integer_max);
  if (!version || !successor || !named || !size || *named != origin) return {};
  return fail(
      SuccessionErrc::log_retired,
      fmt::format("retired, followed by {} as of record {}: this log is read-only for ever, "
                  "and its open secrets are public; `talla log export --backup` reads it",
                  *successor, *size));
}

Status write_succession(Log& log, const Succession& succession) {
  if (log.size() != 0)
    return fail(SuccessionErrc::not_empty,
                fmt::format("{} holds {} records", log.origin(), log.size()));
  const Log::Mark mark = log.mark();
  Status staged = stage(log, succession);
  if (!staged) {
    log.undo(mark);
    return staged;
  }
  TALLA_TRY(const Committed committed, log.commit());
  static_cast<void>(committed);
  return log.write_anchor();
}

Result<std::optional<std::string>> named_predecessor(const Ledger& ledger) {
  constexpr std::uint64_t first_records =
      16;  // the KEY of the log is one of the first group's first
  TALLA_TRY(const auto records, ledger.records(0, first_records));
  for (const LedgerRecord& stored : records) {
    if (stored.kind != Kind::key) continue;
    TALLA_TRY(const Record record, parse_record(stored.bytes));
    const json::Value* purpose = record.body.find("purpose");
    if (purpose == nullptr || !(*purpose == json::Value("log"))) continue;
    const json::Value* named = record.body.find("predecessor");
    if (named == nullptr || !named->is_string()) return std::optional<std::string>();
    TALLA_TRY(const Bytes note, from_base64(named->string()));
    return std::optional<std::string>(as_text(note));
  }
  return std::optional<std::string>();
}

}  // namespace talla::certs
