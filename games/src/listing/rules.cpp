// A game's rules as sentences, each with its section.
#include <algorithm>
#include <array>
#include <charconv>

#include "engines/dice/sentence.hpp"
#include "games/catalogue.hpp"
#include "games/listing.hpp"
#include "games/listing_words.hpp"
#include "speech/speech.hpp"

namespace talla::games {
namespace {

std::string joined(const std::vector<std::string>& all) {
  std::string out;
  for (const auto& one : all) out += (out.empty() ? "" : ", ") + one;
  return out;
}

/// "7 to 6", "35 to 1".
std::string odds_text(const Fraction& pays, const Words& words) {
  const auto text = pays.text();
  const auto slash = text.find('/');
  if (slash == std::string::npos) return text + " " + words("to") + " 1";
  return text.substr(0, slash) + " " + words("to") + " " + text.substr(slash + 1);
}

/// Writes the sentences of one game.
class RulesWriter {
 public:
  RulesWriter(const Catalogue& catalogue, const GameRules& game, std::string_view language)
      : catalogue_(&catalogue),
        game_(&game),
        language_(language),
        words_(language),
        speaker_(catalogue, game, language) {}

  std::vector<RuleLine> write() {
    equipment();
    for (const auto& bet : game_->bets) add("bets", bet.id, sentence(bet), bet.cite);
    for (const auto& limit : game_->limits) add("limits", "", sentence(limit), limit.cite);
    for (const auto& minimum : game_->minimums) add("limits", "", sentence(minimum), minimum.cite);
    for (const auto& parameter : game_->parameters)
      add("choices", parameter.id, sentence(parameter), parameter.cite);
    for (const auto& action : game_->actions)
      add("actions", action.id, named("action", action.id), action.cite);
    for (const auto& error : game_->errors) {
      auto text = named("error", error.code) + ": " + speaker_.word("effect", error.effect);
      if (!error.window.empty()) text += "; " + speaker_.word("window", error.window);
      add("errors", error.code, std::move(text), error.cite);
    }
    if (game_->payments) add("payments", "", sentence(*game_->payments), game_->payments->cite);
    for (const auto& end : game_->session_ends) add("session", "", sentence(end), end.cite);
    for (const auto& [name, block] : game_->data) {
      for (auto& one : speaker_.block(name, block.value))
        add("figures", name, std::move(one), block.cite);
    }
    return std::move(out_);
  }

 private:
  void add(std::string part, std::string id, std::string text, const Citation& cite) {
    out_.push_back(
        {std::move(part), std::move(id), std::move(text), game_->rule(cite), cite.reading});
  }
  [[nodiscard]] std::string named(std::string_view category, const std::string& code) const {
    return catalogue_->text(language_, category, code) + " (" + code + ")";
  }

  void equipment() {
    if (!game_->base.empty()) {
      add("equipment", "base", words_("rests on") + " " + game_->base + ": " + game_->base_decree,
          game_->cite);
    }
    if (!game_->follows.empty()) {
      add("equipment", "follows", words_("follows") + " " + named("game", game_->follows),
          game_->cite);
    }
    if (game_->draw)
      add("equipment", "draw", sentence(*game_->draw), game_->draw_cite.value_or(game_->cite));
    if (game_->shoe)
      add("equipment", "shoe", sentence(*game_->shoe), game_->shoe_cite.value_or(game_->cite));
    std::string places;
    for (const auto& place : game_->places)
      places += (places.empty() ? "" : ", ") + named("place", place.id);
    if (!places.empty())
      add("equipment", "places", words_("places") + ": " + places, game_->places.front().cite);
    if (game_->seats_max > 0) {
      add("equipment", "seats_max",
          words_("seats at most") + " " + std::to_string(game_->seats_max), game_->cite);
    }
    if (game_->boxes_max > 0) {
      add("equipment", "boxes_max",
          words_("boxes at most") + " " + std::to_string(game_->boxes_max), game_->cite);
    }
  }
  [[nodiscard]] std::string sentence(const Draw& draw) const {
    if (draw.kind == DrawKind::wheel) {
      return words_("wheel") + " " + std::to_string(draw.pockets.size()) + ": " +
             pockets(draw.pockets);
    }
    return words_(draw_kind_name(draw.kind)) + ": " + std::to_string(draw.count) + ", " +
           words_("faces") + " 1-" + std::to_string(draw.faces);
  }
  [[nodiscard]] std::string sentence(const PaymentOrder& order) const {
    std::string out = words_("paid in this order") + " " + speaker_.bets(order.bets);
    if (order.together) out += "; " + words_("paid together");
    if (!order.apart.empty()) out += ", " + words_("but not") + " " + speaker_.bets(order.apart);
    return out;
  }
  [[nodiscard]] std::string sentence(const SessionEndRule& end) const {
    const bool several = end.count > 1;
    std::string out = words_("last " + std::string(end_of_name(end.of)) + (several ? "s" : ""));
    if (several) out += " " + std::to_string(end.count);
    return end.when ? out + ", " + speaker_.condition(*end.when) : out;
  }
  /// The order of the wheel; where cells carry the same, how many carry what.
  [[nodiscard]] static std::string pockets(const std::vector<std::string>& all) {
    std::vector<std::pair<std::string, std::size_t>> counts;
    for (const auto& one : all) {
      const auto found = std::find_if(counts.begin(), counts.end(),
                                      [&](const auto& count) { return count.first == one; });
      if (found == counts.end()) {
        counts.emplace_back(one, 1);
      } else {
        ++found->second;
      }
    }
    if (counts.size() == all.size()) return joined(all);
    std::string out;
    for (const auto& [code, count] : counts)
      out += (out.empty() ? "" : ", ") + std::to_string(count) + " x " + code;
    return out;
  }
  /// "6 French decks of 52 cards" of "french52x6".
  [[nodiscard]] std::string decks(const ShoeNeed& shoe) const {
    std::size_t count = 0;
    const auto number = std::string_view(shoe.deck).substr(shoe.deck.rfind('x') + 1);
    std::from_chars(number.data(), number.data() + number.size(), count);
    if (count == 0) return shoe.deck;
    const std::string kind = shoe.deck.starts_with("spanish") ? "Spanish deck" : "French deck";
    return std::to_string(count) + " " + words_(kind + (count == 1 ? "" : "s")) + " " +
           std::to_string(shoe.cards_count / count) + " " + words_("cards") +
           (shoe.deck.find("+1j") == std::string::npos ? "" : ", " + words_("with a joker"));
  }
  [[nodiscard]] std::string sentence(const ShoeNeed& shoe) const {
    if (shoe.deck.starts_with("balls")) {
      return words_("cage of") + " " + std::to_string(shoe.cards_count) + " " + words_("balls") +
             " (" + shoe.deck + ")";
    }
    std::string out = words_("shoe of") + " " + decks(shoe) + " (" + shoe.deck +
                      "): " + std::to_string(shoe.cards_count) + " " + words_("cards");
    if (shoe.stop_depth > 0)
      out += "; " + words_("stop card before the last") + " " + std::to_string(shoe.stop_depth);
    const auto stop = speaker_.word("stop-card", game_->family);
    if (shoe.stop_depth > 0 && stop != game_->family) out += "; " + stop;
    return out;
  }

  [[nodiscard]] std::string covers(const BetRule& bet) const {
    const auto count =
        bet.covers.is_array() ? std::to_string(bet.covers.array().size()) : std::string();
    switch (bet.on) {
      case OnForm::none:
        if (bet.covers.is_string())
          return words_("on") + " " + speaker_.word("covers", bet.covers.string());
        return bet.covers.is_array() ? words_("covers") + " " + plain(bet.covers) : "";
      case OnForm::set:
        return words_("one of") + " " + count + " " + words_("positions");
      case OnForm::index:
        return words_("index") + " 1-" + count;
      case OnForm::pair:
        return words_("two indices") + " 1-" + count;
      case OnForm::numbers:
        return plain(*bet.covers.find("count")) + " " + words_("numbers of") + " 1-" +
               plain(*bet.covers.find("highest"));
    }
    return "";
  }
  [[nodiscard]] std::string price(const Payout& payout) const {
    std::string out = payout.when == "win" ? "" : speaker_.word("when", payout.when) + ": ";
    out += words_("pays") + " " + odds_text(payout.pays, words_);
    if (!payout.commission.is_zero()) {
      out += " " + words_("less") + " " + (payout.commission * Fraction(100)).text() +
             " %: " + odds_text(payout.pays - payout.commission, words_) + " " + words_("net");
    }
    if (!payout.commission_parameter.empty())
      out += " " + words_("less") + " " + speaker_.chosen(payout.commission_parameter);
    return out;
  }
  [[nodiscard]] std::string sentence(const BetRule& bet) const {
    std::string out = named("bet", bet.id);
    const auto spoken = game_->family == "dice"
                            ? dice::sentence_of(*catalogue_, *game_, bet, language_)
                            : std::string();
    if (!spoken.empty()) out += "; " + spoken;
    const bool own_words = !spoken.empty() && bet.on == OnForm::none;
    if (const auto where = covers(bet); !where.empty() && !bet.is_call() && !own_words)
      out += "; " + where;
    for (const auto& more : bet.covers_when) {
      out += "; " + speaker_.condition(more.when) + " " + words_("also") + " " + plain(more.covers);
    }
    for (const auto& member : bet.members) {
      out += "; " + std::to_string(member.chips) + " x " +
             catalogue_->text(language_, "bet", member.bet);
      if (!member.on.empty()) out += " " + joined(member.on);
    }
    if (bet.neighbours) {
      out += "; " + catalogue_->text(language_, "bet", bet.neighbours->bet) + " " +
             words_("and neighbours") + " " + std::to_string(bet.neighbours->each_side);
    }
    for (const auto& payout : bet.payouts) out += "; " + price(payout);
    for (const auto& more : bet.payouts_when)
      out += "; " + speaker_.condition(more.when) + " " + price(more.payout);
    if (bet.offered_if) out += "; " + words_("offered") + " " + speaker_.condition(*bet.offered_if);
    return out;
  }

  [[nodiscard]] std::string sentence(const LimitRule& limit) const {
    std::string out = speaker_.bets(limit.bets) + ": " + words_("at most") + " ";
    out += limit.multiple_parameter.empty() ? limit.multiple.text()
                                            : speaker_.chosen(limit.multiple_parameter);
    for (const auto& more : limit.multiple_when)
      out += ", " + more.multiple.text() + " " + speaker_.condition(more.when);
    if (!limit.base_parameter.empty()) out += " x " + speaker_.chosen(limit.base_parameter);
    if (limit.base_when) out += " (" + speaker_.condition(*limit.base_when) + ")";
    out += " x " + words_("minimum") + ", " + words_("adding up") + " ";
    static constexpr std::array<std::string_view, 4> scopes{"of a bet", "of a seat", "of a box",
                                                            "of the table"};
    out += limit.scope_parameter.empty()
               ? words_(scopes.at(static_cast<std::size_t>(limit.scope)))
               : words_("as chosen in") + " " + speaker_.chosen(limit.scope_parameter);
    return out;
  }
  [[nodiscard]] std::string sentence(const MinimumRule& minimum) const {
    std::string out = speaker_.bets(minimum.bets) + ": " + words_("at least") + " ";
    out += minimum.multiple_parameter.empty() ? minimum.multiple.text()
                                              : speaker_.chosen(minimum.multiple_parameter);
    out += " x " + words_("minimum");
    if (minimum.stepped) out += ", " + words_("in multiples of it");
    if (!minimum.stepped_parameter.empty()) {
      out += ", " + words_("in multiples of it") + " (" + words_("as chosen in") + " " +
             speaker_.chosen(minimum.stepped_parameter) + ")";
    }
    return out;
  }
  /// "in words (code)", or the code alone where that says it.
  [[nodiscard]] std::string value_of(const ParameterRule& rule, const json::Value& value) const {
    const auto code = plain(value);
    const auto words = speaker_.value(rule.id, value);
    return words == code ? code : words + " (" + code + ")";
  }
  [[nodiscard]] std::string sentence(const ParameterRule& rule) const {
    std::string out = named("parameter", rule.id) + ": ";
    if (!rule.allowed.empty()) {
      std::string values;
      for (const auto& value : rule.allowed)
        values += (values.empty() ? "" : " | ") + value_of(rule, value);
      out += values;
    } else if (rule.type == ParameterType::boolean) {
      out += value_of(rule, true) + " | " + value_of(rule, false);
    } else if (rule.min && rule.max) {
      out += rule.min->text() + " " + words_("to range") + " " + rule.max->text();
    }
    if (rule.type == ParameterType::amount) out += words_("an amount");
    out += rule.fallback ? "; " + words_("default") + " " + value_of(rule, *rule.fallback) +
                               (rule.currency.empty() ? "" : " " + rule.currency)
                         : "; " + words_("no default");
    static constexpr std::array<std::string_view, 3> by{"reading", "casino", "regulator"};
    return out + "; " + words_("set by") + " " +
           words_(by.at(static_cast<std::size_t>(rule.set_by)));
  }

  const Catalogue* catalogue_;
  const GameRules* game_;
  std::string_view language_;
  Words words_;
  speech::Speaker speaker_;
  std::vector<RuleLine> out_;
};

}  // namespace

std::vector<RuleLine> rule_lines(const Catalogue& catalogue, const GameRules& game,
                                 std::string_view language) {
  return RulesWriter(catalogue, game, language).write();
}

}  // namespace talla::games
