/// \file
/// The four boards of the appliance's monitors, one a class, and the list of them that the ledger
/// keeps: who watches, in which epoch.
///
/// The ledger's list: canonical JSON, one member a class, of rows [monitor, epoch of the process,
/// epoch of the detector]. A state that is behind it is not used, so that a lost state cannot spend
/// a share of alpha twice.
/// Alpha: a third each for noise, bits and outcomes. Of the bits' third its three monitors hold the
/// first places for good; payments have the places from the fourth on (threshold.hpp).
/// Threads: what has to do with noise, and what goes through all boards, from any thread; the other
///          classes belong to the monitors' own. Secrecy: aggregates only.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/monitor/board.hpp"
#include "stats/monitor/state.hpp"

namespace talla::rngd {

enum class MonitorClass : std::uint8_t { noise, bits, outcomes, payments };
/// In the order of the status page.
inline constexpr std::array monitor_classes = {MonitorClass::noise, MonitorClass::bits,
                                               MonitorClass::outcomes, MonitorClass::payments};
/// "noise", "bits", "outcomes", "payments".
[[nodiscard]] std::string_view class_name(MonitorClass monitor_class);

/// The boards of the running monitors, by class.
class Boards {
 public:
  using Board = stats::monitor::Board;
  using Finding = stats::monitor::Finding;
  using Rows = std::vector<stats::monitor::BoardRow>;
  struct Bounds {
    double alpha = 0.001;     ///< of all classes together
    double run_length = 1e9;  ///< of one detector
  };
  explicit Boards(Bounds bounds);
  /// Empty boards again; references to those before end.
  void clear();

  [[nodiscard]] Board& outcomes() { return *outcomes_; }
  [[nodiscard]] Board& payments() { return *payments_; }
  /// Alarms of these conditioned bits.
  [[nodiscard]] std::vector<Finding> see_bits(std::span<const std::uint8_t> bits,
                                              std::int64_t now_us);
  /// A noise source's stream comes up. False: nobody watches it.
  bool add_noise(const std::string& key, std::int64_t now_us);
  void see_noise(const std::string& key, std::span<const std::uint8_t> samples);
  /// What noise has brought since the last call.
  struct NoiseNews {
    std::vector<Finding> found;
    bool changed = false;
  };
  [[nodiscard]] NoiseNews take_noise();

  [[nodiscard]] Rows rows(MonitorClass monitor_class) const;
  /// The same; the greatest values begin anew (Board::take_rows).
  [[nodiscard]] Rows take_rows(MonitorClass monitor_class);
  /// A new epoch for each alarm that stands. How many.
  std::size_t end_alarms(std::int64_t now_us);
  /// The list for the ledger.
  [[nodiscard]] std::string registry() const;
  /// Somebody of that list is not here, or in a later epoch there.
  [[nodiscard]] bool behind(const std::string& registry) const;
  /// Into empty boards: everybody of that list keeps the place and begins the next epoch. How many.
  std::size_t begin_again(const std::string& registry, std::int64_t now_us);
  /// The state of noise, bits and outcomes; alarms of noise that nobody took stay, and are told.
  [[nodiscard]] std::vector<Finding> save(stats::monitor::StateWriter& out) const;
  /// Into empty boards. Refuses by `in`.
  void load(stats::monitor::StateReader& in);

 private:
  [[nodiscard]] Board& board(MonitorClass monitor_class) const;

  Bounds bounds_;
  std::unique_ptr<Board> outcomes_;
  std::unique_ptr<Board> bits_;
  std::unique_ptr<Board> payments_;
  mutable std::mutex mutex_;
  std::unique_ptr<Board> noise_;      // mutex_
  std::vector<Finding> noise_found_;  // mutex_
  bool noise_changed_ = false;        // mutex_
};

}  // namespace talla::rngd
