// Settled rounds that the tests of the verifier make.
#include <memory>

#include "base/check.hpp"
#include "format/body_table.hpp"
#include "format/domain.hpp"
#include "format/game_events.hpp"
#include "games/catalogue.hpp"
#include "games/driver.hpp"
#include "games/table.hpp"
#include "story.hpp"

namespace talla::certs::test {
namespace {

struct GamePlan {
  std::string catalogue;
  std::string game;
  std::string currency;
  std::int64_t min = 0;
  json::Value params = json::Object{};
  std::string meter{};  ///< one that it shares with other tables; empty: none
  MixRule mix = MixRule::shoe;
};
GamePlan game_of_1977(std::string game) {
  return {"es-1977", std::move(game), "ESP", 25};
}

/// A table settled by the appliance: the driver runs beside the log, as in the daemon.
class GameTable {
 public:
  GameTable(LogBuilder& log, Context& context, const GamePlan& plan) : log_(log) {
    for (const auto& embedded : games::embedded_catalogues()) {
      if (embedded.id == plan.catalogue) catalogue_ = std::string(as_text(embedded.bytes));
    }
    auto catalogue = games::load_catalogue(as_bytes(catalogue_), log.hashes);
    TALLA_CHECK(catalogue.has_value());
    games::TableConfig config;
    config.game = plan.game;
    config.currency.code = plan.currency;
    config.min = plan.min;
    config.params = plan.params;
    if (!plan.meter.empty()) config.shared_meters = {plan.meter};
    auto table = games::Table::open(std::move(*catalogue), std::move(config));
    TALLA_CHECK(table.has_value());
    table_ = std::make_unique<games::Table>(std::move(*table));
    TableOpenBody body;
    body.place = "Mesa 1";
    body.game = plan.game;
    body.catalogue = catalogue_digest(log.hashes, catalogue_);
    body.parameters = table_->params().json();
    body.currency = plan.currency;
    body.min = plan.min;
    body.policy.mix = plan.mix;
    log.name_key(body);
    context.game = body.game;
    context.catalogue = body.catalogue;
    context.parameters = parameters_digest(log.hashes, body.parameters);
    std::vector<std::uint64_t> cites;
    if (!plan.meter.empty()) cites.push_back(open_meter(plan, body));
    id_ = object_id("table", log.add({Kind::table_open, "", body.to_json(), cites}));
    auto driver = games::Driver::start(*table_);
    TALLA_CHECK(driver.has_value());
    driver_ = std::make_unique<games::Driver>(std::move(*driver));
  }

  void apply(const games::Event& event) { must(driver_->apply(event)); }
  /// The place of the next card that is due, behind the stop card where that comes first.
  std::optional<games::DealPlace> next_place() {
    must(driver_->pass_stop_card());
    return driver_->next_card_place();
  }
  [[nodiscard]] bool stop_card_out() const { return driver_->shoe()->stop_shown; }
  [[nodiscard]] games::Needs needs() const { return driver_->needs(); }
  [[nodiscard]] Digest digest() const {
    return state_digest(log_.hashes, driver_->state().to_json());
  }
  [[nodiscard]] const std::string& id() const { return id_; }

  void open_round(const std::string& shoe) {
    before_ = driver_->state().to_json();
    RoundOpenBody body;
    body.table = id_;
    body.number = ++rounds_;
    body.state_before = digest();
    body.shoe = shoe;
    std::vector<std::uint64_t> cites{*object_seq("table", id_)};
    if (end_) cites.push_back(*end_);
    round_ = object_id("round", log_.add({Kind::round_open, "", body.to_json(), cites}));
    static_cast<void>(driver_->take_settlements());
  }
  void close_bets(const std::vector<Bet>& bets) {
    BetsClosedBody body;
    body.bets = bets;
    body.digest = bets_digest(log_.hashes, bets_json(bets));
    closed_ = log_.add({Kind::bets_closed, round_, body.to_json(), {}});
    rests_on_ = {closed_};
    for (const Bet& bet : bets) {
      games::PlaceBet event{bet.id,   static_cast<games::Seat>(bet.seat), {}, bet.kind, bet.on,
                            bet.stake};
      apply(event);
    }
    apply(games::CloseBets{});
  }
  /// Whoever is asked lets the time pass.
  void time_out(games::Seat seat) {
    ActionBody body;
    body.seat = seat;
    body.time_out = true;
    body.state_before = digest();
    rests_on_.push_back(log_.add({Kind::action, round_, body.to_json(), {}}));
    apply(games::TimeOut{seat});
  }
  /// Staff have seen the complete hand.
  void confirm() {
    HandConfirmedBody body;
    body.state_before = digest();
    rests_on_.push_back(log_.add({Kind::hand_confirmed, round_, body.to_json(), {}}));
    apply(games::ConfirmHand{});
  }
  /// A round of another table moves the shared meter.
  void move_elsewhere(std::int64_t contribution) {
    MeterBody body;
    body.meter = meter_word_;
    body.round = "round-1";
    body.before = meter_value_;
    body.contribution = contribution;
    body.after = meter_value_ += contribution;
    log_.add({Kind::meter, meter_id_, body.to_json(), {}, "table-0"});
  }
  void read_meter() {
    MeterBody body;
    body.meter = meter_word_;
    body.round = round_;
    body.before = meter_value_;
    apply(games::MeterRead{meter_word_, meter_value_});
    const auto moved = driver_->meters().front();
    body.contribution = moved.contribution;
    body.award = moved.award;
    body.after = moved.value;
    rests_on_.push_back(log_.add({Kind::meter, meter_id_, body.to_json(), {closed_}}));
  }
  /// ROUND_END of a round whose SETTLEMENT is in no bundle here.
  void end_round() {
    const RoundEndBody body{digest(), log_.dealt(id_), log_.counts(id_)};
    end_ = log_.add({Kind::round_end, round_, body.to_json(), {}});
  }
  [[nodiscard]] const std::string& meter() const { return meter_id_; }
  void rest_on(std::uint64_t seq) { rests_on_.push_back(seq); }
  /// The stop card came before any card of the coup: it ends the shoe.
  void close(Shoe& shoe) {
    rest_on(shoe.close(ShoeCloseReason::stop_card));
    driver_->close_shoe();
  }

  Bundle settle(std::vector<std::string> objects) {
    SettlementBody body;
    for (const auto& settlement : driver_->take_settlements())
      body.results.push_back(settlement_result(settlement));
    body.state_before = state_digest(log_.hashes, before_);
    body.state_after = digest();
    const std::uint64_t claim = log_.add({Kind::settlement, round_, body.to_json(), rests_on_});
    objects.push_back(id_);
    objects.push_back(round_);
    return log_.select({claim, objects, catalogue_, before_});
  }
  [[nodiscard]] const std::string& round() const { return round_; }
  [[nodiscard]] std::uint64_t closed() const { return closed_; }

 private:
  static void must(const Status& status) {
    if (!status) check_failed(status.error().text().c_str(), __FILE__, __LINE__);
  }
  std::uint64_t open_meter(const GamePlan& plan, TableOpenBody& table) {
    MeterOpenBody body;
    body.meter = meter_word_ = plan.meter;
    body.catalogue = table.catalogue;
    body.game = table.game;
    body.currency = table.currency;
    body.terms = *table_->engine().meter_terms(*table_, plan.meter);
    body.value = meter_value_ = 5000;
    const auto seq = log_.add({Kind::meter_open, "", body.to_json(), {}});
    meter_id_ = object_id("meter", seq);
    table.meters.emplace(plan.meter, meter_id_);
    return seq;
  }

  LogBuilder& log_;
  std::string meter_word_;
  std::string meter_id_;
  std::int64_t meter_value_ = 0;
  std::string catalogue_;
  std::unique_ptr<games::Table> table_;
  std::unique_ptr<games::Driver> driver_;
  std::string id_;
  std::string round_;
  std::uint64_t rounds_ = 0;
  std::optional<std::uint64_t> end_;  // the last ROUND_END
  json::Value before_;
  std::uint64_t closed_ = 0;
  std::vector<std::uint64_t> rests_on_;
};

/// Deals from the shoe for as long as cards are due; whether any was.
bool deal_due(LogBuilder& log, GameTable& table, Shoe& shoe, const std::string& round) {
  bool any = false;
  while (const auto place = table.next_place()) {
    any = true;
    const Face face = place->face == games::Face::open ? Face::open : Face::unseen;
    std::vector<std::uint64_t> cites;
    if (!round.empty()) cites.push_back(table.closed());
    const auto card = shoe.deal(place->place, face, round, cites);
    if (!round.empty()) table.rest_on(log.next_seq() - 1);
    table.apply(games::CardDealt{
        place->place, face == Face::open ? games::Face::open : games::Face::unseen, card});
  }
  return any;
}

}  // namespace

Bundle spin_scene(Pki& pki, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  GameTable table(log, context, game_of_1977("french-roulette"));
  Batch batch(log, table.id(), 2, context);
  table.open_round("");
  table.close_bets({{"b1", 1, "rojo", 100, {}, {}},
                    {"b2", 2, "pleno", 25, {"17"}, {}},
                    {"b3", 1, "docena", 50, {"2"}, {}}});
  const auto needs = table.needs();
  const auto* due = games::find_need<games::Draw>(needs);
  TALLA_CHECK(due != nullptr);
  const WheelDraw wheel{static_cast<std::uint32_t>(due->pockets.size())};
  table.rest_on(batch.draw(wheel));
  table.apply(games::DrawResult{games::DrawKind::wheel,
                                {due->pockets.at(batch.last_outcome().values.front())}});
  return table.settle({batch.id()});
}

namespace {

/// The shoe that the rules ask for: committed, mixed, its burns dealt.
Shoe opened_shoe(LogBuilder& log, GameTable& table, const Context& context) {
  const auto needs = table.needs();
  const auto* due = games::find_need<games::ShoeNeed>(needs);
  TALLA_CHECK(due != nullptr);
  Shoe shoe(log, table.id(), {due->deck, 1, due->stop_depth, context});
  shoe.mix();
  table.apply(games::ShoeOpened{shoe.cards(), false});
  deal_due(log, table, shoe, "");
  return shoe;
}

const std::vector<Bet> bets_of_a_coup{{"b1", 1, "punto", 100, {}, {}},
                                      {"b2", 2, "banca", 100, {}, {}}};

Bundle told_coup(Pki& pki, const SceneOptions& options, bool confirmed) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  auto plan = game_of_1977("punto-banco");
  if (confirmed) plan.params = json::Object{{"settle_on", "confirmation"}};
  GameTable table(log, context, plan);
  Shoe shoe = opened_shoe(log, table, context);
  table.open_round(shoe.id());
  table.close_bets(bets_of_a_coup);
  deal_due(log, table, shoe, table.round());
  if (confirmed) table.confirm();
  return table.settle({shoe.id()});
}

}  // namespace

Bundle coup_scene(Pki& pki, const SceneOptions& options) {
  return told_coup(pki, options, false);
}
Bundle confirmed_scene(Pki& pki, const SceneOptions& options) {
  return told_coup(pki, options, true);
}

Bundle last_coup_scene(Pki& pki, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  GameTable table(log, context, game_of_1977("punto-banco"));
  Shoe shoe = opened_shoe(log, table, context);
  for (;;) {
    table.open_round(shoe.id());
    table.close_bets(bets_of_a_coup);
    const bool dealt = deal_due(log, table, shoe, table.round());
    const bool out = table.stop_card_out();
    if (out && !dealt) table.close(shoe);
    if (out) return table.settle({shoe.id()});
    table.end_round();
  }
}

void RoundsScene::mixed(Shoe& shoe) {
  shoe.mix();
}

Bundle rounds_scene(Pki& pki, const RoundsScene& scene, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  auto plan = game_of_1977("punto-banco");
  plan.mix = scene.mix;
  GameTable table(log, context, plan);
  Shoe shoe = opened_shoe(log, table, context);
  table.open_round(shoe.id());
  table.close_bets(bets_of_a_coup);
  if (scene.mix == MixRule::round) table.rest_on(log.next_seq() + 1), shoe.mix();
  deal_due(log, table, shoe, table.round());
  static_cast<void>(table.settle({}));
  table.end_round();
  log.seat(scene.panel);
  if (scene.before_round) scene.before_round(shoe);
  table.open_round(shoe.id());
  if (scene.before_bets) scene.before_bets(shoe);
  table.close_bets(bets_of_a_coup);
  if (scene.behind_bets) scene.behind_bets(shoe);
  deal_due(log, table, shoe, table.round());
  return table.settle({shoe.id()});
}

Bundle two_shoes_scene(Pki& pki) {
  LogBuilder log(pki, {});
  Context context = story_context({});
  GameTable table(log, context, game_of_1977("punto-banco"));
  Shoe shoe = opened_shoe(log, table, context);
  Shoe other(log, table.id(), {"french52x8", 2, shoe.stop_depth(), context});
  other.mix();
  table.open_round(shoe.id());
  table.close_bets(bets_of_a_coup);
  deal_due(log, table, other, table.round());
  return table.settle({shoe.id(), other.id()});
}

Bundle two_rounds_scene(Pki& pki) {
  LogBuilder log(pki, {});
  Context context = story_context({});
  GameTable table(log, context, game_of_1977("punto-banco"));
  Shoe shoe = opened_shoe(log, table, context);
  table.open_round(shoe.id());
  const std::string played = table.round();
  RoundOpenBody other;
  other.table = table.id();
  other.number = 2;
  other.state_before = table.digest();
  other.shoe = shoe.id();
  log.add({Kind::round_open, "", other.to_json(), {}});
  table.close_bets(bets_of_a_coup);
  deal_due(log, table, shoe, played);
  return table.settle({shoe.id()});
}

Bundle meter_scene(Pki& pki, const SceneOptions& options) {
  LogBuilder log(pki, options.tamper);
  Context context = story_context(options);
  GameTable table(
      log, context,
      {"es-euskadi-2010", "blackjack", "EUR", 10,
       json::Object{{"retiro", false}, {"acumulada", true}, {"acumulada_contribution", "1"}},
       "acumulada"});
  table.move_elsewhere(7);
  table.move_elsewhere(11);
  Shoe shoe = opened_shoe(log, table, context);
  table.open_round(shoe.id());
  table.close_bets({{"b1", 1, "juego-simple", 100, {}, {}}, {"a1", 1, "acumulada", 5, {}, {}}});
  for (;;) {
    deal_due(log, table, shoe, table.round());
    const auto open = table.needs();
    const auto* decide = games::find_need<games::Decide>(open);
    if (decide == nullptr) break;
    table.time_out(decide->seat);
  }
  const auto open = table.needs();
  TALLA_CHECK(games::find_need<games::ReadMeter>(open) != nullptr);
  table.read_meter();
  return table.settle({shoe.id(), table.meter()});
}

}  // namespace talla::certs::test
