// What the bodies of the machine's records must say beyond their types, and which check a kind has.
#include "fields.hpp"
#include "format/body_draw.hpp"
#include "format/body_release.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/context.hpp"
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
  const auto limits = in.optional_texts("rollback_limits");
  const auto of = [&limits](std::string_view protection) {
    return limits == rollback_limits(protection);
  };
  in.require(limits.empty() || of("local") || of("tpm") || of("hsm") || of("witness"),
             "rollback_limits", "must be those of one kind of protection");
  return in.status();
}

Status check_software(const json::Value& body) {
  Fields in(body, "SOFTWARE");
  (void)in.filled_text("version");
  (void)in.digest("digest");
  (void)in.optional_digest("manifest");
  return in.status();
}

/// One secret of the log that this one follows. The bodies in it are those of DRAW and BATCH_CLOSE.
Status check_predecessor(Fields& in) {
  (void)in.filled_text("origin");
  (void)in.filled_text("object");
  (void)in.count("commit");
  if (in.word("result", {"opened", "kept", "lost"}) != 0) return in.status();
  if (in.has("draw")) {
    if (const json::Value* draw = in.object("draw")) (void)in.nested(DrawBody::from_json(*draw));
  } else if (in.has("close")) {
    if (const json::Value* close = in.object("close"))
      (void)in.nested(BatchCloseBody::from_json(*close));
  } else if (const json::Value* root = in.object("root")) {
    Fields opened(*root, "KEY.root");
    (void)opened.digest("key");
    (void)opened.digest("secret");
    (void)opened.base64("tape");
    TALLA_TRY_STATUS(opened.status());
  }
  return in.status();
}

Status check_key(const json::Value& body) {
  Fields in(body, "KEY");
  const auto purpose = in.word("purpose", {"log", "client", "predecessor"});
  if (purpose == 2) return check_predecessor(in);
  if (purpose == 0) {
    if (const json::Value* log_key = in.object("log_key"))
      (void)in.nested(LogKey::from_json(*log_key));
    if (in.has("predecessor")) (void)in.base64("predecessor");
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
  (void)in.optional_digest("digest");
  const json::Value* key = in.optional("key");
  TALLA_TRY_STATUS(in.status());
  return key == nullptr ? Status() : check_key(*key);
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
    case Kind::hand_confirmed:
      return check_as<HandConfirmedBody>(body);
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
      return check_as<ShoeReleaseBody>(body);
    case Kind::shuffle_report:
      return check_as<ShuffleReportBody>(body);
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
    case Kind::meter_open:
      return check_as<MeterOpenBody>(body);
    case Kind::meter_close:
      return check_as<MeterCloseBody>(body);
  }
  if (!body.is_object())
    return fail(FormatErrc::malformed_body, "record.body: an object is expected");
  return {};
}

}  // namespace talla::certs
