/// \file
/// Sealing of a span of records into one archive (FORMAT.md section 13), beside the daemon that
/// writes the log.
///
/// Needs no private key: it takes a checkpoint that the daemon (and perhaps witnesses) has signed,
/// and only reads. The same span against the same checkpoint and statement gives the same bytes.
/// The file gets its name when all of it is on disk and was read again. Memory: some hashes and one
/// step of records, however long the span.
/// Errors:  ArchiveErrc::archive_differs (the checkpoint or the archive before is not of this
///          ledger), ledger_damaged, not_found (no such span), key_exists (the file is there
///          already), ledger_io, LogKeyErrc::wrong_log_key.
/// Threads: no shared state. Secrecy: an archive holds what the log and its evidence hold: nothing
///          sealed, nothing covered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certs/backup.hpp"
#include "certs/ledger.hpp"
#include "format/archive.hpp"

namespace talla::certs {

struct ArchiveRequest {
  const Ledger& ledger;
  std::string origin;
  std::string checkpoint;  ///< signed note of this log, perhaps cosigned
  /// Statements that the present key may have; retired ones stand in the ledger.
  std::vector<LogKey> log_keys;
  /// Seq behind the last record; none: the size of the checkpoint.
  std::optional<std::uint64_t> to{};
  /// Instead: records recorded before this time.
  std::optional<std::int64_t> until_us{};
  /// Path of the archive that ends where this one begins; empty: it begins with the log.
  std::string previous{};
  std::string file;  ///< made; must not exist
  BackupProgress progress{};
};
/// What the finished file says, read again from the disk.
[[nodiscard]] Result<ArchiveFacts> seal_archive(const ArchiveRequest& request,
                                                const Ed25519Verifier& verifier);

/// A file as it is read.
class FileSource final : public ByteSource {
 public:
  /// Errors: ledger_io.
  [[nodiscard]] static Result<std::unique_ptr<FileSource>> open(const std::string& path);
  ~FileSource() override;
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> out) override;
  /// So many bytes from there; the place of `read` stays. Errors: ledger_io, also when the file
  /// ends before.
  [[nodiscard]] Result<std::string> read_at(std::uint64_t offset, std::size_t size) const;

 private:
  FileSource(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  std::string path_;
  int fd_;
};

}  // namespace talla::certs
