// Says in words what a verified record claims.
#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"

namespace talla::certs {
namespace {

std::string outcome_words(const Outcome& outcome) {
  std::string values;
  for (const std::uint32_t value : outcome.values)
    values += (values.empty() ? "" : " ") + std::to_string(value);
  switch (outcome.form) {
    case Outcome::Form::pocket:
      return "pocket index " + values;
    case Outcome::Form::dice:
      return "dice " + values;
    case Outcome::Form::lots:
      break;
  }
  return "lots " + values;
}

std::string card_words(const json::Value& body) {
  const json::Value* card = body.find("card");
  const std::string where = " at position " + std::to_string(body.find("position")->integer()) +
                            ", place " + body.find("place")->string();
  return (card == nullptr ? "a card that stays closed" : "card " + card->string()) + where;
}

std::string shoe_close_words(const json::Value& body) {
  const bool whole = body.find("tape") != nullptr;
  return "closed after " + std::to_string(body.find("dealt")->integer()) + " cards" +
         (whole ? ", its whole order and shuffle opened" : "");
}

std::string settlement_words(const json::Value& body) {
  if (const json::Value* parts = body.find("parts"))
    return "settled in " + std::to_string(parts->integer()) + " numbered parts";
  std::string words;
  for (const auto& result : body.find("results")->array()) {
    words += (words.empty() ? "" : "; ") + ("bet " + result.find("bet")->string()) + " " +
             result.find("kind")->string() + " of " +
             std::to_string(result.find("stake")->integer()) + ": " +
             result.find("result")->string() + ", returned " +
             std::to_string(result.find("returned")->integer());
  }
  return words.empty() ? "no bet settled" : words;
}

std::string body_words(const Record& claim) {
  switch (claim.kind) {
    case Kind::card_deal:
    case Kind::card_open:
      return card_words(claim.body);
    case Kind::shoe_commit:
      return "a shoe of " + std::to_string(claim.body.find("cards")->integer()) + " cards (" +
             claim.body.find("deck")->string() + ") was sealed";
    case Kind::shoe_mix:
      return "mixed with the table's number";
    case Kind::shoe_close:
      return shoe_close_words(claim.body);
    case Kind::batch_commit:
      return std::to_string(claim.body.find("count")->integer()) + " secrets were committed";
    case Kind::draw: {
      const auto body = DrawBody::from_json(claim.body);
      return body ? outcome_words(body->outcome) : "";
    }
    case Kind::void_draw: {
      const auto body = VoidBody::from_json(claim.body);
      return body && body->outcome ? "voided; it would have been " + outcome_words(*body->outcome)
                                   : "voided, the outcome is unrecoverable";
    }
    case Kind::settlement:
      return settlement_words(claim.body);
    default:
      return "recorded";
  }
}

}  // namespace

std::string claim_text(const Record& claim) {
  const std::string object = claim.object.empty() ? "" : " " + claim.object + ":";
  return std::string(kind_name(claim.kind)) + object + " " + body_words(claim);
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
  verdict.claim_text = claim_text(claim);
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
