#include "fault_vfs.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <thread>

namespace talla::certs::testing {

namespace {

sqlite3_vfs* real_vfs() {
  static sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  return vfs;
}

/// Our file object; the real one's lies right behind it in the same block.
struct FaultFile {
  sqlite3_file base;
  sqlite3_file* real;
};
sqlite3_file* real_of(sqlite3_file* file) {
  return reinterpret_cast<FaultFile*>(file)->real;
}

/// True when this call's turn has come; counts down.
bool due(std::atomic<long>& counter) {
  const long now = counter.load();
  if (now < 0) return false;
  if (now == 0) return true;
  counter.fetch_sub(1);
  return false;
}

int fault_close(sqlite3_file* file) {
  return real_of(file)->pMethods->xClose(real_of(file));
}
int fault_read(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
  return real_of(file)->pMethods->xRead(real_of(file), to, count, at);
}
int fault_write(sqlite3_file* file, const void* from, int count, sqlite3_int64 at) {
  FaultPlan& plan = fault_plan();
  if (due(plan.kill_at_write)) {
    static_cast<void>(real_of(file)->pMethods->xWrite(real_of(file), from, count / 2, at));
    static_cast<void>(::kill(::getpid(), SIGKILL));
  }
  if (due(plan.fail_write_in)) return SQLITE_IOERR_WRITE;
  return real_of(file)->pMethods->xWrite(real_of(file), from, count, at);
}
int fault_truncate(sqlite3_file* file, sqlite3_int64 size) {
  return real_of(file)->pMethods->xTruncate(real_of(file), size);
}
/// Counts a sync for as long as it goes on.
class UnderWay {
 public:
  UnderWay() {
    FaultPlan& plan = fault_plan();
    const long now = plan.syncs_under_way.fetch_add(1) + 1;
    for (long most = plan.syncs_at_once.load();
         now > most && !plan.syncs_at_once.compare_exchange_weak(most, now);) {
    }
  }
  ~UnderWay() { fault_plan().syncs_under_way.fetch_sub(1); }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;
};

int fault_sync(sqlite3_file* file, int flags) {
  FaultPlan& plan = fault_plan();
  plan.syncs.fetch_add(1);
  const UnderWay under_way;
  if (due(plan.kill_at_sync)) static_cast<void>(::kill(::getpid(), SIGKILL));
  if (due(plan.fail_sync_in)) return SQLITE_IOERR_FSYNC;
  if (const long delay = plan.sync_delay_us.load(); delay > 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(delay));
  }
  if (plan.skip_sync.load()) return SQLITE_OK;
  return real_of(file)->pMethods->xSync(real_of(file), flags);
}
int fault_size(sqlite3_file* file, sqlite3_int64* size) {
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
int fault_lock(sqlite3_file* file, int level) {
  return real_of(file)->pMethods->xLock(real_of(file), level);
}
int fault_unlock(sqlite3_file* file, int level) {
  return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
int fault_reserved(sqlite3_file* file, int* out) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}
int fault_control(sqlite3_file* file, int operation, void* argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}
int fault_sector(sqlite3_file* file) {
  return real_of(file)->pMethods->xSectorSize(real_of(file));
}
int fault_device(sqlite3_file* file) {
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
int fault_shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}
int fault_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}
void fault_shm_barrier(sqlite3_file* file) {
  real_of(file)->pMethods->xShmBarrier(real_of(file));
}
int fault_shm_unmap(sqlite3_file* file, int remove) {
  return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

const sqlite3_io_methods methods = {2,
                                    fault_close,
                                    fault_read,
                                    fault_write,
                                    fault_truncate,
                                    fault_sync,
                                    fault_size,
                                    fault_lock,
                                    fault_unlock,
                                    fault_reserved,
                                    fault_control,
                                    fault_sector,
                                    fault_device,
                                    fault_shm_map,
                                    fault_shm_lock,
                                    fault_shm_barrier,
                                    fault_shm_unmap,
                                    nullptr,
                                    nullptr};

int fault_open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags,
               int* out_flags) {
  auto* ours = new (file) FaultFile{};
  ours->real = reinterpret_cast<sqlite3_file*>(ours + 1);
  const int code = real_vfs()->xOpen(real_vfs(), name, ours->real, flags, out_flags);
  ours->base.pMethods = ours->real->pMethods != nullptr ? &methods : nullptr;
  return code;
}

}  // namespace

void FaultPlan::clear() {
  sync_delay_us = 0;
  syncs_at_once = 0;
  fail_sync_in = -1;
  fail_write_in = -1;
  kill_at_write = -1;
  kill_at_sync = -1;
  skip_sync = false;
}

FaultPlan& fault_plan() {
  static FaultPlan plan;
  return plan;
}

void register_fault_vfs() {
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *real_vfs();  // all but opening is the real one's
    copy.zName = fault_vfs_name;
    copy.szOsFile = static_cast<int>(sizeof(FaultFile)) + real_vfs()->szOsFile;
    copy.xOpen = fault_open;
    copy.pNext = nullptr;
    return copy;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  if (registered != SQLITE_OK) std::abort();
}

}  // namespace talla::certs::testing
