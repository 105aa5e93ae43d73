// Plays a scenario on its table and compares what comes out.
#include <algorithm>

#include "code.hpp"
#include "games/refusal.hpp"
#include "games/scenario.hpp"
#include "scenario/steps.hpp"

namespace talla::games {
namespace {

/// Steps before the first `shoe`: then the scenario starts with a shoe it does not name.
struct ImplicitShoe {
  bool wanted = false;
  bool in_play = false;  ///< only cards `at` places are named: burns are done
};

ImplicitShoe implicit_shoe(const Scenario& scenario) {
  ImplicitShoe out;
  bool queue = false;
  bool at = false;
  bool acted = false;  // a step that needs an open shoe
  bool named = false;  // the file opens its shoe itself
  for (const auto& step : scenario.steps) {
    named = step.find("shoe") != nullptr;
    if (named) break;
    const bool cards = step.find("cards") != nullptr;
    const bool places = step.find("at") != nullptr;
    queue = queue || cards;
    at = at || places;
    acted = acted || (!cards && !places && step.find("stop_card_after") == nullptr);
  }
  out.wanted = acted || (!named && (queue || at));
  out.in_play = at && !queue;
  return out;
}

/// One scenario on its table.
class Runner {
 public:
  Runner(const Scenario& scenario, Driver driver) : driver_(std::move(driver)) {
    const auto implicit = implicit_shoe(scenario);
    if (implicit.wanted) source_.offer_shoe(implicit.in_play);
  }

  [[nodiscard]] Status step(const json::Value& step) {
    TALLA_TRY_STATUS(check_step(step));
    const auto& [name, value] = *step.object().begin();
    if (name == "balls" && driver_.table().rules().shoe) {  // dealt one by one: a shoe of balls
      TALLA_TRY_STATUS(balls(value));
      return advance();
    }
    TALLA_TRY(auto event, step_event(name, value));
    TALLA_TRY(auto result, step_draw(name, value));
    if (event) {
      TALLA_TRY_STATUS(client(*event));
    } else if (result) {
      TALLA_TRY_STATUS(draw(std::move(*result)));
    } else {
      TALLA_TRY_STATUS(equipment(name, value));
    }
    return advance();
  }

  /// A forced card at the end is an exhausted queue; anything else that is open may stay open.
  [[nodiscard]] Status finish() {
    const Needs needs = driver_.needs();
    if (const auto* due = find_need<ReadMeter>(needs))
      return bad_scenario("the meter " + due->meter +
                          " is read now, and the scenario does not say what it holds");
    return waiting_for_card() ? exhausted() : Status();
  }

  /// Serves what can be served before the first step.
  [[nodiscard]] Status advance() {
    if (const Needs needs = driver_.needs(); const auto* need = find_need<ShoeNeed>(needs)) {
      TALLA_TRY(const auto opened, source_.open_shoe(*need));
      if (opened) TALLA_TRY_STATUS(driver_.apply(*opened));
    }
    const bool shoe_open = driver_.shoe() && find_need<ShoeNeed>(driver_.needs()) == nullptr;
    if (stop_after_ && shoe_open) driver_.set_stop_after(*std::exchange(stop_after_, std::nullopt));
    TALLA_TRY_STATUS(driver_.advance(source_, source_));
    keep();
    if (closed_ && find_need<Settled>(driver_.needs()) != nullptr) {
      source_.end_round();
      closed_ = false;
    }
    return {};
  }

  [[nodiscard]] const Driver& driver() const { return driver_; }
  [[nodiscard]] std::vector<Settlement> take_settlements() {
    keep();
    return std::move(settlements_);
  }
  /// What the last round, or the one that is played, has shown.
  [[nodiscard]] std::vector<ShownHand> hands() const {
    return shown_hands(driver_.table(), round_events_);
  }
  /// The view, for a seat with the cards that it holds itself.
  [[nodiscard]] json::Value view(const Viewer& viewer) const {
    auto out = driver_.view(viewer);
    if (viewer.kind != Viewer::Kind::seat || !out.is_object()) return out;
    auto own = source_.own_cards(viewer.seat);
    if (!own.empty()) out["own_cards"] = std::move(own);
    return out;
  }

 private:
  /// Takes over settlements and events; those of a round that is over go when the next begins.
  void keep() {
    for (auto& one : driver_.take_settlements()) settlements_.push_back(std::move(one));
    for (auto& one : driver_.take_events()) {
      if (round_over_) round_events_.clear();
      round_over_ = false;
      round_events_.push_back(std::move(one));
    }
    round_over_ = find_need<Settled>(driver_.needs()) != nullptr;
  }
  /// A card is forced and people have nothing to say before it.
  [[nodiscard]] bool waiting_for_card() const {
    const Needs needs = driver_.needs();
    const bool people =
        find_need<BetsOpen>(needs) != nullptr || find_need<Decide>(needs) != nullptr;
    return !people && (find_need<Deal>(needs) != nullptr || find_need<Reveal>(needs) != nullptr);
  }
  [[nodiscard]] Status exhausted() const {
    const auto place = driver_.next_card_place();
    return fail(Errc::cards_exhausted, "the next card is forced" +
                                           (place ? " (" + place->place + ")" : "") +
                                           " and the scenario names none");
  }
  [[nodiscard]] Status client(const Event& event) {
    const bool anytime = std::holds_alternative<Misdeal>(event) ||
                         std::holds_alternative<LastRound>(event) ||
                         std::holds_alternative<VoidDraw>(event);
    if (!anytime && waiting_for_card()) return exhausted();
    TALLA_TRY_STATUS(driver_.apply(event));
    closed_ = closed_ || std::holds_alternative<CloseBets>(event);
    return {};
  }
  [[nodiscard]] Status draw(DrawResult result) {
    const Needs needs = driver_.needs();
    const auto* need = find_need<Draw>(needs);
    if (need == nullptr || need->kind != result.kind) {
      auto refused = refuse(Errc::not_due, "no {draw~} is due: close the bets first",
                            {{"draw~", std::string(draw_kind_name(result.kind))}});
      return tl::unexpected<Error>(with_instead(
          driver_.table().rules(), needs, Event(std::move(result)), std::move(refused).value()));
    }
    return driver_.apply(result);
  }
  [[nodiscard]] Status equipment(const std::string& name, const json::Value& value) {
    if (name == "shoe") return shoe(value);
    if (name == "cards") return cards(value);
    if (name == "at") return at(value);
    if (name == "meter") return meter(value);
    if (!value.is_integer() || value.integer() < 0 || value.integer() > 65535) {
      return bad_scenario("stop_card_after is a number of cards");
    }
    stop_after_ = static_cast<std::uint32_t>(value.integer());
    return {};
  }
  [[nodiscard]] Status shoe(const json::Value& value) {
    if (!value.is_string() || value.string() != "new") return bad_scenario("shoe is \"new\"");
    // What the old shoe left over stays with it; cards named since it was over are the new one's.
    const bool left_over = driver_.shoe().has_value() && !std::exchange(cards_of_next_shoe_, false);
    if (find_need<ShoeNeed>(driver_.needs()) == nullptr) {
      if (!driver_.shoe()) return fail(Errc::not_due, "this game has no shoe");
      if (driver_.shoe()->dealt == 0) return {};  // a fresh one is open already
      TALLA_TRY_STATUS(driver_.apply(ShoeClosed{}));
    }
    if (left_over) source_.drop_queue();
    source_.offer_shoe(false);
    source_.end_round();
    return {};
  }
  [[nodiscard]] Status cards(const json::Value& value) {
    if (!value.is_array()) return bad_scenario("cards is a list");
    if (driver_.shoe() && find_need<ShoeNeed>(driver_.needs()) != nullptr && !cards_of_next_shoe_) {
      source_.drop_queue();
      cards_of_next_shoe_ = true;
    }
    for (const auto& one : value.array()) {
      TALLA_TRY(const auto card, parse(one));
      source_.add_card(card);
    }
    return {};
  }
  [[nodiscard]] Status balls(const json::Value& value) {
    if (!value.is_array()) return bad_scenario("balls is a list of numbers");
    json::Array texts;
    for (const auto& one : value.array()) {
      if (!one.is_integer() && !one.is_string()) return bad_scenario("a ball is a number");
      const auto text = code_text(one);
      texts.emplace_back(text.starts_with('B') ? text : "B" + text);
    }
    return cards(texts);
  }
  [[nodiscard]] Status at(const json::Value& value) {
    if (!value.is_object()) return bad_scenario("at names places and their cards");
    for (const auto& [place, one] : value.object()) {
      if (!one.is_string()) return bad_scenario("a card is a text like \"7H\"");
    }
    for (const auto& [place, one] : value.object()) {
      const auto& places = driver_.table().rules().places;
      if (std::none_of(places.begin(), places.end(),
                       [&](const Named& known) { return known.id == place; })) {
        std::vector<std::string> there;
        there.reserve(places.size());
        for (const auto& known : places) there.push_back(known.id);
        RefusalValues values{{"place", place.empty() ? "''" : place.substr(0, 40)}};
        if (there.empty())
          return refuse(Errc::place_unknown, "the game has no place {place}", values);
        values.emplace_back("allowed", listed(there));
        return refuse(Errc::place_unknown, "the game has no place {place}; there are: {allowed}",
                      values);
      }
      TALLA_TRY(const auto card, parse(one));
      source_.put_at(place, card);
    }
    return {};
  }
  /// What other tables have made of a meter that this one shares.
  [[nodiscard]] Status meter(const json::Value& value) {
    json::Reader reader(value, "meter");
    TALLA_TRY(const auto id, reader.string("id"));
    TALLA_TRY(const auto amount, reader.integer("value", 0, units_max));
    TALLA_TRY_STATUS(reader.finish());
    if (!driver_.table().shares(id))
      return bad_scenario("meter: the table shares no meter " + id.substr(0, 40));
    source_.put_meter(id, amount);
    return {};
  }
  [[nodiscard]] static Result<Card> parse(const json::Value& value) {
    if (!value.is_string()) return bad_scenario("a card is a text like \"7H\"");
    auto card = Card::parse(value.string());
    if (!card) return fail(Errc::card_invalid, card.error().detail);
    return card;
  }

  Driver driver_;
  ScenarioSource source_;
  std::optional<std::uint32_t> stop_after_;
  bool closed_ = false;              ///< bets were closed since the last round ended
  bool cards_of_next_shoe_ = false;  ///< the queue was named after the old shoe was over
  std::vector<Settlement> settlements_;
  std::vector<Event> round_events_;
  bool round_over_ = false;
};

void run_steps(const Scenario& scenario, Runner& runner, ScenarioOutcome& out) {
  auto status = runner.advance();
  std::size_t number = 0;
  for (const auto& step : scenario.steps) {
    if (!status) break;
    ++number;
    status = runner.step(step);
  }
  if (status) {
    number = 0;
    status = runner.finish();
  }
  if (!status) {
    out.error = status.error();
    out.error_step = number;
  }
}

Result<Table> open_table(const Scenario& scenario, const CatalogueLookup& lookup) {
  TALLA_TRY(auto catalogue, lookup(scenario.catalogue));
  TALLA_TRY(auto config, table_config_from_json(scenario.game, scenario.table));
  return Table::open(std::move(catalogue), std::move(config));
}

template <class T>
void compare(const std::string& bet, std::string_view what, const std::optional<T>& expected,
             const T& found, std::vector<std::string>& out) {
  if (!expected || *expected == found) return;
  const auto text = [](const T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      return value;
    } else {
      return std::to_string(value);
    }
  };
  out.push_back(
      filled_form("{bet}: {field~} expected {wanted}, got {found}", {{"bet", bet},
                                                                     {"field~", std::string(what)},
                                                                     {"wanted", text(*expected)},
                                                                     {"found", text(found)}}));
}

void compare_bet(const ExpectedBet& expected, const std::vector<Settlement>& all,
                 std::vector<std::string>& out) {
  const auto last = std::find_if(all.rbegin(), all.rend(),
                                 [&](const auto& one) { return one.bet == expected.bet; });
  if (last == all.rend()) {
    out.push_back(filled_form("{bet}: not settled", {{"bet", expected.bet}}));
    return;
  }
  compare(expected.bet, "result", expected.result, std::string(bet_result_name(last->result)), out);
  compare(expected.bet, "returned", expected.returned, last->returned, out);
  compare(expected.bet, "rule", expected.rule, last->rule, out);
  compare(expected.bet, "kind", expected.kind, last->kind, out);
  compare(expected.bet, "stake", expected.stake, last->stake, out);
  compare(expected.bet, "seat", expected.seat, last->seat, out);
  compare(expected.bet, "remainder", expected.remainder, last->remainder.text(), out);
}

void judge(const Scenario& scenario, ScenarioOutcome& out) {
  if (scenario.expect_error) {
    if (!out.error) {
      out.differences.push_back(filled_form("expected the error {wanted}, and nothing was refused",
                                            {{"wanted", *scenario.expect_error}}));
    } else if (out.error->code != *scenario.expect_error) {
      out.differences.push_back(filled_form(
          "expected the error {wanted}, got {found}",
          {{"wanted", *scenario.expect_error}, {"found", std::string(out.error->code)}}));
    }
  } else if (out.error) {
    out.differences.emplace_back("no refusal was expected");
  }
  for (const auto& expected : scenario.expect)
    compare_bet(expected, out.settlements, out.differences);
}

}  // namespace

ScenarioOutcome run_scenario(const Scenario& scenario, const CatalogueLookup& lookup,
                             std::optional<Viewer> viewer) {
  ScenarioOutcome out;
  out.needs = json::Array();
  auto table = open_table(scenario, lookup);
  if (table) out.warnings = table->warnings();
  auto driver =
      table ? Driver::start(*table) : Result<Driver>(tl::unexpected<Error>(table.error()));
  if (driver) {
    Runner runner(scenario, std::move(*driver));
    run_steps(scenario, runner, out);
    out.settlements = runner.take_settlements();
    out.carried = runner.driver().carried();
    out.needs = to_json(runner.driver().needs());
    out.due = due_words(runner.driver().needs());
    out.hands = runner.hands();
    if (viewer) out.view = runner.view(*viewer);
  } else {
    out.error = driver.error();
  }
  judge(scenario, out);
  return out;
}

}  // namespace talla::games
