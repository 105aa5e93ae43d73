#include "format/body_draw.hpp"

#include <bit>

#include "fields.hpp"
#include "format/record.hpp"

namespace talla::certs {
namespace {
constexpr std::int64_t batch_secrets_max = 256;
constexpr Between batch_index{0, batch_secrets_max - 1};

std::string table_id(Fields& in) {
  std::string table = in.text("table");
  in.require(object_seq("table", table).has_value(), "table", "is no table id");
  return table;
}

Context context_of(Fields& in) {
  const json::Value* context = in.object("context");
  return context == nullptr ? Context{} : in.nested(Context::from_json(*context));
}

Outcome outcome_of(Fields& in) {
  const json::Value* outcome = in.object("outcome");
  return outcome == nullptr ? Outcome{} : in.nested(outcome_from_json(*outcome));
}

std::string_view batch_close_word(BatchCloseReason reason) {
  return reason == BatchCloseReason::expired ? "expired"
         : reason == BatchCloseReason::used  ? "used"
                                             : "closed";
}
}  // namespace

json::Value BatchCommitBody::to_json() const {
  return json::Object{{"context", context.to_json()},
                      {"count", count},
                      {"expires", expires_us},
                      {"root", to_hex(root)},
                      {"table", table}};
}

Result<BatchCommitBody> BatchCommitBody::from_json(const json::Value& body) {
  Fields in(body, "BATCH_COMMIT");
  BatchCommitBody out;
  out.table = table_id(in);
  out.count = static_cast<std::uint32_t>(in.integer("count", {1, batch_secrets_max}));
  out.root = in.digest("root");
  out.expires_us = in.integer("expires", natural);
  out.context = context_of(in);
  return in.finish(std::move(out));
}

json::Value IntentBody::to_json() const {
  return json::Object{{"bets", to_hex(bets)},
                      {"context", context.to_json()},
                      {"digest", to_hex(digest)},
                      {"index", index},
                      {"nonce", to_hex(nonce)},
                      {"root", to_hex(root)},
                      {"round", round},
                      {"specification", specification_json(specification)},
                      {"table", table}};
}

Result<IntentBody> IntentBody::from_json(const json::Value& body) {
  Fields in(body, "INTENT");
  IntentBody out;
  out.table = table_id(in);
  out.round = in.text("round");
  in.require(out.round == "0" || object_seq("round", out.round).has_value(), "round",
             "is no round id");
  out.index = static_cast<std::uint32_t>(in.integer("index", batch_index));
  out.nonce = in.hex("nonce", nonce_bytes);
  out.root = in.digest("root");
  if (const json::Value* specification = in.object("specification")) {
    out.specification = in.nested(specification_from_json(*specification));
  }
  out.bets = in.digest("bets");
  out.digest = in.digest("digest");
  out.context = context_of(in);
  return in.finish(std::move(out));
}

json::Value DrawBody::to_json() const {
  return json::Object{{"context", context.to_json()},
                      {"index", index},
                      {"intent", intent},
                      {"outcome", outcome_json(outcome)},
                      {"path", path_json(path)},
                      {"secret", to_hex(secret)},
                      {"tape_digest", to_hex(tape_digest)},
                      {"words_rejected", words_rejected},
                      {"words_used", words_used}};
}

Result<DrawBody> DrawBody::from_json(const json::Value& body) {
  Fields in(body, "DRAW");
  DrawBody out;
  out.intent = in.count("intent");
  out.index = static_cast<std::uint32_t>(in.integer("index", batch_index));
  out.secret = in.digest("secret");
  out.path = in.path("path");
  out.outcome = outcome_of(in);
  out.words_used = in.count("words_used");
  out.words_rejected = in.count("words_rejected");
  out.tape_digest = in.digest("tape_digest");
  out.context = context_of(in);
  return in.finish(std::move(out));
}

json::Value VoidBody::to_json() const {
  json::Object body{{"by", texts_json(by)},
                    {"cause", unrecoverable ? "unrecoverable" : "order"},
                    {"intent", intent}};
  if (outcome) {
    body.emplace("outcome", outcome_json(*outcome));
    body.emplace("path", path_json(path));
    body.emplace("secret", to_hex(secret));
  } else {
    body.emplace("outcome", "unrecoverable");
  }
  return body;
}

Result<VoidBody> VoidBody::from_json(const json::Value& body) {
  Fields in(body, "VOID");
  VoidBody out;
  out.intent = in.count("intent");
  out.unrecoverable = in.word("cause", {"order", "unrecoverable"}) == 1;
  out.by = in.texts("by");
  if (out.unrecoverable) {
    in.require(in.text("outcome") == "unrecoverable", "outcome", "must be `unrecoverable`");
  } else {
    out.outcome = outcome_of(in);
    out.secret = in.digest("secret");
    out.path = in.path("path");
  }
  return in.finish(std::move(out));
}

json::Value BatchCloseBody::to_json() const {
  return json::Object{{"first", first},
                      {"left", path_json(left)},
                      {"reason", batch_close_word(reason)},
                      {"secrets", path_json(secrets)}};
}

Result<BatchCloseBody> BatchCloseBody::from_json(const json::Value& body) {
  Fields in(body, "BATCH_CLOSE");
  BatchCloseBody out;
  out.reason = static_cast<BatchCloseReason>(in.word("reason", {"expired", "used", "closed"}));
  out.first = static_cast<std::uint32_t>(in.integer("first", {0, batch_secrets_max}));
  out.left = in.path("left");
  out.secrets = in.digests("secrets", batch_secrets_max);
  in.require(out.left.size() == static_cast<std::size_t>(std::popcount(out.first)), "left",
             "must have one hash for each set bit of `first`");
  return in.finish(std::move(out));
}

}  // namespace talla::certs
