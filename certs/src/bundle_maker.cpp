#include "certs/bundle_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "certs/document.hpp"
#include "format/body_draw.hpp"
#include "format/body_machine.hpp"
#include "format/lab_table.hpp"
#include "format/parts.hpp"

namespace talla::certs {

namespace {

/// The records of one bundle, by seq.
class Collector {
 public:
  explicit Collector(const EvidenceSource& source) : source_(source) {}

  /// The record with its parsed form. Errors: not_found, ledger_damaged.
  /// `own`: of the claim's table, so that what ordered it is wanted too.
  [[nodiscard]] Result<Record> add(std::uint64_t seq, bool own = true) {
    TALLA_TRY(std::string bytes, source_.record(seq));
    TALLA_TRY(Record record, parsed(seq, bytes));
    bytes_[seq] = std::move(bytes);
    const bool commits = record.kind == Kind::shoe_commit || record.kind == Kind::shoe_recommit ||
                         record.kind == Kind::batch_commit;
    if (commits) starts_.insert(record.cites.begin(), record.cites.end());
    if (own && may_be_ordered(record)) orders_.insert(record.cites.begin(), record.cites.end());
    if (record.kind == Kind::call) {
      const auto shoe = object_seq(kind_object(Kind::shoe_commit), record.object);
      if (shoe && !record.cites.empty() && record.cites.front() < *shoe)
        first_ = std::min(first_, record.cites.front());
    }
    return record;
  }
  /// The same without adding it.
  [[nodiscard]] Result<Record> look(std::uint64_t seq) const {
    TALLA_TRY(const std::string bytes, source_.record(seq));
    return parsed(seq, bytes);
  }
  /// The chain of a table that ends at `last`, back to the record at or before `first`, or to
  /// TABLE_OPEN.
  [[nodiscard]] Status add_chain(std::uint64_t last, std::uint64_t first) {
    TALLA_TRY(Record record, add(last));
    while (record.prev && record.seq > first) {
      const std::uint64_t prev = *record.prev;
      if (prev >= record.seq)
        return fail(Errc::ledger_damaged, fmt::format("record {}: prev", record.seq));
      TALLA_TRY(record, add(prev));
    }
    begun_ = record.seq;
    return {};
  }
  /// Where the chain that was added begins.
  [[nodiscard]] std::uint64_t begun() const { return begun_; }
  /// The end of a shoe on which the first call of the next one rests, where there is one among
  /// them: the earliest.
  [[nodiscard]] std::uint64_t first_shoe_end() const { return first_; }
  [[nodiscard]] const std::map<std::uint64_t, std::string>& bytes() const { return bytes_; }
  /// What the commitments among them cite.
  [[nodiscard]] const std::set<std::uint64_t>& cited_by_commitments() const { return starts_; }
  /// What its records cite that two persons may have ordered.
  [[nodiscard]] const std::set<std::uint64_t>& cited_by_orders() const { return orders_; }

 private:
  static Result<Record> parsed(std::uint64_t seq, const std::string& bytes) {
    auto record = parse_record(bytes);
    if (record) return record;
    return fail(Errc::ledger_damaged, fmt::format("record {}: {}", seq, record.error().text()));
  }

  /// A further CALL, a VOID, the end of a shoe or table.
  static bool may_be_ordered(const Record& record) {
    return record.kind == Kind::void_call || record.kind == Kind::shoe_close ||
           record.kind == Kind::table_close ||
           (record.kind == Kind::call && record.body.find("order") != nullptr);
  }

  const EvidenceSource& source_;
  std::map<std::uint64_t, std::string> bytes_;
  std::set<std::uint64_t> starts_;
  std::set<std::uint64_t> orders_;
  std::uint64_t first_ = UINT64_MAX;
  std::uint64_t begun_ = 0;
};

/// A METER of a meter that tables share: with the record before it, which is given, and the one
/// that opened the meter.
Result<Record> add_shared_meter(Collector& collector, const Record& cited) {
  TALLA_TRY(const Record meter, collector.add(cited.seq));
  TALLA_TRY(const std::uint64_t opened, object_seq(kind_object(Kind::meter_open), meter.object));
  if (!meter.meter_prev)
    return fail(Errc::ledger_damaged, fmt::format("record {}: no record before it", cited.seq));
  TALLA_TRY(Record before, collector.add(*meter.meter_prev));
  TALLA_TRY([[maybe_unused]] const Record opening, collector.add(opened));
  return before;
}

/// Where an object was opened. Of a core that lapsed and opened nothing, which is of its table:
/// where what it names may have been.
Result<std::uint64_t> opening_of(const Record& record) {
  if (record.kind == Kind::void_call && record.object == record.table) {
    TALLA_TRY(const VoidBody body, VoidBody::from_json(record.body));
    const CallCore& core = body.lapsed->core;
    const auto named = object_seq(core.use == CallUse::mix ? "shoe" : "batch", core.object);
    return named ? std::min(*named, record.seq) : record.seq;
  }
  return object_seq(class_of_object(record.kind, record.body), record.object);
}

/// Where the ROUND_END before a round stands; of a first round, the TABLE_OPEN.
Result<std::uint64_t> end_before(Collector& collector, const std::string& round) {
  TALLA_TRY(const std::uint64_t seq, object_seq(kind_object(Kind::round_open), round));
  TALLA_TRY(const Record opening, collector.add(seq));
  for (const std::uint64_t cite : opening.cites) {
    TALLA_TRY(const Record cited, collector.look(cite));
    if (cited.kind == Kind::round_end) return cite;
  }
  return object_seq(kind_object(Kind::table_open), opening.table);
}

/// The round that a claim belongs to; empty: none.
Result<std::string> round_of(Collector& collector, const Record& claim) {
  if (kind_object(claim.kind) == kind_object(Kind::round_open)) return claim.object;
  const json::Value* round = nullptr;
  if (claim.kind == Kind::card_deal) round = claim.body.find("round");
  const json::Value* call_seq = claim.body.find("call");
  Record call;
  if (call_seq != nullptr && call_seq->is_integer()) {
    TALLA_TRY(call, collector.look(static_cast<std::uint64_t>(call_seq->integer())));
    const json::Value* core = call.body.find("core");
    if (core != nullptr) round = core->find("round");
  }
  const bool named = round != nullptr && round->is_string() && round->string() != "0";
  return named ? round->string() : std::string();
}

/// Where the file has to begin behind TABLE_OPEN: at the opening of the claim's object and of the
/// shoes and batches that a SETTLEMENT rests on, and at the ROUND_END before the claim's round,
/// whichever is first. Of shared meters it takes what shows their moves; where the table itself
/// made the move before, it begins there.
Result<std::uint64_t> begin_of(Collector& collector, const Record& claim) {
  TALLA_TRY(std::uint64_t begin, opening_of(claim));
  TALLA_TRY(const std::string round, round_of(collector, claim));
  if (!round.empty()) {
    TALLA_TRY(const std::uint64_t end, end_before(collector, round));
    begin = std::min(begin, end);
  }
  if (claim.kind != Kind::settlement) return begin;
  for (const std::uint64_t seq : claim.cites) {
    TALLA_TRY(const Record cited, collector.look(seq));
    if (cited.kind == Kind::meter) {
      TALLA_TRY(const Record before, add_shared_meter(collector, cited));
      if (before.table == claim.table) begin = std::min(begin, before.seq);
    }
    const std::string_view cited_class = class_of_object(cited.kind, cited.body);
    if (cited_class != kind_object(Kind::shoe_commit) &&
        cited_class != kind_object(Kind::batch_commit))
      continue;
    TALLA_TRY(const std::uint64_t opened, opening_of(cited));
    begin = std::min(begin, opened);
  }
  return begin;
}

/// The KEY that says what the log before left of a place, and the one that names that log.
Status add_place_key(Collector& collector, const Record& key) {
  const json::Value* purpose = key.body.find("purpose");
  if (purpose == nullptr || !(*purpose == json::Value("place"))) return {};
  TALLA_TRY([[maybe_unused]] const Record place, collector.add(key.seq, false));
  for (const std::uint64_t cite : key.cites) {
    TALLA_TRY(const Record cited, collector.look(cite));
    if (cited.kind != Kind::key) continue;
    TALLA_TRY([[maybe_unused]] const Record first, collector.add(cite, false));
  }
  return {};
}

/// TABLE_OPEN, and the TABLE_CLOSE before at its place, or what says it of the log before.
Result<Record> add_table(Collector& collector, const Record& claim) {
  TALLA_TRY(const std::uint64_t seq, object_seq(kind_object(Kind::table_open), claim.table));
  TALLA_TRY(Record opening, collector.add(seq));
  for (const std::uint64_t cite : opening.cites) {
    TALLA_TRY(const Record cited, collector.look(cite));
    if (cited.kind == Kind::key) TALLA_TRY_STATUS(add_place_key(collector, cited));
    if (cited.kind != Kind::table_close) continue;
    TALLA_TRY([[maybe_unused]] const Record close, collector.add(cite, false));
  }
  return opening;
}

Result<std::string> catalogue_of(const EvidenceSource& source, const Record& table) {
  TALLA_TRY(const TableOpenBody body, TableOpenBody::from_json(table.body));
  TALLA_TRY(auto text, source.catalogue(body.catalogue));
  if (!text) return fail(Errc::not_found, "catalogue " + to_hex(body.catalogue));
  return std::move(*text);
}

/// The ACCESS by which two persons ordered what stands in the file: the confirmed one, and where
/// the record itself does not hold what the first of them signed, the one that asked.
Status add_orders(Collector& collector) {
  for (const std::uint64_t seq : collector.cited_by_orders()) {
    TALLA_TRY(const Record cited, collector.look(seq));
    if (cited.kind != Kind::access) continue;
    TALLA_TRY([[maybe_unused]] const Record added, collector.add(seq));
    TALLA_TRY(const auto step, AccessBody::from_json(cited.body));
    if (step.what == std::string(call_again_act) + ".confirmed") continue;
    for (const std::uint64_t asked : cited.cites) {
      TALLA_TRY([[maybe_unused]] const Record first, collector.add(asked));
    }
  }
  return {};
}

/// SOFTWARE and CONFIG that the commitments of the file cite: which start made them, under which
/// certifications. Archives may begin behind them.
Status add_starts(Collector& collector, const EvidenceSource& source, Bundle& bundle) {
  std::set<Digest> named;
  for (const std::uint64_t seq : collector.cited_by_commitments()) {
    auto record = collector.look(seq);
    if (!record && record.error().is(Errc::not_found)) continue;
    if (!record) return pass(std::move(record));
    if (record->kind != Kind::software && record->kind != Kind::config) continue;
    TALLA_TRY([[maybe_unused]] const Record added, collector.add(seq));
    if (record->kind != Kind::config) continue;
    TALLA_TRY(const ConfigBody body, ConfigBody::from_json(record->body));
    named.insert(body.certifications.begin(), body.certifications.end());
  }
  for (const Digest& digest : named) {
    TALLA_TRY(const auto text, source.certification(digest));
    if (!text || bundle.certifications.size() == bundle_certifications_max) continue;
    TALLA_TRY(SignedCertification file, parse_certification_file(*text));
    bundle.certifications.push_back(std::move(file));
  }
  return {};
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
  return present;  // NOLINT(bugprone-return-const-ref-from-parameter): callers hold it
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
         kind == Kind::batch_close || kind == Kind::draw || kind == Kind::void_call ||
         kind == Kind::settlement;
}

namespace {

/// Whether an ACCESS ends an order for a laboratory's table.
bool ends_lab_order(const Record& record) {
  if (record.kind != Kind::access) return false;
  const auto body = AccessBody::from_json(record.body);
  if (!body || body->what != std::string(sampling_act) + ".done") return false;
  const auto order = SampleOrder::parse(body->object);
  return order && order->table();
}

/// The steps of two persons before the end of such an order. A confirmation comes within the time
/// of an act, so it is looked for behind the request.
Result<Bundle> collect_laboratory(const EvidenceSource& source, const Record& claim,
                                  Collector& collector) {
  constexpr std::uint64_t looked_at_most = 200'000;
  if (claim.cites.size() != 1)
    return fail(Errc::ledger_damaged, fmt::format("record {}: cites", claim.seq));
  const std::uint64_t asked = claim.cites.front();
  TALLA_TRY([[maybe_unused]] const Record request, collector.add(asked));
  const std::string confirmed = "\"" + std::string(sampling_act) + ".confirmed\"";
  for (std::uint64_t seq = asked + 1; seq < std::min(claim.seq, asked + looked_at_most); ++seq) {
    TALLA_TRY(const std::string bytes, source.record(seq));
    if (bytes.find(confirmed) == std::string::npos) continue;
    TALLA_TRY(const Record one, collector.look(seq));
    if (one.kind != Kind::access || one.cites != claim.cites) continue;
    TALLA_TRY([[maybe_unused]] const Record added, collector.add(seq));
    break;
  }
  Bundle bundle;
  bundle.claim = claim.seq;
  bundle.laboratory = true;
  for (const auto& [place, bytes] : collector.bytes()) {
    TALLA_TRY(auto path, source.inclusion(place));
    bundle.records.push_back({.record = bytes, .path = std::move(path)});
  }
  return bundle;
}

}  // namespace

Result<Bundle> collect_evidence(const EvidenceSource& source, std::uint64_t seq) {
  Collector collector(source);
  TALLA_TRY(const Record claim, collector.add(seq));
  if (ends_lab_order(claim)) return collect_laboratory(source, claim, collector);
  if (!kind_claims(claim.kind)) {
    return fail(Errc::not_found,
                fmt::format("record {} is a {}: it has its receipt, but proves no outcome",
                            claim.seq, kind_name(claim.kind)));
  }
  if (!ends_content(claim.body)) {
    return fail(Errc::not_found,
                fmt::format("record {} is a part; the last part proves the whole", claim.seq));
  }
  TALLA_TRY(const Record table, add_table(collector, claim));
  TALLA_TRY(const std::uint64_t begin, begin_of(collector, claim));
  TALLA_TRY_STATUS(collector.add_chain(seq, begin));
  while (collector.first_shoe_end() < collector.begun()) {
    TALLA_TRY_STATUS(collector.add_chain(collector.begun(), collector.first_shoe_end()));
  }
  Bundle bundle;
  bundle.claim = seq;
  if (claim.kind == Kind::settlement) {
    TALLA_TRY(bundle.catalogue, catalogue_of(source, table));
  }
  TALLA_TRY_STATUS(add_starts(collector, source, bundle));
  TALLA_TRY_STATUS(add_orders(collector));
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
  [[nodiscard]] Result<std::optional<std::string>> certification(
      const Digest& digest) const override {
    return log_.ledger().document(documents::certification(digest));
  }
  [[nodiscard]] Result<std::vector<Digest>> inclusion(std::uint64_t seq) const override {
    return log_.prover().inclusion(seq, size_);
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
  TALLA_TRY(bundle.checkpoint, log.prover().checkpoint(size));
  return bundle;
}

}  // namespace talla::certs
