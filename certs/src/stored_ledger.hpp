/// \file
/// A ledger over a writer and a reader of some database: what all databases share. Private to certs.
///
/// `Base` is the interface it is (Ledger or one derived from it). `Writer` has `write(group, digests, size, objects)`,
/// `sync()` and `latched()`; `Reader` has the reads of Ledger under the same names.
/// Threads: as Ledger says; the writer but for its `sync` belongs to the committing thread, the reader is safe beside it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

#include "certs/ledger.hpp"
#include "certs/openssl_hashes.hpp"
#include "ledger_lock.hpp"
#include "ledger_rows.hpp"
#include "object_chains.hpp"
#include "seen_filter.hpp"

namespace talla::certs {

template <class Base, class Writer, class Reader>
class StoredLedger : public Base {
 public:
  struct Parts {
    LedgerLock lock;
    std::optional<Writer> writer;  ///< none: read only
    std::unique_ptr<Reader> reader;
    SeenFilter seen;    ///< digests of all keys and nonces
    ObjectStates live;  ///< open objects that are known already; the others are asked of the reader
    std::uint64_t size = 0;
  };
  explicit StoredLedger(Parts parts)
      : lock_(std::move(parts.lock)),
        writer_(std::move(parts.writer)),
        reader_(std::move(parts.reader)),
        seen_(std::move(parts.seen)),
        written_{0, parts.size},
        durable_{0, parts.size},
        live_(std::move(parts.live)) {}

  [[nodiscard]] std::uint64_t size() const override {
    const std::scoped_lock lock(marks_mutex_);
    return durable_.size;
  }
  [[nodiscard]] std::uint64_t durable_groups() const override {
    const std::scoped_lock lock(marks_mutex_);
    return durable_.groups;
  }
  [[nodiscard]] bool latched() const override { return latched_.load(); }

  [[nodiscard]] Result<std::uint64_t> write(const Group& group) override {
    if (!writer_) return fail(Errc::ledger_io, "the ledger is open for reading only");
    if (latched_.load()) {
      return fail(Errc::ledger_latched, "an earlier commit failed; restart after the cause is gone");
    }
    Mark next = written();
    if (group.empty()) return next.groups;
    TALLA_TRY(const ObjectStates objects,
              advance_objects(next.size, group.records, [this](std::string_view id) { return object(id); }));
    const GroupDigests digests = group_digests(hashes_, group);
    Status status = writer_->write(group, digests, next.size, objects);
    if (status) {
      next = {next.groups + 1, next.size + group.records.size()};
      remember(objects);
      for (const ReplyDigest& digest : digests.replies) seen_.add(digest);
      for (const NonceDigest& digest : digests.nonces) seen_.add(digest);
    }
    after_write(next.size);
    if (writer_->latched()) latched_.store(true);
    if (!status) return pass(std::move(status));
    const std::scoped_lock lock(marks_mutex_);
    written_ = next;
    return next.groups;
  }

  [[nodiscard]] Status sync() override {
    if (!writer_) return fail(Errc::ledger_io, "the ledger is open for reading only");
    if (latched_.load()) {
      return fail(Errc::ledger_latched, "an earlier commit failed; restart after the cause is gone");
    }
    const Mark mark = written();
    Status status = writer_->sync();
    const std::scoped_lock lock(marks_mutex_);
    // Once a sync has failed no other one's word counts: what it did not bring to disk is not told apart.
    if (status && latched_.load()) return fail(Errc::ledger_latched, "another sync failed");
    if (!status) {
      latched_.store(true);
    } else if (mark.groups > durable_.groups) {
      durable_ = mark;
    }
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

 protected:
  [[nodiscard]] const std::optional<Writer>& writer() const { return writer_; }
  [[nodiscard]] Reader& reader() { return *reader_; }

 private:
  struct Mark {
    std::uint64_t groups = 0;  ///< since the ledger was opened
    std::uint64_t size = 0;    ///< records behind them
  };
  [[nodiscard]] Mark written() const {
    const std::scoped_lock lock(marks_mutex_);
    return written_;
  }
  /// On the committing thread, behind each group that reached the writer; `size`: records written so far.
  virtual void after_write(std::uint64_t /*size*/) {}
  /// Open objects are asked for with every record; closed ones hardly ever.
  void remember(const ObjectStates& objects) {
    const std::scoped_lock lock(live_mutex_);
    for (const auto& [id, state] : objects) {
      if (object_live(state)) {
        live_[id] = state;
      } else {
        live_.erase(id);
      }
    }
  }

  LedgerLock lock_;
  std::optional<Writer> writer_;  // the committing thread
  std::unique_ptr<Reader> reader_;
  OpensslHashes hashes_;
  SeenFilter seen_;  // the committing thread
  mutable std::mutex marks_mutex_;
  Mark written_;  // marks_mutex_
  Mark durable_;  // marks_mutex_
  std::atomic<bool> latched_{false};
  mutable std::mutex live_mutex_;
  ObjectStates live_;  // live_mutex_
};

}  // namespace talla::certs
