// Goal: nobody's play of blackjack expects more than the bound that the monitor holds against it,
//       whatever he knows; honest play does not alarm more often than it may; who is paid more than
//       the rules give is found, by the amount at once, by what he gains in so many rounds.
// Method: every order of the last cards of a shoe with every choice that the engine leaves, by
//   recursion; lives of good, bad and counting players; faults planted in what is paid.
#include <gtest/gtest.h>

#include <cstdlib>

#include "engines/blackjack/rules.hpp"
#include "games/odds.hpp"
#include "odds/blackjack/best_play.hpp"
#include "odds/blackjack/play_values.hpp"
#include "shuffle/deck.hpp"
#include "watched_box.hpp"
#include "watched_table.hpp"

namespace talla::games::test {
namespace {

/// More than a round of so few cards can lose.
constexpr double ran_out = -20;
constexpr double one_in_twenty = 0.05;
constexpr double first_alpha = 0.001 / 3 / 20;  // of the first place behind the bits' three

struct BlackjackForm {
  const char* catalogue;
  const char* game;
};
constexpr std::array blackjack_forms = {
    BlackjackForm{"es-1977", "blackjack"}, BlackjackForm{"es-valencia-2003", "blackjack"},
    BlackjackForm{"es-aragon-2010", "blackjack"}, BlackjackForm{"es-euskadi-2010", "blackjack"},
    BlackjackForm{"es-euskadi-2010", "triple-blackjack"}};

Table table_of_form(const BlackjackForm& form) {
  TableConfig config;
  config.game = form.game;
  config.currency.code = "EUR";
  config.min = 1000;
  config.params = json::Object{};
  if (std::string_view(form.catalogue) == "es-aragon-2010")
    config.params = json::Object{{"base", "es-1977"}};
  auto table = Table::open(catalogue(form.catalogue), std::move(config));
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

PlayLaw law_of(const Table& table) {
  auto law = PlayLaw::of(table);
  if (!law) {
    ADD_FAILURE() << law.error().text();
    std::abort();
  }
  return std::move(*law);
}

/// Who plays against the bound: for each position the choice that leaves most beyond it, all cards
/// that may come averaged.
class Adversary {
 public:
  Adversary(const Table& table, const std::vector<shuffle::Card>& left)
      : table_(table), law_(law_of(table)), left_(left) {
    const auto count = table.engine().shoe(table)->cards_count;
    for (std::uint32_t deck = 0; deck < count / 52; ++deck)
      for (const auto card : shuffle::DeckSpec::french(1).cards()) gone_.push_back(card);
    for (const auto card : left) gone_.erase(std::ranges::find(gone_, card));
    count_ = count;
  }
  /// The most that he may expect beyond the bound, from the bets on and from the first cards on.
  std::array<double, 2> most(bool backed) {
    Driver driver = *Driver::start(table_, Journal::off);
    EXPECT_TRUE(driver.apply(ShoeOpened{count_, true}));
    std::vector<Event> events;
    const bool indexed = table_.rules().bet(law_.bet())->on == OnForm::index;
    const std::vector<std::string> on =
        indexed ? std::vector<std::string>{"1"} : std::vector<std::string>{};
    events.emplace_back(PlaceBet{"b1", 1, 1, law_.bet(), on, 1000});
    if (backed) events.emplace_back(PlaceBet{"b2", 2, 1, law_.bet(), on, 1000});
    events.emplace_back(CloseBets{});
    for (const Event& event : events) {
      const auto status = driver.apply(event);
      EXPECT_TRUE(status) << status.error().text();
    }
    std::array<double, 2> out{};
    for (const std::size_t view : {0U, 1U}) {
      view_ = view;
      out.at(view) = value(driver, events, {}, left_);
    }
    return out;
  }
  [[nodiscard]] int rounds() const { return rounds_; }

 private:
  double value(const Driver& driver, const std::vector<Event>& events,
               const std::vector<Settlement>& settled, const std::vector<shuffle::Card>& left) {
    if (const auto place = driver.next_card_place()) {
      double sum = 0;
      std::map<int, int> kinds;
      for (const auto card : left) ++kinds[std::min(card.rank(), 10)];
      for (const auto& [points, times] : kinds) {
        const auto card = std::ranges::find_if(
            left, [&](shuffle::Card one) { return std::min(one.rank(), 10) == points; });
        auto rest = left;
        rest.erase(rest.begin() + (card - left.begin()));
        sum += times *
               after(driver, events, settled, rest, CardDealt{place->place, place->face, *card});
      }
      return left.empty() ? ran_out : sum / static_cast<double>(left.size());
    }
    double best = -100;
    bool decides = false;
    for (const Need& need : driver.needs()) {
      const auto* decide = std::get_if<Decide>(&need);
      if (decide == nullptr) continue;
      decides = decides || decide->required;
      for (const ActionChoice& one : decide->choices)
        best = std::max(best, after(driver, events, settled, left,
                                    Act{decide->seat, one.action, one.bet, {}, {}, {}}));
      if (!decide->required) continue;
      best = std::max(best, after(driver, events, settled, left, TimeOut{decide->seat}));
    }
    return decides ? best : end(events, settled);
  }
  double after(const Driver& driver, std::vector<Event> events, std::vector<Settlement> settled,
               const std::vector<shuffle::Card>& left, const Event& event) {
    Driver next = driver;
    if (!next.apply(event)) return -100;
    for (const Settlement& one : next.settled()) settled.push_back(one);
    events.push_back(event);
    return value(next, events, settled, left);
  }
  double end(const std::vector<Event>& events, const std::vector<Settlement>& settled) {
    ++rounds_;
    const auto stakes = law_.round(gone_, events, settled);
    EXPECT_TRUE(stakes);
    double sum = 0;
    for (const PlayedStake& one : *stakes) {
      EXPECT_FALSE(one.foreign);
      sum += one.gain - (view_ == 0 ? one.most : one.most_of);
    }
    return stakes->empty() ? 0 : sum / static_cast<double>(stakes->size());
  }

  const Table& table_;
  PlayLaw law_;
  std::vector<shuffle::Card> left_;
  std::vector<shuffle::Card> gone_;
  std::uint32_t count_ = 0;
  std::size_t view_ = 0;
  int rounds_ = 0;
};

std::vector<shuffle::Card> cards_of_ranks(const std::string& ranks) {
  std::vector<shuffle::Card> out;
  std::map<char, int> used;
  for (const char rank : ranks) {
    constexpr std::string_view suits = "CDHS";
    const std::string text = {rank, suits.at(static_cast<std::size_t>(used[rank]++) % 4)};
    out.push_back(*shuffle::Card::parse(text));
  }
  return out;
}

/// Shoes that are all but over, far from full decks. Who lets them run out loses more than he has,
/// so that no play that may is the best.
TEST(PlayBound, holds_for_whoever_knows_every_card_that_is_left) {
  int rounds = 0;
  for (const BlackjackForm& form : blackjack_forms) {
    const auto table = table_of_form(form);
    const bool first = &form == &blackjack_forms.front();
    for (const char* left : {"AATTTT92", "888TTT95"}) {
      for (const bool backed : {false, true}) {
        if (!first && (backed || left[0] == '8')) continue;
        Adversary adversary(table, cards_of_ranks(left));
        for (const double most : adversary.most(backed))
          EXPECT_LE(most, 1e-9) << form.catalogue << " " << form.game << " " << left << backed;
        rounds += adversary.rounds();
      }
    }
  }
  std::printf("    %d rounds\n", rounds);
}

/// From full decks it is the best play's value and a little: a bound that is far off finds nothing.
TEST(PlayBound, of_full_decks_lies_close_above_the_best_play) {
  for (const BlackjackForm& form : blackjack_forms) {
    const auto table = table_of_form(form);
    const auto odds = bet_odds(table);
    ASSERT_TRUE(odds);
    const PlayLaw law = law_of(table);
    const auto best = std::ranges::find(odds->bets, law.bet(), &BetOdds::bet);
    ASSERT_NE(best, odds->bets.end());
    Boxes boxes(table, 1);
    const BoxRound round = boxes.play({1000}, best_play);
    const auto stakes = law.round({}, round.events, round.settled);
    ASSERT_TRUE(stakes && stakes->size() == 1);
    // What the cards of this one round have moved is small: of full decks hardly anything is known.
    const double above = stakes->front().most + as_double(best->odds.house_edge());
    EXPECT_GT(above, -0.004) << form.catalogue << " " << form.game;
    EXPECT_LT(above, 0.01) << form.catalogue << " " << form.game;
    std::printf("    %s %s: %.4f %% above\n", form.catalogue, form.game, 100 * above);
  }
}

std::string never_busts(const Turn& turn) {
  return turn.open("hit") && turn.total() < 12 ? "hit" : "stand";
}
std::string likes_cards(const Turn& turn) {
  if (turn.open("split") && turn.hand[0] < 10) return "split";
  if (turn.open("double")) return "double";
  return turn.open("hit") && turn.total() < 19 ? "hit" : "stand";
}

/// Lives of so many rounds with a bound of one in twenty; who alarms.
TEST(PlayBound, honest_play_good_or_bad_or_counted_alarms_no_more_often_than_the_bound) {
  const auto table = table_of(catalogue(), "blackjack");
  const PlayLaw law = law_of(table);
  const int lives_count =
      std::getenv("TALLA_LONG") != nullptr ? 1000 : 60;  // NOLINT(concurrency-mt-unsafe)
  int alarms = 0;
  const std::array<Strategy, 3> plays = {best_play, never_busts, likes_cards};
  for (int life = 0; life < lives_count; ++life) {
    Boxes boxes(table, 100 + static_cast<std::uint64_t>(life));
    stats::monitor::Excess excess("payments");
    bool alarmed = false;
    for (int round = 0; round < 300; ++round) {
      if (boxes.last()) boxes.shoe();
      const auto gone = boxes.gone();
      // One in four counts: he stakes forty times as much when the cards are for him.
      const bool counts = life % 4 == 3;
      const Units stake = counts && boxes.count() > 2 ? 40'000 : 1000;
      const auto& play = plays.at(static_cast<std::size_t>(counts ? 0 : life % 3));
      const auto played = boxes.play({stake, 1000}, play);
      const Beyond seen = beyond(law, gone, played);
      EXPECT_FALSE(seen.foreign);
      if (seen.counts) excess.observe(seen.gains, seen.foreign);
      alarmed = alarmed || excess.e() >= 1 / one_in_twenty;
    }
    alarms += alarmed ? 1 : 0;
  }
  EXPECT_LE(alarms, one_in_twenty * lives_count + 4 * std::sqrt(one_in_twenty * lives_count));
  std::printf("    %d alarms in %d lives\n", alarms, lives_count);
}

using Cheat = std::function<void(BoxRound&, sim::Random&)>;

/// Rounds until the alarm: by any means, and by what was gained alone.
struct FoundIn {
  std::uint64_t at_once = 0;
  std::uint64_t by_gain = 0;
};
FoundIn until_found(const Table& table, const PlayLaw& law, std::uint64_t seed,
                    std::uint64_t rounds_max, const Cheat& cheat,
                    const std::function<void(Boxes&)>& deal = {}) {
  Boxes boxes(table, seed);
  stats::monitor::Excess gain("payments");
  FoundIn out;
  for (std::uint64_t round = 1; round <= rounds_max && out.by_gain == 0; ++round) {
    if (boxes.last()) boxes.shoe();
    const auto gone = boxes.gone();
    if (deal) deal(boxes);
    auto played = boxes.play({1000}, best_play);
    if (cheat) cheat(played, boxes.random());
    const Beyond seen = beyond(law, gone, played);
    if (!seen.counts) continue;
    gain.observe(seen.gains, false);
    if (seen.foreign && out.at_once == 0) out.at_once = round;
    if (gain.e() >= 1 / first_alpha) out.by_gain = round;
  }
  return out;
}

struct Medians {
  std::uint64_t at_once = 0;
  std::uint64_t by_gain = 0;
};
Medians medians(const char* what, int seeds_count, std::uint64_t rounds_max, const Cheat& cheat,
                const std::function<void(Boxes&)>& deal = {}) {
  const auto table = table_of(catalogue(), "blackjack");
  const PlayLaw law = law_of(table);
  std::vector<std::uint64_t> once;
  std::vector<std::uint64_t> gain;
  for (int seed = 1; seed <= seeds_count; ++seed) {
    const FoundIn one =
        until_found(table, law, static_cast<std::uint64_t>(seed), rounds_max, cheat, deal);
    once.push_back(one.at_once);
    gain.push_back(one.by_gain);
  }
  std::ranges::sort(once);
  std::ranges::sort(gain);
  EXPECT_GT(gain.front(), 0U) << "a seed without an alarm";
  const auto middle = static_cast<std::size_t>(seeds_count / 2);
  std::printf("    %s: by the amount median %llu, at most %llu rounds; by the gain %llu, %llu\n",
              what, static_cast<unsigned long long>(once.at(middle)),
              static_cast<unsigned long long>(once.back()),
              static_cast<unsigned long long>(gain.at(middle)),
              static_cast<unsigned long long>(gain.back()));
  return {once.at(middle), gain.at(middle)};
}

TEST(PlayFault, a_natural_paid_two_to_one_is_found_at_the_first_one_and_by_what_is_gained) {
  const auto rounds = medians("natural at 2 to 1", 3, 400'000, [](BoxRound& round, sim::Random&) {
    for (Settlement& one : round.settled)
      if (2 * one.returned == 5 * one.stake) one.returned = 3 * one.stake;
  });
  EXPECT_LE(rounds.at_once, 60U);
  EXPECT_LE(rounds.by_gain, 150'000U);
}

TEST(PlayFault, a_dealers_bust_paid_double_is_found_at_the_first_one_and_by_what_is_gained) {
  const auto rounds =
      medians("dealer's bust double", 11, 20'000, [](BoxRound& round, sim::Random&) {
        for (Settlement& one : round.settled)
          if (round.dealer_over && one.returned == 2 * one.stake) one.returned = 3 * one.stake;
      });
  EXPECT_LE(rounds.at_once, 20U);
  EXPECT_LE(rounds.by_gain, 4'000U);
}

/// A friend of the house: amounts that the rules know, for hands that had lost.
TEST(PlayFault, every_tenth_lost_stake_given_back_is_found_by_what_is_gained) {
  const auto rounds = medians(
      "a tenth of what is lost given back", 5, 100'000, [](BoxRound& round, sim::Random& r) {
        for (Settlement& one : round.settled) {
          if (one.result != BetResult::lose || one.kind == "seguro" || !r.once_in(10)) continue;
          one.result = BetResult::push;
          one.returned = one.stake;
        }
      });
  EXPECT_EQ(rounds.at_once, 0U);
  EXPECT_LE(rounds.by_gain, 60'000U);
}

/// The player's first card is an ace once in ten rounds more than it should be.
TEST(PlayFault, an_ace_dealt_to_a_friend_is_found_by_what_is_gained) {
  const auto rounds = medians("an ace in ten rounds", 5, 100'000, {}, [](Boxes& boxes) {
    if (!boxes.random().once_in(10)) return;
    for (std::size_t i = 1; i < 50; ++i) {
      if (boxes.ahead(i).rank() == 1) return std::swap(boxes.ahead(0), boxes.ahead(i));
    }
  });
  EXPECT_LE(rounds.by_gain, 60'000U);
}

/// One member of an honest settlement changed at a time.
TEST(PlayFault, what_no_rule_pays_and_stakes_that_were_not_laid_down_are_foreign) {
  const auto table = table_of(catalogue(), "blackjack");
  const PlayLaw law = law_of(table);
  Boxes boxes(table, 5);
  BoxRound round;
  std::vector<shuffle::Card> gone;
  do {
    gone = boxes.gone();
    round = boxes.play({1000}, best_play);
  } while (round.settled.size() != 1 || round.settled.front().result != BetResult::win);
  EXPECT_FALSE(beyond(law, gone, round).foreign);
  const auto foreign = [&](const char* what, const std::function<void(BoxRound&)>& change) {
    BoxRound one = round;
    change(one);
    EXPECT_TRUE(beyond(law, gone, one).foreign) << what;
  };
  foreign("a unit more", [](BoxRound& one) { ++one.settled.front().returned; });
  foreign("a stake grown behind the cards", [](BoxRound& one) {
    one.settled.front().stake *= 2;
    one.settled.front().returned *= 2;
  });
  foreign("paid twice", [](BoxRound& one) { one.settled.push_back(one.settled.front()); });
  foreign("not settled", [](BoxRound& one) { one.settled.clear(); });
  foreign("to another seat", [](BoxRound& one) { one.settled.front().seat = 2; });
  foreign("to nobody's bet", [](BoxRound& one) {
    one.settled.push_back(one.settled.front());
    one.settled.back().bet = "x";
  });
  foreign("insurance that nobody took", [](BoxRound& one) {
    one.settled.push_back(one.settled.front());
    one.settled.back().bet += ".seguro";
    one.settled.back().kind = "seguro";
  });
  BoxRound voided = round;
  voided.settled.front().result = BetResult::void_;
  voided.settled.front().returned = 1000;
  EXPECT_FALSE(beyond(law, gone, voided).counts) << "goes back: left out";
}

}  // namespace
}  // namespace talla::games::test
