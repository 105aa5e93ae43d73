// Goal: whatever people do and whatever cards come, a table stays sound, and its log gives the same
//       table again.
// Method: random sessions of punto y banca through the driver; after each event the state must
// survive its own JSON, and at the end the emitted events, replayed through a second driver from
// their JSON, must give the same digest.
#include "games/driver.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "play_support.hpp"
#include "shuffle/deck.hpp"
#include "support/openssl_hashes.hpp"

namespace talla::games {
namespace {

/// splitmix64 (Steele, Lea, Flood 2014): one seed is one session.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (z ^ (z >> 31)) % bound;
  }

 private:
  std::uint64_t state_;
};

/// Shuffled shoes without end, and every result of a wheel or of dice.
class RandomSource final : public CardSource, public DrawSource {
 public:
  explicit RandomSource(Random& random) : random_(&random) {}
  Result<std::optional<ShoeOpened>> open_shoe(const ShoeNeed& need) override {
    cards_ = shuffle::DeckSpec::parse(need.deck)->cards();
    for (std::size_t i = cards_.size(); i > 1; --i)
      std::swap(cards_.at(i - 1), cards_.at(random_->below(i)));
    return std::optional<ShoeOpened>(ShoeOpened{need.cards_count, false});
  }
  Result<Next> next_card(const DealPlace& /*place*/) override {
    const Card card = cards_.back();
    cards_.pop_back();
    return Next{true, card};
  }
  Result<std::optional<Card>> reveal(const std::string& /*place*/) override {
    return std::optional<Card>();
  }
  Result<bool> shuffle(const Shuffle& /*need*/) override { return false; }
  Result<std::optional<DrawResult>> draw(const Draw& need) override {
    DrawResult out{need.kind, {}};
    if (need.kind == DrawKind::wheel) {
      out.values.push_back(need.pockets.at(random_->below(need.pockets.size())));
    } else {
      for (std::uint32_t i = 0; i < need.count; ++i)
        out.values.push_back(std::to_string(1 + random_->below(need.faces)));
    }
    return std::optional<DrawResult>(std::move(out));
  }

 private:
  Random* random_;
  std::vector<Card> cards_;
};

PlaceBet random_bet(const Table& table, Random& random, std::size_t number) {
  const auto& rules = table.rules();
  const auto& rule = rules.bets.at(random.below(rules.bets.size()));
  PlaceBet out{"b" + std::to_string(number),
               static_cast<Seat>(1 + random.below(3)),
               std::nullopt,
               rule.id,
               {},
               0};
  out.stake = static_cast<Units>(1 + random.below(4)) * 25;
  if (rule.on == OnForm::set) {
    const auto all = positions(rule, table.params());
    out.on = all.at(random.below(all.size()));
  } else if (rule.on != OnForm::none) {
    out.on.push_back(std::to_string(1 + random.below(3)));
    if (rule.on == OnForm::pair) out.on.push_back(std::to_string(1 + random.below(3)));
  }
  return out;
}

/// A random thing a person might do, sensible or not.
Event random_event(const Table& table, const Needs& needs, Random& random, std::size_t number) {
  if (const auto* decide = find_need<Decide>(needs); decide != nullptr && random.below(2) == 0) {
    const auto& choice = decide->choices.at(random.below(decide->choices.size()));
    Act act{decide->seat, choice.action, std::nullopt, std::nullopt, {}, std::nullopt};
    if (!choice.bet.empty()) act.bet = choice.bet;
    if (choice.max > 0) act.amount = choice.min;
    return act;
  }
  switch (random.below(12)) {
    case 0:
      return WithdrawBet{"b" + std::to_string(random.below(number + 1)), std::nullopt};
    case 1:
      return WithdrawBet{"b" + std::to_string(random.below(number + 1)), 25};
    case 2:
      return StopCard{};
    case 3:
      return TimeOut{1};
    case 4:
      return ShoeClosed{};
    case 5:
      return CardDealt{"punto-1", Face::open, Card()};
    case 6:
    case 7:
    case 8:
      return CloseBets{};
    default:
      return random_bet(table, random, number);
  }
}

struct Session {
  std::vector<Event> events;
  std::vector<Settlement> settlements;
  std::string canonical;
};

void check_sound(const Table& table, const Driver& driver) {
  const auto& state = driver.state();
  const auto restored = table.engine().restore(table, state.to_json());
  RC_ASSERT(restored.has_value());
  RC_ASSERT(restored->canonical() == state.canonical());
  RC_ASSERT(!driver.needs().empty());
  const auto resumed = table.engine().resume(table, driver.carried());
  const bool between_rounds = find_need<BetsOpen>(driver.needs()) != nullptr;
  if (between_rounds) RC_ASSERT(resumed.has_value());
}

Session play_session(const Table& table, std::uint64_t seed, std::size_t steps) {
  Random random(seed);
  RandomSource source(random);
  auto driver = *Driver::start(table);
  Session out;
  for (std::size_t number = 0; number < steps; ++number) {
    RC_ASSERT(driver.advance(source, source).has_value());
    check_sound(table, driver);
    const auto before = driver.state().canonical();
    const auto event = random_event(table, driver.needs(), random, number);
    if (!driver.apply(event)) RC_ASSERT(driver.state().canonical() == before);
  }
  RC_ASSERT(driver.advance(source, source).has_value());
  out.events = driver.take_events();
  out.settlements = driver.take_settlements();
  out.canonical = driver.state().canonical();
  return out;
}

Session replay(const Table& table, const std::vector<Event>& events) {
  auto driver = *Driver::start(table);
  for (const auto& event : events) {
    const auto parsed = event_from_json(*json::parse_canonical(json::canonical(to_json(event))));
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(driver.apply(*parsed).has_value());
  }
  return {{}, driver.take_settlements(), driver.state().canonical()};
}

class EveryGame : public ::testing::TestWithParam<const char*> {};

TEST_P(EveryGame, stays_sound_under_random_events_and_replays_to_the_same_state) {
  const auto table = test::open_table(GetParam());
  EXPECT_TRUE(rc::check([&] {
    const auto seed = *rc::gen::arbitrary<std::uint64_t>();
    const auto session = play_session(table, seed, 60);
    const auto again = replay(table, session.events);
    RC_ASSERT(again.canonical == session.canonical);
    RC_ASSERT(again.settlements == session.settlements);
  }));
}

TEST_P(EveryGame, settles_each_stake_once_and_never_returns_without_a_stake) {
  const auto table = test::open_table(GetParam());
  EXPECT_TRUE(rc::check([&] {
    const auto session = play_session(table, *rc::gen::arbitrary<std::uint64_t>(), 60);
    std::map<std::string, Units> placed;
    for (const auto& event : session.events) {
      if (const auto* bet = std::get_if<PlaceBet>(&event)) placed[bet->id] = bet->stake;
    }
    std::map<std::string, int> final_results;
    for (const auto& one : session.settlements) {
      RC_ASSERT(placed.contains(one.bet));
      RC_ASSERT(one.stake > 0);
      RC_ASSERT(one.stake <= placed.at(one.bet));
      RC_ASSERT(one.returned >= 0);
      RC_ASSERT(!one.rule.empty());
      if (one.result == BetResult::win) RC_ASSERT(one.returned > one.stake);
      if (one.result == BetResult::lose) RC_ASSERT(one.returned == 0);
      if (one.result != BetResult::prison) RC_ASSERT(++final_results[one.bet] == 1);
    }
  }));
}

INSTANTIATE_TEST_SUITE_P(Es1977, EveryGame,
                         ::testing::Values("punto-banco", "french-roulette", "craps"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Conservation, in_punto_y_banca_equal_stakes_on_both_hands_cost_at_most_the_deduction) {
  const auto table = test::open_table("punto-banco");
  Random random(7);
  RandomSource source(random);
  auto driver = *Driver::start(table);
  std::size_t hands = 0;
  for (int round = 0; round < 2000; ++round) {
    ASSERT_TRUE(driver.advance(source, source));
    ASSERT_TRUE(driver.apply(test::stake("p", "punto", 100)));
    ASSERT_TRUE(driver.apply(test::stake("b", "banca", 100)));
    ASSERT_TRUE(driver.apply(CloseBets{}));
    ASSERT_TRUE(driver.advance(source, source));
    const auto settled = driver.take_settlements();
    ASSERT_EQ(settled.size(), 2U);
    const Units returned = settled.at(0).returned + settled.at(1).returned;
    ASSERT_TRUE(returned == 200 || returned == 195) << returned;
    ++hands;
  }
  EXPECT_EQ(hands, 2000U);
}

TEST(Driver, refuses_cards_that_the_shoe_does_not_have_and_stop_cards_out_of_place) {
  const auto table = test::open_table("punto-banco");
  auto driver = *Driver::start(table);
  EXPECT_TRUE(driver.apply(CardDealt{"burn", Face::open, Card()}).error().is(Errc::no_shoe));
  ASSERT_TRUE(driver.apply(ShoeOpened{416, true}));
  ASSERT_TRUE(driver.apply(CloseBets{}));
  EXPECT_EQ(driver.next_card_place()->place, "punto-1");
  EXPECT_TRUE(driver.apply(StopCard{}).error().is(Errc::not_due));
  EXPECT_TRUE(driver.deal(std::nullopt).error().is(Errc::card_invalid));
  driver.set_stop_after(1);
  ASSERT_TRUE(driver.deal(Card()));
  EXPECT_TRUE(driver.stop_card_due());
  EXPECT_TRUE(driver.deal(Card()).error().is(Errc::not_due));
  ASSERT_TRUE(driver.pass_stop_card());
  EXPECT_FALSE(driver.stop_card_due());
  ASSERT_TRUE(driver.deal(Card()));
}

TEST(Driver, state_digest_is_the_hash_of_the_canonical_state) {
  const talla::test::OpenSslHashes hash;
  const auto table = test::open_table("punto-banco");
  const auto driver = *Driver::start(table);
  EXPECT_EQ(driver.state().digest(hash), hash.sha256({as_bytes(driver.state().canonical())}));
}

}  // namespace
}  // namespace talla::games
