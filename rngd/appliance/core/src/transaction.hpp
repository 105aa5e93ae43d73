/// \file
/// What one command (or one act of the appliance itself) adds to the running group: records, sealed
/// secrets, replies, the objects changed.
///
/// `add` stages the record in the log and folds it into an overlay at once, so that the next step
/// of the command sees it. Dropping the transaction drops both; `keep` makes it part of the group.
/// Errors: those of Log::append (too long: Errc::limit_exceeded) and of apply.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apply.hpp"
#include "certs/log.hpp"
#include "certs/seal.hpp"
#include "state.hpp"

namespace talla::core {

/// On whose behalf; empty for the appliance itself.
struct Author {
  std::optional<certs::Client> client;
  std::string key;
  std::optional<Digest> request;
};

/// What is added, before its envelope.
struct Addition {
  certs::Kind kind = certs::Kind::unknown;
  /// Empty for opening records (the id follows from the seq) and the machine's.
  std::string object;
  std::vector<std::uint64_t> cites;  ///< Any order, doubles allowed.
  json::Value body;
  TypedBody typed = {};  ///< When set, the record is composed from it and `body` is not looked at.
  /// Of a TABLE_OPEN: the TABLE_CLOSE before at its place.
  std::optional<std::uint64_t> follows = {};
  /// Words of a person; never evidence.
  std::string note = {};
};

class Transaction {
 public:
  struct Effects {
    const ApplyContext& context;
    certs::Log& log;
    const certs::Sealer& sealer;
  };
  Transaction(const Effects& effects, State& state, Author author);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  /// Drops everything unless it was kept.
  ~Transaction();
  void keep();

  /// The seq of the record.
  [[nodiscard]] Result<std::uint64_t> add(Addition addition, const Secrets& secrets = {});
  /// Seals the secret of the record that is added next. `object` is its object; empty: the record
  /// opens it.
  [[nodiscard]] Status seal_next(certs::Kind kind, const SecretBytes& secret,
                                 std::string object = {});
  /// The object's sealed secrets are open now: they leave the ledger.
  void spend(std::string object) { group().spent.push_back(std::move(object)); }
  [[nodiscard]] certs::Group& group() { return effects_.log.group(); }

  [[nodiscard]] std::uint64_t next_seq() const { return effects_.log.next_seq(); }
  /// True for records of an earlier group: they are on disk.
  [[nodiscard]] bool durable(std::uint64_t seq) const { return seq < effects_.log.size(); }
  [[nodiscard]] const std::string& origin() const { return effects_.log.origin(); }
  [[nodiscard]] const Author& author() const { return author_; }
  [[nodiscard]] Overlay& world() { return overlay_; }
  /// Records of this transaction so far.
  [[nodiscard]] const std::vector<std::uint64_t>& seqs() const { return seqs_; }
  /// Time of the log's newest record: none added from now on has an earlier one, also where the
  /// clock was set back.
  [[nodiscard]] std::int64_t log_time_us() const { return effects_.log.mark().time_us; }
  /// Recorded time of the record added last.
  [[nodiscard]] std::int64_t time_us() const { return time_us_; }

 private:
  Effects effects_;
  State& state_;
  Overlay overlay_;
  Author author_;
  certs::Log::Mark mark_;
  std::vector<std::uint64_t> seqs_;
  std::int64_t time_us_ = 0;
  bool kept_ = false;
};

}  // namespace talla::core
