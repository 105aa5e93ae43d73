#include "certs/sqlite_ledger.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <atomic>
#include <mutex>

#include "certs/openssl_hashes.hpp"
#include "object_chains.hpp"
#include "seen_filter.hpp"
#include "sqlite_open.hpp"
#include "sqlite_reader.hpp"
#include "sqlite_rows.hpp"
#include "sqlite_writer.hpp"

namespace talla::certs {

namespace {

struct Parts {
  LedgerLock lock;
  std::optional<SqliteWriter> writer;  ///< none: read only
  std::unique_ptr<SqliteReader> reader;
  SeenFilter seen;
  std::uint64_t size = 0;
};

class SqliteLedger final : public Ledger {
 public:
  SqliteLedger(SqliteLedgerOptions options, Parts parts)
      : options_(std::move(options)),
        lock_(std::move(parts.lock)),
        writer_(std::move(parts.writer)),
        reader_(std::move(parts.reader)),
        seen_(std::move(parts.seen)),
        size_(parts.size) {}

  [[nodiscard]] std::uint64_t size() const override { return size_.load(); }
  [[nodiscard]] bool latched() const override { return latched_.load(); }

  [[nodiscard]] Status commit(const Group& group) override {
    if (!writer_) return fail(Errc::ledger_io, "the ledger is open for reading only");
    if (latched_.load()) {
      return fail(Errc::ledger_latched, "an earlier commit failed; restart after the cause is gone");
    }
    if (group.empty()) return {};
    TALLA_TRY(
        const ObjectStates objects,
        advance_objects(size_.load(), group.records, [this](std::string_view id) { return object(id); }));
    Status status = writer_->commit(group, size_.load(), objects);
    if (status) {
      size_.fetch_add(group.records.size());
      remember(objects);
      for (const StoredReply& reply : group.replies) seen_.add(reply_digest(hashes_, reply.id));
      for (const ClientNonce& one : group.nonces) seen_.add(nonce_digest(hashes_, one.client, one.nonce));
    }
    latched_.store(writer_->latched());
    return status;
  }

  [[nodiscard]] Result<std::optional<StoredReply>> staging_reply(const ReplyKey& id) override {
    if (!seen_.maybe(reply_digest(hashes_, id))) return std::optional<StoredReply>();
    return reader_->reply(id);
  }
  [[nodiscard]] Result<bool> staging_nonce_used(std::string_view client, ByteView nonce) override {
    if (!seen_.maybe(nonce_digest(hashes_, client, nonce))) return false;
    return reader_->nonce_used(client, nonce);
  }

  [[nodiscard]] Result<LedgerRecord> record(std::uint64_t seq) const override { return reader_->record(seq); }
  [[nodiscard]] Result<std::vector<LedgerRecord>> records(std::uint64_t from,
                                                          std::uint64_t to) const override {
    return reader_->records(from, to);
  }
  [[nodiscard]] Status leaves(std::uint64_t from, std::uint64_t to,
                              const std::function<void(const Digest&)>& sink) const override {
    return reader_->leaves(from, to, sink);
  }
  [[nodiscard]] Status group_ends(const std::function<void(std::uint64_t)>& sink) const override {
    return reader_->group_ends(sink);
  }
  [[nodiscard]] Result<std::vector<LedgerRecord>> chain(std::string_view object) const override {
    return reader_->chain(object);
  }
  [[nodiscard]] Result<std::optional<ObjectState>> object(std::string_view id) const override {
    {
      const std::scoped_lock lock(live_mutex_);
      if (const auto live = live_.find(id); live != live_.end())
        return std::optional<ObjectState>(live->second);
    }
    return reader_->object(id);
  }
  [[nodiscard]] Result<std::vector<ObjectState>> open_objects() const override {
    return reader_->open_objects();
  }
  [[nodiscard]] Result<std::vector<SealedSecret>> sealed(std::string_view object) const override {
    return reader_->sealed(object);
  }
  [[nodiscard]] Result<std::optional<StoredReply>> reply(const ReplyKey& id) const override {
    return reader_->reply(id);
  }
  [[nodiscard]] Result<std::vector<StoredReply>> replies(std::string_view client,
                                                         std::string_view key) const override {
    return reader_->replies(client, key);
  }
  [[nodiscard]] Result<bool> nonce_used(std::string_view client, ByteView nonce) const override {
    return reader_->nonce_used(client, nonce);
  }
  [[nodiscard]] Result<std::optional<std::string>> draft(std::string_view round) const override {
    return reader_->draft(round);
  }
  [[nodiscard]] Result<std::optional<std::string>> catalogue(const Digest& digest) const override {
    return reader_->catalogue(digest);
  }
  [[nodiscard]] Result<std::uint64_t> batch_end(std::uint64_t seq) const override {
    return reader_->batch_end(seq);
  }

  [[nodiscard]] Result<std::uint64_t> disk_free_bytes() const override {
    struct statvfs state {};
    if (::statvfs(options_.path.c_str(), &state) != 0) {
      return fail(Errc::ledger_io, options_.path + ": free space unknown");
    }
    return std::uint64_t{state.f_bavail} * std::uint64_t{state.f_frsize};
  }

 private:
  /// Open objects are asked for with every record; closed ones hardly ever.
  void remember(const ObjectStates& objects) {
    const std::scoped_lock lock(live_mutex_);
    for (const auto& [id, state] : objects) {
      if (state.closed && state.pending == 0) {
        live_.erase(id);
      } else {
        live_[id] = state;
      }
    }
  }

  SqliteLedgerOptions options_;
  LedgerLock lock_;
  std::optional<SqliteWriter> writer_;  // the committing thread
  std::unique_ptr<SqliteReader> reader_;
  OpensslHashes hashes_;
  SeenFilter seen_;  // the committing thread; digests of committed keys and nonces
  std::atomic<std::uint64_t> size_;
  std::atomic<bool> latched_{false};
  mutable std::mutex live_mutex_;
  ObjectStates live_;  // live_mutex_; those changed since the start and still open
};

}  // namespace

Result<std::unique_ptr<Ledger>> open_sqlite_ledger(const SqliteLedgerOptions& options) {
  Parts parts;
  if (!options.read_only) {
    TALLA_TRY(parts.lock, LedgerLock::take(options.path));
    TALLA_TRY(DatabaseHandle database, open_writer(options));
    TALLA_TRY(parts.size, checked_size(database.get()));
    TALLA_TRY(parts.writer, SqliteWriter::create(std::move(database), parts.size));
  }
  TALLA_TRY(DatabaseHandle database, open_reader(options, !options.read_only));
  if (options.read_only) {
    TALLA_TRY(parts.size, checked_size(database.get()));
  }
  TALLA_TRY(parts.reader, SqliteReader::create(std::move(database)));
  TALLA_TRY_STATUS(parts.reader->seen([&](ByteView digest) { parts.seen.add(digest); }));
  return std::make_unique<SqliteLedger>(options, std::move(parts));
}

}  // namespace talla::certs
