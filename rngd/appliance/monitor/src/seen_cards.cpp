// Cards of shoes that everybody has seen.
#include "monitor/seen_cards.hpp"

#include <algorithm>

#include "format/body_shoe.hpp"
#include "format/record.hpp"

namespace talla::rngd {
namespace {

using certs::Kind;

constexpr std::size_t shoes_max = 256;

bool holds(const std::vector<std::uint32_t>& positions, std::uint32_t position) {
  return std::ranges::binary_search(positions, position);
}

}  // namespace

void SeenCards::take(Shoe& shoe, const certs::LedgerRecord& record) {
  const bool shows = record.kind == Kind::card_deal || record.kind == Kind::card_open ||
                     record.kind == Kind::shoe_recommit;
  if (!shows || shoe.damaged) return;
  const auto parsed = certs::parse_record(record.bytes);
  shoe.damaged = !parsed;
  if (!parsed) return;
  const auto see = [&](std::uint32_t root, std::uint32_t position, const std::string& code,
                       const std::string& place) {
    const auto card = shuffle::Card::parse(code);
    if (card) shoe.seen.push_back({record.seq, place, root, position, *card});
    shoe.damaged = !card;
  };
  if (record.kind == Kind::card_deal) {
    const auto body = certs::CardDealBody::from_json(parsed->body);
    if (body && body->opening) see(shoe.root, body->position, body->opening->card, body->place);
    shoe.damaged = shoe.damaged || !body;
  } else if (record.kind == Kind::card_open) {
    const auto body = certs::CardOpenBody::from_json(parsed->body);
    if (body) see(body->recommits.value_or(shoe.root), body->position, body->opening.card, {});
    shoe.damaged = shoe.damaged || !body;
  } else {
    const auto body = certs::ShoeRecommitBody::from_json(parsed->body);
    shoe.damaged = !body;
    if (!body) return;
    std::erase_if(shoe.seen, [&](const Seen& one) {
      if (one.root == shoe.root) return holds(body->returned, one.position);
      return std::ranges::any_of(body->older, [&](const certs::OlderCards& older) {
        return older.recommits == one.root && holds(older.positions, one.position);
      });
    });
    ++shoe.root;
    shoe.mixed = record.seq;
  }
}

void SeenCards::read(const certs::LedgerRecord& record) {
  const auto known = shoes_.find(record.object);
  if (known == shoes_.end()) return;
  if (record.kind == Kind::shoe_close) {
    shoes_.erase(known);
  } else {
    take(known->second, record);
  }
}

std::optional<std::vector<shuffle::Card>> SeenCards::before(const std::string& shoe,
                                                            std::uint64_t before,
                                                            std::uint64_t now) {
  auto known = shoes_.find(shoe);
  if (known == shoes_.end()) {
    const auto chain = ledger_.chain(shoe);
    if (!chain || chain->empty()) return std::nullopt;
    Shoe whole;
    for (const auto& one : *chain)
      if (one.seq <= now) take(whole, one);
    if (shoes_.size() >= shoes_max) shoes_.clear();
    known = shoes_.insert_or_assign(shoe, std::move(whole)).first;
  }
  if (known->second.damaged || known->second.mixed > before) return std::nullopt;
  std::vector<shuffle::Card> cards;
  for (const Seen& one : known->second.seen)
    if (one.seq < before) cards.push_back(one.card);
  return cards;
}

std::vector<ShownCard> SeenCards::dealt_behind(const std::string& shoe, std::uint64_t after) const {
  std::vector<ShownCard> out;
  const auto known = shoes_.find(shoe);
  if (known == shoes_.end()) return out;
  for (const Seen& one : known->second.seen)
    if (one.seq > after && !one.place.empty()) out.push_back({one.seq, one.place, one.card});
  return out;
}

}  // namespace talla::rngd
