// talla monitors: what the curves of the monitors and sources were, as the appliance keeps them.
#include <algorithm>
#include <memory>

#include "columns.hpp"
#include "members.hpp"
#include "steps.hpp"
#include "times.hpp"

namespace talla::cli {

namespace {

constexpr int last_max = 1500;

struct MonitorsOptions {
  std::string name;
  std::string from;
  std::string to;
  bool hours = false;
  int last = 60;
};

/// One interval of a curve.
struct CurvePoint {
  std::int64_t time_us = 0;
  std::int64_t low = 0, high = 0, last = 0;
  bool gap = false;  ///< nothing joins it to the one before
};

struct Curve {
  std::string name;
  std::string side;
  std::vector<CurvePoint> points;
};

/// A whole number of units of 10^-decimals.
std::string decimal_text(std::int64_t value, std::size_t decimals) {
  std::string digits = std::to_string(value < 0 ? -value : value);
  if (digits.size() <= decimals) digits.insert(0, decimals + 1 - digits.size(), '0');
  digits.insert(digits.size() - decimals, 1, '.');
  return (value < 0 ? "-" : "") + digits;
}

/// Thousandths of a logarithm, or millionths of a share, as people read them.
std::string figure_text(const Curve& curve, std::int64_t value) {
  const bool share = curve.side == "short" || curve.side == "long";
  return share ? decimal_text(value, 4) + " %" : decimal_text(value, 3);
}

std::string side_words(const std::string& side) {
  if (side == "process") return "e-process";
  if (side == "detector") return "change detector";
  return side + " window";
}

/// Errors: appliance_refused, of an answer that is none.
Result<Curve> curve_of(const json::Value& told, std::int64_t step_us) {
  Curve curve{.name = word_in(told, "name"), .side = word_in(told, "side"), .points = {}};
  const auto none = [] {
    return fail(CliErrc::appliance_refused, "its answer holds a curve that is none");
  };
  for (const json::Value& stretch : list_in(told, "stretches")) {
    const auto from = number_in(stretch, "from");
    const json::Array& last = list_in(stretch, "last");
    const json::Array& low = list_in(stretch, "low");
    const json::Array& high = list_in(stretch, "high");
    if (!from || *from < 0 || low.size() != last.size() || high.size() != last.size())
      return none();
    for (std::size_t i = 0; i < last.size(); ++i) {
      if (!low[i].is_integer() || !high[i].is_integer() || !last[i].is_integer()) return none();
      curve.points.push_back({.time_us = *from + static_cast<std::int64_t>(i) * step_us,
                              .low = low[i].integer(),
                              .high = high[i].integer(),
                              .last = last[i].integer(),
                              .gap = i == 0});
    }
  }
  return curve;
}

Result<std::string> question_of(const MonitorsOptions& options) {
  std::string query = "?limit=" + std::to_string(options.last);
  if (options.hours) query += "&step=hour";
  if (!options.name.empty()) query += "&name=" + escaped(options.name);
  TALLA_TRY(const std::string range, range_query(options.from, options.to));
  return query + range;
}

/// A row for each interval, and one for each gap.
void show_intervals(const App& app, const Curve& curve) {
  std::vector<Cells> rows{{"from", "least", "greatest", "last"}};
  for (const CurvePoint& one : curve.points) {
    if (one.gap && rows.size() > 1) rows.push_back({"gap", "", "", ""});
    rows.push_back({local_time_text(one.time_us), figure_text(curve, one.low),
                    figure_text(curve, one.high), figure_text(curve, one.last)});
  }
  say_columns(app, curve.name + ", " + side_words(curve.side), rows);
}

/// A row for each curve, of all its intervals.
void show_overview(const App& app, const std::vector<Curve>& curves) {
  std::vector<Cells> rows{{"of", "what", "least", "greatest", "at", "last", "gaps"}};
  for (const Curve& curve : curves) {
    if (curve.points.empty()) continue;
    const auto least = std::ranges::min(curve.points, {}, &CurvePoint::low);
    const auto greatest = std::ranges::max(curve.points, {}, &CurvePoint::high);
    const auto gaps = std::ranges::count_if(curve.points, &CurvePoint::gap) - 1;
    rows.push_back({curve.name, side_words(curve.side), figure_text(curve, least.low),
                    figure_text(curve, greatest.high), local_time_text(greatest.time_us),
                    figure_text(curve, curve.points.back().last), std::to_string(gaps)});
  }
  say_columns(app, "natural logarithms of e-values, shares of raw noise", rows);
}

void emit_points(const App& app, const Curve& curve) {
  for (const CurvePoint& one : curve.points)
    app.emit(json::Value(json::Object{{"name", curve.name},
                                      {"side", curve.side},
                                      {"time", one.time_us},
                                      {"low", one.low},
                                      {"high", one.high},
                                      {"last", one.last},
                                      {"gap", one.gap}}));
}

void say_what_is_lost(const App& app, const json::Value& reply, const MonitorsOptions& options) {
  if (const auto oldest = number_in(reply, "oldest"))
    app.say("kept since " + both_times_text(*oldest) +
            (options.hours ? ", by the hour" : ", by the minute"));
  if (const auto refused = number_in(reply, "refused"); refused && *refused > 0)
    app.say("damaged files of the past at the start: " + std::to_string(*refused) +
            "; their time is a gap");
  if (const auto left_out = number_in(reply, "left_out"); left_out && *left_out > 0)
    app.say("figures whose past is not kept, because there are too many: " +
            std::to_string(*left_out));
}

Status print_monitors(const App& app, const MonitorsOptions& options, Session& session) {
  TALLA_TRY(const std::string question, question_of(options));
  TALLA_TRY(const json::Value reply, session.get("/v1/monitors/history" + question));
  if (!says(reply, "watched"))
    return fail(CliErrc::appliance_refused, "its monitors are switched off: nothing is kept");
  const auto step = number_in(reply, "step");
  const json::Value* told = reply.find("curves");
  if (!step || *step < 1 || *step > day_us || told == nullptr || !told->is_array())
    return fail(CliErrc::appliance_refused, "its answer has no curves: an older appliance");
  std::vector<Curve> curves;
  for (const json::Value& one : told->array()) {
    TALLA_TRY(auto curve, curve_of(one, *step));
    curves.push_back(std::move(curve));
  }
  if (curves.empty() && !options.name.empty())
    return fail(CliErrc::usage, "nothing is kept of \"" + options.name +
                                    "\" in that time; talla monitors lists what there is");
  for (const Curve& curve : curves) {
    emit_points(app, curve);
    if (!options.name.empty()) show_intervals(app, curve);
  }
  if (options.name.empty()) show_overview(app, curves);
  say_what_is_lost(app, reply, options);
  return {};
}

}  // namespace

void add_monitors(commandline::Command& root, App& app) {
  auto options = std::make_shared<MonitorsOptions>();
  auto* command = root.add_subcommand(
      "monitors", "what the curves of monitors and sources were, as the appliance keeps them");
  command->add_option("--name", options->name,
                      "of one alone, interval by interval, e.g. wheel-37/frequency or \"SOURCE/lag "
                      "1\"; without it the least and the greatest of all");
  command->add_flag("--hours", options->hours, "by the hour for a month, not by the minute");
  command->add_option("--from", options->from,
                      "from then on: 23:10, 2026-11-25T23:10 (of this machine's clock) or "
                      "2026-11-25T22:10:00Z");
  command->add_option("--to", options->to, "before then");
  command
      ->add_option("--last", options->last,
                   "so many intervals, the newest; without --name at most 60")
      ->range(1, last_max)
      ->capture_default_str();
  command->callback([&app, options] {
    with_session(app, [&](Session& session) { return print_monitors(app, *options, session); });
  });
}

}  // namespace talla::cli
