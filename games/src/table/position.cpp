// Positions of bets: read, spelt canonically, and what they cover.
#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "base/check.hpp"
#include "code.hpp"
#include "games/bets.hpp"
#include "games/refusal.hpp"
#include "table/bet_index.hpp"

namespace talla::games {
namespace {

using Position = std::vector<std::string>;

/// Codes of a wrong position that a refusal repeats, and characters of each.
constexpr std::size_t codes_told = 12;

void append(const json::Value& covers, std::vector<Position>& out) {
  for (const auto& one : covers.array()) {
    Position position;
    for (const auto& code : one.array()) position.push_back(code_text(code));
    out.push_back(std::move(position));
  }
}

tl::unexpected<Error> bad_position(const BetRule& rule, std::string_view form,
                                   RefusalValues values = {}) {
  values.emplace_back("kind", rule.id);
  return refuse(Errc::bet_position, form, values);
}

/// Positions that a refusal offers instead.
constexpr std::size_t positions_told = 6;

/// The positions that have most in common with the one asked for: "1 2 4 5 | 2 3 5 6".
std::string near_to(const Position& on, const std::vector<Position>& all) {
  const auto common = [&](const Position& one) {
    return std::count_if(one.begin(), one.end(), [&](const std::string& code) {
      return std::find(on.begin(), on.end(), code) != on.end();
    });
  };
  std::vector<const Position*> order;
  order.reserve(all.size());
  for (const auto& one : all) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [&](const Position* a, const Position* b) { return common(*a) > common(*b); });
  if (order.size() > positions_told) order.resize(positions_told);
  std::string out;
  for (const auto* one : order) {
    out += out.empty() ? "" : " | ";
    for (std::size_t i = 0; i < one->size(); ++i) out += (i == 0 ? "" : " ") + one->at(i);
  }
  return out;
}

/// 1-based index written without leading zero.
std::optional<std::size_t> index_of(const std::string& code, std::size_t count) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(code.data(), code.data() + code.size(), index);
  if (error != std::errc() || end != code.data() + code.size() || std::to_string(index) != code)
    return std::nullopt;
  if (index < 1 || index > count) return std::nullopt;
  return index;
}

Result<Position> indices(const BetRule& rule, std::size_t count, const Position& on,
                         std::size_t wanted) {
  if (on.size() != wanted)
    return bad_position(rule, "{kind}: on names {count} of 1 to {highest}",
                        {{"count", std::to_string(wanted)}, {"highest", std::to_string(count)}});
  std::set<std::size_t> sorted;
  for (const auto& code : on) {
    const auto index = index_of(code, count);
    if (!index)
      return bad_position(rule, "{kind}: on names indices from 1 to {highest}",
                          {{"highest", std::to_string(count)}});
    sorted.insert(*index);
  }
  if (sorted.size() != wanted) return bad_position(rule, "{kind}: on names the same twice");
  Position out;
  for (const auto index : sorted) out.push_back(std::to_string(index));
  return out;
}

/// Numbers of a ticket: as many as it has, each from 1 to the highest, none twice; their order is
///                      its own.
Result<Position> ticket(const BetRule& rule, const Position& on) {
  const auto count = static_cast<std::size_t>(rule.covers.find("count")->integer());
  const auto highest = static_cast<std::size_t>(rule.covers.find("highest")->integer());
  if (on.size() != count)
    return bad_position(rule, "{kind}: on lists {count} numbers of 1 to {highest}",
                        {{"count", std::to_string(count)}, {"highest", std::to_string(highest)}});
  std::set<std::size_t> seen;
  for (const auto& code : on) {
    const auto number = index_of(code, highest);
    if (!number)
      return bad_position(rule, "{kind}: on lists numbers from 1 to {highest}",
                          {{"highest", std::to_string(highest)}});
    if (!seen.insert(*number).second)
      return bad_position(rule, "{kind}: on lists {code} twice", {{"code", code}});
  }
  return on;
}

}  // namespace

std::vector<std::vector<std::string>> positions(const BetRule& bet, const Params& params) {
  TALLA_CHECK(bet.on != OnForm::none);
  std::vector<Position> out;
  if (bet.on == OnForm::numbers) return out;
  append(bet.covers, out);
  for (const auto& more : bet.covers_when) {
    if (params.holds(more.when)) append(more.covers, out);
  }
  return out;
}

Result<std::vector<std::string>> canonical_position(const BetRule& rule, const Params& params,
                                                    const std::vector<std::string>& on) {
  if (rule.on == OnForm::none) {
    if (!on.empty()) return bad_position(rule, "{kind}: takes no position");
    return Position();
  }
  if (rule.on == OnForm::numbers) return ticket(rule, on);
  const auto all = positions(rule, params);
  if (rule.on == OnForm::index) return indices(rule, all.size(), on, 1);
  if (rule.on == OnForm::pair) return indices(rule, all.size(), on, 2);
  const std::multiset<std::string> wanted(on.begin(), on.end());
  for (const auto& position : all) {
    if (std::multiset<std::string>(position.begin(), position.end()) == wanted) return position;
  }
  std::string named;
  for (std::size_t i = 0; i < on.size() && i < codes_told; ++i)
    named += (i == 0 ? "" : " ") + on[i].substr(0, codes_told);
  if (on.empty())
    return bad_position(rule, "{kind}: on names the position, for example {allowed}",
                        {{"allowed", near_to(on, all)}});
  return bad_position(
      rule, "{kind}: on ({found}) is no position of this bet; near it: {allowed}",
      {{"found", named + (on.size() > codes_told ? " ..." : "")}, {"allowed", near_to(on, all)}});
}

std::vector<std::string> covered(const BetRule& rule, const Params& params, const Bet& bet) {
  Position out;
  switch (rule.on) {
    case OnForm::none:
      if (rule.covers.is_array()) {
        for (const auto& code : rule.covers.array()) {
          if (code.is_integer() || code.is_string()) out.push_back(code_text(code));
        }
      }
      break;
    case OnForm::set:
    case OnForm::numbers:
      out = bet.on;
      break;
    case OnForm::index:
    case OnForm::pair: {
      const auto all = positions(rule, params);
      for (const auto& code : bet.on) {
        const auto index = index_of(code, all.size());
        if (!index) continue;
        const auto& position = all.at(*index - 1);
        out.insert(out.end(), position.begin(), position.end());
      }
    }
  }
  return out;
}

bool covers(const Table& table, const Bet& bet, std::string_view code) {
  const auto* indexed = table.bet_index().bet_of(bet);
  if (indexed == nullptr) return false;
  if (indexed->rule->on == OnForm::numbers)
    return std::find(bet.on.begin(), bet.on.end(), code) != bet.on.end();
  const auto* position = indexed->position_of(bet);
  if (position == nullptr) return false;
  const CodeKey key(code);
  if (key.whole())
    return std::find(position->keys.begin(), position->keys.end(), key) != position->keys.end();
  return std::find(position->covers.begin(), position->covers.end(), code) !=
         position->covers.end();
}

}  // namespace talla::games
