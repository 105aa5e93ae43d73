#include "games/table.hpp"

#include <algorithm>
#include <functional>

#include "games/engine.hpp"
#include "games/engine_registry.hpp"
#include "games/refusal.hpp"
#include "table/bet_index.hpp"
#include "table/limits.hpp"

namespace talla::games {
namespace {

tl::unexpected<Error> invalid(const std::string& why) {
  return fail(Errc::table_invalid, why);
}

Result<Fraction> read_unit(const json::Value& value) {
  if (value.is_integer() && value.integer() > 0) return Fraction(value.integer());
  if (value.is_string()) {
    auto unit = Fraction::parse(value.string());
    if (unit && *unit > Fraction(0)) return unit;
  }
  return invalid("unit is what one unit is worth in the currency: 1, or \"1/100\"");
}

Status check_config(const TableConfig& config) {
  if (!currency_known(config.currency.code)) return invalid("currency is no ISO 4217 code");
  if (config.currency.unit <= Fraction(0)) return invalid("unit must be above zero");
  if (config.currency.chip < 1) return invalid("chip is at least 1 unit");
  if (config.min < 1 || config.min > units_max / 1'000'000) return invalid("min is out of range");
  if (config.min % config.currency.chip != 0)
    return refuse(
        Errc::table_invalid, "min {found} is no multiple of chip, {allowed}",
        {{"found", std::to_string(config.min)}, {"allowed", std::to_string(config.currency.chip)}});
  if (config.max && (*config.max < config.min || *config.max > units_max))
    return refuse(
        Errc::table_invalid, "max {found} is below min, {allowed}",
        {{"found", std::to_string(*config.max)}, {"allowed", std::to_string(config.min)}});
  return {};
}

Result<std::vector<std::string>> read_shared(json::Reader& reader) {
  std::vector<std::string> out;
  if (!reader.has("shared_meters")) return out;
  TALLA_TRY(const auto* list, reader.array("shared_meters"));
  for (const auto& one : *list) {
    if (!one.is_string()) return invalid("shared_meters lists ids of meters");
    out.push_back(one.string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Only what the engine can share, each once.
Status check_shared(const Table& table) {
  const auto& shared = table.config().shared_meters;
  const bool ascending =
      std::adjacent_find(shared.begin(), shared.end(), std::greater_equal<>()) == shared.end();
  if (!ascending) return invalid("shared_meters names each meter once, in order");
  for (const auto& meter : shared) {
    if (!table.engine().meter_terms(table, meter))
      return invalid("shared_meters: this table has no meter " + meter.substr(0, 40) +
                     " that tables share");
  }
  return {};
}

Result<TableConfig> read_config(std::string game, const json::Value& value) {
  json::Reader reader(value, "table");
  TableConfig out;
  out.game = std::move(game);
  TALLA_TRY(out.currency.code, reader.string("currency"));
  if (const auto* unit = reader.optional("unit")) {
    TALLA_TRY(out.currency.unit, read_unit(*unit));
  }
  if (reader.has("chip")) {
    TALLA_TRY(out.currency.chip, reader.integer("chip", 1, units_max));
  }
  if (reader.has("rounding")) {
    TALLA_TRY(const auto rounding, reader.string("rounding"));
    TALLA_TRY(out.currency.rounding, rounding_from(rounding));
  }
  TALLA_TRY(out.min, reader.integer("min", 1, units_max));
  if (reader.has("max")) {
    TALLA_TRY(out.max, reader.integer("max", 1, units_max));
  }
  if (const auto* params = reader.optional("params")) out.params = *params;
  TALLA_TRY(out.shared_meters, read_shared(reader));
  if (reader.has("authorised_min")) {
    TALLA_TRY(out.authorised_min, reader.integer("authorised_min", 1, units_max));
  }
  TALLA_TRY_STATUS(reader.finish());
  return out;
}

}  // namespace

Units Table::whole_stake(const Fraction& exact, const Fraction& most) const {
  const Units chip = config_.currency.chip;
  const Units wanted = round(exact / Fraction(chip)).units * chip;
  return Fraction(wanted) <= most ? wanted : (most / Fraction(chip)).floor() * chip;
}

Result<Table> Table::with_parameter(std::string_view id, json::Value value) const {
  TableConfig config = config_;
  json::Object params = config.params.is_object() ? config.params.object() : json::Object();
  params[std::string(id)] = std::move(value);
  config.params = std::move(params);
  return open(catalogue_, std::move(config));
}

bool Table::shares(std::string_view meter) const {
  const auto& shared = config_.shared_meters;
  return std::find(shared.begin(), shared.end(), meter) != shared.end();
}

Result<TableConfig> table_config_from_json(std::string game, const json::Value& value) {
  auto config = read_config(std::move(game), value);
  if (!config && config.error().number < 300) return invalid(config.error().detail);
  if (config) TALLA_TRY_STATUS(check_config(*config));
  return config;
}

json::Value to_json(const TableConfig& config) {
  json::Object out{{"currency", config.currency.code},
                   {"chip", config.currency.chip},
                   {"rounding", rounding_name(config.currency.rounding)},
                   {"min", config.min},
                   {"params", config.params}};
  out["unit"] = config.currency.unit.is_integer() ? json::Value(config.currency.unit.floor())
                                                  : json::Value(config.currency.unit.text());
  if (config.max) out["max"] = *config.max;
  if (config.authorised_min) out["authorised_min"] = *config.authorised_min;
  if (!config.shared_meters.empty())
    out["shared_meters"] = json::Array(config.shared_meters.begin(), config.shared_meters.end());
  return out;
}

Result<Table> Table::open(std::shared_ptr<const Catalogue> catalogue, TableConfig config) {
  TALLA_CHECK(catalogue != nullptr);
  TALLA_TRY_STATUS(check_config(config));
  Table out;
  TALLA_TRY(out.rules_, find_game(*catalogue, config.game));
  out.engine_ = find_engine(out.rules_->family);
  if (out.engine_ == nullptr) {
    return fail(Errc::game_not_available,
                "no engine plays " + config.game + " (" + out.rules_->family + ")");
  }
  TALLA_TRY(out.params_, Params::resolve(*out.rules_, config.params, config.currency.code,
                                         config.currency.unit));
  out.confirms_ =
      out.params_.has(settle_parameter) && out.params_.choice(settle_parameter) == "confirmation";
  out.catalogue_ = std::move(catalogue);
  out.config_ = std::move(config);
  out.bet_index_ = std::make_shared<const BetIndex>(*out.rules_, out.params_, out.config_.min);
  out.prepared_ = out.engine_->prepare(out);
  TALLA_TRY_STATUS(check_table_limits(out));
  TALLA_TRY_STATUS(check_shared(out));
  return out;
}

}  // namespace talla::games
