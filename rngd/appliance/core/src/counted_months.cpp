// The months of this log, counted while somebody asks, and the operation that asks.
#include "counted_months.hpp"

#include <algorithm>

#include "operations.hpp"
#include "proofs.hpp"
#include "schemas.hpp"
#include "sight.hpp"

namespace talla::core {

Result<json::Value> CountedMonths::report(const certs::Ledger& ledger, std::uint64_t size,
                                          const std::string& month) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t from = months_.below();
  const std::uint64_t to = std::min(size, from + records_at_a_time);
  if (from < to) {
    TALLA_TRY(const auto records, ledger.records(from, to));
    for (const auto& record : records) TALLA_TRY_STATUS(months_.take(record.bytes));
  }
  json::Array faults;
  if (months_.below() < size)
    faults.emplace_back(
        json::Object{{"what", "unfinished"},
                     {"words", "records " + std::to_string(months_.below()) + " to " +
                                   std::to_string(size - 1) + " are not counted yet: ask again"}});
  return months_.report(
      month, {.against = "the ledger of the appliance that says it", .faults = std::move(faults)});
}

Result<Reply> Proofs::month(const Request& /*request*/, const Route& route) const {
  const auto asked = route.query.find("month");
  if (asked == route.query.end() || !month::is_month(asked->second))
    return fail(Errc::malformed_request, "month: expected a month like 2026-11");
  const auto& log = appliance_.effects.log;
  const auto& ended = appliance_.settings.ended;
  const std::uint64_t size = ended ? std::min(log.size(), ended->size) : log.size();
  TALLA_TRY(const auto report, months_->report(log.ledger(), size, asked->second));
  Reply reply;
  reply.body = json::canonical(report);
  return reply;
}

namespace {

// NOLINTNEXTLINE(readability-function-size): a table
Schema month_schema() {
  const auto counts = Schema::map(Schema::number());
  const auto time = Schema::number().about("microseconds since 1970, UTC");
  const auto draws = Schema::object(
      {required("specification", specification_schema()), required("draws", Schema::number()),
       required("results", counts.about("of a wheel by its numbers as the game calls them; #20 is "
                                        "pocket 20 of a wheel that no built-in catalogue has")),
       optional("p", Schema::text().about("chance of a less even month, by chi-square; where each "
                                          "result is expected five times"))});
  const auto table = Schema::object(
      {required("place", Schema::text()), required("game", Schema::text()),
       optional("catalogue", Schema::digest().about("where a game of it is played")),
       required("currency", Schema::text()),
       required("unit", Schema::text().about("worth of a unit in the currency")),
       required("draws", Schema::list(draws)), required("rounds", Schema::number()),
       required("settlements", Schema::number()),
       required("staked", Schema::number().about("units; a stake counts once, when it is settled "
                                                 "first, and in prison no more")),
       required("returned", Schema::number()), required("misdeals", Schema::number()),
       required("shoes", counts), required("voids", counts.about("by cause")),
       required("withheld", counts.about("by who opened nothing"))});
  const auto alarm = Schema::object(
      {required("dropped", Schema::number()), required("level", Schema::integer(1, 2)),
       required("seq", Schema::number()), required("source", Schema::text()),
       required("test", Schema::text()), required("time_us", time)});
  const auto latch = Schema::object({required("seq", Schema::number()), required("time_us", time),
                                     required("what", Schema::text())});
  const auto fault =
      Schema::object({required("what", Schema::text()), required("words", Schema::text())});
  const auto log = Schema::object(
      {required("below", Schema::number().about("records that are counted, of all months")),
       required("held_against", Schema::text()), required("origin", Schema::text()),
       required("records_of_month", Schema::number()),
       optional("root", Schema::digest().about("of those below"))});
  return Schema::named(
      "Month",
      Schema::object(
          {required("month", Schema::text()), required("log", log),
           required("faults",
                    Schema::list(fault).about("`unfinished`: not all records are counted yet")),
           required("tables", Schema::map(table)), required("alarms", Schema::list(alarm)),
           required("latches", Schema::list(latch)), required("latch_resets", counts),
           required("selftests", counts), required("power", counts),
           required("reseeds", Schema::number()), required("accesses_refused", Schema::number()),
           required("format", Schema::exactly(1)),
           required("kind", Schema::exactly("talla-lab month"))}));
}

}  // namespace

std::vector<Operation> month_operations() {
  return {
      {.row = {"getMonth", "GET", "/v1/month", overseers.with({Role::lab}), false},
       .handler = &Proofs::month,
       .words = {"log", "A month of the appliance, counted from its log",
                 "Outcomes, returns, voids, withheld contributions, latches and alarms, as "
                 "`talla-lab month` counts them from an export. A reply counts 5,000 records at "
                 "most, from the first one on; while `faults` has `unfinished`, asking again "
                 "counts on."},
       .body = {},
       .query = {required("month", Schema::text(7, 7).about("YYYY-MM, in UTC"))},
       .replies = {{month_schema()}},
       .example_body = {},
       .example_reply =
           R"({"accesses_refused":0,"alarms":[],"faults":[],"format":1,)"
           R"("kind":"talla-lab month","latch_resets":{},"latches":[],"log":{"below":1,)"
           R"("held_against":"the ledger of the appliance that says it",)"
           R"("origin":"casino.example/talla-1","records_of_month":1},"month":"2026-11",)"
           R"("power":{"start":1},"reseeds":0,"selftests":{},"tables":{}})"},
  };
}

}  // namespace talla::core
