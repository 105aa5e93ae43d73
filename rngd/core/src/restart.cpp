#include <algorithm>

#include "catalogues.hpp"
#include "commands.hpp"
#include "core.hpp"
#include "format/openings.hpp"
#include "shuffle/deck.hpp"
#include "voids.hpp"

namespace talla::core {
namespace {

using certs::Kind;

constexpr std::uint64_t page_records = 1000;

/// The path of POST /v1/draws: the only request whose reply a restart completes.
constexpr const char* draws_path = "/v1/draws";

bool is_clean_stop(const certs::Ledger& ledger) {
  if (ledger.size() == 0) return true;
  const auto last = ledger.record(ledger.size() - 1);
  if (!last || last->kind != Kind::power) return false;
  const auto record = certs::parse_record(last->bytes);
  if (!record) return false;
  const auto* event = record->body.find("event");
  return event != nullptr && event->is_string() && event->string() == "stop";
}

/// Null when the sealed text is not what the record committed to.
std::shared_ptr<const certs::SealedShoe> restore_shoe(const HashSuite& hashes, const certs::Record& record,
                                                      const SecretBytes& plain) {
  const auto body = certs::ShoeCommitBody::from_json(record.body);
  if (!body) return nullptr;
  const auto deck = shuffle::DeckSpec::parse(body->deck);
  if (!deck) return nullptr;
  auto shoe = certs::SealedShoe::restore(hashes, record.object, *deck, plain, *body);
  return shoe ? std::make_shared<const certs::SealedShoe>(std::move(*shoe)) : nullptr;
}
std::shared_ptr<const certs::SealedShoe> restore_again(const World& world, const certs::Record& record,
                                                       const SecretBytes& plain) {
  const auto body = certs::ShoeRecommitBody::from_json(record.body);
  const auto seq = certs::object_seq("shoe", record.object);
  const auto before = seq ? world.shoes.find(*seq) : world.shoes.end();
  if (!body || before == world.shoes.end() || !before->second.secrets) return nullptr;
  const Shoe& newest = before->second;
  auto shoe = certs::SealedShoe::restore_again(
      *newest.secrets, {newest.progress, newest.replaced, body->returned, body->older}, plain, body->commit);
  return shoe ? std::make_shared<const certs::SealedShoe>(std::move(*shoe)) : nullptr;
}
std::shared_ptr<const certs::SecretBatch> restore_batch(const HashSuite& hashes, const certs::Record& record,
                                                        const SecretBytes& plain) {
  const auto body = certs::BatchCommitBody::from_json(record.body);
  if (!body) return nullptr;
  auto batch = certs::SecretBatch::restore(hashes, record.object, plain, body->root);
  return batch ? std::make_shared<const certs::SecretBatch>(std::move(*batch)) : nullptr;
}

}  // namespace

Service::Core::Core(Settings settings, Effects effects, std::unique_ptr<Catalogues> catalogues)
    : settings_(std::move(settings)),
      effects_(std::move(effects)),
      catalogues_(std::move(catalogues)),
      context_{effects_.hashes, [this](const Digest& digest) { return catalogues_->by_digest(digest); }},
      parts_(make_parts()),
      events_(effects_.log.ledger()),
      rate_limit_(settings_.client_rate_per_s, settings_.client_burst),
      pace_(settings_.syncs_at_once, settings_.overlap_from_us * 1000),
      log_keys_{effects_.log_key, effects_.retired_keys} {}

Service::Core::~Core() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Parts Service::Core::make_parts() {
  return {settings_,
          effects_.clock,
          effects_.hashes,
          effects_.supply,
          *catalogues_,
          [this](const std::string& client, const Bytes& nonce) -> Result<bool> {
            return effects_.log.nonce_used(client, nonce);
          },
          [this](const std::string& client, const std::string& object) {
            const auto state = effects_.log.ledger().object(object);
            return state && state->has_value() && events_.owned(client, object);
          },
          [this] { return commitments_allowed(); },
          [this] { return reset_allowed(); },
          [this](const std::string& object, std::uint64_t seq) { return unsealed(object, seq); },
          [this](const std::string& shoe) { return openings(shoe); },
          [this](const std::string& name) { count(name); },
          [this]() -> Result<certs::LogKey> {
            TALLA_TRY(auto next, next_log_key());
            return std::move(next.log_key);
          },
          [this] { return effects_.log.anchor_lag(); },
          [this](const Digest& manifest) { return update_possible(manifest); }};
}

Status Service::Core::begin() {
  clean_before_ = is_clean_stop(effects_.log.ledger());
  anchored_ns_ = effects_.clock.monotonic_ns();
  watch_clock();
  TALLA_TRY_STATUS(replay());
  TALLA_TRY_STATUS(load_drafts());
  TALLA_TRY_STATUS(load_people());
  prune();
  TALLA_TRY_STATUS(load_latch());
  if (settings_.ended) {
    publish_people(people_now());
    keep_house();
    return {};
  }
  latch_lost_secrets();
  TALLA_TRY_STATUS(add_start_records());
  record_events();
  TALLA_TRY_STATUS(end_interrupted_resets());
  TALLA_TRY_STATUS(complete_open_intents());
  commit_group();
  if (failed_) return fail(Errc::ledger_failed, "the first group could not be committed");
  publish_people(people_now());
  TALLA_TRY_STATUS(effects_.log.write_anchor());  // behind the KEY records of this start
  anchor_good_ns_ = anchored_ns_;
  keep_house();
  return {};
}

/// A live shoe or batch without its secret cannot go on as committed.
void Service::Core::latch_lost_secrets() {
  if (secrets_lost()) effects_.supply.latch(entropy::LatchReason::other);
}

Status Service::Core::replay() {
  TALLA_TRY(const auto objects, effects_.log.ledger().open_objects());
  std::set<std::string> open;
  std::uint64_t from = effects_.log.size();
  for (const auto& object : objects) {
    open.insert(object.id);
    if (object.id.starts_with("meter-")) TALLA_TRY_STATUS(load_meter(object));
    if (object.id.starts_with("table-")) from = std::min(from, resume_table(object));
  }
  TALLA_TRY(const auto acts, effects_.log.ledger().draft(acts_document));
  TALLA_TRY(const auto first_act, first_of(acts));
  from = std::min(from, first_act.value_or(from));
  while (from < effects_.log.size()) {
    TALLA_TRY(const auto page, effects_.log.ledger().records(from, from + page_records));
    if (page.empty()) return fail(Errc::replay_failed, "the ledger ends early");
    for (const auto& stored : page) TALLA_TRY_STATUS(replay_record(stored, open));
    from += page.size();
  }
  return {};
}

/// The table that a known object belongs to; nothing for the machine's records and for objects not in the world.
std::optional<ObjectSeq> Service::Core::table_of_known(std::string_view object) const {
  const auto within = [&](std::string_view object_class, const auto& map) -> std::optional<ObjectSeq> {
    const auto seq = certs::object_seq(object_class, object);
    const auto found = seq ? map.find(*seq) : map.end();
    return found == map.end() ? std::nullopt : std::optional(found->second.table);
  };
  if (const auto table = certs::object_seq("table", object))
    return world_.tables.contains(*table) ? std::optional(*table) : std::nullopt;
  if (const auto shoe = within("shoe", world_.shoes)) return shoe;
  if (const auto batch = within("batch", world_.batches)) return batch;
  return within("round", world_.rounds);
}

std::optional<ObjectSeq> Service::Core::table_of_known(const certs::LedgerRecord& stored) const {
  const auto round = round_of_meter(stored);
  return table_of_known(std::string_view(round.empty() ? stored.object : round));
}

Status Service::Core::load_meter(const certs::ObjectState& object) {
  Overlay overlay(world_);
  TALLA_TRY_STATUS(fold(object.opened, overlay));
  if (object.last != object.opened) {
    TALLA_TRY(const auto stored, effects_.log.ledger().record(object.last));
    TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
    TALLA_TRY(const auto body, certs::MeterBody::from_json(record.body));
    auto* meter = overlay.edit_meter(object.opened);
    meter->value = body.after;
    meter->last_seq = object.last;
  }
  overlay.keep();
  return {};
}

/// Whether a record of an open table still has to be folded in. Opening records name their table in the body.
bool Service::Core::is_wanted(const certs::Record& record, const std::set<std::string>& open) const {
  if (record.kind == Kind::table_open)
    return open.contains(record.object) && !world_.tables.contains(record.seq);
  const auto* named = record.body.find("table");
  if (named == nullptr || !named->is_string() || !open.contains(named->string())) return false;
  const auto table = certs::object_seq("table", named->string());
  return table && !told(*table, record.seq);
}

Result<Secrets> Service::Core::unseal(const certs::Record& record) {
  Secrets secrets;
  if (record.kind != Kind::shoe_commit && record.kind != Kind::shoe_recommit &&
      record.kind != Kind::batch_commit)
    return secrets;
  TALLA_TRY(const auto sealed, effects_.log.ledger().sealed(record.object));
  const auto found = std::ranges::find(sealed, record.seq, &certs::SealedSecret::seq);
  if (found == sealed.end())
    return secrets;  // opened since; latch_lost_secrets looks for those that should be there
  const auto& one = *found;
  const auto plain =
      effects_.sealer.unseal({effects_.log.origin(), one.seq, one.kind, one.object}, one.sealed);
  if (plain && record.kind == Kind::shoe_commit) secrets.shoe = restore_shoe(effects_.hashes, record, *plain);
  if (plain && record.kind == Kind::shoe_recommit) secrets.shoe = restore_again(world_, record, *plain);
  if (plain && record.kind == Kind::batch_commit)
    secrets.batch = restore_batch(effects_.hashes, record, *plain);
  if (!secrets.shoe && !secrets.batch) {
    count("talla_seals_unusable_total");
    effects_.supply.latch(entropy::LatchReason::other);
  }
  return secrets;
}

Result<std::shared_ptr<const json::Value>> Service::Core::carried_over(const certs::Record& record) const {
  const auto* continues = record.kind == Kind::table_open ? record.body.find("continues") : nullptr;
  if (continues == nullptr) return nullptr;
  TALLA_TRY(const auto text, effects_.log.ledger().draft(state_document(record.object)));
  if (!text) return fail(Errc::replay_failed, "what a table carried over is not in the ledger");
  TALLA_TRY(auto value, json::parse(*text));
  return std::make_shared<const json::Value>(std::move(value));
}

Status Service::Core::fold(const certs::Record& record, Overlay& overlay) {
  if (record.kind == Kind::table_open) {
    TALLA_TRY(const auto body, certs::TableOpenBody::from_json(record.body));
    if (body.catalogue != Digest{} && !catalogues_->by_digest(body.catalogue)) {
      TALLA_TRY(auto file, effects_.log.ledger().catalogue(body.catalogue));
      if (!file) return fail(Errc::replay_failed, "a catalogue in use is not in the ledger");
      TALLA_TRY_STATUS(catalogues_->add(std::move(*file)));
    }
  }
  TALLA_TRY(Secrets secrets, unseal(record));
  TALLA_TRY(secrets.carried, carried_over(record));
  return apply(context_, overlay, record, secrets);
}

Status Service::Core::fold(std::uint64_t seq, Overlay& overlay) {
  TALLA_TRY(const auto stored, effects_.log.ledger().record(seq));
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  return fold(record, overlay);
}

Status Service::Core::replay_record(const certs::LedgerRecord& stored, const std::set<std::string>& open) {
  const bool machine = stored.object.empty();
  if (machine && stored.kind != Kind::health && stored.kind != Kind::access) return {};
  if (!machine && !certs::kind_opens(stored.kind)) {  // most records: judged before they are parsed
    const auto table = table_of_known(stored);
    if (!table || told(*table, stored.seq)) return {};
  }
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  if (certs::kind_opens(record.kind) && !is_wanted(record, open)) return {};
  count("talla_replayed_records_total");
  Overlay overlay(world_);
  TALLA_TRY_STATUS(fold(record, overlay));
  if (machine) {
    // What a resume point says of its table holds: it was written later.
    for (const auto& [table, seq] : resume_points_) {
      if (!told(table, record.seq) || !world_.tables.contains(table)) continue;
      overlay.edit_table(table)->suspended = world_.tables.at(table).suspended;
    }
  }
  overlay.keep();
  return {};
}

Status Service::Core::load_drafts() {
  for (auto& [seq, round] : world_.rounds) {
    if (round.ended || round.bets_closed) continue;
    TALLA_TRY(const auto text, effects_.log.ledger().draft(round.id));
    if (!text || text->empty()) continue;
    TALLA_TRY(const auto value, json::parse(*text));
    TALLA_TRY(round.draft, BetDraft::from_json(value));
  }
  for (auto& [seq, shoe] : world_.shoes) {
    if (!shoe.release) continue;
    TALLA_TRY(const auto text, effects_.log.ledger().draft(release_document(shoe.id)));
    if (!text || text->empty()) continue;
    TALLA_TRY(const auto given, json::parse(*text));
    json::Reader reader(given, "targets");
    TALLA_TRY(const auto release, reader.integer("release", 0, json::integer_max));
    TALLA_TRY(const auto count, reader.integer("targets", 0, std::int64_t{shoe.commit.cards}));
    if (static_cast<std::uint64_t>(release) == shoe.release->seq)
      shoe.release->targets = static_cast<std::uint32_t>(count);
  }
  return {};
}

Status Service::Core::complete_open_intents() {
  std::vector<std::pair<ObjectSeq, std::uint64_t>> open;
  for (const auto& [seq, batch] : world_.batches) {
    for (const auto& [intent, body] : batch.open_intents) open.emplace_back(seq, intent);
  }
  for (const auto& [batch, intent] : open) {
    if (world_.batches.at(batch).secrets) {
      if (hold({batch, intent, draws_path})) continue;
      complete_one({batch, intent, draws_path});
      if (failed_) return fail(Errc::replay_failed, "an open intent could not be completed");
      continue;
    }
    effects_.supply.latch(
        entropy::LatchReason::other);  // PROTOCOL section 5: an unrecoverable secret latches
    Transaction tx(tx_effects(), world_, {});
    const auto body = certs::void_unrecoverable(intent, {});
    TALLA_TRY(const auto seq,
              tx.add({Kind::void_draw, certs::object_id("batch", batch), {intent}, body.to_json()}));
    static_cast<void>(seq);
    tx.keep();
    count(voids_metric(world_.batches.at(batch).commit->table));
  }
  return {};
}

}  // namespace talla::core
