#include "cards.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::core {
namespace {

/// The keys of the seats that may look, in their order: those ROUND_OPEN names, else the table's
/// own.
Result<std::vector<certs::SeatKey>> keys_of(const Call& call, const Table& table,
                                            const std::vector<games::Seat>& seats) {
  const auto* round = table.live_round ? call.world().round(*table.live_round) : nullptr;
  std::vector<certs::SeatKey> keys;
  for (const games::Seat seat : seats) {
    certs::SeatKey key{seat, {}};
    if (round != nullptr) {
      const auto& named = round->open.keys;
      const auto found = std::ranges::find(named, std::int64_t{seat}, &certs::SeatKey::seat);
      if (found != named.end()) key.spki = found->spki;
    }
    if (key.spki.empty()) {
      const auto own = as_bytes(call.client.public_key);
      if (own.empty() || call.parts.hashes.sha256({own}) != table.client_key) {
        return fail(Errc::no_seat_key,
                    "seat " + std::to_string(seat) + " has no key, and the table's is not known");
      }
      key.spki.assign(own.begin(), own.end());
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

/// All copies of one card, for sealing.
SecretBytes sealed_text(const certs::CoveredDeal& dealt) {
  json::Array list;
  for (std::size_t i = 0; i < dealt.ciphertexts.size(); ++i) {
    list.emplace_back(json::Object{{"ciphertext", to_base64(dealt.ciphertexts[i])},
                                   {"seat", dealt.body.copies[i].seat}});
  }
  const auto text = json::canonical(json::Value(std::move(list)));
  return {text.begin(), text.end()};
}

Result<certs::CardDealBody> covered_body(const Call& call, const Shoe& shoe,
                                         const certs::DealRequest& request, const DealTo& to) {
  TALLA_TRY(const auto keys, keys_of(call, *call.world().table(shoe.table), to.seats));
  TALLA_TRY(auto dealt, shoe.secrets->deal_covered(shoe.progress, request, call.tx.origin(), keys));
  if (!dealt.ciphertexts.empty()) {
    TALLA_TRY_STATUS(call.tx.seal_next(certs::Kind::card_deal, sealed_text(dealt), shoe.id));
  }
  return std::move(dealt.body);
}

}  // namespace

Status deal_one(const Call& call, ObjectSeq seq, const DealTo& to, json::Array& cards) {
  const auto* shoe = call.world().shoe(seq);
  const auto* table = call.world().table(shoe->table);
  if (!shoe->secrets) return fail(Errc::secret_unusable, "the shoe's sealed secret does not open");
  certs::DealRequest request;
  request.position = shoe->progress.dealt;
  request.place = to.place;
  request.face = to.face;
  request.recommits = shoe->recommits();
  if (table->live_round && table->rules)
    request.round = certs::object_id("round", *table->live_round);
  TALLA_TRY(auto body, to.face == certs::Face::covered
                           ? covered_body(call, *shoe, request, to)
                           : shoe->secrets->deal(shoe->progress, request));
  json::Object shown{{"position", body.position},
                     {"place", body.place},
                     {"face", games::face_name(certs::face_of(to.face))}};
  if (request.recommits != 0) shown["recommits"] = request.recommits;
  if (body.opening) shown["card"] = body.opening->card;
  if (!to.seats.empty()) shown["seats"] = json::Array(to.seats.begin(), to.seats.end());
  std::vector<std::uint64_t> cites;
  if (!request.round.empty()) {
    const auto* round = call.world().round(*table->live_round);
    if (round->bets_closed) cites.push_back(*round->bets_closed);
    if (round->last_act != 0) cites.push_back(round->last_act);
  }
  TALLA_TRY_STATUS(
      call.tx.add({certs::Kind::card_deal, shoe->id, std::move(cites), {}, std::move(body)}));
  cards.emplace_back(std::move(shown));
  return {};
}

namespace {

/// The opening under the root that the card was dealt under.
Result<certs::CardOpenBody> open_body(const Shoe& shoe, const CardAt& at,
                                      const std::string& place) {
  const bool newest = at.recommits == shoe.recommits();
  const auto& secrets = newest ? shoe.secrets : shoe.replaced.at(at.recommits).shoe;
  if (!secrets) return fail(Errc::secret_unusable, "the shoe's sealed secret does not open");
  if (newest) return secrets->open(shoe.progress, at.position, place);
  TALLA_TRY(auto body, secrets->open(shoe.replaced.at(at.recommits).progress, at.position, place));
  body.recommits = at.recommits;
  return body;
}

}  // namespace

Result<json::Value> add_card_open(const Call& call, ObjectSeq seq, const CardAt& at) {
  const auto* shoe = call.world().shoe(seq);
  TALLA_CHECK(shoe->can_open(at));
  const auto& card = shoe->covered.at(at);
  const auto* table = call.world().table(shoe->table);
  TALLA_TRY(const auto body, open_body(*shoe, at, card.place));
  std::vector<std::uint64_t> cites{card.deal_seq};
  if (table->live_round) {
    const auto* round = call.world().round(*table->live_round);
    if (round->last_act != 0) cites.push_back(round->last_act);
  }
  TALLA_TRY_STATUS(
      call.tx.add({certs::Kind::card_open, shoe->id, std::move(cites), body.to_json()}));
  json::Object shown{{"position", at.position}, {"place", body.place}, {"card", body.opening.card}};
  if (at.recommits != 0) shown["recommits"] = at.recommits;
  return json::Value(std::move(shown));
}

Result<json::Array> read_copies(const certs::Ledger& ledger, const certs::Sealer& sealer,
                                std::string_view origin, const Shoe& shoe, const CoveredCard& card,
                                const Client& client) {
  const auto key = digest_from_hex(client.spki);
  const auto mine = [&](std::int64_t seat) {
    return key && std::ranges::any_of(card.copies, [&](const auto& copy) {
             return copy.seat == seat && copy.key == *key;
           });
  };
  if (std::ranges::none_of(card.copies, [&](const auto& copy) { return mine(copy.seat); })) {
    return fail(Errc::forbidden, "this card is for another key");
  }
  TALLA_TRY(const auto all, ledger.sealed(shoe.id));
  const auto found = std::ranges::find(all, card.deal_seq, &certs::SealedSecret::seq);
  if (found == all.end()) return fail(Errc::secret_unusable, "the sealed copies are not there");
  TALLA_TRY(const auto plain,
            sealer.unseal({origin, found->seq, found->kind, found->object}, found->sealed));
  TALLA_TRY(const auto list, json::parse(std::string(plain.begin(), plain.end())));
  json::Array copies;
  for (const auto& copy : list.array()) {
    if (mine(copy.find("seat")->integer())) copies.push_back(copy);
  }
  return copies;
}

}  // namespace talla::core
