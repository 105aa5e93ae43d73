#include "outcomes_records.hpp"

#include <fmt/format.h>

#include "base/bytes.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/body_shoe.hpp"
#include "format/record.hpp"
#include "shuffle/shoe.hpp"

namespace talla::lab {
namespace {

const std::string* text_of(const json::Value& value, std::string_view key) {
  const json::Value* member = value.find(key);
  return member != nullptr && member->is_string() ? &member->string() : nullptr;
}
std::optional<std::uint64_t> number_of(const json::Value& value, std::string_view key) {
  const json::Value* member = value.find(key);
  if (member == nullptr || !member->is_integer() || member->integer() < 0) return {};
  return static_cast<std::uint64_t>(member->integer());
}
tl::unexpected<stats::Error> malformed(const std::string& what) {
  return stats::refuse("the record has no usable " + what);
}

}  // namespace

stats::Result<bool> Records::add_bundle(std::string_view text) {
  auto bundle = json::parse(text);
  if (!bundle) return stats::refuse("no bundle: " + bundle.error().detail);
  const json::Value* records = bundle->find("records");
  if (records == nullptr || !records->is_array())
    return stats::refuse("no bundle: it has no records");
  in_bundle_ = true;
  for (const json::Value& entry : records->array()) {
    const std::string* record = text_of(entry, "record");
    if (record == nullptr) return stats::refuse("no bundle: an entry has no record");
    auto good = add_record(*record);
    if (!good) return tl::unexpected(good.error());
  }
  in_bundle_ = false;
  return true;
}

stats::Result<bool> Records::add_record(std::string_view text) {
  auto record = json::parse_canonical(text);
  if (!record) return stats::refuse("no record: " + record.error().detail);
  const std::string *origin = text_of(*record, "origin"), *kind = text_of(*record, "kind");
  const auto seq = number_of(*record, "seq");
  if (origin == nullptr || kind == nullptr || !seq || number_of(*record, "v") != 2U) {
    return stats::refuse("no record of version 2");
  }
  if (!seen_.emplace(*origin, static_cast<std::int64_t>(*seq)).second) return true;
  auto good = add(*record, *kind);
  if (!good)
    return stats::refuse(fmt::format("record {} ({}): {}", *seq, *kind, good.error().detail));
  return true;
}

stats::Result<bool> Records::add(const json::Value& record, const std::string& kind) {
  const json::Value* body = record.find("body");
  const std::string* object = text_of(record, "object");
  if (kind == "DRAW" || kind == "CALL" || kind.starts_with("SHOE_") || kind.starts_with("CARD_")) {
    if (body == nullptr || !body->is_object() || object == nullptr)
      return malformed("body or object");
  } else {
    return true;
  }
  const std::string id = *text_of(record, "origin") + " " + *object;
  if (kind == "CALL") return call(record, *body);
  const std::string* table = text_of(*body, "table");
  const bool here = is_here(table);
  if (kind == "DRAW") return draw(record, *body);
  if (kind == "SHOE_COMMIT") {
    const std::string* deck = text_of(*body, "deck");
    if (deck == nullptr) return malformed("deck");
    Shoe& shoe = shoes_[id];
    shoe.deck = *deck;
    shoe.cards = static_cast<std::uint32_t>(number_of(*body, "cards").value_or(0));
    shoe.wanted = here && game_.deck() != nullptr && game_.deck()->text() == *deck;
    if (!shoe.wanted) ++left_out_.other;
    return true;
  }
  const auto found = shoes_.find(id);
  if (found == shoes_.end() && in_bundle_) return true;
  if (found == shoes_.end())
    return stats::refuse("its shoe was committed before the first record here");
  Shoe& shoe = found->second;
  if (kind == "SHOE_RECOMMIT") shoe.again = true;
  if (kind == "SHOE_MIX") {
    const auto parsed = certs::parse_record(json::canonical(record));
    const auto mix = parsed ? certs::ShoeMixBody::from_json(parsed->body)
                            : Result<certs::ShoeMixBody>(certs::ShoeMixBody{});
    if (!parsed || !mix) return malformed("mix");
    const auto called = mixes_.extract(id + " " + std::to_string(mix->call));
    if (called.empty() && in_bundle_) return true;
    if (called.empty())
      return stats::refuse(fmt::format("its CALL {} is not among the records", mix->call));
    const certs::OpensslHashes hashes;
    auto order = certs::mix_of(hashes, called.mapped(), *mix, shoe.mix);
    if (!order) return malformed("mix");
    shoe.mix = std::move(*order);
  }
  const std::string* card = text_of(*body, "card");
  if ((kind == "CARD_DEAL" || kind == "CARD_OPEN") && card != nullptr) {
    const auto position = number_of(*body, "position");
    if (!position) return malformed("position");
    shoe.dealt[*position] = *card;
  }
  return kind == "SHOE_CLOSE" ? close_shoe(id, *body) : stats::Result<bool>(true);
}

bool Records::is_here(const std::string* table) const {
  return table_.empty() || (table != nullptr && *table == table_);
}

stats::Result<bool> Records::call(const json::Value& record, const json::Value& body) {
  auto read = certs::CallBody::from_json(body);
  if (!read) return malformed("core");
  const std::string name = *text_of(record, "origin") + " " + *text_of(record, "object") + " " +
                           std::to_string(*number_of(record, "seq"));
  if (read->core.use == certs::CallUse::mix) {
    mixes_.insert_or_assign(name, std::move(read->core));
    return true;
  }
  const json::Value what = certs::specification_json(read->core.draw());
  calls_[name] = {number_of(what, "pockets").value_or(0), number_of(what, "faces").value_or(0),
                  is_here(&read->core.table)};
  return true;
}

stats::Result<bool> Records::draw(const json::Value& record, const json::Value& body) {
  const json::Value* outcome = body.find("outcome");
  const auto call_seq = number_of(body, "call");
  if (outcome == nullptr || !outcome->is_object() || !call_seq) return malformed("outcome or call");
  const auto called = calls_.find(*text_of(record, "origin") + " " + *text_of(record, "object") +
                                  " " + std::to_string(*call_seq));
  if (called == calls_.end() && in_bundle_) return true;
  if (called == calls_.end())
    return stats::refuse(fmt::format("its CALL {} is not among the records", *call_seq));
  bool used = false;
  if (called->second.wanted) {
    if (const auto pocket = number_of(*outcome, "pocket")) {
      used = game_.add_pocket(*pocket, called->second.pockets);
    } else if (const json::Value* dice = outcome->find("dice");
               dice != nullptr && dice->is_array()) {
      std::vector<std::uint64_t> faces;
      for (const json::Value& face : dice->array()) {
        if (!face.is_integer() || face.integer() < 1) return malformed("dice");
        faces.push_back(static_cast<std::uint64_t>(face.integer()));
      }
      used = game_.add_dice(faces, called->second.sides);
    }
  }
  if (!used) ++left_out_.other;
  calls_.erase(called);
  return true;
}

stats::Result<bool> Records::close_shoe(const std::string& id, const json::Value& body) {
  const Shoe shoe = std::move(shoes_[id]);
  shoes_.erase(id);
  if (!shoe.wanted) return true;
  const std::string* tape_text = text_of(body, "tape");
  if (tape_text == nullptr || shoe.again) {
    ++left_out_.closed;
    return true;
  }
  const auto bytes = from_base64(*tape_text);
  if (!bytes) return malformed("tape");
  auto tape = shuffle::Tape::borrowed(*bytes);
  const auto order = shuffle::shuffle_shoe(tape, *game_.deck());
  if (!order) return stats::refuse("its tape does not map to an order: " + order.error().detail);
  // The order committed to: the mix has the table's number in it, and would hide a bad shuffle.
  const std::vector<shuffle::Card> cards(order->begin(), order->end());
  const bool mixed = shoe.mix.size() == cards.size();
  for (const auto& [position, card] : shoe.dealt) {
    if (!mixed || position >= cards.size() || cards[shoe.mix[position]].text() != card) {
      return stats::refuse(fmt::format(
          "card {} at position {} is not that of the order: see talla verify", card, position));
    }
  }
  return game_.add_shoe(cards);
}

LeftOut Records::left_out() const {
  LeftOut all = left_out_;
  for (const auto& [id, shoe] : shoes_) all.closed += static_cast<std::uint64_t>(shoe.wanted);
  return all;
}

}  // namespace talla::lab
