#include "disk.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "failure.hpp"

namespace talla::sim {
namespace {

constexpr int sector_size = static_cast<int>(Disk::sector_bytes);

sqlite3_vfs* real_vfs() {
  static sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  return vfs;
}

/// Ours; the real one's lies right behind it in the same block.
struct Handle {
  sqlite3_file base;
  sqlite3_file* real;
  Disk::File* file;  // null: not on the simulated disk
};
Handle* handle_of(sqlite3_file* file) {
  return reinterpret_cast<Handle*>(file);
}
sqlite3_file* real_of(sqlite3_file* file) {
  return handle_of(file)->real;
}

/// True when this call's turn has come; counts down.
bool due(long& counter) {
  if (counter < 0) return false;
  return counter-- == 0;
}

void remember(Handle& handle, int count, sqlite3_int64 at) {
  for (sqlite3_int64 sector = at / sector_size; sector * sector_size < at + count; ++sector) {
    Disk::Sector before{};  // a short read fills with zeros, as a longer file would have them
    static_cast<void>(handle.real->pMethods->xRead(handle.real, before.data(), sector_size,
                                                   sector * sector_size));
    auto& past = handle.file->unsynced[sector];
    past.states.push_back(before);
    past.doomed = false;
  }
}

int disk_close(sqlite3_file* file) {
  return real_of(file)->pMethods->xClose(real_of(file));
}
int disk_read(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
  return real_of(file)->pMethods->xRead(real_of(file), to, count, at);
}
int disk_write(sqlite3_file* file, const void* from, int count, sqlite3_int64 at) {
  Handle& handle = *handle_of(file);
  auto& disk = Disk::instance();
  if (handle.file == nullptr) return handle.real->pMethods->xWrite(handle.real, from, count, at);
  const auto fate = disk.write_fate();
  if (fate == Disk::Fate::failed) return SQLITE_IOERR_WRITE;
  const int sectors = (count + sector_size - 1) / sector_size;
  const int written =
      fate == Disk::Fate::done
          ? count
          : std::min(count, sector_size * static_cast<int>(disk.random().below(
                                              static_cast<std::size_t>(sectors) + 1)));
  if (written > 0) {
    remember(handle, written, at);
    const int code = handle.real->pMethods->xWrite(handle.real, from, written, at);
    if (code != SQLITE_OK) return code;
  }
  return fate == Disk::Fate::done ? SQLITE_OK : SQLITE_IOERR_WRITE;
}
int disk_truncate(sqlite3_file* file, sqlite3_int64 size) {
  Handle& handle = *handle_of(file);
  if (handle.file != nullptr) {
    if (Disk::instance().dead()) return SQLITE_IOERR_TRUNCATE;
    auto& unsynced = handle.file->unsynced;
    unsynced.erase(unsynced.lower_bound((size + sector_size - 1) / sector_size), unsynced.end());
  }
  return handle.real->pMethods->xTruncate(handle.real, size);
}
int disk_sync(sqlite3_file* file, int flags) {
  Handle& handle = *handle_of(file);
  if (handle.file == nullptr) return handle.real->pMethods->xSync(handle.real, flags);
  auto& disk = Disk::instance();
  const auto fate = disk.sync_fate();
  if (fate == Disk::Fate::cut) return SQLITE_IOERR_FSYNC;
  Disk::note_sync(*handle.file, fate == Disk::Fate::done);
  return fate == Disk::Fate::done ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}
int disk_size(sqlite3_file* file, sqlite3_int64* size) {
  return real_of(file)->pMethods->xFileSize(real_of(file), size);
}
int disk_lock(sqlite3_file* file, int level) {
  return real_of(file)->pMethods->xLock(real_of(file), level);
}
int disk_unlock(sqlite3_file* file, int level) {
  return real_of(file)->pMethods->xUnlock(real_of(file), level);
}
int disk_reserved(sqlite3_file* file, int* out) {
  return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}
int disk_control(sqlite3_file* file, int operation, void* argument) {
  return real_of(file)->pMethods->xFileControl(real_of(file), operation, argument);
}
int disk_sector(sqlite3_file* file) {
  return real_of(file)->pMethods->xSectorSize(real_of(file));
}
int disk_device(sqlite3_file* file) {
  return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}
int disk_shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  return real_of(file)->pMethods->xShmMap(real_of(file), page, size, extend, memory);
}
int disk_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return real_of(file)->pMethods->xShmLock(real_of(file), offset, count, flags);
}
void disk_shm_barrier(sqlite3_file* file) {
  real_of(file)->pMethods->xShmBarrier(real_of(file));
}
int disk_shm_unmap(sqlite3_file* file, int remove) {
  return real_of(file)->pMethods->xShmUnmap(real_of(file), remove);
}

const sqlite3_io_methods methods = {
    2,           disk_close,   disk_read,     disk_write,       disk_truncate,  disk_sync,
    disk_size,   disk_lock,    disk_unlock,   disk_reserved,    disk_control,   disk_sector,
    disk_device, disk_shm_map, disk_shm_lock, disk_shm_barrier, disk_shm_unmap, nullptr,
    nullptr};

int disk_open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags,
              int* out_flags) {
  auto* ours = new (file) Handle{};
  ours->real = reinterpret_cast<sqlite3_file*>(ours + 1);
  const int code = real_vfs()->xOpen(real_vfs(), name, ours->real, flags, out_flags);
  ours->base.pMethods = ours->real->pMethods != nullptr ? &methods : nullptr;
  const bool kept = (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) != 0;
  if (kept && name != nullptr) ours->file = &Disk::instance().file(name);
  return code;
}

int disk_delete(sqlite3_vfs* /*vfs*/, const char* name, int sync_folder) {
  if (Disk::instance().dead()) return SQLITE_IOERR_DELETE;
  Disk::instance().file(name).unsynced.clear();
  return real_vfs()->xDelete(real_vfs(), name, sync_folder);
}

}  // namespace

Disk& Disk::instance() {
  static Disk disk;
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *real_vfs();  // the rest is the real one's
    copy.zName = vfs_name;
    copy.szOsFile = static_cast<int>(sizeof(Handle)) + real_vfs()->szOsFile;
    copy.xOpen = disk_open;
    copy.xDelete = disk_delete;
    copy.pNext = nullptr;
    return copy;
  }();
  static const int registered = sqlite3_vfs_register(&vfs, 0);
  require(registered == SQLITE_OK, "the simulated disk is not registered");
  return disk;
}

void Disk::begin(Random& random) {
  random_ = &random;
  files_.clear();
  counts_ = {};
  forget_faults();
  dead_ = false;
}

Disk::Fate Disk::write_fate() {
  if (dead_) return Fate::failed;
  ++counts_.writes;
  if (due(cut_in_)) {
    ++counts_.cuts;
    dead_ = true;
    return Fate::cut;
  }
  if (!due(fail_write_in_)) return Fate::done;
  ++counts_.failed_writes;
  return Fate::failed;
}

Disk::Fate Disk::sync_fate() {
  if (dead_) return Fate::cut;
  ++counts_.syncs;
  if (due(cut_in_)) {
    ++counts_.cuts;
    dead_ = true;
    // The platter may be ahead of the answer.
    return random_->once_in(2) ? Fate::cut : Fate::done;
  }
  if (!due(fail_sync_in_)) return Fate::done;
  ++counts_.failed_syncs;
  return Fate::failed;
}

void Disk::note_sync(File& file, bool done) {
  if (!done) {
    for (auto& [sector, past] : file.unsynced) past.doomed = true;
    return;
  }
  std::erase_if(file.unsynced, [](const auto& item) { return !item.second.doomed; });
}

void Disk::start_again(bool power_lost) {
  for (auto& [path, file] : files_) {
    if (power_lost) lose(path, file);
  }
  if (power_lost) {
    for (const auto& [path, file] : files_) std::filesystem::remove(path + "-shm");
  }
  forget_faults();
  dead_ = false;
}

void Disk::lose(const std::string& path, File& file) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  // How much of what was under way had reached the platter differs from loss to loss.
  const auto luck = random_->below(4);
  for (const auto& [sector, past] : file.unsynced) {
    const auto states = past.states.size();
    std::size_t state = luck == 0 ? 0 : luck == 1 ? states : random_->below(states + 1);
    if (past.doomed && state == states) state = random_->below(states);
    if (state == states) continue;
    ++counts_.sectors_lost;
    const auto& bytes = past.states.at(state);
    require(fd < 0 || ::pwrite(fd, bytes.data(), bytes.size(), sector * sector_size) == sector_size,
            "the simulated loss cannot be written");
  }
  if (fd >= 0) static_cast<void>(::close(fd));
  file.unsynced.clear();
}

}  // namespace talla::sim
