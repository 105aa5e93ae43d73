#include "certs/bundle_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "format/parts.hpp"

namespace talla::certs {

namespace {

/// The records of one bundle, by seq.
class Collector {
 public:
  explicit Collector(const EvidenceSource& source) : source_(source) {}

  /// The record with its parsed form. Errors: not_found, ledger_damaged.
  [[nodiscard]] Result<Record> add(std::uint64_t seq) {
    TALLA_TRY(std::string bytes, source_.record(seq));
    auto record = parse_record(bytes);
    if (!record)
      return fail(Errc::ledger_damaged, fmt::format("record {}: {}", seq, record.error().text()));
    bytes_[seq] = std::move(bytes);
    return std::move(*record);
  }
  /// The chain that ends at `last`, back to its opening record, which is returned.
  [[nodiscard]] Result<Record> add_chain(std::uint64_t last) {
    TALLA_TRY(Record record, add(last));
    while (record.prev) {
      const std::uint64_t prev = *record.prev;
      if (prev >= record.seq)
        return fail(Errc::ledger_damaged, fmt::format("record {}: prev", record.seq));
      TALLA_TRY(record, add(prev));
    }
    return record;
  }
  [[nodiscard]] const std::map<std::uint64_t, std::string>& bytes() const { return bytes_; }

 private:
  const EvidenceSource& source_;
  std::map<std::uint64_t, std::string> bytes_;
};

/// A METER of a meter that tables share: with the record before it and the one that opened the
/// meter.
Status add_shared_meter(Collector& collector, const Record& cited) {
  TALLA_TRY(const Record meter, collector.add(cited.seq));
  TALLA_TRY(const std::uint64_t opened, object_seq(kind_object(Kind::meter_open), meter.object));
  if (!meter.prev)
    return fail(Errc::ledger_damaged, fmt::format("record {}: no record before it", cited.seq));
  TALLA_TRY([[maybe_unused]] const Record before, collector.add(*meter.prev));
  TALLA_TRY([[maybe_unused]] const Record opening, collector.add(opened));
  return {};
}

/// A shoe or batch that a SETTLEMENT rests on, up to the last record cited; of a shared meter what
/// shows its move.
Status add_cited(Collector& collector, const EvidenceSource& source,
                 const std::vector<std::uint64_t>& cites) {
  std::map<std::string, std::uint64_t> last;
  for (const std::uint64_t seq : cites) {
    TALLA_TRY(const std::string bytes, source.record(seq));
    TALLA_TRY(const Record cited, parse_record(bytes));
    if (cited.kind == Kind::meter) TALLA_TRY_STATUS(add_shared_meter(collector, cited));
    const std::string_view cited_class = kind_object(cited.kind);
    if (cited_class == "shoe" || cited_class == "batch")
      last[cited.object] = std::max(last[cited.object], seq);
  }
  for (const auto& [object, seq] : last) {
    TALLA_TRY([[maybe_unused]] const Record opening, collector.add_chain(seq));
  }
  return {};
}

/// The round up to what the draw's INTENT cites of it: ROUND_OPEN, BETS_CLOSED and the newest act.
Status add_bets_of_draw(Collector& collector, const Record& claim) {
  const json::Value* intent_seq = claim.body.find("intent");
  if (intent_seq == nullptr || !intent_seq->is_integer())
    return fail(Errc::ledger_damaged, "a draw without intent");
  TALLA_TRY(const Record intent, collector.add(static_cast<std::uint64_t>(intent_seq->integer())));
  for (const std::uint64_t cite : intent.cites) {
    TALLA_TRY(const Record cited, collector.add(cite));
    if (kind_object(cited.kind) == "round") {
      TALLA_TRY([[maybe_unused]] const Record opening, collector.add_chain(cite));
    }
  }
  return {};
}

Result<Record> add_table(Collector& collector, const Record& opening) {
  if (opening.kind == Kind::table_open) return opening;
  const json::Value* table = opening.body.find("table");
  if (table == nullptr || !table->is_string()) {
    return fail(Errc::ledger_damaged, fmt::format("record {} names no table", opening.seq));
  }
  TALLA_TRY(const std::uint64_t seq, object_seq("table", table->string()));
  return collector.add(seq);
}

Result<std::string> catalogue_of(const EvidenceSource& source, const Record& table) {
  TALLA_TRY(const TableOpenBody body, TableOpenBody::from_json(table.body));
  TALLA_TRY(auto text, source.catalogue(body.catalogue));
  if (!text) return fail(Errc::not_found, "catalogue " + to_hex(body.catalogue));
  return std::move(*text);
}

}  // namespace

Result<std::vector<KeyChange>> make_key_changes(Prover& prover, const Ledger& ledger,
                                                const std::vector<RetiredKey>& retired,
                                                std::uint64_t size) {
  std::vector<KeyChange> changes;
  for (std::size_t i = 0; i < retired.size() && retired[i].announced + 1 < size; ++i) {
    const std::uint64_t own = retired[i].announced + 1;
    const std::uint64_t next =
        i + 1 < retired.size() ? std::min(size, retired[i + 1].announced + 1) : size;
    KeyChange change{.log_key = retired[i].log_key,
                     .checkpoint = {},
                     .record = {},
                     .path = {},
                     .consistency = {}};
    TALLA_TRY(change.checkpoint, prover.checkpoint(own));
    TALLA_TRY(LedgerRecord record, ledger.record(retired[i].announced));
    change.record = std::move(record.bytes);
    TALLA_TRY(change.path, prover.inclusion(retired[i].announced, own));
    TALLA_TRY(change.consistency, prover.consistency(own, next));
    changes.push_back(std::move(change));
  }
  return changes;
}

const LogKey& log_key_of(const LogKey& present, const std::vector<RetiredKey>& retired,
                         std::uint64_t size) {
  for (const RetiredKey& key : retired) {
    if (size <= key.announced + 1) return key.log_key;
  }
  return present;
}

Result<LogKeys> make_log_keys(Prover& prover, const Ledger& ledger, const LogKey& present,
                              const std::vector<RetiredKey>& retired, std::uint64_t size) {
  LogKeys keys;
  keys.log_key = log_key_of(present, retired, size);
  TALLA_TRY(keys.checkpoint, prover.checkpoint(size));
  TALLA_TRY(keys.changes, make_key_changes(prover, ledger, retired, size));
  return keys;
}

bool kind_claims(Kind kind) {
  return (kind_opens(kind) && kind != Kind::meter_open) || kind == Kind::card_deal ||
         kind == Kind::card_open || kind == Kind::shoe_mix || kind == Kind::shoe_close ||
         kind == Kind::batch_close || kind == Kind::draw || kind == Kind::void_draw ||
         kind == Kind::settlement;
}

Result<Bundle> collect_evidence(const EvidenceSource& source, std::uint64_t seq) {
  Collector collector(source);
  TALLA_TRY(const Record claim, collector.add(seq));
  if (!kind_claims(claim.kind)) {
    return fail(Errc::not_found,
                fmt::format("record {} is a {}: it has its receipt, but proves no outcome",
                            claim.seq, kind_name(claim.kind)));
  }
  if (!ends_content(claim.body)) {
    return fail(Errc::not_found,
                fmt::format("record {} is a part; the last part proves the whole", claim.seq));
  }
  TALLA_TRY(const Record opening, collector.add_chain(seq));
  TALLA_TRY(const Record table, add_table(collector, opening));
  Bundle bundle;
  bundle.claim = seq;
  if (claim.kind == Kind::settlement) {
    TALLA_TRY_STATUS(add_cited(collector, source, claim.cites));
    TALLA_TRY(bundle.catalogue, catalogue_of(source, table));
  }
  if (claim.kind == Kind::draw || claim.kind == Kind::void_draw) {
    TALLA_TRY_STATUS(add_bets_of_draw(collector, claim));
  }
  for (const auto& [place, bytes] : collector.bytes()) {
    TALLA_TRY(auto path, source.inclusion(place));
    bundle.records.push_back({.record = bytes, .path = std::move(path)});
  }
  return bundle;
}

namespace {

/// The ledger under a log, at one size.
class LogEvidence final : public EvidenceSource {
 public:
  LogEvidence(const Log& log, std::uint64_t size) : log_(log), size_(size) {}
  [[nodiscard]] Result<std::string> record(std::uint64_t seq) const override {
    TALLA_TRY(LedgerRecord stored, log_.ledger().record(seq));
    return std::move(stored.bytes);
  }
  [[nodiscard]] Result<std::optional<std::string>> catalogue(const Digest& digest) const override {
    return log_.ledger().catalogue(digest);
  }
  [[nodiscard]] Result<std::vector<Digest>> inclusion(std::uint64_t seq) const override {
    return log_.inclusion(seq, size_);
  }

 private:
  const Log& log_;
  std::uint64_t size_;
};

}  // namespace

Result<Bundle> make_bundle(Log& log, const BundleRequest& request) {
  const std::uint64_t size = request.size.value_or(log.size());
  if (request.claim >= size)
    return fail(Errc::not_found, fmt::format("no record {} at size {}", request.claim, size));
  TALLA_TRY(Bundle bundle, collect_evidence(LogEvidence(log, size), request.claim));
  bundle.log_key = log_key_of(request.log_key, request.retired, size);
  bundle.state_before = request.state_before;
  TALLA_TRY(bundle.key_changes,
            make_key_changes(log.prover(), log.ledger(), request.retired, size));
  TALLA_TRY(bundle.checkpoint, log.checkpoint(size));
  return bundle;
}

}  // namespace talla::certs
