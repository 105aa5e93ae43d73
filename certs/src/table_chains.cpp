// Keeps where the chain of each open table stands.
#include "certs/table_chains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "format/domain.hpp"

namespace talla::certs {

namespace {

constexpr std::uint64_t page_records = 1'000;

/// `table` of a record's text, which stands behind the body; empty: none.
std::string_view table_in(std::string_view text) {
  constexpr std::string_view front = ",\"table\":\"";
  const std::size_t at = text.rfind(front);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + front.size());
  return rest.substr(0, rest.find('"'));
}

Result<Record> parsed(const LedgerRecord& stored) {
  auto record = parse_record(stored.bytes);
  if (record) return record;
  return fail(Errc::ledger_damaged,
              fmt::format("record {}: {}", stored.seq, record.error().text()));
}

}  // namespace

Status TableChains::load() {
  TALLA_TRY(const auto objects, ledger_.open_objects());
  std::unordered_set<std::string> wanted;
  for (const ObjectState& object : objects) {
    if (object.id.starts_with(kind_object(Kind::table_open))) wanted.insert(object.id);
  }
  for (std::uint64_t to = ledger_.size(); to > 0 && !wanted.empty();) {
    const std::uint64_t from = to - std::min(to, page_records);
    TALLA_TRY(const auto page, ledger_.records(from, to));
    for (auto stored = page.rbegin(); stored != page.rend() && !wanted.empty(); ++stored) {
      if (!kind_chained(stored->kind)) continue;
      const auto found = wanted.find(std::string(table_in(stored->bytes)));
      if (found == wanted.end()) continue;
      TALLA_TRY(const Record record, parsed(*stored));
      if (!record.link || record.table != *found)
        return fail(Errc::ledger_damaged, fmt::format("record {}: no link", stored->seq));
      ends_[*found] = {stored->seq, chain_head(hashes_, *record.link, stored->leaf)};
      wanted.erase(found);
    }
    to = from;
  }
  if (wanted.empty()) return {};
  return fail(Errc::ledger_damaged, *wanted.begin() + ": no record of its chain");
}

Result<std::string> TableChains::table_of_object(const std::string& id) const {
  if (const auto staged = staged_tables_.find(id); staged != staged_tables_.end())
    return staged->second;
  if (const auto known = tables_.find(id); known != tables_.end()) return known->second;
  TALLA_TRY(const auto state, ledger_.object(id));
  if (!state) return fail(Errc::record_refused, "no object " + id);
  TALLA_TRY(const LedgerRecord stored, ledger_.record(state->opened));
  TALLA_TRY(Record opening, parsed(stored));
  return std::move(opening.table);
}

Result<std::string> TableChains::table_of(const Record& record) const {
  const std::string_view own = class_of_object(record.kind, record.body);
  if (own == kind_object(Kind::table_open)) return record.object;
  const bool shared = own == kind_object(Kind::meter_open);
  if (!shared && !kind_opens(record.kind)) return table_of_object(record.object);
  const json::Value* named = record.body.find(shared ? "round" : "table");
  if (named == nullptr || !named->is_string())
    return fail(Errc::record_refused, fmt::format("{} names no table", kind_name(record.kind)));
  return shared ? table_of_object(named->string()) : Result<std::string>(named->string());
}

Result<Digest> TableChains::head_behind(std::uint64_t close) const {
  for (const Step& step : staged_) {
    if (step.end.seq == close && !step.table.empty() && step.closed == step.table)
      return step.end.head;
  }
  TALLA_TRY(const LedgerRecord stored, ledger_.record(close));
  TALLA_TRY(const Record record, parsed(stored));
  if (record.kind != Kind::table_close || !record.link)
    return fail(Errc::record_refused, fmt::format("record {} is no TABLE_CLOSE", close));
  return chain_head(hashes_, *record.link, stored.leaf);
}

Status TableChains::place(Record& record, std::optional<std::uint64_t> follows) const {
  if (!kind_chained(record.kind)) return {};
  TALLA_TRY(record.table, table_of(record));
  if (record.kind == Kind::table_open) {
    record.link = Digest{};
    if (follows) {
      TALLA_TRY(record.link, head_behind(*follows));
    }
    return {};
  }
  const auto staged = staged_ends_.find(record.table);
  const auto written = staged == staged_ends_.end() ? ends_.find(record.table) : staged;
  if (staged == staged_ends_.end() && written == ends_.end())
    return fail(Errc::record_refused, "no open " + record.table);
  record.prev = written->second.seq;
  record.link = written->second.head;
  return {};
}

void TableChains::lay(const Step& step) {
  if (step.table.empty()) return;
  staged_ends_[step.table] = step.end;
  if (!step.object.empty()) staged_tables_[step.object] = step.table;
}

void TableChains::add(const Record& record, const Digest& leaf) {
  Step step;
  if (record.link) {
    step.table = record.table;
    if (kind_opens(record.kind) && record.kind != Kind::table_open) step.object = record.object;
    if (kind_closes(record.kind)) step.closed = record.object;
    step.end = {record.seq, chain_head(hashes_, *record.link, leaf)};
  }
  lay(step);
  staged_.push_back(std::move(step));
}

void TableChains::cut(std::size_t count) {
  if (count >= staged_.size()) return;
  staged_.resize(count);
  staged_ends_.clear();
  staged_tables_.clear();
  for (const Step& step : staged_) lay(step);
}

void TableChains::keep() {
  for (auto& [table, end] : staged_ends_) ends_[table] = end;
  tables_.merge(staged_tables_);
  for (const Step& step : staged_) {
    if (step.closed.empty()) continue;
    tables_.erase(step.closed);
    if (step.closed == step.table) ends_.erase(step.table);
  }
  drop();
}

void TableChains::drop() {
  staged_.clear();
  staged_ends_.clear();
  staged_tables_.clear();
}

}  // namespace talla::certs
