// A round on paper: HTML that needs nothing else.
#include "report/round_html.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "report_words.hpp"
#include "verify/notes.hpp"

namespace talla::report {
namespace {

constexpr std::string_view sheet = R"(
@page { size: A4; margin: 16mm 14mm; }
:root { color-scheme: light; }
body { font: 10.5pt/1.4 "Liberation Sans", Arial, sans-serif; color: #111; background: #fff;
  max-width: 182mm; margin: 0 auto; padding: 6mm; }
h1 { font-size: 17pt; margin: 0 0 1mm; }
h2 { font-size: 12pt; margin: 5mm 0 1.5mm; border-bottom: 0.3mm solid #999; }
h2::first-letter, th::first-letter { text-transform: uppercase; }
.lead { font-size: 12.5pt; margin: 0 0 2mm; }
.bad { border: 0.6mm solid #8a1c1c; color: #8a1c1c; padding: 1.5mm 3mm; font-weight: bold; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.8mm 2mm 0.8mm 0;
  border-bottom: 0.2mm solid #ccc; }
th.n, td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tr, .hand, .sign { break-inside: avoid; }
.hands { display: flex; flex-wrap: wrap; gap: 3mm 8mm; }
.hand b { display: block; font-size: 9.5pt; font-weight: normal; color: #444; }
.card { display: inline-block; width: 10mm; height: 14mm; margin: 0.6mm 1mm 0 0; padding: 0.6mm 0;
  border: 0.3mm solid #444; border-radius: 1.4mm; text-align: center; font-size: 12pt;
  line-height: 6.2mm; box-sizing: border-box; }
.card.red { color: #b3121d; }
.number { display: inline-block; border: 0.5mm solid #111; border-radius: 2mm; font-size: 18pt;
  padding: 1mm 5mm; }
.rule { font-size: 9.5pt; color: #333; }
.small { font-size: 9pt; }
.signs { display: flex; gap: 6mm; margin-top: 8mm; }
.sign { flex: 1; border-top: 0.3mm solid #111; padding-top: 1mm; margin-top: 14mm; font-size: 9pt; }
.page { break-before: page; }
code { font-family: "Liberation Mono", monospace; font-size: 8.5pt; overflow-wrap: anywhere; }
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string text_in(const json::Value& from, std::string_view key) {
  const auto* value = from.find(key);
  if (value == nullptr) return {};
  return value->is_string() ? value->string() : json::canonical(*value);
}

std::string joined(const json::Value* items, std::string_view between) {
  std::string out;
  if (items == nullptr || !items->is_array()) return out;
  for (const auto& one : items->array()) {
    if (!out.empty()) out += between;
    out += one.is_string() ? one.string() : json::canonical(one);
  }
  return out;
}

/// Cards that lie together, in the order in which the first of each came.
struct Laid {
  std::string name;
  std::vector<std::string> cards;
  int hidden = 0;  // that nobody saw
};

class Paper {
 public:
  Paper(const json::Value& facts, Language language, const std::string& digest)
      : facts_(facts), language_(language), digest_(digest) {}

  std::string write(const certs::Verdict& verdict) {
    const std::string title = say("title");
    out_ = "<!doctype html>\n<html lang=\"" + code() + "\">\n<head>\n<meta charset=\"utf-8\">\n";
    out_ += "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + escaped(title) +
            "</title>\n<style>" + std::string(sheet) + "</style>\n</head>\n<body>\n";
    first_page(verdict);
    evidence(verdict);
    log();
    parameters();
    out_ += "</body>\n</html>\n";
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string say(std::string_view key) const { return word(language_, key); }
  [[nodiscard]] std::string code() const { return language_ == Language::es ? "es" : "en"; }
  void title(std::string_view key) { out_ += "<h2>" + escaped(say(key)) + "</h2>\n"; }
  [[nodiscard]] const json::Value& part(std::string_view name) const { return *facts_.find(name); }
  [[nodiscard]] std::string place() const { return text_in(part("table"), "place"); }

  void first_page(const certs::Verdict& verdict) {
    const auto& table = part("table");
    const auto& round = part("round");
    out_ += "<h1>" + escaped(say("title")) + "</h1>\n<p class=\"lead\">" +
            escaped(text_in(table, "name") + " · " + say("table") + " " + place() + " · " +
                    say("round") + " " + text_in(round, "number")) +
            "<br>" + escaped(time_text(round.find("settled")->integer())) + "</p>\n";
    if (verdict.development || verdict.verdict_class != certs::VerdictClass::certified)
      out_ += "<p class=\"bad\">" +
              escaped(say(certs::verdict_class_name(verdict.verdict_class)) +
                      (verdict.development ? "; " + say("development") : "")) +
              "</p>\n";
    outcome();
    cards();
    poker();
    decisions();
    results();
    totals();
    signatures();
  }

  void outcome() {
    for (const auto& event : part("events").array()) {
      if (text_in(event, "what") != "draw") continue;
      std::string shown = text_in(event, "pocket");
      const auto* outcome = event.find("outcome");
      for (const auto* form : {"dice", "lots"}) {
        if (shown.empty() && outcome != nullptr && outcome->find(form) != nullptr)
          shown = joined(outcome->find(form), " - ");
      }
      title("draw");
      out_ += "<p><span class=\"number\">" + escaped(shown) + "</span></p>\n";
    }
  }

  /// "punto-2" lies with "punto-1".
  static std::string holder_of(const std::string& place) {
    const auto dash = place.rfind('-');
    const bool numbered = dash != std::string::npos && dash + 1 < place.size() &&
                          std::all_of(place.begin() + static_cast<std::ptrdiff_t>(dash) + 1,
                                      place.end(), [](char c) { return c >= '0' && c <= '9'; });
    return numbered ? place.substr(0, dash) : place;
  }

  [[nodiscard]] std::vector<std::pair<std::string, Laid>> laid() const {
    std::vector<std::pair<std::string, Laid>> all;
    std::map<std::int64_t, std::string> turned;  // by position, of cards that came covered
    for (const auto& event : part("events").array()) {
      if (text_in(event, "what") == "opened")
        turned[event.find("position")->integer()] = text_in(event, "card");
    }
    for (const auto& event : part("events").array()) {
      if (text_in(event, "what") != "card") continue;
      const std::string holder = holder_of(text_in(event, "place"));
      auto found = std::ranges::find(all, holder, &std::pair<std::string, Laid>::first);
      if (found == all.end()) {
        const std::string name = text_in(event, "name");
        all.push_back({holder, {.name = name.substr(0, name.find(',')), .cards = {}, .hidden = 0}});
        found = all.end() - 1;
      }
      std::string card = text_in(event, "card");
      if (const auto open = turned.find(event.find("position")->integer());
          card.empty() && open != turned.end())
        card = open->second;
      if (card.empty()) {
        ++found->second.hidden;
      } else {
        found->second.cards.push_back(std::move(card));
      }
    }
    return all;
  }

  static std::string drawn_card(const std::string& card) {
    const std::string text = card_text(card);
    const bool french = card.size() == 2 && text != card;
    if (!french) return "<span class=\"card\">" + escaped(text) + "</span>";
    const bool red = card[1] == 'H' || card[1] == 'D';
    const std::size_t suit = text.size() - 3;  // one sign of three bytes
    return std::string("<span class=\"card") + (red ? " red" : "") + "\">" +
           escaped(text.substr(0, suit)) + "<br>" + text.substr(suit) + "</span>";
  }

  void cards() {
    const auto all = laid();
    if (all.empty()) return;
    title("cards");
    out_ += "<div class=\"hands\">\n";
    for (const auto& [holder, hand] : all) {
      out_ += "<div class=\"hand\"><b>" + escaped(hand.name) + "</b>";
      for (const auto& card : hand.cards) out_ += drawn_card(card);
      if (hand.hidden > 0)
        out_ += " <span class=\"small\">" +
                escaped(std::to_string(hand.hidden) + " " + say("unseen_cards")) + "</span>";
      out_ += "</div>\n";
    }
    out_ += "</div>\n";
  }

  void poker() {
    const auto& all = part("hands").array();
    if (all.empty()) return;
    title("hands");
    out_ += "<ul>\n";
    for (const auto& hand : all) {
      const auto holder = text_in(hand, "holder");
      const auto which = text_in(hand, "which");
      const auto who = holder.starts_with("seat-") ? say("seat") + " " + holder.substr(5)
                                                   : word_or_code(language_, "holder", holder);
      out_ += "<li>" +
              escaped(who + (which.empty() ? "" : ", " + word_or_code(language_, "hand", which)) +
                      ": " + text_in(hand, "text")) +
              "</li>\n";
    }
    out_ += "</ul>\n";
  }

  void decisions() {
    std::string items;
    for (const auto& event : part("events").array()) {
      const auto what = text_in(event, "what");
      if (what != "action" && what != "time_out" && what != "misdeal") continue;
      std::string words = what == "misdeal"
                              ? say("misdeal") + ": " + text_in(event, "name") + " (" +
                                    text_in(event, "effect_name") + ")"
                              : say("seat") + " " + text_in(event, "seat") + ": " +
                                    (what == "time_out" ? say("time_out") : text_in(event, "name"));
      for (const auto* more : {"money", "bet", "to"}) {
        if (event.find(more) != nullptr) words += ", " + text_in(event, more);
      }
      items += "<li>" + escaped(words) + "</li>\n";
    }
    if (items.empty()) return;
    title("decisions");
    out_ += "<ol>\n" + items + "</ol>\n";
  }

  void results() {
    title("results");
    std::map<std::string, std::string> on;
    for (const auto& bet : part("bets").array()) {
      if (bet.find("on") != nullptr)
        on[text_in(bet, "bet")] = " (" + joined(bet.find("on"), "-") + ")";
    }
    out_ += "<table><thead><tr><th>" + escaped(say("seat")) + "</th><th>" + escaped(say("bet")) +
            "</th><th class=\"n\">" + escaped(say("stake")) + "</th><th>" + escaped(say("result")) +
            "</th><th class=\"n\">" + escaped(say("returned")) + "</th><th class=\"n\">" +
            escaped(say("net")) + "</th></tr></thead><tbody>\n";
    for (const auto& one : part("results").array()) {
      out_ += "<tr><td>" + escaped(text_in(one, "seat")) + "</td><td>" +
              escaped(text_in(one, "name") + on[text_in(one, "bet")]) + "<div class=\"rule\">" +
              escaped(say("rule") + " " + text_in(one, "rule") + ": " +
                      joined(one.find("sentences"), "; ")) +
              "</div></td><td class=\"n\">" + escaped(text_in(one, "money_stake")) + "</td><td>" +
              escaped(word_or_code(language_, "result", text_in(one, "result"))) +
              "</td><td class=\"n\">" + escaped(text_in(one, "money_returned")) +
              "</td><td class=\"n\">" + escaped(text_in(one, "money_net")) + "</td></tr>\n";
    }
    out_ += "</tbody></table>\n";
  }

  void totals() {
    title("totals");
    out_ += "<table><thead><tr><th>" + escaped(say("seat")) + "</th><th class=\"n\">" +
            escaped(say("staked")) + "</th><th class=\"n\">" + escaped(say("returned")) +
            "</th><th class=\"n\">" + escaped(say("net")) + "</th></tr></thead><tbody>\n";
    for (const auto& one : part("totals").array()) {
      out_ += "<tr><td>" + escaped(text_in(one, "seat")) + "</td><td class=\"n\">" +
              escaped(text_in(one, "money_staked")) + "</td><td class=\"n\">" +
              escaped(text_in(one, "money_returned")) + "</td><td class=\"n\">" +
              escaped(text_in(one, "money_net")) + "</td></tr>\n";
    }
    out_ += "</tbody></table>\n";
  }

  void signatures() {
    out_ += "<div class=\"signs\">\n";
    for (const auto* who : {"sign_guest", "sign_casino", "sign_inspector"})
      out_ += "<div class=\"sign\">" + escaped(say(who)) + "</div>\n";
    out_ += "</div>\n";
  }

  void pair(std::string_view key, const std::string& value) { named(say(key), value, false); }
  void named(const std::string& name, const std::string& value, bool coded) {
    out_ += "<tr><th>" + escaped(name) + "</th><td>" + (coded ? "<code>" : "") + escaped(value) +
            (coded ? "</code>" : "") + "</td></tr>\n";
  }

  void evidence(const certs::Verdict& verdict) {
    const auto& table = part("table");
    const auto& round = part("round");
    out_ += "<section class=\"page\">\n";
    title("check");
    out_ += "<table><tbody>\n";
    pair("class", say(certs::verdict_class_name(verdict.verdict_class)) +
                      (verdict.development ? "; " + say("development") : ""));
    pair("appliance", text_in(facts_, "origin"));
    pair("record", text_in(facts_, "record"));
    const auto id = text_in(table, "id");
    pair("table", place() == id ? id : place() + " (" + id + ")");
    pair("round", text_in(round, "number") + " (" + text_in(round, "id") + ")");
    pair("opened", time_text(round.find("opened")->integer()));
    pair("settled", time_text(round.find("settled")->integer()) + " (" + say("clock") + ": " +
                        word_or_code(language_, "clock", text_in(round, "time_quality")) + ")");
    pair("catalogue", text_in(table, "law") + "; " + text_in(table, "source"));
    named(say("catalogue") + ": " + say("digest"), text_in(table, "digest"), true);
    named(say("evidence_digest"), digest_, true);
    out_ += "</tbody></table>\n<ul class=\"small\">\n";
    for (const auto& one : verdict.checked)
      out_ += "<li>" + escaped(say("checked") + ": " + certs::note_text(one, code())) + "</li>\n";
    for (const auto& one : verdict.not_checked)
      out_ +=
          "<li>" + escaped(say("not_checked") + ": " + certs::note_text(one, code())) + "</li>\n";
    out_ += "</ul>\n</section>\n";
  }

  /// Each record once, in the order of the log.
  void log() {
    title("play");
    out_ += "<table class=\"small\"><tbody>\n";
    for (const auto& event : part("events").array()) {
      const auto what = text_in(event, "what");
      const bool card = what == "card" || what == "opened";
      std::string words = what == "opened" ? say("turned") : say(what);
      if (card) {
        const auto shown = text_in(event, "card");
        words += ": " + text_in(event, "name") + " " +
                 (shown.empty() ? say(text_in(event, "face")) : card_text(shown));
      } else if (event.find("name") != nullptr) {
        words += ": " + text_in(event, "name");
      } else if (event.find("pocket") != nullptr) {
        words += ": " + text_in(event, "pocket");
      }
      out_ += "<tr><td class=\"n\">" + escaped(text_in(event, "seq")) + "</td><td>" +
              escaped(time_text(event.find("time")->integer())) + "</td><td>" + escaped(words) +
              "</td></tr>\n";
    }
    out_ += "</tbody></table>\n";
  }

  void parameters() {
    title("parameters");
    out_ += "<table class=\"small\"><tbody>\n";
    for (const auto& one : part("table").find("parameters")->array()) {
      out_ += "<tr><th>" + escaped(text_in(one, "name")) + "</th><td>" +
              escaped(text_in(one, "value")) + "</td></tr>\n";
    }
    out_ += "</tbody></table>\n";
  }

  const json::Value& facts_;
  Language language_;
  const std::string& digest_;
  std::string out_;
};

}  // namespace

Result<std::string> round_html(const certs::Bundle& bundle, const certs::Verdict& verdict,
                               Language language, const std::string& evidence_digest) {
  TALLA_TRY(const auto facts, round_facts(bundle, language));
  return Paper(facts, language, evidence_digest).write(verdict);
}

}  // namespace talla::report
