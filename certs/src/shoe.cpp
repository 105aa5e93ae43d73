#include "certs/shoe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "certs/covered.hpp"
#include "format/bounds.hpp"
#include "format/candidates.hpp"
#include "format/openings.hpp"
#include "format/shoe_format.hpp"
#include "shuffle/batch.hpp"

namespace talla::certs {

namespace {

Digest digest_from(ByteView bytes) {
  Digest digest{};
  TALLA_CHECK(bytes.size() == digest.size());
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

/// K and the tape of so many cards.
std::size_t bytes_for(std::size_t cards) {
  return secret_bytes + shuffle::shuffle_bytes(cards);
}

Result<SecretBytes> exactly(const FullEntropyBits& bits, std::size_t bytes) {
  TALLA_TRY(SecretBytes drawn, bits(bytes));
  if (drawn.size() != bytes)
    return fail(Errc::count_refused, "the generator gave another number of bytes");
  return drawn;
}

ShoeStock stock_of(const shuffle::DeckSpec& deck) {
  const auto ordered = deck.cards();
  return {deck.text(), shuffle::SecretCards(ordered.begin(), ordered.end())};
}

}  // namespace

std::size_t SealedShoe::entropy_bytes(const shuffle::DeckSpec& deck) {
  return bytes_for(deck.cards_count());
}

Result<ShoeStock> SealedShoe::stock_again(const ShoeRest& rest) const {
  const ShoeProgress& progress = rest.progress;
  if (progress.closed || !progress.mix)
    return fail(Errc::wrong_position, id_ + " is not mixed, or closed");
  ShoeStock stock{deck_text_, {}};
  for (auto position = progress.dealt; position < cards_count(); ++position)
    stock.cards.push_back(order_[(*progress.mix)[position]]);
  TALLA_TRY_STATUS(put_back(progress, rest.returned, stock));
  for (std::size_t i = 0; i < rest.older.size(); ++i) {
    const OlderCards& one = rest.older[i];
    if (one.recommits >= rest.replaced.size() ||
        (i > 0 && rest.older[i - 1].recommits >= one.recommits))
      return fail(Errc::wrong_position, id_ + ": what goes back names replaced roots, ascending");
    const ReplacedRoot& root = rest.replaced[one.recommits];
    if (!root.shoe) return fail(Errc::secret_malformed, id_ + ": a replaced root is not there");
    TALLA_TRY_STATUS(root.shoe->put_back(root.progress, one.positions, stock));
  }
  return stock;
}

Status SealedShoe::put_back(const ShoeProgress& progress, std::span<const std::uint32_t> positions,
                            ShoeStock& stock) const {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!progress.mix || positions[i] >= progress.dealt ||
        (i > 0 && positions[i - 1] >= positions[i])) {
      return fail(Errc::wrong_position, id_ + ": what goes back are dealt positions, ascending");
    }
    stock.cards.push_back(order_[(*progress.mix)[positions[i]]]);
  }
  return {};
}

std::span<const std::uint8_t, 32> SealedShoe::key() const {
  return std::span<const std::uint8_t>(secret_).first<secret_bytes>();
}
ByteView SealedShoe::tape() const {
  return ByteView(secret_).subspan(sealed_head_bytes);
}

Result<SealedShoe> SealedShoe::make(const HashSuite& hashes, std::string shoe_id,
                                    const shuffle::DeckSpec& deck, const FullEntropyBits& bits) {
  return make_of(hashes, std::move(shoe_id), stock_of(deck), bits);
}

Result<SealedShoe> SealedShoe::make_again(const SealedShoe& before, const ShoeRest& rest,
                                          const FullEntropyBits& bits) {
  TALLA_TRY(const ShoeStock stock, before.stock_again(rest));
  return make_of(*before.hashes_, before.id_, stock, bits);
}

Result<SealedShoe> SealedShoe::make_of(const HashSuite& hashes, std::string shoe_id,
                                       const ShoeStock& stock, const FullEntropyBits& bits) {
  SealedShoe shoe(hashes, std::move(shoe_id));
  TALLA_TRY(const SecretBytes drawn, exactly(bits, bytes_for(stock.cards.size())));
  const auto split = drawn.begin() + secret_bytes;
  SecretBytes& secret = shoe.secret_;
  secret.reserve(sealed_head_bytes + drawn.size());
  secret.assign(drawn.begin(), split);
  secret.resize(sealed_head_bytes);
  secret.insert(secret.end(), split, drawn.end());
  Status shuffled = shoe.shuffle(stock);
  while (!shuffled && shuffled.error().is(shuffle::Errc::tape_exhausted)) {
    // Words were rejected: the same words again and one more give the same start of the same
    //                      shuffle.
    TALLA_TRY(const SecretBytes more, exactly(bits, sizeof(std::uint64_t)));
    secret.insert(secret.end(), more.begin(), more.end());
    shuffled = shoe.shuffle(stock);
  }
  if (!shuffled) return pass(std::move(shuffled));
  shoe.seal_tree();
  return shoe;
}

Result<SealedShoe> SealedShoe::restore(const HashSuite& hashes, std::string shoe_id,
                                       const shuffle::DeckSpec& deck, const SecretBytes& secret,
                                       const Digest& root) {
  return restore_of(hashes, std::move(shoe_id), stock_of(deck), secret, root);
}

Result<SealedShoe> SealedShoe::restore_of(const HashSuite& hashes, std::string shoe_id,
                                          const ShoeStock& stock, const SecretBytes& secret,
                                          const Digest& root) {
  const auto malformed = [&shoe_id] {
    return fail(Errc::secret_malformed,
                shoe_id + ": the unsealed secret does not fit its commitment");
  };
  if (secret.size() < sealed_head_bytes) return malformed();
  if (load_be32(secret.data() + secret_bytes) != secret.size() - sealed_head_bytes)
    return malformed();
  SealedShoe shoe(hashes, shoe_id);
  shoe.secret_ = secret;
  if (!shoe.shuffle(stock) || shoe.secret_.size() != secret.size()) return malformed();
  shoe.seal_tree();
  if (shoe.root_ != root) return malformed();
  return shoe;
}

Result<SealedShoe> SealedShoe::restore(const HashSuite& hashes, std::string shoe_id,
                                       const shuffle::DeckSpec& deck, const SecretBytes& secret,
                                       const ShoeCommitBody& commit) {
  if (!commit.candidates.empty())
    return ShoeCandidates::restore(hashes, shoe_id, deck, secret, commit);
  TALLA_TRY(SealedShoe shoe, restore(hashes, std::move(shoe_id), deck, secret, commit.root));
  TALLA_TRY_STATUS(shoe.check_commitment(commit));
  return shoe;
}

Result<SealedShoe> SealedShoe::restore_again(const SealedShoe& before, const ShoeRest& rest,
                                             const SecretBytes& secret,
                                             const ShoeCommitBody& commit) {
  TALLA_TRY(const ShoeStock stock, before.stock_again(rest));
  TALLA_TRY(SealedShoe shoe, restore_of(*before.hashes_, before.id_, stock, secret, commit.root));
  TALLA_TRY_STATUS(shoe.check_commitment(commit));
  return shoe;
}

Status SealedShoe::check_commitment(const ShoeCommitBody& commit) const {
  if (ShoeKey(*hashes_, key(), id_).tape_mac(tape()) == commit.tape_mac) return {};
  return fail(Errc::secret_malformed, id_ + ": the unsealed secret does not fit its commitment");
}

Status SealedShoe::shuffle(const ShoeStock& stock) {
  deck_text_ = stock.deck;
  shuffle::Tape words = shuffle::Tape::borrowed(tape());
  TALLA_TRY(order_, shuffle::shuffle_again(words, stock.cards));
  words_used_ = words.words_used();
  words_rejected_ = words.words_rejected();
  secret_.resize(sealed_head_bytes + words.consumed().size());
  const auto size = static_cast<std::uint32_t>(words.consumed().size());
  for (unsigned i = 0; i < 4; ++i) {
    secret_[secret_bytes + i] = static_cast<std::uint8_t>((size >> (24U - 8U * i)) & 0xffU);
  }
  return {};
}

void SealedShoe::seal_tree() {
  static_assert(sizeof(shuffle::Card) == 1, "a card is its byte");
  const ByteView codes(reinterpret_cast<const std::uint8_t*>(order_.data()), order_.size());
  tree_ = shoe_tree(*hashes_, ShoeKey(*hashes_, key(), id_), id_, codes);
  root_ = tree_.root(*hashes_);
}

Result<ShoeCommitBody> SealedShoe::commit_body(const ShoeTerms& terms) const {
  if (terms.stop_depth > cards_count()) {
    return fail(Errc::count_refused, fmt::format("stop card depth {}", terms.stop_depth));
  }
  std::vector<ShoeCandidate> candidates;
  for (const auto& one : candidates_) candidates.push_back(ShoeCandidates::of(*one));
  return ShoeCommitBody{
      .table = terms.table,
      .number = terms.number,
      .cards = cards_count(),
      .deck = deck_text_,
      .root = root_,
      .tape_mac = candidates_.empty() ? ShoeCandidates::of(*this).tape_mac : Digest{},
      .candidates = std::move(candidates),
      .stop_depth = terms.stop_depth,
      .burn = terms.burn,
      .covered = terms.covered,
      .context = terms.context};
}

void ShoeProgress::take(Mix mixed) {
  mix = std::make_shared<const Mix>(std::move(mixed));
  mix_due = false;
}

void ShoeProgress::take(const CardDealBody& deal) {
  dealt = deal.position + 1;
}

void ShoeProgress::take(const ShoeCloseBody& /*close*/) {
  closed = true;
}

Status SealedShoe::check_call(const ShoeProgress& progress, const CallCore& core) const {
  if (progress.closed || !progress.mix_due)
    return fail(Errc::wrong_position, id_ + " is mixed or closed already");
  if (core.use != CallUse::mix || core.object != id_ || core.root != root_)
    return fail(Errc::wrong_position, "the call names the root of another shoe");
  if (core.mix().candidates != ShoeCandidates::count(*this))
    return fail(Errc::wrong_position,
                fmt::format("{}: the call picks from {} roots, there are {}", id_,
                            core.mix().candidates, ShoeCandidates::count(*this)));
  if (core.at != progress.dealt || core.mix().places != cards_count() - progress.dealt) {
    return fail(
        Errc::wrong_position,
        fmt::format("{}: {} leaves from {} on are called for, {} from {} on are there", id_,
                    core.mix().places, core.at, cards_count() - progress.dealt, progress.dealt));
  }
  return {};
}

Result<ShoeMixBody> SealedShoe::mix(const ShoeProgress& progress, std::uint64_t call_seq,
                                    const CallBody& call, std::vector<CallOpening> openings) const {
  const CallCore& core = call.core;
  TALLA_TRY_STATUS(check_call(progress, core));
  if (openings.size() != core.others.size())
    return fail(Errc::count_refused, id_ + ": not one opening for each contributor");
  TALLA_TRY(const MixResult result,
            map_mix(*hashes_, call_digest(*hashes_, core.bytes()), openings, core.mix()));
  ShoeMixBody body{.call = call_seq,
                   .openings = std::move(openings),
                   .root = root_,
                   .words_used = result.words_used,
                   .words_rejected = result.words_rejected,
                   .tape_digest = result.tape_digest};
  if (candidates_.empty()) return body;
  body.picked = result.picked;
  body.root = candidates_[result.picked]->root();
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (i != result.picked) body.opened.push_back(candidates_[i]->disclosure());
  return body;
}

CardOpening SealedShoe::opening(std::uint32_t leaf) const {
  return {.leaf = leaf,
          .card = order_[leaf].text(),
          .salt = ShoeKey(*hashes_, key(), id_).salt(leaf),
          .path = tree_.inclusion_path(*hashes_, leaf)};
}

Result<CardDealBody> SealedShoe::deal(const ShoeProgress& progress,
                                      const DealRequest& request) const {
  if (progress.closed || !progress.mix || progress.mix_due || !candidates_.empty())
    return fail(Errc::wrong_position, id_ + " is not mixed, or closed");
  if (request.position != progress.dealt || progress.dealt >= cards_count()) {
    return fail(Errc::wrong_position, fmt::format("{}: position {} where {} of {} is next", id_,
                                                  request.position, progress.dealt, cards_count()));
  }
  if (request.face == Face::covered)
    return fail(Errc::face_refused, id_ + ": a covered card is dealt for its seats");
  CardDealBody body;
  body.position = request.position;
  body.place = request.place;
  body.face = request.face;
  body.round = request.round;
  if (request.face == Face::open) body.opening = opening((*progress.mix)[request.position]);
  return body;
}

Result<CoveredDeal> SealedShoe::deal_covered(const ShoeProgress& progress,
                                             const DealRequest& request, std::string_view origin,
                                             const std::vector<SeatKey>& seats) const {
  DealRequest unseen = request;
  unseen.face = Face::unseen;
  CoveredDeal dealt;
  TALLA_TRY(dealt.body, deal(progress, unseen));
  dealt.body.face = Face::covered;
  const CardOpening card = opening((*progress.mix)[request.position]);
  for (const SeatKey& seat : seats) {
    const CoveredContext context{.origin = origin,
                                 .shoe = id_,
                                 .position = request.position,
                                 .seat = static_cast<std::uint32_t>(seat.seat),
                                 .key = hashes_->sha256({seat.spki}),
                                 .recommits = request.recommits};
    TALLA_TRY(Bytes ciphertext, encrypt_opening(context, seat.spki, card));
    dealt.body.copies.push_back({seat.seat, context.key, hashes_->sha256({ciphertext})});
    dealt.ciphertexts.push_back(std::move(ciphertext));
  }
  return dealt;
}

Result<CardOpenBody> SealedShoe::open(const ShoeProgress& progress, std::uint32_t position,
                                      const std::string& place) const {
  if (progress.closed || !progress.mix || !candidates_.empty() || position >= progress.dealt) {
    return fail(Errc::wrong_position, fmt::format("{}: position {} is not dealt", id_, position));
  }
  return CardOpenBody{
      .position = position, .place = place, .opening = opening((*progress.mix)[position])};
}

ShoeDisclosure SealedShoe::disclosure() const {
  const ByteView bytes = tape();
  return {.key = digest_from(key()),
          .tape = Bytes(bytes.begin(), bytes.end()),
          .words_used = words_used_,
          .words_rejected = words_rejected_,
          .tape_digest = hashes_->sha256({bytes})};
}

Result<ShoeCloseBody> SealedShoe::close(const ShoeProgress& progress, ShoeCloseReason reason,
                                        bool covered,
                                        std::span<const ReplacedRoot> replaced) const {
  if (progress.closed) return fail(Errc::wrong_position, id_ + " is closed already");
  if (replaced.size() > recommits_max)
    return fail(Errc::count_refused, id_ + " was recommitted too often");
  ShoeCloseBody body{.dealt = progress.dealt, .reason = reason, .disclosure = {}, .replaced = {}};
  for (const auto& one : candidates_) body.candidates.push_back(one->disclosure());
  if (covered || !candidates_.empty()) return body;
  body.disclosure = disclosure();
  for (const ReplacedRoot& one : replaced) body.replaced.push_back(one.shoe->disclosure());
  return body;
}

SecretBytes SealedShoe::secrets(std::span<const ReplacedRoot> replaced) const {
  SecretBytes all;
  std::size_t size = secret_.size();
  for (const ReplacedRoot& one : replaced) size += one.shoe->secret_.size();
  all.reserve(size);
  for (const ReplacedRoot& one : replaced)
    all.insert(all.end(), one.shoe->secret_.begin(), one.shoe->secret_.end());
  all.insert(all.end(), secret_.begin(), secret_.end());
  return all;
}

}  // namespace talla::certs
