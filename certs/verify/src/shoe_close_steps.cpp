// The end of a shoe: every shuffle once its secrets are open, and what was checked of all.
#include <algorithm>

#include "format/candidates.hpp"
#include "format/release_format.hpp"
#include "format/shoe_format.hpp"
#include "games/driver.hpp"
#include "shoe_walk.hpp"
#include "shuffle/tape.hpp"

namespace talla::certs {
namespace {

/// Of a shoe of which no root was picked the close opens every one.
Status all_opened(Evidence& evidence, const Record& record, const ShoeCommitBody& commit,
                  const ShoeCloseBody& body) {
  const auto why =
      opened_wrong(evidence.hashes, record.object, commit, std::nullopt, body.candidates);
  return why.empty() ? Status() : refuse(VerifyErrc::candidate_wrong, record, why);
}

/// What is not known of the cards that nobody opened; `picked`: of the root that a call picked.
void say_composition(Evidence& evidence, games::RefusalValues values, std::uint32_t roots,
                     bool picked) {
  evidence.unopened = true;
  if (!picked) return evidence.not_checked(Note::composition, values);
  values.emplace_back("found", std::to_string(roots - 1));
  values.emplace_back("roots", std::to_string(roots));
  evidence.not_checked(Note::composition_odds, values);
}

}  // namespace

Status ShoeWalk::close(const Record& record) {
  TALLA_TRY(const ShoeCloseBody body, ShoeCloseBody::from_json(record.body));
  closed_ = &record;
  voided_ = body.reason == ShoeCloseReason::voided;
  if (body.dealt != layer_.dealt.size())
    return refuse(VerifyErrc::close_count, record, "another count was dealt");
  // Without rules that ask for another shoe, nobody mixed it or it is dealt out.
  const bool over = layer_.mix.empty() || layer_.dealt.size() == layer_.commit.cards;
  if (body.reason == ShoeCloseReason::ended && evidence_.table.settled_by_client && !over)
    return refuse(VerifyErrc::ended_early, record, "cards are left that could still come");
  if (body.reason == ShoeCloseReason::stop_card && !stop_card_came())
    return refuse(VerifyErrc::stop_card_early, record, "no stop card can have come");
  rerun_ = !layer_.commit.candidates.empty();
  if (rerun_) return all_opened(evidence_, record, layer_.commit, body);
  // Nobody has a card of a shoe that is untouched: that it is whole can still be seen.
  const bool untouched = layer_.dealt.empty() && !layer_.release && replaced_.empty();
  if (!body.candidates.empty())
    return refuse(VerifyErrc::candidate_wrong, record, "it has no candidates to open");
  if (body.disclosure.has_value() != (untouched || !layer_.commit.covered))
    return refuse(VerifyErrc::disclosure_wrong, record,
                  "a public shoe and one of which no card was dealt open their secrets, another "
                  "covered one does not");
  if (!body.disclosure) return {};
  if (body.replaced.size() != replaced_.size())
    return refuse(VerifyErrc::roots_opened, record, "it does not open each root that was replaced");
  std::vector<ShoeDisclosure> opened = body.replaced;
  opened.push_back(*body.disclosure);
  return check_disclosures(record, opened);
}

bool ShoeWalk::stop_card_came() const {
  const auto stop_of = [](const Layer& layer) {
    return games::ShoeAccount::fresh(layer.commit.cards, layer.commit.stop_depth).stop_after;
  };
  const auto stop = stop_of(layer_);
  if (stop < layer_.commit.cards && layer_.dealt.size() >= stop) return true;
  return std::ranges::any_of(
      replaced_, [&](const Layer& layer) { return layer.dealt.size() > stop_of(layer); });
}

Status ShoeWalk::check_openings() {
  const auto& given = evidence_.openings;
  if (!given || given->shoe != id_ || !layer_.commit.covered) return {};
  evidence_.openings_used = true;
  const Record& record =
      closed_ != nullptr ? *closed_ : *evidence_.objects.find(id_)->second.back();
  const auto roots = replaced_.size() + 1;
  if (given->origin != record.origin || (closed_ != nullptr && given->close != closed_->seq) ||
      (closed_ == nullptr && given->close <= record.seq))
    return refuse(VerifyErrc::openings_other, record, "the openings are of another close");
  if (given->roots.size() < roots || (closed_ != nullptr && given->roots.size() != roots))
    return refuse(VerifyErrc::roots_opened, record, "the openings have another number of roots");
  by_openings_ = true;
  std::vector<ShoeDisclosure> opened;
  for (std::size_t i = 0; i < roots; ++i) {
    const RootOpening& one = given->roots[i];
    opened.push_back({.key = one.key,
                      .tape = one.tape,
                      .words_used = 0,
                      .words_rejected = 0,
                      .tape_digest = evidence_.hashes.sha256({one.tape})});
  }
  return check_disclosures(record, opened);
}

Status ShoeWalk::rerun_shuffle(const Record& record, const ShoeDisclosure& opened,
                               shuffle::SecretCards& order) const {
  auto tape = shuffle::Tape::borrowed(opened.tape);
  auto cards = shuffle::shuffle_again(tape, std::move(order));
  if (!cards) return refuse(VerifyErrc::tape_account, record, cards.error().text());
  const bool accounts = by_openings_ || (tape.words_used() == opened.words_used &&
                                         tape.words_rejected() == opened.words_rejected);
  const bool whole = tape.consumed().size() == opened.tape.size() && accounts;
  if (!whole)
    return refuse(VerifyErrc::tape_account, record,
                  "the tape is not exactly what the shuffle took");
  order = std::move(*cards);
  return {};
}

Status ShoeWalk::check_disclosure(const Record& record, const ShoeDisclosure& opened,
                                  const Layer& layer, shuffle::SecretCards& order) {
  const ShoeKey key(evidence_.hashes, opened.key, id_);
  if (key.tape_mac(opened.tape) != layer.commit.tape_mac) {
    return refuse(VerifyErrc::tape_wrong, record, "key and tape are not the committed ones");
  }
  if (evidence_.hashes.sha256({opened.tape}) != opened.tape_digest) {
    return refuse(VerifyErrc::tape_digest, record, "the tape digest is another one");
  }
  TALLA_TRY_STATUS(rerun_shuffle(record, opened, order));
  Bytes codes;
  codes.reserve(order.size());
  for (const shuffle::Card card : order) codes.push_back(card.code());
  const MerkleTree tree = shoe_tree(evidence_.hashes, key, id_, codes);
  if (tree.root(evidence_.hashes) != layer.commit.root) {
    return refuse(VerifyErrc::wrong_commitment, record, "the order leads to another root");
  }
  for (const Dealt& dealt : layer.dealt) {
    const auto& card = dealt.opening;
    if (!card) continue;
    if (order[card->leaf].text() != card->card || key.salt(card->leaf) != card->salt) {
      return refuse(VerifyErrc::wrong_opening, record, "a dealt card is not the one of the order");
    }
  }
  return check_reports(record, opened.key, layer, order);
}

Status ShoeWalk::check_reports(const Record& record, const Digest& key, const Layer& layer,
                               const shuffle::SecretCards& order) {
  for (const ShuffleReportBody& report : layer.reports) {
    if (report.result != ShuffleResult::match) continue;
    const SeenCodes codes(evidence_.hashes, report_key(evidence_.hashes, key, id_), id_);
    std::vector<std::optional<SeenCode>> seen;
    for (std::uint32_t place = 0; place < layer.commit.cards; ++place)
      seen.emplace_back(codes.of(place, order[layer.mix[place]].code()));
    if (report.seen != seen_digest(evidence_.hashes, seen))
      return refuse(VerifyErrc::report_seen, record,
                    "the machine did not report this order as a match");
    evidence_.checked(Note::machine_matched,
                      {{"shoe", id_}, {"cards", std::to_string(layer.commit.cards)}});
  }
  return {};
}

namespace {

/// A root's shuffled order and its mix.
struct MixedOrder {
  shuffle::SecretCards cards;
  const Mix& mix;
  [[nodiscard]] shuffle::Card at(std::uint32_t position) const { return cards[mix[position]]; }
};

}  // namespace

Status ShoeWalk::check_disclosures(const Record& record,
                                   const std::vector<ShoeDisclosure>& opened) {
  rerun_ = true;
  const auto ordered = deck_->cards();
  shuffle::SecretCards order(ordered.begin(), ordered.end());
  std::vector<MixedOrder> orders;  // of the roots before
  for (std::size_t i = 0; i <= replaced_.size(); ++i) {
    const bool newest = i == replaced_.size();
    const Layer& layer = newest ? layer_ : replaced_[i];
    if (i > 0) {
      const Layer& before = replaced_[i - 1];
      orders.push_back({std::move(order), before.mix});
      order.clear();
      for (auto position = static_cast<std::uint32_t>(before.dealt.size());
           position < before.commit.cards; ++position)
        order.push_back(orders.back().at(position));
      for (const std::uint32_t position : layer.returned)
        order.push_back(orders.back().at(position));
      for (const OlderCards& one : layer.older) {
        for (const std::uint32_t position : one.positions)
          order.push_back(orders[one.recommits].at(position));
      }
    }
    TALLA_TRY_STATUS(check_disclosure(record, opened[i], layer, order));
  }
  return {};
}

void ShoeWalk::conclude() {
  const auto opened_of = [](const Layer& layer) {
    return std::ranges::count_if(layer.dealt,
                                 [](const Dealt& dealt) { return dealt.opening.has_value(); });
  };
  auto opened = opened_of(layer_);
  auto unopened = std::int64_t{layer_.commit.cards} - opened;
  for (const Layer& layer : replaced_) {
    opened += opened_of(layer);
    unopened += std::ranges::count_if(
        layer.dealt, [](const Dealt& dealt) { return !dealt.opening && !dealt.returned; });
  }
  if (!layer_.mix.empty() || !replaced_.empty())
    evidence_.checked(Note::order_follows, {{"shoe", id_}});
  if (several_.roots > 1 && layer_.commit.candidates.empty())
    evidence_.checked(Note::candidate_picked,
                      {{"shoe", id_}, {"roots", std::to_string(several_.roots)}});
  if (evidence_.table.policy.mix == MixRule::round && !layer_.dealt.empty())
    evidence_.checked(Note::mixed_each_round, {{"shoe", id_}});
  if (opened > 0 || !layer_.dealt.empty()) {
    evidence_.checked(Note::cards_opened, {{"shoe", id_}, {"cards", std::to_string(opened)}});
  }
  if (!replaced_.empty()) {
    evidence_.checked(Note::shuffled_again,
                      {{"shoe", id_}, {"times", std::to_string(replaced_.size())}});
    evidence_.not_checked(Note::cards_went_back, {{"shoe", id_}});
  }
  conclude_burns();
  for (const Layer& layer : replaced_) conclude_release(layer);
  conclude_release(layer_);
  if (!rerun_) {
    if (several_.roots > 1 && !replaced_.empty())
      evidence_.not_checked(Note::one_root_again, {{"shoe", id_}});
    say_composition(evidence_, {{"shoe", id_}, {"cards", std::to_string(unopened)}}, several_.roots,
                    several_.roots > 1 && layer_.commit.candidates.empty() && replaced_.empty());
  } else if (!layer_.commit.candidates.empty()) {
    evidence_.checked(Note::candidates_opened,
                      {{"shoe", id_}, {"roots", std::to_string(several_.roots)}});
  } else if (replaced_.empty()) {
    evidence_.checked(by_openings_ ? Note::shuffle_rerun_opened : Note::shuffle_rerun,
                      {{"shoe", id_}, {"cards", std::to_string(layer_.commit.cards)}});
  } else {
    evidence_.checked(by_openings_ ? Note::shuffles_rerun_opened : Note::shuffles_rerun,
                      {{"shoe", id_}, {"shuffles", std::to_string(replaced_.size() + 1)}});
  }
}

/// Of a settlement the rules say which cards of a fresh shoe they burn (Replay::check_burns).
void ShoeWalk::conclude_burns() {
  std::size_t burned = layer_.burned;
  for (const Layer& layer : replaced_) burned += layer.burned;
  const auto& first = replaced_.empty() ? layer_ : replaced_.front();
  if (evidence_.claim->kind == Kind::settlement) burned -= first.burned;
  if (burned > 0)
    evidence_.not_checked(Note::burns, {{"shoe", id_}, {"cards", std::to_string(burned)}});
}

void ShoeWalk::conclude_release(const Layer& layer) {
  if (!layer.release) return;
  const auto& machine = layer.release->machine;
  const bool by_card = layer.release->form == ReleaseForm::targets;
  games::RefusalValues values{{"shoe", id_}, {"machine", machine}};
  evidence_.checked(by_card ? Note::released_by_card : Note::released, values);
  evidence_.not_checked(Note::order_known, values);
  evidence_.not_checked(Note::release_ciphertext, values);
  if (layer.reports.empty()) return evidence_.not_checked(Note::no_report, values);
  for (const ShuffleReportBody& report : layer.reports) {
    if (report.result == ShuffleResult::match) {
      if (!rerun_) evidence_.not_checked(Note::match_reported, values);
      continue;
    }
    auto of_report = values;
    of_report.emplace_back("result", result_name(report.result));
    const bool goes_on = closed_ == nullptr || !voided_;
    evidence_.not_checked(goes_on ? Note::mismatch_goes_on : Note::mismatch_void, of_report);
  }
}

}  // namespace talla::certs
