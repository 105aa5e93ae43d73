/// \file
/// The past of many figures at one resolution: for each interval the least, the greatest and the
/// last value of each figure that was seen in it, in a memory of fixed size.
///
/// Intervals are those of UTC (a minute, an hour); they stand in the order in which they were seen,
/// whatever the clock said: a clock that steps back erases nothing, it begins a new stretch. So
/// many intervals make a chunk, so many chunks are kept, the oldest chunk goes first. No interval
/// opens sooner than three quarters of its length after the one before, by the monotonic clock and
/// but for two at a time: a clock that jumps to and fro cannot push the past out.
/// Gaps:    an interval in which nothing was seen is not there, and a value is never made up. An
///          interval is `broken` where the seeing was not continuous before or in it: a restart, a
///          silence, a stepped clock.
/// Bounds:  a chunk takes so many figures of each family and no more; one that was full leaves a
///          new figure out until the next chunk. Names that come and go cost nobody his place in
///          what is past. A point has 16 bytes.
/// Values:  whole numbers, cut to 32 bits.
/// Threads: one track belongs to one thread at a time. Secrecy: aggregates alone.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "stats/monitor/state.hpp"

namespace talla::rngd {

/// Which of a name's figures: an e-process, its detector; shares over short and long windows.
enum class CurveSide : std::uint8_t { process, detector, recent, lasting };
inline constexpr std::uint32_t curve_sides = 4;
/// "process", "detector", "short", "long".
[[nodiscard]] std::string_view side_name(CurveSide side);
/// Thousandths and millionths are families of their own: monitors and sources.
[[nodiscard]] constexpr bool is_share(CurveSide side) {
  return side == CurveSide::recent || side == CurveSide::lasting;
}

/// What was seen at one look.
struct CurveLook {
  struct Value {
    std::string name;
    CurveSide side = CurveSide::process;
    std::int64_t low = 0, high = 0, last = 0;  ///< since the look before
  };
  std::int64_t utc_us = 0;
  std::int64_t monotonic_ns = 0;
  bool broken = false;  ///< the look before is not the one that these values go on from
  std::vector<Value> values;
};

/// The past at one resolution.
class CurveTrack {
 public:
  struct Shape {
    std::int64_t step_us = 60'000'000;    ///< of an interval
    std::size_t chunk_intervals = 60;     ///< at most 65,535
    std::size_t chunks = 25;              ///< that are kept
    std::size_t figures_of_family = 448;  ///< that a chunk takes
  };
  /// Longest name that is taken.
  static constexpr std::size_t name_max = 256;

  /// What a question asks for.
  struct Range {
    std::int64_t from_us = 0;  ///< beginning of the interval: then or later
    std::int64_t to_us = 0;    ///< before
    std::size_t limit = 60;    ///< intervals, the newest of them
    std::string name;          ///< empty: all
  };
  /// Intervals without a gap between them.
  struct Run {
    std::int64_t from_us = 0;
    std::vector<std::int32_t> low, high, last;
  };
  struct Found {
    using Key = std::pair<std::string, CurveSide>;
    std::map<Key, std::vector<Run>> curves;
    bool more = false;  ///< there are older intervals in the range
  };

  explicit CurveTrack(const Shape& shape) : shape_(shape) {}
  [[nodiscard]] const Shape& shape() const { return shape_; }
  void see(const CurveLook& look);
  [[nodiscard]] Found find(const Range& range) const;
  /// Beginning of the oldest interval that is kept; nothing seen yet: -1.
  [[nodiscard]] std::int64_t oldest_us() const;
  /// Figures of the last look that found no place.
  [[nodiscard]] std::size_t left_out() const { return left_out_; }

  /// A chunk's place among the files: its number by the count of those that are kept.
  [[nodiscard]] std::size_t slot_of(std::uint64_t number) const { return number % shape_.chunks; }
  struct Saved {
    std::uint64_t number = 0;  ///< of the chunk, from 0
    std::string fields;
  };
  /// Chunks that have changed since this was called last, oldest first.
  [[nodiscard]] std::vector<Saved> take_changed();
  /// That chunk could not be stored.
  void not_stored(std::uint64_t number);
  /// Puts back what was saved, chunk by chunk in any order, before the first look. Refuses (in
  /// `in`) what cannot have been saved in that slot; nothing of it is used then. What is older than
  /// all that is kept goes.
  void load(stats::monitor::StateReader& in, std::size_t slot);

 private:
  struct Interval {
    std::int64_t begin_us = 0;
    bool broken = false;
  };
  struct Point {
    std::uint16_t interval = 0;  ///< of the chunk
    std::int32_t low = 0, high = 0, last = 0;
  };
  static_assert(sizeof(Point) == 16);
  struct Chunk {
    std::uint64_t number = 0;
    bool changed = false;
    std::vector<Interval> intervals;
    std::map<std::string, std::vector<Point>, std::less<>> figures;  ///< by side and name
    std::size_t of_monitors = 0, of_shares = 0;
  };
  struct Taken;
  /// For each chunk. `more`: as Found::more.
  [[nodiscard]] std::vector<Taken> take(const Range& range, bool& more) const;
  [[nodiscard]] bool may_open(std::int64_t monotonic_ns);
  void open(std::int64_t begin_us, bool broken);
  void put(Chunk& chunk, const CurveLook::Value& value);
  [[nodiscard]] std::vector<Point>* place_of(Chunk& chunk, CurveSide side, std::string_view name);

  Shape shape_;
  std::deque<Chunk> chunks_;  ///< oldest first
  std::size_t left_out_ = 0;
  double openings_ = 2;  ///< that may be made at once
  std::int64_t refilled_ns_ = 0;
};

}  // namespace talla::rngd
