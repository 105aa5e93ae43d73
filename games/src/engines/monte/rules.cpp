#include "engines/monte/rules.hpp"

#include <algorithm>
#include <set>

#include "base/check.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::monte {
namespace {

tl::unexpected<Error> bad(const GameRules& rules, const std::string& why) {
  return fail(Errc::catalogue_malformed, rules.id + ": " + why);
}

constexpr std::array<std::string_view, 8> block_names = {"annulled", "deduction", "forms", "layout",
                                                         "points",   "rounds",    "salto", "suits"};

/// A choice parameter, its default first, and the flag that its other value sets.
struct Reading {
  std::string_view id;
  std::string_view usual;
  std::string_view other;
  bool Rules::*flag;
};
constexpr std::array<Reading, 13> readings = {{
    {"vista_hermosa_rounds", "primeras", "both", &Rules::vista_in_both},
    {"deduction_base", "winnings", "stake", &Rules::deduct_from_stake},
    {"deduction_scope", "first-card", "round", &Rules::deduct_whole_round},
    {"untouched_cartas", "continue", "return", &Rules::return_untouched},
    {"equal_fourth", "burn", "redeal", &Rules::fourth_redeals},
    {"burned_rank", "tripled", "plain", &Rules::burned_is_plain},
    {"exact_points", "per-card", "per-place", &Rules::points_per_place},
    {"segundas_points", "none", "per-card", &Rules::segundas_points},
    {"unreachable_card", "refused", "accepted", &Rules::accept_unreachable},
    {"annulment_reach", "opposite", "everywhere", &Rules::annul_everywhere},
    {"diagonals_one_doubled", "annulled", "free", &Rules::diagonals_free},
    {"salto_annulment", "all-others", "cartas-table", &Rules::salto_by_table},
    {"dead_side", "accepted", "refused", &Rules::refuse_dead_side},
}};

Result<Relation> relation_from(const json::Value& value) {
  if (value == json::Value("camo")) return Relation::camo;
  if (value == json::Value("anti")) return Relation::anti;
  if (value == json::Value("viudo")) return Relation::viudo;
  return fail(Errc::catalogue_malformed, "a card is camo, anti or viudo");
}

Result<std::vector<Relation>> read_relations(json::Reader& reader, std::string_view key) {
  TALLA_TRY(const auto* list, reader.array(key));
  std::vector<Relation> out;
  for (const auto& one : *list) {
    TALLA_TRY(const auto relation, relation_from(one));
    if (std::find(out.begin(), out.end(), relation) != out.end()) {
      return fail(Errc::catalogue_malformed, std::string(key) + ": the same twice");
    }
    out.push_back(relation);
  }
  return out;
}

Result<Form> read_form(json::Reader& reader) {
  static const std::map<std::string, Form, std::less<>> known = {
      {"vista", {FormKind::vista, Relation::camo}},
      {"camo", {FormKind::exact, Relation::camo}},
      {"anti", {FormKind::exact, Relation::anti}},
      {"viudo", {FormKind::exact, Relation::viudo}},
      {"salto", {FormKind::salto, Relation::camo}},
      {"horizontal", {FormKind::horizontal, Relation::camo}},
      {"vertical", {FormKind::vertical, Relation::camo}},
      {"two", {FormKind::two, Relation::camo}}};
  TALLA_TRY(const auto name, reader.string("form"));
  const auto found = known.find(name);
  if (found == known.end())
    return fail(Errc::catalogue_malformed, "form " + name.substr(0, 40) + " is not known");
  Form out = found->second;
  TALLA_TRY(const auto* rounds, reader.array("rounds"));
  for (const auto& one : *rounds) {
    if (one != json::Value("primeras") && one != json::Value("segundas")) {
      return fail(Errc::catalogue_malformed, "a round is primeras or segundas");
    }
    (one == json::Value("primeras") ? out.primeras : out.segundas) = true;
  }
  if (!out.primeras && !out.segundas) return fail(Errc::catalogue_malformed, "a bet of no round");
  if (out.kind == FormKind::exact && out.primeras == out.segundas) {
    return fail(Errc::catalogue_malformed, name + " has one round, its payout differs");
  }
  return out;
}

Result<AnnulRow> read_annul_row(const json::Value& value) {
  json::Reader reader(value, "annulled");
  AnnulRow out;
  TALLA_TRY(const auto first, reader.integer("first", 1, 2));
  TALLA_TRY(const auto second, reader.integer("second", 0, first));
  TALLA_TRY(const auto card, reader.integer("card", 1, 4));
  TALLA_TRY(const auto by, reader.integer("by", 1, 2));
  out.first = static_cast<std::size_t>(first);
  out.second = static_cast<std::size_t>(second);
  out.card = static_cast<std::size_t>(card - 1);
  out.by = static_cast<std::size_t>(by - 1);
  TALLA_TRY(out.annuls, read_relations(reader, "cards"));
  if (reader.has("diagonals")) {
    TALLA_TRY(out.diagonals, reader.boolean("diagonals"));
  }
  TALLA_TRY_STATUS(reader.finish());
  if (out.annuls.empty() || out.card == out.by)
    return fail(Errc::catalogue_malformed, "a row that annuls nothing");
  return out;
}

const DataBlock& block(const GameRules& rules, std::string_view name) {
  const auto found = rules.data.find(name);
  TALLA_CHECK(found != rules.data.end());
  return found->second;
}

Status read_forms(const GameRules& rules, Rules& out) {
  for (const auto& [bet, value] : block(rules, "forms").value.object()) {
    if (rules.bet(bet) == nullptr) return bad(rules, "forms names no bet: " + bet);
    json::Reader reader(value, "forms." + bet);
    TALLA_TRY(out.forms[bet], read_form(reader));
    TALLA_TRY_STATUS(reader.finish());
  }
  return {};
}

Status read_blocks(const GameRules& rules, Rules& out) {
  TALLA_TRY_STATUS(read_forms(rules, out));
  json::Reader suits(block(rules, "suits").value, "suits");
  TALLA_TRY(out.circle, suits.string("circle"));
  TALLA_TRY_STATUS(suits.finish());
  json::Reader annulled(block(rules, "annulled").value, "annulled");
  TALLA_TRY(const auto* rows, annulled.array("rows"));
  for (const auto& row : *rows) {
    TALLA_TRY(auto one, read_annul_row(row));
    out.annulled.push_back(std::move(one));
  }
  TALLA_TRY_STATUS(annulled.finish());
  json::Reader salto(block(rules, "salto").value, "salto");
  TALLA_TRY(out.salto_keeps, read_relations(salto, "keeps"));
  TALLA_TRY_STATUS(salto.finish());
  json::Reader points(block(rules, "points").value, "points");
  TALLA_TRY(out.points_extra_vista, points.integer("vista_extra", 0, 100));
  TALLA_TRY(out.points_burned_vista, points.integer("vista_burned", 0, 100));
  TALLA_TRY(out.points_extra_exact, points.integer("exact_extra", 0, 100));
  TALLA_TRY_STATUS(points.finish());
  json::Reader deduction(block(rules, "deduction").value, "deduction");
  TALLA_TRY(const auto share, deduction.string("share"));
  TALLA_TRY(out.deduction, Fraction::parse(share));
  TALLA_TRY_STATUS(deduction.finish());
  for (const auto* name : {"layout", "rounds"}) {
    json::Reader plain(block(rules, name).value, name);
    TALLA_TRY_STATUS(plain.finish());
  }
  out.points_cite = block(rules, "points").cite;
  out.deduction_cite = block(rules, "deduction").cite;
  out.annulled_cite = block(rules, "annulled").cite;
  out.rounds_cite = block(rules, "rounds").cite;
  out.layout_cite = block(rules, "layout").cite;
  return {};
}

/// `on` of a bet: single places, or two places for the form that takes two.
Status check_covers(const GameRules& rules, const BetRule& bet, const Form& form) {
  const std::size_t wanted = form.kind == FormKind::two ? 2 : 1;
  if (bet.on != OnForm::set || !bet.covers_when.empty() || !bet.covers.is_array()) {
    return bad(rules, bet.id + ": on is \"set\", covers lists places");
  }
  for (const auto& position : bet.covers.array()) {
    std::set<std::int64_t> places;
    for (const auto& code : position.array()) {
      if (!code.is_integer() || code.integer() < 1 || code.integer() > 4) {
        return bad(rules, bet.id + ": a place is 1 to 4");
      }
      places.insert(code.integer());
    }
    if (places.size() != wanted || position.array().size() != wanted) {
      return bad(rules, bet.id + ": covers has " + std::to_string(wanted) + " places each");
    }
  }
  if (bet.payouts.size() != 1 || bet.payout("win") == nullptr)
    return bad(rules, bet.id + ": one payout, for win");
  return {};
}

Status check_readings(const GameRules& rules) {
  for (const auto& one : readings) {
    const auto* rule = rules.parameter(one.id);
    const auto known = [&](const json::Value& value) {
      return value == json::Value(one.usual) || value == json::Value(one.other);
    };
    if (rule == nullptr || rule->type != ParameterType::choice ||
        !std::all_of(rule->allowed.begin(), rule->allowed.end(), known)) {
      return bad(rules, "parameter " + std::string(one.id) + " is missing or has unknown values");
    }
  }
  return {};
}

Status check_places(const GameRules& rules) {
  static const std::set<std::string> wanted = {"carta-1", "carta-2", "carta-3", "carta-4",
                                               "descubierta"};
  std::set<std::string> found;
  for (const auto& place : rules.places) found.insert(place.id);
  if (found != wanted) return bad(rules, "places are carta-1 to carta-4 and descubierta");
  if (!rules.actions.empty() || !rules.errors.empty())
    return bad(rules, "monte has no actions and no errors");
  return {};
}

}  // namespace

const Form& Rules::form(std::string_view kind) const {
  const auto found = forms.find(kind);
  TALLA_CHECK(found != forms.end());
  return found->second;
}

Relation Rules::relation(Card placed, Card card) const {
  const auto from = circle.find(placed.text().back());
  const auto to = circle.find(card.text().back());
  TALLA_CHECK(from != std::string::npos && to != std::string::npos && from != to);
  const auto steps = (to + circle.size() - from) % circle.size();
  if (steps == 1) return Relation::camo;
  return steps == 2 ? Relation::viudo : Relation::anti;
}

Status check_monte_rules(const GameRules& rules) {
  const auto deck = rules.shoe
                        ? shuffle::DeckSpec::parse(rules.shoe->deck)
                        : Result<shuffle::DeckSpec>(fail(Errc::catalogue_malformed, "no shoe"));
  if (!deck || deck->options().family == shuffle::DeckFamily::french52 ||
      deck->options().decks_count != 1 || rules.shoe->stop_depth != 0) {
    return bad(rules, "the game needs one Spanish deck without a stop card");
  }
  for (const auto name : block_names) {
    if (!rules.data.contains(name))
      return bad(rules, "data block " + std::string(name) + " is missing");
  }
  if (rules.data.size() != block_names.size()) return bad(rules, "a data block is not known");
  Rules out;
  TALLA_TRY_STATUS(read_blocks(rules, out));
  auto circle = out.circle;
  std::sort(circle.begin(), circle.end());
  if (circle != "bceo") return bad(rules, "the circle has the suits o, c, e and b");
  if (out.salto_keeps.size() != 3) return bad(rules, "salto.keeps orders camo, anti and viudo");
  if (out.deduction > Fraction(1)) return bad(rules, "a deduction beyond the whole");
  for (const auto& bet : rules.bets) {
    const auto form = out.forms.find(bet.id);
    if (form == out.forms.end()) return bad(rules, "bet " + bet.id + " has no form");
    TALLA_TRY_STATUS(check_covers(rules, bet, form->second));
  }
  TALLA_TRY_STATUS(check_places(rules));
  return check_readings(rules);
}

std::shared_ptr<const Rules> read_monte_rules(const GameRules& rules, const Params& params) {
  auto out = std::make_shared<Rules>();
  TALLA_CHECK(rules.shoe.has_value());
  out->shoe = *rules.shoe;
  TALLA_CHECK(read_blocks(rules, *out).has_value());
  for (const auto& one : readings) (*out).*(one.flag) = params.choice(one.id) == one.other;
  return out;
}

}  // namespace talla::games::monte
