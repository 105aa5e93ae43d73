// Intervals, chunks and points of one resolution.
#include "monitor/curve_track.hpp"

#include <algorithm>
#include <limits>

#include "base/json.hpp"

namespace talla::rngd {
namespace {

constexpr double openings_max = 2;
/// Of an interval's length, between two that open.
constexpr double share_between = 0.75;
constexpr std::uint64_t number_max = std::uint64_t{1} << 53U;
constexpr std::int64_t time_max_us = json::integer_max;  // what an answer may hold

std::int32_t cut(std::int64_t value) {
  constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::clamp(value, low, high));
}

/// One text for side and name, in the order of the names.
std::string figure_key(CurveSide side, std::string_view name) {
  std::string key(name);
  key.push_back('\0');
  key.push_back(static_cast<char>('0' + static_cast<int>(side)));
  return key;
}

CurveSide side_of(std::string_view key) {
  return static_cast<CurveSide>(key.back() - '0');
}

std::string_view name_of(std::string_view key) {
  return key.substr(0, key.size() - 2);
}

}  // namespace

std::string_view side_name(CurveSide side) {
  switch (side) {
    case CurveSide::process:
      return "process";
    case CurveSide::detector:
      return "detector";
    case CurveSide::recent:
      return "short";
    case CurveSide::lasting:
      return "long";
  }
  return "unknown";
}

bool CurveTrack::may_open(std::int64_t monotonic_ns) {
  const auto since_ns = static_cast<double>(std::max<std::int64_t>(monotonic_ns - refilled_ns_, 0));
  refilled_ns_ = monotonic_ns;
  const double between_ns = share_between * static_cast<double>(shape_.step_us) * 1000;
  openings_ = std::min(openings_max, openings_ + since_ns / between_ns);
  return openings_ >= 1;
}

void CurveTrack::open(std::int64_t begin_us, bool broken) {
  openings_ -= 1;
  if (chunks_.empty() || chunks_.back().intervals.size() >= shape_.chunk_intervals) {
    const std::uint64_t number = chunks_.empty() ? 0 : chunks_.back().number + 1;
    chunks_.emplace_back().number = number;
    if (chunks_.size() > shape_.chunks) chunks_.pop_front();
  }
  chunks_.back().intervals.push_back({begin_us, broken});
}

std::vector<CurveTrack::Point>* CurveTrack::place_of(Chunk& chunk, CurveSide side,
                                                     std::string_view name) {
  if (name.empty() || name.size() > name_max || name.find('\0') != std::string_view::npos)
    return nullptr;
  const std::string key = figure_key(side, name);
  if (const auto found = chunk.figures.find(key); found != chunk.figures.end())
    return &found->second;
  std::size_t& count = is_share(side) ? chunk.of_shares : chunk.of_monitors;
  if (count >= shape_.figures_of_family) return nullptr;
  ++count;
  return &chunk.figures[key];
}

void CurveTrack::put(Chunk& chunk, const CurveLook::Value& value) {
  auto* points = place_of(chunk, value.side, value.name);
  if (points == nullptr) {
    ++left_out_;
    return;
  }
  const auto interval = static_cast<std::uint16_t>(chunk.intervals.size() - 1);
  const std::int32_t last = cut(value.last);
  if (points->empty() || points->back().interval != interval)
    points->push_back({.interval = interval, .low = last, .high = last, .last = last});
  Point& point = points->back();
  point.low = std::min({point.low, cut(value.low), last});
  point.high = std::max({point.high, cut(value.high), last});
  point.last = last;
}

void CurveTrack::see(const CurveLook& look) {
  const std::int64_t begin_us =
      std::clamp<std::int64_t>(look.utc_us, 0, time_max_us) / shape_.step_us * shape_.step_us;
  const bool free = may_open(look.monotonic_ns);
  const bool fits = !chunks_.empty() && chunks_.back().intervals.back().begin_us == begin_us;
  if (chunks_.empty() || (!fits && free)) {
    open(begin_us, look.broken);
  } else if (!fits || look.broken) {
    chunks_.back().intervals.back().broken = true;
  }
  Chunk& chunk = chunks_.back();
  chunk.changed = true;
  left_out_ = 0;
  for (const auto& value : look.values) put(chunk, value);
}

std::int64_t CurveTrack::oldest_us() const {
  return chunks_.empty() ? -1 : chunks_.front().intervals.front().begin_us;
}

/// Which intervals of a chunk are asked for, and which go on from the one before without a gap.
struct CurveTrack::Taken {
  std::vector<bool> taken, goes_on;
  bool any = false;
};

std::vector<CurveTrack::Taken> CurveTrack::take(const Range& range, bool& more) const {
  const auto within = [&range](const Interval& one) {
    return one.begin_us >= range.from_us && one.begin_us < range.to_us;
  };
  std::size_t passed = 0;  // the oldest of them, which the limit leaves out
  for (const Chunk& chunk : chunks_)
    passed += static_cast<std::size_t>(std::ranges::count_if(chunk.intervals, within));
  passed -= std::min(passed, range.limit);
  more = passed > 0;
  std::vector<Taken> all;
  const Interval* before = nullptr;
  std::uint64_t number = 0;
  for (const Chunk& chunk : chunks_) {
    if (chunk.number != number + 1) before = nullptr;  // the chunk between is lost
    number = chunk.number;
    Taken& one = all.emplace_back();
    for (const Interval& interval : chunk.intervals) {
      one.goes_on.push_back(before != nullptr && !interval.broken &&
                            interval.begin_us == before->begin_us + shape_.step_us);
      before = &interval;
      const bool asked = within(interval);
      const bool wanted = asked && passed == 0;
      if (asked && !wanted) --passed;
      one.taken.push_back(wanted);
      one.any = one.any || wanted;
    }
  }
  return all;
}

CurveTrack::Found CurveTrack::find(const Range& range) const {
  Found found;
  const auto asked = take(range, found.more);
  struct Growing {
    std::vector<Run> runs;
    std::size_t next = 0;  ///< the interval, counted over all chunks, that would go on
  };
  std::map<std::string_view, Growing> growing;  // the keys stay where they are: nobody writes
  std::size_t before = 0;                       // intervals of the chunks before
  for (std::size_t i = 0; i < chunks_.size(); before += chunks_[i++].intervals.size()) {
    const Taken& of_chunk = asked[i];
    if (!of_chunk.any) continue;
    for (const auto& [key, points] : chunks_[i].figures) {
      if (!range.name.empty() && name_of(key) != range.name) continue;
      Growing* curve = nullptr;
      for (const Point& point : points) {
        if (!of_chunk.taken[point.interval]) continue;
        if (curve == nullptr) curve = &growing[key];
        const std::size_t at = before + point.interval;
        if (curve->runs.empty() || curve->next != at || !of_chunk.goes_on[point.interval])
          curve->runs.emplace_back().from_us = chunks_[i].intervals[point.interval].begin_us;
        Run& run = curve->runs.back();
        run.low.push_back(point.low);
        run.high.push_back(point.high);
        run.last.push_back(point.last);
        curve->next = at + 1;
      }
    }
  }
  for (auto& [key, curve] : growing)
    found.curves[{std::string(name_of(key)), side_of(key)}] = std::move(curve.runs);
  return found;
}

std::vector<CurveTrack::Saved> CurveTrack::take_changed() {
  std::vector<Saved> all;
  for (Chunk& chunk : chunks_) {
    if (!std::exchange(chunk.changed, false)) continue;
    stats::monitor::StateWriter out;
    out.i64(shape_.step_us);
    out.u64(chunk.number);
    out.u32(static_cast<std::uint32_t>(chunk.intervals.size()));
    for (const Interval& one : chunk.intervals) {
      out.i64(one.begin_us);
      out.u32(one.broken ? 1 : 0);
    }
    out.u32(static_cast<std::uint32_t>(chunk.figures.size()));
    for (const auto& [key, points] : chunk.figures) {
      out.text(name_of(key));
      out.u32(static_cast<std::uint32_t>(side_of(key)));
      out.u32(static_cast<std::uint32_t>(points.size()));
      for (const Point& point : points) {
        out.u32(point.interval);
        for (const std::int32_t value : {point.low, point.high, point.last})
          out.u32(static_cast<std::uint32_t>(value));
      }
    }
    all.push_back({chunk.number, out.fields()});
  }
  return all;
}

void CurveTrack::not_stored(std::uint64_t number) {
  for (Chunk& chunk : chunks_) chunk.changed = chunk.changed || chunk.number == number;
}

void CurveTrack::load(stats::monitor::StateReader& in, std::size_t slot) {
  Chunk chunk;
  if (in.i64() != shape_.step_us) in.refuse("it has another resolution");
  chunk.number = in.u64();
  if (in.good() && (chunk.number > number_max || slot_of(chunk.number) != slot))
    in.refuse("its number does not belong here");
  const std::uint32_t intervals = in.u32();
  if (in.good() && (intervals == 0 || intervals > shape_.chunk_intervals))
    in.refuse("it has too many intervals, or none");
  for (std::uint32_t i = 0; i < intervals && in.good(); ++i) {
    const std::int64_t begin_us = in.i64();
    const std::uint32_t broken = in.u32();
    if (in.good() &&
        (begin_us < 0 || begin_us > time_max_us || begin_us % shape_.step_us != 0 || broken > 1))
      in.refuse("an interval does not fit");
    chunk.intervals.push_back({begin_us, broken == 1});
  }
  for (std::uint32_t left = in.u32(); left > 0 && in.good(); --left) {
    const std::string name = in.text();
    const std::uint32_t side = in.u32();
    auto* points = in.good() && side < curve_sides
                       ? place_of(chunk, static_cast<CurveSide>(side), name)
                       : nullptr;
    std::uint32_t more = in.u32();
    if (points == nullptr || !points->empty() || more == 0)
      return in.refuse("a figure does not fit");
    for (; more > 0 && in.good(); --more) {
      const std::uint32_t interval = in.u32();
      Point point{.interval = static_cast<std::uint16_t>(interval & 0xffffU)};
      point.low = static_cast<std::int32_t>(in.u32());
      point.high = static_cast<std::int32_t>(in.u32());
      point.last = static_cast<std::int32_t>(in.u32());
      const bool fits = interval < intervals && point.low <= point.last &&
                        point.last <= point.high &&
                        (points->empty() || points->back().interval < interval);
      if (!fits) return in.refuse("a point does not fit");
      points->push_back(point);
    }
  }
  if (!in.finish()) return;
  const auto later =
      std::ranges::find_if(chunks_, [&](const Chunk& one) { return one.number >= chunk.number; });
  chunks_.insert(later, std::move(chunk));
  const std::uint64_t newest = chunks_.back().number;
  while (newest - chunks_.front().number >= shape_.chunks) chunks_.pop_front();
}

}  // namespace talla::rngd
