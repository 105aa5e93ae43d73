#include "play_check.hpp"

#include <algorithm>
#include <utility>

#include "certs/openssl_hashes.hpp"
#include "games/catalogue.hpp"
#include "games/errc.hpp"
#include "games/scenario.hpp"
#include "members.hpp"

namespace talla::cli {

namespace {

/// A round asks each of twelve seats a few things before bets; who is asked more often is not
/// followed.
constexpr std::size_t decisions_most = 100;

/// A round as it would be played up to its bets: what the rules say of each step.
class Rehearsal {
 public:
  Rehearsal(const json::Value& body, RoundPlan plan)
      : plan_(std::move(plan)),
        scenario_{.catalogue = word_in(body, "catalogue"),
                  .game = word_in(body, "game"),
                  .table = member_in(body, "table"),
                  .steps = {},
                  .expect = {},
                  .expect_error = {},
                  .source = {},
                  .name = {}} {}

  [[nodiscard]] Status run() {
    if (!catalogue(scenario_.catalogue)) return {};
    TALLA_TRY_STATUS(look());
    if (need_of(now_.needs, "shoe") != nullptr) TALLA_TRY_STATUS(take("shoe", "new"));
    for (std::size_t asked = 0; asked < decisions_most; ++asked) {
      const json::Value* due = due_decision(now_.needs);
      if (due == nullptr) break;
      const auto seat = number_in(*due, "seat");
      if (!seat) return {};
      TALLA_TRY_STATUS(decide(*seat));
    }
    const bool cards_first = decided_ && need_of(now_.needs, "deal") != nullptr;
    if (cards_first || due_decision(now_.needs) != nullptr ||
        need_of(now_.needs, "bets") == nullptr)
      return {};
    return close_bets();
  }

 private:
  static Result<std::shared_ptr<const games::Catalogue>> catalogue(std::string_view id) {
    return games::load_embedded(id, certs::OpensslHashes());
  }

  Status look() {
    now_ = games::run_scenario(scenario_, catalogue);
    // What no card decides yet is no refusal.
    if (!now_.error || now_.error->is(games::Errc::cards_exhausted)) return {};
    return tl::unexpected(*now_.error);
  }

  Status take(std::string_view name, json::Value what) {
    json::Value step;
    step[name] = std::move(what);
    scenario_.steps.push_back(std::move(step));
    return look();
  }

  /// As play_round does: what the plan has for the seat, else its time runs out.
  Status decide(std::int64_t seat) {
    decided_ = true;
    const auto found = std::ranges::find(plan_.decisions, seat, &Decision::seat);
    json::Value what = found == plan_.decisions.end() ? json::Value() : found->action;
    what["seat"] = seat;
    if (found == plan_.decisions.end()) return take("timeout", std::move(what));
    plan_.decisions.erase(found);
    return take("act", std::move(what));
  }

  Status close_bets() {
    for (std::size_t at = 0; at < plan_.bets.size(); ++at) {
      Status taken = take("bet", plan_.bets[at]);
      if (taken) continue;
      taken.error().detail = "bets[" + std::to_string(at) + "]: " + taken.error().detail;
      return taken;
    }
    return take("close", true);
  }

  RoundPlan plan_;
  games::Scenario scenario_;
  games::ScenarioOutcome now_;
  bool decided_ = false;
};

}  // namespace

Status check_bets(const json::Value& body, const RoundPlan& plan) {
  return Rehearsal(body, plan).run();
}

}  // namespace talla::cli
