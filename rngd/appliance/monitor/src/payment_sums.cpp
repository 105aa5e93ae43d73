// What bets were paid in all, what they should have been paid, and what is kept of it.
#include <algorithm>
#include <cmath>

#include "games/odds.hpp"
#include "monitor/payment_reader.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;
using games::Ratio;
using games::WideInt;

constexpr std::size_t streams_max = 512;
constexpr std::int64_t cut_to = 1'000'000'000;  ///< parts of a unit, of each round
constexpr std::int64_t shown_to = 10'000;
constexpr std::int64_t band_deviations = 3;

/// The largest multiple of 1 / parts that is not above it. Precondition: not below 0.
Ratio cut(const Ratio& exact, std::int64_t parts) {
  const WideInt whole = exact.numerator() * parts / exact.denominator();
  return {whole, WideInt(parts)};
}

/// The least multiple of a billionth that is not below it; 0 for what is below 0.
Ratio parts_above(double amount) {
  if (!(amount > 0)) return {};
  return {WideInt(std::ceil(amount * static_cast<double>(cut_to))), WideInt(cut_to)};
}

/// "1234.5000".
std::string amount_text(const Ratio& amount) {
  const Ratio shown = cut(amount, shown_to);
  const WideInt parts = shown.numerator() * (shown_to / shown.denominator());
  std::string rest = WideInt(parts % shown_to).str();
  rest.insert(0, 4 - std::min<std::size_t>(rest.size(), 4), '0');
  return WideInt(parts / shown_to).str() + "." + rest;
}

/// The square root, up to the next 1 / shown_to.
Ratio root_above(const Ratio& square) {
  const WideInt scaled =
      square.numerator() * shown_to * shown_to / square.denominator() + 1;  // cuts each round made
  return {WideInt(boost::multiprecision::sqrt(scaled) + 1), WideInt(shown_to)};
}

void save_ratio(mon::StateWriter& out, const Ratio& ratio) {
  out.text(WideInt(ratio.numerator() * cut_to / ratio.denominator()).str());
}

Ratio load_ratio(mon::StateReader& in) {
  const std::string text = in.text();
  const bool digits = !text.empty() && text.size() < 100 &&
                      std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) {
    in.refuse("a sum of payments is no number");
    return {};
  }
  return {WideInt(text), WideInt(cut_to)};
}

}  // namespace

json::Object PaidSums::to_json(const std::string& monitor) const {
  const Ratio deviation = root_above(variance);
  const Ratio width = deviation * Ratio(band_deviations);
  // Where players choose there is no least: they may lose as they like.
  const bool most = monitor.find("-most/") != std::string::npos;
  const Ratio low = most ? Ratio() : (expected - width) / staked;
  const Ratio high = (expected + width) / staked;
  const Ratio practice = paid / staked;
  json::Object out{{"place", place},
                   {"client", client},
                   {"catalogue", catalogue},
                   {"game", game},
                   {"bet", bet},
                   {"currency", currency},
                   {"unit", unit},
                   {"monitor", monitor},
                   {"rounds", rounds},
                   {"staked", amount_text(staked)},
                   {"paid", amount_text(paid)},
                   {"expected", amount_text(expected)},
                   {"deviation", amount_text(deviation)},
                   {"theory", games::percent_text(expected / staked)},
                   {"practice", games::percent_text(practice)},
                   {"low", games::percent_text(std::max(low, Ratio()))},
                   {"high", games::percent_text(high)},
                   {"within", low <= practice && practice <= high}};
  if (places > 0) {
    out["on"] = on;
    out["places"] = places;
  }
  return out;
}

PaidSums* PaymentReader::sums_of(const std::string& key, const Known& known, const std::string& bet,
                                 const std::vector<std::vector<std::string>>& on) {
  const games::Currency& money = known.table.currency();
  const std::string own = key + " " + money.code + " " + money.unit.text();
  auto at = sums_.find(own);
  if (at == sums_.end()) {
    if (sums_.size() >= streams_max) return nullptr;
    PaidSums fresh;
    fresh.place = known.place;
    fresh.client = known.client;
    fresh.catalogue = known.table.catalogue().id;
    fresh.game = known.table.rules().id;
    fresh.bet = bet;
    fresh.currency = money.code;
    fresh.unit = money.unit.text();
    fresh.places = on.size();
    if (!on.empty()) {
      for (const std::string& code : on.front()) fresh.on += (fresh.on.empty() ? "" : ",") + code;
    }
    at = sums_.emplace(own, std::move(fresh)).first;
  }
  if (at->second.client != known.client) at->second.client.clear();
  ++at->second.rounds;
  return &at->second;
}

void PaymentReader::add_sums(const std::string& key, const Known& known,
                             const games::PaymentLaw& law, const games::PaidRound& paid) {
  PaidSums* sums = sums_of(key, known, law.bet, law.on);
  if (sums == nullptr) return;
  sums->staked += paid.staked();
  sums->paid += cut(paid.paid(), cut_to);
  sums->expected += cut(paid.expected(), cut_to);
  sums->variance += cut(paid.variance(), cut_to);
}

void PaymentReader::add_played(const std::string& key, const Known& known,
                               const std::vector<games::PlayedStake>& stakes) {
  PaidSums* sums = sums_of(key, known, known.play->bet(), {});
  if (sums == nullptr) return;
  double beyond = 0;
  for (const games::PlayedStake& one : stakes) {
    const auto first = static_cast<double>(one.first);
    const Ratio most = parts_above(static_cast<double>(one.staked) + first * one.most);
    sums->staked += Ratio(one.staked);
    sums->paid += cut(one.returned, cut_to);
    sums->expected += most;
    beyond += first * (one.gain - one.most);
  }
  sums->variance += parts_above(beyond * beyond);
}

json::Object PaymentReader::sums() const {
  json::Array bets;
  for (const auto& [key, sums] : sums_)
    bets.emplace_back(sums.to_json(key.substr(0, key.find(' ')) + "/payments"));
  json::Array others;
  for (const auto& [where, client] : not_watched_)
    others.emplace_back(
        json::Object{{"place", where.first}, {"client", client}, {"game", where.second}});
  return {{"bets", std::move(bets)}, {"not_watched", std::move(others)}};
}

void PaymentReader::save(mon::StateWriter& out) const {
  out.u32(static_cast<std::uint32_t>(sums_.size()));
  for (const auto& [key, sums] : sums_) {
    out.text(key);
    for (const std::string* text : {&sums.place, &sums.client, &sums.catalogue, &sums.game,
                                    &sums.bet, &sums.currency, &sums.unit, &sums.on})
      out.text(*text);
    out.u64(sums.places);
    out.u64(sums.rounds);
    for (const Ratio* ratio : {&sums.staked, &sums.paid, &sums.expected, &sums.variance})
      save_ratio(out, *ratio);
  }
  out.u32(static_cast<std::uint32_t>(not_watched_.size()));
  for (const auto& [where, client] : not_watched_) {
    out.text(where.first);
    out.text(where.second);
    out.text(client);
  }
}

void PaymentReader::load(mon::StateReader& in) {
  for (std::uint32_t left = in.u32(); left > 0 && in.good(); --left) {
    const std::string key = in.text();
    PaidSums sums;
    for (std::string* text : {&sums.place, &sums.client, &sums.catalogue, &sums.game, &sums.bet,
                              &sums.currency, &sums.unit, &sums.on})
      *text = in.text();
    sums.places = in.u64();
    sums.rounds = in.u64();
    for (Ratio* ratio : {&sums.staked, &sums.paid, &sums.expected, &sums.variance})
      *ratio = load_ratio(in);
    if (in.good() && (sums.rounds == 0 || sums.staked.is_zero()))
      return in.refuse("payments of no round");
    sums_[key] = std::move(sums);
  }
  for (std::uint32_t left = in.u32(); left > 0 && in.good(); --left) {
    std::string place = in.text();
    std::string game = in.text();
    not_watched_[{std::move(place), std::move(game)}] = in.text();
  }
  changed_ = true;
}

}  // namespace talla::rngd
