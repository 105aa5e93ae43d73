#include "session.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "chips.hpp"
#include "exceptions.hpp"
#include "failure.hpp"
#include "people.hpp"
#include "source.hpp"
#include "witness.hpp"

namespace talla::sim {
namespace {

using namespace games;  // NOLINT: the simulator's words are theirs

constexpr std::size_t newest_max = 6;
constexpr std::size_t steps_max = 4000;       // of one round
constexpr std::size_t refusals_max = 10'000;  // in a row, by people who only try what may be legal
constexpr std::size_t seldom_looked =
    64;  // cards, of which one has somebody look without second runs

bool forced(const Need& need) {
  return std::holds_alternative<ShoeNeed>(need) || std::holds_alternative<Deal>(need) ||
         std::holds_alternative<Reveal>(need) || std::holds_alternative<Draw>(need) ||
         std::holds_alternative<Shuffle>(need);
}

bool any_forced(const Needs& needs) {
  return std::any_of(needs.begin(), needs.end(), forced);
}

void check_needs(const Needs& needs) {
  require(!needs.empty(), "nothing may come next: the table is stuck");
  for (const auto& one : needs) {
    if (std::holds_alternative<Decide>(one)) {
      require(!std::get<Decide>(one).choices.empty(), "a decision without choices");
      continue;
    }
    const auto same = [&](const Need& other) { return other.index() == one.index(); };
    require(std::count_if(needs.begin(), needs.end(), same) == 1, "a need stands twice");
  }
  const auto* deal = find_need<Deal>(needs);
  require(deal == nullptr || !deal->cards.empty(), "a deal of no cards");
}

/// The house's accounts: bets, chips, and what the meters hold.
class Books {
 public:
  Books(const Table& table, Coverage& coverage) : ledger_(table, coverage), chips_(table) {}
  [[nodiscard]] const std::vector<LiveBet>& live() { return ledger_.live(); }

  void begin(const Subject& subject) {
    for (const auto& meter : subject.meters()) meters_[meter.id] = meter.value;
  }
  void accepted(const Event& event) {
    ledger_.accepted(event);
    chips_.accepted(event);
  }
  void settled(const Settlement& one) {
    ledger_.settled(one);
    chips_.settled(one);
  }
  void round_over(const Subject& subject) {
    ledger_.round_over(subject.carried());
    chips_.round_over(subject);
    check_meters(subject);
  }

 private:
  /// What went into a meter and came out of it explains what it holds.
  void check_meters(const Subject& subject) {
    const auto all = subject.meters();
    require(all.size() == meters_.size(), "a meter has come or gone");
    for (const auto& meter : all) {
      const auto before = meters_.find(meter.id);
      require(before != meters_.end() && meter.contribution >= 0 && meter.award >= 0 &&
                  meter.value >= 0 &&
                  before->second + meter.contribution - meter.award == meter.value,
              [&] { return "the meter " + meter.id + " does not add up"; });
      before->second = meter.value;
    }
  }

  Ledger ledger_;
  Chips chips_;
  std::map<std::string, Units> meters_;  // after the last round
};

/// The errors that somebody announces at a table.
class Announcer {
 public:
  Announcer(const GameRules& rules, Random& random) : rules_(&rules), random_(&random) {}

  Misdeal any() {
    Misdeal event{random_->pick(rules_->errors).code, std::nullopt};
    if (random_->once_in(2) && !rules_->places.empty())
      event.place = random_->pick(rules_->places).id;
    return event;
  }

  /// An error that has not come up in this session, at a card that comes next or was just dealt.
  Misdeal rare(const Needs& needs) {
    std::vector<std::string> codes;
    for (const auto& one : rules_->errors) {
      if (!accepted_.contains(one.code)) codes.push_back(one.code);
    }
    if (codes.empty()) codes.push_back(rules_->errors.front().code);
    Misdeal event{random_->pick(codes), std::nullopt};
    const auto* deal = find_need<Deal>(needs);
    if (deal != nullptr && random_->once_in(2)) {
      event.place = deal->cards.front().place;
    } else if (!newest_.empty() && !random_->once_in(4)) {
      event.place = random_->pick(newest_);
    }
    return event;
  }

  void accepted(const Event& event) {
    if (const auto* error = std::get_if<Misdeal>(&event)) accepted_.insert(error->code);
    const auto* card = std::get_if<CardDealt>(&event);
    if (card == nullptr) return;
    newest_.push_back(card->place);
    if (newest_.size() > newest_max) newest_.erase(newest_.begin());
  }

 private:
  const GameRules* rules_;
  Random* random_;
  std::vector<std::string> newest_;  // where the last cards were dealt
  std::set<std::string> accepted_;   // codes of errors of this session
};

/// The round in play.
struct RoundInPlay {
  json::Value start;
  std::optional<ShoeAccount> start_shoe;
  std::vector<std::optional<Event>> steps;  ///< only of thorough sessions
  std::size_t steps_count = 0;
  std::optional<Passage> passage;
  std::size_t passage_end = 0;
  std::size_t bets_wanted = 0;
  std::size_t bet_tries = 0;
  std::size_t refusals = 0;  ///< in a row
  /// Nobody gives up in this round or runs out of time, so that many come to its end together.
  bool patient = false;
};

/// All that has happened, for a second run; only of thorough sessions.
struct Told {
  std::vector<std::string> events;
  std::vector<Settlement> settlements;
};

class Session {
 public:
  Session(const Plan& plan, const Table& table, Random& random, Coverage& coverage)
      : plan_(&plan),
        table_(&table),
        random_(&random),
        coverage_(&coverage),
        source_(random),
        people_(table, random),
        books_(table, coverage),
        announcer_(table.rules(), random),
        shadow_(table, plan.maker),
        viewers_(viewers(table)) {
    auto driver = Driver::start(table);
    require(driver.has_value(), "a table does not start");
    subject_ = plan.maker(*std::move(driver));
    books_.begin(*subject_);
    ask_needs();
  }

  void run() {
    begin_round();
    for (std::size_t done = 0; done < plan_->rounds_max;) {
      if (!step()) break;
      if (!round_ended_) continue;
      end_round();
      begin_round();
      ++done;
      announce_last_ = done + 1 >= plan_->rounds_max && random_->once_in(2);
    }
    if (plan_->thorough)
      replay_all(*table_, plan_->maker, told_.events, told_.settlements, *subject_);
  }

 private:
  void begin_round() {
    round_ended_ = false;
    round_ = {};
    round_.bets_wanted = random_->below(7);
    round_.patient = gives_up(table_->rules()) && random_->once_in(4);
    round_.passage_end = random_->once_in(2) ? steps_max : 1 + random_->below(24);
    if (!plan_->thorough) return;
    source_.begin_script();
    round_.start = subject_->state();
    round_.start_shoe = subject_->shoe();
  }

  void end_round() {
    books_.round_over(*subject_);
    if (!plan_->thorough) return;
    if (!round_.passage) capture();
    rerun_permuted(*round_.passage, *table_, plan_->maker, *random_);
    heir_ = std::make_unique<Heir>(*subject_, plan_->maker);
  }

  void capture() {
    round_.passage = Passage{round_.start,     round_.start_shoe,     round_.steps,
                             source_.script(), subject_->canonical(), views_of(*subject_)};
  }

  /// False: the session is over.
  bool step() {
    require(round_.steps_count < steps_max && round_.refusals < refusals_max, [&] {
      return "the round does not end: the table is stuck in " + subject_->canonical();
    });
    const auto held = needs_;
    const auto& needs = *held;
    check_needs(needs);
    if (random_->once_in(8)) refuse(people_.nonsense(needs, books_.live()));
    if (any_forced(needs)) {
      if (random_->once_in(24)) return interrupt(needs);
      serve();
      return true;
    }
    if (find_need<Confirm>(needs) != nullptr && !random_->once_in(4)) {
      accept(ConfirmHand{});
      return true;
    }
    if (find_need<BetsOpen>(needs) == nullptr && find_need<Decide>(needs) == nullptr &&
        find_need<Confirm>(needs) == nullptr) {
      require(needs.size() == 1 && find_need<Settled>(needs) != nullptr,
              "nobody can go on: the table is stuck");
      return false;
    }
    people(needs);
    return true;
  }

  /// Something rare, but legal perhaps, while cards or a draw are due.
  bool interrupt(const Needs& needs) {
    const auto& errors = table_->rules().errors;
    if (find_need<Draw>(needs) != nullptr && random_->once_in(2)) {
      accept(VoidDraw{});  // who contributes may open nothing: it comes again
    } else if (!errors.empty() && random_->once_in(2)) {
      attempt(error());
    } else if (find_need<BetsOpen>(needs) != nullptr) {
      attempt(people_.bet(books_.live()));
    } else if (find_need<ShoeNeed>(needs) == nullptr) {
      attempt(ShoeClosed{});
    }
    return true;
  }

  Misdeal error() { return round_.patient ? announcer_.rare(*needs_) : announcer_.any(); }

  void serve() {
    source_.allow_one();
    const auto status = subject_->advance(source_, source_);
    if (!status) {
      throw Failure("a forced need is refused: " + status.error().text() + " in " +
                    subject_->canonical());
    }
    auto events = subject_->take_events();
    require(!events.empty(), "a forced need is not served: the table is stuck");
    after(std::nullopt, std::move(events));
  }

  void people(const Needs& needs) {
    std::vector<const Decide*> decides;
    bool must_decide = false;
    for (const auto& need : needs) {
      const auto* decide = std::get_if<Decide>(&need);
      if (decide == nullptr) continue;
      decides.push_back(decide);
      must_decide = must_decide || decide->required;
      if (plan_->thorough && (decide->required || random_->once_in(8))) probe(*decide);
    }
    const auto* open = find_need<BetsOpen>(needs);
    const std::size_t seldom_wrong = round_.patient && just_dealt_ ? 4 : 24;
    if (open == nullptr && !table_->rules().errors.empty() && random_->once_in(seldom_wrong)) {
      attempt(error());  // an error may come to light while somebody thinks
      return;
    }
    if (find_need<Confirm>(needs) != nullptr && !table_->rules().errors.empty() &&
        random_->once_in(2)) {
      attempt(error());  // or when all cards lie there
      return;
    }
    const std::size_t seldom = leaves_often(table_->rules()) ? 12 : 3;
    if (!decides.empty() && (must_decide || open == nullptr || random_->once_in(seldom))) {
      decide(*random_->pick(decides));
    } else if (open != nullptr) {
      bet(*open);
    }
  }

  void decide(const Decide& need) {
    if (!round_.patient && random_->once_in(10)) {
      accept(TimeOut{need.seat});
      return;
    }
    auto choices = need.choices;
    if (round_.patient)
      std::erase_if(choices,
                    [&](const ActionChoice& one) { return gives_up(table_->rules(), one.action); });
    const auto& choice = random_->pick(choices.empty() ? need.choices : choices);
    accept(People::act(need, choice, people_.amount(choice), people_.cards(choice)));
  }

  /// Every offered choice would be accepted, what lies just outside would not.
  void probe(const Decide& need) {
    for (const auto& choice : need.choices) {
      const bool one_amount = choice.min == choice.max;
      for (const Units amount :
           one_amount ? std::vector{choice.min} : std::vector{choice.min, choice.max}) {
        const auto act = People::act(need, choice, amount, people_.cards(choice));
        const auto status = subject_->probe(act);
        require(status.has_value(), [&] {
          return "an offered choice is refused: " + text_of(act) + ": " +
                 (status ? std::string() : status.error().text());
        });
      }
      for (const Units amount : People::wrong_amounts(choice)) {
        const auto act = People::act(need, choice, amount, people_.cards(choice));
        require(!subject_->probe(act).has_value(),
                [&] { return "a choice beyond the offer is accepted: " + text_of(act); });
      }
      for (auto& cards : People::wrong_cards(choice)) {
        const auto act = People::act(need, choice, choice.min, std::move(cards));
        require(!subject_->probe(act).has_value(),
                [&] { return "cards beyond the offer are accepted: " + text_of(act); });
      }
    }
    const auto status = subject_->probe(TimeOut{need.seat});
    require(status.has_value(), [&] {
      return "a time-out is refused where a seat must choose: " +
             (status ? std::string() : status.error().text());
    });
  }

  void bet(const BetsOpen& open) {
    if (announce_last_) {
      attempt(LastRound{});
      announce_last_ = false;
      return;
    }
    const auto& live = books_.live();  // as it was: what is accepted below does not show in it
    // Where much else may be done between bets, refusals in a row are rare: at some time people
    // have enough. Unless what they have does not let them close.
    const bool enough =
        ++round_.bet_tries > 100 && open.can_close && !live.empty() && round_.refusals <= 20;
    if (!enough && (round_.refusals > 20 || live.size() < round_.bets_wanted)) {
      attempt(people_.bet(live));
      if (round_.refusals <= 20 || !random_->once_in(3)) return;
    }
    if (!live.empty() && random_->once_in(10)) {
      attempt(people_.withdrawal(live));
      return;
    }
    if (round_.steps_count == 0 && random_->once_in(60)) attempt(ShoeClosed{});
    if (open.can_close && find_need<BetsOpen>(*needs_) != nullptr) {
      if (attempt(CloseBets{})) return;
      // Who owes the stake without which nothing can be closed makes it now.
      const auto owed = owed_stake(table_->rules(), subject_->view(viewers_.front()));
      if (owed) attempt(people_.owed(*owed));
    } else {
      attempt(people_.bet(live));
    }
    if (round_.refusals > 0 && round_.bets_wanted < 40) ++round_.bets_wanted;
  }

  /// May be refused; then nothing has changed. Where states are values that nobody changes the
  /// state must be the same object after each refusal; where they are changed in place its text
  /// must be the same after all that must be refused, and after a fourth of the rest.
  bool attempt(const Event& event, bool must_be_refused = false) {
    const bool text = subject_->copies() ? must_be_refused && plan_->thorough
                                         : must_be_refused || random_->once_in(4);
    if (!known_ || (text && known_->text.empty())) known_ = subject_->remember(text);
    const auto status = subject_->apply(event);
    if (status) {
      round_.refusals = 0;
      after(event, subject_->take_events());
      return true;
    }
    ++round_.refusals;
    ++coverage_->refused[std::string(status.error().code)];
    const bool same = subject_->is_still(text ? *known_ : Memory{known_->held, {}, known_->shoe});
    require(same && subject_->take_events().empty() && subject_->take_settlements().empty(),
            [&] { return "a refused event changes something: " + text_of(event); });
    return false;
  }
  void accept(const Event& event) {
    if (!attempt(event)) {
      throw Failure("an offered event is refused: " + text_of(event) + " in " +
                    subject_->canonical());
    }
  }
  void refuse(const Event& event) {
    const auto count = round_.refusals;
    require(!attempt(event, true),
            [&] { return "an event that must be refused is accepted: " + text_of(event); });
    round_.refusals = count;
  }

  void ask_needs() { needs_ = std::make_shared<const Needs>(subject_->needs()); }

  void after(const std::optional<Event>& by_people, std::vector<Event> events) {
    const auto settlements = subject_->take_settlements();
    known_.reset();
    ++round_.steps_count;
    for (const auto& event : events) note(event);
    for (const auto& one : settlements) books_.settled(one);
    just_dealt_ = std::any_of(events.begin(), events.end(), [](const Event& event) {
      return std::holds_alternative<CardDealt>(event) ||
             std::holds_alternative<CardRevealed>(event);
    });
    coverage_->events += events.size();
    ask_needs();
    const bool settled = find_need<Settled>(*needs_) != nullptr;
    round_ended_ = settled && !settled_before_;
    settled_before_ = settled;
    look();
    if (!plan_->thorough) return;
    round_.steps.push_back(by_people);
    for (const auto& event : events) told_.events.push_back(text_of(event));
    told_.settlements.insert(told_.settlements.end(), settlements.begin(), settlements.end());
    shadow_.follow(events, settlements, *subject_, round_ended_ || random_->once_in(plan_->one_in));
    if (heir_ && !heir_->follow(events, *subject_)) heir_.reset();
    if (round_.steps.size() == round_.passage_end) capture();
  }

  /// One accepted event.
  void note(const Event& event) {
    books_.accepted(event);
    announcer_.accepted(event);
    const auto* card = std::get_if<CardDealt>(&event);
    if (card != nullptr) ++coverage_->places[card->place];
  }

  /// Views name no card that nobody has seen. Sessions without second runs have somebody look now
  /// and then.
  void look() {
    if (!just_dealt_ && !round_ended_) return;
    if (!plan_->thorough) {
      if (random_->once_in(seldom_looked)) check_view(*subject_, source_, random_->pick(viewers_));
    } else if (round_ended_ || random_->once_in(plan_->one_in)) {
      for (const auto& viewer : viewers_) check_view(*subject_, source_, viewer);
    }
  }

  const Plan* plan_;
  const Table* table_;
  Random* random_;
  Coverage* coverage_;
  Source source_;
  People people_;
  Books books_;
  Announcer announcer_;
  Shadow shadow_;
  std::vector<Viewer> viewers_;
  std::unique_ptr<Heir> heir_;
  std::unique_ptr<Subject> subject_;
  Told told_;
  RoundInPlay round_;
  std::optional<Memory> known_;         // what the table is like, while nothing has happened
  std::shared_ptr<const Needs> needs_;  // of the subject as it stands
  bool settled_before_ = false;
  bool round_ended_ = false;
  bool announce_last_ = false;
  bool just_dealt_ = false;
};

}  // namespace

Coverage play(const Plan& given) {
  Plan plan = given;
  if (!plan.maker)
    plan.maker = [](Driver driver) { return std::make_unique<Subject>(std::move(driver)); };
  Random random(plan.seed);
  Coverage coverage;
  coverage.sessions = 1;
  const auto rules_of = catalogue(plan.game.catalogue);
  const auto* rules = rules_of->game(plan.game.game);
  require(rules != nullptr, [&] { return "no such game: " + plan.game.text(); });
  auto table = Table::open(rules_of, random_config(*rules_of, *rules, random, random.once_in(3)));
  if (!table) {
    require(table.error().is(Errc::parameter_not_allowed), [&] {
      return "a table with allowed parameters does not open: " + table.error().text();
    });
    ++coverage.tables_refused;
    return coverage;
  }
  if (const auto start = Driver::start(*table);
      !start && start.error().is(Errc::parameter_not_allowed)) {
    ++coverage.tables_refused;  // amounts that this minimum makes smaller than a chip
    return coverage;
  }
  const auto config = json::canonical(to_json(table->config()));
  try {
    Session(plan, *table, random, coverage).run();
  } catch (const Failure& failure) {
    throw Failure(std::string(failure.what()) + "\ntable: " + config);
  }
  return coverage;
}

}  // namespace talla::sim
