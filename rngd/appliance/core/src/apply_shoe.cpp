// Folds records of shoes and cards into the state.
#include "applier.hpp"
#include "format/candidates.hpp"
#include "format/place_counts.hpp"

namespace talla::core {
namespace {

/// The card of the round that lies there; an earlier shoe of the round may have had one too, so the
/// newest counts.
json::Value* card_of(Round& round, const CardAt& at) {
  for (auto it = round.cards.rbegin(); it != round.cards.rend(); ++it) {
    const json::Value* recommits = it->find("recommits");
    const std::int64_t root = recommits == nullptr ? 0 : recommits->integer();
    if (root == std::int64_t{at.recommits} &&
        it->find("position")->integer() == std::int64_t{at.position})
      return &*it;
  }
  return nullptr;
}

void show_returned(Round& round, std::uint32_t recommits,
                   const std::vector<std::uint32_t>& positions) {
  for (const std::uint32_t position : positions) {
    if (json::Value* card = card_of(round, {recommits, position})) (*card)["returned"] = true;
  }
}

}  // namespace

Status ShoeApplier::shoe_commit() {
  TALLA_TRY(auto body, certs::ShoeCommitBody::from_json(record_.body));
  TALLA_TRY(auto* table, named_table(body.table));
  if (body.number != table->shoes_count + 1 || table->live_shoe) {
    return fail(Errc::replay_failed, "shoe out of order");
  }
  auto shoe = opened<Shoe>("shoe");
  shoe.table = table->seq;
  shoe.commit = std::move(body);
  shoe.candidates = certs::candidates_count(shoe.commit);
  shoe.secrets = secrets_.shoe;
  shoe.samples = secrets_.samples;
  table->shoes_count = shoe.commit.number;
  table->live_shoe = shoe.seq;
  edit_.add(std::move(shoe));
  return {};
}

Status ShoeApplier::shoe_recommit() {
  TALLA_TRY(auto body, certs::ShoeRecommitBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  if (body.of != shoe->commit.root || !shoe->progress.mix)
    return fail(Errc::replay_failed, "another root is replaced");
  TALLA_TRY(auto* table, table_at(shoe->table));
  if (!table->rules)
    return fail(Errc::replay_failed, "a client-settled table shuffles nothing again");
  const auto needs = table->needs();
  const auto* due = games::find_need<games::Shuffle>(needs);
  if (due == nullptr) return fail(Errc::replay_failed, "no shuffle is due");
  shoe->going_back = due->places;
  if (Round* round = live_round(*table)) {
    show_returned(*round, shoe->recommits(), body.returned);
    for (const auto& one : body.older) show_returned(*round, one.recommits, one.positions);
  }
  TALLA_TRY_STATUS(certs::take_back(shoe->laid, body));
  shoe->replaced.push_back({std::move(shoe->secrets), shoe->progress});
  shoe->commit = std::move(body.commit);
  shoe->secrets = secrets_.shoe;
  shoe->samples = secrets_.samples;
  shoe->progress = {};
  shoe->release.reset();
  shoe->stage = ShoeStage::committed;
  return {};
}

Status ShoeApplier::call() {
  TALLA_TRY(auto body, this->body<certs::CallBody>());
  TALLA_TRY(auto* shoe, own_shoe());
  if (body.core.root != shoe->commit.root || !shoe->progress.mix_due || shoe->call)
    return fail(Errc::replay_failed, "a call for another root, or for one that is mixed");
  TALLA_TRY(auto* table, call_made(body.core));
  certs::count_call(table->counts);
  if (table->seq != shoe->table) return fail(Errc::replay_failed, "a call of another table");
  table->panel.called(body.core.others);
  table->calls.called(body.core);
  TALLA_TRY(auto* round, round_of_call(body.core));
  if (round != nullptr) round->open_call = record_.seq;
  shoe->called = true;
  shoe->call.emplace(record_.seq,
                     OpenCall{std::move(body), record_.client, record_.key, record_.request});
  return {};
}

/// The shoe stays as it is, to be mixed by another call; one of several roots has to close.
Status ShoeApplier::void_call() {
  TALLA_TRY(const auto body, certs::VoidBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  if (!shoe->call || shoe->call->first != body.call)
    return fail(Errc::replay_failed, "no such open call");
  TALLA_TRY(auto* round, round_of_call(shoe->call->second.body.core));
  if (round != nullptr) round->open_call.reset();
  table->calls.ended(shoe->call->second.body.core, body.missing);
  shoe->call.reset();
  shoe->spoiled = shoe->unpicked();
  call_void(*table, body);
  return {};
}

/// What the mix picks of several roots is the shoe from here on.
Status ShoeApplier::pick(Shoe& shoe, const certs::ShoeMixBody& body) {
  if (body.picked) {
    if (*body.picked >= shoe.commit.candidates.size())
      return fail(Errc::replay_failed, "a root is picked that was not committed to");
    if (shoe.secrets) shoe.secrets = certs::ShoeCandidates::picked(*shoe.secrets, *body.picked);
    shoe.commit = certs::picked_commit(std::move(shoe.commit), *body.picked);
  }
  if (shoe.unpicked() || body.root != shoe.commit.root)
    return fail(Errc::replay_failed, "another root is mixed");
  return {};
}

Status ShoeApplier::shoe_mix() {
  TALLA_TRY(const auto body, certs::ShoeMixBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  if (!shoe->progress.mix_due) return fail(Errc::replay_failed, "a root is mixed twice");
  if (!shoe->call || shoe->call->first != body.call)
    return fail(Errc::replay_failed, "a mix without its call");
  const auto& core = shoe->call->second.body.core;
  const bool first = !shoe->progress.mix;
  TALLA_TRY(auto mix,
            certs::mix_of(context_.hashes, core, body, first ? certs::Mix{} : *shoe->progress.mix));
  TALLA_TRY_STATUS(pick(*shoe, body));
  TALLA_TRY(auto* called_in, round_of_call(core));
  if (called_in != nullptr) called_in->open_call.reset();
  shoe->call.reset();
  table->open_call.reset();
  shoe->progress.take(std::move(mix));
  shoe->mix_seq = record_.seq;
  if (first) shoe->stage = ShoeStage::mixed;
  if (!table->rules) return {};
  Round* round = live_round(*table);
  if (round != nullptr) round->rests_on.push_back(record_.seq);
  if (!first) return {};  // the rules have this shoe: another order of what is left
  if (shoe->replaced.empty())
    return play(*table, round, games::ShoeOpened{shoe->commit.cards, false});
  return play(*table, round, games::Shuffled{shoe->going_back});
}

Status ShoeApplier::card_deal() {
  TALLA_TRY(auto body, this->body<certs::CardDealBody>());
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  if (body.position != shoe->progress.dealt)
    return fail(Errc::replay_failed, "not the next position");
  if (!table->rules) {
    shoe->stop_out = shoe->stop_out || account_of(*shoe).stop_due();
  } else {
    TALLA_TRY_STATUS(lay_card(*table, *shoe, body));
  }
  if (body.face == certs::Face::covered) {
    shoe->covered[{shoe->recommits(), body.position}] = {record_.seq, body.place, body.copies,
                                                         false};
  }
  shoe->progress.take(body);
  shoe->laid.back().push_back({std::move(body.place), false});
  shoe->stage = shoe->stop_out ? ShoeStage::last_round : ShoeStage::in_play;
  return {};
}

Status ShoeApplier::lay_card(Table& table, Shoe& shoe, const certs::CardDealBody& body) {
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
  if (shoe.recommits() != 0) shown["recommits"] = shoe.recommits();
  if (body.opening) shown["card"] = body.opening->card;
  round->cards.emplace_back(std::move(shown));
  return {};
}

Status ShoeApplier::card_open() {
  TALLA_TRY(auto body, certs::CardOpenBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  const CardAt at{body.recommits.value_or(shoe->recommits()), body.position};
  if (!shoe->can_open(at)) return fail(Errc::replay_failed, "no covered card lies there");
  shoe->covered.at(at).open = true;
  if (!table->rules) return {};
  TALLA_TRY(const auto event, certs::reveal_event(body));
  Round* round = live_round(*table);
  if (round != nullptr) {
    round->rests_on.push_back(record_.seq);
    if (json::Value* card = card_of(*round, at)) (*card)["card"] = body.opening.card;
  }
  return play(*table, round, event);
}

Status ShoeApplier::shoe_release() {
  TALLA_TRY(auto body, certs::ShoeReleaseBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  if (shoe->release || shoe->progress.dealt != 0)
    return fail(Errc::replay_failed, "the order is out already");
  shoe->release = Release{record_.seq, std::move(body), 0, {}, {}};
  return {};
}

Status ShoeApplier::shuffle_report() {
  TALLA_TRY(auto body, certs::ShuffleReportBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  if (!shoe->release) return fail(Errc::replay_failed, "no machine has the order");
  TALLA_TRY(auto* table, table_at(shoe->table));
  // A shoe that may go is voided behind this record; else people judge, not with a hand on the
  // table.
  if (body.result != certs::ShuffleResult::match && !shoe_may_go(*table, *shoe))
    table->suspended = true;
  shoe->release->report = std::move(body);
  return {};
}

Status ShoeApplier::shoe_close() {
  TALLA_TRY(auto body, certs::ShoeCloseBody::from_json(record_.body));
  TALLA_TRY(auto* shoe, own_shoe());
  TALLA_TRY(auto* table, table_at(shoe->table));
  const bool opened = shoe->in_use();
  certs::count(table->counts, body);
  shoe->stage =
      body.reason == certs::ShoeCloseReason::voided ? ShoeStage::voided : ShoeStage::closed;
  shoe->progress.take(body);
  shoe->secrets.reset();
  shoe->replaced.clear();
  shoe->release.reset();
  table->live_shoe.reset();
  table->last_shoe_close = record_.seq;
  table->calls.erase(shoe->id);
  if (!table->rules || !opened) return {};
  Round* round = live_round(*table);
  if (round != nullptr) round->rests_on.push_back(record_.seq);
  auto driver = driver_of(*table, shoe);
  if (certs::stop_card_ends(shoe->commit, body)) TALLA_TRY_STATUS(driver.apply(games::StopCard{}));
  driver.close_shoe();
  keep_driver(std::move(driver), *table, round);
  return {};
}

Status ShoeApplier::run() {
  using certs::Kind;
  switch (record_.kind) {
    case Kind::shoe_commit:
      return shoe_commit();
    case Kind::shoe_recommit:
      return shoe_recommit();
    case Kind::call:
      return call();
    case Kind::void_call:
      return void_call();
    case Kind::shoe_mix:
      return shoe_mix();
    case Kind::card_deal:
      return card_deal();
    case Kind::card_open:
      return card_open();
    case Kind::shoe_release:
      return shoe_release();
    case Kind::shuffle_report:
      return shuffle_report();
    case Kind::shoe_close:
      return shoe_close();
    default:
      return {};
  }
}

}  // namespace talla::core
