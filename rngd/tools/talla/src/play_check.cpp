#include "play_check.hpp"

#include <algorithm>

#include "certs/openssl_hashes.hpp"
#include "games/catalogue.hpp"
#include "games/errc.hpp"
#include "games/scenario.hpp"
#include "members.hpp"

namespace talla::cli {

namespace {

/// Bets are what the round begins with, on its shoe if it has one; nobody decides before.
bool begins_with_bets(const games::ScenarioOutcome& opened) {
  if (!opened.needs.is_array()) return false;
  const json::Array& needs = opened.needs.array();
  const auto is = [](std::string_view name) {
    return [name](const json::Value& need) { return word_in(need, "need") == name; };
  };
  return (std::ranges::any_of(needs, is("bets")) || std::ranges::any_of(needs, is("shoe"))) &&
         std::ranges::none_of(needs, [&](const json::Value& need) {
           return is("decide")(need) && says(need, "required");
         });
}

}  // namespace

Status check_bets(const json::Value& body, const json::Array& bets) {
  const certs::OpensslHashes hashes;
  const auto lookup = [&hashes](std::string_view id) { return games::load_embedded(id, hashes); };
  games::Scenario scenario{.catalogue = word_in(body, "catalogue"),
                           .game = word_in(body, "game"),
                           .table = member_in(body, "table"),
                           .steps = {},
                           .expect = {},
                           .expect_error = {},
                           .source = {},
                           .name = {}};
  if (!lookup(scenario.catalogue)) return {};
  const games::ScenarioOutcome opened = games::run_scenario(scenario, lookup);
  if (opened.error) return tl::unexpected(*opened.error);
  if (!begins_with_bets(opened)) return {};
  for (const json::Value& bet : bets) {
    json::Value step;
    step["bet"] = bet;
    scenario.steps.push_back(std::move(step));
  }
  json::Value close;
  close["close"] = true;
  scenario.steps.push_back(std::move(close));
  games::ScenarioOutcome played = games::run_scenario(scenario, lookup);
  if (!played.error || played.error->is(games::Errc::cards_exhausted)) return {};
  Error refused = std::move(*played.error);
  if (played.error_step > 0 && played.error_step <= bets.size())
    refused.detail = "bets[" + std::to_string(played.error_step - 1) + "]: " + refused.detail;
  return tl::unexpected(std::move(refused));
}

}  // namespace talla::cli
