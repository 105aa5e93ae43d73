// What the monitors' curves were: GET /v1/monitors/history.
#include <limits>

#include "core/monitor_hook.hpp"
#include "operations.hpp"
#include "proofs.hpp"
#include "questions.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

constexpr std::int64_t history_minute_us = 60'000'000;
/// All that is kept of a day by the minute, with the hour that is begun.
constexpr std::int64_t intervals_max = 1500;
/// Without a name: of every curve, so that an answer stays small.
constexpr std::int64_t intervals_of_all_max = 60;
constexpr std::size_t figure_name_max = 256;

Schema history_schema() {
  const auto time = Schema::number().about("microseconds since 1970, UTC");
  const auto values = [](const char* words) {
    return Schema::list(Schema::integer(std::numeric_limits<std::int32_t>::min(),
                                        std::numeric_limits<std::int32_t>::max()))
        .about(words);
  };
  const auto stretch = Schema::object(
      {required("from", time.about("beginning of its first interval, microseconds since 1970")),
       required("low", values("the least of each interval, one after the other without a gap")),
       required("high", values("the greatest, as many")),
       required("last", values("the last, as many"))});
  const auto curve = Schema::object(
      {required("name", Schema::text().about("the monitor, or SOURCE/MEASURE")),
       required("side", Schema::one_of({"process", "detector", "short", "long"})
                            .about("process, detector: natural logarithms in thousandths; short, "
                                   "long: shares over those windows in millionths")),
       required("stretches",
                Schema::list(stretch).about("in the order in which they were seen; between two of "
                                            "them nobody looked, the daemon was restarted or the "
                                            "clock was set"))});
  return Schema::named(
      "MonitorHistory",
      Schema::object(
          {required("watched", Schema::flag().about("the monitors are switched on")),
           required("step", Schema::number().about("length of an interval, microseconds")),
           optional("oldest", time.about("beginning of the oldest interval that is kept, "
                                         "microseconds since 1970; absent before the first look")),
           required("more", Schema::flag().about("there are older intervals between from and to")),
           required("left_out", Schema::number().about("figures that found no place: more than the "
                                                       "appliance keeps the past of")),
           required("refused", Schema::number().about("files of the past that the last start found "
                                                      "damaged: their time is a gap")),
           required("curves", Schema::list(curve))}));
}

std::string asked_text(const Route& route, const char* name) {
  const auto found = route.query.find(name);
  return found == route.query.end() ? std::string() : found->second;
}

}  // namespace

Result<Reply> Proofs::monitor_history(const Request& /*request*/, const Route& route) const {
  HistoryQuery query;
  query.hours = asked_text(route, "step") == "hour";
  query.from_us = number_of(route, "from", 0);
  query.to_us = number_of(route, "to", json::integer_max);
  query.name = asked_text(route, "name");
  const auto limit = number_of(route, "limit", intervals_of_all_max);
  query.limit =
      static_cast<std::size_t>(query.name.empty() ? std::min(limit, intervals_of_all_max) : limit);
  const auto* monitors = appliance_.effects.monitors;
  json::Object out;
  if (monitors != nullptr) {
    out = monitors->history(query);
  } else {
    out = {{"step", query.hours ? 60 * history_minute_us : history_minute_us},
           {"more", false},
           {"left_out", 0},
           {"refused", 0},
           {"curves", json::Array{}}};
  }
  out["watched"] = monitors != nullptr;
  Reply reply;
  reply.body = json::canonical(json::Value(std::move(out)));
  return reply;
}

std::vector<Operation> monitor_history_operations() {
  const auto time = Schema::number();
  return {
      {.row = {"getMonitorHistory", "GET", "/v1/monitors/history", whoever_is_enrolled, false},
       .handler = &Proofs::monitor_history,
       .words = {"appliance", "What the monitors' curves were",
                 "For each interval the least, the greatest and the last value of what the status "
                 "shows of a monitor or a source: by the minute for a day, by the hour for a "
                 "month. An e-value that crossed a line and fell back is seen. A time without "
                 "values is a gap; nothing is made up. The newest interval is not over yet. It is "
                 "no evidence: alarms are in the log, as HEALTH records."},
       .body = {},
       .query = {optional("step", Schema::one_of({"minute", "hour"}).otherwise("minute")),
                 optional("from", time.about("intervals that begin then or later, microseconds "
                                             "since 1970, UTC")),
                 optional("to", time.about("intervals that begin before")),
                 optional("limit", Schema::integer(1, intervals_max)
                                       .about("the newest of them; without `name` at most 60 are "
                                              "given")
                                       .otherwise(intervals_of_all_max)),
                 optional("name", Schema::text(1, figure_name_max)
                                      .about("one monitor, or SOURCE/MEASURE; without it all"))},
       .replies = {{history_schema()}},
       .example_body = {},
       .example_reply =
           R"({"curves":[{"name":"wheel-37/frequency","side":"process","stretches":)"
           R"([{"from":1767225600000000,"high":[-12,310],"last":[-40,295],"low":[-95,-40]}]}],)"
           R"("left_out":0,"more":false,"oldest":1767225600000000,"refused":0,"step":60000000,)"
           R"("watched":true})"},
  };
}

}  // namespace talla::core
