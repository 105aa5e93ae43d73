// Goal: whatever honest players of blackjack do at whatever table, no payment is taken for one that
//       no rule gives, and no round for what it is not.
// Method: random stakes on boxes of one's own and of others, random decisions, insurance, even
//   money and surrender among them, time-outs; each form with each value of each parameter.
#include <gtest/gtest.h>

#include <cstdlib>

#include "games/play_law.hpp"
#include "watched_box.hpp"
#include "watched_table.hpp"

namespace talla::games::test {
namespace {

/// Seats on boxes of their own, and one with the first of them.
std::vector<Event> random_bets(const PlayLaw& law, bool indexed, sim::Random& random) {
  std::vector<Event> out;
  for (Seat seat = 1; seat <= 3; ++seat) {
    const Box box = seat == 3 ? 1 : static_cast<Box>(seat);
    PlaceBet bet{"b" + std::to_string(seat), seat, box, law.bet(), {}, 0};
    bet.stake = 1000 * static_cast<Units>(1 + random.below(4));
    if (indexed) bet.on = {std::to_string(1 + random.below(3))};
    out.emplace_back(std::move(bet));
  }
  return out;
}

/// Something that may be said now; nothing: nobody has to.
std::optional<Event> random_word(const Driver& driver, sim::Random& random) {
  std::vector<Event> open;
  bool required = false;
  for (const Need& need : driver.needs()) {
    const auto* decide = std::get_if<Decide>(&need);
    if (decide == nullptr) continue;
    required = required || decide->required;
    for (const ActionChoice& one : decide->choices)
      open.emplace_back(Act{decide->seat,
                            one.action,
                            one.bet.empty() ? std::nullopt : std::optional(one.bet),
                            {},
                            {},
                            {}});
    if (decide->required) open.emplace_back(TimeOut{decide->seat});
  }
  if (!required || open.empty()) return std::nullopt;
  return random.pick(open);
}

struct RandomRounds {
  int watched = 0;
  int left_out = 0;
};
void play_random(const Table& table, sim::Random& random, int rounds, const std::string& name,
                 RandomRounds& counted) {
  auto law = PlayLaw::of(table);
  ASSERT_TRUE(law) << name << ": " << law.error().text();
  const bool indexed = table.rules().bet(law->bet())->on == OnForm::index;
  const auto count = table.engine().shoe(table)->cards_count;
  std::vector<shuffle::Card> cards;
  for (std::uint32_t deck = 0; deck < count / 52; ++deck) {
    for (const auto suit : {shuffle::Suit::spades, shuffle::Suit::hearts, shuffle::Suit::diamonds,
                            shuffle::Suit::clubs}) {
      for (int rank = 1; rank <= 13; ++rank) cards.push_back(shuffle::Card::of(rank, suit));
    }
  }
  for (int round = 0; round < rounds; ++round) {
    random.shuffle(cards);
    std::size_t at = random.below(cards.size() - 150);
    const std::vector<shuffle::Card> gone(cards.begin(),
                                          cards.begin() + static_cast<std::ptrdiff_t>(at));
    Driver driver = *Driver::start(table, Journal::off);
    ASSERT_TRUE(driver.apply(ShoeOpened{count, true}));
    BoxRound played;
    const auto say = [&](const Event& event) {
      if (!driver.apply(event)) return false;
      for (const Settlement& one : driver.settled()) played.settled.push_back(one);
      played.events.push_back(event);
      return true;
    };
    int bets = 0;
    for (const Event& bet : random_bets(*law, indexed, random)) bets += say(bet) ? 1 : 0;
    if (bets == 0 || !say(CloseBets{})) continue;
    while (at < cards.size()) {
      if (const auto place = driver.next_card_place()) {
        ASSERT_TRUE(say(CardDealt{place->place, place->face, cards[at++]})) << name;
      } else if (const auto word = random_word(driver, random)) {
        static_cast<void>(say(*word));
      } else {
        break;
      }
    }
    // Where staff confirm a hand, it is settled then.
    if (driver.apply(ConfirmHand{}))
      for (const Settlement& one : driver.settled()) played.settled.push_back(one);
    const auto stakes = law->round(gone, played.events, played.settled);
    ASSERT_TRUE(stakes) << name << ": " << stakes.error().text();
    ++(stakes->empty() ? counted.left_out : counted.watched);
    for (const PlayedStake& one : *stakes) {
      EXPECT_FALSE(one.foreign) << name << " round " << round;
      EXPECT_GE(one.gain, std::max(one.most, one.most_of) - PlayLaw::below_most);
      EXPECT_LT(std::abs(one.most), 2) << name;
    }
  }
}

TEST(RandomPlay, at_any_table_of_any_form_is_never_taken_for_foreign) {
  RandomRounds counted;
  int tables = 0;
  sim::Random random(20261128);
  for (const auto& [id, game] :
       std::vector<std::pair<std::string, std::string>>{{"es-1977", "blackjack"},
                                                        {"es-valencia-2003", "blackjack"},
                                                        {"es-aragon-2010", "blackjack"},
                                                        {"es-euskadi-2010", "blackjack"},
                                                        {"es-euskadi-2010", "triple-blackjack"}}) {
    TableConfig config;
    config.game = game;
    config.currency.code = "EUR";
    config.min = 1000;
    config.params = json::Object{};
    if (id == "es-aragon-2010") config.params = json::Object{{"base", "es-1977"}};
    const auto plain = Table::open(catalogue(id), config);
    ASSERT_TRUE(plain) << plain.error().text();
    play_random(*plain, random, 200, id + " " + game, counted);
    for (const ParameterRule& rule : plain->rules().parameters) {
      auto values = rule.allowed;
      if (rule.type == ParameterType::boolean) values = {true, false};
      for (const json::Value& value : values) {
        const auto other = plain->with_parameter(rule.id, value);
        if (!other) continue;
        ++tables;
        play_random(*other, random, 40, id + " " + game + " " + rule.id, counted);
      }
    }
  }
  EXPECT_GT(tables, 100);
  EXPECT_GT(counted.watched, 4000);
  std::printf("    %d tables, %d rounds watched, %d left out\n", tables, counted.watched,
              counted.left_out);
}

}  // namespace
}  // namespace talla::games::test
