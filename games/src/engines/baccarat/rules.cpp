#include "engines/baccarat/rules.hpp"

#include "engines/shared/rules_check.hpp"

namespace talla::games::baccarat {
namespace {

/// One row for each total from 0: eleven letters, T draws, S stands; totals without a row stand.
Status read_rows(json::Reader& reader, const std::string& where, Figures& out) {
  TALLA_TRY(const auto* rows, reader.array("banca"));
  if (rows->empty() || rows->size() > out.banca_draws.size())
    return bad_rules(where + ": one row for each total");
  for (std::size_t row = 0; row < rows->size(); ++row) {
    const auto& value = rows->at(row);
    if (!value.is_string() || value.string().size() != stood_column + 1) {
      return bad_rules(where + ": a row has eleven letters: third card 0-9, then punto stood");
    }
    for (std::size_t column = 0; column <= stood_column; ++column) {
      const char letter = value.string().at(column);
      if (letter != 'T' && letter != 'S') return bad_rules(where + ": letters are T and S");
      out.banca_draws.at(row).at(column) = letter == 'T';
    }
  }
  return {};
}

Status read_third_card(const DataBlock& block, Figures& out) {
  json::Reader reader(block.value, "data.third_card");
  TALLA_TRY(out.punto_draws, read_totals(reader, "data.third_card.punto", "punto"));
  TALLA_TRY_STATUS(read_rows(reader, "data.third_card.banca", out));
  return reader.finish();
}

Status read_tie(const DataBlock& block, Figures& out) {
  json::Reader reader(block.value, "data.tie");
  TALLA_TRY(const auto result, reader.string("result"));
  if (result != "void" && result != "push") return bad_rules("data.tie.result is void or push");
  out.tie = result == "void" ? BetResult::void_ : BetResult::push;
  out.tie_cite = block.cite;
  return reader.finish();
}

}  // namespace

Result<Figures> read_figures(const GameRules& rules) {
  Figures out;
  TALLA_TRY(static_cast<Points&>(out), read_points(rules));
  TALLA_TRY(const auto* burn, block_of(rules, "burn"));
  TALLA_TRY(const auto* third_card, block_of(rules, "third_card"));
  TALLA_TRY(const auto* tie, block_of(rules, "tie"));
  if (rules.data.size() != 5)
    return bad_rules("data holds values, burn, natural, third_card and tie, nothing else");
  TALLA_TRY(out.burn, read_ranks(*burn, "data.burn", 20));
  TALLA_TRY_STATUS(read_third_card(*third_card, out));
  TALLA_TRY_STATUS(read_tie(*tie, out));
  out.hand_cite = out.values_cite;
  out.burn_cite = burn->cite;
  out.stop_cite = rules.shoe_cite.value_or(out.values_cite);
  return out;
}

bool natural(const Figures& figures, int punto_total, int banca_total) {
  return figures.natural_total[static_cast<std::size_t>(punto_total)] ||
         figures.natural_total[static_cast<std::size_t>(banca_total)];
}

char next_hand(const Figures& figures, std::span<const Card> punto, std::span<const Card> banca) {
  if (banca.size() < 2) return punto.size() > banca.size() ? 'b' : 'p';
  if (banca.size() > 2) return 0;
  const int punto_total = total(figures, punto.first(2));
  const int banca_total = total(figures, banca);
  if (natural(figures, punto_total, banca_total)) return 0;
  const bool draws = figures.punto_draws[static_cast<std::size_t>(punto_total)];
  if (draws && punto.size() == 2) return 'p';
  const auto column =
      punto.size() == 3 ? static_cast<std::size_t>(value_of(figures, punto[2])) : stood_column;
  return figures.banca_draws[static_cast<std::size_t>(banca_total)][column] ? 'b' : '\0';
}

std::optional<Hand> hand_from(std::string_view name) {
  if (name == "punto") return Hand::punto;
  if (name == "banca") return Hand::banca;
  if (name == "tie") return Hand::tie;
  return std::nullopt;
}

Outcome play_coup(const Figures& figures, std::span<const Card, 6> cards) {
  Outcome out;
  out.punto = (value_of(figures, cards[0]) + value_of(figures, cards[2])) % 10;
  out.banca = (value_of(figures, cards[1]) + value_of(figures, cards[3])) % 10;
  out.cards = 4;
  if (!natural(figures, out.punto, out.banca)) {
    auto column = stood_column;
    const auto banca_row = static_cast<std::size_t>(out.banca);
    if (figures.punto_draws[static_cast<std::size_t>(out.punto)]) {
      const int third = value_of(figures, cards[4]);
      column = static_cast<std::size_t>(third);
      out.punto = (out.punto + third) % 10;
      ++out.cards;
    }
    if (figures.banca_draws[banca_row][column]) {
      out.banca = (out.banca + value_of(figures, cards[static_cast<std::size_t>(out.cards)])) % 10;
      ++out.cards;
    }
  }
  if (out.punto != out.banca) out.winner = out.punto > out.banca ? Hand::punto : Hand::banca;
  return out;
}

}  // namespace talla::games::baccarat
