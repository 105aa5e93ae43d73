/// \file
/// The contract of a game engine: a pure reducer that sees neither shoe, generator, clock nor
/// territory.
///
/// The same events from the same start give the same state, byte for byte, on every machine and for
/// ever: the verifier re-runs them. All functions are const and keep nothing; one engine object
/// serves all threads.
/// Errors: a refused event changes nothing (the state passed in is never touched).
/// Speed:  `advance`, `forced`, `settled` and `prepare` say the same as `apply`, `needs`,
///         `settlements` and the rules, without the copies; the driver uses them.
#pragma once

#include <atomic>
#include <concepts>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "games/event.hpp"
#include "games/need.hpp"
#include "games/session_end.hpp"
#include "games/settlement.hpp"
#include "games/table.hpp"

namespace talla::games {

/// One object for each state struct; its address tells which struct a StateBase holds.
template <class S>
inline constexpr char state_kind = 0;

/// Base of every engine's own state struct (through TypedEngine).
class StateBase {
 public:
  /// `kind`: the address of the struct's state_kind.
  explicit StateBase(const char* kind) : kind_(kind) {}
  StateBase(const StateBase&) = default;
  StateBase& operator=(const StateBase&) = default;
  virtual ~StateBase() = default;
  [[nodiscard]] virtual json::Value to_json() const = 0;
  [[nodiscard]] const char* kind() const { return kind_; }

 private:
  const char* kind_;
};

/// An immutable value; copying shares. Its canonical form and digest are what records carry.
class State {
 public:
  explicit State(std::shared_ptr<StateBase> data) : data_(std::move(data)) {
    TALLA_CHECK(data_ != nullptr);
  }
  [[nodiscard]] json::Value to_json() const { return data_->to_json(); }
  [[nodiscard]] std::string canonical() const { return json::canonical(to_json()); }
  [[nodiscard]] Digest digest(const HashSuite& hash) const {
    return hash.sha256({as_bytes(canonical())});
  }
  [[nodiscard]] const StateBase& data() const { return *data_; }
  /// The value for changing it in place, when no other State shares it; else nullptr. For engines.
  [[nodiscard]] StateBase* sole_owner() {
    if (data_.use_count() != 1) return nullptr;
// The tool does not know a fence; what another thread last read is read before this.
#ifndef __SANITIZE_THREAD__
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    return data_.get();
  }

 private:
  std::shared_ptr<StateBase> data_;
};

/// What is forced now, without the list: see Engine::forced.
struct Forced {
  enum class Kind : std::uint8_t { nothing, card, draw, other } kind = Kind::nothing;
  DealPlace card;                    ///< kind == card: the first place of the Deal that is due
  const DealPlace* fixed = nullptr;  ///< instead of `card`: one that lives for ever
  const Draw* draw = nullptr;        ///< kind == draw; lives as long as the table
  /// Precondition: kind == card.
  [[nodiscard]] const DealPlace& place() const { return fixed != nullptr ? *fixed : card; }
};
/// The same, read off a list of needs (never Kind::draw).
[[nodiscard]] Forced forced_in(const Needs& needs);

/// Who looks.
struct Viewer {
  enum class Kind : std::uint8_t { seat, public_, inspector } kind = Kind::public_;
  Seat seat = 0;  ///< kind == seat
};

/// An amount that grows from round to round until somebody wins of it (jackpot), after the round
/// just settled. One that tables share (Table::shares) is read by ReadMeter and MeterRead before
/// each round that has a stake on it moves it; its value here is then what that round left.
struct Meter {
  std::string id;          ///< the catalogue's word for it, e.g. "jackpot"
  Units value = 0;         ///< what it holds now
  Units contribution = 0;  ///< put in since the settlement before
  Units award = 0;  ///< paid out of it since then: value before + contribution - award = value
  bool operator==(const Meter&) const = default;
};

/// The rules of one family of games, as pure functions of table and state.
class Engine {
 public:
  Engine() = default;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  /// Id under which catalogues name it: "wheel", "dice", "baccarat", ...
  [[nodiscard]] virtual std::string_view family() const = 0;
  /// Refuses rules this engine cannot play: missing bets, parameters, data, or data it does not
  /// know. Called by the loader for every game; afterwards the engine may rely on all it checked.
  [[nodiscard]] virtual Status check_rules(const GameRules& rules) const = 0;
  /// Whether this engine knows that word for when an error may be said (ErrorRule::window).
  [[nodiscard]] virtual bool knows_window(std::string_view /*window*/) const { return false; }
  /// Whether an error of this family may carry chips (Misdeal::amount); it then judges them itself.
  [[nodiscard]] virtual bool takes_error_amounts() const { return false; }

  /// Whether it knows a complete hand that is not settled yet: its games may have the parameter
  /// `settle_on`.
  [[nodiscard]] virtual bool holds_hands() const { return false; }

  /// A table just opened.
  [[nodiscard]] virtual Result<State> initial(const Table& table) const = 0;
  /// The start of a round from what an earlier round left (`carried`). Errors: state_malformed.
  [[nodiscard]] virtual Result<State> resume(const Table& table,
                                             const json::Value& carried) const = 0;
  /// The state whose to_json this is. Errors: state_malformed.
  [[nodiscard]] virtual Result<State> restore(const Table& table,
                                              const json::Value& state) const = 0;

  [[nodiscard]] virtual Result<State> apply(const Table& table, const State& state,
                                            const Event& event) const = 0;
  [[nodiscard]] virtual Needs needs(const Table& table, const State& state) const = 0;
  /// What the event that led to this state settled; empty for most events.
  [[nodiscard]] virtual std::vector<Settlement> settlements(const State& state) const = 0;
  /// The shoe that every ShoeNeed of this table asks for: that of the rules, changed by the table's
  /// parameters.
  [[nodiscard]] virtual std::optional<ShoeNeed> shoe(const Table& table) const {
    return table.rules().shoe;
  }
  /// All meters of the table, in a fixed order. Asked for when a round is settled; part of the
  /// state.
  [[nodiscard]] virtual std::vector<Meter> meters(const Table& /*table*/,
                                                  const State& /*state*/) const {
    return {};
  }

  /// Why no stake at all can stand on that bet of this table, though the table offers it ("its
  /// stake is less than a chip"); "": one can; nullopt: the minimum and the limits of the catalogue
  /// decide.
  [[nodiscard]] virtual std::optional<std::string> unplayable(const Table& /*table*/,
                                                              const BetRule& /*bet*/) const {
    return std::nullopt;
  }

  /// The terms of a meter of this table that tables may share: what feeds it, what is taken out of
  /// it and how, `opening` (units it begins with, and again after an award of all of it), `stake`.
  /// Tables feed one meter on the same terms only. nullopt: no such meter, or one that belongs to
  /// its table.
  [[nodiscard]] virtual std::optional<json::Value> meter_terms(const Table& /*table*/,
                                                               std::string_view /*meter*/) const {
    return std::nullopt;
  }

  /// `state` becomes what `apply` gives; on refusal it is unchanged. Other States that share its
  /// value keep theirs.
  [[nodiscard]] virtual Status advance(const Table& table, State& state,
                                       const Event& event) const = 0;
  /// What `needs` forces first: a card, or a draw that stands alone, or something else, or nothing.
  [[nodiscard]] virtual Forced forced(const Table& table, const State& state) const = 0;
  /// `settlements` without the copy; valid until the state changes.
  [[nodiscard]] virtual const std::vector<Settlement>& settled(const State& state) const = 0;
  /// What the engine reads of the rules and parameters, read once: Table::open asks when all else
  /// is in place, and `Table::prepared` gives it back. nullptr: nothing.
  [[nodiscard]] virtual std::shared_ptr<const Prepared> prepare(const Table& /*table*/) const {
    return nullptr;
  }

  /// The refusal of that event with what is allowed instead (games/refusal.hpp).
  [[nodiscard]] Error explained(const Table& table, const State& state, const Event& event,
                                Error error) const;

  /// What outlives a round: prison, points, shoe in use. Meaningful between rounds; no covered card
  /// in it.
  [[nodiscard]] virtual json::Value carried(const Table& table, const State& state) const = 0;
  /// The only way a state leaves: covered cards of others and cards nobody may see are not in it.
  [[nodiscard]] virtual json::Value view(const Table& table, const State& state,
                                         const Viewer& viewer) const = 0;
};

/// What a struct must offer to be an engine's state: to_json, from_json that refuses anything else,
/// and `settled`, the settlements of the last event (cleared before each event; part of to_json
/// while not empty).
template <class S>
concept EngineState =
    std::copyable<S> && requires(const S& state, S& writable, const json::Value& value) {
      { state.to_json() } -> std::same_as<json::Value>;
      { S::from_json(value) } -> std::same_as<Result<S>>;
      { writable.settled } -> std::same_as<std::vector<Settlement>&>;
    };

/// Comfort for engines: own struct in, own struct out. Derive and implement the pure functions (and
/// check_state) and `family`, `check_rules`.
///
/// A hand whose last card has come: `on` leaves it as it is, `complete` says so, and `conclude`
/// settles it. Whether that is done at once or when staff confirm it (`settle_on`, Table::confirms)
/// is decided here, for all engines.
template <EngineState S>
class TypedEngine : public Engine {
 public:
  [[nodiscard]] Result<State> initial(const Table& table) const final { return wrap(start(table)); }
  [[nodiscard]] Result<State> resume(const Table& table, const json::Value& carried) const final {
    TALLA_TRY(auto parts, take_ending(table, carried));
    return wrap(continue_from(table, parts.rest), parts.ending);
  }
  [[nodiscard]] Result<State> restore(const Table& table, const json::Value& state) const final {
    TALLA_TRY(auto parts, take_ending(table, state));
    TALLA_TRY(auto restored, S::from_json(parts.rest));
    TALLA_TRY_STATUS(check_state(table, restored));
    if (!table.confirms() && complete(table, restored))
      return fail(Errc::state_malformed, "a complete hand is settled");
    return wrap(Result<S>(std::move(restored)), parts.ending);
  }
  [[nodiscard]] Result<State> apply(const Table& table, const State& state,
                                    const Event& event) const final {
    TALLA_TRY_STATUS(check_error_amount(event));
    S copy = typed(state);
    copy.settled.clear();
    Ending ending = box_of(state).ending;
    const bool counted = ending.announced() || announces(event);
    auto status = counted ? step_to_end(table, copy, ending, event) : step(table, copy, event);
    if (!status)
      return tl::unexpected<Error>(explained(table, state, event, std::move(status).error()));
    return wrap(Result<S>(std::move(copy)), ending);
  }
  [[nodiscard]] Needs needs(const Table& table, const State& state) const final {
    const auto& box = box_of(state);
    Needs out = needs_of(table, box.value);
    if (box.ending.is_over(out)) return {Settled{}};
    if (table.confirms() && complete(table, box.value)) out.emplace_back(Confirm{});
    return out;
  }
  [[nodiscard]] std::vector<Settlement> settlements(const State& state) const final {
    return typed(state).settled;
  }
  [[nodiscard]] Status advance(const Table& table, State& state, const Event& event) const final {
    auto* box = checks_before_changing() ? sole_box(state) : nullptr;
    if (box == nullptr || box->ending.announced() || announces(event)) {
      TALLA_TRY(state, apply(table, state, event));
      return {};
    }
    TALLA_TRY_STATUS(check_error_amount(event));
    S& value = box->value;
    if (value.settled.empty()) {
      auto status = step(table, value, event);
      if (status) return status;
      value.settled.clear();
      return tl::unexpected<Error>(explained(table, state, event, std::move(status).error()));
    }
    std::vector<Settlement> before;
    before.swap(value.settled);
    auto status = step(table, value, event);
    if (!status) {
      value.settled.swap(before);
      return tl::unexpected<Error>(explained(table, state, event, std::move(status).error()));
    }
    if (value.settled.empty()) {  // keeps the memory
      before.clear();
      value.settled.swap(before);
    }
    return status;
  }
  [[nodiscard]] Forced forced(const Table& table, const State& state) const final {
    const auto& box = box_of(state);
    if (box.ending.of_shoe && box.ending.is_over(needs_of(table, box.value))) return {};
    return forced_of(table, box.value);
  }
  [[nodiscard]] const std::vector<Settlement>& settled(const State& state) const final {
    return typed(state).settled;
  }
  [[nodiscard]] std::vector<Meter> meters(const Table& table, const State& state) const final {
    return meters_of(table, typed(state));
  }
  [[nodiscard]] json::Value carried(const Table& table, const State& state) const final {
    return with_ending(carried_of(table, typed(state)), box_of(state).ending);
  }
  [[nodiscard]] json::Value view(const Table& table, const State& state,
                                 const Viewer& viewer) const final {
    return with_ending(view_of(table, typed(state), viewer), box_of(state).ending);
  }

 protected:
  [[nodiscard]] virtual Result<S> start(const Table& table) const = 0;
  [[nodiscard]] virtual Result<S> continue_from(const Table& table,
                                                const json::Value& carried) const = 0;
  /// Whether a restored state fits this table (BetBook::check, totals, counts); the rest of the
  /// engine may rely on it.
  [[nodiscard]] virtual Status check_state(const Table& /*table*/, const S& /*state*/) const {
    return {};
  }
  /// Changes `state` by the event, or refuses; on refusal the copy is thrown away.
  [[nodiscard]] virtual Status on(const Table& table, S& state, const Event& event) const = 0;
  /// True when `on` leaves the state as it was whenever it refuses: then states are changed in
  /// place. Whoever says so has a test that refuses at every stage
  /// (tests/unit/games/in_place_test.cpp).
  [[nodiscard]] virtual bool checks_before_changing() const { return false; }
  /// Every card of the hand has come and no decision is open that somebody must make: it waits to
  /// be settled.
  [[nodiscard]] virtual bool complete(const Table& /*table*/, const S& /*state*/) const {
    return false;
  }
  /// Settles a complete hand, or goes on to what its settlement asks for (ReadMeter): then it is
  /// complete no more.
  virtual void conclude(const Table& /*table*/, S& /*state*/) const {}
  /// What is due. Of a complete hand only choices that silence answers.
  [[nodiscard]] virtual Needs needs_of(const Table& table, const S& state) const = 0;
  /// Engines with a cheaper way say it here; it must agree with needs_of.
  [[nodiscard]] virtual Forced forced_of(const Table& table, const S& state) const {
    return forced_in(needs_of(table, state));
  }
  [[nodiscard]] virtual std::vector<Meter> meters_of(const Table& /*table*/,
                                                     const S& /*state*/) const {
    return {};
  }
  [[nodiscard]] virtual json::Value carried_of(const Table& table, const S& state) const = 0;
  [[nodiscard]] virtual json::Value view_of(const Table& table, const S& state,
                                            const Viewer& viewer) const = 0;

 private:
  [[nodiscard]] Status step(const Table& table, S& state, const Event& event) const {
    if (std::holds_alternative<ConfirmHand>(event)) {
      if (!table.confirms() || !complete(table, state))
        return fail(Errc::not_due, "no complete hand waits to be confirmed");
    } else {
      TALLA_TRY_STATUS(on(table, state, event));
      if (table.confirms() || !complete(table, state)) return {};
    }
    conclude(table, state);
    return {};
  }
  /// An event while the end of the session is announced, or that announces it.
  [[nodiscard]] Status step_to_end(const Table& table, S& state, Ending& ending,
                                   const Event& event) const {
    const Needs before = needs_of(table, state);
    TALLA_TRY_STATUS(ending.check(table, before, event));
    if (announces(event)) {
      ending = Ending::announced_by(std::get<LastRound>(event), before);
      return {};
    }
    if (ending.rounds == 1) {
      ending = Ending{};
      TALLA_TRY_STATUS(step(table, state, LastRound{}));
      return step(table, state, event);
    }
    TALLA_TRY_STATUS(step(table, state, event));
    ending.count(before, event, needs_of(table, state));
    return {};
  }
  [[nodiscard]] Status check_error_amount(const Event& event) const {
    const auto* misdeal = std::get_if<Misdeal>(&event);
    if (misdeal == nullptr || !misdeal->amount || takes_error_amounts()) return {};
    return fail(Errc::amount_invalid, misdeal->code.substr(0, 48) + " carries no amount");
  }
  struct Box final : StateBase {
    Box(S s, const Ending& end) : StateBase(&state_kind<S>), value(std::move(s)), ending(end) {}
    [[nodiscard]] json::Value to_json() const override {
      return with_ending(value.to_json(), ending);
    }
    S value;
    Ending ending;
  };
  static const Box& box_of(const State& state) {
    TALLA_CHECK(state.data().kind() == &state_kind<S>);
    return static_cast<const Box&>(state.data());
  }
  static const S& typed(const State& state) { return box_of(state).value; }
  static Box* sole_box(State& state) {
    TALLA_CHECK(state.data().kind() == &state_kind<S>);
    return static_cast<Box*>(state.sole_owner());
  }
  static Result<State> wrap(Result<S> state, const Ending& ending = {}) {
    if (!state) return pass(std::move(state));
    return State(std::make_shared<Box>(std::move(*state), ending));
  }
};

}  // namespace talla::games
