#include "engines/banque/rules.hpp"

#include <algorithm>

#include "engines/shared/rules_check.hpp"

namespace talla::games::banque {
namespace {

constexpr std::size_t stood_column = 10;

Status one_of(const std::string& where, const std::string& value,
              std::initializer_list<std::string_view> known) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return {};
  return bad_rules(where + ": unknown word " + value.substr(0, 40));
}

Result<std::string> word(json::Reader& reader, const std::string& where, std::string_view key,
                         std::initializer_list<std::string_view> known) {
  TALLA_TRY(auto value, reader.string(key));
  TALLA_TRY_STATUS(one_of(where + "." + std::string(key), value, known));
  return value;
}

Result<Cell> cell_from(char letter) {
  if (letter == 'T') return Cell::draw;
  if (letter == 'S') return Cell::stand;
  if (letter == 'O') return Cell::optional;
  return bad_rules("data.third_card: letters are T, S and O");
}

Status read_third_card(const GameRules& rules, Law& out) {
  TALLA_TRY(const auto* block, baccarat::block_of(rules, "third_card"));
  json::Reader reader(block->value, "data.third_card");
  TALLA_TRY(out.punto_draws, baccarat::read_totals(reader, "data.third_card", "punto"));
  TALLA_TRY(out.punto_free, baccarat::read_totals(reader, "data.third_card", "punto_free"));
  for (std::size_t i = 0; i < out.punto_draws.size(); ++i) {
    if (out.punto_draws.at(i) && out.punto_free.at(i))
      return bad_rules("data.third_card: a total stands twice");
  }
  TALLA_TRY(const auto* rows, reader.array("banca"));
  if (rows->empty() || rows->size() > out.chart.size())
    return bad_rules("data.third_card: a row for each total");
  for (std::size_t row = 0; row < rows->size(); ++row) {
    const auto& value = rows->at(row);
    if (!value.is_string() || value.string().size() != stood_column + 1) {
      return bad_rules(
          "data.third_card: a row has eleven letters: third card 0-9, then punto stood");
    }
    for (std::size_t column = 0; column <= stood_column; ++column) {
      TALLA_TRY(out.chart.at(row).at(column), cell_from(value.string().at(column)));
    }
  }
  return reader.finish();
}

/// A share of the winnings, or the parameter that holds it.
Status read_commission(json::Reader& reader, const GameRules& rules, const Params* params,
                       Law& out) {
  if (reader.has("commission_parameter")) {
    TALLA_TRY(const auto id, reader.string("commission_parameter"));
    const auto* rule = rules.parameter(id);
    if (rule == nullptr || rule->type != ParameterType::fraction)
      return bad_rules("data.bank: no fraction " + id);
    if (params != nullptr) out.commission = params->fraction(id);
    return {};
  }
  TALLA_TRY(const auto text, reader.string("commission"));
  auto parsed = Fraction::parse(text);
  if (!parsed || *parsed < Fraction(0) || *parsed > Fraction(1))
    return bad_rules("data.bank: commission is a share");
  out.commission = *parsed;
  return {};
}

Status read_turn_bank(json::Reader& reader, Law& out) {
  TALLA_TRY(out.refusals, reader.integer("refusals", 1, 10));
  TALLA_TRY(out.associates, word(reader, "data.bank", "associates", {"matching", "any"}));
  TALLA_TRY(out.taker_matches,
            word(reader, "data.bank", "taker_matches", {"lost-or-abandoned", "abandoned"}));
  TALLA_TRY(out.standing_pass,
            word(reader, "data.bank", "standing_pass", {"first-seat", "last-seated"}));
  TALLA_TRY(out.retake, reader.boolean("retake"));
  return {};
}

Status read_auction_bank(json::Reader& reader, Law& out) {
  TALLA_TRY(const auto modality, word(reader, "data.bank", "modality", {"limited", "open"}));
  out.open_bank = modality == "open";
  out.associates = "none";
  TALLA_TRY(out.refill, word(reader, "data.bank", "refill", {"any", "initial"}));
  TALLA_TRY(out.leave, word(reader, "data.bank", "leave", {"auction-from-bank", "offer-initial"}));
  TALLA_TRY(out.winner_barred, reader.boolean("winner_barred"));
  return {};
}

Status read_bank(const GameRules& rules, const Params* params, Law& out) {
  TALLA_TRY(const auto* block, baccarat::block_of(rules, "bank"));
  json::Reader reader(block->value, "data.bank");
  TALLA_TRY(const auto award, word(reader, "data.bank", "award", {"turn", "auction"}));
  out.cloths = award == "turn" ? 1 : 2;
  out.award_cite = block->cite;
  out.commission_cite = block->cite;
  TALLA_TRY_STATUS(read_commission(reader, rules, params, out));
  TALLA_TRY_STATUS(out.cloths == 1 ? read_turn_bank(reader, out) : read_auction_bank(reader, out));
  return reader.finish();
}

Status read_garage(const GameRules& rules, const Params* params, Law& out) {
  out.garage_test = "none";
  out.garage_cite = out.award_cite;
  if (out.cloths == 2) return {};
  TALLA_TRY(const auto* block, baccarat::block_of(rules, "garage"));
  json::Reader reader(block->value, "data.garage");
  out.garage_cite = block->cite;
  TALLA_TRY(out.garage_test, word(reader, "data.garage", "test", {"bank", "winnings"}));
  if (reader.has("threshold_parameter")) {
    TALLA_TRY(const auto id, reader.string("threshold_parameter"));
    const auto* rule = rules.parameter(id);
    if (rule == nullptr || rule->type != ParameterType::integer)
      return bad_rules("data.garage: no integer " + id);
    if (params != nullptr) out.garage_threshold = params->integer(id);
  } else {
    TALLA_TRY(out.garage_threshold, reader.integer("threshold", 0, 1'000'000));
  }
  TALLA_TRY(out.garage_improper, reader.boolean("improper"));
  TALLA_TRY(out.garage_waiver, reader.boolean("waiver"));
  return reader.finish();
}

/// In files of an earlier edition it stands among the stakes.
Status read_players(const GameRules& rules, Law& out) {
  if (!rules.data.contains("players")) return {};
  TALLA_TRY(const auto* block, baccarat::block_of(rules, "players"));
  json::Reader reader(block->value, "data.players");
  out.players_cite = block->cite;
  TALLA_TRY(out.players_min, reader.integer("players_min", 1, 100));
  return reader.finish();
}

Status read_stakes(const GameRules& rules, Law& out) {
  TALLA_TRY(const auto* block, baccarat::block_of(rules, "stakes"));
  json::Reader reader(block->value, "data.stakes");
  out.stakes_cite = block->cite;
  if (!rules.data.contains("players")) {
    out.players_cite = block->cite;
    TALLA_TRY(out.players_min, reader.integer("players_min", 1, 100));
  }
  if (out.cloths == 1) {
    TALLA_TRY(out.table_share,
              word(reader, "data.stakes", "table_share", {"at-least-half", "half"}));
    if (reader.has("whole_stake")) {
      TALLA_TRY(const auto whole, word(reader, "data.stakes", "whole_stake", {"banco"}));
      out.whole_makes_banco = whole == "banco";
    }
  } else if (reader.has("halves")) {
    TALLA_TRY(const auto halves, word(reader, "data.stakes", "halves", {"chips"}));
    out.halves_in_chips = halves == "chips";
  }
  return reader.finish();
}

Status read_tie(const GameRules& rules, Law& out) {
  TALLA_TRY(const auto* block, baccarat::block_of(rules, "tie"));
  json::Reader reader(block->value, "data.tie");
  out.tie_cite = block->cite;
  TALLA_TRY_STATUS(word(reader, "data.tie", "result", {"void"}));
  return reader.finish();
}

}  // namespace

Result<Law> read_law(const GameRules& rules, const Params* params) {
  Law out;
  TALLA_TRY(out.points, baccarat::read_points(rules));
  TALLA_TRY_STATUS(read_third_card(rules, out));
  TALLA_TRY_STATUS(read_bank(rules, params, out));
  TALLA_TRY_STATUS(read_garage(rules, params, out));
  TALLA_TRY_STATUS(read_players(rules, out));
  TALLA_TRY_STATUS(read_stakes(rules, out));
  TALLA_TRY_STATUS(read_tie(rules, out));
  out.hand_cite = out.points.values_cite;
  out.stop_cite = rules.shoe_cite.value_or(out.hand_cite);
  out.reserve = rules.shoe ? rules.shoe->stop_depth : 0;
  return out;
}

std::string_view choice_of(const Table& table, std::string_view id, std::string_view absent) {
  return table.params().has(id) ? std::string_view(table.params().choice(id)) : absent;
}

const Law& law_of(const Table& table) {
  return table.prepared<PreparedLaw>().law;
}

std::string cloth_place(std::size_t cloths, std::size_t cloth, std::size_t card) {
  if (cloths == 1) return "punto-" + std::to_string(card);
  return "pano" + std::to_string(cloth + 1) + "-" + std::to_string(card);
}

std::string bank_place(std::size_t card) {
  return "banca-" + std::to_string(card);
}

}  // namespace talla::games::banque
