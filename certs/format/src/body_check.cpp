#include "fields.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/errc.hpp"
#include "format/log_key.hpp"
#include "format/record.hpp"

namespace talla::certs {
namespace {

template <class Body>
Status check_as(const json::Value& body) {
  auto parsed = Body::from_json(body);
  if (!parsed) return pass(std::move(parsed));
  return {};
}

Status check_power(const json::Value& body) {
  Fields in(body, "POWER");
  if (in.word("event", {"start", "stop"}) == 0) (void)in.boolean("clean");
  return in.status();
}

Status check_config(const json::Value& body) {
  Fields in(body, "CONFIG");
  (void)in.digest("digest");
  (void)in.word("profile", {"development", "production"});
  return in.status();
}

Status check_software(const json::Value& body) {
  Fields in(body, "SOFTWARE");
  (void)in.filled_text("version");
  (void)in.digest("digest");
  return in.status();
}

Status check_key(const json::Value& body) {
  Fields in(body, "KEY");
  if (in.word("purpose", {"log", "client"}) == 0) {
    if (const json::Value* log_key = in.object("log_key")) (void)in.nested(LogKey::from_json(*log_key));
    (void)in.optional_text("predecessor");
  } else {
    (void)in.filled_text("id");
    (void)in.digest("spki");
    (void)in.texts("roles");
    (void)in.word("action", {"enrol", "revoke"});
  }
  return in.status();
}

Status check_selftest(const json::Value& body) {
  Fields in(body, "SELFTEST");
  (void)in.filled_text("test");
  (void)in.word("result", {"pass", "fail"});
  (void)in.count("count");
  return in.status();
}

Status check_health(const json::Value& body) {
  Fields in(body, "HEALTH");
  (void)in.filled_text("source");
  (void)in.filled_text("test");
  (void)in.integer("level", {1, 2});
  (void)in.count("dropped");
  (void)in.count("last_good_us");
  (void)in.count("alarm_us");
  (void)in.texts("overlapping");
  return in.status();
}

Status check_reseed(const json::Value& body) {
  Fields in(body, "RESEED");
  (void)in.count("counter");
  (void)in.word("cause", {"startup", "request", "timer"});
  (void)in.count("assessed_millibits");
  return in.status();
}

Status check_access(const json::Value& body) {
  Fields in(body, "ACCESS");
  (void)in.filled_text("what");
  (void)in.word("result", {"allowed", "refused"});
  (void)in.optional_text("object");
  if (in.has("by")) (void)in.texts("by");
  return in.status();
}

Status check_table_close(const json::Value& body) {
  Fields in(body, "TABLE_CLOSE");
  (void)in.count("rounds");
  (void)in.word("reason", {"closed", "voided"});
  return in.status();
}

Status check_round_end(const json::Value& body) {
  Fields in(body, "ROUND_END");
  (void)in.digest("state_after");
  return in.status();
}

Status check_release(const json::Value& body) {
  Fields in(body, "SHOE_RELEASE");
  (void)in.filled_text("machine");
  (void)in.digest("ciphertext");
  (void)in.filled_text("order_known_to");
  return in.status();
}

Status check_report(const json::Value& body) {
  Fields in(body, "SHUFFLE_REPORT");
  (void)in.count("recognised");
  (void)in.word("result", {"match", "mismatch", "jam", "lid"});
  (void)in.optional_integer("position", index32);
  return in.status();
}

}  // namespace

Status check_body(Kind kind, const json::Value& body) {
  switch (kind) {
    case Kind::unknown:
      break;
    case Kind::power:
      return check_power(body);
    case Kind::software:
      return check_software(body);
    case Kind::config:
      return check_config(body);
    case Kind::key:
      return check_key(body);
    case Kind::selftest:
      return check_selftest(body);
    case Kind::health:
      return check_health(body);
    case Kind::reseed:
      return check_reseed(body);
    case Kind::access:
      return check_access(body);
    case Kind::table_open:
      return check_as<TableOpenBody>(body);
    case Kind::table_close:
      return check_table_close(body);
    case Kind::round_open:
      return check_as<RoundOpenBody>(body);
    case Kind::bets_closed:
      return check_as<BetsClosedBody>(body);
    case Kind::action:
      return check_as<ActionBody>(body);
    case Kind::misdeal:
      return check_as<MisdealBody>(body);
    case Kind::settlement:
      return check_as<SettlementBody>(body);
    case Kind::round_end:
      return check_round_end(body);
    case Kind::meter:
      return check_as<MeterBody>(body);
    case Kind::shoe_commit:
      return check_as<ShoeCommitBody>(body);
    case Kind::shoe_cut:
      return check_as<ShoeCutBody>(body);
    case Kind::card_deal:
      return check_as<CardDealBody>(body);
    case Kind::card_open:
      return check_as<CardOpenBody>(body);
    case Kind::shoe_recommit:
      return check_as<ShoeRecommitBody>(body);
    case Kind::shoe_release:
      return check_release(body);
    case Kind::shuffle_report:
      return check_report(body);
    case Kind::shoe_close:
      return check_as<ShoeCloseBody>(body);
    case Kind::batch_commit:
      return check_as<BatchCommitBody>(body);
    case Kind::intent:
      return check_as<IntentBody>(body);
    case Kind::draw:
      return check_as<DrawBody>(body);
    case Kind::void_draw:
      return check_as<VoidBody>(body);
    case Kind::batch_close:
      return check_as<BatchCloseBody>(body);
  }
  if (!body.is_object()) return fail(FormatErrc::malformed_body, "record.body: an object is expected");
  return {};
}

}  // namespace talla::certs
