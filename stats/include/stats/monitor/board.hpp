/// \file
/// The board of one class of streams: who watches, in which epoch, with which share of alpha, and
/// who has raised an alarm.
///
/// An alarm stands, and its process with it, until the next epoch begins; each epoch has its own,
/// smaller share. A group that is not known yet gets the next place when it first comes up, and
/// keeps it for ever.
/// Threads: one board belongs to one thread at a time. Secrecy: holds aggregates only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stats/monitor/process.hpp"

namespace talla::stats::monitor {

/// An alarm as it came up.
struct Finding {
  std::string monitor;  ///< "wheel-37/frequency"
  bool detector = false;
  std::uint32_t epoch = 1;
  std::int64_t since_us = 0;  ///< When the epoch began.
  std::uint64_t steps = 0;
  double log_value = 0;
  double log_threshold = 0;
};

/// One monitor as it stands.
struct BoardRow {
  std::string monitor;
  std::string unit;
  std::uint32_t place = 1;  ///< Of the monitor on its board, from 1: its share of alpha.
  std::uint64_t steps = 0;  ///< In this epoch.
  struct Side {
    std::uint32_t epoch = 1;   ///< From 1.
    double log_value = 0;      ///< Natural logarithm of the process.
    double log_threshold = 0;  ///< Natural logarithm; an alarm at or above.
    bool alarm = false;
    std::uint64_t alarms = 0;  ///< In all epochs.
    double log_greatest = 0;   ///< Of every value that was looked at since `take_rows`.
  };
  Side process;
  Side detector;
};

/// The board.
class Board {
 public:
  /// The group of a key such as "wheel-37"; null for a key it does not know.
  using Maker = std::function<std::unique_ptr<Group>(const std::string& key)>;
  struct Options {
    double alpha = 0.001;     ///< Share of this class, in (0, 1).
    double run_length = 1e9;  ///< Mean steps of a detector until a false alarm, at least; above 1.
    std::size_t groups_max = 64;
    Maker make;
    /// So many places of this class's share are another board's, for good (threshold.hpp).
    std::uint32_t places_before = 0;
  };
  explicit Board(Options options) : options_(std::move(options)), places_(options_.places_before) {}

  /// The group of that key, made when it is new; null when it cannot be made or the board is full.
  [[nodiscard]] Group* group(const std::string& key, std::int64_t now_us);
  /// Compares the processes of the group with their thresholds; new alarms are added to `found` and
  /// stand.
  void look(const Group& group, std::vector<Finding>& found);
  /// A new epoch for each side that has an alarm standing. Returns how many.
  std::size_t end_alarms(std::int64_t now_us);
  /// A new epoch for everybody: what was known is lost.
  void begin_epochs(std::int64_t now_us);
  /// The epochs of one monitor are at least these.
  void raise_epochs(const std::string& monitor, std::uint32_t process, std::uint32_t detector);
  [[nodiscard]] std::vector<BoardRow> rows() const;
  /// The same; the greatest values begin anew with those of now.
  [[nodiscard]] std::vector<BoardRow> take_rows();
  /// Keys of the groups in the order of their places.
  [[nodiscard]] std::vector<std::string> keys() const;

  void save(StateWriter& out) const;
  /// Into an empty board. Refuses by `in`.
  void load(StateReader& in);

 private:
  struct Side {
    std::uint32_t epoch = 1;
    bool alarm = false;
    std::uint64_t alarms = 0;
    std::int64_t since_us = 0;
    double greatest = 0;  ///< Not kept over a restart.
  };
  struct Watched {
    Process* process = nullptr;
    std::uint32_t place = 1;
    Side e;
    Side detector;
    double threshold = 0;  ///< Of the e-process, as a double.
  };
  struct Entry {
    std::string key;
    std::unique_ptr<Group> group;
    std::vector<Watched> watched;
  };
  [[nodiscard]] Entry* add(const std::string& key, std::int64_t now_us);
  void set_threshold(Watched& watched) const;
  [[nodiscard]] static std::string name_of(const Entry& entry, const Watched& watched) {
    return entry.key + "/" + watched.process->name();
  }
  void begin(Watched& watched, std::int64_t now_us) const;
  static void begin_detector(Watched& watched, std::int64_t now_us);

  Options options_;
  std::vector<std::unique_ptr<Entry>> entries_;
  std::map<std::string, Entry*, std::less<>> by_key_;
  std::map<const Group*, Entry*> by_group_;
  std::uint32_t places_;
};

}  // namespace talla::stats::monitor
