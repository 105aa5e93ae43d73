/// \file
/// Judges the replies of one client: every record is in the signed log, is about the request, and
/// what it says follows.
///
/// What is checked of a reply to a POST:
/// - each receipt (certs::verify_receipt), and that key and request digest of its record are those
///   of the request;
/// - BATCH_COMMIT, SHOE_COMMIT: the reply names what was committed;
/// - a round that was drawn for: its outcome is what was drawn, under the game's own numbers;
/// - CALL: the core that this client signed, byte for byte, behind the table's record that it
///   named (certs::Caller); DRAW: the secret is the committed one, and outcome and reply follow
///   from it; VOID without CALL: the same core, and what it opens is committed;
/// - SHOE_MIX: of the newest root, by that call, and the mix that follows; CARD_DEAL and CARD_OPEN:
///   the card of that leaf;
/// - BETS_CLOSED: the bets sent; SETTLEMENT: the reply pays what the record says (the rules run
///   again in `talla verify`). A client that was restarted reads the records of an object again,
///   each with its receipt.
/// Errors: client::Errc::not_believed; those of `fetch`.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "client/errc.hpp"
#include "format/body_shoe.hpp"
#include "format/mix.hpp"
#include "format/record.hpp"
#include "journal.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/caller.hpp"
#include "wheels.hpp"

namespace talla::client {

/// Where the next draw of a table comes from.
struct BatchPlace {
  std::string id;
  std::string root;
  std::int64_t count = 0;
  std::int64_t index = 0;  ///< next secret
  /// By this machine's clock: a batch that may expire on the way is not drawn from.
  std::chrono::steady_clock::time_point good_until{};
};

class Evidence {
 public:
  using Fetch = std::function<Result<json::Value>(const std::string& path)>;

  /// `ended`: texts of statements about the end of logs; what one of them voids is not believed.
  /// `key`: signs the calls of this client's tables; null: it has none that can.
  Evidence(std::string log_key, std::string roots, std::vector<std::string> ended,
           std::shared_ptr<const certs::CallKey> key)
      : trust_{std::move(log_key), std::move(roots), std::move(ended)}, key_(std::move(key)) {}

  [[nodiscard]] Status check(const json::Value& reply, const Asked& asked, const Fetch& fetch);
  /// Seq of the CALL that the last reply shows without its result: contributors are to open.
  [[nodiscard]] std::optional<std::uint64_t> awaited() const;
  /// The record that ended that CALL, of which this is the receipt: held as it would be in one
  /// reply. What the appliance would have replied: `draw`, `mix`, or `void` with the missing ids,
  /// and the receipt in `receipts`.
  [[nodiscard]] Result<json::Value> finish(const json::Value& receipt, const Fetch& fetch);
  /// Records of the last reply that was checked.
  [[nodiscard]] const std::vector<json::Value>& values() const { return values_; }
  /// The verified record that opened `table-N`, `shoe-N`, `batch-N` or `round-N`: N is its number
  /// in the log.
  [[nodiscard]] Result<certs::Record> opening(const std::string& object, const Fetch& fetch);
  /// One root of a shoe.
  struct Root {
    certs::ShoeCommitBody commit;
    certs::MixedSoFar mixed;
    std::optional<std::uint64_t> mix_call{};  ///< seq of the CALL of the newest mix
  };
  /// The shoe's newest root.
  [[nodiscard]] Result<const Root*> newest_root(const std::string& shoe, const Fetch& fetch);
  /// Digest of the bets that a call for this round rests on; `open`: they may still be open.
  [[nodiscard]] Result<Digest> bets_of(const std::string& round, bool open, const Fetch& fetch);
  /// The table's side of its calls: of a table that this session opened, or whose seed `kept` has.
  /// Errors: malformed_wish.
  [[nodiscard]] Result<certs::Caller*> caller(const std::string& table, const json::Object& kept,
                                              const Fetch& fetch);
  /// Of each open table what outlives this program.
  [[nodiscard]] json::Object kept_calls(const json::Object& before) const;
  /// Where the table's chain stands, as the appliance says in its picture: the record is verified.
  [[nodiscard]] Status rest_on_newest(certs::Caller& caller, const json::Value& picture,
                                      const Fetch& fetch);
  /// What the copies of a covered card (`card` of the reply to GET /cards/{position}) tell this key
  /// (PEM): `seat`, `place`, `card` of each, once it is the committed card of its position.
  [[nodiscard]] Result<json::Value> look(const std::string& shoe, const json::Value& card,
                                         std::string_view key_pem, const Fetch& fetch);
  /// What receipts are believed by.
  struct Trust {
    std::string log_key;  ///< statement, or all keys of the log
    std::string roots;    ///< PEM
    std::vector<std::string> ended;
  };
  [[nodiscard]] const Trust& trust() const { return trust_; }

  std::map<std::string, BatchPlace> batches;  ///< by table

 private:
  /// The record that opened an object.
  struct Opening {
    certs::Record record;
    Digest leaf{};  ///< its leaf hash
  };
  struct Call {
    const json::Value& reply;
    const json::Value& sent;
    const Fetch& fetch;
  };
  /// Where the log's key was rotated all keys of the log are fetched, and kept when they hold the
  /// one that is known.
  [[nodiscard]] Result<certs::Record> verified(const json::Value& receipt, const Fetch& fetch);
  [[nodiscard]] Result<Digest> keep(const json::Value& receipt, const Fetch& fetch);
  [[nodiscard]] Status take(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_batch(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_table(const certs::Record& record, const Digest& leaf);
  [[nodiscard]] Status take_call(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_draw(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_void(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_bets(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_shoe(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_mix(const certs::Record& record, Root& root) const;
  /// Each card that the reply shows is in a record of it, and each call that was made has its
  /// result there.
  [[nodiscard]] Status check_whole(const json::Value& reply, const json::Value& sent) const;
  [[nodiscard]] Result<std::vector<Root>*> roots_of(const std::string& shoe, const Fetch& fetch);
  [[nodiscard]] Result<std::vector<certs::Record>> records_of(const std::string& object,
                                                              const Fetch& fetch);

  certs::BotanHashes hashes_;
  Trust trust_;
  std::vector<json::Value> values_;
  std::shared_ptr<const certs::CallKey> key_;
  std::map<std::string, certs::Caller> callers_;    // by table
  std::map<std::uint64_t, certs::CallCore> calls_;  // by seq, verified
  std::set<std::string> closed_;                    // tables
  std::vector<certs::Record> records_;              // of the reply under way
  std::map<std::string, Opening> openings_;         // by object
  std::map<std::string, Digest> bets_;              // by round
  Wheels wheels_;
  std::map<std::string, std::vector<Root>> shoes_;  // by shoe, the oldest root first
};

/// Who has handed in commitments, by the appliance's picture of the table.
[[nodiscard]] Result<std::vector<certs::Contributor>> contributors_of(const json::Value& picture);
/// What two persons have ordered, by the same, for the next call of that round or object; the
/// caller checks it.
[[nodiscard]] Result<std::optional<certs::CallOrder>> order_of(const json::Value& picture,
                                                               std::string_view subject);

}  // namespace talla::client
