// The state of an appliance that starts.
#include "restart.hpp"

#include <algorithm>

#include "acts.hpp"
#include "again.hpp"
#include "catalogues.hpp"
#include "commands.hpp"
#include "documents.hpp"
#include "events.hpp"
#include "people.hpp"
#include "shuffle/deck.hpp"

namespace talla::core {
namespace {

using certs::Kind;

constexpr std::uint64_t page_records = 1000;

/// Null when the sealed text is not what the record committed to.
std::shared_ptr<const certs::SealedShoe> restore_shoe(const HashSuite& hashes,
                                                      const certs::Record& record,
                                                      const SecretBytes& plain) {
  const auto body = certs::ShoeCommitBody::from_json(record.body);
  if (!body) return nullptr;
  const auto deck = shuffle::DeckSpec::parse(body->deck);
  if (!deck) return nullptr;
  auto shoe = certs::SealedShoe::restore(hashes, record.object, *deck, plain, *body);
  return shoe ? std::make_shared<const certs::SealedShoe>(std::move(*shoe)) : nullptr;
}
std::shared_ptr<const certs::SealedShoe> restore_again(const World& world,
                                                       const certs::Record& record,
                                                       const SecretBytes& plain) {
  const auto body = certs::ShoeRecommitBody::from_json(record.body);
  const auto seq = certs::object_seq("shoe", record.object);
  const auto before = seq ? world.shoes.find(*seq) : world.shoes.end();
  if (!body || before == world.shoes.end() || !before->second.secrets) return nullptr;
  const Shoe& newest = before->second;
  auto shoe = certs::SealedShoe::restore_again(
      *newest.secrets, {newest.progress, newest.replaced, body->returned, body->older}, plain,
      body->commit);
  return shoe ? std::make_shared<const certs::SealedShoe>(std::move(*shoe)) : nullptr;
}
std::shared_ptr<const certs::SecretBatch> restore_batch(const HashSuite& hashes,
                                                        const certs::Record& record,
                                                        const SecretBytes& plain) {
  const auto body = certs::BatchCommitBody::from_json(record.body);
  if (!body) return nullptr;
  auto batch = certs::SecretBatch::restore(hashes, record.object, plain, body->root);
  return batch ? std::make_shared<const certs::SecretBatch>(std::move(*batch)) : nullptr;
}

}  // namespace

bool is_clean_stop(const certs::Ledger& ledger) {
  if (ledger.size() == 0) return true;
  const auto last = ledger.record(ledger.size() - 1);
  if (!last || last->kind != Kind::power) return false;
  const auto record = certs::parse_record(last->bytes);
  if (!record) return false;
  const auto* event = record->body.find("event");
  return event != nullptr && event->is_string() && event->string() == "stop";
}

Status Restart::run() {
  TALLA_TRY_STATUS(replay());
  Overlay overlay(appliance_.world());
  TALLA_TRY_STATUS(load_drafts(overlay));
  TALLA_TRY_STATUS(load_targets(overlay));
  TALLA_TRY_STATUS(load_panels(overlay));
  TALLA_TRY_STATUS(load_people(overlay));
  appliance_.keep(overlay);
  return {};
}

Status Restart::replay() {
  TALLA_TRY(const auto objects, appliance_.effects.log.ledger().open_objects());
  std::uint64_t from = appliance_.effects.log.size();
  for (const auto& object : objects) {
    open_.insert(object.id);
    if (object.id.starts_with("meter-")) TALLA_TRY_STATUS(load_meter(object));
    if (object.id.starts_with("table-")) from = std::min(from, resume_table(object));
  }
  TALLA_TRY(const auto acts, appliance_.effects.log.ledger().document(certs::documents::acts()));
  TALLA_TRY(const auto first_act, first_of(acts));
  from = std::min(from, first_act.value_or(from));
  while (from < appliance_.effects.log.size()) {
    TALLA_TRY(const auto page, appliance_.effects.log.ledger().records(from, from + page_records));
    if (page.empty()) return fail(Errc::replay_failed, "the ledger ends early");
    for (const auto& stored : page) TALLA_TRY_STATUS(replay_record(stored));
    from += page.size();
  }
  return {};
}

/// The table that a known object belongs to; nothing for the machine's records and for objects not
/// in the world.
std::optional<ObjectSeq> Restart::table_of_known(std::string_view object) const {
  const auto within = [&](std::string_view object_class,
                          const auto& map) -> std::optional<ObjectSeq> {
    const auto seq = certs::object_seq(object_class, object);
    const auto found = seq ? map.find(*seq) : map.end();
    return found == map.end() ? std::nullopt : std::optional(found->second.table);
  };
  if (const auto table = certs::object_seq("table", object))
    return appliance_.world().tables.contains(*table) ? std::optional(*table) : std::nullopt;
  if (const auto shoe = within("shoe", appliance_.world().shoes)) return shoe;
  if (const auto batch = within("batch", appliance_.world().batches)) return batch;
  return within("round", appliance_.world().rounds);
}

std::optional<ObjectSeq> Restart::table_of_known(const certs::LedgerRecord& stored) const {
  const auto round = round_of_meter(stored);
  return table_of_known(std::string_view(round.empty() ? stored.object : round));
}

Status Restart::load_meter(const certs::ObjectState& object) {
  Overlay overlay(appliance_.world());
  TALLA_TRY_STATUS(fold(object.opened, overlay));
  if (object.last != object.opened) {
    TALLA_TRY(const auto stored, appliance_.effects.log.ledger().record(object.last));
    TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
    TALLA_TRY(const auto body, certs::MeterBody::from_json(record.body));
    Documents::take_meter(overlay, object.opened, body.after, object.last);
  }
  appliance_.keep(overlay);
  return {};
}

/// Whether a record of an open table still has to be folded in. Opening records name their table in
/// the body.
bool Restart::is_wanted(const certs::Record& record) const {
  if (record.kind == Kind::table_open)
    return open_.contains(record.object) && !appliance_.world().tables.contains(record.seq);
  const auto* named = record.body.find("table");
  if (named == nullptr || !named->is_string() || !open_.contains(named->string())) return false;
  const auto table = certs::object_seq("table", named->string());
  return table && !points_.told(*table, record.seq);
}

Result<Secrets> Restart::unseal(const certs::Record& record) {
  Secrets secrets;
  if (record.kind != Kind::shoe_commit && record.kind != Kind::shoe_recommit &&
      record.kind != Kind::batch_commit)
    return secrets;
  TALLA_TRY(const auto sealed, appliance_.effects.log.ledger().sealed(record.object));
  const auto found = std::ranges::find(sealed, record.seq, &certs::SealedSecret::seq);
  if (found == sealed.end())
    return secrets;  // opened since; latch_lost_secrets looks for those that should be there
  const auto& one = *found;
  const auto plain = appliance_.effects.sealer.unseal(
      {appliance_.effects.log.origin(), one.seq, one.kind, one.object}, one.sealed);
  if (plain && record.kind == Kind::shoe_commit)
    secrets.shoe = restore_shoe(appliance_.effects.hashes, record, *plain);
  if (plain && record.kind == Kind::shoe_recommit)
    secrets.shoe = restore_again(appliance_.world(), record, *plain);
  if (plain && record.kind == Kind::batch_commit)
    secrets.batch = restore_batch(appliance_.effects.hashes, record, *plain);
  if (!secrets.shoe && !secrets.batch) {
    appliance_.metrics.count("talla_seals_unusable_total");
    appliance_.effects.supply.latch(entropy::LatchReason::other);
  }
  return secrets;
}

Result<std::shared_ptr<const json::Value>> Restart::carried_over(
    const certs::Record& record) const {
  const auto* continues = record.kind == Kind::table_open ? record.body.find("continues") : nullptr;
  if (continues == nullptr) return nullptr;
  TALLA_TRY(const auto text,
            appliance_.effects.log.ledger().document(certs::documents::state(record.object)));
  if (!text) return fail(Errc::replay_failed, "what a table carried over is not in the ledger");
  TALLA_TRY(auto value, json::parse(*text));
  return std::make_shared<const json::Value>(std::move(value));
}

Status Restart::fold(const certs::Record& record, const Digest& leaf, Overlay& overlay) {
  if (record.kind == Kind::table_open) {
    TALLA_TRY(const auto body, certs::TableOpenBody::from_json(record.body));
    if (body.catalogue != Digest{} && !appliance_.catalogues->by_digest(body.catalogue)) {
      TALLA_TRY(auto file, appliance_.effects.log.ledger().catalogue(body.catalogue));
      if (!file) return fail(Errc::replay_failed, "a catalogue in use is not in the ledger");
      TALLA_TRY_STATUS(appliance_.catalogues->add(std::move(*file)));
    }
  }
  TALLA_TRY(Secrets secrets, unseal(record));
  TALLA_TRY(secrets.carried, carried_over(record));
  Status done = apply(appliance_.context, overlay, record, leaf, secrets);
  if (done || done.error().is(Errc::replay_failed)) return done;
  return fail(Errc::replay_failed,
              "record " + std::to_string(record.seq) + ": " + done.error().text());
}

Status Restart::fold(std::uint64_t seq, Overlay& overlay) {
  TALLA_TRY(const auto stored, appliance_.effects.log.ledger().record(seq));
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  return fold(record, stored.leaf, overlay);
}

Status Restart::replay_record(const certs::LedgerRecord& stored) {
  const bool machine = stored.object.empty();
  if (machine && stored.kind != Kind::health && stored.kind != Kind::access) return {};
  if (!machine && !certs::kind_opens(stored.kind)) {  // most records: judged before they are parsed
    const auto table = table_of_known(stored);
    if (!table || points_.told(*table, stored.seq)) return {};
  }
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  if (certs::kind_opens(record.kind) && !is_wanted(record)) return {};
  appliance_.metrics.count("talla_replayed_records_total");
  Overlay overlay(appliance_.world());
  TALLA_TRY_STATUS(fold(record, stored.leaf, overlay));
  if (machine) {
    // What a resume point says of its table holds: it was written later.
    for (const auto table : points_.told_of(record.seq)) {
      const auto found = appliance_.world().tables.find(table);
      if (found == appliance_.world().tables.end()) continue;
      Documents::take_suspension(overlay, table, found->second.suspended);
    }
  }
  appliance_.keep(overlay);
  return {};
}

/// The seq from which the log has to be read for this table.
std::uint64_t Restart::resume_table(const certs::ObjectState& table) {
  const auto point = points_.read(table.id);
  if (!point) {
    if (!point.error().is(Errc::not_found))
      appliance_.metrics.count("talla_resume_points_refused_total");
    return table.opened;
  }
  Overlay overlay(appliance_.world());
  const auto resumed = [&]() -> Status {
    TALLA_TRY_STATUS(fold(table.opened, overlay));
    TALLA_TRY_STATUS(point->begin(overlay));
    for (const auto opening : point->openings()) TALLA_TRY_STATUS(fold(opening, overlay));
    return point->finish(overlay);
  }();
  if (!resumed) {
    appliance_.metrics.count("talla_resume_points_refused_total");
    return table.opened;
  }
  appliance_.keep(overlay);
  points_.resumed(table.opened, point->seq());
  return point->seq();
}

Status Restart::load_drafts(Overlay& overlay) const {
  for (const auto& [seq, round] : appliance_.world().rounds) {
    if (round.ended || round.bets_closed) continue;
    TALLA_TRY(const auto text, document(certs::documents::bets(round.id)));
    if (text.empty()) continue;
    TALLA_TRY(const auto value, json::parse(text));
    TALLA_TRY(auto draft, BetDraft::from_json(value));
    Documents::take_draft(overlay, seq, std::move(draft));
  }
  return {};
}

/// Who was invited, what was committed ahead, and what was opened behind a call that waits.
Status Restart::load_panels(Overlay& overlay) const {
  for (const auto& [seq, table] : appliance_.world().tables) {
    if (table.closed) continue;
    TALLA_TRY(const auto committed, document(certs::documents::contributors(table.id)));
    if (!committed.empty()) {
      Panel panel = table.panel;
      TALLA_TRY_STATUS(panel.take_document(committed));
      Documents::take_panel(overlay, seq, std::move(panel));
    }
    TALLA_TRY(const auto ordered, document(certs::documents::order(table.id)));
    if (!ordered.empty()) {
      TALLA_TRY(auto order, order_from(ordered));
      Documents::take_order(overlay, seq, std::move(order));
    }
    if (!table.open_call) continue;
    TALLA_TRY(const auto opened, document(certs::documents::openings(table.id)));
    if (opened.empty()) continue;
    CallUnderWay call = *table.open_call;
    TALLA_TRY_STATUS(take_openings(call, opened));
    for (const auto& [id, one] : call.opened()) Documents::take_opening(overlay, seq, id, one);
  }
  return {};
}

Status Restart::load_targets(Overlay& overlay) const {
  for (const auto& [seq, shoe] : appliance_.world().shoes) {
    if (!shoe.release) continue;
    TALLA_TRY(const auto text, document(certs::documents::targets(shoe.id)));
    if (text.empty()) continue;
    TALLA_TRY(const auto given, json::parse(text));
    json::Reader reader(given, "targets");
    TALLA_TRY(const auto release, reader.integer("release", 0, json::integer_max));
    TALLA_TRY(const auto count, reader.integer("targets", 0, std::int64_t{shoe.commit.cards}));
    if (static_cast<std::uint64_t>(release) == shoe.release->seq)
      Documents::take_targets(overlay, seq, static_cast<std::uint32_t>(count));
  }
  return {};
}

/// Who is enrolled, and what two persons approved, as their documents have it.
Status Restart::load_people(Overlay& overlay) const {
  TALLA_TRY(const auto enrolment, document(certs::documents::enrolment()));
  if (!enrolment.empty()) {
    TALLA_TRY(auto clients, enrolment_from(enrolment));
    Documents::take_clients(overlay, std::move(clients));
  }
  TALLA_TRY(const auto open, document(certs::documents::approvals()));
  std::vector<Approval> approvals;
  if (!open.empty()) {
    TALLA_TRY(approvals, approvals_from(open));
  }
  Documents::take_approvals(overlay, std::move(approvals));
  return {};
}

/// Empty when there is none.
Result<std::string> Restart::document(const certs::DocumentName& name) const {
  TALLA_TRY(auto text, appliance_.effects.log.ledger().document(name));
  return std::move(text).value_or(std::string());
}

}  // namespace talla::core
