#include "engines/texas/rules.hpp"

#include <algorithm>
#include <array>

#include "engines/poker/card_ranks.hpp"
#include "engines/poker/house_boxes.hpp"
#include "engines/poker/order_data.hpp"
#include "engines/poker/table_round.hpp"
#include "engines/shared/rules_check.hpp"

namespace talla::games::texas {
namespace {

std::string stage_block(std::size_t index) {
  return "stage_" + std::to_string(index + 1);
}

std::vector<DataKey> stage_keys(std::string_view block) {
  return {
      {block, "burn", DataType::number, 0, 3},
      {block, "common", DataType::number, 0, 5},
      {block, "bet", DataType::text, 0, 0, {}, false},
      {block, "multiple", DataType::number, 1, 10, {}, false},
      {block, "otherwise", DataType::choice, 0, 0, {"retire", "pass"}, false},
  };
}

std::span<const DataKey> own_keys() {
  static const std::vector<DataKey> all = {
      {"settle", "unpaid", DataType::choice, 0, 0, {"none", "returned"}},
      {"bank", "pair_from", DataType::number, 2, 14},
      {"first_five", "bet", DataType::text},
      {"first_five", "pair_from", DataType::number, 2, 14},
      {"own_two", "bet", DataType::text},
      {"errors", "wrong_count", DataType::choice, 0, 0, {"player", "hand"}, false},
      {"errors", "dealer_exposure", DataType::choice, 0, 0, {"void", "play-on"}, false},
      {"errors", "touched", DataType::choice, 0, 0, {"lost", "returned"}, false},
  };
  return all;
}

std::size_t stages_of(const GameRules& game) {
  std::size_t out = 0;
  while (game.data.contains(stage_block(out))) ++out;
  return out;
}

Status check_stage(const GameRules& game, const std::string& name) {
  const auto& block = game.data.find(name)->second;
  TALLA_TRY_STATUS(check_data_block(game, name, block, stage_keys(name)));
  const auto* bet = block.value.find("bet");
  const bool multiple = block.value.find("multiple") != nullptr;
  const bool otherwise = block.value.find("otherwise") != nullptr;
  if ((bet != nullptr) != multiple || multiple != otherwise)
    return bad_rules(game, "data." + name + ": bet, multiple and otherwise go together");
  if (otherwise && !block.value.find("otherwise")->is_string())
    return bad_rules(game, "data." + name + ".otherwise is printed");
  if (bet != nullptr && game.bet(bet->string())->payout("win") == nullptr)
    return bad_rules(game, bet->string() + " has no payout");
  return {};
}

Status check_blocks(const GameRules& game) {
  TALLA_TRY_STATUS(poker::check_hand_order(game));
  const auto stages = stages_of(game);
  if (stages == 0 || stages > stages_max) return bad_rules(game, "data.stage_1 to stage_6 at most");
  std::int64_t common = 0;
  for (std::size_t i = 0; i < stages; ++i) {
    TALLA_TRY_STATUS(check_stage(game, stage_block(i)));
    common += game.data.find(stage_block(i))->second.value.find("common")->integer();
  }
  if (common != 5) return bad_rules(game, "five common cards are laid");
  for (const auto* name : {"boxes", "settle", "errors"}) {
    if (!game.data.contains(name))
      return bad_rules(game, "data." + std::string(name) + " is missing");
  }
  for (const auto& [name, block] : game.data) {
    if (name == "hands" || name.starts_with("stage_")) continue;
    TALLA_TRY_STATUS(check_data_block(game, name, block,
                                      name == "boxes" ? poker::house::box_keys() : own_keys()));
  }
  const auto numbered = std::count_if(game.data.begin(), game.data.end(), [](const auto& one) {
    return one.first.starts_with("stage_");
  });
  return static_cast<std::size_t>(numbered) == stages
             ? Status()
             : Status(bad_rules(game, "a stage is left out"));
}

/// The data block's member `bet`, or "".
std::string bet_of(const GameRules& game, std::string_view block) {
  const auto found = game.data.find(block);
  return found == game.data.end() ? std::string() : found->second.value.find("bet")->string();
}

Status check_categories(const GameRules& game, const std::string& id, std::string_view from,
                        bool all) {
  bool reached = false;
  for (const auto& word : game.data.find("hands")->second.value.find("order")->array()) {
    reached = reached || word.string() == from;
    if (reached && game.bet(id)->payout(word.string()) == nullptr && all)
      return bad_rules(game, id + ": no payout for " + word.string());
  }
  return {};
}

Status check_bets(const GameRules& game) {
  const auto main = bet_of(game, "boxes");
  const auto five = bet_of(game, "first_five");
  const auto two = bet_of(game, "own_two");
  std::vector<std::string> known = {main};
  for (std::size_t i = 0; i < stages_of(game); ++i) {
    const auto* bet = game.data.find(stage_block(i))->second.value.find("bet");
    if (bet != nullptr) known.push_back(bet->string());
  }
  if (!five.empty()) known.push_back(five);
  if (!two.empty()) known.push_back(two);
  for (const auto& bet : game.bets) {
    if (bet.on != OnForm::none || bet.is_call() ||
        std::count(known.begin(), known.end(), bet.id) != 1)
      return bad_rules(game, bet.id + " has no part in the game, or two");
  }
  if (known.size() != game.bets.size()) return bad_rules(game, "a bet stands twice");
  const bool returned =
      *game.data.find("settle")->second.value.find("unpaid") == json::Value("returned");
  TALLA_TRY_STATUS(check_categories(game, main, returned ? "straight" : "high-card", true));
  if (!five.empty()) TALLA_TRY_STATUS(check_categories(game, five, "pair", true));
  for (const auto when : two.empty() ? std::span<const std::string_view>() : own_two_payouts()) {
    if (game.bet(two)->payout(when) == nullptr)
      return bad_rules(game, two + ": no payout for " + std::string(when));
  }
  return {};
}

Status check_words(const GameRules& game) {
  for (std::size_t i = 0; i < stages_of(game); ++i) {
    const auto* otherwise = game.data.find(stage_block(i))->second.value.find("otherwise");
    if (otherwise == nullptr) continue;
    StageRule stage;
    stage.may_pass = otherwise->string() == "pass";
    for (const std::string id : {stage.bet_action(), stage.other_action()}) {
      if (std::none_of(game.actions.begin(), game.actions.end(),
                       [&](const Named& one) { return one.id == id; }))
        return bad_rules(game, "no action " + id);
    }
  }
  static constexpr std::array<std::string_view, 7> effects = {
      "void-hand", "void-player",     "remove-card",  "play-on",
      "turn-card", "dealer-exposure", "withdraw-hand"};
  for (const auto& error : game.errors) {
    if (std::find(effects.begin(), effects.end(), error.effect) == effects.end())
      return bad_rules(game, "error " + error.code + " has an unknown effect");
    const auto needs = [&](std::string_view effect, std::string_view key) {
      return error.effect == effect && game.data.find("errors")->second.value.find(key) == nullptr;
    };
    if (needs("void-player", "wrong_count") || needs("dealer-exposure", "dealer_exposure") ||
        needs("withdraw-hand", "touched"))
      return bad_rules(game, "error " + error.code + ": data.errors does not say what follows");
  }
  return {};
}

bool says(const DataLaw& law, std::string_view key, std::string_view value) {
  return law.find("errors", key) != nullptr && law.is("errors", key, value);
}

}  // namespace

bool Rules::is_stage_bet(std::string_view kind) const {
  return !kind.empty() && std::any_of(stages.begin(), stages.end(),
                                      [&](const StageRule& one) { return one.bet == kind; });
}

Status check_rules(const GameRules& rules) {
  TALLA_TRY_STATUS(poker::check_deck(rules, "french52x1"));
  if (rules.boxes_max == 0) return bad_rules(rules, "the game needs boxes_max");
  TALLA_TRY_STATUS(check_blocks(rules));
  TALLA_TRY_STATUS(check_bets(rules));
  return check_words(rules);
}

std::shared_ptr<const Rules> read_rules(const Table& table) {
  const DataLaw law(table);
  auto out = std::make_shared<Rules>(poker::hand_ranker(law));
  out->ante = law.text("boxes", "bet");
  for (std::size_t i = 0; i < stages_of(law.rules()); ++i) {
    const auto name = stage_block(i);
    StageRule stage;
    stage.burn = static_cast<std::size_t>(law.number(name, "burn"));
    stage.common = static_cast<std::size_t>(law.number(name, "common"));
    if (law.find(name, "bet") != nullptr) {
      stage.bet = law.text(name, "bet");
      stage.multiple = law.number(name, "multiple");
      stage.may_pass = law.is(name, "otherwise", "pass");
    }
    out->stages.push_back(std::move(stage));
  }
  if (law.has("bank")) out->bank_pair_from = law.number("bank", "pair_from");
  if (law.has("first_five")) {
    out->first_five = law.text("first_five", "bet");
    out->first_five_pair = law.number("first_five", "pair_from");
    std::size_t common = 0;
    while (common < 3) common += out->stages.at(out->first_five_after++).common;
    --out->first_five_after;
  }
  if (law.has("own_two")) out->own_two = law.text("own_two", "bet");
  out->void_one_player = says(law, "wrong_count", "player");
  out->dealer_exposure_voids = says(law, "dealer_exposure", "void");
  out->touched_lose = says(law, "touched", "lost");
  return out;
}

std::span<const std::string_view> own_two_payouts() {
  static constexpr std::array<std::string_view, 8> all = {"aces-both",
                                                          "aces",
                                                          "ace-king-suited",
                                                          "ace-queen-jack-suited",
                                                          "ace-king-offsuit",
                                                          "pair-jacks-to-kings",
                                                          "ace-queen-jack-offsuit",
                                                          "pair-twos-to-tens"};
  return all;
}

std::string_view own_two_payout(std::span<const shuffle::Card> own,
                                std::span<const shuffle::Card> bank) {
  const int high = std::max(poker::rank_of(own[0]), poker::rank_of(own[1]));
  const int low = std::min(poker::rank_of(own[0]), poker::rank_of(own[1]));
  if (high == low) {
    if (high == 14) return poker::pair_rank(bank) == 14 ? "aces-both" : "aces";
    return high >= 11 ? "pair-jacks-to-kings" : "pair-twos-to-tens";
  }
  if (high != 14 || low < 11) return "";
  const bool suited = own[0].suit() == own[1].suit();
  if (low == 13) return suited ? "ace-king-suited" : "ace-king-offsuit";
  return suited ? "ace-queen-jack-suited" : "ace-queen-jack-offsuit";
}

}  // namespace talla::games::texas
