/// \file
/// Syncs SQLite's write-ahead log beside its writer. Private to certs.
///
/// Each call goes over a file of its own, opened through the ledger's file system: Linux reports a
/// failed write-back once to every open file, so that of two syncs under way at once neither takes
/// the other's error for its own success.
/// Threads: any, several at once.
#pragma once

#include <sqlite3.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "certs/errc.hpp"

namespace talla::certs {

class WalSync {
 public:
  /// The log exists: the connection has begun a transaction before. It must outlive this.
  [[nodiscard]] static Result<std::unique_ptr<WalSync>> open(sqlite3* database);
  WalSync(const WalSync&) = delete;
  WalSync& operator=(const WalSync&) = delete;

  /// What was written to the log before the call is on disk. Errors: ledger_io; which bytes are
  /// there is unknown then.
  [[nodiscard]] Status sync();

 private:
  /// A file as SQLite's file systems know it, closed at the end.
  class File {
   public:
    [[nodiscard]] static Result<std::unique_ptr<File>> open(sqlite3_vfs* vfs, const char* name);
    explicit File(int bytes)
        : block_((static_cast<std::size_t>(bytes) + sizeof(std::max_align_t) - 1) /
                 sizeof(std::max_align_t)) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File();
    [[nodiscard]] sqlite3_file* get() { return reinterpret_cast<sqlite3_file*>(block_.data()); }

   private:
    std::vector<std::max_align_t> block_;  // zeros at first, of the length that SQLite says
  };

  WalSync(sqlite3_vfs* vfs, const char* name) : vfs_(vfs), name_(name) {}
  [[nodiscard]] Result<std::unique_ptr<File>> take();

  sqlite3_vfs* vfs_;
  const char* name_;  // SQLite's own, as its file systems want it
  std::mutex mutex_;
  std::vector<std::unique_ptr<File>> idle_;  // mutex_
};

}  // namespace talla::certs
