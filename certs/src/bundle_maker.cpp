#include "certs/bundle_maker.hpp"

#include <fmt/format.h>

#include <set>

#include "format/parts.hpp"

namespace talla::certs {

namespace {

/// The records of one bundle, by seq.
class Collector {
 public:
  explicit Collector(const Ledger& ledger) : ledger_(ledger) {}

  /// The record with its parsed form. Errors: not_found, ledger_damaged.
  [[nodiscard]] Result<Record> add(std::uint64_t seq) {
    TALLA_TRY(LedgerRecord stored, ledger_.record(seq));
    auto record = parse_record(stored.bytes);
    if (!record) return fail(Errc::ledger_damaged, fmt::format("record {}: {}", seq, record.error().text()));
    bytes_[seq] = std::move(stored.bytes);
    return std::move(*record);
  }
  /// The chain that ends at `last`, back to its opening record, which is returned.
  [[nodiscard]] Result<Record> add_chain(std::uint64_t last) {
    TALLA_TRY(Record record, add(last));
    while (record.prev) {
      const std::uint64_t prev = *record.prev;
      if (prev >= record.seq) return fail(Errc::ledger_damaged, fmt::format("record {}: prev", record.seq));
      TALLA_TRY(record, add(prev));
    }
    return record;
  }
  [[nodiscard]] const std::map<std::uint64_t, std::string>& bytes() const { return bytes_; }

 private:
  const Ledger& ledger_;
  std::map<std::uint64_t, std::string> bytes_;
};

bool claims(Kind kind) {
  return kind_opens(kind) || kind == Kind::card_deal || kind == Kind::card_open || kind == Kind::shoe_cut ||
         kind == Kind::shoe_close || kind == Kind::batch_close || kind == Kind::draw ||
         kind == Kind::void_draw || kind == Kind::settlement;
}

/// A shoe or batch that a SETTLEMENT rests on, up to the last record cited; else the record alone.
Status add_cited(Collector& collector, const Ledger& ledger, const std::vector<std::uint64_t>& cites) {
  std::map<std::string, std::uint64_t> last;
  for (const std::uint64_t seq : cites) {
    TALLA_TRY(const LedgerRecord cited, ledger.record(seq));
    const std::string_view object_class = kind_object(cited.kind);
    if (object_class == "shoe" || object_class == "batch")
      last[cited.object] = std::max(last[cited.object], seq);
  }
  for (const auto& [object, seq] : last) {
    TALLA_TRY([[maybe_unused]] const Record opening, collector.add_chain(seq));
  }
  return {};
}

/// The round up to the BETS_CLOSED that the draw's INTENT cites.
Status add_bets_of_draw(Collector& collector, const Record& claim) {
  const json::Value* intent_seq = claim.body.find("intent");
  if (intent_seq == nullptr || !intent_seq->is_integer())
    return fail(Errc::ledger_damaged, "a draw without intent");
  TALLA_TRY(const Record intent, collector.add(static_cast<std::uint64_t>(intent_seq->integer())));
  for (const std::uint64_t cite : intent.cites) {
    TALLA_TRY(const Record cited, collector.add(cite));
    if (cited.kind == Kind::bets_closed) {
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

Result<std::string> catalogue_of(const Ledger& ledger, const Record& table) {
  TALLA_TRY(const TableOpenBody body, TableOpenBody::from_json(table.body));
  TALLA_TRY(auto text, ledger.catalogue(body.catalogue));
  if (!text) return fail(Errc::not_found, "catalogue " + to_hex(body.catalogue));
  return std::move(*text);
}

}  // namespace

Result<Bundle> make_bundle(Log& log, const BundleRequest& request) {
  const std::uint64_t size = request.size.value_or(log.size());
  if (request.claim >= size)
    return fail(Errc::not_found, fmt::format("no record {} at size {}", request.claim, size));
  Collector collector(log.ledger());
  TALLA_TRY(const Record claim, collector.add(request.claim));
  if (!claims(claim.kind)) {
    return fail(Errc::not_found, fmt::format("record {} is a {}: it has its receipt, but proves no outcome",
                                             claim.seq, kind_name(claim.kind)));
  }
  if (!ends_content(claim.body)) {
    return fail(Errc::not_found,
                fmt::format("record {} is a part; the last part proves the whole", claim.seq));
  }
  TALLA_TRY(const Record opening, collector.add_chain(request.claim));
  TALLA_TRY(const Record table, add_table(collector, opening));
  Bundle bundle{.claim = request.claim,
                .checkpoint = {},
                .records = {},
                .log_key = request.log_key,
                .catalogue = {},
                .state_before = request.state_before};
  if (claim.kind == Kind::settlement) {
    TALLA_TRY_STATUS(add_cited(collector, log.ledger(), claim.cites));
    TALLA_TRY(bundle.catalogue, catalogue_of(log.ledger(), table));
  }
  if (claim.kind == Kind::draw || claim.kind == Kind::void_draw) {
    TALLA_TRY_STATUS(add_bets_of_draw(collector, claim));
  }
  TALLA_TRY(bundle.checkpoint, log.checkpoint(size));
  for (const auto& [seq, bytes] : collector.bytes()) {
    TALLA_TRY(auto path, log.inclusion(seq, size));
    bundle.records.push_back({.record = bytes, .path = std::move(path)});
  }
  return bundle;
}

}  // namespace talla::certs
