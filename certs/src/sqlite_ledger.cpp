#include "certs/sqlite_ledger.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>

#include "sqlite_open.hpp"
#include "sqlite_reader.hpp"
#include "sqlite_writer.hpp"
#include "stored_ledger.hpp"

namespace talla::certs {

namespace {

class SqliteLedger final : public StoredLedger<Ledger, SqliteWriter, SqliteReader> {
 public:
  SqliteLedger(SqliteLedgerOptions options, Parts parts)
      : StoredLedger(std::move(parts), [](const SqliteWriter&, std::uint64_t) {}),
        options_(std::move(options)) {}

  [[nodiscard]] Result<std::uint64_t> disk_free_bytes() const override {
    struct statvfs state {};
    if (::statvfs(options_.path.c_str(), &state) != 0) {
      return fail(Errc::ledger_io, options_.path + ": free space unknown");
    }
    return std::uint64_t{state.f_bavail} * std::uint64_t{state.f_frsize};
  }

 private:
  SqliteLedgerOptions options_;
};

}  // namespace

Result<std::unique_ptr<Ledger>> open_sqlite_ledger(const SqliteLedgerOptions& options) {
  SqliteLedger::Parts parts;
  std::shared_ptr<YoungKeys> young;
  if (!options.read_only) {
    young = std::make_shared<YoungKeys>(std::max<std::size_t>(options.young_keys_max, 1));
    TALLA_TRY(parts.lock, LedgerLock::take(options.path));
    TALLA_TRY(DatabaseHandle database, open_writer(options));
    TALLA_TRY(parts.size, checked_size(database.get()));
    TALLA_TRY(DatabaseHandle copier, open_copier(options));
    auto copy = std::make_unique<WalCopy>(std::move(copier), options.wal_pages_max);
    TALLA_TRY(parts.writer,
              SqliteWriter::create(std::move(database), std::move(copy), young, parts.size));
  }
  TALLA_TRY(DatabaseHandle database, open_reader(options, !options.read_only));
  if (options.read_only) {
    TALLA_TRY(parts.size, checked_size(database.get()));
  }
  TALLA_TRY(parts.reader, SqliteReader::create(std::move(database), std::move(young)));
  TALLA_TRY_STATUS(parts.reader->seen([&](ByteView digest) { parts.seen.add(digest); }));
  return std::make_unique<SqliteLedger>(options, std::move(parts));
}

}  // namespace talla::certs
