#include "play.hpp"

#include <cstdint>

#include "base/check.hpp"
#include "core/errc.hpp"

namespace talla::core {
Result<games::Table> open_rules(std::shared_ptr<const games::Catalogue> catalogue,
                                const certs::TableOpenBody& open) {
  TALLA_TRY(auto config, certs::table_config(open));
  return games::Table::open(std::move(catalogue), std::move(config));
}

games::ShoeAccount account_of(const Shoe& shoe) {
  auto account = games::ShoeAccount::fresh(shoe.commit.cards, shoe.commit.stop_depth);
  account.dealt = shoe.progress.dealt;
  account.stop_shown = shoe.stop_out;
  return account;
}

games::Driver driver_of(const Table& table, const Shoe* shoe) {
  TALLA_CHECK(table.state.has_value());
  std::optional<games::ShoeAccount> account;
  if (shoe != nullptr && shoe->progress.mix) account = account_of(*shoe);
  return {*table.rules, *table.state, account};
}

void keep_driver(games::Driver driver, Table& table, Round* round) {
  table.state = driver.state();
  auto settled = driver.take_settlements();
  if (round == nullptr) return;
  round->draft_played.reset();  // the state is another one
  for (auto& one : settled) round->results.push_back(std::move(one));
}

Status play(Table& table, Round* round, const games::Event& event) {
  auto driver = driver_of(table, nullptr);
  TALLA_TRY_STATUS(driver.apply(event));
  keep_driver(std::move(driver), table, round);
  return {};
}

namespace {

/// Which of the bets it is that the rules refuse.
Error of_bet(std::size_t index, Error error) {
  error.detail.insert(0, "bets[" + std::to_string(index) + "]: ");
  return error;
}

/// All bets through one driver: its state is changed in place from the second one on.
Status play_list(games::Driver& driver, const BetDraft& bets) {
  for (const auto& id : bets.withdrawn) TALLA_TRY_STATUS(driver.apply(games::WithdrawBet{id, {}}));
  for (std::size_t i = 0; i < bets.bets.size(); ++i) {
    TALLA_TRY(auto event, certs::place_event(bets.bets[i]));
    const Status placed = driver.apply(games::Event(std::move(event)));
    if (!placed) return tl::unexpected(of_bet(i, placed.error()));
  }
  return {};
}

}  // namespace

Result<PlayedBets> play_draft(const Table& table, const BetDraft& bets) {
  auto driver = driver_of(table, nullptr);
  TALLA_TRY_STATUS(play_list(driver, bets));
  PlayedBets played{driver.state(), {}};
  played.results = driver.take_settlements();
  return played;
}

Status play_bets(Table& table, Round& round, const BetDraft& bets) {
  const bool played = round.draft_played && round.draft == bets;
  auto driver =
      played ? games::Driver(*table.rules, round.draft_played->state) : driver_of(table, nullptr);
  if (played) {
    for (auto& one : round.draft_played->results) round.results.push_back(std::move(one));
  } else {
    TALLA_TRY_STATUS(play_list(driver, bets));
  }
  TALLA_TRY_STATUS(driver.apply(games::CloseBets{}));
  keep_driver(std::move(driver), table, &round);
  return {};
}

json::Value BetDraft::to_json() const {
  json::Array ids;
  for (const auto& id : withdrawn) ids.emplace_back(id);
  return json::Object{{"bets", certs::bets_json(bets)}, {"withdrawn", std::move(ids)}};
}

namespace {

/// What the reader of one bet says, without its `bets[]`.
std::string after_index(const std::string& detail) {
  constexpr std::string_view any = "bets[]";
  return detail.starts_with(any) ? detail.substr(any.size()) : ": " + detail;
}

}  // namespace

Result<BetDraft> BetDraft::from_json(const json::Value& value) {
  json::Reader reader(value, "bets");
  BetDraft draft;
  TALLA_TRY(const auto* list, reader.array("bets"));
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string which = "bets[" + std::to_string(i) + "]";
    auto bet = certs::Bet::from_json((*list)[i]);
    if (!bet) return fail(Errc::malformed_request, which + after_index(bet.error().detail));
    if (!certs::place_event(*bet))
      return fail(Errc::malformed_request, which + ": there is no such seat or box");
    draft.bets.push_back(std::move(*bet));
  }
  if (reader.has("withdrawn")) {
    TALLA_TRY(const auto* ids, reader.array("withdrawn"));
    for (const auto& id : *ids) {
      if (!id.is_string()) return fail(Errc::malformed_request, "withdrawn: expected bet ids");
      draft.withdrawn.push_back(id.string());
    }
  }
  TALLA_TRY_STATUS(reader.finish());
  return draft;
}

bool shoe_may_go(const Table& table, const Shoe& shoe) {
  if (table.live_round) return false;
  if (!table.rules || !shoe.in_use() || games::find_need<games::ShoeNeed>(table.needs()) != nullptr)
    return true;
  return driver_of(table, &shoe).would_take(games::ShoeClosed{}).has_value();
}

}  // namespace talla::core
