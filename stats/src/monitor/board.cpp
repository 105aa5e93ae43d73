#include "stats/monitor/board.hpp"

#include <algorithm>
#include <cmath>

#include "stats/monitor/threshold.hpp"

namespace talla::stats::monitor {
namespace {

constexpr std::uint32_t epochs_max = 1U << 30U;

}  // namespace

void Board::set_threshold(Watched& watched) const {
  watched.threshold = std::exp(log_threshold(options_.alpha, watched.place, watched.e.epoch));
}

Board::Entry* Board::add(const std::string& key, std::int64_t now_us) {
  if (entries_.size() >= options_.groups_max) return nullptr;
  auto group = options_.make(key);
  if (!group) return nullptr;
  auto entry = std::make_unique<Entry>();
  entry->key = key;
  entry->group = std::move(group);
  for (Process* process : entry->group->processes()) {
    Watched watched;
    watched.process = process;
    watched.place = ++places_;
    watched.e.since_us = now_us;
    watched.detector.since_us = now_us;
    set_threshold(watched);
    entry->watched.push_back(watched);
  }
  Entry* added = entry.get();
  by_key_.emplace(key, added);
  by_group_.emplace(added->group.get(), added);
  entries_.push_back(std::move(entry));
  return added;
}

Group* Board::group(const std::string& key, std::int64_t now_us) {
  const auto found = by_key_.find(key);
  if (found != by_key_.end()) return found->second->group.get();
  Entry* added = add(key, now_us);
  return added == nullptr ? nullptr : added->group.get();
}

void Board::look(const Group& group, std::vector<Finding>& found) {
  const auto at = by_group_.find(&group);
  if (at == by_group_.end()) return;
  for (Watched& watched : at->second->watched) {
    Process& process = *watched.process;
    const double e = process.e();
    const double detector = process.detector();
    watched.e.greatest = std::max(watched.e.greatest, e);
    watched.detector.greatest = std::max(watched.detector.greatest, detector);
    if (!watched.e.alarm && e >= watched.threshold) {
      watched.e.alarm = true;
      ++watched.e.alarms;
      process.freeze_e(true);
      found.push_back({name_of(*at->second, watched), false, watched.e.epoch, watched.e.since_us,
                       process.steps(), process.log_e(), std::log(watched.threshold)});
    }
    if (!watched.detector.alarm && detector >= options_.run_length) {
      watched.detector.alarm = true;
      ++watched.detector.alarms;
      process.freeze_detector(true);
      found.push_back({name_of(*at->second, watched), true, watched.detector.epoch,
                       watched.detector.since_us, process.steps(), process.log_detector(),
                       std::log(options_.run_length)});
    }
  }
}

void Board::begin(Watched& watched, std::int64_t now_us) const {
  if (watched.e.epoch < epochs_max) ++watched.e.epoch;
  watched.e.alarm = false;
  watched.e.since_us = now_us;
  watched.process->begin_epoch();
  set_threshold(watched);
}

void Board::begin_detector(Watched& watched, std::int64_t now_us) {
  if (watched.detector.epoch < epochs_max) ++watched.detector.epoch;
  watched.detector.alarm = false;
  watched.detector.since_us = now_us;
  watched.process->restart_detector();
}

std::size_t Board::end_alarms(std::int64_t now_us) {
  std::size_t ended = 0;
  for (const auto& entry : entries_) {
    for (Watched& watched : entry->watched) {
      ended += (watched.e.alarm ? 1U : 0U) + (watched.detector.alarm ? 1U : 0U);
      if (watched.e.alarm) begin(watched, now_us);
      if (watched.detector.alarm) begin_detector(watched, now_us);
    }
  }
  return ended;
}

void Board::begin_epochs(std::int64_t now_us) {
  for (const auto& entry : entries_) {
    for (Watched& watched : entry->watched) {
      begin(watched, now_us);
      begin_detector(watched, now_us);
    }
  }
}

void Board::raise_epochs(const std::string& monitor, std::uint32_t process,
                         std::uint32_t detector) {
  for (const auto& entry : entries_) {
    for (Watched& watched : entry->watched) {
      if (name_of(*entry, watched) != monitor) continue;
      watched.e.epoch = std::max(watched.e.epoch, std::min(process, epochs_max));
      watched.detector.epoch = std::max(watched.detector.epoch, std::min(detector, epochs_max));
      set_threshold(watched);
    }
  }
}

std::vector<BoardRow> Board::rows() const {
  std::vector<BoardRow> rows;
  for (const auto& entry : entries_) {
    for (const Watched& watched : entry->watched) {
      BoardRow row;
      row.monitor = name_of(*entry, watched);
      row.unit = entry->group->unit();
      row.place = watched.place;
      row.steps = watched.process->steps();
      row.process = {watched.e.epoch,
                     watched.process->log_e(),
                     std::log(watched.threshold),
                     watched.e.alarm,
                     watched.e.alarms,
                     std::max(watched.process->log_e(), std::log(watched.e.greatest))};
      row.detector = {
          watched.detector.epoch,
          watched.process->log_detector(),
          std::log(options_.run_length),
          watched.detector.alarm,
          watched.detector.alarms,
          std::max(watched.process->log_detector(), std::log1p(watched.detector.greatest))};
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<BoardRow> Board::take_rows() {
  auto taken = rows();
  for (const auto& entry : entries_) {
    for (Watched& watched : entry->watched) watched.e.greatest = watched.detector.greatest = 0;
  }
  return taken;
}

std::vector<std::string> Board::keys() const {
  std::vector<std::string> all;
  all.reserve(entries_.size());
  for (const auto& entry : entries_) all.push_back(entry->key);
  return all;
}

void Board::save(StateWriter& out) const {
  out.f64(options_.alpha);
  out.u32(static_cast<std::uint32_t>(entries_.size()));
  const auto side = [&out](const Side& one) {
    out.u32(one.epoch);
    out.u32(one.alarm ? 1 : 0);
    out.u64(one.alarms);
    out.i64(one.since_us);
  };
  for (const auto& entry : entries_) {
    out.text(entry->key);
    out.u32(static_cast<std::uint32_t>(entry->watched.size()));
    for (const Watched& watched : entry->watched) {
      side(watched.e);
      side(watched.detector);
      watched.process->save(out);
    }
  }
}

void Board::load(StateReader& in) {
  const double alpha = in.f64(0);
  if (in.good() && alpha != options_.alpha) in.refuse("it was made with another alpha");
  const std::uint32_t count = in.u32();
  const auto side = [&in](Side& one) {
    one.epoch = in.u32();
    const std::uint32_t alarm = in.u32();
    if (in.good() && (one.epoch == 0 || one.epoch > epochs_max || alarm > 1))
      in.refuse("an epoch does not fit");
    one.alarm = alarm == 1;
    one.alarms = in.u64();
    one.since_us = in.i64();
  };
  for (std::uint32_t i = 0; i < count && in.good(); ++i) {
    const std::string key = in.text();
    if (!in.good() || by_key_.contains(key)) return in.refuse("a monitor comes twice");
    Entry* entry = add(key, 0);
    if (entry == nullptr || in.u32() != entry->watched.size())
      return in.refuse("a monitor is not known");
    for (Watched& watched : entry->watched) {
      side(watched.e);
      side(watched.detector);
      watched.process->load(in);
      watched.process->freeze_e(watched.e.alarm);
      watched.process->freeze_detector(watched.detector.alarm);
      set_threshold(watched);
    }
  }
}

}  // namespace talla::stats::monitor
