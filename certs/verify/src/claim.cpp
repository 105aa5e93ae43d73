// Says in words what a verified record claims.
#include <algorithm>
#include <utility>

#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/domain.hpp"
#include "games/catalogue.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

std::string number(const json::Value& body, std::string_view key) {
  return std::to_string(body.find(key)->integer());
}

/// A wheel's outcome as the game calls it, where its wheel is known here.
std::string outcome_words(const Outcome& outcome, const TableOpenBody& table) {
  if (outcome.form == Outcome::Form::pocket && table.catalogue != Digest{}) {
    const auto* numbers = games::wheel_numbers(table.catalogue, table.game, BotanHashes());
    const std::size_t index = outcome.values.front();
    if (numbers != nullptr && index < numbers->size())
      return note_line(Note::claim_number,
                       {{"number", numbers->at(index)}, {"index", std::to_string(index)}});
  }
  std::string values;
  for (const std::uint32_t value : outcome.values)
    values += (values.empty() ? "" : " ") + std::to_string(value);
  switch (outcome.form) {
    case Outcome::Form::pocket:
      return note_line(Note::claim_pocket, {{"values", values}});
    case Outcome::Form::dice:
      return note_line(Note::claim_dice, {{"values", values}});
    case Outcome::Form::lots:
      break;
  }
  return note_line(Note::claim_lots, {{"values", values}});
}

std::string card_words(const json::Value& body) {
  const auto position = number(body, "position");
  const auto& place = body.find("place")->string();
  const json::Value* card = body.find("card");
  if (card == nullptr) {
    return note_line(Note::claim_card_covered, {{"position", position}, {"place", place}});
  }
  return note_line(Note::claim_card,
                   {{"card", card->string()}, {"position", position}, {"place", place}});
}

std::string shoe_close_words(const json::Value& body) {
  const auto note = body.find("tape") != nullptr ? Note::claim_closed_whole : Note::claim_closed;
  return note_line(note, {{"cards", number(body, "dealt")}});
}

std::string settlement_words(const json::Value& body) {
  if (body.find("parts") != nullptr)
    return note_line(Note::claim_parts, {{"parts", number(body, "parts")}});
  std::string words;
  for (const auto& result : body.find("results")->array()) {
    words += (words.empty() ? "" : "; ") +
             note_line(Note::claim_bet, {{"bet", result.find("bet")->string()},
                                         {"kind", result.find("kind")->string()},
                                         {"stake", number(result, "stake")},
                                         {"result", result.find("result")->string()},
                                         {"returned", number(result, "returned")}});
  }
  return words.empty() ? note_line(Note::claim_no_bet) : words;
}

std::string void_words(const VoidBody& body, const TableOpenBody& table) {
  if (body.outcome)
    return note_line(Note::claim_void_open, {{"why", outcome_words(*body.outcome, table)}});
  if (body.lapsed && !body.secret) return note_line(Note::claim_lapsed);
  if (body.cause == VoidCause::withheld) {
    std::string ids;
    for (const std::string& id : body.missing) ids += (ids.empty() ? "" : ", ") + id;
    return note_line(Note::claim_withheld, {{"missing", ids}});
  }
  return note_line(body.cause == VoidCause::unrecoverable ? Note::claim_void
                                                          : Note::claim_void_unknown);
}

std::string body_words(const Record& claim, const TableOpenBody& table) {
  switch (claim.kind) {
    case Kind::card_deal:
    case Kind::card_open:
      return card_words(claim.body);
    case Kind::shoe_commit:
      return note_line(Note::claim_shoe, {{"cards", number(claim.body, "cards")},
                                          {"deck", claim.body.find("deck")->string()}});
    case Kind::shoe_mix:
      return note_line(Note::claim_mixed);
    case Kind::shoe_close:
      return shoe_close_words(claim.body);
    case Kind::batch_commit:
      return note_line(Note::claim_secrets, {{"count", number(claim.body, "count")}});
    case Kind::draw: {
      const auto body = DrawBody::from_json(claim.body);
      return body ? outcome_words(body->outcome, table) : "";
    }
    case Kind::void_call: {
      const auto body = VoidBody::from_json(claim.body);
      return body ? void_words(*body, table) : "";
    }
    case Kind::settlement:
      return settlement_words(claim.body);
    default:
      return note_line(Note::claim_recorded);
  }
}

}  // namespace

std::string claim_text(const Record& claim, const TableOpenBody& table) {
  const std::string object = claim.object.empty() ? "" : " " + claim.object + ":";
  return std::string(kind_name(claim.kind)) + object + " " + body_words(claim, table);
}

namespace {

/// Digests of the catalogues that are part of the programs.
const std::set<Digest>& own_catalogues(const HashSuite& hashes) {
  static const std::set<Digest> all = [&] {
    std::set<Digest> out;
    for (const games::EmbeddedCatalogue& one : games::embedded_catalogues())
      out.insert(catalogue_digest(hashes, as_text(one.bytes)));
    return out;
  }();
  return all;
}

}  // namespace

void name_catalogue(Evidence& evidence, std::span<const std::string> known) {
  const Digest& digest = evidence.table.catalogue;
  if (digest == Digest{} || evidence.certified || own_catalogues(evidence.hashes).contains(digest))
    return;
  for (const std::string& text : known)
    if (catalogue_digest(evidence.hashes, text) == digest) return;
  evidence.verdict.unknown_catalogue = to_hex(digest);
  evidence.not_checked(Note::catalogue_unknown, {{"digest", to_hex(digest)}});
  auto& lines = evidence.verdict.not_checked;
  std::rotate(lines.begin(), lines.end() - 1, lines.end());
}

void conclude(Evidence& evidence) {
  Verdict& verdict = evidence.verdict;
  const Record& claim = *evidence.claim;
  verdict.verdict_class = evidence.lab         ? VerdictClass::lab
                          : evidence.certified ? VerdictClass::certified
                                               : VerdictClass::uncertified;
  verdict.origin = claim.origin;
  verdict.claim = claim.seq;
  verdict.kind = kind_name(claim.kind);
  verdict.time_us = claim.time_us;
  verdict.time_quality = time_quality_name(claim.time_quality);
  verdict.tree_size = evidence.checkpoint.checkpoint.size;
  verdict.claim_text = claim_text(claim, evidence.table);
  if (evidence.table.settled_by_client && evidence.table.catalogue != Digest{}) {
    evidence.not_checked(Note::deck_of_catalogue, {{"game", evidence.table.game}});
  }
  if (!evidence.table.continues.empty()) {
    evidence.not_checked(Note::taken_over, {{"table", evidence.table.continues}});
  }
  if (!verdict.witnessed) evidence.not_checked(Note::unwitnessed);
  evidence.not_checked(Note::revocation);
  if (!evidence.context_seen) evidence.not_checked(Note::no_randomness);
}

}  // namespace talla::certs
