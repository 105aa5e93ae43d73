// Folds records of tables and rounds into the state.
#include "acts.hpp"
#include "applier.hpp"
#include "format/domain.hpp"
#include "format/place_counts.hpp"
#include "people.hpp"

namespace talla::core {

Result<games::State> TableApplier::first_state(const Table& table,
                                               const certs::TableOpenBody& body) const {
  if (body.continues.empty()) return table.engine().initial(*table.rules);
  if (!secrets_.carried || certs::state_digest(context_.hashes, *secrets_.carried) != body.carried)
    return fail(Errc::replay_failed, "another state was carried over");
  return table.engine().resume(*table.rules, *secrets_.carried);
}

Status TableApplier::table_open() {
  TALLA_TRY(auto body, certs::TableOpenBody::from_json(record_.body));
  auto table = opened<Table>("table");
  table.client = client();
  if (record_.client) table.client_key = record_.client->spki;
  table.parameters = certs::parameters_digest(context_.hashes, body.parameters);
  if (!body.settled_by_client) {
    auto catalogue = context_.catalogue(body.catalogue);
    if (!catalogue) return fail(Errc::replay_failed, "unknown catalogue");
    TALLA_TRY(auto rules, open_rules(std::move(catalogue), body));
    table.rules = std::make_shared<const games::Table>(std::move(rules));
    TALLA_TRY(auto state, first_state(table, body));
    table.state = std::move(state);
  }
  table.counts = body.counts;
  table.open = std::move(body);
  edit_.add(std::move(table));
  return {};
}

Status TableApplier::table_close() {
  TALLA_TRY(const auto body, certs::TableCloseBody::from_json(record_.body));
  TALLA_TRY(auto* table, own_table());
  certs::count(table->counts, body);
  if (body.place != table->open.place || body.opened != table->open.opened ||
      body.counts != table->counts)
    return fail(Errc::replay_failed, "the table was closed with other counts");
  table->closed = true;
  return {};
}

Status TableApplier::round_open() {
  TALLA_TRY(auto body, certs::RoundOpenBody::from_json(record_.body));
  TALLA_TRY(auto* table, named_table(body.table));
  if (body.number != table->rounds_count + 1 || table->live_round || !table->state) {
    return fail(Errc::replay_failed, "round out of order");
  }
  auto round = opened<Round>("round");
  round.table = table->seq;
  round.state_before = table->state->to_json();
  if (certs::state_digest(context_.hashes, round.state_before) != body.state_before) {
    return fail(Errc::replay_failed, "the state before the round is another one");
  }
  round.open = std::move(body);
  for (const auto& key : round.open.keys)
    round.seat_keys[key.seat] = context_.hashes.sha256({key.spki});
  table->rounds_count = round.open.number;
  table->live_round = round.seq;
  const auto last = round.open.last;
  edit_.add(std::move(round));
  return last ? play(*table, live_round(*table), *last) : Status();
}

Status TableApplier::bets_closed() {
  TALLA_TRY(auto part, certs::BetsClosedBody::from_json(record_.body));
  TALLA_TRY(auto* round, own_round());
  if (round->bets_closed) return fail(Errc::replay_failed, "bets are closed already");
  TALLA_TRY(auto whole, round->bets_parts.take(std::move(part)));
  if (!whole) return {};
  certs::BetsClosedBody body = std::move(*whole);
  TALLA_TRY(auto* table, table_at(round->table));
  TALLA_TRY_STATUS(play_bets(*table, *round, {body.bets, body.withdrawn}));
  round->bets_closed = record_.seq;
  round->last_act = record_.seq;
  round->rests_on.push_back(record_.seq);
  round->bets = std::move(body.bets);
  round->bets_digest = body.digest;
  round->draft = {};
  if (table->open.policy.mix == certs::MixRule::round && table->live_shoe)
    edit_.shoe(*table->live_shoe)->progress.mix_due = true;
  return {};
}

Status TableApplier::action() {
  TALLA_TRY(auto body, certs::ActionBody::from_json(record_.body));
  TALLA_TRY(auto* round, own_round());
  TALLA_TRY(auto* table, table_at(round->table));
  round->last_act = record_.seq;
  round->rests_on.push_back(record_.seq);
  TALLA_TRY(const auto event, certs::action_event(body));
  return play(*table, round, event);
}

Status TableApplier::misdeal() {
  TALLA_TRY(auto body, certs::MisdealBody::from_json(record_.body));
  TALLA_TRY(auto* round, own_round());
  TALLA_TRY(auto* table, table_at(round->table));
  round->last_act = record_.seq;
  round->rests_on.push_back(record_.seq);
  return play(*table, round, certs::misdeal_event(body));
}

Status TableApplier::hand_confirmed() {
  TALLA_TRY_STATUS(certs::HandConfirmedBody::from_json(record_.body));
  TALLA_TRY(auto* round, own_round());
  TALLA_TRY(auto* table, table_at(round->table));
  round->last_act = record_.seq;
  round->rests_on.push_back(record_.seq);
  return play(*table, round, games::ConfirmHand{});
}

Status TableApplier::settlement() {
  TALLA_TRY(auto* round, own_round());
  if (certs::ends_content(record_.body)) round->settlement = record_.seq;
  return {};
}

Status TableApplier::round_end() {
  TALLA_TRY(auto* round, own_round());
  TALLA_TRY(auto* table, table_at(round->table));
  TALLA_TRY(const auto body, certs::RoundEndBody::from_json(record_.body));
  if (body.state_after != certs::state_digest(context_.hashes, table->state->to_json()))
    return fail(Errc::replay_failed, "the state after the round is another one");
  const auto* shoe = table->live_shoe ? edit_.seen().shoe(*table->live_shoe) : nullptr;
  if (body.counts != table->counts || body.dealt != (shoe == nullptr ? 0U : shoe->progress.dealt))
    return fail(Errc::replay_failed, "the round ended with other counts");
  round->ended = true;
  table->live_round.reset();
  table->calls.erase(round->id);
  table->last_round_end = record_.seq;
  return {};
}

Status TableApplier::health() {
  const json::Value* objects = record_.body.find("overlapping");
  if (objects == nullptr || !objects->is_array()) return {};
  for (const auto& id : objects->array()) {
    if (!id.is_string()) continue;
    const Table* table = nullptr;
    if (const auto shoe = certs::object_seq("shoe", id.string())) {
      if (const auto* found = edit_.seen().shoe(*shoe)) table = edit_.seen().table(found->table);
    } else if (const auto batch = certs::object_seq("batch", id.string())) {
      if (const auto* found = edit_.seen().batch(*batch)) table = edit_.seen().table(found->table);
    }
    if (table != nullptr) edit_.table(table->seq)->suspended = true;
  }
  return {};
}

Status TableApplier::run() {
  using certs::Kind;
  switch (record_.kind) {
    case Kind::table_open:
      return table_open();
    case Kind::table_close:
      return table_close();
    case Kind::round_open:
      return round_open();
    case Kind::bets_closed:
      return bets_closed();
    case Kind::action:
      return action();
    case Kind::misdeal:
      return misdeal();
    case Kind::hand_confirmed:
      return hand_confirmed();
    case Kind::settlement:
      return settlement();
    case Kind::round_end:
      return round_end();
    case Kind::health:
      return health();
    case Kind::access:
      return apply_access(edit_, record_);
    case Kind::key:
      spend_approvals(edit_, record_);
      return apply_client_key(edit_, record_);
    case Kind::config:
    case Kind::software:
      spend_approvals(edit_, record_);
      return {};
    default:
      return {};
  }
}

namespace {

/// Records of what somebody asks of the rules: they judge it as it is folded in, and what they say
/// is the answer. Every other record follows from them, and a refusal of it is a fault of the
/// appliance.
bool is_asked_for(certs::Kind kind) {
  return kind == certs::Kind::round_open || kind == certs::Kind::bets_closed ||
         kind == certs::Kind::action || kind == certs::Kind::misdeal ||
         kind == certs::Kind::hand_confirmed;
}

Status fold(const ApplyContext& context, Overlay& world, const Applier::Input& input) {
  using certs::Kind;
  switch (input.record.kind) {
    case Kind::meter:
    case Kind::meter_open:
    case Kind::meter_close:
      return MeterApplier(context, world, input).run();
    case Kind::shoe_commit:
    case Kind::shoe_recommit:
    case Kind::shoe_mix:
    case Kind::card_deal:
    case Kind::card_open:
    case Kind::shoe_release:
    case Kind::shuffle_report:
    case Kind::shoe_close:
      return ShoeApplier(context, world, input).run();
    case Kind::call:
    case Kind::void_call:
      if (certs::object_seq("shoe", input.record.object))
        return ShoeApplier(context, world, input).run();
      return DrawApplier(context, world, input).run();
    case Kind::batch_commit:
    case Kind::draw:
    case Kind::batch_close:
      return DrawApplier(context, world, input).run();
    default:
      return TableApplier(context, world, input).run();
  }
}

/// Kinds that may stand between a call and the record that its head is of, where they are of
/// another object.
bool calls_pass(certs::Kind kind) {
  using certs::Kind;
  return kind == Kind::shoe_commit || kind == Kind::shoe_release || kind == Kind::shuffle_report ||
         kind == Kind::batch_commit || kind == Kind::batch_close;
}

}  // namespace

void Applier::take_head(const Digest& leaf) {
  if (!record_.link || record_.table.empty()) return;
  const auto seq = certs::object_seq("table", record_.table);
  Table* table = seq ? edit_.table(*seq) : nullptr;
  if (table == nullptr) return;
  if (record_.kind == certs::Kind::table_open) table->opening = leaf;
  const bool passes = calls_pass(record_.kind);
  if (!passes || table->heads.size() >= heads_max) table->heads.clear();
  const Digest head = certs::chain_head(context_.hashes, *record_.link, leaf);
  table->heads.push_back({record_.seq, head, passes ? record_.object : std::string()});
  if (record_.kind != certs::Kind::shoe_release) return;
  const auto shoe = certs::object_seq("shoe", record_.object);
  Shoe* released = shoe ? edit_.shoe(*shoe) : nullptr;
  if (released != nullptr && released->release) released->release->head = head;
}

Result<Table*> Applier::call_made(const certs::CallCore& core) {
  TALLA_TRY(auto* table, named_table(core.table));
  if (core.turn != table->next_turn() || table->open_call)
    return fail(Errc::replay_failed, "not the next turn, or the call before is open");
  table->open_call =
      CallUnderWay{record_.seq, record_.time_us, core.object, core.others.size(), {}};
  table->last_call = {record_.seq, certs::call_digest(context_.hashes, core.bytes())};
  return table;
}

void Applier::call_void(Table& table, const certs::VoidBody& body) {
  table.open_call.reset();
  certs::count(table.counts, body);
}

Result<Round*> Applier::round_of_call(const certs::CallCore& core) {
  if (core.round == "0") return nullptr;
  TALLA_TRY(const auto seq, certs::object_seq("round", core.round));
  Round* round = edit_.round(seq);
  if (round == nullptr) return fail(Errc::replay_failed, "unknown round");
  return round;
}

Status apply(const ApplyContext& context, Overlay& world, const certs::Record& record,
             const Digest& leaf, const Secrets& secrets, const TypedBody& typed) {
  const Applier::Input input{record, secrets, typed};
  auto done = fold(context, world, input);
  if (done) Applier(context, world, input).take_head(leaf);
  if (done || done.error().is(Errc::replay_failed)) return done;
  if (is_asked_for(record.kind) && said_by_rules(done.error())) return done;
  return fail(Errc::replay_failed,
              "record " + std::to_string(record.seq) + ": " + done.error().text());
}

}  // namespace talla::core
