/// \file
/// A table's side of its calls (FORMAT.md section 8): makes and signs each core, and knows from
/// verified records what the next one must say.
///
/// One core a turn, never another: a client that signed two for one turn would let the appliance
/// choose between two results. A core of the next turn is answered by its CALL, or, where it does
/// not stand any more, by a VOID that carries it, spends the turn and is counted. A client whose
/// core got neither asks again with the same bytes; where it never does, the table is closed and
/// opened again, with another seed.
/// What is believed of the log: the records that `take` is given, each verified by its receipt. Of
/// these `take` checks that they follow each other in the table's chain, that CALL is the core that
/// was signed, byte for byte, and that a result cites it, or that a VOID without CALL carries it.
/// Of contributors a result holds what each had committed to, in the order of the core, signed.
/// Errors:  VerifyErrc::wrong_statement: a record that does not fit, or a call before without its
///          result.
/// Threads: one at a time. Secrecy: the seed is secret memory and leaves through `kept` alone, for
///          a private file.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/secret.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/call.hpp"
#include "format/call_subject.hpp"
#include "format/mix.hpp"
#include "format/record.hpp"
#include "verify/call_key.hpp"

namespace talla::certs {

/// What is to be drawn or mixed.
struct CallWish {
  CallUse use = CallUse::draw;
  std::string object;  ///< batch or shoe
  Digest root{};
  std::uint32_t at = 0;
  std::string round = "0";
  Digest bets{};
  CallSpecification specification;
  /// Who takes part beside the table, as they stand at the appliance.
  std::vector<Contributor> others{};
  /// Of two persons, as it stands at the appliance: behind more VOIDs than the table allows, or
  /// where somebody is left out who has to be named.
  std::optional<CallOrder> order{};
};

/// The table's side of its calls: makes each core from the records it has verified, signs it once
/// and holds the reply against it (PROTOCOL.md section 5b).
class Caller {
 public:
  /// `opening`: the verified TABLE_OPEN, `leaf` its leaf hash. Errors: the key is not the table's.
  [[nodiscard]] static Result<Caller> open(std::shared_ptr<const CallKey> key,
                                           const Record& opening, const Digest& leaf);
  /// The same from what `kept` gave in an earlier life: its head is not known before `take`.
  [[nodiscard]] static Result<Caller> restore(std::shared_ptr<const CallKey> key,
                                              const Record& opening, const Digest& leaf,
                                              const json::Value& kept);
  /// Seed, turn and the core under way.
  [[nodiscard]] json::Value kept() const;

  /// A verified record; those of other tables and those that were taken before are left alone.
  [[nodiscard]] Status take(const Record& record, const Digest& leaf);
  /// The newest verified record of the table, whoever made it: the next call rests on it.
  [[nodiscard]] Status rest_on(const Record& record, const Digest& leaf);
  /// Who of those that are there is named by the next call of this wish: whom a VOID of the call
  /// before, of the same round or object, named missing is left out of it, also where he has handed
  /// in anew.
  [[nodiscard]] std::vector<Contributor> named(const CallWish& wish,
                                               std::vector<Contributor> there) const;
  /// Whether the next call of this wish takes an order of two persons.
  [[nodiscard]] bool needs_order(const CallWish& wish) const;
  /// Body of the request: core and signature. Nothing else is signed until its result is taken.
  [[nodiscard]] Result<json::Value> make(const CallWish& wish);

  [[nodiscard]] const std::string& table() const { return table_; }
  /// The newest record that was taken; nothing after a restart.
  [[nodiscard]] std::optional<std::uint64_t> last() const { return last_; }
  [[nodiscard]] std::uint32_t turn() const { return turn_; }
  [[nodiscard]] bool waiting() const { return waiting_.has_value(); }
  /// Seq of the CALL that has no result yet.
  [[nodiscard]] std::optional<std::uint64_t> open_call() const { return call_seq_; }
  [[nodiscard]] const CallKey& key() const { return *key_; }

 private:
  Caller(std::shared_ptr<const CallKey> key, const Record& opening, const Digest& leaf);
  [[nodiscard]] Status take_call(const Record& record);
  [[nodiscard]] Status take_result(std::uint64_t call);
  [[nodiscard]] Status take_opened(const Record& record, std::uint64_t call,
                                   const std::vector<CallOpening>& openings);
  [[nodiscard]] Status check_others(const std::vector<Contributor>& others) const;
  [[nodiscard]] Status check_again(const CallCore& core,
                                   const std::optional<CallOrder>& order) const;
  [[nodiscard]] Status take_lapsed(const Record& record, const CallBody& body);
  [[nodiscard]] Status take_missing(const Record& record, const VoidBody& body);

  std::shared_ptr<const CallKey> key_;
  std::string table_;
  std::string origin_;
  std::string game_;
  std::string variant_;
  Digest catalogue_{};
  Digest parameters_{};
  Digest opening_{};  // leaf hash of TABLE_OPEN
  CallPolicy policy_;
  SecretBytes seed_;
  std::uint32_t turn_ = 1;  // the next one
  Digest head_{};
  std::optional<std::uint64_t> last_;      // seq of the record that head_ is of
  std::optional<CallBody> waiting_;        // signed, its result not taken
  std::optional<std::uint64_t> call_seq_;  // of its CALL
  /// Ids that a VOID named missing, by round or object: out of its next call.
  std::map<std::string, std::vector<std::string>> left_;
  CallSubjects subjects_;  // what came of the calls before
};

/// Whether secret and outcome of a DRAW are those that its batch, its call and what was opened
/// behind it stand for. `commit`: the verified BATCH_COMMIT; Caller::take has held the openings
/// against the core. Errors: core_mismatch, batch_client, secret_wrong, wrong_mapping.
[[nodiscard]] Status check_drawn(const Record& commit, const CallCore& core, const Record& draw);
/// Whether the secret that a VOID opens is that of the core's index in its batch, and gives the
/// outcome that it names; without every number of its contributors nobody can say which. Errors:
/// core_mismatch, secret_wrong, outcome_undue, wrong_mapping.
[[nodiscard]] Status check_voided(const Record& commit, const CallCore& core, const Record& ended);
/// The same of a core without CALL, which the VOID has itself.
[[nodiscard]] Status check_lapsed(const Record& commit, const Record& ended);
/// Of a root: the mix until now, and how many cards are dealt under it.
struct MixedSoFar {
  Mix mix;  ///< empty before its first
  std::uint32_t dealt = 0;
};
/// A root that is mixed: of several the one that was picked.
struct MixedRoot {
  ShoeCommitBody commit;
  Mix mix;
};
/// What a SHOE_MIX of this shoe and root stands for; what it opens of several roots is held against
/// them. Errors: core_mismatch, mix_root, candidate_wrong, FormatErrc::malformed_mix.
[[nodiscard]] Result<MixedRoot> check_mixed(const ShoeCommitBody& commit, const CallCore& core,
                                            const Record& mix, const MixedSoFar& before = {});

}  // namespace talla::certs
