/// \file
/// A contributor's side of a table's calls (FORMAT.md section 8): one who puts a number of its own
/// into the table's draws and mixes, so that nobody has to trust the others.
///
/// It hands in commitments before anybody calls, follows the table's chain, and opens its number
/// behind a CALL that holds. Once: a second core of a turn, and a second one of its count, are
/// refused for ever, also by a later life that `restore` begins.
/// What is believed of the log: the records that `take` is given, each verified by its receipt. Of
/// these `take` checks that none is missing, that the calls are signed by the table's key, one at a
/// time, and that each result holds the own number as it was opened. Behind a CALL that names it a
/// contributor opens only where that rests on what was committed, on the rules of TABLE_OPEN and on
/// the bets that were closed, and where count and commitment in it are the own ones.
/// Errors:  those of VerifyErrc that a verifier gives for the same lie.
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
#include "format/body_answer.hpp"
#include "format/body_draw.hpp"
#include "format/body_table.hpp"
#include "format/call.hpp"
#include "format/record.hpp"
#include "verify/call_key.hpp"

namespace talla::certs {

/// Commitments of following counts.
struct Commitments {
  std::uint32_t from = 1;       ///< t of the first one
  std::vector<Digest> commits;  ///< one for each t
};
/// So many may be handed in ahead of the calls.
inline constexpr std::uint32_t commitments_ahead_max = 16;

/// What became of the newest call that named this contributor.
enum class Joined : std::uint8_t {
  none,     ///< it was never named
  waiting,  ///< the call is open, and the number may be opened
  refused,  ///< the call is open, and does not hold (`refusal`): nothing is opened
  in,       ///< its number is in the result
  voided,   ///< the call ended without result
  missing,  ///< the same, and the VOID says that this contributor did not open
};

class JoinerWalk;

/// One contributor at one opening of a table.
class Joiner {
 public:
  /// A new seed under this key. `opening`: the verified TABLE_OPEN, `leaf` its leaf hash; `id`:
  /// `seat-N` or the enrolled id. Errors: malformed_body (id), duplicate (the table's own key).
  [[nodiscard]] static Result<Joiner> open(std::shared_ptr<const CallKey> key, std::string id,
                                           const Record& opening, const Digest& leaf);
  /// The same from what `kept` gave in an earlier life. The records from `again_from` on are taken
  /// once more, so that commitments and bets are known; up to the newest one of that life they
  /// must be the same, and nothing is answered.
  [[nodiscard]] static Result<Joiner> restore(std::shared_ptr<const CallKey> key, std::string id,
                                              const Record& opening, const Digest& leaf,
                                              const json::Value& kept);
  Joiner(Joiner&&) noexcept;
  Joiner& operator=(Joiner&&) noexcept;
  ~Joiner();
  /// Seed, counts, answer, and where the chain was. To be durable before an answer is sent.
  [[nodiscard]] json::Value kept() const;

  /// The next commitments, at most `commitments_ahead_max`.
  [[nodiscard]] Commitments ahead(std::uint32_t count) const;
  /// Who comes to a table that is played begins with this verified record of it instead of
  /// TABLE_OPEN: before anything was taken. Calls that rest on what was committed before it are
  /// refused.
  [[nodiscard]] Status begin_at(const Record& record, const Digest& leaf);
  /// The next verified record of the table; one that was taken before is left alone. A record that
  /// does not hold changes nothing.
  [[nodiscard]] Status take(const Record& record, const Digest& leaf);
  /// What to open behind the CALL that waits for it, the same bytes each time; nothing while none
  /// does. Made at once with the CALL: it stands in `kept`.
  [[nodiscard]] std::optional<CallOpening> answer() const;
  /// The same with all that it answers, as a partner appliance records it before it is sent.
  [[nodiscard]] std::optional<AnswerBody> answer_record() const;
  /// What the own log holds of it, which an earlier life may have signed: from here on `answer` is
  /// that. Errors: core_mismatch where it is anything but this answer, opening_signature.
  [[nodiscard]] Status take_recorded(const AnswerBody& recorded);

  [[nodiscard]] const std::string& table() const;
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const Bytes& key() const { return key_->spki(); }
  /// The newest record that was taken.
  [[nodiscard]] std::uint64_t last() const;
  /// The first record that a later life must take again.
  [[nodiscard]] std::uint64_t again_from() const;
  /// The count of the next call that names this contributor.
  [[nodiscard]] std::uint32_t next() const { return next_; }
  /// The open CALL, whether it names this contributor or not.
  [[nodiscard]] std::optional<std::uint64_t> open_call() const;
  [[nodiscard]] Joined joined() const { return joined_; }
  /// Why nothing was opened behind the newest CALL that names this contributor.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  /// The bets of the open round once they are closed: a seat looks at its own before it opens.
  [[nodiscard]] const std::vector<Bet>& bets() const;

 private:
  /// The CALL that names this contributor, and what it opens behind it.
  struct Asked {
    std::uint64_t seq = 0;
    Digest call{};  ///< C
    CallOpening answer;
  };
  /// How far an earlier life had come.
  struct Before {
    std::uint64_t last = 0;
    Digest head{};
    std::uint32_t turn = 0;  ///< of the newest CALL or core that lapsed
  };
  Joiner(std::shared_ptr<const CallKey> key, std::string id, std::unique_ptr<JoinerWalk> walk);
  [[nodiscard]] Digest value(std::uint32_t t) const;
  [[nodiscard]] const Contributor* own(const CallCore& core) const;
  [[nodiscard]] Status take_again(const Record& record, const Digest& leaf);
  [[nodiscard]] Status compare_before(const Record& record);
  [[nodiscard]] Status check_own(const Record& record, const CallCore& core) const;
  [[nodiscard]] Status check_result(const Record& record) const;
  void note_call(const Record& record);
  void note_void(const Record& record);

  std::shared_ptr<const CallKey> key_;
  std::string id_;
  SecretBytes seed_;
  std::uint32_t next_ = 1;
  std::optional<Asked> asked_;
  Joined joined_ = Joined::none;
  std::optional<Error> refusal_;
  std::optional<Before> before_;  // while its records are taken again
  std::unique_ptr<JoinerWalk> walk_;
};

}  // namespace talla::certs
