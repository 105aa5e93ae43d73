// Rounds of a game of choices: what their stakes gained against the most that play may expect.
#include <algorithm>

#include "format/game_events.hpp"
#include "monitor/payment_reader.hpp"
#include "settled_bet.hpp"
#include "stats/monitor/excess.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;

/// Bets, cards and decisions of a round in their order; nothing: a record does not fit.
std::optional<std::vector<games::Event>> events_of(const SettledRound& round,
                                                   const std::vector<ShownCard>& cards) {
  std::vector<games::Event> out;
  for (const certs::Bet& bet : round.bets) {
    auto placed = certs::place_event(bet);
    if (!placed) return std::nullopt;
    out.emplace_back(std::move(*placed));
  }
  out.emplace_back(games::CloseBets{});
  std::size_t next = 0;
  const auto cards_until = [&](std::uint64_t seq) {
    for (; next < cards.size() && cards[next].seq < seq; ++next)
      out.emplace_back(games::CardDealt{cards[next].place, games::Face::open, cards[next].card});
  };
  for (const auto& [seq, action] : round.actions) {
    cards_until(seq);
    auto event = certs::action_event(action);
    if (!event) return std::nullopt;
    out.push_back(std::move(*event));
  }
  cards_until(round.ended);
  return out;
}

}  // namespace

void PaymentReader::played(const Known& known, const SettledRound& round, std::uint64_t now,
                           Found& found) {
  const auto gone = cards_.before(round.open.shoe, round.closed, now);
  const auto events =
      gone ? events_of(round, cards_.dealt_behind(round.open.shoe, round.closed)) : std::nullopt;
  if (round.misdealt) return;
  if (!events) {
    ++unwatched_;
    return;
  }
  std::vector<games::Settlement> settled;
  bool foreign = false;
  for (const auto& result : round.results) {
    auto one = settlement_of(result);
    foreign = foreign || !one;
    if (one) settled.push_back(std::move(*one));
  }
  const auto stakes = known.play->round(*gone, *events, settled);
  if (!stakes) {
    ++unwatched_;
    return;
  }
  if (stakes->empty()) return;
  double all = 0;
  mon::Excess::Gains beyond{};
  for (const games::PlayedStake& one : *stakes) {
    const auto first = static_cast<double>(one.first);
    all += first;
    beyond[0] += first * (one.gain - one.most);
    beyond[1] += first * (one.gain - one.most_of);
    foreign = foreign || one.foreign;
  }
  for (double& one : beyond) one /= all;
  const std::string key = key_place(known.place) + "/" + known.play_key;
  if (auto* group = dynamic_cast<mon::Returns*>(board_.group(key, now_us_))) {
    group->observe(beyond, foreign);
    board_.look(*group, found);
  } else {
    ++unwatched_;
  }
  add_played(key, known, *stakes);
  changed_ = true;
}

}  // namespace talla::rngd
