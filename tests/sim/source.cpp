#include "source.hpp"

#include <algorithm>

#include "failure.hpp"
#include "shuffle/deck.hpp"

namespace talla::sim {
namespace {

using games::DealPlace;
using games::Draw;
using games::DrawKind;
using games::DrawResult;
using games::Face;
using games::ShoeNeed;
using games::ShoeOpened;

std::vector<Card> cards_of(const ShoeNeed& need) {
  const auto deck = shuffle::DeckSpec::parse(need.deck);
  require(deck.has_value(), [&] { return "a shoe of no known deck: " + need.deck; });
  auto cards = deck->cards();
  require(cards.size() == need.cards_count,
          [&] { return need.deck + " has another count of cards than the need says"; });
  return cards;
}

DrawResult random_draw(const Draw& need, Random& random) {
  DrawResult out{need.kind, {}};
  if (need.kind == DrawKind::wheel) {
    out.values.push_back(random.pick(need.pockets));
    return out;
  }
  require(need.count > 0 && need.faces > 0, "a draw of nothing");
  if (need.kind == DrawKind::dice) {
    for (std::uint32_t i = 0; i < need.count; ++i)
      out.values.push_back(std::to_string(1 + random.below(need.faces)));
    return out;
  }
  require(need.count <= need.faces, "more balls are drawn than there are");
  std::vector<std::uint32_t> all(need.faces);
  for (std::uint32_t i = 0; i < need.faces; ++i) all.at(i) = i + 1;
  random.shuffle(all);
  for (std::uint32_t i = 0; i < need.count; ++i) out.values.push_back(std::to_string(all.at(i)));
  return out;
}

}  // namespace

Script with_hidden_permuted(Script script, Random& random) {
  std::vector<Card*> hidden;
  for (auto& one : script.before.dealt) {
    if (!one.opened) hidden.push_back(&one.card);
  }
  for (auto& one : script.dealt) {
    if (!one.opened) hidden.push_back(&one.card);
  }
  for (auto& one : script.undealt) hidden.push_back(&one);
  for (std::size_t i = hidden.size(); i > 1; --i) {
    std::swap(*hidden.at(i - 1), *hidden.at(random.below(i)));
  }
  return script;
}

Source::Source(const Script& script)
    : layout_(script.before), before_(layout_), undealt_(script.undealt), draws_(script.draws) {
  for (auto one = script.dealt.rbegin(); one != script.dealt.rend(); ++one)
    undealt_.push_back(one->card);
}

void Source::forget_old_shoes() {
  if (shoe_begin_ == 0) return;
  layout_.dealt.erase(layout_.dealt.begin(),
                      layout_.dealt.begin() + static_cast<std::ptrdiff_t>(shoe_begin_));
  for (auto& [place, indices] : layout_.at) {
    std::erase_if(indices, [&](std::size_t index) { return index < shoe_begin_; });
    for (auto& index : indices) index -= shoe_begin_;
  }
  shoe_begin_ = 0;
}

void Source::begin_script() {
  forget_old_shoes();
  before_ = layout_;
  draws_.clear();
}

Script Source::script() const {
  Script out;
  out.before = before_;
  // A card that lay there when the script began and was shown since is open now.
  for (std::size_t i = 0; i < out.before.dealt.size(); ++i)
    out.before.dealt.at(i).opened = layout_.dealt.at(i).opened;
  out.dealt.assign(layout_.dealt.begin() + static_cast<std::ptrdiff_t>(before_.dealt.size()),
                   layout_.dealt.end());
  out.draws = draws_;
  out.undealt = undealt_;
  return out;
}

Result<std::optional<ShoeOpened>> Source::open_shoe(const ShoeNeed& need) {
  if (!take()) return std::optional<ShoeOpened>();
  if (random_ != nullptr) {
    undealt_ = cards_of(need);
    random_->shuffle(undealt_);
  }
  seen_before_ = std::exchange(seen_, {});
  covered_ = need.covered;
  shoe_begin_ = layout_.dealt.size();
  return std::optional<ShoeOpened>(ShoeOpened{need.cards_count, false});
}

std::optional<Card> Source::pull() {
  if (undealt_.empty()) return std::nullopt;
  const Card card = undealt_.back();
  undealt_.pop_back();
  return card;
}

std::vector<Card> Source::hidden() const {
  std::vector<Card> out;
  for (std::size_t i = shoe_begin_; i < layout_.dealt.size(); ++i) {
    if (!layout_.dealt.at(i).opened) out.push_back(layout_.dealt.at(i).card);
  }
  return out;
}

void Source::open(std::size_t index) {
  layout_.dealt.at(index).opened = true;
  seen_.insert(layout_.dealt.at(index).card.code());
}

Result<games::CardSource::Next> Source::next_card(const DealPlace& place) {
  if (!take()) return Next{};
  const auto card = pull();
  if (!card) return Next{};
  // Where cards stay private each round has its own shoe: with its first card those of the round
  // before are gone.
  if (covered_) seen_before_.clear();
  layout_.dealt.push_back({*card, false});
  layout_.at[place.place].push_back(layout_.dealt.size() - 1);
  if (place.face == Face::open) open(layout_.dealt.size() - 1);
  return Next{true, card};
}

Result<std::optional<Card>> Source::reveal(const std::string& place) {
  const auto found = layout_.at.find(place);
  if (!take() || found == layout_.at.end() || found->second.empty()) return std::optional<Card>();
  // The newest card of the place that is still closed.
  for (auto index = found->second.rbegin(); index != found->second.rend(); ++index) {
    if (layout_.dealt.at(*index).opened) continue;
    open(*index);
    return std::optional<Card>(layout_.dealt.at(*index).card);
  }
  return std::optional<Card>();
}

Result<bool> Source::shuffle(const games::Shuffle& need) {
  if (!take()) return false;
  for (const auto& place : need.places) {
    const auto found = layout_.at.find(place);
    if (found == layout_.at.end()) continue;
    for (const auto index : found->second) {  // a place may hold cards of the shoe before as well
      if (random_ != nullptr && index >= shoe_begin_)
        undealt_.push_back(layout_.dealt.at(index).card);
    }
    layout_.at.erase(found);
  }
  if (random_ != nullptr) random_->shuffle(undealt_);
  return true;
}

Result<std::optional<DrawResult>> Source::draw(const Draw& need) {
  if (!take()) return std::optional<DrawResult>();
  if (random_ == nullptr) {
    if (draws_served_ >= draws_.size()) return std::optional<DrawResult>();
    return std::optional<DrawResult>(draws_.at(draws_served_++));
  }
  draws_.push_back(random_draw(need, *random_));
  return std::optional<DrawResult>(draws_.back());
}

}  // namespace talla::sim
