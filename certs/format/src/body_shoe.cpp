#include "format/body_shoe.hpp"

#include "fields.hpp"
#include "format/record.hpp"
#include "shuffle/deck.hpp"

namespace talla::certs {
namespace {
constexpr Between shoe_cards{1, 1024};

std::string_view cut_word(CutMode cut) {
  return cut == CutMode::table ? "table" : cut == CutMode::rotation ? "rotation" : "none";
}
std::string_view shoe_close_word(ShoeCloseReason reason) {
  return reason == ShoeCloseReason::stop_card ? "stop_card"
         : reason == ShoeCloseReason::closed  ? "closed"
                                              : "voided";
}

void write_opening(json::Object& body, const CardOpening& opening) {
  body.emplace("card", opening.card);
  body.emplace("leaf", opening.leaf);
  body.emplace("path", path_json(opening.path));
  body.emplace("salt", to_hex(opening.salt));
}

CardOpening read_opening(Fields& in) {
  CardOpening opening;
  opening.leaf = in.u32("leaf");
  opening.card = in.text("card");
  in.require(shuffle::Card::parse(opening.card).has_value(), "card", "is no card");
  opening.salt = in.digest("salt");
  opening.path = in.path("path");
  return opening;
}

void write_disclosure(json::Object& body, const ShoeDisclosure& opened) {
  body.emplace("key", to_hex(opened.key));
  body.emplace("secret", to_hex(opened.secret));
  body.emplace("tape", to_base64(opened.tape));
  body.emplace("tape_digest", to_hex(opened.tape_digest));
  body.emplace("words_rejected", opened.words_rejected);
  body.emplace("words_used", opened.words_used);
}

ShoeDisclosure read_disclosure(Fields& in) {
  ShoeDisclosure opened;
  opened.key = in.digest("key");
  opened.secret = in.digest("secret");
  opened.tape = in.base64("tape");
  opened.words_used = in.count("words_used");
  opened.words_rejected = in.count("words_rejected");
  opened.tape_digest = in.digest("tape_digest");
  return opened;
}

Result<CoveredCopy> read_copy(const json::Value& value) {
  Fields in(value, "copies[]");
  CoveredCopy out;
  out.seat = in.integer("seat", {1, 0xFFFFFFFF});
  out.key = in.digest("key");
  out.ciphertext = in.digest("ciphertext");
  return in.finish(std::move(out));
}
}  // namespace

std::string_view face_word(Face face) {
  return face == Face::open ? "open" : face == Face::covered ? "covered" : "unseen";
}

json::Value CardOpening::to_json() const {
  json::Object value;
  write_opening(value, *this);
  return value;
}

Result<CardOpening> CardOpening::from_json(const json::Value& value) {
  Fields in(value, "opening");
  CardOpening out = read_opening(in);
  return in.finish(std::move(out));
}

json::Value ShoeCommitBody::to_json() const {
  return json::Object{{"burn", burn},
                      {"cards", cards},
                      {"context", context.to_json()},
                      {"cut", cut_word(cut)},
                      {"cut_commitment", to_hex(cut_commitment)},
                      {"cut_max", cut_max},
                      {"cut_min", cut_min},
                      {"deck", deck},
                      {"disclosure", covered ? "covered" : "public"},
                      {"number", number},
                      {"root", to_hex(root)},
                      {"stop_depth", stop_depth},
                      {"table", table},
                      {"tape_mac", to_hex(tape_mac)}};
}

Result<ShoeCommitBody> ShoeCommitBody::from_json(const json::Value& body) {
  Fields in(body, "SHOE_COMMIT");
  ShoeCommitBody out;
  out.table = in.text("table");
  in.require(object_seq("table", out.table).has_value(), "table", "is no table id");
  out.number = static_cast<std::uint64_t>(in.integer("number", {1, json::integer_max}));
  out.cards = static_cast<std::uint32_t>(in.integer("cards", shoe_cards));
  out.deck = in.text("deck");
  const auto deck = shuffle::DeckSpec::parse(out.deck);
  in.require(deck.has_value(), "deck", "is no deck specification");
  in.require(!deck || deck->cards_count() >= out.cards, "cards", "exceeds the deck specification");
  out.root = in.digest("root");
  out.cut_commitment = in.digest("cut_commitment");
  out.tape_mac = in.digest("tape_mac");
  out.cut_min = in.u32("cut_min");
  out.cut_max = in.u32("cut_max");
  in.require(out.cut_min <= out.cut_max && out.cut_max < out.cards, "cut_max",
             "the cut bounds do not fit the shoe");
  out.cut = static_cast<CutMode>(in.word("cut", {"table", "rotation", "none"}));
  out.stop_depth = in.u32("stop_depth");
  in.require(out.stop_depth <= out.cards, "stop_depth", "is deeper than the shoe");
  out.burn = in.text("burn");
  out.covered = in.word("disclosure", {"public", "covered"}) == 1;
  if (const json::Value* context = in.object("context"))
    out.context = in.nested(Context::from_json(*context));
  return in.finish(std::move(out));
}

json::Value ShoeRecommitBody::to_json() const {
  json::Value body = commit.to_json();
  body["of"] = to_hex(of);
  body["positions"] = commit.cards;
  body["rule"] = rule;
  json::Array list;
  for (const std::uint32_t position : returned) list.emplace_back(position);
  body["returned"] = std::move(list);
  if (older.empty()) return body;
  json::Array roots;
  for (const OlderCards& one : older) {
    roots.emplace_back(
        json::Object{{"positions", json::Array(one.positions.begin(), one.positions.end())},
                     {"recommits", one.recommits}});
  }
  body["older"] = std::move(roots);
  return body;
}

namespace {
std::vector<std::uint32_t> read_positions(Fields& in, std::string_view key) {
  std::vector<std::uint32_t> out;
  const json::Array* list = in.array(key);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const json::Value& one = (*list)[i];
    const bool fits = one.is_integer() &&
                      one.integer() >= (out.empty() ? 0 : std::int64_t{out.back()} + 1) &&
                      one.integer() < shoe_cards.max;
    in.require(fits, key, "lists dealt positions, ascending");
    if (!fits) break;
    out.push_back(static_cast<std::uint32_t>(one.integer()));
  }
  return out;
}

std::vector<OlderCards> read_older(Fields& in) {
  std::vector<OlderCards> out;
  if (!in.has("older")) return out;
  const json::Array* list = in.array("older");
  in.require(list != nullptr && !list->empty(), "older", "is left out when it is empty");
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    Fields one((*list)[i], "older[]");
    OlderCards cards;
    cards.recommits = one.u32("recommits");
    cards.positions = read_positions(one, "positions");
    one.require(!cards.positions.empty(), "positions", "is never empty");
    out.push_back(in.nested(one.finish(std::move(cards))));
    in.require(i == 0 || out[i - 1].recommits < out[i].recommits, "older",
               "must ascend by `recommits`");
  }
  return out;
}
}  // namespace

Result<ShoeRecommitBody> ShoeRecommitBody::from_json(const json::Value& body) {
  Fields in(body, "SHOE_RECOMMIT");
  json::Value rest = body.is_object() ? body : json::Value(json::Object{});
  for (const std::string_view key : {"of", "positions", "rule", "returned", "older"}) {
    auto& members = rest.object();
    if (const auto found = members.find(key); found != members.end()) members.erase(found);
  }
  for (const auto& [key, member] : rest.object()) static_cast<void>(in.optional(key));
  ShoeRecommitBody out;
  out.of = in.digest("of");
  const auto positions = in.integer("positions", shoe_cards);
  out.rule = in.filled_text("rule");
  out.returned = read_positions(in, "returned");
  out.older = read_older(in);
  out.commit = in.nested(ShoeCommitBody::from_json(rest));
  in.require(positions == std::int64_t{out.commit.cards}, "positions", "must equal `cards`");
  return in.finish(std::move(out));
}

json::Value ShoeCutBody::to_json() const {
  return json::Object{{"nonce", to_hex(nonce)},
                      {"offset", offset},
                      {"root", to_hex(root)},
                      {"secret", to_hex(secret)},
                      {"tape_digest", to_hex(tape_digest)},
                      {"words_rejected", words_rejected},
                      {"words_used", words_used}};
}

Result<ShoeCutBody> ShoeCutBody::from_json(const json::Value& body) {
  Fields in(body, "SHOE_CUT");
  ShoeCutBody out;
  out.nonce = in.hex("nonce", nonce_bytes);
  out.root = in.digest("root");
  out.secret = in.digest("secret");
  out.offset = in.u32("offset");
  out.words_used = in.count("words_used");
  out.words_rejected = in.count("words_rejected");
  out.tape_digest = in.digest("tape_digest");
  return in.finish(std::move(out));
}

json::Value CardDealBody::to_json() const {
  json::Object body{{"face", face_word(face)}, {"place", place}, {"position", position}};
  if (!round.empty()) body.emplace("round", round);
  if (opening) write_opening(body, *opening);
  if (face != Face::covered) return body;
  json::Array list;
  for (const CoveredCopy& copy : copies) {
    list.emplace_back(json::Object{
        {"ciphertext", to_hex(copy.ciphertext)}, {"key", to_hex(copy.key)}, {"seat", copy.seat}});
  }
  body.emplace("copies", std::move(list));
  return body;
}

Result<CardDealBody> CardDealBody::from_json(const json::Value& body) {
  Fields in(body, "CARD_DEAL");
  CardDealBody out;
  out.position = in.u32("position");
  out.place = in.filled_text("place");
  out.face = static_cast<Face>(in.word("face", {"open", "covered", "unseen"}));
  out.round = in.optional_text("round");
  in.require(out.round.empty() || object_seq("round", out.round).has_value(), "round",
             "is no round id");
  if (out.face == Face::open) out.opening = read_opening(in);
  if (out.face == Face::covered) {
    const json::Array* copies = in.array("copies");
    for (std::size_t i = 0; copies != nullptr && i < copies->size(); ++i) {
      out.copies.push_back(in.nested(read_copy((*copies)[i])));
      in.require(i == 0 || out.copies[i - 1].seat < out.copies[i].seat, "copies",
                 "must ascend by seat");
    }
  }
  return in.finish(std::move(out));
}

json::Value CardOpenBody::to_json() const {
  json::Object body{{"place", place}, {"position", position}};
  if (recommits) body.emplace("recommits", *recommits);
  write_opening(body, opening);
  return body;
}

Result<CardOpenBody> CardOpenBody::from_json(const json::Value& body) {
  Fields in(body, "CARD_OPEN");
  CardOpenBody out;
  out.position = in.u32("position");
  out.place = in.filled_text("place");
  out.opening = read_opening(in);
  if (in.has("recommits")) out.recommits = in.u32("recommits");
  return in.finish(std::move(out));
}

json::Value ShoeCloseBody::to_json() const {
  json::Object body{{"dealt", dealt}, {"reason", shoe_close_word(reason)}};
  if (disclosure) write_disclosure(body, *disclosure);
  if (replaced.empty()) return body;
  json::Array list;
  for (const ShoeDisclosure& one : replaced) {
    json::Object opened;
    write_disclosure(opened, one);
    list.emplace_back(std::move(opened));
  }
  body.emplace("replaced", std::move(list));
  return body;
}

bool stop_card_ends(const ShoeCommitBody& commit, const ShoeCloseBody& close) {
  return close.reason == ShoeCloseReason::stop_card && commit.stop_depth != 0 &&
         close.dealt == commit.cards - commit.stop_depth;
}

Result<ShoeCloseBody> ShoeCloseBody::from_json(const json::Value& body) {
  Fields in(body, "SHOE_CLOSE");
  ShoeCloseBody out;
  out.dealt = in.u32("dealt");
  out.reason = static_cast<ShoeCloseReason>(in.word("reason", {"stop_card", "closed", "voided"}));
  if (in.has("key")) out.disclosure = read_disclosure(in);
  if (in.has("replaced")) {
    const json::Array* list = in.array("replaced");
    in.require(list != nullptr && !list->empty() && out.disclosure, "replaced",
               "belongs to an opened shoe");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      Fields one((*list)[i], "replaced[]");
      ShoeDisclosure opened = read_disclosure(one);
      out.replaced.push_back(in.nested(one.finish(std::move(opened))));
    }
  }
  return in.finish(std::move(out));
}

}  // namespace talla::certs
