// One record of the log in words.
#include "log_words.hpp"

#include <functional>
#include <string_view>

#include "base/bytes.hpp"
#include "members.hpp"
#include "status_tables.hpp"
#include "times.hpp"

namespace talla::cli {

namespace {

constexpr std::size_t digest_shown = 12;
constexpr std::size_t rest_shown = 160;

/// The members of a body, each as text; what is not there is empty.
class BodyTexts {
 public:
  explicit BodyTexts(const json::Value& body) : body_(body) {}

  /// Null: it is not there.
  [[nodiscard]] const json::Value* member(std::string_view name) const { return body_.find(name); }
  [[nodiscard]] std::string text(std::string_view name) const {
    const json::Value* found = body_.find(name);
    if (found == nullptr) return {};
    return found->is_string() ? found->string() : json::canonical(*found);
  }
  [[nodiscard]] std::string short_text(std::string_view name) const {
    return text(name).substr(0, digest_shown);
  }
  [[nodiscard]] std::size_t size(std::string_view name) const {
    const json::Value* found = body_.find(name);
    return found != nullptr && found->is_array() ? found->array().size() : 0;
  }
  /// The texts of an array, with `between`.
  [[nodiscard]] std::string list(std::string_view name, std::string_view between) const {
    std::string all;
    const json::Value* found = body_.find(name);
    if (found == nullptr || !found->is_array()) return all;
    for (const json::Value& one : found->array()) {
      if (!all.empty()) all += between;
      all += one.is_string() ? one.string() : json::canonical(one);
    }
    return all;
  }
  /// The sum of an integer member of the objects in an array.
  [[nodiscard]] std::string total(std::string_view name, std::string_view member) const {
    std::int64_t sum = 0;
    const json::Value* found = body_.find(name);
    if (found == nullptr || !found->is_array()) return "0";
    for (const json::Value& one : found->array()) {
      const json::Value* value = one.find(member);
      if (value != nullptr && value->is_integer()) sum += value->integer();
      if (sum > json::integer_max || sum < -json::integer_max) return std::string(not_told);
    }
    return std::to_string(sum);
  }
  /// ` word VALUE` where the member is there.
  [[nodiscard]] std::string with(std::string_view word, std::string_view name) const {
    const std::string value = text(name);
    return value.empty() ? "" : " " + std::string(word) + " " + value;
  }

 private:
  const json::Value& body_;
};

std::string selftest_words(const BodyTexts& body) {
  const std::string test = body.text("test");
  const bool good = body.text("result") == "pass";
  if (test == "latch:none") return "the generator is not latched";
  if (test.starts_with("latch:"))
    return "THE GENERATOR IS LATCHED still: " + latch_reason_words(test.substr(6));
  if (test.starts_with("generator-") && !good && test != "generator-known-answers")
    return "THE GENERATOR LATCHED: " + latch_reason_words(test.substr(10));
  return "test " + test + (good ? ": passed" : ": FAILED");
}

std::string key_words(const BodyTexts& body) {
  const std::string purpose = body.text("purpose");
  if (purpose == "log") return "the key that signs the log";
  if (purpose != "client") return "a key of the log before: " + purpose;
  if (body.text("action") == "enrol")
    return body.text("id") + " is enrolled as " + body.list("roles", ", ");
  return body.text("id") + " is out";
}

std::string table_words(const BodyTexts& body) {
  const std::string by = body.text("settled_by");
  const std::string game = body.text("game");
  return "the table opens: " + (game.empty() ? std::string("no game named") : game) +
         (by == "client" ? ", settled by its client" : "") + body.with("in", "currency") +
         body.with("going on from", "continues");
}

std::string power_words(const BodyTexts& body) {
  if (body.text("event") == "stop") return "the appliance stops";
  return body.text("clean") == "true" ? "the appliance starts"
                                      : "the appliance starts, the stop before was not clean";
}

std::string deal_words(const BodyTexts& body) {
  const std::string where = body.text("place") + " (position " + body.text("position") + ")";
  const std::string face = body.text("face");
  return face == "open" ? body.text("card") + " to " + where : "a card, " + face + ", to " + where;
}

std::string action_words(const BodyTexts& body) {
  const std::string seat = "seat " + body.text("seat");
  if (body.text("cause") == "time_out") return seat + " let its time pass";
  return seat + ": " + body.text("do") + body.with("for bet", "bet") + body.with("of", "amount") +
         body.with("to", "to");
}

/// Acts of two persons stand as `latch-reset.asked`, `latch-reset.confirmed`, ...
std::string access_words(const BodyTexts& body) {
  const std::string what = body.text("what");
  const std::string by = body.list("by", " and ");
  const std::string result = body.text("result");
  const std::string rest =
      body.with("on", "object") + (result == "allowed" ? std::string() : ": " + result);
  const std::string how = body.text("order").empty() ? ", over the connection alone" : ", signed";
  if (what == "generator-latch") return "NEW COMMITMENTS ARE STOPPED by " + by + rest;
  if (what == "generator-test") return by + " has the generator tested" + rest;
  const auto dot = what.rfind('.');
  if (dot == std::string::npos) return what + " by " + by + rest;
  const std::string act = what.substr(0, dot);
  const std::string stage = what.substr(dot + 1);
  if (stage == "asked")
    return act + " is asked for by " + by + ", who needs a second person" + rest + how;
  if (stage == "expired") return act + ", asked for by " + by + ", has expired" + rest;
  return act + (stage == "failed" ? " HAS FAILED, asked for by " : " is " + stage + " by ") + by +
         rest + (stage == "confirmed" ? how : std::string());
}

/// A wheel's outcome is a place on it: its number stands with the game, not in the record.
std::string outcome_words(const json::Value* outcome, const std::vector<std::string>& pockets) {
  if (outcome == nullptr) return "nothing";
  const json::Value* pocket = outcome->find("pocket");
  if (pocket != nullptr && pocket->is_integer()) {
    const auto index = static_cast<std::size_t>(pocket->integer());
    const std::string place = "the wheel's place " + std::to_string(index) + ", counted from 0";
    return index < pockets.size() ? "number " + pockets[index] + " (" + place + ")" : place;
  }
  for (const char* name : {"dice", "lots"}) {
    if (const json::Value* list = outcome->find(name))
      return std::string(name) + " " + json::canonical(*list);
  }
  return json::canonical(*outcome);
}

/// Kinds whose words need no more than one line.
std::string short_words(std::string_view kind, const BodyTexts& body) {
  if (kind == "SOFTWARE")
    return "software " + body.text("version") + ", program " + body.short_text("digest");
  if (kind == "CONFIG")
    return "configuration " + body.short_text("digest") + ", " + body.text("profile");
  if (kind == "HEALTH")
    return "HEALTH ALARM of level " + body.text("level") + ": " + body.text("source") + ", " +
           body.text("test");
  if (kind == "RESEED") return "seed " + body.text("counter") + " (" + body.text("cause") + ")";
  if (kind == "TABLE_CLOSE")
    return "the table closes after " + body.text("rounds") + " rounds: " + body.text("reason");
  if (kind == "ROUND_OPEN") return "round " + body.text("number") + " opens";
  if (kind == "BETS_CLOSED")
    return std::to_string(body.size("bets")) + " bets stand, " + body.total("bets", "stake") +
           " in all";
  if (kind == "MISDEAL")
    return "an error is stated: " + body.text("code") + ", " + body.text("effect");
  if (kind == "HAND_CONFIRMED") return "the hand is confirmed";
  if (kind == "SETTLEMENT")
    return std::to_string(body.size("results")) +
           " bets settled: " + body.total("results", "stake") + " staked, " +
           body.total("results", "returned") + " given back";
  if (kind == "ROUND_END") return "the round ends";
  if (kind == "METER")
    return "meter " + body.text("meter") + ": " + body.text("before") + " -> " + body.text("after");
  if (kind == "METER_OPEN")
    return "meter " + body.text("meter") + " opens at " + body.text("value");
  if (kind == "METER_CLOSE") return "the meter closes at " + body.text("value");
  return {};
}

std::string call_words(const BodyTexts& body) {
  const json::Value* said = body.member("core");
  if (said == nullptr) return {};
  const BodyTexts core(*said);
  return "turn " + core.text("turn") + ": the table calls for a " + core.text("use") + " of " +
         core.text("object") + (core.text("round") == "0" ? "" : " for " + core.text("round"));
}

std::string answer_words(const BodyTexts& body) {
  const json::Value* said = body.member("core");
  if (said == nullptr) return {};
  const BodyTexts core(*said);
  return "answered as " + body.text("id") + ": turn " + core.text("turn") + " of " +
         core.text("table") + " at " + core.text("origin");
}

std::string secret_words(std::string_view kind, const BodyTexts& body,
                         const std::vector<std::string>& pockets) {
  if (kind == "SHOE_COMMIT")
    return "shoe " + body.text("number") + " is sealed: " + body.text("cards") + " cards, " +
           body.text("deck");
  if (kind == "SHOE_RECOMMIT")
    return "the shoe is shuffled again: " + body.text("cards") + " cards";
  if (kind == "SHOE_MIX") return "the shoe is mixed by call " + body.text("call");
  if (kind == "CARD_OPEN") return body.text("card") + " is turned at " + body.text("place");
  if (kind == "SHOE_RELEASE") return "the order goes to " + body.text("machine");
  if (kind == "SHUFFLE_REPORT") return "the machine reports: " + body.text("result");
  if (kind == "SHOE_CLOSE")
    return "the shoe closes after " + body.text("dealt") + " cards: " + body.text("reason");
  if (kind == "BATCH_COMMIT") return body.text("count") + " secrets are committed to";
  if (kind == "CALL") return call_words(body);
  if (kind == "DRAW")
    return "drawn: " + outcome_words(body.member("outcome"), pockets) + " (secret " +
           body.text("index") + ")";
  if (kind == "VOID" && body.member("core") != nullptr)
    return "VOID: a call that did not stand any more, " + call_words(body);
  if (kind == "VOID")
    return "VOID: the call of record " + body.text("call") + " (" + body.text("cause") + ")" +
           (body.size("by") == 0 ? "" : " by " + body.list("by", " and "));
  if (kind == "BATCH_CLOSE") return "the batch closes: " + body.text("reason");
  return {};
}

std::string body_words(std::string_view kind, const BodyTexts& body,
                       const std::vector<std::string>& pockets) {
  if (kind == "POWER") return power_words(body);
  if (kind == "KEY") return key_words(body);
  if (kind == "SELFTEST") return selftest_words(body);
  if (kind == "ACCESS") return access_words(body);
  if (kind == "ANSWER") return answer_words(body);
  if (kind == "TABLE_OPEN") return table_words(body);
  if (kind == "CARD_DEAL") return deal_words(body);
  if (kind == "ACTION") return action_words(body);
  const std::string words = short_words(kind, body);
  return words.empty() ? secret_words(kind, body, pockets) : words;
}

/// No line ends and no terminal's commands in it, whatever a record says. The text is UTF-8.
std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < ' ' || byte == 0x7F) text[i] = ' ';
    const bool pair = byte == 0xC2 && i + 1 < text.size();
    if (pair && static_cast<unsigned char>(text[i + 1]) < 0xA0) text[i] = text[i + 1] = ' ';
  }
  return text;
}

/// What a person said of it, in quotes; empty: nothing.
std::string note_words(const json::Value& record) {
  const json::Value* note = record.find("note");
  if (note == nullptr || !note->is_string()) return {};
  const auto words = from_base64url(note->string());
  if (!words || words->empty()) return {};
  return ", \"" + std::string(words->begin(), words->end()) + "\"";
}

}  // namespace

std::string record_words(const json::Value& record, const std::vector<std::string>& pockets) {
  const json::Value* kind = record.find("kind");
  const json::Value* body = record.find("body");
  if (kind == nullptr || !kind->is_string() || body == nullptr || !body->is_object())
    return "a record that cannot be read";
  std::string words = body_words(kind->string(), BodyTexts(*body), pockets);
  if (words.empty()) words = kind->string() + " " + json::canonical(*body).substr(0, rest_shown);
  return printable(words + note_words(record));
}

std::string event_line(const json::Value& event, const json::Value& record,
                       const TableFacts& facts) {
  const auto text = [](const json::Value& value, std::string_view name) {
    const json::Value* found = value.find(name);
    return found != nullptr && found->is_string() ? found->string() : std::string();
  };
  const json::Value* time = record.find("time");
  const json::Value* seq = event.find("seq");
  const std::string table = text(event, "table");
  const std::string object = text(event, "object");
  std::string line = time != nullptr && time->is_integer() ? local_time_text(time->integer()) : "-";
  line += "  " + (seq != nullptr && seq->is_integer() ? std::to_string(seq->integer()) : "-");
  if (!table.empty()) line += "  " + printable(table);
  if (!facts.place.empty() && facts.place != table) line += " (" + printable(facts.place) + ")";
  if (!object.empty() && object != table) line += "  " + printable(object);
  return line + "  " + record_words(record, facts.pockets);
}

}  // namespace talla::cli
