#include "story.hpp"

#include "base/check.hpp"
#include "format/domain.hpp"
#include "shuffle/shoe.hpp"

namespace talla::certs::test {
namespace {

Digest fixed(const HashSuite& hashes, std::string_view name) {
  return hashes.sha256({as_bytes(name)});
}

/// As many bytes of a fixed stream as any shuffle here can take.
Bytes fixed_stream(const HashSuite& hashes, std::string_view name) {
  constexpr std::uint32_t blocks = 64;
  Bytes stream;
  for (std::uint32_t i = 0; i < blocks; ++i) {
    const Digest block = hashes.sha256({as_bytes(name), ByteWriter().u32(i).bytes()});
    stream.insert(stream.end(), block.begin(), block.end());
  }
  return stream;
}

}  // namespace

Context story_context(const SceneOptions& options) {
  Context context = development_context();
  if (options.context) options.context(context);
  return context;
}

Shoe::Shoe(LogBuilder& log, const std::string& table, const ShoePlan& plan)
    : log_(log),
      id_(object_id("shoe", log.next_seq())),
      key_(fixed(log.hashes, "key of the shoe")),
      secret_(fixed(log.hashes, "cut secret")) {
  const auto deck = shuffle::DeckSpec::parse(plan.deck);
  TALLA_CHECK(deck.has_value());
  const Bytes stream = fixed_stream(log.hashes, "tape of the shoe");
  auto tape = shuffle::Tape::borrowed(stream);
  const auto cards = shuffle::shuffle_shoe(tape, *deck);
  TALLA_CHECK(cards.has_value());
  for (const auto card : *cards) order_.push_back(card.code());
  tape_.assign(tape.consumed().begin(), tape.consumed().end());
  words_used_ = tape.words_used();
  words_rejected_ = tape.words_rejected();
  keyed_ = std::make_unique<ShoeKey>(log.hashes, key_, id_);
  tree_ = shoe_tree(log.hashes, *keyed_, id_, order_);
  commit_.table = table;
  commit_.number = plan.number;
  commit_.cards = static_cast<std::uint32_t>(order_.size());
  commit_.deck = plan.deck;
  commit_.root = tree_.root(log.hashes);
  commit_.cut_commitment = cut_commitment(log.hashes, id_, secret_);
  commit_.tape_mac = keyed_->tape_mac(tape_);
  commit_.cut_max = commit_.cards - 1;
  commit_.stop_depth = plan.stop_depth;
  commit_.context = plan.context;
  log.add({Kind::shoe_commit, "", commit_.to_json(), {}});
}

void Shoe::cut() {
  ShoeCutBody body;
  body.nonce.assign(16, 0x5A);
  body.root = commit_.root;
  body.secret = secret_;
  const auto result = map_cut(log_.hashes, {.secret = secret_,
                                            .shoe_id = id_,
                                            .root = commit_.root,
                                            .nonce = body.nonce,
                                            .client = "urn:talla:table-1",
                                            .cut_min = commit_.cut_min,
                                            .cut_max = commit_.cut_max});
  TALLA_CHECK(result.has_value());
  offset_ = body.offset = result->offset;
  body.words_used = result->words_used;
  body.words_rejected = result->words_rejected;
  body.tape_digest = result->tape_digest;
  log_.add({Kind::shoe_cut, id_, body.to_json(), {}});
}

std::optional<shuffle::Card> Shoe::deal(const std::string& place, Face face, const std::string& round,
                                        std::vector<std::uint64_t> cites) {
  CardDealBody body;
  body.position = next_++;
  body.place = place;
  body.face = face;
  body.round = round;
  const std::uint32_t leaf = leaf_of_position(body.position, offset_, commit_.cards);
  const auto card = shuffle::Card::from_code(order_[leaf]);
  if (face == Face::open) {
    body.opening = {leaf, card->text(), keyed_->salt(leaf), tree_.inclusion_path(log_.hashes, leaf)};
  }
  log_.add({Kind::card_deal, id_, body.to_json(), std::move(cites)});
  if (face != Face::open) return std::nullopt;
  return *card;
}

std::uint64_t Shoe::close() {
  ShoeCloseBody body;
  body.dealt = next_;
  body.disclosure = {key_, secret_, tape_, words_used_, words_rejected_, log_.hashes.sha256({tape_})};
  return log_.add({Kind::shoe_close, id_, body.to_json(), {}});
}

Batch::Batch(LogBuilder& log, const std::string& table, std::uint32_t count, const Context& context)
    : log_(log), id_(object_id("batch", log.next_seq())), table_(table) {
  std::vector<Digest> leaves;
  for (std::uint32_t j = 0; j < count; ++j) {
    secrets_.push_back(fixed(log.hashes, "secret " + std::to_string(j)));
    leaves.push_back(batch_leaf_hash(log.hashes, id_, j, secrets_.back()));
  }
  tree_ = MerkleTree(log.hashes, leaves);
  commit_.table = table;
  commit_.count = count;
  commit_.root = tree_.root(log.hashes);
  commit_.expires_us = epoch_us + 600'000'000;
  commit_.context = context;
  log.add({Kind::batch_commit, "", commit_.to_json(), {}});
}

Batch::Pending Batch::intent(const DrawSpecification& specification, const BatchRound& round) {
  IntentBody body;
  body.table = table_;
  body.round = round.round;
  body.index = next_++;
  body.nonce = Bytes(16, static_cast<std::uint8_t>(0xA0 + body.index));
  body.root = commit_.root;
  body.specification = specification;
  body.bets = round.bets;
  body.context = commit_.context;
  body.digest = draw_digest(log_.hashes, {.origin = "casino.example/talla-1",
                                          .client = "urn:talla:table-1",
                                          .table = table_,
                                          .round = body.round,
                                          .game = body.context.game,
                                          .variant = body.context.variant,
                                          .catalogue = body.context.catalogue,
                                          .parameters = body.context.parameters,
                                          .bets = body.bets,
                                          .root = body.root,
                                          .index = body.index,
                                          .nonce = body.nonce});
  const auto result =
      map_draw(log_.hashes, specification, secrets_[body.index], body.root, body.index, body.digest);
  TALLA_CHECK(result.has_value());
  const std::uint64_t seq = log_.add({Kind::intent, id_, body.to_json(), round.cites});
  last_ = result->outcome;
  return {std::move(body), seq, *result};
}

std::uint64_t Batch::draw(const DrawSpecification& specification, const BatchRound& round) {
  const Pending pending = intent(specification, round);
  DrawBody body;
  body.intent = pending.seq;
  body.index = pending.intent.index;
  body.secret = secrets_[body.index];
  body.path = tree_.inclusion_path(log_.hashes, body.index);
  body.outcome = pending.result.outcome;
  body.words_used = pending.result.words_used;
  body.words_rejected = pending.result.words_rejected;
  body.tape_digest = pending.result.tape_digest;
  body.context = pending.intent.context;
  return log_.add({Kind::draw, id_, body.to_json(), {pending.seq}});
}

std::uint64_t Batch::void_next(const DrawSpecification& specification, const BatchRound& round) {
  const Pending pending = intent(specification, round);
  VoidBody body;
  body.intent = pending.seq;
  body.by = {"urn:talla:inspector", "urn:talla:officer"};
  body.outcome = pending.result.outcome;
  body.secret = secrets_[pending.intent.index];
  body.path = tree_.inclusion_path(log_.hashes, pending.intent.index);
  return log_.add({Kind::void_draw, id_, body.to_json(), {pending.seq}});
}

std::uint64_t Batch::close() {
  BatchCloseBody body;
  body.first = next_;
  CompactRange used;
  for (std::uint32_t j = 0; j < next_; ++j) {
    used.append(log_.hashes, batch_leaf_hash(log_.hashes, id_, j, secrets_[j]));
  }
  body.left = used.nodes();
  body.secrets.assign(secrets_.begin() + next_, secrets_.end());
  return log_.add({Kind::batch_close, id_, body.to_json(), {}});
}

}  // namespace talla::certs::test
