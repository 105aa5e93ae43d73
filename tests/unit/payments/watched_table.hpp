/// \file
/// A table whose rounds are played by one engine and watched by the laws of payment of another,
/// honest one, with the thresholds that an appliance would have.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../../sim/random.hpp"
#include "games/driver.hpp"
#include "games/payment_law.hpp"
#include "play_support.hpp"
#include "stats/monitor/board.hpp"
#include "stats/monitor/shares.hpp"

namespace talla::games::test {

namespace mon = stats::monitor;

/// The built-in file with the first `from` behind `behind` replaced, loaded.
inline std::shared_ptr<const Catalogue> changed_catalogue(std::string_view id,
                                                          std::string_view behind,
                                                          std::string_view from,
                                                          std::string_view to) {
  for (const auto& file : embedded_catalogues()) {
    if (file.id != id) continue;
    std::string text(file.bytes.begin(), file.bytes.end());
    const auto at = text.find(from, text.find(behind));
    if (at == std::string::npos) break;
    text.replace(at, from.size(), to);
    const NoHash hash;
    auto loaded = load_catalogue(as_bytes(text), hash);
    if (loaded) return *loaded;
    ADD_FAILURE() << loaded.error().text();
    break;
  }
  ADD_FAILURE() << "cannot change " << id;
  std::abort();
}

inline Table table_of(std::shared_ptr<const Catalogue> catalogue, std::string game,
                      Units min = 1000) {
  TableConfig config;
  config.game = std::move(game);
  config.currency.code = "EUR";
  config.min = min;
  config.params = json::Object{};
  auto table = Table::open(std::move(catalogue), std::move(config));
  if (!table) {
    ADD_FAILURE() << table.error().text();
    std::abort();
  }
  return *table;
}

inline double as_double(const Ratio& ratio) {
  return static_cast<double>(ratio.numerator()) / static_cast<double>(ratio.denominator());
}

/// What a board of payments sees of one table. The bets of a round and their settlements come in;
/// the number of rounds until the first alarm of an e-process comes out.
class Watch {
 public:
  /// `honest`: the table as it should be played. The board has what the bits' monitors leave of the
  /// usual alpha (places from the fourth on of a third of 0.001), or all of `alpha`.
  explicit Watch(const Table& honest, double alpha = 0)
      : honest_(honest),
        board_({.alpha = alpha > 0 ? alpha : 0.001 / 3,
                .run_length = 1e9,
                .groups_max = 64,
                .make = [this](const std::string& key) { return make(key); },
                .places_before = alpha > 0 ? 0U : 3U}) {
    see_cards({});
  }
  /// The cards seen before the bets of the next round are closed.
  void see_cards(const std::vector<shuffle::Card>& gone) {
    auto laws = payment_laws(honest_, gone);
    if (!laws) {
      ADD_FAILURE() << laws.error().text();
      std::abort();
    }
    laws_ = std::move(*laws);
  }
  /// One round: settlements of these bets.
  void round(const std::vector<Bet>& bets, const std::vector<Settlement>& settled) {
    ++rounds_;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      PaidRound paid(laws_[i], honest_);
      for (const Settlement& one : settled) {
        for (const Bet& bet : bets)
          if (bet.id == one.bet && bet.kind == laws_[i].bet && stands(laws_[i], bet))
            paid.add(one, bet.on);
      }
      if (paid.counts()) observe(i, paid);
    }
  }
  /// Rounds until the first alarm; 0: none.
  [[nodiscard]] std::uint64_t alarmed_in() const { return alarmed_; }
  [[nodiscard]] const std::string& who() const { return who_; }
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }
  [[nodiscard]] const std::vector<PaymentLaw>& laws() const { return laws_; }
  [[nodiscard]] mon::Board& board() { return board_; }

 private:
  std::unique_ptr<mon::Group> make(const std::string& key) const {
    for (std::size_t i = 0; i < laws_.size(); ++i)
      if (key_of(i) == key) return std::make_unique<mon::Payments>(laws_[i].ends.size());
    return nullptr;
  }
  [[nodiscard]] std::string key_of(std::size_t law) const {
    return laws_[law].bet + "/" + std::to_string(law);
  }
  [[nodiscard]] static bool stands(const PaymentLaw& law, const Bet& bet) {
    return law.on.empty() || std::ranges::find(law.on, bet.on) != law.on.end();
  }
  void observe(std::size_t law, const PaidRound& paid) {
    std::vector<double> shares;
    std::vector<double> probabilities;
    for (std::size_t end = 0; end < laws_[law].ends.size(); ++end) {
      shares.push_back(as_double(paid.by_end()[end] / paid.staked()));
      probabilities.push_back(as_double(laws_[law].ends[end].probability));
    }
    auto* group = dynamic_cast<mon::Payments*>(board_.group(key_of(law), 0));
    ASSERT_NE(group, nullptr);
    group->observe(shares, probabilities, paid.foreign());
    std::vector<mon::Finding> found;
    board_.look(*group, found);
    for (const auto& one : found) {
      if (one.detector || alarmed_ != 0) continue;
      alarmed_ = rounds_;
      who_ = one.monitor;
    }
  }

  const Table& honest_;
  std::vector<PaymentLaw> laws_;
  mon::Board board_;
  std::uint64_t rounds_ = 0;
  std::uint64_t alarmed_ = 0;
  std::string who_;
};

/// Spins of a wheel: bets, a pocket, settlements. Bets in prison stay in the driver; their later
/// ends are no round of a law, and are left out by who watches.
class Spins {
 public:
  Spins(const Table& table, std::uint64_t seed)
      : table_(table), driver_(*Driver::start(table, Journal::off)), random_(seed) {}
  /// Bets of this round: ids are given here.
  struct Stake {
    std::string kind;
    std::vector<std::string> on;
    Units stake = 0;
  };
  /// Plays one round with that pocket.
  std::vector<Settlement> play(const std::vector<Stake>& stakes, const std::string& pocket) {
    bets_.clear();
    for (const Stake& one : stakes) {
      Bet bet;
      bet.id = "b" + std::to_string(next_++);
      bet.seat = 1 + static_cast<Seat>(bets_.size());
      bet.kind = one.kind;
      bet.on = one.on;
      bet.stake = one.stake;
      must(PlaceBet{bet.id, bet.seat, {}, bet.kind, bet.on, bet.stake});
      bets_.push_back(std::move(bet));
    }
    must(CloseBets{});
    must(DrawResult{DrawKind::wheel, {pocket}});
    return driver_.settled();
  }
  /// A pocket as an honest wheel gives it.
  [[nodiscard]] std::string pocket() { return random_.pick(table_.rules().draw->pockets); }
  [[nodiscard]] const std::vector<Bet>& bets() const { return bets_; }
  [[nodiscard]] sim::Random& random() { return random_; }

 private:
  void must(const Event& event) {
    const auto status = driver_.apply(event);
    if (!status) {
      ADD_FAILURE() << event_name(event) << ": " << status.error().text();
      std::abort();
    }
  }
  const Table& table_;
  Driver driver_;
  sim::Random random_;
  std::vector<Bet> bets_;
  std::uint64_t next_ = 0;
};

/// Coups of punto y banca from shoes of eight decks.
class Coups {
 public:
  Coups(const Table& table, std::uint64_t seed) : table_(table), random_(seed) { shoe(); }
  /// A fresh shoe, shuffled honestly.
  void shoe() {
    order_.clear();
    for (int deck = 0; deck < 8; ++deck) {
      for (const auto suit : {shuffle::Suit::spades, shuffle::Suit::hearts, shuffle::Suit::diamonds,
                              shuffle::Suit::clubs}) {
        for (int rank = 1; rank <= 13; ++rank) order_.push_back(shuffle::Card::of(rank, suit));
      }
    }
    random_.shuffle(order_);
    at_ = 0;
  }
  /// The cards of this shoe that are out.
  [[nodiscard]] std::vector<shuffle::Card> gone() const {
    return {order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(at_)};
  }
  /// Fewer than 30 cards are left.
  [[nodiscard]] bool last() const { return at_ + 30 > order_.size(); }
  /// The cards that come next, to look at and to exchange.
  [[nodiscard]] shuffle::Card& ahead(std::size_t index) { return order_.at(at_ + index); }
  /// One coup, played by a driver of its own with a shoe of its own, from the next cards.
  std::vector<Settlement> play(const std::vector<std::pair<std::string, Units>>& stakes) {
    bets_.clear();
    Driver driver = *Driver::start(table_, Journal::off);
    must(driver, ShoeOpened{416, false});
    burn(driver);
    for (const auto& [kind, stake] : stakes) {
      Bet bet;
      bet.id = "b" + std::to_string(bets_.size());
      bet.seat = 1 + static_cast<Seat>(bets_.size());
      bet.kind = kind;
      bet.stake = stake;
      must(driver, PlaceBet{bet.id, bet.seat, {}, bet.kind, {}, bet.stake});
      bets_.push_back(std::move(bet));
    }
    must(driver, CloseBets{});
    while (driver.settled().empty()) deal(driver, order_.at(at_++));
    return driver.settled();
  }
  [[nodiscard]] const std::vector<Bet>& bets() const { return bets_; }
  [[nodiscard]] sim::Random& random() { return random_; }

 private:
  /// An ace is exposed and one card burned: no card of the order.
  void burn(Driver& driver) {
    for (auto place = driver.next_card_place(); place; place = driver.next_card_place())
      deal(driver, shuffle::Card::of(1, shuffle::Suit::spades));
  }
  static void deal(Driver& driver, shuffle::Card card) {
    const auto place = driver.next_card_place();
    if (!place) {
      ADD_FAILURE() << "no card is due";
      std::abort();
    }
    const auto status = driver.deal(place->face == Face::open ? std::optional(card) : std::nullopt);
    if (!status) {
      ADD_FAILURE() << status.error().text();
      std::abort();
    }
  }
  static void must(Driver& driver, const Event& event) {
    const auto status = driver.apply(event);
    if (!status) {
      ADD_FAILURE() << event_name(event) << ": " << status.error().text();
      std::abort();
    }
  }
  const Table& table_;
  sim::Random random_;
  std::vector<shuffle::Card> order_;
  std::size_t at_ = 0;
  std::vector<Bet> bets_;
};

}  // namespace talla::games::test
