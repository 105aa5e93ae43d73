/// \file
/// Opening a ledger file: lock, schema, identity and integrity. Private to certs.
#pragma once

#include "certs/sqlite_ledger.hpp"
#include "sqlite_handles.hpp"

namespace talla::certs {

/// The lock that keeps a second process out; held for the life of the object.
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

/// A connection with our settings; the writer makes or checks the schema, identity and pages.
[[nodiscard]] Result<DatabaseHandle> open_writer(const SqliteLedgerOptions& options);
/// A connection that cannot write; `checked` says that a writer of this process has checked the file.
[[nodiscard]] Result<DatabaseHandle> open_reader(const SqliteLedgerOptions& options, bool checked);
/// Count of records; refuses an end that is not the end of a group and a gap in the last 1,000.
[[nodiscard]] Result<std::uint64_t> checked_size(sqlite3* database);

}  // namespace talla::certs
