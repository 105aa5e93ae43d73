#include "story.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "format/candidates.hpp"
#include "format/domain.hpp"
#include "shuffle/shoe.hpp"

namespace talla::certs::test {
namespace {

Digest fixed(const HashSuite& hashes, std::string_view name) {
  return hashes.sha256({as_bytes(name)});
}

/// That contributors have to open, less what passes from a record to the next.
const std::int64_t open_within_us = std::int64_t{CallPolicy{}.open_within} * 1'000'000 - 1'000;

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

Shoe::Root Shoe::made(const Bytes& cards, ShoeCommitBody terms, const std::string& name) {
  Root root;
  root.key = fixed(log_.hashes, "key of the shoe" + name);
  const Bytes stream = fixed_stream(log_.hashes, "tape of the shoe" + name);
  auto tape = shuffle::Tape::borrowed(stream);
  shuffle::SecretCards stock;
  for (const auto code : cards) stock.push_back(*shuffle::Card::from_code(code));
  const auto order = shuffle::shuffle_again(tape, std::move(stock));
  TALLA_CHECK(order.has_value());
  for (const auto card : *order) root.order.push_back(card.code());
  root.tape.assign(tape.consumed().begin(), tape.consumed().end());
  root.words_used = tape.words_used();
  root.words_rejected = tape.words_rejected();
  root.keyed = std::make_unique<ShoeKey>(log_.hashes, root.key, id_);
  root.tree = shoe_tree(log_.hashes, *root.keyed, id_, root.order);
  root.commit = std::move(terms);
  root.commit.cards = static_cast<std::uint32_t>(root.order.size());
  root.commit.root = root.tree.root(log_.hashes);
  root.commit.tape_mac = root.keyed->tape_mac(root.tape);
  return root;
}

Shoe::Shoe(LogBuilder& log, const std::string& table, const ShoePlan& plan)
    : log_(log), id_(object_id("shoe", log.next_seq())) {
  const auto deck = shuffle::DeckSpec::parse(plan.deck);
  TALLA_CHECK(deck.has_value());
  Bytes cards;
  for (const auto card : deck->cards()) cards.push_back(card.code());
  ShoeCommitBody terms;
  terms.table = table;
  terms.number = plan.number;
  terms.deck = plan.deck;
  terms.stop_depth = plan.stop_depth;
  terms.covered = plan.covered;
  terms.context = plan.context;
  if (plan.candidates == 1)
    roots_.push_back(made(cards, std::move(terms), {}));
  else
    seal_several(plan, cards, terms);
  log.add({Kind::shoe_commit, "", now().commit.to_json(), {}});
}

void Shoe::seal_several(const ShoePlan& plan, const Bytes& cards, const ShoeCommitBody& terms) {
  several_ = true;
  Root all;
  all.commit = terms;
  all.commit.cards = static_cast<std::uint32_t>(cards.size());
  for (std::uint32_t i = 0; i < plan.candidates; ++i) {
    Bytes own = cards;
    if (plan.lie) plan.lie(i, own);
    const auto secrets = plan.secrets_of ? plan.secrets_of(i) : i;
    candidates_.push_back(made(own, terms, " candidate " + std::to_string(secrets)));
    const ShoeCommitBody& commit = candidates_.back().commit;
    all.commit.candidates.push_back({commit.root, commit.tape_mac});
  }
  all.commit.root = shoe_roots_digest(log_.hashes, all.commit.candidates);
  roots_.push_back(std::move(all));
}

void Shoe::pick(ShoeMixBody& body, std::uint32_t picked) {
  body.picked = picked;
  for (std::size_t i = 0; i < candidates_.size(); ++i)
    if (i != picked) body.opened.push_back(disclosure(candidates_[i]));
  roots_.back() = std::move(candidates_[picked]);
  candidates_.clear();
  body.root = now().commit.root;
}

void Shoe::shuffle_again(const Back& back) {
  Bytes cards;
  for (auto position = now().next; position < now().commit.cards; ++position)
    cards.push_back(now().at(position));
  for (const auto position : back.returned) cards.push_back(now().at(position));
  for (const OlderCards& one : back.older) {
    for (const auto position : one.positions)
      cards.push_back(roots_.at(one.recommits).at(position));
  }
  if (back.lie) back.lie(cards);
  ShoeRecommitBody body;
  body.of = now().commit.root;
  body.rule = "1 II.2";
  body.returned = back.returned;
  body.older = back.older;
  roots_.push_back(made(cards, now().commit, " " + std::to_string(roots_.size())));
  body.commit = now().commit;
  log_.add({Kind::shoe_recommit, id_, body.to_json(), {}});
}

LogBuilder::Wish Shoe::wish() const {
  const ShoeCommitBody& commit = now().commit;
  return {.use = CallUse::mix,
          .object = id_,
          .root = commit.root,
          .at = now().next,
          .specification = MixSpecification{candidates_count(commit), commit.cards - now().next}};
}

LogBuilder::Called Shoe::called() {
  return log_.call(wish());
}

void Shoe::answer_mix(bool kept) {
  const auto& call = call_;
  ShoeMixBody body;
  body.call = call.seq;
  body.root = now().commit.root;
  body.openings = log_.opened(call.core);
  auto result = map_mix(log_.hashes, call_digest(log_.hashes, call.core.bytes()), body.openings,
                        std::get<MixSpecification>(wish().specification));
  TALLA_CHECK(result.has_value());
  if (!candidates_.empty()) pick(body, result->picked);
  Root& root = roots_.back();
  if (!kept) root.mix = mixed_again(root.mix, root.next, result->mix);
  body.words_used = result->words_used;
  body.words_rejected = result->words_rejected;
  body.tape_digest = result->tape_digest;
  log_.add({Kind::shoe_mix, id_, body.to_json(), {call.seq}});
}

std::uint64_t Shoe::withheld(const std::vector<std::string>& missing) {
  VoidBody body;
  body.call = called().seq;
  body.cause = VoidCause::withheld;
  body.missing = missing;
  log_.wait(open_within_us);
  return log_.add({Kind::void_call, id_, body.to_json(), {body.call}});
}

std::uint64_t Shoe::voided() {
  VoidBody body;
  body.call = called().seq;
  body.by = ordering_persons();
  const auto order = log_.order(draw_void_act, id_, now().commit.table, body.call);
  return log_.add({Kind::void_call, id_, body.to_json(), {body.call, order}});
}

void Shoe::lapse() {
  VoidBody body;
  body.cause = VoidCause::lapsed;
  body.lapsed = log_.signed_core(wish(), [](CallCore& core) { core.head[0] ^= 1; });
  log_.add({Kind::void_call, now().commit.table, body.to_json(), {}});
}

CardOpening Shoe::opening(const Root& root, std::uint32_t position) const {
  const std::uint32_t leaf = root.mix[position];
  return {leaf, shuffle::Card::from_code(root.order[leaf])->text(), root.keyed->salt(leaf),
          root.tree.inclusion_path(log_.hashes, leaf)};
}

std::optional<shuffle::Card> Shoe::deal(const std::string& place, Face face,
                                        const std::string& round,
                                        std::vector<std::uint64_t> cites) {
  Root& root = roots_.back();
  CardDealBody body;
  body.position = root.next++;
  body.place = place;
  body.face = face;
  body.round = round;
  if (face == Face::open) body.opening = opening(root, body.position);
  const auto card = shuffle::Card::from_code(root.at(body.position));
  log_.add({Kind::card_deal, id_, body.to_json(), std::move(cites)});
  if (face != Face::open) return std::nullopt;
  return *card;
}

void Shoe::deal_unmixed(const std::string& place) {
  if (!candidates_.empty()) roots_.back() = std::move(candidates_.front());
  Root& root = roots_.back();
  for (std::uint32_t leaf = 0; leaf < root.commit.cards; ++leaf)
    root.mix.push_back(static_cast<std::uint16_t>(leaf));
  deal(place, Face::open, {});
}

void Shoe::open(const At& at, const std::string& place) {
  CardOpenBody body;
  body.position = at.position;
  body.place = place;
  body.opening = opening(roots_.at(at.recommits), at.position);
  if (at.recommits + 1 < roots_.size()) body.recommits = at.recommits;
  log_.add({Kind::card_open, id_, body.to_json(), {}});
}

ShoeDisclosure Shoe::disclosure(const Root& root) const {
  return {root.key, root.tape, root.words_used, root.words_rejected,
          log_.hashes.sha256({root.tape})};
}

void Shoe::release(ReleaseForm form) {
  ShoeReleaseBody body;
  released_ = true;
  body.machine = machine_.id;
  body.key = log_.hashes.sha256({machine_.keys.key(machine_.id)});
  body.ciphertext.fill(0x77);
  body.form = form;
  machine_.release = log_.add({Kind::shoe_release, id_, body.to_json(), {}});
  machine_.head = log_.head(now().commit.table);
}

void Shoe::report(ReleaseForm form, const ReportLie& lie) {
  const SeenCodes codes(log_.hashes, report_key(log_.hashes, now().key, id_), id_);
  std::vector<std::optional<SeenCode>> seen;
  for (std::uint32_t place = 0; place < cards(); ++place)
    seen.emplace_back(codes.of(place, now().at(place)));
  ShuffleReportBody body;
  body.recognised = cards();
  body.complete = true;
  body.seen = seen_digest(log_.hashes, seen);
  if (form == ReleaseForm::targets) body.targets = cards();
  if (lie.seen) lie.seen(body);
  ReportTerms terms{story_origin, now().commit.table, id_, machine_.head};
  if (lie.terms) lie.terms(terms);
  body.key = machine_.keys.key(machine_.id);
  body.signature = machine_.keys.sign(machine_.id, report_statement(terms, body));
  const Client client{machine_.id, log_.hashes.sha256({body.key})};
  log_.add({Kind::shuffle_report, id_, body.to_json(), {machine_.release}, {}, {}, client});
}

Openings Shoe::openings(std::uint64_t closed) const {
  Openings file{std::string(story_origin), id_, closed, {}};
  for (const Root& root : roots_) file.roots.push_back({root.key, root.tape});
  return file;
}

std::uint64_t Shoe::close(ShoeCloseReason reason) {
  ShoeCloseBody body;
  body.reason = reason;
  body.dealt = now().next;
  for (const Root& one : candidates_) body.candidates.push_back(disclosure(one));
  const bool untouched =
      candidates_.empty() && now().next == 0 && roots_.size() == 1 && (several_ || !released_);
  if (!now().commit.covered || untouched) {
    body.disclosure = disclosure(now());
    for (std::size_t i = 0; i + 1 < roots_.size(); ++i)
      body.replaced.push_back(disclosure(roots_[i]));
  }
  return log_.add({Kind::shoe_close, id_, body.to_json(), {}});
}

Batch::Batch(LogBuilder& log, const std::string& table, std::uint32_t count, const Context& context)
    : log_(log), id_(object_id("batch", log.next_seq())) {
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

Batch::Pending Batch::pending(const DrawSpecification& specification) {
  auto call = log_.call({.use = CallUse::draw,
                         .object = id_,
                         .root = commit_.root,
                         .at = next_++,
                         .specification = specification});
  const CallCore& core = call.core;
  auto openings = log_.opened(core);
  const auto result = map_draw(log_.hashes, core.draw(), secrets_.at(core.at % secrets_.size()),
                               call_digest(log_.hashes, core.bytes()), openings);
  TALLA_CHECK(result.has_value());
  last_ = result->outcome;
  return {std::move(call), std::move(openings), *result};
}

std::uint64_t Batch::draw(const DrawSpecification& specification) {
  const Pending pending = this->pending(specification);
  DrawBody body;
  body.call = pending.call.seq;
  body.openings = pending.openings;
  body.index = pending.call.core.at;
  body.secret = secrets_.at(next_ - 1);
  body.path = tree_.inclusion_path(log_.hashes, next_ - 1);
  body.outcome = pending.result.outcome;
  body.words_used = pending.result.words_used;
  body.words_rejected = pending.result.words_rejected;
  body.tape_digest = pending.result.tape_digest;
  return log_.add({Kind::draw, id_, body.to_json(), {pending.call.seq}});
}

std::uint64_t Batch::void_next(const DrawSpecification& specification,
                               const std::vector<std::string>& opened) {
  const Pending pending = this->pending(specification);
  VoidBody body;
  body.call = pending.call.seq;
  body.by = ordering_persons();
  const auto order = log_.order(draw_void_act, id_, commit_.table, body.call);
  const auto& others = pending.call.core.others;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const CallOpening& one = pending.openings[i];
    if (std::ranges::find(opened, others[i].id) != opened.end())
      body.openings.push_back({others[i].id, one.value, one.signature});
  }
  if (body.openings.size() == others.size()) body.outcome = pending.result.outcome;
  body.secret = secrets_.at(next_ - 1);
  body.path = tree_.inclusion_path(log_.hashes, next_ - 1);
  return log_.add({Kind::void_call, id_, body.to_json(), {pending.call.seq, order}});
}

std::uint64_t Batch::withheld(const DrawSpecification& specification,
                              const std::vector<std::string>& missing, std::int64_t us) {
  VoidBody body;
  body.call = pending(specification).call.seq;
  body.cause = VoidCause::withheld;
  body.missing = missing;
  body.secret = secrets_.at(next_ - 1);
  body.path = tree_.inclusion_path(log_.hashes, next_ - 1);
  log_.wait(open_within_us + us);
  return log_.add({Kind::void_call, id_, body.to_json(), {body.call}});
}

std::uint64_t Batch::lapse(const DrawSpecification& specification,
                           const std::function<void(CallCore&)>& change, bool kept) {
  VoidBody body;
  body.cause = VoidCause::lapsed;
  body.lapsed = log_.signed_core({.use = CallUse::draw,
                                  .object = id_,
                                  .root = commit_.root,
                                  .at = next_,
                                  .specification = specification},
                                 change);
  if (kept) return log_.add({Kind::void_call, commit_.table, body.to_json(), {}});
  body.secret = secrets_.at(next_);
  body.path = tree_.inclusion_path(log_.hashes, next_++);
  const CallCore& core = body.lapsed->core;
  const auto result =
      map_draw(log_.hashes, core.draw(), *body.secret, call_digest(log_.hashes, core.bytes()), {});
  TALLA_CHECK(result.has_value());
  if (core.others.empty()) body.outcome = result->outcome;
  return log_.add({Kind::void_call, id_, body.to_json(), {}});
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
