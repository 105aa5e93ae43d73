#include "disk.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <utility>

#include "failure.hpp"

namespace talla::sim {
namespace {

constexpr int sector_size = static_cast<int>(Disk::sector_bytes);

sqlite3_vfs* real_vfs() {
  static sqlite3_vfs* const vfs = sqlite3_vfs_find(nullptr);
  return vfs;
}

/// An open file with a name; one without is SQLite's own, and lies in the real file system.
struct Handle {
  sqlite3_file base;
  Disk::File* file;
  bool safe;  // no fault meets it: a rollback journal
  int level;
  unsigned slots_read, slots_written;
  bool mapped;
};
Handle& handle_of(sqlite3_file* file) {
  return *reinterpret_cast<Handle*>(file);
}

/// True when this call's turn has come; counts down.
bool due(long& counter) {
  if (counter < 0) return false;
  return counter-- == 0;
}

/// The bytes of a sector; behind the file's end they are zeros, as a longer file would have them.
Disk::Sector sector_of(const Disk::File& file, sqlite3_int64 sector) {
  Disk::Sector out{};
  const auto at = static_cast<std::size_t>(sector * sector_size);
  if (at < file.bytes.size())
    std::copy_n(file.bytes.begin() + static_cast<std::ptrdiff_t>(at),
                std::min(out.size(), file.bytes.size() - at), out.begin());
  return out;
}

void put_bytes(Disk::File& file, const std::uint8_t* from, std::size_t count, std::size_t at) {
  if (file.bytes.size() < at + count) file.bytes.resize(at + count);
  std::copy_n(from, count, file.bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

void remember(Disk::File& file, int count, sqlite3_int64 at) {
  for (sqlite3_int64 sector = at / sector_size; sector * sector_size < at + count; ++sector) {
    auto& past = file.unsynced[sector];
    past.states.push_back(sector_of(file, sector));
    past.doomed = false;
  }
}

int disk_unlock(sqlite3_file* file, int level);
int disk_shm_unmap(sqlite3_file* file, int remove);

int disk_close(sqlite3_file* file) {
  static_cast<void>(disk_shm_unmap(file, 0));
  return disk_unlock(file, SQLITE_LOCK_NONE);
}
int disk_read(sqlite3_file* file, void* to, int count, sqlite3_int64 at) {
  const auto& bytes = handle_of(file).file->bytes;
  auto* out = static_cast<std::uint8_t*>(to);
  const auto begin = std::min(static_cast<std::size_t>(at), bytes.size());
  const auto there = std::min(static_cast<std::size_t>(count), bytes.size() - begin);
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), there, out);
  std::fill(out + there, out + count, std::uint8_t{0});
  return there == static_cast<std::size_t>(count) ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}
int disk_write(sqlite3_file* file, const void* from, int count, sqlite3_int64 at) {
  Handle& handle = handle_of(file);
  auto& disk = Disk::instance();
  const auto* bytes = static_cast<const std::uint8_t*>(from);
  if (handle.safe) {
    put_bytes(*handle.file, bytes, static_cast<std::size_t>(count), static_cast<std::size_t>(at));
    return SQLITE_OK;
  }
  const auto fate = disk.write_fate();
  if (fate == Disk::Fate::failed) return SQLITE_IOERR_WRITE;
  const int sectors = (count + sector_size - 1) / sector_size;
  const int written =
      fate == Disk::Fate::done
          ? count
          : std::min(count, sector_size * static_cast<int>(disk.random().below(
                                              static_cast<std::size_t>(sectors) + 1)));
  if (written > 0) {
    remember(*handle.file, written, at);
    put_bytes(*handle.file, bytes, static_cast<std::size_t>(written), static_cast<std::size_t>(at));
  }
  return fate == Disk::Fate::done ? SQLITE_OK : SQLITE_IOERR_WRITE;
}
int disk_truncate(sqlite3_file* file, sqlite3_int64 size) {
  Handle& handle = handle_of(file);
  if (!handle.safe) {
    if (Disk::instance().dead()) return SQLITE_IOERR_TRUNCATE;
    auto& unsynced = handle.file->unsynced;
    unsynced.erase(unsynced.lower_bound((size + sector_size - 1) / sector_size), unsynced.end());
  }
  if (static_cast<std::size_t>(size) < handle.file->bytes.size())
    handle.file->bytes.resize(static_cast<std::size_t>(size));
  return SQLITE_OK;
}
int disk_sync(sqlite3_file* file, int /*flags*/) {
  Handle& handle = handle_of(file);
  if (handle.safe) return SQLITE_OK;
  auto& disk = Disk::instance();
  const auto fate = disk.sync_fate();
  if (fate == Disk::Fate::cut) return SQLITE_IOERR_FSYNC;
  Disk::note_sync(*handle.file, fate == Disk::Fate::done);
  return fate == Disk::Fate::done ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}
int disk_size(sqlite3_file* file, sqlite3_int64* size) {
  *size = static_cast<sqlite3_int64>(handle_of(file).file->bytes.size());
  return SQLITE_OK;
}
int disk_lock(sqlite3_file* file, int level) {
  Handle& handle = handle_of(file);
  auto& locks = handle.file->locks;
  if (handle.level >= level) return SQLITE_OK;
  const bool others_write = locks.writer != nullptr && locks.writer != &handle;
  if (level == SQLITE_LOCK_SHARED) {
    if (others_write && locks.level >= SQLITE_LOCK_PENDING) return SQLITE_BUSY;
    ++locks.readers;
  } else {
    if (others_write) return SQLITE_BUSY;
    locks.writer = &handle;
    if (level == SQLITE_LOCK_EXCLUSIVE && locks.readers > 1) {
      locks.level = handle.level = SQLITE_LOCK_PENDING;
      return SQLITE_BUSY;
    }
    locks.level = level;
  }
  handle.level = level;
  return SQLITE_OK;
}
int disk_unlock(sqlite3_file* file, int level) {
  Handle& handle = handle_of(file);
  auto& locks = handle.file->locks;
  if (handle.level <= level) return SQLITE_OK;
  if (locks.writer == &handle) {
    locks.writer = nullptr;
    locks.level = 0;
  }
  if (level == SQLITE_LOCK_NONE) --locks.readers;
  handle.level = level;
  return SQLITE_OK;
}
int disk_reserved(sqlite3_file* file, int* out) {
  *out = handle_of(file).file->locks.writer != nullptr ? 1 : 0;
  return SQLITE_OK;
}
int disk_control(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) {
  return SQLITE_NOTFOUND;
}
int disk_sector(sqlite3_file* /*file*/) {
  constexpr int as_linux_says = 4096;
  return as_linux_says;
}
int disk_device(sqlite3_file* /*file*/) {
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}
int disk_shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  Handle& handle = handle_of(file);
  auto& shared = handle.file->shared;
  if (!std::exchange(handle.mapped, true)) ++shared.users;
  const auto number = static_cast<std::size_t>(page);
  if (number >= shared.regions.size() && extend != 0) shared.regions.resize(number + 1);
  *memory = nullptr;
  if (number >= shared.regions.size()) return SQLITE_OK;
  auto& region = shared.regions[number];
  region.resize(static_cast<std::size_t>(size));
  *memory = region.data();
  return SQLITE_OK;
}
int disk_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  Handle& handle = handle_of(file);
  auto& shared = handle.file->shared;
  const bool unlock = (flags & SQLITE_SHM_UNLOCK) != 0;
  const bool write = (flags & SQLITE_SHM_EXCLUSIVE) != 0;
  const auto at = [&](auto& list, int slot) -> auto& {
    return list.at(static_cast<std::size_t>(slot));
  };
  for (int slot = offset; slot < offset + count && !unlock; ++slot) {
    const auto* writer = at(shared.writer, slot);
    const bool reads = (handle.slots_read & (1U << static_cast<unsigned>(slot))) != 0;
    if (writer != nullptr && writer != &handle) return SQLITE_BUSY;
    if (write && at(shared.readers, slot) > (reads ? 1 : 0)) return SQLITE_BUSY;
  }
  for (int slot = offset; slot < offset + count; ++slot) {
    const auto bit = 1U << static_cast<unsigned>(slot);
    auto& held = write ? handle.slots_written : handle.slots_read;
    if (unlock == ((held & bit) == 0)) continue;  // as asked for already
    held ^= bit;
    if (write) {
      at(shared.writer, slot) = unlock ? nullptr : &handle;
    } else {
      at(shared.readers, slot) += unlock ? -1 : 1;
    }
  }
  return SQLITE_OK;
}
void disk_shm_barrier(sqlite3_file* /*file*/) {}
int disk_shm_unmap(sqlite3_file* file, int /*remove*/) {
  Handle& handle = handle_of(file);
  if (!handle.mapped) return SQLITE_OK;
  constexpr int all = static_cast<int>(Disk::Shared::slots);
  static_cast<void>(disk_shm_lock(file, 0, all, SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED));
  static_cast<void>(disk_shm_lock(file, 0, all, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE));
  handle.mapped = false;
  auto& shared = handle.file->shared;
  if (--shared.users == 0) shared.regions.clear();  // as the first who comes makes it anew
  return SQLITE_OK;
}

const sqlite3_io_methods methods = {
    2,           disk_close,   disk_read,     disk_write,       disk_truncate,  disk_sync,
    disk_size,   disk_lock,    disk_unlock,   disk_reserved,    disk_control,   disk_sector,
    disk_device, disk_shm_map, disk_shm_lock, disk_shm_barrier, disk_shm_unmap, nullptr,
    nullptr};

int disk_open(sqlite3_vfs* /*vfs*/, const char* name, sqlite3_file* file, int flags,
              int* out_flags) {
  if (name == nullptr) return real_vfs()->xOpen(real_vfs(), name, file, flags, out_flags);
  auto& kept = Disk::instance().file(name);
  auto* ours = new (file) Handle{};
  if (!kept.there && (flags & SQLITE_OPEN_CREATE) == 0) return SQLITE_CANTOPEN;
  if (!kept.there && (flags & SQLITE_OPEN_MAIN_DB) != 0) std::ofstream(name) << 'x';
  kept.there = true;
  ours->file = &kept;
  ours->safe = (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL)) == 0;
  ours->base.pMethods = &methods;
  if (out_flags != nullptr) *out_flags = flags;
  return SQLITE_OK;
}

int disk_delete(sqlite3_vfs* /*vfs*/, const char* name, int /*sync_folder*/) {
  if (Disk::instance().dead()) return SQLITE_IOERR_DELETE;
  auto& file = Disk::instance().file(name);
  file.there = false;
  file.bytes.clear();
  file.unsynced.clear();
  return SQLITE_OK;
}

int disk_access(sqlite3_vfs* /*vfs*/, const char* name, int /*flags*/, int* out) {
  const auto& file = Disk::instance().file(name);
  *out = file.there && !file.bytes.empty() ? 1 : 0;
  return SQLITE_OK;
}

}  // namespace

Disk& Disk::instance() {
  static Disk disk;
  static sqlite3_vfs vfs = [] {
    sqlite3_vfs copy = *real_vfs();  // the rest is the real one's
    copy.zName = vfs_name;
    copy.szOsFile = std::max(static_cast<int>(sizeof(Handle)), real_vfs()->szOsFile);
    copy.xOpen = disk_open;
    copy.xDelete = disk_delete;
    copy.xAccess = disk_access;
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
    if (power_lost) lose(file);
    file.locks = {};
    file.shared = {};
  }
  forget_faults();
  dead_ = false;
}

Disk::Files Disk::files() const {
  Files copy = files_;
  for (auto& [path, file] : copy) {
    file.locks = {};
    file.shared = {};
  }
  return copy;
}

void Disk::put(Files files) {
  for (auto& [path, file] : files_) file = {};  // its own place: SQLite may know it by that
  for (auto& [path, file] : files) files_[path] = std::move(file);
}

void Disk::each(
    const std::function<void(const std::string&, const std::vector<std::uint8_t>&)>& see) const {
  for (const auto& [path, file] : files_) see(path, file.bytes);
}

void Disk::lose(File& file) {
  // How much of what was under way had reached the platter differs from loss to loss.
  const auto luck = random_->below(4);
  for (const auto& [sector, past] : file.unsynced) {
    const auto states = past.states.size();
    std::size_t state = luck == 0 ? 0 : luck == 1 ? states : random_->below(states + 1);
    if (past.doomed && state == states) state = random_->below(states);
    if (state == states) continue;
    ++counts_.sectors_lost;
    const auto& bytes = past.states.at(state);
    put_bytes(file, bytes.data(), bytes.size(), static_cast<std::size_t>(sector * sector_size));
  }
  file.unsynced.clear();
}

}  // namespace talla::sim
