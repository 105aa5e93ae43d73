// A round on paper: its facts as blocks, what people ask first, parameters last.
#include "report/round_paper.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "hand_counts.hpp"
#include "report/paper.hpp"
#include "report/times.hpp"
#include "report_words.hpp"
#include "verify/notes.hpp"

namespace talla::report {
namespace {

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

class PaperMaker {
 public:
  PaperMaker(const json::Value& facts, Language language, const PaperOptions& options)
      : facts_(facts), language_(language), options_(options) {}

  Paper make(const certs::Verdict& verdict) {
    out_.language = language_ == Language::es ? "es" : "en";
    first_page(verdict);
    evidence(verdict);
    log();
    parameters();
    return std::move(out_);
  }

 private:
  using Column = Paper::Column;
  [[nodiscard]] std::string say(std::string_view key) const { return word(language_, key); }
  void add(Paper::Block block) { out_.blocks.push_back(std::move(block)); }
  void title(std::string_view key) { add(Paper::Heading{.text = say(key)}); }
  [[nodiscard]] const json::Value& part(std::string_view name) const { return *facts_.find(name); }
  [[nodiscard]] std::string place() const { return text_in(part("table"), "place"); }
  /// "Table 7", whether the house calls the place "7" or "Mesa 7".
  [[nodiscard]] std::string place_words() const {
    const auto named = [this](Language language) {
      return place().starts_with(std::string(word(language, "table")) + " ");
    };
    return named(Language::es) || named(Language::en) ? place() : say("table") + " " + place();
  }
  [[nodiscard]] std::string class_words(const certs::Verdict& verdict) const {
    return say(certs::verdict_class_name(verdict.verdict_class)) +
           (verdict.development ? "; " + say("development") : "");
  }

  void first_page(const certs::Verdict& verdict) {
    const auto& table = part("table");
    const auto& round = part("round");
    add(Paper::Title{.text = say("title"),
                     .lead = {text_in(table, "name") + " · " + place_words() + " · " +
                                  say("round") + " " + text_in(round, "number"),
                              both_times_text(round.find("settled")->integer())}});
    if (verdict.development || verdict.verdict_class != certs::VerdictClass::certified)
      add(Paper::Warning{.text = class_words(verdict)});
    outcome();
    cards();
    poker();
    decisions();
    results();
    totals();
    code();
    add(Paper::Signatures{.who = {say("sign_guest"), say("sign_casino"), say("sign_inspector")}});
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
      add(Paper::Drawn{.text = std::move(shown)});
    }
  }

  /// Cards by who holds them, in the order in which the first of each came.
  [[nodiscard]] std::vector<std::pair<std::string, Paper::Hand>> laid() const {
    std::vector<std::pair<std::string, Paper::Hand>> all;
    std::map<std::string, int> hidden;           // that nobody saw, by holder
    std::map<std::int64_t, std::string> turned;  // by position, of cards that came covered
    for (const auto& event : part("events").array()) {
      if (text_in(event, "what") == "opened")
        turned[event.find("position")->integer()] = text_in(event, "card");
    }
    for (const auto& event : part("events").array()) {
      if (text_in(event, "what") != "card") continue;
      const std::string holder = holder_of(text_in(event, "place"));
      auto found = std::ranges::find(all, holder, &std::pair<std::string, Paper::Hand>::first);
      if (found == all.end()) {
        const std::string name = text_in(event, "name");
        all.push_back({holder, {.name = name.substr(0, name.find(',')), .cards = {}, .note = {}}});
        found = all.end() - 1;
      }
      std::string card = text_in(event, "card");
      if (const auto open = turned.find(event.find("position")->integer());
          card.empty() && open != turned.end())
        card = open->second;
      if (card.empty()) {
        ++hidden[holder];
      } else {
        found->second.cards.push_back(std::move(card));
      }
    }
    for (auto& [holder, hand] : all) {
      hand.note = counted(holder);
      if (hidden[holder] > 0)
        hand.note += (hand.note.empty() ? "" : "; ") + std::to_string(hidden[holder]) + " " +
                     say("unseen_cards");
    }
    return all;
  }

  /// What the rules count of a holder's cards; of several hands, of each.
  [[nodiscard]] std::string counted(const std::string& holder) const {
    std::string all;
    for (const auto& one : part("counts").array()) {
      if (text_in(one, "holder") != holder) continue;
      all += (all.empty() ? "" : ", ") + text_in(one, "total");
    }
    return all.empty() ? all : say("counts") + " " + all;
  }

  void cards() {
    Paper::Hands block;
    for (auto& [holder, hand] : laid()) block.all.push_back(std::move(hand));
    if (block.all.empty()) return;
    title("cards");
    add(std::move(block));
  }

  void poker() {
    const auto& all = part("hands").array();
    if (all.empty()) return;
    title("hands");
    Paper::List list;
    for (const auto& hand : all) {
      const auto holder = text_in(hand, "holder");
      const auto which = text_in(hand, "which");
      const auto who = holder.starts_with("seat-") ? say("seat") + " " + holder.substr(5)
                                                   : word_or_code(language_, "holder", holder);
      list.items.push_back(who +
                           (which.empty() ? "" : ", " + word_or_code(language_, "hand", which)) +
                           ": " + text_in(hand, "text"));
    }
    add(std::move(list));
  }

  void decisions() {
    Paper::List list{.numbered = true, .small = false, .items = {}};
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
      list.items.push_back(std::move(words));
    }
    if (list.items.empty()) return;
    title("decisions");
    add(std::move(list));
  }

  void results() {
    title("results");
    std::map<std::string, std::string> on;
    for (const auto& bet : part("bets").array()) {
      if (bet.find("on") != nullptr)
        on[text_in(bet, "bet")] = " (" + joined(bet.find("on"), "-") + ")";
    }
    Paper::Grid grid{.columns = {Column::text, Column::text, Column::number, Column::text,
                                 Column::number, Column::number},
                     .heads = {say("seat"), say("bet"), say("stake"), say("result"),
                               say("returned"), say("net")},
                     .small = false,
                     .rows = {}};
    for (const auto& one : part("results").array()) {
      grid.rows.push_back(
          {{text_in(one, "seat"), {}},
           {text_in(one, "name") + on[text_in(one, "bet")],
            say("rule") + " " + text_in(one, "rule") + ": " + joined(one.find("sentences"), "; ")},
           {text_in(one, "money_stake"), {}},
           {word_or_code(language_, "result", text_in(one, "result")), {}},
           {text_in(one, "money_returned"), {}},
           {text_in(one, "money_net"), {}}});
    }
    add(std::move(grid));
  }

  void totals() {
    title("totals");
    Paper::Grid grid{.columns = {Column::text, Column::number, Column::number, Column::number},
                     .heads = {say("seat"), say("staked"), say("returned"), say("net")},
                     .small = false,
                     .rows = {}};
    for (const auto& one : part("totals").array()) {
      grid.rows.push_back({{text_in(one, "seat"), {}},
                           {text_in(one, "money_staked"), {}},
                           {text_in(one, "money_returned"), {}},
                           {text_in(one, "money_net"), {}}});
    }
    add(std::move(grid));
  }

  void code() {
    const std::string named = "sha256:" + options_.evidence_digest + " " +
                              text_in(facts_, "origin") + " " + text_in(facts_, "record");
    const bool linked = !options_.link.empty();
    add(Paper::Code{.text = linked ? options_.link : named,
                    .words = say(linked ? "code_link" : "code_digest")});
  }

  void evidence(const certs::Verdict& verdict) {
    const auto& table = part("table");
    const auto& round = part("round");
    add(Paper::Heading{.text = say("check"), .new_page = true});
    const auto id = text_in(table, "id");
    Paper::Grid grid{
        .columns = {Column::name, Column::text}, .heads = {}, .small = false, .rows = {}};
    const auto pair = [&](std::string name, std::string value) {
      grid.rows.push_back({{std::move(name), {}}, {std::move(value), {}}});
    };
    pair(say("class"), class_words(verdict));
    pair(say("appliance"), text_in(facts_, "origin"));
    pair(say("record"), text_in(facts_, "record"));
    pair(say("table"), place() == id ? id : place() + " (" + id + ")");
    pair(say("round"), text_in(round, "number") + " (" + text_in(round, "id") + ")");
    pair(say("opened"), both_times_text(round.find("opened")->integer()));
    pair(say("settled"),
         both_times_text(round.find("settled")->integer()) + " (" + say("clock") + ": " +
             word_or_code(language_, "clock", text_in(round, "time_quality")) + ")");
    pair(say("catalogue"), text_in(table, "law") + "; " + text_in(table, "source"));
    add(std::move(grid));
    Paper::Grid digests{
        .columns = {Column::name, Column::code}, .heads = {}, .small = true, .rows = {}};
    digests.rows.push_back(
        {{say("catalogue") + ": " + say("digest"), {}}, {text_in(table, "digest"), {}}});
    digests.rows.push_back({{say("evidence_digest"), {}}, {options_.evidence_digest, {}}});
    add(std::move(digests));
    Paper::List list{.numbered = false, .small = true, .items = {}};
    for (const auto& one : verdict.checked)
      list.items.push_back(say("checked") + ": " + certs::note_text(one, out_.language));
    for (const auto& one : verdict.not_checked)
      list.items.push_back(say("not_checked") + ": " + certs::note_text(one, out_.language));
    add(std::move(list));
  }

  /// Each record once, in the order of the log.
  void log() {
    title("play");
    Paper::Grid grid{.columns = {Column::number, Column::text, Column::text},
                     .heads = {},
                     .small = true,
                     .rows = {}};
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
      grid.rows.push_back({{text_in(event, "seq"), {}},
                           {time_text(event.find("time")->integer()), {}},
                           {std::move(words), {}}});
    }
    add(std::move(grid));
  }

  void parameters() {
    title("parameters");
    Paper::Grid grid{
        .columns = {Column::name, Column::text}, .heads = {}, .small = true, .rows = {}};
    for (const auto& one : part("table").find("parameters")->array())
      grid.rows.push_back({{text_in(one, "name"), {}}, {text_in(one, "words"), {}}});
    add(std::move(grid));
  }

  const json::Value& facts_;
  Language language_;
  const PaperOptions& options_;
  Paper out_;
};

}  // namespace

Paper paper_of(const json::Value& facts, const certs::Verdict& verdict, Language language,
               const PaperOptions& options) {
  return PaperMaker(facts, language, options).make(verdict);
}

Result<std::string> round_html(const certs::Bundle& bundle, const certs::Verdict& verdict,
                               Language language, const PaperOptions& options) {
  TALLA_TRY(const auto facts, round_facts(bundle, language));
  return html_of(paper_of(facts, verdict, language, options));
}

Result<std::string> round_pdf(const certs::Bundle& bundle, const certs::Verdict& verdict,
                              Language language, const PaperOptions& options) {
  TALLA_TRY(const auto facts, round_facts(bundle, language));
  return pdf_of(paper_of(facts, verdict, language, options));
}

}  // namespace talla::report
