#include "wal_copy.hpp"

#include <utility>

namespace talla::certs {

namespace {

constexpr int rounds_max = 3;  // each copies what was written during the one before
constexpr int little = 8;      // a part of the log
constexpr int far = 4;  // times the length at which a copy begins: nobody copies, the writer does

}  // namespace

Status copy_wal(sqlite3* database, int* copied) {
  const int code =
      sqlite3_wal_checkpoint_v2(database, "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, copied);
  if (code == SQLITE_OK || (code & 0xff) == SQLITE_BUSY) return {};
  return sqlite_fail(database, code, "copy of the write-ahead log");
}

WalCopy::WalCopy(DatabaseHandle database, int pages_max)
    : database_(std::move(database)), pages_max_(pages_max) {}

Status WalCopy::ahead() {
  if (pages < pages_max_ || little_left_) return {};
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) return {};
  for (int round = 0; round < rounds_max && !little_left_; ++round) {
    int copied = 0;
    TALLA_TRY_STATUS(copy_wal(database_.get(), &copied));  // -1 where the writer copies
    if (copied <= 0) continue;
    TALLA_TRY_STATUS(sync_file());
    little_left_ = pages - copied <= pages / little;
  }
  return {};
}

Status WalCopy::sync_file() {
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_FILE_POINTER,
                                  static_cast<void*>(&file));
  if (code == SQLITE_OK)
    code = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
  if (code != SQLITE_OK) return sqlite_fail(database_.get(), code, "sync of the database's file");
  return {};
}

bool WalCopy::rest_due() const {
  return little_left_ || pages >= far * pages_max_;
}

void WalCopy::begin_rest() {
  little_left_ = false;
  pages = 0;
}

}  // namespace talla::certs
