#include "trente/trente_state.hpp"

#include <array>
#include <string>

namespace talla::games::trente {
namespace {

constexpr std::array<std::string_view, 3> shoe_names = {"none", "in-play", "over"};
constexpr std::array<std::string_view, 4> phase_names = {"betting", "over", "dealing", "finished"};
constexpr std::size_t row_cards_max = 31;

tl::unexpected<Error> malformed(const std::string& why) {
  return fail(Errc::state_malformed, why);
}

template <class E, std::size_t N>
Result<E> read_name(json::Reader& reader, std::string_view key,
                    const std::array<std::string_view, N>& names) {
  TALLA_TRY(const auto name, reader.string(key));
  for (std::size_t i = 0; i < N; ++i) {
    if (names.at(i) == name) return static_cast<E>(i);
  }
  return malformed("unknown " + std::string(key));
}

/// Flags are written only when true.
Status read_flag(json::Reader& reader, std::string_view key, bool& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(out, reader.boolean(key));
  return out ? Status() : Status(malformed(std::string(key) + " is written only when true"));
}

Status read_row(json::Reader& reader, std::string_view key, std::vector<Card>& out) {
  if (!reader.has(key)) return {};
  TALLA_TRY(const auto* array, reader.array(key));
  if (array->empty() || array->size() > row_cards_max) return malformed("a row has 1 to 31 cards");
  for (const auto& value : *array) {
    if (!value.is_string()) return malformed("a card is a string");
    TALLA_TRY(const auto card, Card::parse(value.string()));
    if (card.family() != shuffle::CardFamily::french) return malformed("a French card is due");
    out.push_back(card);
  }
  return {};
}

Result<Imprisoned> read_imprisoned(const json::Value& value) {
  json::Reader reader(value, "prison");
  Imprisoned out;
  TALLA_TRY(const auto* bet, reader.object("bet"));
  TALLA_TRY(out.bet, bet_from_json(*bet));
  TALLA_TRY(const auto times, reader.integer("times", 1, 1'000'000));
  out.times = static_cast<std::uint32_t>(times);
  TALLA_TRY_STATUS(read_flag(reader, "chosen", out.chosen));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Status read_prison(json::Reader& reader, TrenteState& out) {
  if (!reader.has("prison")) return {};
  TALLA_TRY(const auto* list, reader.array("prison"));
  if (list->empty()) return malformed("prison is written only when it holds a stake");
  for (const auto& one : *list) {
    TALLA_TRY(auto stake, read_imprisoned(one));
    out.prison.push_back(std::move(stake));
  }
  return {};
}

Status read_settled(json::Reader& reader, TrenteState& out) {
  if (!reader.has("settled")) return {};
  TALLA_TRY(const auto* all, reader.array("settled"));
  if (all->empty()) return malformed("settled is written only when there is something");
  for (const auto& one : *all) {
    TALLA_TRY(auto settlement, settlement_from_json(one));
    out.settled.push_back(std::move(settlement));
  }
  return {};
}

Status check_shape(const TrenteState& state) {
  if (state.phase == Phase::dealing && state.shoe != Shoe::in_play) return malformed("a coup without a shoe");
  if (state.phase == Phase::betting && !state.negra.empty()) return malformed("cards without a coup");
  if (state.negra.empty() && !state.roja.empty()) return malformed("the black row comes first");
  if (state.phase == Phase::finished && !state.last)
    return malformed("a session that was not announced is over");
  if (!state.book.empty() && state.phase == Phase::finished) return malformed("stakes after the last coup");
  return {};
}

Result<TrenteState> read_state(const json::Value& value) {
  json::Reader reader(value, "state");
  TrenteState out;
  TALLA_TRY(out.shoe, read_name<Shoe>(reader, "shoe", shoe_names));
  TALLA_TRY(out.phase, read_name<Phase>(reader, "phase", phase_names));
  TALLA_TRY_STATUS(read_flag(reader, "last", out.last));
  TALLA_TRY_STATUS(read_row(reader, "negra", out.negra));
  TALLA_TRY_STATUS(read_row(reader, "roja", out.roja));
  if (const auto* bets = reader.optional("bets")) {
    TALLA_TRY(out.book, BetBook::from_json(*bets));
    if (out.book.empty()) return malformed("bets are written only when there are any");
  }
  TALLA_TRY_STATUS(read_prison(reader, out));
  TALLA_TRY_STATUS(read_settled(reader, out));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

Result<TrenteState> read_carried(const json::Value& value) {
  json::Reader reader(value, "carried");
  TrenteState out;
  TALLA_TRY(out.shoe, read_name<Shoe>(reader, "shoe", shoe_names));
  TALLA_TRY_STATUS(read_flag(reader, "last", out.last));
  bool finished = false;
  TALLA_TRY_STATUS(read_flag(reader, "finished", finished));
  if (finished) out.phase = Phase::finished;
  TALLA_TRY_STATUS(read_prison(reader, out));
  TALLA_TRY_STATUS(reader.finish());
  TALLA_TRY_STATUS(check_shape(out));
  return out;
}

/// Whatever the reader found wrong is, to the caller, a state that does not fit.
Result<TrenteState> as_state(Result<TrenteState>&& result) {
  if (result) return std::move(result);
  return fail(Errc::state_malformed, result.error().detail);
}

}  // namespace

json::Value prison_json(const std::vector<Imprisoned>& prison) {
  json::Array list;
  for (const auto& one : prison) {
    json::Object entry{{"bet", to_json(one.bet)}, {"times", one.times}};
    if (one.chosen) entry["chosen"] = true;
    list.emplace_back(std::move(entry));
  }
  return list;
}

json::Array cards_json(const std::vector<Card>& cards) {
  json::Array out;
  for (const auto card : cards) out.emplace_back(card.text());
  return out;
}

json::Value TrenteState::carried() const {
  json::Object out{{"shoe", shoe_names.at(static_cast<std::size_t>(shoe))}};
  if (last) out["last"] = true;
  if (phase == Phase::finished) out["finished"] = true;
  if (!prison.empty()) out["prison"] = prison_json(prison);
  return out;
}

json::Value TrenteState::to_json() const {
  json::Object out{{"shoe", shoe_names.at(static_cast<std::size_t>(shoe))},
                   {"phase", phase_names.at(static_cast<std::size_t>(phase))}};
  if (last) out["last"] = true;
  if (!negra.empty()) out["negra"] = cards_json(negra);
  if (!roja.empty()) out["roja"] = cards_json(roja);
  if (!book.empty()) out["bets"] = book.to_json();
  if (!prison.empty()) out["prison"] = prison_json(prison);
  if (!settled.empty()) {
    json::Array all;
    for (const auto& one : settled) all.push_back(games::to_json(one));
    out["settled"] = std::move(all);
  }
  return out;
}

Result<TrenteState> TrenteState::from_json(const json::Value& value) {
  return as_state(read_state(value));
}

Result<TrenteState> TrenteState::from_carried(const json::Value& value) {
  return as_state(read_carried(value));
}

}  // namespace talla::games::trente
