#include "ledger_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace talla::certs {

Result<LedgerLock> LedgerLock::take(const std::string& path) {
  LedgerLock lock;
  lock.fd_ = ::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock.fd_ < 0) return fail(Errc::ledger_io, path + ".lock: cannot be opened");
  if (::flock(lock.fd_, LOCK_EX | LOCK_NB) != 0) {
    return fail(Errc::ledger_locked, path + ": another process has this ledger open");
  }
  return lock;
}

LedgerLock& LedgerLock::operator=(LedgerLock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

LedgerLock::~LedgerLock() {
  if (fd_ >= 0) static_cast<void>(::close(fd_));
}

}  // namespace talla::certs
