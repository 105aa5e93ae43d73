/// \file
/// Typed bodies of the kinds of tables and rounds that a settlement rests on (FORMAT.md section 6).
///
/// Each has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "format/body_end.hpp"
#include "games/event.hpp"

namespace talla::certs {

/// When the order of a shoe is mixed: once for each of its roots, or behind the bets of each round
/// too, so that nobody knows a card of a round while bets can be made.
enum class MixRule : std::uint8_t { shoe, round };

/// What the calls of a table are held to.
struct CallPolicy {
  std::vector<Bytes> required;  ///< keys (SPKI) without which no call is valid, ascending
  MixRule mix = MixRule::shoe;
  std::uint32_t candidates = 1;    ///< roots that a mix picks from
  std::uint32_t max_voids = 1;     ///< of a round or object, before two persons must agree
  std::uint32_t open_within = 60;  ///< seconds for contributors
  bool operator==(const CallPolicy&) const = default;
};

/// TABLE_OPEN: what is played, by whose rules and money, and whose key signs its calls (FORMAT.md
/// section 7).
struct TableOpenBody {
  std::string place;         ///< lasting name of the table in the house, 1 to 64 characters
  std::uint64_t opened = 1;  ///< how often it was opened there, with this
  std::string predecessor;   ///< origin of the log that the openings before are of; empty: this
  PlaceCounts counts;        ///< of the openings before
  Bytes key;                 ///< SPKI, DER, of the P-256 key that signs the table's calls
  std::vector<Bytes> chain;  ///< certificates of that key, DER, its own first
  CallPolicy policy;
  std::string game;  ///< may be empty (settled by the client on a bare deck or range)
  std::string variant;
  Digest catalogue{};
  json::Value parameters;  ///< object
  std::string currency;    ///< ISO 4217, or empty when settled by the client
  std::string unit = "1";  ///< worth of one unit in the currency, "n" or "n/d" in lowest terms
  std::int64_t chip = 1;   ///< stakes are multiples of this many units
  std::string rounding = "down";  ///< down, up, nearest
  std::int64_t min = 0;           ///< 0: none
  std::int64_t max = 0;           ///< 0: none
  bool settled_by_client = false;
  /// Table that it goes on with, under other limits or parameters; empty: none.
  std::string continues;
  Digest carried{};  ///< with `continues`: state digest of what that table's last round left
  /// The game's word -> id of the meter that other tables move too.
  std::map<std::string, std::string> meters;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<TableOpenBody> from_json(const json::Value& body);
};

/// The P-256 key to which covered cards of a seat are encrypted in this round.
struct SeatKey {
  std::int64_t seat = 0;  ///< 1 to 2^32 - 1
  Bytes spki;             ///< SubjectPublicKeyInfo, DER (91 bytes: uncompressed point)
  bool operator==(const SeatKey&) const = default;
};

/// ROUND_OPEN: a round begins at a table.
struct RoundOpenBody {
  std::string table;
  std::uint64_t number = 1;  ///< from 1, without gaps at the table
  Digest state_before{};
  std::string shoe;                      ///< empty: none
  std::optional<games::LastRound> last;  ///< the end of the session is announced with it
  std::vector<SeatKey> keys;  ///< ascending by seat; a seat without one has the table's key
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<RoundOpenBody> from_json(const json::Value& body);
};

/// One bet as records hold it; stakes in the table's units.
struct Bet {
  std::string id;
  std::int64_t seat = 0;  ///< whose bet it is
  std::string kind;
  std::int64_t stake = 0;       ///< units, 1 or more
  std::vector<std::string> on;  ///< positions as codes ("17", "00"); empty: member left out
  std::optional<std::int64_t> box;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<Bet> from_json(const json::Value& value);
  bool operator==(const Bet& other) const = default;
};
/// The array that the bets digest is taken over.
[[nodiscard]] json::Value bets_json(const std::vector<Bet>& bets);

/// Which of the numbered parts of one content a body is (parts.hpp); 0 of 0: the whole content.
struct Part {
  std::int64_t number = 0;  ///< from 1
  std::int64_t count = 0;   ///< 2 to 64
  [[nodiscard]] bool last() const { return number == count; }
  bool operator==(const Part&) const = default;
};

/// BETS_CLOSED: the bets of a round, all of them or a numbered part.
struct BetsClosedBody {
  Part part;  ///< a part that is not the last holds `bets` alone, the last no bets
  std::vector<Bet> bets;
  Digest digest{};  ///< bets digest, of the bets of all parts
  std::vector<std::string> withdrawn;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<BetsClosedBody> from_json(const json::Value& body);
};

/// ACTION: what a seat decided, or that its time ran out.
struct ActionBody {
  std::int64_t seat = 0;  ///< that acts
  std::string action;     ///< member `do`; empty exactly for a time-out
  bool time_out = false;  ///< member `cause`
  std::string bet;        ///< empty: none
  std::optional<std::int64_t> amount;
  std::vector<std::string> cards;  ///< empty: member left out
  std::string to;                  ///< empty: none
  Digest state_before{};
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<ActionBody> from_json(const json::Value& body);
};

/// An error of the deal, by the catalogue's table.
struct MisdealBody {
  std::string code;
  std::string place;                   ///< empty: none
  std::optional<std::int64_t> amount;  ///< chips put in by error
  std::string effect;                  ///< the catalogue's, of that code
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<MisdealBody> from_json(const json::Value& body);
};

/// Staff have seen the complete hand in this state and found no error: it is settled.
struct HandConfirmedBody {
  Digest state_before{};
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<HandConfirmedBody> from_json(const json::Value& body);
};

/// A meter that tables share: its terms, and what it begins with.
struct MeterOpenBody {
  std::string meter;  ///< the game's word for it, e.g. "carrusel"
  Digest catalogue{};
  std::string game;
  std::string variant;
  std::string currency;  ///< ISO 4217
  std::string unit = "1";
  json::Value terms;       ///< object: games::Engine::meter_terms of every table that moves it
  std::int64_t value = 0;  ///< units
  std::string continues;   ///< meter whose rest it takes over; empty: none
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<MeterOpenBody> from_json(const json::Value& body);
};

/// METER_CLOSE: the last record of a meter.
struct MeterCloseBody {
  std::int64_t value = 0;  ///< what is left in it
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<MeterCloseBody> from_json(const json::Value& body);
};

/// A meter moved: compare and set.
struct MeterBody {
  std::string meter;  ///< the game's word for it
  /// Of a meter that tables share: the round that moved it; empty: the meter is the table's own.
  std::string round;
  std::int64_t before = 0;
  std::int64_t contribution = 0;
  std::int64_t award = 0;
  std::int64_t after = 0;  ///< before + contribution - award
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<MeterBody> from_json(const json::Value& body);
};

/// What one bet came to; money in the table's units.
struct SettlementResult {
  std::string bet;
  std::int64_t seat = 0;  ///< of the bet; 0: the house
  std::string kind;
  std::int64_t stake = 0;     ///< units
  std::string result;         ///< win, lose, push, half, prison, freed, void
  std::int64_t returned = 0;  ///< always with the stake
  std::string rule;
  std::string remainder;  ///< exact amount minus `returned`, "n" or "n/d", empty: none
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<SettlementResult> from_json(const json::Value& value);
  bool operator==(const SettlementResult& other) const = default;
};

/// SETTLEMENT: the results of a round, all of them or a numbered part.
struct SettlementBody {
  Part part;  ///< a part that is not the last holds `results` alone, the last no results
  std::vector<SettlementResult> results;
  Digest state_before{};
  Digest state_after{};
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<SettlementBody> from_json(const json::Value& body);
};

}  // namespace talla::certs
