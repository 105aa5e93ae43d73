#include "replay.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "format/domain.hpp"
#include "format/game_events.hpp"
#include "games/catalogue.hpp"
#include "shuffle/deck.hpp"

namespace talla::certs {
namespace {

Status refuse_event(const Record& record, std::string_view why) {
  return refuse(VerifyErrc::event_wrong, record, why);
}

/// True when the outcome has the form that the rules ask for now.
bool fits(const games::Draw& due, const DrawSpecification& specification) {
  const auto wanted = specification_of(due);
  return wanted && *wanted == specification;
}

/// The newest root of a shoe before a record.
struct RootBefore {
  const Record* record = nullptr;
  ShoeCommitBody commit;
  std::optional<ShoeRecommitBody> again;  ///< it replaced another one
};

Result<RootBefore> root_before(const std::vector<const Record*>& chain, const Record& record) {
  RootBefore out;
  for (const Record* one : chain) {
    if (one->seq >= record.seq) break;
    if (one->kind == Kind::shoe_commit || one->kind == Kind::shoe_recommit) out.record = one;
  }
  if (out.record == nullptr)
    return fail(VerifyErrc::object_before, name_of(record) + ": its shoe was not committed");
  if (out.record->kind == Kind::shoe_commit) {
    TALLA_TRY(out.commit, ShoeCommitBody::from_json(out.record->body));
    return out;
  }
  TALLA_TRY(out.again, ShoeRecommitBody::from_json(out.record->body));
  out.commit = out.again->commit;
  return out;
}

/// The cards as they lie before this SHOE_RECOMMIT, the root that it replaced last.
Result<std::vector<LaidCards>> laid_before(const std::vector<const Record*>& chain,
                                           const Record& again) {
  std::vector<LaidCards> roots(1);
  for (const Record* one : chain) {
    if (one->seq >= again.seq) break;
    if (one->kind == Kind::shoe_recommit) {
      TALLA_TRY(const auto body, ShoeRecommitBody::from_json(one->body));
      TALLA_TRY_STATUS(take_back(roots, body));
    }
    if (one->kind != Kind::card_deal) continue;
    TALLA_TRY(auto dealt, CardDealBody::from_json(one->body));
    roots.back().push_back({std::move(dealt.place), false});
  }
  return roots;
}

/// How many cards go into the shoe at this SHOE_RECOMMIT.
std::uint32_t back_count(const ShoeRecommitBody& body) {
  std::size_t count = body.returned.size();
  for (const OlderCards& one : body.older) count += one.positions.size();
  return static_cast<std::uint32_t>(count);
}

/// The count of one shoe as its records before `seq` leave it; nothing while it is not mixed and
/// when it is closed.
Result<std::optional<games::ShoeAccount>> count_before(const std::vector<const Record*>& chain,
                                                       std::uint64_t seq) {
  std::optional<games::ShoeAccount> account;
  ShoeCommitBody commit;
  std::optional<std::uint32_t> back;
  bool mixed = false;  // the newest root was
  for (const Record* record : chain) {
    if (record->seq >= seq) break;
    if (record->kind == Kind::shoe_commit) {
      TALLA_TRY(commit, ShoeCommitBody::from_json(record->body));
    } else if (record->kind == Kind::shoe_recommit) {
      TALLA_TRY(const auto body, ShoeRecommitBody::from_json(record->body));
      back = back_count(body);
      mixed = false;
    } else if (record->kind == Kind::shoe_mix) {
      if (!mixed && !back) account = games::ShoeAccount::fresh(commit.cards, commit.stop_depth);
      if (!mixed && back && account) account->shuffled(*back);
      mixed = true;
    } else if (record->kind == Kind::card_deal && account) {
      if (account->stop_due()) account->stop_shown = true;
      ++account->dealt;
    } else if (record->kind == Kind::shoe_close) {
      account.reset();
    }
  }
  return account;
}

/// Whether the newest root of a shoe was mixed, before this record where one is given.
bool newest_mixed(const std::vector<const Record*>& chain, const Record* before = nullptr) {
  bool mixed = false;
  for (const Record* record : chain) {
    if (record == before) break;
    if (record->kind == Kind::shoe_recommit) mixed = false;
    if (record->kind == Kind::shoe_mix) mixed = true;
  }
  return mixed;
}

/// Catalogues read before, by the digest of their bytes: reading one takes longer than all hashes
/// of its bundle.
class CatalogueShelf {
 public:
  Result<std::shared_ptr<const games::Catalogue>> get(const Digest& digest, ByteView file,
                                                      const HashSuite& hashes) {
    {
      const std::scoped_lock lock(mutex_);
      for (const auto& kept : kept_) {
        if (kept.first == digest) return kept.second;
      }
    }
    TALLA_TRY(auto catalogue, games::load_catalogue(file, hashes));
    const std::scoped_lock lock(mutex_);
    if (kept_.size() == shelf_max) kept_.erase(kept_.begin());
    kept_.emplace_back(digest, catalogue);
    return catalogue;
  }

 private:
  static constexpr std::size_t shelf_max = 4;
  std::mutex mutex_;
  std::vector<std::pair<Digest, std::shared_ptr<const games::Catalogue>>>
      kept_;  // guarded by mutex_
};
CatalogueShelf& shelf() {
  static CatalogueShelf one;
  return one;
}

}  // namespace

Result<std::unique_ptr<games::Table>> Replay::table_of(const Evidence& evidence) {
  const Bundle& bundle = evidence.bundle;
  if (!bundle.catalogue || !bundle.state_before) {
    return fail(VerifyErrc::rules_unavailable,
                "a settlement needs the catalogue and the state before");
  }
  if (catalogue_digest(evidence.hashes, *bundle.catalogue) != evidence.table.catalogue) {
    return fail(VerifyErrc::catalogue_other,
                "the catalogue is not the one the table was opened with");
  }
  auto catalogue =
      shelf().get(evidence.table.catalogue, as_bytes(*bundle.catalogue), evidence.hashes);
  if (!catalogue) return fail(VerifyErrc::rules_unavailable, catalogue.error().text());
  TALLA_TRY(games::TableConfig config, table_config(evidence.table));
  auto table = games::Table::open(std::move(*catalogue), std::move(config));
  if (!table) return fail(VerifyErrc::rules_unavailable, table.error().text());
  if (table->params().json() != evidence.table.parameters) {
    return fail(VerifyErrc::parameters_missing, "TABLE_OPEN does not name every parameter");
  }
  return std::make_unique<games::Table>(std::move(*table));
}

Result<Replay> Replay::start(const Evidence& evidence) {
  TALLA_TRY(auto table, table_of(evidence));
  auto state = table->engine().initial(*table);
  if (!state) return fail(VerifyErrc::rules_unavailable, state.error().text());
  return Replay(std::move(table), std::move(*state));
}

Result<Replay> Replay::open(const Evidence& evidence) {
  TALLA_TRY(auto kept, table_of(evidence));
  auto state = kept->engine().restore(*kept, *evidence.bundle.state_before);
  if (!state)
    return fail(VerifyErrc::wrong_settlement, "the state before: " + state.error().text());
  Replay replay(std::move(kept), std::move(*state));
  TALLA_TRY_STATUS(replay.take_shoe(evidence));
  TALLA_TRY_STATUS(replay.check_terms(evidence));
  return replay;
}

Status Replay::take_shoe(const Evidence& evidence) {
  const Record& opened = *evidence.objects.find(evidence.claim->object)->second.front();
  for (const auto& [id, chain] : evidence.objects) {
    if (chain.front()->kind != Kind::shoe_commit) continue;
    TALLA_TRY(const auto account, count_before(chain, opened.seq));
    if (!account) continue;
    if (!shoe_.empty())
      return refuse_event(opened, "both " + shoe_ + " and " + id + " were in play");
    shoe_ = id;
    driver_ = games::Driver(*table_, driver_.state(), account);
  }
  return {};
}

Status Replay::check_in_play(const Record& record) const {
  if (record.object == shoe_) return {};
  return refuse_event(record, shoe_.empty() ? "no shoe is in play" : shoe_ + " is in play");
}

Result<Replay> Replay::with_kept(const Evidence& evidence) {
  TALLA_TRY(auto table, table_of(evidence));
  TALLA_TRY(const auto whole, table->engine().restore(*table, *evidence.bundle.state_before));
  TALLA_TRY(auto state, table->engine().resume(*table, table->engine().carried(*table, whole)));
  Replay replay(std::move(table), std::move(state));
  replay.compares_ = false;
  TALLA_TRY_STATUS(replay.take_shoe(evidence));
  return replay;
}

bool Replay::has_stakes() const {
  const json::Value now = driver_.state().to_json();
  const json::Value kept = driver_.carried();
  const json::Value* standing = now.find("bets");
  const json::Value* known = kept.find("bets");
  return standing != nullptr && (known == nullptr || *known != *standing);
}

Digest Replay::state_digest(const HashSuite& hashes) const {
  return certs::state_digest(hashes, driver_.state().to_json());
}

Status Replay::apply(const Record& record, const games::Event& event) {
  const auto applied = driver_.apply(event);
  if (!applied) return refuse_event(record, "the rules refuse it: " + applied.error().text());
  return {};
}

Status Replay::bets(const Record& record) {
  TALLA_TRY(auto part, BetsClosedBody::from_json(record.body));
  TALLA_TRY(const auto body, bets_.take(std::move(part)));
  if (!body) return {};
  for (const std::string& bet : body->withdrawn)
    TALLA_TRY_STATUS(apply(record, games::WithdrawBet{bet, {}}));
  for (const Bet& bet : body->bets) {
    TALLA_TRY(const auto event, place_event(bet));
    TALLA_TRY_STATUS(apply(record, event));
  }
  return apply(record, games::CloseBets{});
}

Status Replay::action(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, ActionBody::from_json(record.body));
  if (compares_ && state_digest(evidence.hashes) != body.state_before)
    return refuse_event(record, "decided on another state");
  TALLA_TRY(const auto event, action_event(body));
  return apply(record, event);
}

Status Replay::deal(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, CardDealBody::from_json(record.body));
  const bool before =
      record.seq < evidence.objects.find(evidence.claim->object)->second.front()->seq;
  if (body.round != (before ? std::string() : evidence.claim->object))
    return refuse_event(record, "dealt in another round, or in none");
  const auto& chain = evidence.objects.find(record.object)->second;
  TALLA_TRY(const auto root, root_before(chain, record));
  const ShoeCommitBody& commit = root.commit;
  const auto wanted = table_->engine().shoe(*table_);
  if (!wanted) return refuse_event(record, "the game has no shoe");
  TALLA_TRY(const auto rules_deck, shuffle::DeckSpec::parse(wanted->deck));
  if (commit.deck != rules_deck.text() || commit.stop_depth != wanted->stop_depth ||
      commit.covered != wanted->covered) {
    return refuse_event(record, "its shoe is not the one of the rules");
  }
  TALLA_TRY_STATUS(check_in_play(record));
  if (driver_.stop_card_due()) TALLA_TRY_STATUS(apply(record, games::StopCard{}));
  TALLA_TRY_STATUS(check_entitled(record, body));
  TALLA_TRY(const auto event, card_event(body));
  return apply(record, event);
}

/// The copies of a covered card are for exactly the seats that the rules name.
Status Replay::check_entitled(const Record& record, const CardDealBody& body) const {
  if (body.face != Face::covered) return {};
  const games::Needs needs = driver_.needs();
  const auto* due = games::find_need<games::Deal>(needs);
  if (due == nullptr) return refuse_event(record, "the rules ask for no card");
  std::vector<games::Seat> seats;
  seats.reserve(body.copies.size());
  for (const CoveredCopy& copy : body.copies) seats.push_back(static_cast<games::Seat>(copy.seat));
  if (seats != due->cards.front().seats)
    return refuse_event(record, "other seats may look at it than the rules say");
  return {};
}

Status Replay::reveal(const Record& record) {
  TALLA_TRY(const auto body, CardOpenBody::from_json(record.body));
  TALLA_TRY(const auto event, reveal_event(body));
  return apply(record, event);
}

Status Replay::draw(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, DrawBody::from_json(record.body));
  const Record* called = evidence.find(body.call);
  if (called == nullptr) return refuse_event(record, "its CALL is missing");
  TALLA_TRY(const auto call, CallBody::from_json(called->body));
  if (call.core.round != evidence.claim->object) return {};
  const games::Needs needs = driver_.needs();
  const auto* due = games::find_need<games::Draw>(needs);
  if (due == nullptr || !fits(*due, call.core.draw()))
    return refuse_event(record, "the rules ask for no such draw");
  return apply(record, draw_event(*due, body.outcome));
}

Status Replay::void_call(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, VoidBody::from_json(record.body));
  if (body.lapsed)
    return {};  // no call, so nothing for the rules: the round's next one is asked for
  const Record* called = evidence.find(body.call);
  if (called == nullptr) return refuse_event(record, "its CALL is missing");
  TALLA_TRY(const auto call, CallBody::from_json(called->body));
  if (call.core.use == CallUse::mix || call.core.round != evidence.claim->object) return {};
  return apply(record, games::VoidDraw{});
}

Status Replay::misdeal(const Record& record) {
  TALLA_TRY(const auto body, MisdealBody::from_json(record.body));
  const auto* rule = table_->rules().error(body.code);
  if (rule == nullptr || rule->effect != body.effect)
    return refuse_event(record, "the catalogue says another effect");
  return apply(record, misdeal_event(body));
}

Status Replay::confirmed(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, HandConfirmedBody::from_json(record.body));
  if (compares_ && state_digest(evidence.hashes) != body.state_before)
    return refuse_event(record, "another hand was confirmed");
  return apply(record, games::ConfirmHand{});
}

Status Replay::check_terms(const Evidence& evidence) const {
  for (const auto& [word, id] : evidence.table.meters) {
    const auto chain = evidence.objects.find(id);
    if (chain == evidence.objects.end()) continue;  // this round did not touch it
    TALLA_TRY(const auto opened, MeterOpenBody::from_json(chain->second.front()->body));
    const auto terms = table_->engine().meter_terms(*table_, word);
    if (!terms || *terms != opened.terms)
      return fail(VerifyErrc::meter_terms, id + ": was opened on other terms than the table has");
  }
  return {};
}

Status Replay::meter(const Evidence& evidence, const Record& record) {
  TALLA_TRY(auto body, MeterBody::from_json(record.body));
  if (body.round != evidence.claim->object) return {};
  TALLA_TRY_STATUS(apply(record, meter_event(body)));
  meters_.push_back(std::move(body));
  const games::Needs needs = driver_.needs();
  if (games::find_need<games::ReadMeter>(needs) != nullptr) return {};
  if (!moved_as_said(meters_, driver_.meters()))
    return refuse_event(record, "the rules move the meter otherwise");
  meters_.clear();
  return {};
}

Status Replay::meters_moved(const Record& claim) const {
  return meters_.empty() ? Status()
                         : refuse_event(claim, "a meter was read, and its bets were not settled");
}

bool Replay::over() const {
  const games::Needs needs = driver_.needs();
  return games::find_need<games::Settled>(needs) != nullptr;
}

Status Replay::close_shoe(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, ShoeCloseBody::from_json(record.body));
  const auto& chain = evidence.objects.find(record.object)->second;
  TALLA_TRY(const auto root, root_before(chain, record));
  // Nobody mixed it: it was never in play.
  const bool mixed =
      std::ranges::any_of(chain, [](const Record* one) { return one->kind == Kind::shoe_mix; });
  if (!mixed) return {};
  TALLA_TRY_STATUS(check_in_play(record));
  const games::Needs needs = driver_.needs();
  const bool over = body.dealt == root.commit.cards || !newest_mixed(chain) ||
                    games::find_need<games::ShoeNeed>(needs) != nullptr;
  if (body.reason == ShoeCloseReason::ended && !over)
    return refuse_event(record, "the rules would play on from this shoe");
  if (stop_card_ends(root.commit, body)) TALLA_TRY_STATUS(apply(record, games::StopCard{}));
  driver_.close_shoe();
  shoe_.clear();
  return {};
}

Status Replay::mix(const Evidence& evidence, const Record& record) {
  const auto& chain = evidence.objects.find(record.object)->second;
  TALLA_TRY(const auto root, root_before(chain, record));
  if (newest_mixed(chain, &record)) return check_in_play(record);  // nothing for the rules
  if (!root.again) {
    TALLA_TRY_STATUS(apply(record, games::ShoeOpened{root.commit.cards, false}));
    shoe_ = record.object;
    return {};
  }
  TALLA_TRY_STATUS(check_in_play(record));
  const games::Needs needs = driver_.needs();
  const auto* due = games::find_need<games::Shuffle>(needs);
  if (due == nullptr) return refuse_event(record, "the rules ask for no shuffle");
  TALLA_TRY(const auto laid, laid_before(chain, *root.record));
  const auto back = cards_back(*due, laid);
  if (root.again->rule != due->rule || back != CardsBack{root.again->returned, root.again->older}) {
    return refuse_event(record, "other cards went back than the rules name");
  }
  return apply(record, games::Shuffled{due->places});
}

Status Replay::step(const Evidence& evidence, const Record& record) {
  if (kind_object(record.kind) == "round" && record.object != evidence.claim->object) {
    return refuse_event(record, "belongs to another round");
  }
  // Opened before what the file holds of the table: no draw of this round is of such a batch
  // (check_settlement), a shoe may have had cards.
  if (!evidence.objects.contains(record.object)) {
    if (class_of_object(record.kind, record.body) != kind_object(Kind::shoe_commit)) return {};
    return refuse(VerifyErrc::object_before, record,
                  "its shoe was opened before what the bundle holds");
  }
  switch (record.kind) {
    case Kind::bets_closed:
      return bets(record);
    case Kind::action:
      return action(evidence, record);
    case Kind::misdeal:
      return misdeal(record);
    case Kind::hand_confirmed:
      return confirmed(evidence, record);
    case Kind::meter:
      return meter(evidence, record);
    case Kind::shoe_mix:
      return mix(evidence, record);
    case Kind::card_deal:
      return deal(evidence, record);
    case Kind::card_open:
      return reveal(record);
    case Kind::shoe_close:
      return close_shoe(evidence, record);
    case Kind::draw:
      return draw(evidence, record);
    case Kind::void_call:
      return void_call(evidence, record);
    default:
      return {};
  }
}

}  // namespace talla::certs
