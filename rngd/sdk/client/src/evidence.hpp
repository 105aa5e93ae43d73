/// \file
/// Judges the replies of one client: every record is in the signed log, is about the request, and
/// what it says follows.
///
/// What is checked of a reply to a POST:
/// - each receipt (certs::verify_receipt), and that key and request digest of its record are those
///   of the request;
/// - BATCH_COMMIT, SHOE_COMMIT: the reply names what was committed;
/// - INTENT and DRAW: every input is the one that was asked for, the bets are those that were
///   closed, the digest is right, the secret is the committed one, and outcome and reply follow
///   from it;
/// - SHOE_MIX: the newest root, the number that was sent, and the mix that follows; CARD_DEAL and
///   CARD_OPEN: the card of that leaf;
/// - BETS_CLOSED: the bets sent; SETTLEMENT: the reply pays what the record says (the rules run
///   again in `talla verify`). A client that was restarted reads the records of an object again,
///   each with its receipt.
/// Errors: client::Errc::not_believed; those of `fetch`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "client/errc.hpp"
#include "format/body_shoe.hpp"
#include "format/mix.hpp"
#include "format/record.hpp"
#include "journal.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::client {

/// Where the next draw of a table comes from.
struct BatchPlace {
  std::string id;
  std::string root;
  std::int64_t count = 0;
  std::int64_t index = 0;  ///< next secret
};

class Evidence {
 public:
  using Fetch = std::function<Result<json::Value>(const std::string& path)>;

  /// `ended`: texts of statements about the end of logs; what one of them voids is not believed.
  Evidence(std::string log_key, std::string roots, std::vector<std::string> ended = {})
      : log_key_(std::move(log_key)), roots_(std::move(roots)), ended_(std::move(ended)) {}

  [[nodiscard]] Status check(const json::Value& reply, const Asked& asked, const Fetch& fetch);
  /// Records of the last reply that was checked.
  [[nodiscard]] const std::vector<json::Value>& values() const { return values_; }
  /// The verified record that opened `table-N`, `shoe-N`, `batch-N` or `round-N`: N is its number
  /// in the log.
  [[nodiscard]] Result<certs::Record> opening(const std::string& object, const Fetch& fetch);
  /// Hex root of the shoe's newest commitment.
  [[nodiscard]] Result<std::string> newest_root(const std::string& shoe, const Fetch& fetch);
  [[nodiscard]] const std::string& roots() const { return roots_; }
  [[nodiscard]] const std::vector<std::string>& ended() const { return ended_; }

  std::map<std::string, BatchPlace> batches;  ///< by table

 private:
  /// One root of a shoe.
  struct Root {
    certs::ShoeCommitBody commit;
    certs::Mix mix;  ///< empty before its SHOE_MIX
  };
  struct Call {
    const json::Value& reply;
    const json::Value& sent;
    const Fetch& fetch;
  };
  /// Where the log's key was rotated all keys of the log are fetched, and kept when they hold the
  /// one that is known.
  [[nodiscard]] Result<certs::Record> verified(const json::Value& receipt, const Fetch& fetch);
  [[nodiscard]] Status take(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_batch(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_intent(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_draw(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_bets(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_shoe(const certs::Record& record, const Call& call);
  [[nodiscard]] Status take_mix(const certs::Record& record, const json::Value& sent,
                                Root& root) const;
  [[nodiscard]] Status take_card(const std::string& shoe, const Root& root, std::uint32_t position,
                                 const certs::CardOpening& opening) const;
  [[nodiscard]] Status check_intent(const certs::Record& record, const Call& call);
  [[nodiscard]] Result<Digest> bets_of(const std::string& round, bool lots, const Fetch& fetch);
  [[nodiscard]] Result<std::vector<Root>*> roots_of(const std::string& shoe, const Fetch& fetch);
  [[nodiscard]] Result<std::vector<certs::Record>> records_of(const std::string& object,
                                                              const Fetch& fetch);

  certs::BotanHashes hashes_;
  std::string log_key_;  // statement, or all keys of the log
  std::string roots_;
  std::vector<std::string> ended_;
  std::vector<json::Value> values_;
  std::vector<certs::Record> records_;              // of the reply under way
  std::map<std::string, certs::Record> openings_;   // by object
  std::map<std::string, Digest> bets_;              // by round
  std::map<std::string, std::vector<Root>> shoes_;  // by shoe, the oldest root first
};

}  // namespace talla::client
