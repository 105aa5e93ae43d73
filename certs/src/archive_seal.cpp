// Seals a span of the log into an archive: chooses it, proves it, writes it whole or not at all.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>

#include "certs/archive.hpp"
#include "certs/key_history.hpp"
#include "certs/openssl_hashes.hpp"
#include "errno_text.hpp"
#include "picked_nodes.hpp"
#include "whole_files.hpp"

namespace talla::certs {
namespace {

constexpr std::uint64_t records_per_archive_step = 1'000;
constexpr std::size_t archive_block_bytes = std::size_t{1} << 20U;

tl::unexpected<Error> differs(std::string why) {
  return fail(ArchiveErrc::archive_differs, std::move(why));
}

/// A file under construction; gone again unless it was kept.
class ArchiveDraft {
 public:
  [[nodiscard]] static Result<std::unique_ptr<ArchiveDraft>> make(const std::string& path) {
    static_cast<void>(::unlink(path.c_str()));  // what an interrupted seal left
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0) return fail(Errc::ledger_io, path + ": " + errno_text());
    return std::unique_ptr<ArchiveDraft>(new ArchiveDraft(path, fd));
  }
  ~ArchiveDraft() {
    static_cast<void>(::close(fd_));
    if (!path_.empty()) static_cast<void>(::unlink(path_.c_str()));
  }
  ArchiveDraft(const ArchiveDraft&) = delete;
  ArchiveDraft& operator=(const ArchiveDraft&) = delete;
  [[nodiscard]] Status add(ArchiveTag tag, std::string_view content) {
    put_archive_entry(block_, tag, content);
    return block_.size() < archive_block_bytes ? Status() : flush();
  }
  [[nodiscard]] Status begin(std::string_view header) {
    block_ = archive_begin(header);
    return flush();
  }
  [[nodiscard]] Status sync() {
    TALLA_TRY_STATUS(flush());
    return ::fsync(fd_) == 0 ? Status()
                             : Status(fail(Errc::ledger_io, path_ + ": fsync: " + errno_text()));
  }
  void kept() { path_.clear(); }

 private:
  ArchiveDraft(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}
  [[nodiscard]] Status flush() {
    for (std::size_t done = 0; done < block_.size();) {
      const ssize_t put = ::write(fd_, block_.data() + done, block_.size() - done);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return fail(Errc::ledger_io, path_ + ": " + errno_text());
      done += static_cast<std::size_t>(put);
    }
    block_.clear();
    return {};
  }
  std::string path_;
  int fd_;
  std::string block_;
};

/// What is fixed before the first record is read.
struct Plan {
  ArchiveHeader header;
  SignedCheckpoint note;
  std::optional<Digest> root_before;  ///< of the records that the archives before hold
};

class ArchiveSealing {
 public:
  explicit ArchiveSealing(const ArchiveRequest& request) : request_(request) {}

  [[nodiscard]] Result<ArchiveFacts> run(const Ed25519Verifier& verifier) {
    TALLA_TRY_STATUS(read_before());
    TALLA_TRY_STATUS(choose_span());
    TALLA_TRY_STATUS(choose_key(verifier));
    TALLA_TRY_STATUS(prove());
    return write();
  }

 private:
  /// The archive before, read whole: nobody goes on from one that is damaged.
  [[nodiscard]] Status read_before() {
    plan_.header.origin = request_.origin;
    plan_.header.checkpoint = request_.checkpoint;
    TALLA_TRY(plan_.note, parse_cosigned_checkpoint(request_.checkpoint));
    if (plan_.note.checkpoint.origin != request_.origin)
      return differs("the checkpoint is of another log");
    if (request_.previous.empty()) return {};
    TALLA_TRY(const auto file, FileSource::open(request_.previous));
    const auto before = check_archive(hashes_, *file);
    if (!before)
      return fail(ArchiveErrc::archive_differs, request_.previous + ": " + before.error().text());
    if (before->header.origin != request_.origin)
      return differs(request_.previous + ": is of another log");
    plan_.header.from = before->header.to;
    plan_.header.previous = before->digest;
    plan_.root_before = before->root;
    return {};
  }

  [[nodiscard]] Status choose_span() {
    const std::uint64_t size = plan_.note.checkpoint.size;
    if (size > request_.ledger.size())
      return differs("the checkpoint knows more records than the ledger");
    ArchiveHeader& header = plan_.header;
    header.to = std::min(request_.to.value_or(size), size);
    if (request_.to && *request_.to > size)
      return fail(Errc::not_found, fmt::format("the checkpoint ends at {}", size));
    if (request_.until_us) {
      TALLA_TRY(const std::uint64_t first, first_since(*request_.until_us, size));
      header.to = std::min(header.to, first);
    }
    if (header.from >= header.to)
      return fail(Errc::not_found,
                  fmt::format("no record from {} up to {}", header.from, header.to));
    return {};
  }

  /// Times never go back: the first record of this time or later.
  [[nodiscard]] Result<std::uint64_t> first_since(std::int64_t time_us, std::uint64_t size) const {
    std::uint64_t begin = plan_.header.from;
    std::uint64_t end = size;
    while (begin < end) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      TALLA_TRY(const LedgerRecord stored, request_.ledger.record(middle));
      TALLA_TRY(const Record record, parse_record(stored.bytes));
      if (record.time_us < time_us) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return end;
  }

  /// The statement of the key that signed the checkpoint: a retired one by its size, else the
  /// present one.
  [[nodiscard]] Status choose_key(const Ed25519Verifier& verifier) {
    TALLA_TRY(retired_, load_retired_keys(request_.ledger));
    const std::uint64_t size = plan_.note.checkpoint.size;
    std::vector<LogKey> candidates = request_.log_keys;
    for (const RetiredKey& key : retired_.keys) {
      if (size > key.announced + 1) continue;
      candidates = {key.log_key};
      break;
    }
    for (const LogKey& candidate : candidates) {
      TALLA_TRY(const LogKeyStatement statement, parse_statement(candidate.statement));
      if (statement.origin != request_.origin ||
          plan_.note.key_id != ed25519_key_id(hashes_, statement.origin, statement.public_key))
        continue;
      if (!verifier.verify(statement.public_key, as_bytes(plan_.note.text), plan_.note.signature))
        return differs("the checkpoint's signature is wrong");
      plan_.header.log_key = candidate;
      return {};
    }
    return fail(LogKeyErrc::wrong_log_key, "no statement is of the key that signed the checkpoint");
  }

  /// Everything that the tree has to say, asked of some source of nodes.
  [[nodiscard]] Status ask(const NodeSource& nodes) {
    ArchiveHeader& header = plan_.header;
    const Checkpoint& head = plan_.note.checkpoint;
    header.left.clear();
    for (std::uint64_t at = 0; at < header.from;) {
      const std::uint64_t part = std::bit_floor(header.from - at);
      const auto level = static_cast<unsigned>(std::countr_zero(part));
      TALLA_TRY(const Digest node, nodes(level, at >> level));
      header.left.push_back(node);
      at += part;
    }
    TALLA_TRY(header.consistency, consistency_path(hashes_, nodes, header.to, head.size));
    TALLA_TRY(root_, root_at(hashes_, nodes, head.size));
    header.key_changes.clear();
    for (std::size_t i = 0; i < retired_.keys.size(); ++i) {
      const std::uint64_t own = retired_.keys[i].announced + 1;
      if (own >= head.size) break;
      const bool last = i + 1 == retired_.keys.size();
      TALLA_TRY_STATUS(
          ask_change(nodes, retired_.keys[i],
                     last ? head.size : std::min(head.size, retired_.keys[i + 1].announced + 1)));
    }
    return {};
  }

  [[nodiscard]] Status ask_change(const NodeSource& nodes, const RetiredKey& key,
                                  std::uint64_t next) {
    const std::uint64_t own = key.announced + 1;
    KeyChange change{
        .log_key = key.log_key, .checkpoint = {}, .record = {}, .path = {}, .consistency = {}};
    TALLA_TRY(LedgerRecord record, request_.ledger.record(key.announced));
    change.record = std::move(record.bytes);
    TALLA_TRY(change.path, inclusion_path(hashes_, nodes, key.announced, own));
    TALLA_TRY(change.consistency, consistency_path(hashes_, nodes, own, next));
    TALLA_TRY(const Digest root, root_at(hashes_, nodes, own));
    TALLA_TRY(const LogKeyStatement statement, parse_statement(key.log_key.statement));
    TALLA_TRY(const std::uint64_t group, group_ending(own));
    TALLA_TRY(const Signature64 signature, stored_signature(request_.ledger, group));
    change.checkpoint = format_checkpoint(
        {.origin = request_.origin, .size = own, .root = root},
        ed25519_key_id(hashes_, request_.origin, statement.public_key), signature);
    plan_.header.key_changes.push_back(std::move(change));
    return {};
  }

  [[nodiscard]] Result<std::uint64_t> group_ending(std::uint64_t size) const {
    std::uint64_t before = 0;
    bool found = false;
    TALLA_TRY_STATUS(request_.ledger.group_ends([&](std::uint64_t end) {
      if (end < size) ++before;
      found = found || end == size;
    }));
    if (!found) return fail(Errc::ledger_damaged, fmt::format("no group ends at {}", size));
    return before;
  }

  [[nodiscard]] Status prove() {
    PickedNodes picked;
    TALLA_TRY_STATUS(ask(picked.wishes()));
    TALLA_TRY_STATUS(picked.load(hashes_, request_.ledger, plan_.note.checkpoint.size));
    TALLA_TRY_STATUS(ask(picked.nodes()));
    if (root_ != plan_.note.checkpoint.root)
      return differs("the checkpoint is not of these records");
    if (!plan_.root_before) return {};
    TALLA_TRY(const CompactRange before,
              CompactRange::from_nodes(plan_.header.from, plan_.header.left));
    if (before.root(hashes_) != *plan_.root_before)
      return differs(request_.previous + ": is of another history");
    return {};
  }

  [[nodiscard]] Status write_records(ArchiveDraft& out) {
    for (std::uint64_t from = plan_.header.from; from < plan_.header.to;) {
      TALLA_TRY(const auto records,
                request_.ledger.records(
                    from, std::min(plan_.header.to, from + records_per_archive_step)));
      if (records.empty())
        return fail(Errc::ledger_damaged, fmt::format("record {} is missing", from));
      for (const LedgerRecord& record : records) {
        TALLA_TRY_STATUS(out.add(ArchiveTag::record, record.bytes));
        if (record.kind == Kind::round_open) TALLA_TRY_STATUS(write_state(out, record));
        if (record.kind == Kind::table_open || record.kind == Kind::meter_open)
          TALLA_TRY_STATUS(note_catalogue(record));
      }
      from += records.size();
      if (request_.progress)
        request_.progress(from - plan_.header.from, plan_.header.to - plan_.header.from);
    }
    return {};
  }

  [[nodiscard]] Status write_state(ArchiveDraft& out, const LedgerRecord& opening) {
    TALLA_TRY(const auto text, request_.ledger.document(documents::state(opening.object)));
    if (!text || text->empty())
      return fail(Errc::ledger_damaged, "the state of " + opening.object + " is not there");
    return out.add(ArchiveTag::state, *text);
  }

  [[nodiscard]] Status note_catalogue(const LedgerRecord& stored) {
    TALLA_TRY(const Record record, parse_record(stored.bytes));
    const json::Value* named = record.body.find("catalogue");
    if (named == nullptr || !named->is_string()) return {};
    TALLA_TRY(const Digest digest, digest_from_hex(named->string()));
    if (digest != Digest{}) catalogues_.insert(digest);
    return {};
  }

  [[nodiscard]] Result<ArchiveFacts> write() {
    if (std::filesystem::exists(std::filesystem::symlink_status(request_.file)))
      return fail(Errc::key_exists, request_.file + " exists already");
    const std::string partial = request_.file + ".part";
    const std::string header = format_archive_header(plan_.header);
    TALLA_TRY(const auto out, ArchiveDraft::make(partial));
    TALLA_TRY_STATUS(out->begin(header));
    TALLA_TRY_STATUS(write_records(*out));
    for (const Digest& digest : catalogues_) {
      TALLA_TRY(const auto text, request_.ledger.catalogue(digest));
      if (!text)
        return fail(Errc::ledger_damaged, "the catalogue " + to_hex(digest) + " is not there");
      TALLA_TRY_STATUS(out->add(ArchiveTag::catalogue, *text));
    }
    TALLA_TRY_STATUS(out->add(ArchiveTag::end, as_text(archive_digest(hashes_, header))));
    TALLA_TRY_STATUS(out->sync());
    TALLA_TRY(const auto again, FileSource::open(partial));
    TALLA_TRY(ArchiveFacts facts, check_archive(hashes_, *again));
    TALLA_TRY_STATUS(name_folder(partial, request_.file));
    out->kept();
    return facts;
  }

  const ArchiveRequest& request_;
  OpensslHashes hashes_;
  Plan plan_;
  RetiredKeys retired_;
  Digest root_{};
  std::set<Digest> catalogues_;
};

}  // namespace

Result<ArchiveFacts> seal_archive(const ArchiveRequest& request, const Ed25519Verifier& verifier) {
  return ArchiveSealing(request).run(verifier);
}

Result<std::unique_ptr<FileSource>> FileSource::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(Errc::ledger_io, path + ": " + errno_text());
  return std::unique_ptr<FileSource>(new FileSource(path, fd));
}

FileSource::~FileSource() {
  static_cast<void>(::close(fd_));
}

Result<std::size_t> FileSource::read(std::span<std::uint8_t> out) {
  for (;;) {
    const ssize_t got = ::read(fd_, out.data(), out.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Errc::ledger_io, path_ + ": " + errno_text());
    return static_cast<std::size_t>(got);
  }
}

Result<std::string> FileSource::read_at(std::uint64_t offset, std::size_t size) const {
  std::string out(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t got =
        ::pread(fd_, out.data() + done, size - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return fail(Errc::ledger_io, path_ + ": " + (got < 0 ? errno_text() : "ends too early"));
    done += static_cast<std::size_t>(got);
  }
  return out;
}

}  // namespace talla::certs
