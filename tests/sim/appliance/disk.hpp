/// \file
/// A disk in memory that can lose its power: the ledger's file system (`vfs`). Of a database only a
/// file of one byte lies in the real folder, for who looks whether it is there.
///
/// What was written since the last sync of a file may be there after a loss of power or not, sector
/// by sector, in any of the states the sector went through. A sync that fails leaves what it should
/// have written in the machine's memory alone: later syncs do not bring it to the platter, only
/// writing it again does (as Linux does it after an I/O error). From the cut on every write fails,
/// so that nothing that dies with the machine (SQLite closing its files) tidies up.
/// Threads: one. There is one disk in a process, as SQLite knows file systems by name.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "random.hpp"

namespace talla::sim {

class Disk {
 public:
  static constexpr const char* vfs_name = "talla-sim-disk";
  static constexpr std::size_t sector_bytes = 2048;
  using Sector = std::array<std::uint8_t, sector_bytes>;

  /// The disk of this process, registered with SQLite.
  static Disk& instance();
  /// A new life: no file is known, no fault is planned. `random` decides what a loss leaves; it
  ///             must outlive the life.
  void begin(Random& random);

  /// The power goes at the n-th write or sync from now on (0: the next), in the middle of it.
  void cut_power_in(long operations) { cut_in_ = operations; }
  void fail_write_in(long writes) { fail_write_in_ = writes; }
  void fail_sync_in(long syncs) { fail_sync_in_ = syncs; }
  void forget_faults() { cut_in_ = fail_write_in_ = fail_sync_in_ = -1; }
  /// No write gets through any more: power is cut, or `stop` was called.
  [[nodiscard]] bool dead() const { return dead_; }
  /// The process dies here: nothing is written any more.
  void stop() { dead_ = true; }
  /// The machine is up again, with every file closed. `power_lost`: each sector not synced has one
  /// of its states; else the system's memory has survived the process and nothing is lost.
  void start_again(bool power_lost);

  struct Counts {
    std::uint64_t writes = 0, syncs = 0, cuts = 0, failed_syncs = 0, failed_writes = 0,
                  sectors_lost = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

  // For the file system's functions.
  struct Past {
    /// Since the last sync, oldest first; the present one is in the file.
    std::vector<Sector> states;
    bool doomed = false;  ///< the present one was given to a sync that failed
  };
  /// What the handles of one file hold of it, as SQLite's locks are: a holder is a handle.
  struct Locks {
    int readers = 0;
    const void* writer = nullptr;  ///< who reserved it
    int level = 0;                 ///< the writer's
  };
  /// The memory that connections to one database share.
  struct Shared {
    static constexpr std::size_t slots = 8;
    std::vector<std::vector<std::uint8_t>> regions;
    std::array<int, slots> readers{};
    std::array<const void*, slots> writer{};
    int users = 0;
  };
  struct File {
    bool there = false;
    std::vector<std::uint8_t> bytes;
    std::map<std::int64_t, Past> unsynced;  ///< by number of the sector
    Locks locks;
    Shared shared;
  };
  using Files = std::map<std::string, File>;
  /// What it holds now, and another disk in its place. Precondition of both: no commit is under
  /// way; of `put`: no file is open.
  [[nodiscard]] Files files() const;
  void put(Files files);
  enum class Fate { done, failed, cut };
  [[nodiscard]] File& file(const std::string& path) { return files_[path]; }
  /// What the files hold now, by path.
  void each(
      const std::function<void(const std::string&, const std::vector<std::uint8_t>&)>& see) const;
  [[nodiscard]] Fate write_fate();
  [[nodiscard]] Fate sync_fate();
  static void note_sync(File& file, bool done);
  [[nodiscard]] Random& random() { return *random_; }

 private:
  void lose(File& file);

  Random* random_ = nullptr;
  Files files_;
  Counts counts_;
  long cut_in_ = -1, fail_write_in_ = -1, fail_sync_in_ = -1;
  bool dead_ = false;
};

}  // namespace talla::sim
