#include "log_builder.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "format/body_machine.hpp"
#include "format/domain.hpp"

namespace talla::certs::test {

namespace {

const std::string& text_of(const json::Value& body, std::string_view name) {
  const json::Value* member = body.find(name);
  TALLA_CHECK(member != nullptr && member->is_string());
  return member->string();
}

}  // namespace

/// Table, prev, link and meter_prev, as a writer gives them.
void LogBuilder::place(const Entry& entry, Record& record) {
  const bool of_meter = class_of_object(record.kind, record.body) == kind_object(Kind::meter_open);
  if (of_meter && !kind_opens(record.kind)) record.meter_prev = belonging_.newest.at(record.object);
  if (!kind_chained(record.kind)) return;
  if (record.kind == Kind::table_open) {
    record.table = record.object;
    record.link = entry.follows ? ends_.at(records_[*entry.follows].table).head : Digest{};
    return;
  }
  if (!entry.table.empty()) {  // another table, of which nothing else is told
    record.table = entry.table;
    record.prev = record.seq - 1;
    record.link = Digest{};
    return;
  }
  const bool named = kind_opens(record.kind);
  record.table = of_meter ? belonging_.tables.at(text_of(record.body, "round"))
                 : named  ? text_of(record.body, "table")
                          : belonging_.tables.at(record.object);
  record.prev = ends_.at(record.table).seq;
  record.link = ends_.at(record.table).head;
}

void LogBuilder::count(const Record& record) {
  PlaceCounts& counts = counts_[record.table];
  Told& told = told_[record.table];
  const Digest none = bets_digest(hashes, json::Array{});
  if (record.kind == Kind::table_open) {
    if (auto body = TableOpenBody::from_json(record.body)) {
      counts = body->counts;
      told.opening = std::move(*body);
    }
    told.bets = none;
  }
  if (record.kind == Kind::round_open) told.round = record.object;
  if (record.kind == Kind::round_end) told.round = "0";
  if (record.kind == Kind::round_open || record.kind == Kind::round_end) told.bets = none;
  if (record.kind == Kind::bets_closed) {
    const auto body = BetsClosedBody::from_json(record.body);
    if (body && body->part.last()) told.bets = body->digest;
  }
  if (record.kind == Kind::call && record.object == told.shoe) told.called = true;
  if (record.kind == Kind::card_deal) ++told.dealt;
  if (record.kind == Kind::shoe_commit || record.kind == Kind::shoe_recommit) told.dealt = 0;
  if (record.kind == Kind::shoe_commit) {
    told.shoe = record.object;
    told.called = false;
    told.shoe_before = told.shoe_close;
  }
  if (record.kind == Kind::call || record.body.find("core") != nullptr) ++counts.turns;
  if (record.kind == Kind::void_call) ++counts.voids;
  if (record.kind != Kind::shoe_close) return;
  told.dealt = 0;
  told.shoe_close = record.seq;
  const std::string& reason = text_of(record.body, "reason");
  if (reason == "closed" || reason == "voided") ++counts.early_closes;
}

/// Whoever lies about a core has the key, and signs it again.
void LogBuilder::take_lie(Record& record) {
  if (record.kind != tamper_.kind || !tamper_.change || seen_++ != tamper_.occurrence) return;
  const json::Value* core = record.body.find("core");
  const json::Value before = core == nullptr ? json::Value() : *core;
  tamper_.change(record);
  core = record.body.find("core");
  if (core == nullptr || *core == before) return;
  const std::string text = json::canonical(*core);
  record.body["signature"] = to_base64(pki_.sign_call(text));
}

void LogBuilder::name_key(TableOpenBody& table) const {
  table.key = pki_.table_spki();
  table.chain = pki_.table_chain();
}

CallBody LogBuilder::signed_core(const Wish& wish,
                                 const std::function<void(CallCore&)>& change) const {
  const std::string& table = belonging_.tables.at(wish.object);
  const Told& told = told_.at(table);
  const TableOpenBody& opening = told.opening;
  CallBody body;
  CallCore& core = body.core;
  core.origin = story_origin;
  core.table = table;
  core.turn = static_cast<std::uint32_t>(counts_.at(table).turns - opening.counts.turns + 1);
  core.head = ends_.at(table).head;
  core.use = wish.use;
  core.object = wish.object;
  core.root = wish.root;
  core.at = wish.at;
  core.round = told.round;
  core.bets = wish.bets.value_or(told.bets);
  core.specification = wish.specification;
  core.game = opening.game;
  core.variant = opening.variant;
  core.catalogue = opening.catalogue;
  core.parameters = parameters_digest(hashes, opening.parameters);
  core.value = hashes.sha256({as_bytes("number of turn "), ByteWriter().u32(core.turn).bytes()});
  if (panel_ != nullptr) core.others = panel_->others(hashes, opening_of(table));
  if (change) change(core);
  body.signature = pki_.sign_call(core.bytes());
  return body;
}

Digest LogBuilder::opening_of(const std::string& table) const {
  const auto seq = object_seq("table", table);
  TALLA_CHECK(seq.has_value());
  return leaf_hash(hashes, as_bytes(texts_.at(*seq)));
}

std::vector<CallOpening> LogBuilder::opened(const CallCore& core) const {
  if (panel_ == nullptr) return {};
  return panel_->open(hashes, opening_of(belonging_.tables.at(core.object)), core);
}

LogBuilder::Called LogBuilder::call(const Wish& wish) {
  CallBody body = signed_core(wish, {});
  std::vector<std::uint64_t> cites{ends_.at(belonging_.tables.at(wish.object)).seq};
  const Told& told = told_.at(belonging_.tables.at(wish.object));
  if (wish.object == told.shoe && !told.called && told.shoe_before)
    cites.push_back(*told.shoe_before);
  if (ordered) ordered(body, cites);
  std::ranges::sort(cites);
  const auto seq = add({Kind::call, wish.object, body.to_json(), std::move(cites)});
  const auto logged = CallBody::from_json(records_[seq].body);
  TALLA_CHECK(logged.has_value());
  return {seq, logged->core};
}

std::uint64_t LogBuilder::add(Entry entry) {
  Record record;
  record.origin = story_origin;
  record.seq = records_.size();
  record.kind = entry.kind;
  record.time_us = epoch_us + static_cast<std::int64_t>(record.seq) * 1'000 + waited_us_;
  record.time_quality = TimeQuality::synced;
  record.client = entry.client.value_or(Client{"urn:talla:table-1", client_spki()});
  record.cites = std::move(entry.cites);
  record.body = std::move(entry.body);
  if (kind_opens(entry.kind)) {
    record.object = object_id(kind_object(entry.kind), record.seq);
  } else if (!entry.object.empty()) {
    record.object = entry.object;
  }
  place(entry, record);
  const std::string table = record.table;  // whatever a lie says
  take_lie(record);
  auto text = write_record(record);
  TALLA_CHECK(text.has_value());
  const Digest leaf = leaf_hash(hashes, as_bytes(*text));
  const std::string object = object_id(kind_object(entry.kind), records_.size());
  belonging_.newest[record.object] = records_.size();
  if (record.link && entry.table.empty()) {
    ends_[table] = {records_.size(), chain_head(hashes, *record.link, leaf)};
    belonging_.tables.emplace(kind_opens(entry.kind) ? object : record.object, table);
    count(record);
  }
  tree_.append(hashes, leaf);
  records_.push_back(std::move(record));
  texts_.push_back(std::move(*text));
  return records_.size() - 1;
}

const std::vector<std::string>& ordering_persons() {
  static const std::vector<std::string> both{"urn:talla:inspector", "urn:talla:officer"};
  return both;
}

std::uint64_t LogBuilder::order(std::string_view act, const std::string& object,
                                const std::string& table, std::optional<std::uint64_t> call) {
  const Digest at = head(table);
  const Bytes statement = order_statement(story_origin, object, at, act);
  AccessBody step;
  step.object = object;
  std::vector<std::uint64_t> cites;
  if (call) cites.push_back(*call);
  for (const std::string& id : ordering_persons()) {
    step.what = std::string(act) + (step.by.empty() ? ".asked" : ".confirmed");
    step.by.push_back(id);
    step.order = AccessOrder{at, ordering_.persons.key(id), ordering_.persons.sign(id, statement)};
    const Client client{id, hashes.sha256({step.order->key})};
    cites = {add({Kind::access, {}, step.to_json(), std::move(cites), {}, {}, client})};
    ordering_.tables.emplace(cites.front(), table);
  }
  return cites.front();
}

std::string LogBuilder::checkpoint() const {
  return *sign_checkpoint(hashes, {records_.front().origin, tree_.size(), tree_.root(hashes)},
                          pki_);
}

void LogBuilder::change_log_key() {
  KeyBody body;
  body.log_key = pki_.next_log_key();
  const auto seq = add({Kind::key, "", body.to_json(), {}});
  changes_.push_back({.log_key = pki_.log_key(),
                      .checkpoint = checkpoint(),
                      .record = texts_[seq],
                      .path = tree_.inclusion_path(hashes, seq),
                      .consistency = {}});
  pki_.change_log_key();
}

std::vector<KeyChange> LogBuilder::changes() const {
  const NodeSource nodes = [this](unsigned level, std::uint64_t index) {
    return tree_.node(level, index);
  };
  auto out = changes_;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto size_at = [&](std::size_t at) {
      return at == out.size() ? tree_.size()
                              : parse_checkpoint(out[at].checkpoint)->checkpoint.size;
    };
    out[i].consistency = *consistency_path(hashes, nodes, size_at(i), size_at(i + 1));
  }
  return out;
}

Bundle LogBuilder::select(const Selection& selection) const {
  Bundle bundle;
  bundle.claim = selection.claim;
  bundle.checkpoint = checkpoint();
  bundle.log_key = pki_.log_key();
  bundle.key_changes = changes();
  bundle.catalogue = selection.catalogue;
  bundle.state_before = selection.state_before;
  for (const Record& record : records_) {
    const auto& wanted = selection.objects;
    const auto named = [&](const std::string& id) {
      return std::find(wanted.begin(), wanted.end(), id) != wanted.end();
    };
    const bool chained =
        named(record.table) && (record.seq >= selection.from || record.kind == Kind::table_open);
    const bool more =
        std::find(selection.more.begin(), selection.more.end(), record.seq) != selection.more.end();
    const bool moves = record.object.starts_with("meter-") && named(record.object);
    const auto order = ordering_.tables.find(record.seq);
    const bool orders =
        order != ordering_.tables.end() && named(order->second) && record.seq >= selection.from;
    if (record.seq > selection.claim || (!chained && !more && !moves && !orders)) continue;
    bundle.records.push_back({texts_[record.seq], tree_.inclusion_path(hashes, record.seq)});
  }
  return bundle;
}

Receipt LogBuilder::receipt(std::uint64_t seq) const {
  return {format_proof({seq, tree_.inclusion_path(hashes, seq), checkpoint()}), texts_[seq]};
}

Context development_context() {
  Context context;
  context.construction = "system";
  context.uncertified = true;
  context.sources = {{"getrandom", "system", 8000, "not_tested"}};
  context.reseeds = 2;
  context.generates = 5;
  context.software.fill(0x21);
  context.config.fill(0x22);
  return context;
}

}  // namespace talla::certs::test
