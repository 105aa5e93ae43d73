/// \file
/// The appliance's side of a sealed shoe (PROTOCOL section 4, FORMAT.md section 7): commit, mix,
/// deal, close.
///
/// `SealedShoe` holds the secret (K, tape, order) and the tree; it never changes. `ShoeProgress`
/// holds what the log has said so far and is a plain value. Each step returns the body of its
/// record and changes nothing; whoever put the record into the log lets the progress take that
/// body. A restart unseals the secret, takes the logged bodies and goes on with the same answers.
/// Errors:  wrong_position, face_refused, secret_malformed, count_refused, those of
///          the bits' source and FormatErrc::malformed_mix.
/// Threads: const calls from any thread; a progress belongs to one.
/// Secrecy: K, tape and order live in secret memory; a card leaves only through `deal` (open),
///          `open` and `close`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/merkle.hpp"
#include "format/mix.hpp"
#include "format/release_format.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shoe.hpp"
#include "shuffle/shuffler.hpp"

namespace talla::certs {

/// Of each K of a shoe, and of each secret of a batch.
inline constexpr std::size_t secret_bytes = 32;

/// Gives exactly so many full-entropy bytes or an error; asked once or, after rejected words, a few
/// times.
using FullEntropyBits = std::function<Result<SecretBytes>(std::size_t bytes)>;

/// What the log has said of a shoe since its commitment.
struct ShoeProgress {
  std::shared_ptr<const Mix> mix;  ///< after SHOE_MIX; null before
  std::uint32_t dealt = 0;         ///< positions dealt: the next one
  /// No SHOE_MIX stands behind what the next card needs one behind: the commitment and, where each
  /// round is mixed, its bets.
  bool mix_due = true;
  bool closed = false;

  /// A record of the shoe is in the log.
  void take(Mix mixed);
  void take(const CardDealBody& deal);
  void take(const ShoeCloseBody& close);
};

/// What a shoe is committed with, beside its secret.
struct ShoeTerms {
  std::string table;
  std::uint64_t number = 1;      ///< of the shoe at the table, from 1
  std::uint32_t stop_depth = 0;  ///< 0: none; at most n
  std::string burn;
  bool covered = false;  ///< disclosure class: unopened cards stay private at the close
  Context context;
};

class SealedShoe;

/// A root that a SHOE_RECOMMIT replaced: cards dealt under it that did not go back still open with
/// it.
struct ReplacedRoot {
  std::shared_ptr<const SealedShoe> shoe;
  ShoeProgress progress;  ///< as it was replaced
};
/// What a SHOE_RECOMMIT shuffles: the cards not dealt under the newest root in their order of
/// dealing, then those that go back.
struct ShoeRest {
  const ShoeProgress& progress;            ///< of the newest root
  std::span<const ReplacedRoot> replaced;  ///< before it, oldest first
  std::span<const std::uint32_t> returned;
  std::span<const OlderCards> older;
};

/// The card that is asked for: the next one, and where it goes.
struct DealRequest {
  std::uint32_t position = 0;  ///< must be the next
  std::string place;
  Face face = Face::open;  ///< `covered` goes through deal_covered (else face_refused)
  std::string round{};
  /// SHOE_RECOMMITs so far: the copies of a covered card name its root.
  std::uint32_t recommits = 0;
};
/// A card dealt covered: what the log says, and what each entitled seat may read.
struct CoveredDeal {
  CardDealBody body;
  std::vector<Bytes> ciphertexts;  ///< one for each of body.copies, in their order
};

/// A machine that is to get the order of the shoe.
struct ReleaseRequest {
  std::string_view origin;
  std::string machine;          ///< enrolled id
  ByteView spki;                ///< DER SubjectPublicKeyInfo of its P-256 key
  std::uint32_t recommits = 0;  ///< SHOE_RECOMMITs so far
  ReleaseForm form = ReleaseForm::order;
  shuffle::ShelfMachine shelf{};  ///< form shelf
};
/// The order for one machine: what the log says, and the bytes that are to be sealed and given to
/// it.
struct MadeRelease {
  ShoeReleaseBody body;
  Bytes ciphertext;
};

/// The cards of a shoe before their shuffle, and the deck they are of.
struct ShoeStock {
  std::string deck;
  shuffle::SecretCards cards;
};

/// The secret of one shoe with its tree; never changes.
class SealedShoe {
 public:
  /// Draws K and the tape, shuffles, builds the tree. `shoe_id` is `shoe-<seq of its
  /// SHOE_COMMIT>`.
  [[nodiscard]] static Result<SealedShoe> make(const HashSuite& hashes, std::string shoe_id,
                                               const shuffle::DeckSpec& deck,
                                               const FullEntropyBits& bits);
  /// Takes up an unsealed secret again; refuses one that does not lead to this root.
  [[nodiscard]] static Result<SealedShoe> restore(const HashSuite& hashes, std::string shoe_id,
                                                  const shuffle::DeckSpec& deck,
                                                  const SecretBytes& secret, const Digest& root);
  /// The same, compared with all that SHOE_COMMIT says of the secret: root and tape MAC, of each
  /// candidate where it has several.
  [[nodiscard]] static Result<SealedShoe> restore(const HashSuite& hashes, std::string shoe_id,
                                                  const shuffle::DeckSpec& deck,
                                                  const SecretBytes& secret,
                                                  const ShoeCommitBody& commit);
  /// What is left of `before` (the newest root) and what goes back, shuffled again with fresh bits.
  /// That no card goes back twice is the caller's to know (take_back). Errors: wrong_position.
  [[nodiscard]] static Result<SealedShoe> make_again(const SealedShoe& before, const ShoeRest& rest,
                                                     const FullEntropyBits& bits);
  /// Takes that up again from its unsealed secret and what SHOE_RECOMMIT says of it.
  [[nodiscard]] static Result<SealedShoe> restore_again(const SealedShoe& before,
                                                        const ShoeRest& rest,
                                                        const SecretBytes& secret,
                                                        const ShoeCommitBody& commit);
  /// Full-entropy bytes that `make` asks for when no word is rejected.
  [[nodiscard]] static std::size_t entropy_bytes(const shuffle::DeckSpec& deck);

  /// What is to be sealed: K || u32 length || tape; of several candidates one behind the other.
  [[nodiscard]] const SecretBytes& secret() const { return secret_; }
  /// That of every root, this one last: what stays sealed when a covered shoe closes.
  [[nodiscard]] SecretBytes secrets(std::span<const ReplacedRoot> replaced) const;
  [[nodiscard]] const std::string& id() const { return id_; }
  /// What calls name: that of its tree, or the digest of the roots that are to be picked from.
  [[nodiscard]] const Digest& root() const { return root_; }
  [[nodiscard]] std::uint32_t cards_count() const {
    const SealedShoe& one = candidates_.empty() ? *this : *candidates_.front();
    return static_cast<std::uint32_t>(one.order_.size());
  }

  /// Body of SHOE_COMMIT. Errors: count_refused (stop depth).
  [[nodiscard]] Result<ShoeCommitBody> commit_body(const ShoeTerms& terms) const;
  /// Whether this core can stand: of this shoe, its root, all leaves not dealt, while a mix is due.
  /// What it says of the table is the caller's to know. Errors: wrong_position.
  [[nodiscard]] Status check_call(const ShoeProgress& progress, const CallCore& core) const;
  /// Body of SHOE_MIX, which answers that CALL. `openings`: of its `others`, in their order, each
  /// checked against commitment and signature. Errors: wrong_position, count_refused.
  [[nodiscard]] Result<ShoeMixBody> mix(const ShoeProgress& progress, std::uint64_t call_seq,
                                        const CallBody& call,
                                        std::vector<CallOpening> openings = {}) const;
  /// Body of CARD_DEAL for the next position.
  [[nodiscard]] Result<CardDealBody> deal(const ShoeProgress& progress,
                                          const DealRequest& request) const;
  /// The same for a covered card: its opening encrypted to each of these keys (ascending by seat,
  /// perhaps none).
  /// Errors: key_malformed, crypto_failed.
  [[nodiscard]] Result<CoveredDeal> deal_covered(const ShoeProgress& progress,
                                                 const DealRequest& request,
                                                 std::string_view origin,
                                                 const std::vector<SeatKey>& seats) const;
  /// Body of CARD_OPEN of a position dealt before. The caller knows that the rules show it.
  [[nodiscard]] Result<CardOpenBody> open(const ShoeProgress& progress, std::uint32_t position,
                                          const std::string& place) const;
  /// Body of SHOE_CLOSE. `covered`: nothing is opened; else K and tape are, and those of the roots
  /// replaced before this one (oldest first). Candidates of which none was picked are all opened.
  [[nodiscard]] Result<ShoeCloseBody> close(const ShoeProgress& progress, ShoeCloseReason reason,
                                            bool covered = false,
                                            std::span<const ReplacedRoot> replaced = {}) const;

 private:
  friend class ShoeForMachine;
  friend class ShoeCandidates;
  SealedShoe(const HashSuite& hashes, std::string shoe_id)
      : hashes_(&hashes), id_(std::move(shoe_id)) {}
  [[nodiscard]] Result<ShoeStock> stock_again(const ShoeRest& rest) const;
  /// Adds the cards of these dealt positions (ascending) to the stock.
  [[nodiscard]] Status put_back(const ShoeProgress& progress,
                                std::span<const std::uint32_t> positions, ShoeStock& stock) const;
  [[nodiscard]] static Result<SealedShoe> make_of(const HashSuite& hashes, std::string shoe_id,
                                                  const ShoeStock& stock,
                                                  const FullEntropyBits& bits);
  [[nodiscard]] static Result<SealedShoe> restore_of(const HashSuite& hashes, std::string shoe_id,
                                                     const ShoeStock& stock,
                                                     const SecretBytes& secret, const Digest& root);
  /// Whether the tape MAC is that of the secret too.
  [[nodiscard]] Status check_commitment(const ShoeCommitBody& commit) const;
  [[nodiscard]] ShoeDisclosure disclosure() const;
  /// Maps the tape to the order and cuts the secret behind the last word used.
  [[nodiscard]] Status shuffle(const ShoeStock& stock);
  void seal_tree();
  [[nodiscard]] std::span<const std::uint8_t, 32> key() const;
  [[nodiscard]] ByteView tape() const;
  [[nodiscard]] CardOpening opening(std::uint32_t leaf) const;

  const HashSuite* hashes_;
  std::string id_;
  SecretBytes secret_;          // K || u32 length || tape
  shuffle::SecretCards order_;  // by leaf
  std::uint64_t words_used_ = 0;
  std::uint64_t words_rejected_ = 0;
  std::string deck_text_;
  MerkleTree tree_;  // salted leaves: says nothing without K
  Digest root_{};
  /// Until its root is picked; then nothing else is here but id, secret and root.
  std::vector<std::shared_ptr<const SealedShoe>> candidates_;
};

/// A covered shoe that is sealed in several orders: one SealedShoe stands for all of them, until
/// its first mix picks one.
class ShoeCandidates {
 public:
  /// So many (2 to 8), each from bits that are asked for by itself: a conditioned block serves one
  /// request, so no two share one. Errors: count_refused.
  [[nodiscard]] static Result<SealedShoe> make(const HashSuite& hashes, const std::string& shoe_id,
                                               const shuffle::DeckSpec& deck,
                                               const FullEntropyBits& bits, std::uint32_t count);
  /// Takes them up again from their one secret; as SealedShoe::restore.
  [[nodiscard]] static Result<SealedShoe> restore(const HashSuite& hashes,
                                                  const std::string& shoe_id,
                                                  const shuffle::DeckSpec& deck,
                                                  const SecretBytes& secret,
                                                  const ShoeCommitBody& commit);
  /// Roots that the next mix of the shoe picks from.
  [[nodiscard]] static std::uint32_t count(const SealedShoe& shoe) {
    return shoe.candidates_.empty() ? 1 : static_cast<std::uint32_t>(shoe.candidates_.size());
  }
  /// That one: the shoe from its first mix on. Precondition (checked): it is one of them.
  [[nodiscard]] static std::shared_ptr<const SealedShoe> picked(const SealedShoe& shoe,
                                                                std::uint32_t candidate);
  /// What SHOE_COMMIT says of one. Precondition: it does not stand for several.
  [[nodiscard]] static ShoeCandidate of(const SealedShoe& shoe);

 private:
  [[nodiscard]] static SealedShoe together(
      const HashSuite& hashes, const std::string& shoe_id,
      std::vector<std::shared_ptr<const SealedShoe>> candidates);
};

/// What a shuffling machine gets of a sealed shoe, and what it says of it.
class ShoeForMachine {
 public:
  /// `shoe` outlives it.
  explicit ShoeForMachine(const SealedShoe& shoe) : shoe_(shoe) {}

  /// The order of dealing for a machine: from the first dealt card to the last, all of them. The
  /// caller knows that nothing was dealt.
  /// Errors: wrong_position, key_malformed, count_refused (shelf: machine; a shoe that was shuffled
  ///         again is no new deck).
  [[nodiscard]] Result<MadeRelease> release(const ShoeProgress& progress,
                                            const ReleaseRequest& request) const;
  /// What a machine reports, place by place, judged: result match or mismatch.
  [[nodiscard]] ShuffleReportBody judge(const ShoeProgress& progress,
                                        std::span<const std::optional<SeenCode>> seen) const;
  /// Whether the machine saw the card at this place that belongs there. Precondition (checked):
  /// place < n.
  [[nodiscard]] bool right_card(const ShoeProgress& progress, std::uint32_t place,
                                const SeenCode& seen) const;

 private:
  [[nodiscard]] shuffle::SecretCards dealing_order(const ShoeProgress& progress) const;
  [[nodiscard]] Result<SecretBytes> shelf_passes(const shuffle::SecretCards& order,
                                                 const ReleaseRequest& request) const;
  const SealedShoe& shoe_;
};

}  // namespace talla::certs
