// What the monitors show: the status page and /metrics. Aggregates only.
#include <array>
#include <charconv>
#include <cmath>

#include "monitor/monitors.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;

/// Thousandths, as an integer: the status page knows no fractions.
std::int64_t milli(double value) {
  return static_cast<std::int64_t>(std::llround(std::min(std::max(value, -1e9), 1e9) * 1000));
}

json::Object side_json(const mon::BoardRow::Side& side) {
  return {{"epoch", side.epoch},
          {"log_e_milli", milli(side.log_value)},
          {"alarm_at_milli", milli(side.log_threshold)},
          {"alarm", side.alarm},
          {"alarms", side.alarms}};
}

std::string text_of(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

void add_side(const std::string& name, const std::string& label, const mon::BoardRow::Side& side,
              std::map<std::string, double>& counters, std::map<std::string, double>& gauges) {
  gauges[name + "_log" + label] = side.log_value;
  gauges[name + "_log_threshold" + label] = side.log_threshold;
  gauges[name + "_epoch" + label] = side.epoch;
  gauges[name + "_alarm" + label] = side.alarm ? 1 : 0;
  counters[name + "_alarms_total" + label] = static_cast<double>(side.alarms);
}

}  // namespace

void Monitors::publish() {
  Snapshot fresh;
  Boards::Rows shown;  // nothing of payments: the curves are for whoever reads the status
  for (const MonitorClass monitor_class : monitor_classes) {
    auto& rows = fresh.rows[static_cast<std::size_t>(monitor_class)];
    rows = boards_.take_rows(monitor_class);
    if (monitor_class != MonitorClass::payments)
      shown.insert(shown.end(), rows.begin(), rows.end());
  }
  curves_.see(effects_.clock.utc_us(), effects_.clock.monotonic_ns(), shown,
              quality_.take_shares());
  fresh.unwatched = reader_->unwatched();
  fresh.unwatched_payments = payments_->unwatched();
  const bool paid = payments_->take_changed();
  if (paid) fresh.payments = payments_->sums();
  const auto size = effects_.ledger.size();
  fresh.lag = size > progress_.position ? size - progress_.position : 0;
  const std::scoped_lock lock(shared_.mutex);
  if (!paid) fresh.payments = std::move(shared_.snapshot.payments);
  shared_.snapshot = std::move(fresh);
}

json::Object Monitors::status() const {
  json::Array watching;
  std::uint64_t alarms = 0;
  const std::scoped_lock lock(shared_.mutex);
  for (const MonitorClass monitor_class : monitor_classes) {
    for (const auto& row : shared_.snapshot.rows[static_cast<std::size_t>(monitor_class)]) {
      alarms += (row.process.alarm ? 1U : 0U) + (row.detector.alarm ? 1U : 0U);
      if (monitor_class == MonitorClass::payments) continue;
      watching.emplace_back(json::Object{{"class", class_name(monitor_class)},
                                         {"name", row.monitor},
                                         {"unit", row.unit},
                                         {"seen", row.steps},
                                         {"process", side_json(row.process)},
                                         {"detector", side_json(row.detector)}});
    }
  }
  return {{"alpha", text_of(options_.alpha)},
          {"run_length", static_cast<std::int64_t>(options_.run_length)},
          {"alarms_standing", alarms + quality_.alarms_standing()},
          {"states_refused", counts_.states_refused.load()},
          {"quality", quality_.status()},
          {"watching", std::move(watching)}};
}

json::Object Monitors::history(const core::HistoryQuery& query) const {
  return curves_.history(query);
}

json::Object Monitors::returns() const {
  const std::scoped_lock lock(shared_.mutex);
  const auto& rows = shared_.snapshot.rows[static_cast<std::size_t>(MonitorClass::payments)];
  std::map<std::string_view, const mon::BoardRow*> by_name;
  json::Array together;
  for (const auto& row : rows) {
    by_name[row.monitor] = &row;
    if (!PaymentReader::is_together(row.monitor)) continue;
    together.emplace_back(json::Object{{"monitor", row.monitor},
                                       {"rounds", row.steps},
                                       {"process", side_json(row.process)},
                                       {"detector", side_json(row.detector)}});
  }
  json::Object out = shared_.snapshot.payments;
  for (json::Value& bet : out["bets"].array()) {
    const auto row = by_name.find(bet.find("monitor")->string());
    if (row == by_name.end()) continue;  // the board was full
    json::Object with = bet.object();
    with["process"] = side_json(row->second->process);
    with["detector"] = side_json(row->second->detector);
    bet = json::Value(std::move(with));
  }
  out["together"] = std::move(together);
  out["unwatched"] = shared_.snapshot.unwatched_payments;
  return out;
}

void Monitors::add_metrics(std::map<std::string, double>& counters,
                           std::map<std::string, double>& gauges) const {
  counters["talla_monitor_states_refused_total"] =
      static_cast<double>(counts_.states_refused.load());
  counters["talla_monitor_saves_failed_total"] = static_cast<double>(counts_.saves_failed.load());
  counters["talla_monitor_bits_sacrificed_total"] =
      static_cast<double>(counts_.bits_sacrificed.load());
  gauges["talla_monitor_alpha"] = options_.alpha;
  quality_.add_metrics(counters, gauges);
  const std::scoped_lock lock(shared_.mutex);
  counters["talla_monitor_outcomes_unwatched_total"] =
      static_cast<double>(shared_.snapshot.unwatched);
  counters["talla_monitor_payments_unwatched_total"] =
      static_cast<double>(shared_.snapshot.unwatched_payments);
  gauges["talla_monitor_lag_records"] = static_cast<double>(shared_.snapshot.lag);
  const auto& paid = shared_.snapshot.rows[static_cast<std::size_t>(MonitorClass::payments)];
  std::uint64_t standing = 0;
  std::uint64_t in_all = 0;
  for (const auto& row : paid) {
    standing += (row.process.alarm ? 1U : 0U) + (row.detector.alarm ? 1U : 0U);
    in_all += row.process.alarms + row.detector.alarms;
  }
  gauges["talla_monitor_payments_streams"] = static_cast<double>(paid.size());
  gauges["talla_monitor_payments_alarms"] = static_cast<double>(standing);
  counters["talla_monitor_payments_alarms_total"] = static_cast<double>(in_all);
  for (const MonitorClass monitor_class : monitor_classes) {
    if (monitor_class == MonitorClass::payments) continue;  // anybody reads these lines
    for (const auto& row : shared_.snapshot.rows[static_cast<std::size_t>(monitor_class)]) {
      const std::string label = "{class=\"" + std::string(class_name(monitor_class)) +
                                "\",monitor=\"" + row.monitor + "\"}";
      gauges["talla_monitor_steps" + label] = static_cast<double>(row.steps);
      add_side("talla_monitor_process", label, row.process, counters, gauges);
      add_side("talla_monitor_detector", label, row.detector, counters, gauges);
    }
  }
}

}  // namespace talla::rngd
