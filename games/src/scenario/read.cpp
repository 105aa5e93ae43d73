// Reads scenarios from files of one object, or of one a line.
#include "games/scenario.hpp"
#include "scenario/steps.hpp"

namespace talla::games {
namespace {

Result<std::optional<std::string>> text_of(json::Reader& reader, std::string_view key) {
  if (!reader.has(key)) return std::optional<std::string>();
  TALLA_TRY(auto text, reader.string(key));
  return std::optional<std::string>(std::move(text));
}

Result<std::optional<std::int64_t>> optional_number(json::Reader& reader, std::string_view key,
                                                    std::int64_t min) {
  if (!reader.has(key)) return std::optional<std::int64_t>();
  TALLA_TRY(const auto number, reader.integer(key, min, units_max));
  return std::optional<std::int64_t>(number);
}

Result<ExpectedBet> read_expected(const json::Value& value) {
  json::Reader reader(value, "expect");
  ExpectedBet out;
  TALLA_TRY(out.bet, reader.string("bet"));
  TALLA_TRY(out.result, text_of(reader, "result"));
  if (out.result && !bet_result_from(*out.result))
    return bad_scenario("expect: unknown result " + *out.result);
  TALLA_TRY(out.returned, optional_number(reader, "returned", 0));
  TALLA_TRY(out.rule, text_of(reader, "rule"));
  TALLA_TRY(out.kind, text_of(reader, "kind"));
  TALLA_TRY(out.stake, optional_number(reader, "stake", 0));
  TALLA_TRY(const auto seat, optional_number(reader, "seat", 0));
  if (seat) out.seat = static_cast<Seat>(*seat);
  TALLA_TRY(out.remainder, text_of(reader, "remainder"));
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

Result<Scenario> read(const json::Value& value) {
  json::Reader reader(value, "scenario");
  Scenario out;
  TALLA_TRY(out.catalogue, reader.string("catalogue"));
  TALLA_TRY(out.game, reader.string("game"));
  TALLA_TRY(const auto* table, reader.object("table"));
  out.table = *table;
  TALLA_TRY(const auto* steps, reader.array("steps"));
  out.steps = *steps;
  if (reader.has("expect")) {
    TALLA_TRY(const auto* expect, reader.array("expect"));
    for (const auto& one : *expect) {
      TALLA_TRY(auto expected, read_expected(one));
      out.expect.push_back(std::move(expected));
    }
  }
  TALLA_TRY(out.expect_error, text_of(reader, "expect_error"));
  TALLA_TRY(const auto source, text_of(reader, "source"));
  TALLA_TRY(const auto name, text_of(reader, "name"));
  out.source = source.value_or("");
  out.name = name.value_or("");
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

bool blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

Result<Scenario> read_scenario_text(std::string_view text) {
  auto value = json::parse(text);
  if (!value) return bad_scenario(value.error().detail);
  return scenario_from_json(*value);
}

}  // namespace

Result<Scenario> scenario_from_json(const json::Value& value) {
  auto scenario = read(value);
  if (!scenario && scenario.error().number < 300) return bad_scenario(scenario.error().detail);
  return scenario;
}

std::vector<ScenarioLine> read_scenarios(std::string_view text) {
  std::vector<ScenarioLine> out;
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return out;
  // One object over several lines: its first line alone is no JSON, the whole text is.
  const auto first_end = text.find('\n', first);
  if (!json::parse(text.substr(first, first_end - first)) && json::parse(text)) {
    out.push_back({1, read_scenario_text(text)});
    return out;
  }
  std::size_t line_number = 0;
  while (!text.empty()) {
    ++line_number;
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!blank(line)) out.push_back({line_number, read_scenario_text(line)});
  }
  return out;
}

}  // namespace talla::games
