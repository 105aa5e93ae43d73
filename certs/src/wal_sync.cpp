#include "wal_sync.hpp"

#include <fmt/format.h>

#include <utility>

namespace talla::certs {

Result<std::unique_ptr<WalSync::File>> WalSync::File::open(sqlite3_vfs* vfs, const char* name) {
  auto file = std::make_unique<File>(vfs->szOsFile);
  const int code =
      vfs->xOpen(vfs, name, file->get(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL, nullptr);
  if (code != SQLITE_OK) {
    return fail(Errc::ledger_io, fmt::format("{}: cannot be opened to sync it ({})", name, code));
  }
  return file;
}

WalSync::File::~File() {
  if (get()->pMethods != nullptr) static_cast<void>(get()->pMethods->xClose(get()));
}

Result<std::unique_ptr<WalSync>> WalSync::open(sqlite3* database) {
  sqlite3_vfs* vfs = nullptr;
  sqlite3_file* log = nullptr;
  const char* path = sqlite3_db_filename(database, "main");
  int code =
      sqlite3_file_control(database, "main", SQLITE_FCNTL_VFS_POINTER, static_cast<void*>(&vfs));
  if (code == SQLITE_OK) {
    code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER,
                                static_cast<void*>(&log));
  }
  if (code != SQLITE_OK || path == nullptr || log == nullptr || log->pMethods == nullptr) {
    return fail(Errc::ledger_io, "the write-ahead log is not there");
  }
  // The first sync of SQLite's own file brings the new file's name into its folder too.
  if (log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) != SQLITE_OK) {
    return fail(Errc::ledger_io, fmt::format("{}-wal: cannot be synced", path));
  }
  std::unique_ptr<WalSync> sync(
      new WalSync(vfs, sqlite3_filename_wal(path)));  // NOLINT: private constructor
  TALLA_TRY(auto first, sync->take());
  sync->idle_.push_back(std::move(first));
  return sync;
}

Result<std::unique_ptr<WalSync::File>> WalSync::take() {
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      auto file = std::move(idle_.back());
      idle_.pop_back();
      return file;
    }
  }
  return File::open(vfs_, name_);
}

Status WalSync::sync() {
  TALLA_TRY(auto file, take());
  const int code =
      file->get()->pMethods->xSync(file->get(), SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
  if (code != SQLITE_OK)
    return fail(Errc::ledger_io, fmt::format("{}: sync failed ({})", name_, code));
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(file));
  return {};
}

}  // namespace talla::certs
