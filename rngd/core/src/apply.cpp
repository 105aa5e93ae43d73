#include "apply.hpp"

#include "base/check.hpp"
#include "format/domain.hpp"
#include "play.hpp"

namespace talla::core {
namespace {

using certs::Kind;
using certs::Record;

/// The newest covered card of that position and place; an earlier shoe of the round may have had one too.
void show_card(Round& round, const certs::CardOpenBody& body) {
  for (auto it = round.cards.rbegin(); it != round.cards.rend(); ++it) {
    if (it->find("card") != nullptr || it->find("position")->integer() != std::int64_t{body.position} ||
        it->find("place")->string() != body.place) {
      continue;
    }
    (*it)["card"] = body.opening.card;
    return;
  }
}

/// One record on its way into the world.
class Applier {
 public:
  struct Input {
    const Record& record;
    const Secrets& secrets;
    const TypedBody& typed;
  };
  Applier(const ApplyContext& context, Overlay& world, const Input& input)
      : context_(context),
        world_(world),
        record_(input.record),
        secrets_(input.secrets),
        typed_(input.typed) {}

  Status run();

 private:
  [[nodiscard]] Result<games::State> first_state(const Table& table, const certs::TableOpenBody& body) const;
  Status table_open();
  Status table_close();
  Status round_open();
  Status bets_closed();
  Status action();
  Status misdeal();
  Status settlement();
  Status round_end();
  Status meter();
  Status shoe_commit();
  Status shoe_recommit();
  Status shoe_cut();
  Status card_deal();
  Status lay_card(Table& table, Shoe& shoe, const certs::CardDealBody& body);
  Status card_open();
  Status shoe_close();
  Status batch_commit();
  Status intent();
  Status draw();
  Status void_draw();
  Status batch_close();
  Status health();

  /// A new object whose opening record this is.
  template <class T>
  [[nodiscard]] T opened(std::string_view object_class) const {
    T object;
    object.seq = record_.seq;
    object.last_seq = record_.seq;
    object.id = certs::object_id(object_class, record_.seq);
    return object;
  }
  template <class Body>
  [[nodiscard]] Result<Body> body() const {
    if (const auto* made = std::get_if<Body>(&typed_)) return *made;
    return Body::from_json(record_.body);
  }
  [[nodiscard]] std::string client() const { return record_.client ? record_.client->id : std::string(); }

  /// The object the record belongs to, for writing, its newest record set to this one.
  Result<Table*> own_table() { return own<Table>("table", &Overlay::edit_table); }
  Result<Shoe*> own_shoe() { return own<Shoe>("shoe", &Overlay::edit_shoe); }
  Result<Batch*> own_batch() { return own<Batch>("batch", &Overlay::edit_batch); }
  Result<Round*> own_round() { return own<Round>("round", &Overlay::edit_round); }
  template <class T>
  Result<T*> own(std::string_view object_class, T* (Overlay::*edit)(ObjectSeq)) {
    TALLA_TRY(const auto seq, certs::object_seq(object_class, record_.object));
    T* object = (world_.*edit)(seq);
    if (object == nullptr) return fail(Errc::replay_failed, "unknown object");
    if (record_.prev != object->last_seq) return fail(Errc::replay_failed, "prev is not the newest record");
    object->last_seq = record_.seq;
    return object;
  }
  Result<Table*> named_table(const std::string& id) {
    TALLA_TRY(const auto seq, certs::object_seq("table", id));
    return table_at(seq);
  }
  Result<Table*> table_at(ObjectSeq seq) {
    Table* table = world_.edit_table(seq);
    if (table == nullptr) return fail(Errc::replay_failed, "unknown table");
    return table;
  }
  Round* live_round(const Table& table) {
    return table.live_round ? world_.edit_round(*table.live_round) : nullptr;
  }

  const ApplyContext& context_;
  Overlay& world_;
  const Record& record_;
  const Secrets& secrets_;
  const TypedBody& typed_;
};

Result<games::State> Applier::first_state(const Table& table, const certs::TableOpenBody& body) const {
  if (body.continues.empty()) return table.engine().initial(*table.rules);
  if (!secrets_.carried || certs::state_digest(context_.hashes, *secrets_.carried) != body.carried)
    return fail(Errc::replay_failed, "another state was carried over");
  return table.engine().resume(*table.rules, *secrets_.carried);
}

Status Applier::table_open() {
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
  table.open = std::move(body);
  world_.add(std::move(table));
  return {};
}

Status Applier::table_close() {
  TALLA_TRY(auto* table, own_table());
  table->closed = true;
  return {};
}

Status Applier::round_open() {
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
  for (const auto& key : round.open.keys) round.seat_keys[key.seat] = context_.hashes.sha256({key.spki});
  table->rounds_count = round.open.number;
  table->live_round = round.seq;
  const bool last = round.open.last;
  world_.add(std::move(round));
  return last ? play(*table, live_round(*table), games::LastRound{}) : Status();
}

Status Applier::bets_closed() {
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
  return {};
}

Status Applier::action() {
  TALLA_TRY(auto body, certs::ActionBody::from_json(record_.body));
  TALLA_TRY(auto* round, own_round());
  TALLA_TRY(auto* table, table_at(round->table));
  round->last_act = record_.seq;
  round->rests_on.push_back(record_.seq);
  TALLA_TRY(const auto event, certs::action_event(body));
  return play(*table, round, event);
}

Status Applier::misdeal() {
  TALLA_TRY(auto body, certs::MisdealBody::from_json(record_.body));
  TALLA_TRY(auto* round, own_round());
  TALLA_TRY(auto* table, table_at(round->table));
  round->last_act = record_.seq;
  round->rests_on.push_back(record_.seq);
  return play(*table, round, certs::misdeal_event(body));
}

Status Applier::meter() {
  TALLA_TRY(auto body, certs::MeterBody::from_json(record_.body));
  TALLA_TRY(auto* table, own_table());
  const auto known = table->meters.find(body.meter);
  if (known != table->meters.end() && known->second != body.before) {
    return fail(Errc::replay_failed, "the meter stands elsewhere");
  }
  table->meters[body.meter] = body.after;
  return {};
}

Status Applier::settlement() {
  TALLA_TRY(auto* round, own_round());
  if (certs::ends_content(record_.body)) round->settlement = record_.seq;
  return {};
}

Status Applier::round_end() {
  TALLA_TRY(auto* round, own_round());
  TALLA_TRY(auto* table, table_at(round->table));
  const json::Value* after = record_.body.find("state_after");
  const auto digest = certs::state_digest(context_.hashes, table->state->to_json());
  if (after == nullptr || !after->is_string() || after->string() != to_hex(digest)) {
    return fail(Errc::replay_failed, "the state after the round is another one");
  }
  round->ended = true;
  table->live_round.reset();
  table->last_round_end = record_.seq;
  return {};
}

Status Applier::shoe_commit() {
  TALLA_TRY(auto body, certs::ShoeCommitBody::from_json(record_.body));
  TALLA_TRY(auto* table, named_table(body.table));
  if (body.number != table->shoes_count + 1 || table->live_shoe) {
    return fail(Errc::replay_failed, "shoe out of order");
  }
  auto shoe = opened<Shoe>("shoe");
  shoe.table = table->seq;
  shoe.commit = std::move(body);
  shoe.secrets = secrets_.shoe;
  shoe.samples = secrets_.samples;
  table->shoes_count = shoe.commit.number;
  table->live_shoe = shoe.seq;
  world_.add(std::move(shoe));
  return {};
}

Status Applier::shoe_recommit() {
  TALLA_TRY(auto body, certs::ShoeRecommitBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  if (body.of != shoe->commit.root || !shoe->progress.offset)
    return fail(Errc::replay_failed, "another root is replaced");
  shoe->replaced.push_back(std::move(shoe->secrets));
  shoe->commit = std::move(body.commit);
  shoe->secrets = secrets_.shoe;
  shoe->samples = secrets_.samples;
  shoe->progress = {};
  shoe->places.clear();
  shoe->stage = ShoeStage::committed;
  return {};
}

Status Applier::shoe_cut() {
  TALLA_TRY(auto body, certs::ShoeCutBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  shoe->progress.offset = body.offset;
  shoe->cut_seq = record_.seq;
  shoe->stage = ShoeStage::cut;
  if (!table->rules) return {};
  Round* round = live_round(*table);
  if (round != nullptr) round->rests_on.push_back(record_.seq);
  if (shoe->replaced.empty()) return play(*table, round, games::ShoeOpened{shoe->commit.cards, false});
  const auto needs = table->needs();
  const auto* due = games::find_need<games::Shuffle>(needs);
  if (due == nullptr) return fail(Errc::replay_failed, "no shuffle is due");
  return play(*table, round, games::Shuffled{due->places});
}

Status Applier::card_deal() {
  TALLA_TRY(auto body, certs::CardDealBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  if (body.position != shoe->progress.dealt) return fail(Errc::replay_failed, "not the next position");
  if (!table->rules) {
    shoe->stop_out = shoe->stop_out || shoe->stop_before_next();
  } else {
    TALLA_TRY_STATUS(lay_card(*table, *shoe, body));
  }
  if (body.face == certs::Face::covered) {
    shoe->covered[body.position] = {record_.seq, body.place, body.copies, false};
  }
  ++shoe->progress.dealt;
  shoe->places.push_back(std::move(body.place));
  shoe->stage = shoe->stop_out ? ShoeStage::last_round : ShoeStage::in_play;
  return {};
}

Status Applier::lay_card(Table& table, Shoe& shoe, const certs::CardDealBody& body) {
  auto driver = driver_of(table, &shoe);
  TALLA_TRY_STATUS(driver.pass_stop_card());
  TALLA_TRY(const auto event, certs::card_event(body));
  TALLA_TRY_STATUS(driver.apply(event));
  shoe.stop_out = driver.shoe()->stop_shown;
  Round* round = live_round(table);
  keep_driver(std::move(driver), table, round);
  if (round == nullptr) return {};
  round->rests_on.push_back(record_.seq);
  json::Object shown{
      {"position", body.position}, {"place", body.place}, {"face", games::face_name(event.face)}};
  if (body.opening) shown["card"] = body.opening->card;
  round->cards.emplace_back(std::move(shown));
  return {};
}

Status Applier::card_open() {
  TALLA_TRY(auto body, certs::CardOpenBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  const auto found = shoe->covered.find(body.position);
  if (found == shoe->covered.end() || found->second.open)
    return fail(Errc::replay_failed, "no covered card lies there");
  found->second.open = true;
  if (!table->rules) return {};
  TALLA_TRY(const auto event, certs::reveal_event(body));
  Round* round = live_round(*table);
  if (round != nullptr) {
    round->rests_on.push_back(record_.seq);
    show_card(*round, body);
  }
  return play(*table, round, event);
}

Status Applier::shoe_close() {
  TALLA_TRY(auto body, certs::ShoeCloseBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  const bool opened = shoe->in_use();
  shoe->stage = body.reason == certs::ShoeCloseReason::voided ? ShoeStage::voided : ShoeStage::closed;
  shoe->progress.closed = true;
  shoe->secrets.reset();
  shoe->replaced.clear();
  table->live_shoe.reset();
  if (!table->rules || !opened) return {};
  Round* round = live_round(*table);
  if (round != nullptr) round->rests_on.push_back(record_.seq);
  if (certs::stop_card_ends(shoe->commit, body)) TALLA_TRY_STATUS(play_stop_card(*table, *shoe, round));
  // Where the rules have no place for the end of a shoe it changes nothing: only a shoe they ask for follows.
  if (!table->engine().apply(*table->rules, *table->state, games::ShoeClosed{})) return {};
  return play(*table, round, games::ShoeClosed{});
}

Status Applier::batch_commit() {
  TALLA_TRY(auto body, certs::BatchCommitBody::from_json(record_.body));
  TALLA_TRY(auto* table, named_table(body.table));
  auto batch = opened<Batch>("batch");
  batch.table = table->seq;
  batch.client = client();
  batch.commit = std::move(body);
  batch.secrets = secrets_.batch;
  batch.samples = secrets_.samples;
  table->open_batches.insert(batch.seq);
  world_.add(std::move(batch));
  return {};
}

Status Applier::intent() {
  TALLA_TRY(auto body, this->body<certs::IntentBody>());
  TALLA_TRY(auto* batch, own_batch());
  if (body.index != batch->progress.next) return fail(Errc::replay_failed, "not the next index");
  ++batch->progress.next;
  batch->progress.intents_open.emplace(body.index, record_.seq);
  if (body.round != "0") {
    TALLA_TRY(const auto seq, certs::object_seq("round", body.round));
    Round* round = world_.edit_round(seq);
    if (round == nullptr) return fail(Errc::replay_failed, "unknown round");
    round->open_intent = record_.seq;
  }
  batch->open_intents.emplace(record_.seq,
                              OpenIntent{std::move(body), record_.client, record_.key, record_.request});
  return {};
}

Status Applier::draw() {
  TALLA_TRY(auto body, this->body<certs::DrawBody>());
  TALLA_TRY(auto* batch, own_batch());
  const auto open = batch->open_intents.extract(body.intent);
  if (open.empty()) return fail(Errc::replay_failed, "no such open intent");
  batch->progress.intents_open.erase(open.mapped().body.index);
  if (open.mapped().body.round == "0") return {};
  TALLA_TRY(const auto seq, certs::object_seq("round", open.mapped().body.round));
  Round* round = world_.edit_round(seq);
  if (round == nullptr) return fail(Errc::replay_failed, "unknown round");
  TALLA_TRY(auto* table, table_at(round->table));
  const auto needs = table->needs();
  const auto* wanted = games::find_need<games::Draw>(needs);
  if (wanted == nullptr) return fail(Errc::replay_failed, "no draw is due");
  round->open_intent.reset();
  round->rests_on.push_back(record_.seq);
  const auto event = certs::draw_event(*wanted, body.outcome);
  json::Array values;
  for (const auto& value : event.values) values.emplace_back(value);
  round->outcome = json::Value(std::move(values));
  return play(*table, round, event);
}

Status Applier::void_draw() {
  TALLA_TRY(auto body, certs::VoidBody::from_json(record_.body));
  TALLA_TRY(auto* batch, own_batch());
  const auto open = batch->open_intents.extract(body.intent);
  if (open.empty()) return fail(Errc::replay_failed, "no such open intent");
  batch->progress.intents_open.erase(open.mapped().body.index);
  if (open.mapped().body.round == "0") return {};
  TALLA_TRY(const auto seq, certs::object_seq("round", open.mapped().body.round));
  Round* round = world_.edit_round(seq);
  if (round == nullptr || round->ended) return {};
  TALLA_TRY(auto* table, table_at(round->table));
  round->open_intent.reset();
  round->rests_on.push_back(record_.seq);
  return play(*table, round, games::VoidDraw{});
}

Status Applier::batch_close() {
  TALLA_TRY(auto* batch, own_batch());
  batch->closed = true;
  batch->progress.closed = true;
  if (batch->open_intents.empty()) batch->secrets.reset();
  if (Table* table = world_.edit_table(batch->table)) table->open_batches.erase(batch->seq);
  return {};
}

Status Applier::health() {
  const json::Value* objects = record_.body.find("overlapping");
  if (objects == nullptr || !objects->is_array()) return {};
  for (const auto& id : objects->array()) {
    if (!id.is_string()) continue;
    const Table* table = nullptr;
    if (const auto shoe = certs::object_seq("shoe", id.string())) {
      if (const auto* found = world_.shoe(*shoe)) table = world_.table(found->table);
    } else if (const auto batch = certs::object_seq("batch", id.string())) {
      if (const auto* found = world_.batch(*batch)) table = world_.table(found->table);
    }
    if (table != nullptr) world_.edit_table(table->seq)->suspended = true;
  }
  return {};
}

Status Applier::run() {
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
    case Kind::settlement:
      return settlement();
    case Kind::round_end:
      return round_end();
    case Kind::meter:
      return meter();
    case Kind::shoe_commit:
      return shoe_commit();
    case Kind::shoe_recommit:
      return shoe_recommit();
    case Kind::shoe_cut:
      return shoe_cut();
    case Kind::card_deal:
      return card_deal();
    case Kind::card_open:
      return card_open();
    case Kind::shoe_close:
      return shoe_close();
    case Kind::batch_commit:
      return batch_commit();
    case Kind::intent:
      return intent();
    case Kind::draw:
      return draw();
    case Kind::void_draw:
      return void_draw();
    case Kind::batch_close:
      return batch_close();
    case Kind::health:
      return health();
    default:
      return {};
  }
}

}  // namespace

Status apply(const ApplyContext& context, Overlay& world, const certs::Record& record, const Secrets& secrets,
             const TypedBody& typed) {
  auto done = Applier(context, world, {record, secrets, typed}).run();
  if (!done && !done.error().is(Errc::replay_failed)) {
    return fail(Errc::replay_failed, "record " + std::to_string(record.seq) + ": " + done.error().text());
  }
  return done;
}

}  // namespace talla::core
