#include "engines/dice/rules.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "engines/shared/rules_check.hpp"

namespace talla::games::dice {
namespace {

constexpr std::array<std::string_view, 6> points{"4", "5", "6", "8", "9", "10"};

const json::Value* data(const GameRules& rules, std::string_view block) {
  const auto found = rules.data.find(block);
  return found == rules.data.end() ? nullptr : &found->second.value;
}

bool lists(const json::Value* list, std::string_view word) {
  if (list == nullptr || !list->is_array()) return false;
  return std::any_of(list->array().begin(), list->array().end(), [word](const json::Value& one) {
    return one.is_string() && one.string() == word;
  });
}

Result<Totals> read_totals(json::Reader& reader, std::string_view key) {
  TALLA_TRY(const auto* list, reader.array(key));
  Totals result;
  for (const auto& entry : *list) {
    if (!entry.is_integer() || entry.integer() < 2 || entry.integer() > 12) {
      return fail(Errc::catalogue_malformed, std::string(key) + ": a total of two dice is 2 to 12");
    }
    result.add(static_cast<int>(entry.integer()));
  }
  return result;
}

Result<bool> read_side(json::Reader& reader) {
  TALLA_TRY(const auto side, reader.string("side"));
  if (side == "right") return true;
  if (side == "wrong") return false;
  return fail(Errc::catalogue_malformed, "side is right or wrong");
}

Status read_first_throw(json::Reader& reader, Form& form) {
  TALLA_TRY(form.right, read_side(reader));
  TALLA_TRY(form.win, read_totals(reader, "win"));
  TALLA_TRY(form.lose, read_totals(reader, "lose"));
  TALLA_TRY(form.null, read_totals(reader, "null"));
  for (int total = 2; total <= 12; ++total) {
    const std::array<bool, 4> fates{form.win.contains(total), form.lose.contains(total),
                                    form.null.contains(total), is_point(total)};
    if (std::count(fates.begin(), fates.end(), true) != 1) {
      return fail(Errc::catalogue_malformed,
                  "a first throw decides each total once, or makes it the point");
    }
  }
  return {};
}

Status read_form(json::Reader& reader, Form& form) {
  TALLA_TRY(const auto name, reader.string("form"));
  if (name == "line" || name == "come") {
    form.kind = name == "line" ? FormKind::line : FormKind::come;
    return read_first_throw(reader, form);
  }
  if (name == "throw") {
    form.kind = FormKind::once;
    TALLA_TRY(form.win, read_totals(reader, "win"));
    return {};
  }
  if (name == "until") {
    form.kind = FormKind::until;
    TALLA_TRY(form.win, read_totals(reader, "win"));
    TALLA_TRY(form.lose, read_totals(reader, "lose"));
    TALLA_TRY(form.doubles, reader.boolean("doubles"));
    return {};
  }
  if (name != "odds" && name != "place")
    return fail(Errc::catalogue_malformed, "form '" + name + "' is not known");
  form.kind = name == "odds" ? FormKind::odds : FormKind::place;
  TALLA_TRY(form.right, read_side(reader));
  if (form.kind == FormKind::odds) {
    TALLA_TRY(form.with, reader.string("with"));
  }
  return {};
}

/// A parameter that only some texts leave open.
Status check_optional(const GameRules& rules, std::string_view id,
                      std::initializer_list<std::string_view> known) {
  return rules.parameter(id) == nullptr ? Status() : check_choice(rules, id, known);
}

bool is_number(const GameRules& rules, std::string_view id) {
  const auto* rule = rules.parameter(id);
  return rule != nullptr &&
         (rule->type == ParameterType::integer || rule->type == ParameterType::fraction);
}

Status check_parameters(const GameRules& rules) {
  TALLA_TRY_STATUS(check_choice(rules, "dont_12", {"push", "locked"}));
  TALLA_TRY_STATUS(check_choice(rules, "come_open", {"point_open", "always"}));
  TALLA_TRY_STATUS(check_choice(rules, "shooter_stake", {"no-shooter", "required"}));
  TALLA_TRY_STATUS(check_choice(rules, "limit_scope", {"bet", "table"}));
  TALLA_TRY_STATUS(check_optional(rules, "last_shooter", {"dice", "series"}));
  TALLA_TRY_STATUS(check_optional(rules, "line_lock", {"placed", "point"}));
  TALLA_TRY_STATUS(check_optional(rules, "stake_multiples", {"required", "free"}));
  const auto* simple = rules.parameter("max_simple");
  if (simple == nullptr || simple->type != ParameterType::integer)
    return bad_rules(rules, "no integer parameter 'max_simple'");
  if (!is_number(rules, "max_multiple_win"))
    return bad_rules(rules, "no number parameter 'max_multiple_win'");
  const auto* lines = rules.parameter("withdrawable_lines");
  const auto* locked = data(rules, "locked");
  if (lines == nullptr || lines->type != ParameterType::choice || locked == nullptr) {
    return bad_rules(rules, "withdrawable_lines and the data block 'locked' belong together");
  }
  for (const auto& value : lines->allowed) {
    const auto* list = value.is_string() ? locked->find(value.string()) : nullptr;
    if (list == nullptr || !list->is_array())
      return bad_rules(rules, "locked lacks a value of withdrawable_lines");
    for (const auto& one : list->array()) {
      if (!one.is_string() || rules.bet(one.string()) == nullptr)
        return bad_rules(rules, "locked names no bet");
    }
  }
  return {};
}

Status check_shares(const GameRules& rules, std::string_view block, const BetRule& bet) {
  const auto* table = data(rules, block);
  const auto* row = table == nullptr ? nullptr : table->find(bet.id);
  const bool by_parameter = row != nullptr && row->is_string();
  if (by_parameter) {
    const auto* parameter = rules.parameter(row->string());
    if (parameter == nullptr || parameter->type != ParameterType::fraction) {
      return bad_rules(rules, std::string(block) + ": " + bet.id + " names no fraction parameter");
    }
  }
  for (const auto point : points) {
    const auto* share = row == nullptr || by_parameter ? nullptr : row->find(point);
    if (!by_parameter &&
        (share == nullptr || !share->is_string() || !Fraction::parse(share->string()))) {
      return bad_rules(rules,
                       std::string(block) + " lacks " + bet.id + " on " + std::string(point));
    }
    if (bet.payout(point) == nullptr)
      return bad_rules(rules, bet.id + " pays nothing on " + std::string(point));
  }
  return {};
}

Status check_numbers(const GameRules& rules, const BetRule& bet, const json::Value& covers) {
  for (const auto& position : covers.array()) {
    if (!position.is_array() || position.array().size() != 1)
      return bad_rules(rules, bet.id + ": one number a position");
    const auto& code = position.array().front();
    const auto text = code.is_integer()  ? std::to_string(code.integer())
                      : code.is_string() ? code.string()
                                         : "";
    if (std::find(points.begin(), points.end(), text) == points.end())
      return bad_rules(rules, bet.id + ": no such number");
  }
  return {};
}

/// A bet on a number names exactly one point in each of its positions.
Status check_positions(const GameRules& rules, const BetRule& bet, const Form& form) {
  const bool numbered =
      form.kind == FormKind::place || (form.kind == FormKind::odds && bet.on != OnForm::none);
  if (!numbered)
    return bet.on == OnForm::none ? Status{} : bad_rules(rules, bet.id + " takes no position");
  if (bet.on != OnForm::set || !bet.covers.is_array()) {
    return bad_rules(rules, bet.id + " needs covers with numbers");
  }
  for (const auto& more : bet.covers_when) TALLA_TRY_STATUS(check_numbers(rules, bet, more.covers));
  return check_numbers(rules, bet, bet.covers);
}

/// A bound on the possible win needs one payout to measure it by.
Status check_win_limits(const GameRules& rules) {
  const auto* block = data(rules, "win_limits");
  const auto* bets = block == nullptr ? nullptr : block->find("bets");
  if (bets == nullptr || !bets->is_array()) return bad_rules(rules, "win_limits names its bets");
  for (const auto& one : bets->array()) {
    const auto* bet = one.is_string() ? rules.bet(one.string()) : nullptr;
    if (bet == nullptr || bet->payout("win") == nullptr)
      return bad_rules(rules, "win_limits names no bet that pays");
    const auto own = own_win_limit(bet->id);
    if (rules.parameter(own) != nullptr && !is_number(rules, own))
      return bad_rules(rules, own + " is no number");
  }
  return {};
}

Status check_bet(const GameRules& rules, const BetRule& bet) {
  TALLA_TRY(const auto form, form_of(rules, bet));
  TALLA_TRY_STATUS(check_positions(rules, bet, form));
  if (form.kind == FormKind::place) return check_shares(rules, "place_limits", bet);
  if (bet.payout("win") == nullptr && form.kind != FormKind::odds)
    return bad_rules(rules, bet.id + " pays nothing");
  if (form.kind != FormKind::odds) return {};
  const auto* partner = rules.bet(form.with);
  if (partner == nullptr) return bad_rules(rules, bet.id + " accompanies no bet");
  TALLA_TRY(const auto partner_form, form_of(rules, *partner));
  const auto wanted = bet.on == OnForm::none ? FormKind::line : FormKind::come;
  if (partner_form.kind != wanted)
    return bad_rules(rules, bet.id + " accompanies a bet of another form");
  return check_shares(rules, "odds_limits", bet);
}

}  // namespace

bool is_point(int total) {
  return total >= 4 && total <= 10 && total != 7;
}

Result<Form> form_of(const GameRules& rules, const BetRule& bet) {
  const json::Value* source = &bet.covers;
  if (bet.on != OnForm::none) {
    const auto* forms = data(rules, "forms");
    source = forms == nullptr ? nullptr : forms->find(bet.id);
  }
  if (source == nullptr || !source->is_object()) return bad_rules(rules, bet.id + " has no form");
  json::Reader reader(*source, rules.id + "." + bet.id);
  Form form;
  TALLA_TRY_STATUS(read_form(reader, form));
  TALLA_TRY_STATUS(reader.finish());
  return form;
}

bool is_locked(const GameRules& rules, const Params& params, std::string_view kind) {
  const auto* locked = data(rules, "locked");
  TALLA_CHECK(locked != nullptr);
  return lists(locked->find(params.choice("withdrawable_lines")), kind);
}

std::optional<Fraction> share_of(const GameRules& rules, const Params& params,
                                 std::string_view block, std::string_view kind, int number) {
  const auto* table = data(rules, block);
  const auto* row = table == nullptr ? nullptr : table->find(kind);
  if (row != nullptr && row->is_string()) return params.fraction(row->string());
  const auto* share = row == nullptr ? nullptr : row->find(std::to_string(number));
  if (share == nullptr || !share->is_string()) return std::nullopt;
  const auto value = Fraction::parse(share->string());
  return value ? std::optional<Fraction>(*value) : std::nullopt;
}

bool is_win_limited(const GameRules& rules, std::string_view kind) {
  const auto* block = data(rules, "win_limits");
  return block != nullptr && lists(block->find("bets"), kind);
}

std::string own_win_limit(std::string_view kind) {
  std::string out = "max_win_" + std::string(kind);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

std::string_view choice_or(const Params& params, std::string_view id, std::string_view absent) {
  return params.has(id) ? std::string_view(params.choice(id)) : absent;
}

Status check_dice_rules(const GameRules& rules) {
  if (!rules.draw || rules.draw->kind != DrawKind::dice || rules.draw->count != 2 ||
      rules.draw->faces != 6) {
    return bad_rules(rules, "this game throws two dice with six faces");
  }
  for (const auto& [name, block] : rules.data) {
    if (name != "forms" && name != "locked" && name != "win_limits" && name != "odds_limits" &&
        name != "place_limits") {
      return bad_rules(rules, "data block '" + name + "' is not known");
    }
  }
  if (!rules.errors.empty() || !rules.places.empty())
    return bad_rules(rules, "dice have no places and misdeals");
  const auto& actions = rules.actions;
  const bool shooter = actions.size() == 2 && actions.front().id == "tomar-dados" &&
                       actions.back().id == "pasar-dados";
  if (!actions.empty() && !shooter) {
    return bad_rules(rules, "dice have the actions tomar-dados and pasar-dados");
  }
  for (const auto& bet : rules.bets) TALLA_TRY_STATUS(check_bet(rules, bet));
  TALLA_TRY_STATUS(check_win_limits(rules));
  return check_parameters(rules);
}

}  // namespace talla::games::dice
