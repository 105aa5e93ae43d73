#include "certs/postgres_ledger.hpp"

#include <sys/statvfs.h>

#include "postgres_reader.hpp"
#include "postgres_writer.hpp"
#include "stored_ledger.hpp"

namespace talla::certs {

namespace {

class ServerLedger final : public StoredLedger<PostgresLedger, PostgresWriter, PostgresReader> {
 public:
  ServerLedger(PostgresLedgerOptions options, std::uint64_t epoch, Parts parts)
      : StoredLedger(std::move(parts),
                     [this](const PostgresWriter& writer, std::uint64_t size) {
                       reader().has_records(size);
                       fenced_.store(writer.fenced());
                     }),
        options_(std::move(options)),
        epoch_(epoch) {}

  [[nodiscard]] bool fenced() const override { return fenced_.load(); }
  [[nodiscard]] std::uint64_t epoch() const override { return epoch_; }

  /// Of this machine's folder. SQL does not say how much room a server has; when it has none, a
  /// commit fails and latches.
  [[nodiscard]] Result<std::uint64_t> disk_free_bytes() const override {
    struct statvfs state {};
    const std::string folder = options_.folder.empty() ? "." : options_.folder;
    if (::statvfs(folder.c_str(), &state) != 0)
      return fail(Errc::ledger_io, folder + ": free space unknown");
    return std::uint64_t{state.f_bavail} * std::uint64_t{state.f_frsize};
  }

 private:
  PostgresLedgerOptions options_;
  std::uint64_t epoch_;  // 0: read only
  std::atomic<bool> fenced_{false};
};

}  // namespace

Result<std::unique_ptr<PostgresLedger>> open_postgres_ledger(const PostgresLedgerOptions& options) {
  TALLA_TRY_STATUS(check_postgres_connection(options.connection));
  ServerLedger::Parts parts;
  std::uint64_t epoch = 0;
  if (!options.read_only) {
    if (!options.folder.empty()) {
      TALLA_TRY(parts.lock, LedgerLock::take(options.folder + "/ledger"));
    }
    TALLA_TRY(PgConnection connection, open_session(options));
    TALLA_TRY_STATUS(prepare_to_write(connection, options));
    TALLA_TRY(const FenceRow fence, raise_epoch(connection));
    epoch = fence.epoch;
    TALLA_TRY(parts.size, checked_postgres_size(connection));
    TALLA_TRY(parts.writer, PostgresWriter::create(std::move(connection), epoch, parts.size,
                                                   options.commit_limit));
  }
  TALLA_TRY(PgConnection connection, open_session(options));
  if (options.read_only) {
    TALLA_TRY_STATUS(check_postgres_identity(connection, options));
    TALLA_TRY(parts.size, checked_postgres_size(connection));
  }
  parts.reader = std::make_unique<PostgresReader>(options, std::move(connection), epoch);
  parts.reader->has_records(parts.size);
  TALLA_TRY_STATUS(parts.reader->seen([&](ByteView digest) { parts.seen.add(digest); }));
  TALLA_TRY(const auto open, parts.reader->open_objects());
  for (const ObjectState& state : open) parts.live.emplace(state.id, state);
  return std::make_unique<ServerLedger>(options, epoch, std::move(parts));
}

}  // namespace talla::certs
