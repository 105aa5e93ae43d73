// At which moments of a hand an error may be announced.
#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "engines/circle/play.hpp"

namespace talla::games::circle {
namespace {

constexpr std::array<std::string_view, 13> window_names = {
    "deal",   "first-deal", "deck",      "dealt",          "bet-made", "owed", "unmatched",
    "spoken", "passed",     "two-acted", "first-interval", "undealt",  "round"};

/// What the refusal says is open instead, in the order of Window.
constexpr std::array<std::string_view, 13> window_words = {
    "while cards are dealt, until somebody has spoken",
    "with the first cards, until somebody has spoken",
    "while cards are dealt, until somebody has spoken",
    "when the cards are dealt",
    "after a bet",
    "while who is on turn has a bet to cover",
    "while the seat has not matched a bet",
    "once somebody has spoken in the interval",
    "in the interval, before two players have acted after the seat",
    "after two other players have acted",
    "in the first interval",
    "while further cards are to be dealt",
    "during an interval or its deal"};

bool deals(const State& state) {
  const bool unsaid = state.phase == Phase::bet && state.betting.spoken.empty();
  return state.phase == Phase::deal || state.phase == Phase::draw || unsaid;
}

bool lies(const State& state) {
  return state.phase == Phase::bet || state.phase == Phase::draw || state.phase == Phase::show;
}

bool is_owed(const Play& p) {
  return p.state.phase == Phase::bet && p.state.showing.asked.empty() && offer(p).call > 0;
}

/// Two players beside that one have acted since own cards were dealt last.
bool two_acted(const State& state, Seat seat) {
  const auto others =
      std::count_if(state.players.begin(), state.players.end(),
                    [&](const Player& one) { return one.in && one.spoke && one.seat != seat; });
  return others >= 2;
}

bool is_open(const Play& p, Window window, Seat seat) {
  const auto& state = p.state;
  const auto* player = state.player(seat);
  const bool spoken = state.phase == Phase::bet && !state.betting.spoken.empty();
  const bool further = state.phase == Phase::bet && state.street + 1 < p.law.streets.size();
  switch (window) {
    case Window::deal:
      return deals(state);
    case Window::first_deal:
      return deals(state) && state.street == 0;
    case Window::deck:
      return deals(state) || state.phase == Phase::blind;
    case Window::dealt:
      return lies(state);
    case Window::bet_made:
      return lies(state) && state.betting.last_bettor != 0;
    case Window::owed:
      return is_owed(p);
    case Window::unmatched:
      return state.phase == Phase::bet && player != nullptr &&
             player->street + player->early < state.betting.level;
    case Window::spoken:
      return spoken;
    case Window::passed:
      return spoken &&
             (seat == 0 || std::find(state.betting.spoken.begin(), state.betting.spoken.end(),
                                     seat) != state.betting.spoken.end());
    case Window::two_acted:
      return lies(state) && two_acted(state, seat);
    case Window::first_interval:
      return state.phase == Phase::bet && state.street == 0;
    case Window::undealt:
      return state.phase == Phase::deal || state.phase == Phase::draw || further;
    case Window::round:
      return state.phase == Phase::deal || state.phase == Phase::bet;
  }
  return false;
}

}  // namespace

Result<Window> window_from(std::string_view name) {
  const auto found = std::find(window_names.begin(), window_names.end(), name);
  if (found == window_names.end())
    return fail(Errc::catalogue_malformed, "unknown window " + std::string(name.substr(0, 40)));
  return static_cast<Window>(found - window_names.begin());
}

Status check_window(const Play& p, const ErrorRule& rule, const Misdeal& event) {
  if (rule.window.empty()) return {};
  const auto window = window_from(rule.window);
  TALLA_CHECK(window.has_value());
  if (is_open(p, *window, own_place_of(event.place.value_or("")).seat)) return {};
  return fail(Errc::not_due, event.code + " is said " +
                                 std::string(window_words.at(static_cast<std::size_t>(*window))) +
                                 " (" + p.rule(rule.cite) + ")");
}

}  // namespace talla::games::circle
