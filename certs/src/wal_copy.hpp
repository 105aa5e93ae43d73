/// \file
/// Copies SQLite's write-ahead log into the database's file beside its writer. Private to certs.
///
/// SQLite begins the log anew once all of it is copied, and a writer at work is always a little
/// ahead. So most is copied beside it, and the small rest by the writer itself between two groups.
/// Threads: as each function says.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "sqlite_handles.hpp"

namespace talla::certs {

/// One copy, as far as readers allow; a copy that another connection has begun counts as done.
/// `copied`: pages of the log that are in the file then, -1 when another one copies; null: not
/// asked.
/// Errors: ledger_io; which pages are in the file is unknown then. What was synced is in the log.
[[nodiscard]] Status copy_wal(sqlite3* database, int* copied);

class WalCopy {
 public:
  /// `database`: a connection of its own. `pages_max`: length of the log, in pages, from which it
  /// is copied.
  WalCopy(DatabaseHandle database, int pages_max);

  /// Length of the log in pages after the last commit. Set by the writer.
  std::atomic<int> pages{0};
  /// Copies and syncs the file if it is time, unless another thread does. Any thread.
  [[nodiscard]] Status ahead();
  /// The next group copies what is left, and the log begins anew: little is left, or far too much.
  /// The writer's thread.
  [[nodiscard]] bool rest_due() const;
  /// The writer copies now.
  void begin_rest();

 private:
  /// SQLite itself does it only behind a copy of all the log, which is the writer's: little is left
  /// for that one.
  [[nodiscard]] Status sync_file();

  DatabaseHandle database_;  // mutex_
  std::mutex mutex_;
  int pages_max_;
  std::atomic<bool> little_left_{false};
};

}  // namespace talla::certs
