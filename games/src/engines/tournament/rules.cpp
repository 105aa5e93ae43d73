#include "engines/tournament/rules.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <string>

#include "engines/shared/rules_check.hpp"
#include "games/refusal.hpp"

namespace talla::games::tournament {
namespace {

constexpr std::string_view own_shares = "own";
constexpr std::int64_t own_places = 10;

struct Number {
  std::string_view id;
  std::int64_t least;
};
constexpr std::array number_list{
    Number{"entry_price", 1},   Number{"rebuy_price", 1},     Number{"addon_price", 1},
    Number{"stack", 1},         Number{"rebuy_stack", 1},     Number{"addon_stack", 1},
    Number{"entries_min", 2},   Number{"entries_max", 2},     Number{"late_levels", 0},
    Number{"rebuys_max", 0},    Number{"rebuy_levels", 0},    Number{"addon_level", 0},
    Number{"opening_blind", 1}, Number{"guaranteed_fund", 0},
};

std::string own_share(std::int64_t place) {
  return "prize_" + std::to_string(place);
}

Status check_number(const GameRules& rules, const std::string& id, std::int64_t least,
                    ParameterType type = ParameterType::integer) {
  const auto* parameter = rules.parameter(id);
  if (parameter == nullptr || parameter->type != type)
    return bad_rules(rules, id + " is missing or of another type");
  if (!parameter->min || !parameter->max || *parameter->min < Fraction(least) ||
      *parameter->max > Fraction(1'000'000))
    return bad_rules(rules, id + " is bounded, and at least " + std::to_string(least));
  return {};
}

Status check_parameters(const GameRules& rules) {
  for (const auto& one : number_list)
    TALLA_TRY_STATUS(check_number(rules, std::string(one.id), one.least));
  for (std::int64_t place = 1; place <= own_places; ++place)
    TALLA_TRY_STATUS(check_number(rules, own_share(place), 0));
  for (const std::string id : {"organisation_share", "ante_rate"}) {
    TALLA_TRY_STATUS(check_number(rules, id, 0, ParameterType::fraction));
    if (*rules.parameter(id)->max > Fraction(1)) return bad_rules(rules, id + " is at most all");
  }
  TALLA_TRY_STATUS(check_choice(rules, "rebuy_when", {"no-chips", "up-to-first-stack"}));
  TALLA_TRY_STATUS(check_choice(rules, "deducted_from", {"all", "entries"}));
  TALLA_TRY_STATUS(check_choice(rules, "same_hand", {"stack-at-start", "shared"}));
  TALLA_TRY_STATUS(check_choice(rules, "prize_remainder", {"first", "even"}));
  return check_choice(rules, "unfinished", {"by-chips", "shared"});
}

/// The rows of a block are the values of its parameter, lists of numbers from 1.
Status check_lists(const GameRules& rules, const std::string& block, std::string_view id,
                   std::int64_t sum, std::string_view beside = {}) {
  const auto* parameter = rules.parameter(id);
  if (parameter == nullptr || parameter->type != ParameterType::choice)
    return bad_rules(rules, "no choice parameter " + std::string(id));
  std::set<std::string> values;
  for (const auto& value : parameter->allowed) values.insert(value.string());
  values.erase(std::string(beside));
  for (const auto& [name, list] : rules.data.find(block)->second.value.object()) {
    if (values.erase(name) == 0) return bad_rules(rules, block + "." + name + " is no value");
    std::int64_t all = 0;
    if (!list.is_array() || list.array().empty() || list.array().size() > 1000)
      return bad_rules(rules, block + "." + name + " is a list");
    for (const auto& one : list.array()) {
      if (!one.is_integer() || one.integer() < 1 || one.integer() > 1'000'000)
        return bad_rules(rules, block + "." + name + " is a list of numbers from 1");
      all += one.integer();
    }
    if (sum > 0 && all != sum)
      return bad_rules(rules, block + "." + name + " is not " + std::to_string(sum) + " together");
  }
  return values.empty() ? Status()
                        : Status(bad_rules(rules, block + " has no row " + *values.begin()));
}

Status check_data(const GameRules& rules) {
  const std::set<std::string, std::less<>> known{"levels", "prizes", "fund", "play"};
  for (const auto& [name, block] : rules.data) {
    if (!known.contains(name)) return bad_rules(rules, "data block '" + name + "' is not known");
  }
  for (const auto& name : known) {
    if (!rules.data.contains(name)) return bad_rules(rules, "no data block '" + name + "'");
  }
  for (const std::string name : {"fund", "play"}) {
    if (!rules.data.find(name)->second.value.object().empty())
      return bad_rules(rules, name + " holds no figure");
  }
  TALLA_TRY_STATUS(check_lists(rules, "levels", "levels", 0));
  return check_lists(rules, "prizes", "prizes", share_whole, own_shares);
}

Status check_bets(const GameRules& rules) {
  const std::array kinds{entry_kind, rebuy_kind, addon_kind};
  if (rules.bets.size() != kinds.size())
    return bad_rules(rules, "entry, rebuy and add-on are sold");
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto& bet = rules.bets[i];
    if (bet.id != kinds[i] || bet.on != OnForm::none || !bet.payouts.empty() || bet.offered_if)
      return bad_rules(rules, std::string(kinds[i]) + " has a price and no payout");
  }
  if (!rules.limits.empty() || !rules.minimums.empty())
    return bad_rules(rules, "what is sold has prices, no limits");
  return {};
}

/// A multiple of the table minimum; what cannot be an amount is the largest one, and said so.
Units amount(const Table& table, std::string_view id, bool& in_range) {
  const Fraction exact = Fraction(table.params().integer(id)) * Fraction(table.min());
  if (exact <= Fraction(units_max)) return exact.floor();
  in_range = false;
  return units_max;
}

std::vector<Blinds> levels_of(const Table& table) {
  const auto& params = table.params();
  const auto& block = table.rules().data.find("levels")->second.value;
  const Units first = params.integer("opening_blind");
  const Fraction rate = params.fraction("ante_rate");
  std::vector<Blinds> out;
  for (const auto& one : block.find(params.choice("levels"))->array()) {
    const Units small = first * one.integer();
    out.push_back({small, 2 * small, (Fraction(2 * small) * rate).floor()});
  }
  return out;
}

std::vector<std::int64_t> shares_of(const Table& table) {
  const auto& params = table.params();
  std::vector<std::int64_t> out;
  if (const auto& name = params.choice("prizes"); name != own_shares) {
    const auto& block = table.rules().data.find("prizes")->second.value;
    for (const auto& one : block.find(name)->array()) out.push_back(one.integer());
    return out;
  }
  for (std::int64_t place = 1; place <= own_places; ++place)
    out.push_back(params.integer(own_share(place)));
  while (!out.empty() && out.back() == 0) out.pop_back();
  return out;
}

void read_counts(const Params& params, Figures& out) {
  const auto count = [&](std::string_view id) {
    return static_cast<std::uint32_t>(params.integer(id));
  };
  out.entries_min = count("entries_min");
  out.entries_max = count("entries_max");
  out.late_levels = count("late_levels");
  out.rebuys_max = count("rebuys_max");
  out.rebuy_levels = count("rebuy_levels");
  out.addon_level = count("addon_level");
  out.rebuy_short = params.choice("rebuy_when") == "up-to-first-stack";
}

}  // namespace

const Purchase& Figures::purchase(std::string_view kind) const {
  if (kind == entry_kind) return entry;
  return kind == rebuy_kind ? rebuy : addon;
}

Status check_tournament_rules(const GameRules& rules) {
  if (rules.shoe || rules.draw || !rules.places.empty())
    return bad_rules(rules, "a tournament deals and draws nothing: its hands are played elsewhere");
  std::set<std::string> actions;
  for (const auto& one : rules.actions) actions.insert(one.id);
  if (actions != std::set<std::string>{"recuento", "sin-fichas", "fin-mano", "nivel"})
    return bad_rules(rules, "the actions are recuento, sin-fichas, fin-mano and nivel");
  for (const auto& error : rules.errors) {
    if (error.effect != "void-tournament")
      return bad_rules(rules, "the one effect is void-tournament");
  }
  TALLA_TRY_STATUS(check_bets(rules));
  TALLA_TRY_STATUS(check_parameters(rules));
  return check_data(rules);
}

std::shared_ptr<const Figures> figures_of(const Table& table) {
  const auto& params = table.params();
  auto out = std::make_shared<Figures>();
  auto& f = *out;
  f.entry = {amount(table, "entry_price", f.in_range), params.integer("stack")};
  f.rebuy = {amount(table, "rebuy_price", f.in_range), params.integer("rebuy_stack")};
  f.addon = {amount(table, "addon_price", f.in_range), params.integer("addon_stack")};
  f.guaranteed = amount(table, "guaranteed_fund", f.in_range);
  read_counts(params, f);
  f.levels = levels_of(table);
  f.kept = params.fraction("organisation_share");
  f.kept_of_all = params.choice("deducted_from") == "all";
  f.shares = shares_of(table);
  f.stack_decides = params.choice("same_hand") == "stack-at-start";
  f.even_remainder = params.choice("prize_remainder") == "even";
  f.chips_decide = params.choice("unfinished") == "by-chips";
  const auto& data = table.rules().data;
  f.play_cite = data.find("play")->second.cite;
  f.prizes_cite = data.find("prizes")->second.cite;
  f.fund_cite = data.find("fund")->second.cite;
  return out;
}

Status check_figures(const Figures& figures) {
  if (!figures.in_range)
    return refuse(Errc::parameter_not_allowed,
                  "prices and guaranteed prizes are beyond what can be paid", {});
  if (figures.entries_min > figures.entries_max)
    return refuse(Errc::parameter_not_allowed,
                  "entries_min: {found} is more than entries_max allows: {allowed}",
                  {{"found", std::to_string(figures.entries_min)},
                   {"allowed", std::to_string(figures.entries_max)}});
  const auto all = std::accumulate(figures.shares.begin(), figures.shares.end(), std::int64_t{0});
  if (all != share_whole)
    return refuse(Errc::parameter_not_allowed,
                  "the prizes of all places are {allowed} thousandths together, not {found}",
                  {{"found", std::to_string(all)}, {"allowed", std::to_string(share_whole)}});
  return {};
}

}  // namespace talla::games::tournament
