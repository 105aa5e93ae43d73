/// \file
/// The sealed archive: a contiguous span of a log's records in one file, with all that proves them
/// (FORMAT.md section 13).
///
/// Bytes:   the line `talla-archive v1`, then entries of u8 tag, u32 length and content: one
///          header, each record with the state behind a ROUND_OPEN, the catalogues that the records
///          name, the archive's digest. Nothing behind it.
/// Proof:   subtrees left of the span, the records themselves, and RFC 6962's consistency proof
///          from the span's end to the checkpoint: O(log n) hashes for any number of records.
/// Memory:  one entry at a time, and the digests of catalogues named; nothing grows with the number
///          of records.
/// Errors:  ArchiveErrc, and those of the records. Threads: a reader belongs to one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "format/checkpoint.hpp"
#include "format/key_change.hpp"
#include "format/log_key.hpp"
#include "format/record.hpp"

namespace talla::certs {

enum class ArchiveErrc : std::uint16_t {
  malformed_archive = 530,  ///< bytes, order or spelling; cut short, or bytes behind the end
  /// Well formed, and not what its header, its checkpoint or the archive before say.
  archive_differs = 531,
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(ArchiveErrc errc);

/// What an archive says before its records (FORMAT.md section 13).
struct ArchiveHeader {
  std::string origin;
  std::uint64_t from = 0;                ///< seq of the first record
  std::uint64_t to = 0;                  ///< seq behind the last one; above `from`
  std::string checkpoint;                ///< signed note of `to` records or more, perhaps cosigned
  LogKey log_key;                        ///< of the key that signed it
  std::vector<KeyChange> key_changes{};  ///< from the log's first key to it; empty: it is the first
  std::vector<Digest> left{};  ///< subtrees over the set bits of `from`, the largest first
  /// RFC 6962 section 2.1.2, from `to` to the size of the checkpoint.
  std::vector<Digest> consistency{};
  /// Digest of the archive that ends at `from`; there exactly when `from` is not 0.
  std::optional<Digest> previous{};
};
/// Canonical JSON.
[[nodiscard]] std::string format_archive_header(const ArchiveHeader& header);
/// Form only: spans, counts and origin agree with one another and with the checkpoint.
[[nodiscard]] Result<ArchiveHeader> parse_archive_header(std::string_view text);
/// H(D("archive") || header). With the log it stands for all of the file: records are fixed by the
/// checkpoint, states and catalogues by the records.
[[nodiscard]] Digest archive_digest(const HashSuite& hashes, std::string_view header_text);

/// An archive's bytes, from the first to the last.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;
  /// At least one byte of them unless none is left; 0: the end.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<std::uint8_t> out) = 0;
};

/// What an entry of an archive is; its first byte.
enum class ArchiveTag : std::uint8_t {
  header = 'H',
  record = 'R',
  state = 'S',
  catalogue = 'C',
  end = 'E'
};

/// Appends one entry.
void put_archive_entry(std::string& out, ArchiveTag tag, std::string_view content);
/// First line and header.
[[nodiscard]] std::string archive_begin(std::string_view header_text);

/// Reads an archive from its first byte to its last, one entry at a time.
class ArchiveReader {
 public:
  /// Reads up to the header. `source` must outlive the reader.
  [[nodiscard]] static Result<ArchiveReader> open(ByteSource& source);
  [[nodiscard]] const ArchiveHeader& header() const { return header_; }
  [[nodiscard]] const std::string& header_text() const { return header_text_; }

  struct Entry {
    ArchiveTag tag{};
    std::string_view content;  ///< until the next call
    std::uint64_t offset = 0;  ///< of the content in the file
  };
  /// Errors: malformed_archive, also for a header in the middle.
  [[nodiscard]] Result<Entry> next();
  /// Behind the entry `end`: nothing may follow.
  [[nodiscard]] Status finish();
  [[nodiscard]] std::uint64_t position() const { return position_; }

 private:
  explicit ArchiveReader(ByteSource& source) : source_(&source) {}
  [[nodiscard]] Status take(std::span<std::uint8_t> out);
  [[nodiscard]] Result<bool> fill();

  ByteSource* source_;
  ArchiveHeader header_;
  std::string header_text_;
  std::vector<std::uint8_t> buffer_;
  std::size_t at_ = 0;   // in the buffer
  std::size_t end_ = 0;  // of what was read into it
  std::uint64_t position_ = 0;
  std::string content_;
};

/// Who wants to see what an archive holds while it is checked; what it sees is not proven before
/// the check has ended.
class ArchiveVisitor {
 public:
  ArchiveVisitor() = default;
  ArchiveVisitor(const ArchiveVisitor&) = delete;
  ArchiveVisitor& operator=(const ArchiveVisitor&) = delete;
  virtual ~ArchiveVisitor() = default;
  /// What is found, in the order of the file: the header, then each record.
  virtual void begin(const ArchiveHeader& header) { static_cast<void>(header); }
  virtual void record(const Record& record, const ArchiveReader::Entry& entry) {
    static_cast<void>(record);
    static_cast<void>(entry);
  }
  /// Of the ROUND_OPEN before it.
  virtual void state(const Record& opening, const ArchiveReader::Entry& entry) {
    static_cast<void>(opening);
    static_cast<void>(entry);
  }
  virtual void catalogue(const Digest& digest, const ArchiveReader::Entry& entry) {
    static_cast<void>(digest);
    static_cast<void>(entry);
  }
  /// Each leaf (level 0) and each subtree that a record completes.
  virtual void node(unsigned level, std::uint64_t index, const Digest& hash) {
    static_cast<void>(level);
    static_cast<void>(index);
    static_cast<void>(hash);
  }
};

/// What a whole reading gives; all of it is computed from the bytes.
struct ArchiveFacts {
  ArchiveHeader header;
  SignedCheckpoint checkpoint;  ///< its signature is not looked at here
  Digest digest{};
  Digest root_before{};  ///< of the first `from` records, as the header gives them
  Digest root{};         ///< of the first `to` records
  std::int64_t first_us = 0;
  std::int64_t last_us = 0;
  std::uint64_t first_boot = 0;
  std::uint64_t last_boot = 0;
  std::uint64_t bytes = 0;  ///< of the file
  std::uint64_t catalogues = 0;
  std::uint64_t unknown_kinds = 0;  ///< records whose content this version does not know
  std::uint64_t unread = 0;         ///< records whose content was not asked for
  bool lab = false;                 ///< a record names a laboratory's source
};
struct ArchiveCheck {
  ArchiveVisitor* visitor = nullptr;
  std::function<void(std::uint64_t done, std::uint64_t of)> progress{};
  /// False: of single draws, cards and bets (is_read_always) but the first and the last record only
  /// bytes, kind, number and time are looked at; the class is what the other records tell. A
  /// visitor is shown no record then.
  bool contents = true;
  /// What each record must hold beside, with its leaf hash; of those whose content is looked at,
  /// in their order.
  std::function<Status(const Record& record, const Digest& leaf)> judge{};
};
/// Records that tell about many others: commitments, openings, closings, and whatever concerns the
/// machine.
[[nodiscard]] bool is_read_always(Kind kind);
/// Reads all of it: canonical records of this log, in their places, with times and boots that never
/// go back; the tree they make is that of the checkpoint; states and catalogues are those that
/// records name, and all of them are there.
[[nodiscard]] Result<ArchiveFacts> check_archive(const HashSuite& hashes, ByteSource& source,
                                                 const ArchiveCheck& options = {});
/// `next` begins where `before` ends, names it, and its log is the same one gone on. Errors:
/// archive_differs.
[[nodiscard]] Status check_archive_follows(const ArchiveFacts& before, const ArchiveFacts& next);

}  // namespace talla::certs
