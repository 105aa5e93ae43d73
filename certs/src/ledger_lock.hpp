/// \file
/// The lock that keeps a second process of this machine out of a ledger. Private to certs.
#pragma once

#include <string>
#include <utility>

#include "certs/errc.hpp"

namespace talla::certs {

/// Exclusive on `<path>.lock`, held for the life of the object. Errors: ledger_locked, ledger_io.
class LedgerLock {
 public:
  LedgerLock() = default;
  [[nodiscard]] static Result<LedgerLock> take(const std::string& path);
  LedgerLock(LedgerLock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  LedgerLock& operator=(LedgerLock&& other) noexcept;
  LedgerLock(const LedgerLock&) = delete;
  LedgerLock& operator=(const LedgerLock&) = delete;
  ~LedgerLock();

 private:
  int fd_ = -1;
};

}  // namespace talla::certs
