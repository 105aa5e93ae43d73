// Goal: random legal play never breaks a table, whatever the game, its parameters, the bets, the
//       choices and the cards.
// Method: every game of every built-in catalogue, found by reading them; sessions from seeds until
// every bet, choice and place was reached and 2,000 rounds are done, 10,000 at most (1,000,000 with
// TALLA_LONG). TALLA_SEED=n takes other seeds. A failure prints its seed; TALLA_SIM_SEED=n plays
// that one session again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "exceptions.hpp"
#include "failure.hpp"
#include "session.hpp"

namespace talla::sim {
namespace {

constexpr std::size_t rounds_of_session = 40;
constexpr std::size_t rounds_of_long_session = 160;  // opening a table costs as much as ten rounds
constexpr std::size_t progress_each = 50'000;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t rounds_normal =
    200;  // each costs ten times as much there; too few to reach everything
constexpr bool reaches_everything = false;
#else
constexpr std::size_t rounds_normal = 10'000;
constexpr bool reaches_everything = true;
#endif
/// What is enough of these where nothing is left to reach, in hundredths.
constexpr std::size_t enough_percent = 20;

bool long_run() {
  const char* value = std::getenv("TALLA_LONG");  // NOLINT(concurrency-mt-unsafe): one thread
  return value != nullptr && std::string_view(value) == "1";
}

std::optional<std::uint64_t> number_from(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  if (value == nullptr) return std::nullopt;
  return std::strtoull(value, nullptr, 10);
}

/// The rounds of this run for each game.
std::size_t rounds_of_run() {
  if (const auto wanted = number_from("TALLA_SIM_ROUNDS")) return *wanted;
  return long_run() ? 1'000'000 : rounds_normal;
}

/// FNV-1a of the game's name: each game has seeds of its own; and other ones for each TALLA_SEED.
std::uint64_t first_seed(const GameId& game) {
  std::uint64_t out = 0xCBF29CE484222325ULL;
  for (const char c : game.text()) out = (out ^ static_cast<std::uint8_t>(c)) * 0x100000001B3ULL;
  constexpr unsigned session_bits = 24;  // no run has more sessions of a game
  return (out >> 16) + (number_from("TALLA_SEED").value_or(0) << session_bits);
}

/// Sessions are short where people buy again and again, and what they bought makes every state
/// longer.
std::size_t session_max(const GameId& game) {
  const auto* rules = catalogue(game.catalogue)->game(game.game);
  return long_run() && !leaves_often(*rules) ? rounds_of_long_session : rounds_of_session;
}

/// Every 4th session has its second runs, in the long run every 16th, and there its states go
/// through JSON before a fourth of the events; the seed says which, so that it says all of a
/// session.
Plan plan_of(const GameId& game, std::uint64_t seed) {
  return {game,
          seed,
          1 + seed % session_max(game),
          seed % (long_run() ? 16 : 4) == 0,
          {},
          long_run() ? 4U : 1U};
}

std::string listed(const std::map<std::string, std::size_t>& counts) {
  std::ostringstream out;
  for (const auto& [key, count] : counts) out << ' ' << key << '=' << count;
  return out.str();
}

class RandomPlay : public ::testing::TestWithParam<GameId> {
 protected:
  /// What of the game was not reached yet, though random play should: bets, choices, places.
  static std::vector<std::string> unreached(const Coverage& seen) {
    std::vector<std::string> out;
    const auto* rules = catalogue(GetParam().catalogue)->game(GetParam().game);
    for (const auto& bet : rules->bets) {
      if (seen.bets.contains(bet.id) || rarely_settled(*rules, bet.id)) continue;
      out.push_back(bet.id + " was never settled");
    }
    for (const auto& action : rules->actions) {
      if (seen.actions.contains(action.id) || rarely_chosen(*rules, action.id)) continue;
      out.push_back(action.id + " was never chosen");
    }
    for (const auto& place : rules->places) {
      if (seen.places.contains(place.id) || !rules->shoe || rarely_dealt(*rules, place.id))
        continue;
      out.push_back(place.id + " never got a card");
    }
    return out;
  }

  /// The run was about something.
  static void expect_covered(const Coverage& seen) {
    for (const auto& what : unreached(seen)) ADD_FAILURE() << what;
    EXPECT_LT(seen.tables_refused * 2, seen.sessions) << "most parameter values exclude each other";
  }
};

TEST_P(RandomPlay, stays_sound_settles_each_bet_once_and_hides_what_is_hidden) {
  if (const auto seed = number_from("TALLA_SIM_SEED")) {
    ASSERT_NO_THROW(static_cast<void>(play(plan_of(GetParam(), *seed))));
    return;
  }
  const auto worth = rounds_worth(*catalogue(GetParam().catalogue)->game(GetParam().game));
  const std::size_t wanted = std::max<std::size_t>(1, rounds_of_run() / worth);
  const bool by_coverage = reaches_everything && !long_run() && !number_from("TALLA_SIM_ROUNDS");
  const std::size_t enough = by_coverage ? wanted * enough_percent / 100 : wanted;
  Coverage seen;
  std::size_t told =
      long_run() ? progress_each : wanted;  // a long run that is stopped has said how far it came
  for (auto seed = first_seed(GetParam());
       seen.rounds < wanted && (seen.rounds < enough || !unreached(seen).empty()); ++seed) {
    try {
      seen.add(play(plan_of(GetParam(), seed)));
    } catch (const Failure& failure) {
      FAIL() << GetParam().text() << ": " << failure.what() << "\nagain with "
             << (long_run() ? "TALLA_LONG=1 " : "") << "TALLA_SIM_SEED=" << seed;
    }
    ASSERT_LT(seen.sessions, wanted) << "sessions end without rounds";
    if (seen.rounds < told || seen.rounds >= wanted) continue;
    std::cout << GetParam().text() << ": nothing found in " << seen.rounds << " rounds\n"
              << std::flush;
    told = seen.rounds + progress_each;
  }
  if (reaches_everything) expect_covered(seen);
  std::cout << GetParam().text() << ": " << seen.rounds << " rounds, " << seen.events
            << " events, results" << listed(seen.results) << "; refused" << listed(seen.refused)
            << '\n';
}

INSTANTIATE_TEST_SUITE_P(
    Catalogues, RandomPlay, ::testing::ValuesIn(all_games()), [](const auto& one) {
      std::string name = one.param.text();
      std::replace_if(
          name.begin(), name.end(),
          [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

}  // namespace
}  // namespace talla::sim
