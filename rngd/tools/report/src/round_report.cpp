// The facts of a round as text.
#include "report/round_report.hpp"

#include "hand_counts.hpp"
#include "report/times.hpp"
#include "report_words.hpp"
#include "verify/notes.hpp"

namespace talla::report {
namespace {

class Writer {
 public:
  Writer(const json::Value& facts, Language language) : facts_(facts), language_(language) {}

  std::string write(const certs::Verdict& verdict) {
    head();
    bets();
    play();
    counts();
    hands();
    results();
    check(verdict);
    parameters();
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string say(std::string_view key) const { return word(language_, key); }
  void line(const std::string& words) { text_ += words + "\n"; }
  void title(std::string_view key) { line("\n" + say(key)); }
  void field(std::string_view key, const std::string& value) {
    line("  " + say(key) + ": " + value);
  }

  static std::string text(const json::Value& from, std::string_view key) {
    const auto* value = from.find(key);
    return value != nullptr && value->is_string() ? value->string() : std::string();
  }
  static std::string number(const json::Value& from, std::string_view key) {
    const auto* value = from.find(key);
    return value != nullptr && value->is_integer() ? std::to_string(value->integer())
                                                   : std::string();
  }
  static std::string list(const json::Value* items, std::string_view between) {
    std::string out;
    if (items == nullptr || !items->is_array()) return out;
    for (const auto& one : items->array()) {
      if (!out.empty()) out += between;
      out += one.is_string() ? one.string() : json::canonical(one);
    }
    return out;
  }

  /// What the round's opening said about the end of the session.
  [[nodiscard]] std::string announced(const json::Value& last) const {
    if (last.is_string()) return ", " + say("last_shoe");
    if (last.is_integer())
      return ", " + say("first_of_last") + " " + std::to_string(last.integer());
    return last.boolean() ? ", " + say("last") : "";
  }
  void head() {
    const auto& table = *facts_.find("table");
    const auto& round = *facts_.find("round");
    line("TALLA. " + say("title"));
    field("appliance",
          text(facts_, "origin") + ", " + say("record") + " " + number(facts_, "record"));
    const auto place = text(table, "place");
    const auto id = text(table, "id");
    field("table", place == id ? id : place + " (" + id + ")");
    field("game", text(table, "name") + " (" + text(table, "catalogue") + " " +
                      text(table, "number") + ")");
    field("catalogue", text(table, "law") + "; " + text(table, "source") + "; " + say("digest") +
                           " " + text(table, "digest"));
    field("round", number(round, "number") + " (" + text(round, "id") + ")" +
                       announced(*round.find("last")));
    field("opened", both_times_text(round.find("opened")->integer()));
    field("settled", both_times_text(round.find("settled")->integer()) + " (" + say("clock") +
                         ": " + word_or_code(language_, "clock", text(round, "time_quality")) +
                         ")");
    if (table.find("min") != nullptr) field("min", text(table, "min"));
    if (table.find("max") != nullptr) field("max", text(table, "max"));
  }

  void parameters() {
    title("parameters");
    for (const auto& one : facts_.find("table")->find("parameters")->array())
      line("  " + text(one, "name") + ": " + text(one, "words") + " [" + text(one, "id") + "]");
  }

  void bets() {
    title("bets");
    const auto& all = facts_.find("bets")->array();
    if (all.empty()) line("  " + say("no_bets"));
    for (const auto& bet : all) {
      std::string words = "  " + text(bet, "bet") + ": " + say("seat") + " " + number(bet, "seat") +
                          ", " + text(bet, "name") + ", " + text(bet, "money");
      if (bet.find("box") != nullptr) words += ", " + say("box") + " " + number(bet, "box");
      if (bet.find("on") != nullptr) words += ", " + say("on") + " " + list(bet.find("on"), "-");
      line(words);
    }
  }

  void play() {
    title("play");
    for (const auto& event : facts_.find("events")->array()) {
      line("  #" + number(event, "seq") + " " + time_text(event.find("time")->integer()) + "  " +
           words_of(event));
    }
  }

  [[nodiscard]] std::string words_of(const json::Value& event) const {
    const auto what = text(event, "what");
    if (what == "card" || what == "opened") return card_words(event, what);
    if (what == "action" || what == "time_out") return action_words(event, what);
    if (what == "draw") return say("draw") + ": " + outcome_words(event);
    if (what == "misdeal") {
      const auto place = text(event, "place");
      return say("misdeal") + ": " + text(event, "name") + (place.empty() ? "" : ", " + place) +
             " (" + text(event, "effect_name") + ")";
    }
    if (what == "meter") return meter_words(event);
    auto words = say(what);
    if (const auto* withdrawn = event.find("withdrawn");
        withdrawn != nullptr && !withdrawn->array().empty()) {
      words += "; " + say("withdrawn") + ": " + list(withdrawn, ", ");
    }
    if (event.find("shoe") != nullptr) words += " (" + text(event, "shoe") + ")";
    if (event.find("rule") != nullptr) words += ", " + say("rule") + " " + text(event, "rule");
    return words;
  }

  [[nodiscard]] std::string meter_words(const json::Value& event) const {
    return say("meter") + ": " + text(event, "name") + " (" + text(event, "meter") + "), " +
           say("before") + " " + text(event, "money_before") + ", " + say("put_in") + " " +
           text(event, "money_contribution") + ", " + say("taken_out") + " " +
           text(event, "money_award") + ", " + say("left") + " " + text(event, "money_after");
  }

  [[nodiscard]] std::string card_words(const json::Value& event, const std::string& what) const {
    const auto card = text(event, "card");
    return say(what == "card" ? "card" : "turned") + ": " + text(event, "name") + " [" +
           text(event, "place") + "] " +
           (card.empty() ? say(text(event, "face")) : card_text(card)) + " (" + say("position") +
           " " + number(event, "position") + ")";
  }

  [[nodiscard]] std::string action_words(const json::Value& event, const std::string& what) const {
    std::string words = say(what) + ": " + say("seat") + " " + number(event, "seat");
    if (event.find("name") != nullptr) words += ", " + text(event, "name");
    if (event.find("money") != nullptr) words += ", " + text(event, "money");
    if (event.find("bet") != nullptr) words += ", " + say("bet") + " " + text(event, "bet");
    if (event.find("cards") != nullptr) words += ", " + list(event.find("cards"), ", ");
    if (event.find("to") != nullptr) words += ", " + text(event, "to");
    return words;
  }

  [[nodiscard]] std::string outcome_words(const json::Value& event) const {
    if (event.find("pocket") != nullptr) return text(event, "pocket");
    const auto& outcome = *event.find("outcome");
    for (const auto* form : {"dice", "lots"}) {
      if (outcome.find(form) != nullptr) return say(form) + " " + list(outcome.find(form), "-");
    }
    return json::canonical(outcome);
  }

  /// "banca: 26".
  void counts() {
    const auto& all = facts_.find("counts")->array();
    if (!all.empty()) title("counts_title");
    for (const auto& one : all) {
      const auto holder = text(one, "holder");
      std::string name = holder;
      for (const auto& event : facts_.find("events")->array()) {
        if (text(event, "what") != "card" || holder_of(text(event, "place")) != holder) continue;
        const auto words = text(event, "name");
        name = words.substr(0, words.find(','));
        break;
      }
      line("  " + name + ": " + number(one, "total"));
    }
  }

  /// "seat 3, high hand: full house, kings over twos (K♠ K♥ K♦ 2♣ 2♠)".
  void hands() {
    const auto& all = facts_.find("hands")->array();
    if (!all.empty()) title("hands");
    for (const auto& hand : all) {
      const auto holder = text(hand, "holder");
      const auto which = text(hand, "which");
      std::string cards;
      for (const auto& card : hand.find("cards")->array())
        cards += (cards.empty() ? "" : " ") + card_text(card.string());
      const auto who = holder.starts_with("seat-") ? say("seat") + " " + holder.substr(5)
                                                   : word_or_code(language_, "holder", holder);
      line("  " + who + (which.empty() ? "" : ", " + word_or_code(language_, "hand", which)) +
           ": " + text(hand, "text") + " (" + cards + ")");
    }
  }

  void results() {
    title("results");
    for (const auto& one : facts_.find("results")->array()) {
      std::string words =
          "  " + text(one, "bet") + ": " + say("seat") + " " + number(one, "seat") + ", " +
          text(one, "name") + ", " + say("stake") + " " + text(one, "money_stake") + ": " +
          word_or_code(language_, "result", text(one, "result")) + ", " + say("returned") + " " +
          text(one, "money_returned") + ", " + say("net") + " " + text(one, "money_net");
      if (one.find("remainder") != nullptr)
        words += ", " + say("rounding") + " " + text(one, "remainder");
      line(words + "; " + say("rule") + " " + text(one, "rule"));
    }
    title("totals");
    for (const auto& one : facts_.find("totals")->array()) {
      line("  " + say("seat") + " " + number(one, "seat") + ": " + say("staked") + " " +
           text(one, "money_staked") + ", " + say("returned") + " " + text(one, "money_returned") +
           ", " + say("net") + " " + text(one, "money_net"));
    }
  }

  void check(const certs::Verdict& verdict) {
    title("check");
    field("class", say(certs::verdict_class_name(verdict.verdict_class)) +
                       (verdict.development ? "; " + say("development") : ""));
    const std::string_view language = language_ == Language::es ? "es" : "en";
    for (const auto& one : verdict.checked) field("checked", certs::note_text(one, language));
    for (const auto& one : verdict.not_checked)
      field("not_checked", certs::note_text(one, language));
  }

  const json::Value& facts_;
  Language language_;
  std::string text_;
};

}  // namespace

Result<std::string> round_report(const certs::Bundle& bundle, const certs::Verdict& verdict,
                                 Language language) {
  TALLA_TRY(const auto facts, round_facts(bundle, language));
  return Writer(facts, language).write(verdict);
}

}  // namespace talla::report
