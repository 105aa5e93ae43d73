// Goal: each check of the simulator fails when it should, and names what is wrong.
// Method: tables that are broken in one way each stand behind the simulator's door (subject.hpp);
// sessions of many seeds are played until one fails, and the failure must be the one that fits.
// Sound tables never fail, and one seed always gives the same session.
#include <gtest/gtest.h>

#include <set>

#include "failure.hpp"
#include "session.hpp"
#include "source.hpp"

namespace talla::sim {
namespace {

using namespace games;  // NOLINT: the simulator's words are theirs

/// A table that changes what its driver says about money.
class Cashier final : public Subject {
 public:
  using Change = std::function<void(std::vector<Settlement>&)>;
  Cashier(Driver driver, Change change) : Subject(std::move(driver)), change_(std::move(change)) {}
  std::vector<Settlement> take_settlements() override {
    auto out = Subject::take_settlements();
    change_(out);
    return out;
  }

 private:
  Change change_;
};

/// A table that changes what may come next.
class Host final : public Subject {
 public:
  using Change = std::function<void(Needs&)>;
  Host(Driver driver, Change change) : Subject(std::move(driver)), change_(std::move(change)) {}
  Needs needs() const override {
    auto out = Subject::needs();
    change_(out);
    return out;
  }

 private:
  Change change_;
};

/// A table that peeks into the shoe and tells what it saw.
class Peeper final : public Subject {
 public:
  enum class Tells : std::uint8_t { card, rank_in_view, result, covered_card, covered_rank };
  Peeper(Driver driver, Tells tells) : Subject(std::move(driver)), tells_(tells) {}
  Status advance(CardSource& cards, DrawSource& draws) override {
    auto status = Subject::advance(cards, draws);
    const auto* source = dynamic_cast<const Source*>(&cards);
    if (source != nullptr && !source->undealt().empty()) next_ = source->undealt().back();
    const auto hidden = source != nullptr ? source->hidden() : std::vector<Card>();
    if (hidden.empty()) {
      covered_.reset();
    } else {
      covered_ = hidden.front();
    }
    return status;
  }
  json::Value view(const Viewer& viewer) const override {
    auto out = Subject::view(viewer);
    if (next_ && tells_ == Tells::card) out["hint"] = next_->text();
    if (next_ && tells_ == Tells::rank_in_view) out["hint"] = next_->rank();
    // To one seat alone: the last that anybody would look at.
    const bool neighbour = viewer.kind == Viewer::Kind::seat && viewer.seat == 3;
    if (covered_ && neighbour && tells_ == Tells::covered_card) out["hint"] = covered_->text();
    if (covered_ && neighbour && tells_ == Tells::covered_rank) out["hint"] = covered_->rank();
    return out;
  }
  json::Value state() const override {
    auto out = Subject::state();
    if (next_ && tells_ == Tells::result) out["hint"] = next_->rank();
    return out;
  }

 private:
  Tells tells_;
  std::optional<Card> next_;
  std::optional<Card> covered_;
};

/// A table whose carried state lacks a member.
class Forgetful final : public Subject {
 public:
  Forgetful(Driver driver, std::string lost) : Subject(std::move(driver)), lost_(std::move(lost)) {}
  json::Value carried() const override {
    auto out = Subject::carried();
    out.object().erase(lost_);
    return out;
  }

 private:
  std::string lost_;
};

/// A table that accepts what it refuses, or that a refusal changes, or whose bets never close.
class Doorman final : public Subject {
 public:
  enum class Fault : std::uint8_t { says_yes, changes, never_closes };
  Doorman(Driver driver, Fault fault) : Subject(std::move(driver)), fault_(fault) {}
  Status apply(const Event& event) override {
    if (fault_ == Fault::never_closes && std::holds_alternative<CloseBets>(event)) {
      return fail(Errc::bets_closed, "never");
    }
    auto status = Subject::apply(event);
    if (status) return status;
    if (fault_ == Fault::says_yes) return {};
    if (fault_ == Fault::changes) static_cast<void>(Subject::apply(CloseBets{}));
    return status;
  }

 private:
  Fault fault_;
};

/// A table that remembers beside its state: it names other rules once it has seen some events.
class Rememberer final : public Subject {
 public:
  using Subject::Subject;
  Status apply(const Event& event) override {
    ++events_;
    return Subject::apply(event);
  }
  std::vector<Settlement> take_settlements() override {
    auto out = Subject::take_settlements();
    for (auto& one : out) one.rule += events_ > 30 ? ".b" : ".a";
    return out;
  }

 private:
  std::size_t events_ = 0;
};

/// A table that lets a decision name cards where the rules know none.
class Butler final : public Subject {
 public:
  using Subject::Subject;
  Needs needs() const override {
    auto out = Subject::needs();
    for (auto& need : out) {
      auto* decide = std::get_if<Decide>(&need);
      if (decide == nullptr) continue;
      for (auto& choice : decide->choices) {
        choice.places = {"seat-1-card-1"};
        choice.cards_min = choice.cards_max = 1;
      }
    }
    return out;
  }
};

/// A table whose prizes without a stake are a unit too high.
class Giver final : public Subject {
 public:
  using Subject::Subject;
  std::vector<Settlement> take_settlements() override {
    auto out = Subject::take_settlements();
    for (auto& one : out) one.returned += one.kind == "bonus" ? 1 : 0;
    return out;
  }
};

/// A table whose jackpot loses a unit now and then.
class Skimmer final : public Subject {
 public:
  using Subject::Subject;
  std::vector<Meter> meters() const override {
    auto out = Subject::meters();
    for (auto& one : out) one.value -= one.contribution > 0 ? 1 : 0;
    return out;
  }
};

/// A table that says after each event whether its state was replaced.
class Witnessed final : public Subject {
 public:
  Witnessed(Driver driver, std::set<bool>* copies) : Subject(std::move(driver)), copies_(copies) {}
  Status apply(const Event& event) override {
    auto status = Subject::apply(event);
    if (status) copies_->insert(copies());
    return status;
  }

 private:
  std::set<bool>* copies_;
};

std::string failure_of(const Plan& plan) {
  try {
    static_cast<void>(play(plan));
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

Plan plan_of(const std::string& game, std::uint64_t seed, Maker maker = {}) {
  std::string catalogue = "es-1977";
  if (game == "blackjack") catalogue = "es-valencia-2003";  // with jackpots
  if (game == "three-card-poker") catalogue = "es-aragon-2010";
  return {{catalogue, game}, seed, 12, true, std::move(maker), 1};
}

/// Some session fails, and with that sentence.
void expect_caught(const std::string& game, const Maker& maker, const std::string& sentence) {
  std::set<std::string> others;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const auto failure = failure_of(plan_of(game, seed, maker));
    if (failure.find(sentence) != std::string::npos) {
      EXPECT_EQ(failure_of(plan_of(game, seed, maker)), failure) << "one seed, two failures";
      return;
    }
    if (!failure.empty()) others.insert(failure.substr(0, 200));
  }
  ADD_FAILURE() << "never caught: " << sentence;
  for (const auto& one : others) ADD_FAILURE() << "instead: " << one;
}

template <class T, class... Args>
Maker making(Args... args) {  // NOLINT(performance-unnecessary-value-param): it keeps them
  return [args...](Driver driver) { return std::make_unique<T>(std::move(driver), args...); };
}

/// Changes each settlement of one result.
Cashier::Change each(BetResult result, const std::function<void(Settlement&)>& change) {
  return [=](std::vector<Settlement>& all) {
    for (auto& one : all) {
      if (one.result == result) change(one);
    }
  };
}

TEST(BrokenTables, that_pay_a_losing_bet_are_caught) {
  const auto change = each(BetResult::lose, [](Settlement& one) { one.returned = 1; });
  expect_caught("craps", making<Cashier>(change), "the amount does not fit the result");
}

TEST(BrokenTables, that_pay_one_unit_too_much_are_caught) {
  const auto change = each(BetResult::win, [](Settlement& one) { ++one.returned; });
  expect_caught("french-roulette", making<Cashier>(change), "the catalogue has no such payout");
}

TEST(BrokenTables, that_keep_half_a_stake_that_is_free_are_caught) {
  const auto change = each(BetResult::void_, [](Settlement& one) { one.returned /= 2; });
  expect_caught("punto-banco", making<Cashier>(change), "the amount does not fit the result");
}

TEST(BrokenTables, that_round_otherwise_than_the_table_says_are_caught) {
  const auto change = each(BetResult::win, [](Settlement& one) {
    --one.returned;
    one.remainder += Fraction(1);
  });
  expect_caught("french-roulette", making<Cashier>(change), "wrongly rounded");
}

TEST(BrokenTables, that_settle_twice_or_for_another_seat_or_stake_are_caught) {
  const Cashier::Change twice = [](std::vector<Settlement>& all) {
    if (!all.empty()) all.push_back(all.front());
  };
  expect_caught("french-roulette", making<Cashier>(twice), "settled without a stake, or twice");
  const auto seat = each(BetResult::lose, [](Settlement& one) { ++one.seat; });
  expect_caught("french-roulette", making<Cashier>(seat), "settled for another seat");
  const auto stake = each(BetResult::lose, [](Settlement& one) { ++one.stake; });
  expect_caught("french-roulette", making<Cashier>(stake), "the stake was");
  const auto rule = each(BetResult::lose, [](Settlement& one) { one.rule = "I"; });
  expect_caught("french-roulette", making<Cashier>(rule), "names no rule");
}

TEST(BrokenTables, that_forget_a_bet_are_caught) {
  const Cashier::Change last = [](std::vector<Settlement>& all) {
    if (!all.empty()) all.pop_back();
  };
  expect_caught("punto-banco", making<Cashier>(last), "has no result and is not carried");
  expect_caught("french-roulette", making<Forgetful>(std::string("prison")),
                "has no result and is not carried");
  expect_caught("craps", making<Forgetful>(std::string("point")),
                "something beside `carried` outlives the round");
}

TEST(BrokenTables, that_are_stuck_are_caught) {
  const Host::Change nothing = [](Needs& needs) { needs.clear(); };
  expect_caught("craps", making<Host>(nothing), "nothing may come next");
  const Host::Change no_end = [](Needs& needs) {
    std::erase_if(needs, [](const Need& need) { return std::holds_alternative<Settled>(need); });
  };
  expect_caught("punto-banco", making<Host>(no_end), "the round does not end");
  expect_caught("craps", making<Doorman>(Doorman::Fault::never_closes), "the round does not end");
  const Host::Change asks = [](Needs& needs) {
    if (find_need<Shuffle>(needs) == nullptr) needs.emplace_back(Shuffle{{"punto-1"}});
  };
  expect_caught("craps", making<Host>(asks), "a forced need is not served");
  const Host::Change silent = [](Needs& needs) {
    std::erase_if(needs, [](const Need& need) { return std::holds_alternative<BetsOpen>(need); });
    if (needs.empty()) needs.emplace_back(Reveal{"punto-1"}), needs.emplace_back(Reveal{"punto-1"});
  };
  expect_caught("craps", making<Host>(silent), "a need stands twice");
}

TEST(BrokenTables, that_offer_what_they_refuse_are_caught) {
  const Host::Change more = [](Needs& needs) {
    for (auto& need : needs) {
      if (auto* decide = std::get_if<Decide>(&need))
        decide->choices.push_back({"double", "b1", 0, 0, 0});
    }
  };
  expect_caught("french-roulette", making<Host>(more), "an offered choice is refused");
}

TEST(BrokenTables, that_offer_cards_they_refuse_or_a_wrong_prize_are_caught) {
  expect_caught("three-card-poker", making<Butler>(), "an offered choice is refused");
  expect_caught("three-card-poker", making<Giver>(), "the catalogue has no such prize");
}

TEST(BrokenTables, that_tell_a_hidden_card_are_caught) {
  expect_caught("punto-banco", making<Peeper>(Peeper::Tells::rank_in_view),
                "a view depends on hidden cards");
  expect_caught("punto-banco", making<Peeper>(Peeper::Tells::card), "which nobody has seen");
}

TEST(BrokenTables, that_tell_a_seat_the_covered_card_of_another_are_caught) {
  expect_caught("chemin-de-fer", making<Peeper>(Peeper::Tells::covered_card),
                "which nobody has seen");
  expect_caught("chemin-de-fer", making<Peeper>(Peeper::Tells::covered_rank),
                "a view depends on hidden cards");
  expect_caught("three-card-poker", making<Peeper>(Peeper::Tells::covered_card),
                "which nobody has seen");
  expect_caught("three-card-poker", making<Peeper>(Peeper::Tells::covered_rank),
                "a view depends on hidden cards");
}

TEST(BrokenTables, whose_state_knows_what_no_event_told_are_caught) {
  expect_caught("punto-banco", making<Peeper>(Peeper::Tells::result),
                "a restored table goes another way");
  expect_caught("craps", making<Rememberer>(), "a restored table settles otherwise");
}

TEST(BrokenTables, that_accept_nonsense_or_change_by_a_refusal_are_caught) {
  expect_caught("craps", making<Doorman>(Doorman::Fault::says_yes),
                "an event that must be refused is accepted");
  expect_caught("craps", making<Doorman>(Doorman::Fault::changes),
                "a refused event changes something");
}

TEST(BrokenTables, whose_meters_do_not_add_up_are_caught) {
  expect_caught("blackjack", making<Skimmer>(), "does not add up");
}

TEST(Ledger, catches_stakes_above_a_limit_and_stakes_taken_back_twice) {
  const auto rules = catalogue("es-1977");
  const auto table = *Table::open(rules, {"punto-banco", {"ESP"}, 100, std::nullopt, {}});
  Coverage coverage;
  Ledger ledger(table, coverage);
  ledger.accepted(PlaceBet{"a", 1, std::nullopt, "punto", {}, 3000});
  EXPECT_THROW(ledger.accepted(PlaceBet{"b", 1, std::nullopt, "punto", {}, 2100}), Failure);
  EXPECT_NO_THROW(ledger.accepted(PlaceBet{"b", 1, std::nullopt, "punto", {}, 2000}));
  EXPECT_THROW(ledger.accepted(PlaceBet{"a", 1, std::nullopt, "banca", {}, 100}), Failure);
  EXPECT_NO_THROW(ledger.accepted(WithdrawBet{"a", std::nullopt}));
  EXPECT_THROW(ledger.accepted(WithdrawBet{"a", std::nullopt}), Failure);
  EXPECT_THROW(ledger.accepted(WithdrawBet{"b", 2001}), Failure);
}

TEST(Ledger, catches_stakes_that_pass_the_house_maximum_together) {
  const auto rules = catalogue("es-1977");
  // the house plays to 50 minimums at a table whose text would let it play to 100
  json::Object params;
  params["max_multiple"] = 100;
  const auto opened = Table::open(rules, {"punto-banco", {"ESP"}, 100, 5000, std::move(params)});
  ASSERT_TRUE(opened) << opened.error().text();
  const auto& table = *opened;
  Coverage coverage;
  Ledger ledger(table, coverage);
  ledger.accepted(PlaceBet{"a", 1, std::nullopt, "punto", {}, 3000});
  EXPECT_THROW(ledger.accepted(PlaceBet{"b", 1, std::nullopt, "punto", {}, 2500}), Failure);
  EXPECT_NO_THROW(ledger.accepted(PlaceBet{"b", 1, std::nullopt, "banca", {}, 2500}));
  EXPECT_NO_THROW(ledger.accepted(PlaceBet{"c", 2, std::nullopt, "punto", {}, 2500}));
}

TEST(Sessions, of_sound_tables_hold_and_one_seed_is_one_session) {
  for (const auto* game : {"french-roulette", "craps", "punto-banco"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const auto first = play(plan_of(game, seed));
      const auto second = play(plan_of(game, seed));
      EXPECT_EQ(first.events, second.events);
      EXPECT_EQ(first.results, second.results);
      EXPECT_EQ(first.refused, second.refused);
    }
  }
}

TEST(Memories, are_objects_where_states_are_replaced_and_text_where_they_change_in_place) {
  for (const auto& [game, replaces] :
       {std::pair{"french-roulette", false}, {"craps", false}, {"blackjack", true}}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      std::set<bool> seen;
      const auto failure = failure_of(plan_of(game, seed, making<Witnessed>(&seen)));
      EXPECT_EQ(failure, "");
      EXPECT_EQ(seen, std::set<bool>({replaces})) << game;
    }
  }
  const auto rules = catalogue("es-1977");
  const auto table = *Table::open(rules, {"french-roulette", {"ESP"}, 100, std::nullopt, {}});
  Subject subject(*Driver::start(table));
  const auto before = subject.remember(true);
  EXPECT_TRUE(subject.is_still(before));
  ASSERT_TRUE(subject.apply(PlaceBet{"a", 1, std::nullopt, "rojo", {}, 100}));
  EXPECT_FALSE(subject.is_still(before));
}

TEST(Permutation, moves_every_hidden_card_and_no_other) {
  Random random(5);
  Script script;
  std::vector<Card> deck;
  for (int rank = 1; rank <= 13; ++rank) deck.push_back(Card::of(rank, shuffle::Suit::hearts));
  script.before.dealt = {{deck.at(0), true}, {deck.at(1), false}};
  script.dealt = {{deck.at(2), true}, {deck.at(3), false}};
  script.undealt.assign(deck.begin() + 4, deck.end());
  std::set<Card> second;
  for (int i = 0; i < 500; ++i) {
    const auto out = with_hidden_permuted(script, random);
    EXPECT_EQ(out.before.dealt.at(0).card, deck.at(0));
    EXPECT_EQ(out.dealt.at(0).card, deck.at(2));
    second.insert(out.dealt.at(1).card);
  }
  EXPECT_EQ(second.size(), 11U);
}

}  // namespace
}  // namespace talla::sim
