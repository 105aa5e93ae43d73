#include "engines/trente/state.hpp"

#include <array>

#include "engines/shared/state_json.hpp"

namespace talla::games::trente {
namespace {

constexpr std::array<std::string_view, 3> shoe_names = {"none", "in-play", "over"};
constexpr std::array<std::string_view, 4> phase_names = {"betting", "over", "dealing", "finished"};
constexpr std::size_t row_cards_max = 31;

/// The member of a stake in prison that counts.
constexpr std::string_view prison_count = "times";

Status check_shape(const TrenteState& state) {
  if (state.phase == Phase::dealing && state.shoe != Shoe::in_play)
    return bad_state("a coup without a shoe");
  if (state.phase == Phase::betting && !state.negra.empty())
    return bad_state("cards without a coup");
  if (state.negra.empty() && !state.roja.empty()) return bad_state("the black row comes first");
  if (state.phase == Phase::finished && !state.last)
    return bad_state("a session that was not announced is over");
  if (!state.book.empty() && state.phase == Phase::finished)
    return bad_state("stakes after the last coup");
  return {};
}

Result<TrenteState> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  TrenteState out;
  TALLA_TRY(out.shoe, read_named<Shoe>(reader, "shoe", shoe_names));
  TALLA_TRY(out.phase, read_named<Phase>(reader, "phase", phase_names));
  TALLA_TRY(out.last, read_flag(reader, "last"));
  TALLA_TRY(out.negra, read_french_cards(reader, "negra", row_cards_max));
  TALLA_TRY(out.roja, read_french_cards(reader, "roja", row_cards_max));
  TALLA_TRY(out.book, read_bets(reader));
  TALLA_TRY(out.prison, read_prison(reader, prison_count));
  TALLA_TRY(out.settled, read_settled(reader));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

Result<TrenteState> read_carried(const json::Value& value) {
  json::Reader reader(value, "carried");
  TrenteState out;
  TALLA_TRY(out.shoe, read_named<Shoe>(reader, "shoe", shoe_names));
  TALLA_TRY(out.last, read_flag(reader, "last"));
  TALLA_TRY(const bool finished, read_flag(reader, "finished"));
  if (finished) out.phase = Phase::finished;
  TALLA_TRY(out.prison, read_prison(reader, prison_count));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

}  // namespace

json::Value TrenteState::carried() const {
  json::Value out = json::Object{{"shoe", shoe_names.at(static_cast<std::size_t>(shoe))}};
  if (last) out["last"] = true;
  if (phase == Phase::finished) out["finished"] = true;
  put_prison(out, prison, prison_count);
  return out;
}

json::Value TrenteState::to_json() const {
  json::Value out = json::Object{{"shoe", shoe_names.at(static_cast<std::size_t>(shoe))},
                                 {"phase", phase_names.at(static_cast<std::size_t>(phase))}};
  if (last) out["last"] = true;
  if (!negra.empty()) out["negra"] = cards_json(negra);
  if (!roja.empty()) out["roja"] = cards_json(roja);
  put_bets(out, book);
  put_prison(out, prison, prison_count);
  put_settled(out, settled);
  return out;
}

Result<TrenteState> TrenteState::from_json(const json::Value& value) {
  return as_state(read_state(value));
}

Result<TrenteState> TrenteState::from_carried(const json::Value& value) {
  return as_state(read_carried(value));
}

}  // namespace talla::games::trente
