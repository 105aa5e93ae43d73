/// \file
/// Settled rounds to what their bets were paid: which law of payment a bet has, what it came to,
/// and what it should have come to.
///
/// Read at each ROUND_END from the records of the round alone, so that a restart goes on where it
/// stopped: bets as they were closed, results as they were settled, and of a shoe the cards that
/// were seen before the bets were closed. A call is the stakes that it is made of. A bet without a
/// result, two results, another stake, an amount that the law does not have, a result without a bet
/// that is no stake of the prison of the round before: all of these are payments of probability 0.
/// Rounds that end without a settlement, and bets that go back void all together, are left out; who
/// voids what players win is seen in what is left.
/// Streams: `PLACE/GAME/BET-LAW-ENDS` of each bet of each place, and of draws, which are settled at
/// once, `*/GAME/...` of all places together: who spreads a bias over many tables meets it there.
/// Sums: what was staked and paid, its expectation and variance, in units, each round cut to a
/// billionth of a unit (squared unit); of each stream of a place, and each money apart.
/// Where players choose (blackjack): what a round's stakes gained, doubled and split ones too,
/// against the most that the best play may expect (games/play_law.hpp). Streams end in `-most`; of
/// their sums `expected` is the most, and `variance` what practice has been away from it. Rounds
/// with an error of the deal are left out.
/// Not watched: tables that their client settles, and games without a law; these are named.
/// Threads: one. Secrecy: reads committed records alone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "certs/ledger.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/body_table.hpp"
#include "games/payment_law.hpp"
#include "games/play_law.hpp"
#include "monitor/seen_cards.hpp"
#include "stats/monitor/board.hpp"
#include "stats/monitor/state.hpp"

namespace talla::rngd {

/// A round as its records tell it.
struct SettledRound {
  certs::RoundOpenBody open;
  std::vector<std::uint64_t> cites;  ///< of ROUND_OPEN
  std::vector<certs::Bet> bets;
  std::vector<certs::SettlementResult> results;
  std::uint64_t closed = 0;  ///< seq of its first BETS_CLOSED
  std::uint64_t ended = 0;   ///< of its ROUND_END
  std::vector<std::pair<std::uint64_t, certs::ActionBody>> actions;  ///< by seq
  bool settled = false;
  bool misdealt = false;
};

/// What the bets of one law came to at one place.
struct PaidSums {
  std::string place;
  std::string client;  ///< that opened the tables; empty: more than one has
  std::string catalogue;
  std::string game;
  std::string bet;
  std::string currency;
  std::string unit;  ///< worth of one unit in the currency
  std::string on;    ///< the first place of the cloth that it may lie on; empty: it has none
  std::uint64_t places = 0;  ///< how many of them
  std::uint64_t rounds = 0;
  games::Ratio staked;
  games::Ratio paid;
  games::Ratio expected;
  games::Ratio variance;  ///< of `paid`, squared units
  /// {"place","client","catalogue","game","bet","on"?,"places"?,"currency","unit","monitor",
  /// "rounds","staked","paid","expected","deviation","theory","practice","low","high","within"}:
  /// amounts in
  /// units to four places (cut), shares of the stakes in percent, the band three standard
  /// deviations to each side.
  [[nodiscard]] json::Object to_json(const std::string& monitor) const;
};

/// A place as a part of a key: what is no letter, digit, point, hyphen or line is %XX.
[[nodiscard]] std::string key_place(const std::string& place);

/// Reads settled rounds into the streams of payments, and adds them up.
class PaymentReader {
 public:
  using Board = stats::monitor::Board;
  using Found = std::vector<stats::monitor::Finding>;
  PaymentReader(const certs::Ledger& ledger, Board& board)
      : ledger_(ledger), board_(board), cards_(ledger) {}

  /// Feeds what the record ends; alarms are added to `found`.
  void read(const certs::LedgerRecord& record, std::int64_t now_us, Found& found);
  /// Rounds and bets that no monitor looks at though their game has a law: too many different
  /// streams, or a record that does not fit.
  [[nodiscard]] std::uint64_t unwatched() const { return unwatched_; }
  /// Whether a monitor of that name watches all places together.
  [[nodiscard]] static bool is_together(std::string_view monitor);
  /// {"bets": [...], "not_watched": [{"place","client","game"}...]}.
  [[nodiscard]] json::Object sums() const;
  /// Whether these have changed since the last call.
  [[nodiscard]] bool take_changed() { return std::exchange(changed_, false); }

  void save(stats::monitor::StateWriter& out) const;
  /// Into a fresh one. Refuses by `in`.
  void load(stats::monitor::StateReader& in);

  /// The group of a stream's key; null for an unknown key.
  [[nodiscard]] static std::unique_ptr<stats::monitor::Group> make(const std::string& key);

 private:
  /// A table whose game has a law.
  struct Known {
    explicit Known(games::Table opened) : table(std::move(opened)) {}
    games::Table table;
    std::string place;
    std::string client;
    bool shoe = false;                      // its law moves with the cards
    std::vector<games::PaymentLaw> laws{};  // of a shoe: as from full decks
    std::vector<std::string> keys{};        // of each law, "GAME/BET-LAW-ENDS"
    std::optional<games::PlayLaw> play{};   // of a game of choices, instead of laws
    std::string play_key{};                 // "GAME/BET-LAW-most"
  };
  using Places = std::map<std::pair<std::string, std::string>, std::string>;

  /// Null: not watched.
  [[nodiscard]] const Known* known(const std::string& table);
  [[nodiscard]] std::unique_ptr<Known> open(const std::string& table);
  [[nodiscard]] std::shared_ptr<const games::Catalogue> catalogue(const Digest& digest);
  [[nodiscard]] std::string key_of(const certs::TableOpenBody& body, const games::PaymentLaw& law);
  void round(const certs::LedgerRecord& record, Found& found);
  /// The paid stakes of each law.
  [[nodiscard]] std::vector<games::PaidRound> paid(const Known& known,
                                                   const std::vector<games::PaymentLaw>& laws,
                                                   const SettledRound& round);
  /// Of a game of choices.
  void played(const Known& known, const SettledRound& round, std::uint64_t now, Found& found);
  void add_played(const std::string& key, const Known& known,
                  const std::vector<games::PlayedStake>& stakes);
  /// The sums of that stream at that table; null: there are too many.
  [[nodiscard]] PaidSums* sums_of(const std::string& key, const Known& known,
                                  const std::string& bet,
                                  const std::vector<std::vector<std::string>>& on);
  /// Names a game that no law is known of.
  void name_unwatched(const certs::TableOpenBody& body, const std::string& client);
  /// Whether that result is of a stake that an earlier round of the table has put in prison.
  [[nodiscard]] bool from_prison(const SettledRound& round, const certs::SettlementResult& result);
  void observe(const std::string& key, const games::PaymentLaw& law, const games::PaidRound& paid,
               Found& found);
  void add_sums(const std::string& key, const Known& known, const games::PaymentLaw& law,
                const games::PaidRound& paid);

  const certs::Ledger& ledger_;
  Board& board_;
  certs::OpensslHashes hashes_;
  SeenCards cards_;
  std::map<Digest, std::shared_ptr<const games::Catalogue>> catalogues_;
  std::map<std::string, std::unique_ptr<Known>> tables_;  // null: not watched
  std::map<std::string, PaidSums> sums_;                  // by stream, currency and unit
  Places not_watched_;                                    // place, game: client, as of sums
  std::uint64_t unwatched_ = 0;
  std::int64_t now_us_ = 0;
  bool changed_ = true;
};

}  // namespace talla::rngd
