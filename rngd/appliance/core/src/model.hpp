/// \file
/// The tables, shoes, batches and rounds of the appliance as values; what `apply` (apply.hpp) folds
/// records into.
///
/// Copies are cheap: secrets, rules and trees are shared and immutable. Secrecy: sealed shoes and
/// batches keep their secrets in secret memory; they leave only through opening records.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "certs/batch.hpp"
#include "certs/shoe.hpp"
#include "format/body_draw.hpp"
#include "format/body_release.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/call_subject.hpp"
#include "format/game_events.hpp"
#include "format/parts.hpp"
#include "format/record.hpp"
#include "games/engine.hpp"
#include "games/table.hpp"
#include "panel.hpp"

namespace talla::core {

/// Opening record's seq: the number in the object's id.
using ObjectSeq = std::uint64_t;

/// What every object has.
struct ObjectHead {
  ObjectSeq seq = 0;
  std::uint64_t last_seq = 0;  ///< Its newest record.
  std::string id;              ///< "shoe-17"
};

/// A meter that several tables feed and win from: one value, compared and set by the rounds of them
/// all.
struct SharedMeter : ObjectHead {
  certs::MeterOpenBody open;
  std::int64_t value = 0;  ///< units, as its newest record leaves it
  bool closed = false;
};

/// Arrival times of the samples behind a commitment, monotonic clock of this boot; both 0 after a
/// restart.
struct SampleWindow {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
};

/// What the chain of a table is with one of its records.
struct ChainHead {
  std::uint64_t seq = 0;
  Digest head{};
  /// The object that it commits to or ends, where a call may rest on a record before it; else
  /// empty.
  std::string object;
};

/// The newest call of a table.
struct LastCall {
  std::uint64_t seq = 0;
  Digest digest{};  ///< C
};

/// What two persons have ordered: a further call of a round, shoe or batch.
struct StandingOrder {
  std::uint64_t seq = 0;  ///< of the ACCESS that confirms it
  std::string object;     ///< that is called for again
  certs::CallOrder order;
};

struct Table : ObjectHead {
  std::string client;
  Digest client_key{};  ///< SPKI digest of that client: the key of seats that name none
  Digest opening{};     ///< leaf hash of its TABLE_OPEN
  certs::TableOpenBody open;
  Digest parameters{};                        ///< Parameters digest.
  std::shared_ptr<const games::Table> rules;  ///< Null when settled by the client.
  std::optional<games::State> state;          ///< Present exactly with rules.
  std::uint64_t rounds_count = 0;
  std::uint64_t shoes_count = 0;
  std::optional<ObjectSeq> live_shoe;
  std::optional<ObjectSeq> live_round;
  std::optional<std::uint64_t> last_round_end;   ///< seq
  std::optional<std::uint64_t> last_shoe_close;  ///< seq
  std::map<std::string, std::int64_t> meters;  ///< its own, by name, as the last METER of each says
  std::set<ObjectSeq> open_batches;
  certs::PlaceCounts counts;  ///< of its place, up to now
  /// Never empty: the newest record that every call has to rest on, and what stands behind it.
  std::vector<ChainHead> heads;
  std::optional<CallUnderWay> open_call;
  Panel panel;
  std::optional<LastCall> last_call;   ///< since the start
  certs::CallSubjects calls;           ///< what they came to, of what is open
  std::optional<StandingOrder> again;  ///< the newest
  bool suspended = false;
  bool closed = false;

  /// Turns count from 1 at each opening.
  [[nodiscard]] std::uint64_t next_turn() const { return counts.turns - open.counts.turns + 1; }
  [[nodiscard]] const games::Engine& engine() const { return rules->engine(); }
  [[nodiscard]] games::Needs needs() const { return engine().needs(*rules, *state); }
};

enum class ShoeStage : std::uint8_t { committed, mixed, in_play, last_round, closed, voided };
[[nodiscard]] std::string_view stage_name(ShoeStage stage);

/// A dealt position of a shoe: they count from 0 again under each root.
struct CardAt {
  std::uint32_t recommits = 0;  ///< SHOE_RECOMMITs before the root it was dealt under
  std::uint32_t position = 0;
  auto operator<=>(const CardAt&) const = default;
};

/// A card dealt covered; its copies lie sealed in the ledger until the shoe closes.
struct CoveredCard {
  std::uint64_t deal_seq = 0;  ///< of its CARD_DEAL
  std::string place;
  std::vector<certs::CoveredCopy> copies;
  bool open = false;  ///< CARD_OPEN is in the log
};

/// The order of the newest root, released to one machine; its ciphertext lies sealed in the ledger
/// until the shoe closes.
struct Release {
  std::uint64_t seq = 0;  ///< of its SHOE_RELEASE
  certs::ShoeReleaseBody body;
  std::uint32_t targets = 0;                       ///< form targets: how many the machine was given
  std::optional<certs::ShuffleReportBody> report;  ///< the newest
  Digest head{};  ///< chain_head of the table with its SHOE_RELEASE: what a report is signed for
};

/// A CALL whose result is not in the log yet, with the words of its request for the result's
/// envelope.
struct OpenCall {
  certs::CallBody body;
  std::optional<certs::Client> client;
  std::string key;
  std::optional<Digest> request;
};

struct Shoe : ObjectHead {
  ObjectSeq table = 0;
  /// Of the newest root; of candidates, once one is picked, that one's.
  certs::ShoeCommitBody commit;
  std::uint32_t candidates = 1;  ///< roots that it was committed with
  bool spoiled = false;          ///< a call ended before one of them was picked: it has to close
  bool called = false;           ///< a CALL of it is in the log
  /// Null once closed, or when the seal does not open.
  std::shared_ptr<const certs::SealedShoe> secrets;
  certs::ShoeProgress progress;               ///< The mix, next dealt position.
  std::vector<certs::ReplacedRoot> replaced;  ///< roots before `commit`'s, oldest first
  /// Cards dealt under each root, the present one last.
  std::vector<certs::LaidCards> laid = std::vector<certs::LaidCards>(1);
  std::vector<std::string> going_back;  ///< places that the newest SHOE_RECOMMIT shuffled in
  std::map<CardAt, CoveredCard> covered;
  std::optional<Release> release;
  std::uint64_t mix_seq = 0;
  /// The CALL of the newest root until its SHOE_MIX or VOID, and its seq.
  std::optional<std::pair<std::uint64_t, OpenCall>> call;
  bool stop_out = false;
  ShoeStage stage = ShoeStage::committed;
  SampleWindow samples;

  /// The rules have it: it was mixed, under this root or the first one.
  [[nodiscard]] bool in_use() const { return progress.mix != nullptr || !replaced.empty(); }
  [[nodiscard]] bool live() const {
    return stage != ShoeStage::closed && stage != ShoeStage::voided;
  }
  /// A root is still to be picked.
  [[nodiscard]] bool unpicked() const { return !commit.candidates.empty(); }
  /// Of a covered shoe: its close shows that it was whole. Nobody has a card of it.
  [[nodiscard]] bool opens_untouched() const {
    return unpicked() || (progress.dealt == 0 && !release && replaced.empty());
  }
  /// How often it was shuffled again.
  [[nodiscard]] std::uint32_t recommits() const {
    return static_cast<std::uint32_t>(replaced.size());
  }
  /// Whether a card dealt covered can be opened: it is not open, and did not go back.
  [[nodiscard]] bool can_open(const CardAt& at) const {
    const auto found = covered.find(at);
    return found != covered.end() && !found->second.open &&
           !laid[at.recommits][at.position].returned;
  }
  /// The newest covered card at that place that can be opened.
  [[nodiscard]] std::optional<CardAt> covered_at(std::string_view place) const {
    for (auto it = covered.rbegin(); it != covered.rend(); ++it) {
      if (it->second.place == place && can_open(it->first)) return it->first;
    }
    return std::nullopt;
  }
};

struct Batch : ObjectHead {
  ObjectSeq table = 0;
  std::string client;
  /// Never null; shared by the copies of this object.
  std::shared_ptr<const certs::BatchCommitBody> commit;
  /// Null once closed, or when the seal does not open.
  std::shared_ptr<const certs::SecretBatch> secrets;
  certs::BatchProgress progress;
  std::map<std::uint64_t, OpenCall> open_calls;  ///< by seq of the CALL
  SampleWindow samples;
};

/// Bets and withdrawals as the client last gave them; durable, without receipt.
struct BetDraft {
  std::vector<certs::Bet> bets;
  std::vector<std::string> withdrawn;

  bool operator==(const BetDraft&) const = default;
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<BetDraft> from_json(const json::Value& value);
};

/// Bets that were played on the state of a table: what the rules make of them.
struct PlayedBets {
  games::State state;
  std::vector<games::Settlement> results;
};

struct Round : ObjectHead {
  ObjectSeq table = 0;
  certs::RoundOpenBody open;
  json::Value state_before;                  ///< The engine's state at ROUND_OPEN.
  std::map<std::int64_t, Digest> seat_keys;  ///< SPKI digests of open.keys, by seat
  BetDraft draft;
  /// The draft, played on the table's present state: a close that confirms it takes it over.
  std::optional<PlayedBets> draft_played;
  std::optional<std::uint64_t> bets_closed;  ///< seq of its last part
  certs::PartCollector<certs::BetsClosedBody> bets_parts;
  std::vector<certs::Bet> bets;
  Digest bets_digest{};
  std::uint64_t last_act = 0;  ///< seq of the newest BETS_CLOSED, ACTION, MISDEAL or HAND_CONFIRMED
  std::vector<std::uint64_t> rests_on;        ///< Records the settlement cites, ascending.
  std::optional<std::uint64_t> open_call;     ///< seq
  std::vector<certs::MeterBody> meters_read;  ///< shared meters read, their bets not settled yet
  std::vector<games::Settlement> results;
  std::vector<json::Value> cards;  ///< {position, place, face, recommits?, card?, returned?}
  std::optional<json::Value> outcome;
  std::optional<std::uint64_t> settlement;  ///< seq
  bool ended = false;
};

}  // namespace talla::core
