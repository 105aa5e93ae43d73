/// \file
/// A ledger over a writer and a reader of some database: what all databases share. Private to
/// certs.
///
/// `Base` is the interface it is (Ledger or one derived from it). `Writer` has `write(group,
/// digests, size, objects)`, `sync()` and `tidy()`; `Reader` has the reads of Ledger under the same
/// names. A group is checked where it is given and waits (WriteQueue); a read by name has those
/// that wait written before it asks.
/// Threads: as Ledger says; the reader is safe beside the writer.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include "certs/ledger.hpp"
#include "certs/openssl_hashes.hpp"
#include "ledger_lock.hpp"
#include "seen_filter.hpp"
#include "write_queue.hpp"

namespace talla::certs {

template <class Base, class Writer, class Reader>
class StoredLedger : public Base {
 public:
  struct Parts {
    LedgerLock lock;
    std::optional<Writer> writer;  ///< none: read only
    std::unique_ptr<Reader> reader;
    SeenFilter seen;    ///< digests of all keys
    ObjectStates live;  ///< open objects that are known already; the others are asked of the reader
    std::uint64_t size = 0;
  };
  explicit StoredLedger(Parts parts, typename WriteQueue<Writer>::Behind behind)
      : lock_(std::move(parts.lock)),
        reader_(std::move(parts.reader)),
        seen_(std::move(parts.seen)),
        size_(parts.size),
        live_(std::move(parts.live)) {
    if (parts.writer)
      queue_ =
          std::make_unique<WriteQueue<Writer>>(std::move(*parts.writer), size_, std::move(behind));
  }

  [[nodiscard]] std::uint64_t size() const override {
    return queue_ ? queue_->durable().size : size_;
  }
  [[nodiscard]] std::uint64_t durable_groups() const override {
    return queue_ ? queue_->durable().groups : 0;
  }
  [[nodiscard]] bool latched() const override { return queue_ && queue_->latched(); }

  [[nodiscard]] Result<std::uint64_t> write(std::shared_ptr<const Group> group) override {
    TALLA_TRY_STATUS(writable());
    const GroupMark& taken = queue_->taken();
    if (group->empty()) return taken.groups;
    TALLA_TRY(ObjectStates objects,
              advance_objects(taken.size, group->records,
                              [this](std::string_view id) { return object(id); }));
    GroupDigests digests = group_digests(hashes_, *group);
    TALLA_TRY_STATUS(refuse_known(*group, digests));
    TALLA_TRY_STATUS(refuse_sealed(*group, taken.size));
    remember(objects);
    queue_->add(std::move(group), std::move(digests), std::move(objects));
    return taken.groups;
  }
  [[nodiscard]] Status sync() override {
    TALLA_TRY_STATUS(writable());
    return queue_->sync();
  }
  [[nodiscard]] Status tidy() override {
    TALLA_TRY_STATUS(writable());
    return queue_->tidy();
  }

  [[nodiscard]] Result<std::optional<StoredReply>> staging_reply(const ReplyKey& id) override {
    if (!seen_.maybe(reply_digest(hashes_, id))) return std::optional<StoredReply>();
    return reply(id);
  }

  [[nodiscard]] Result<LedgerRecord> record(std::uint64_t seq) const override {
    return reader_behind(seq + 1).record(seq);
  }
  [[nodiscard]] Result<std::vector<LedgerRecord>> records(std::uint64_t from,
                                                          std::uint64_t to) const override {
    return reader_behind(to).records(from, to);
  }
  [[nodiscard]] Status leaves(std::uint64_t from, std::uint64_t to,
                              const std::function<void(const Digest&)>& sink) const override {
    return reader_behind(to).leaves(from, to, sink);
  }
  [[nodiscard]] Status group_ends(const std::function<void(std::uint64_t)>& sink) const override {
    return reader_behind_all().group_ends(sink);
  }
  [[nodiscard]] Result<std::vector<LedgerRecord>> chain(std::string_view object) const override {
    return reader_behind_all().chain(object);
  }
  [[nodiscard]] Result<std::optional<ObjectState>> object(std::string_view id) const override {
    {
      const std::scoped_lock lock(live_mutex_);
      if (const auto live = live_.find(id); live != live_.end())
        return std::optional<ObjectState>(live->second);
    }
    return reader_behind_all().object(id);
  }
  [[nodiscard]] Result<std::vector<ObjectState>> open_objects() const override {
    return reader_behind_all().open_objects();
  }
  [[nodiscard]] Result<std::vector<SealedSecret>> sealed(std::string_view object) const override {
    return reader_behind_all().sealed(object);
  }
  [[nodiscard]] Result<std::optional<StoredReply>> reply(const ReplyKey& id) const override {
    return reader_behind_all().reply(id);
  }
  [[nodiscard]] Result<std::vector<StoredReply>> replies(std::string_view client,
                                                         std::string_view key) const override {
    return reader_behind_all().replies(client, key);
  }
  [[nodiscard]] Result<std::optional<std::string>> document(
      const DocumentName& name) const override {
    return reader_behind_all().document(name.text());
  }
  [[nodiscard]] Result<std::optional<std::string>> catalogue(const Digest& digest) const override {
    return reader_behind_all().catalogue(digest);
  }
  [[nodiscard]] Result<std::uint64_t> group_end(std::uint64_t seq) const override {
    return reader_behind(seq + 1).group_end(seq);
  }

 protected:
  [[nodiscard]] Reader& reader() { return *reader_; }

 private:
  [[nodiscard]] Status writable() const {
    if (!queue_) return fail(Errc::ledger_io, "the ledger is open for reading only");
    if (!queue_->latched()) return {};
    return fail(Errc::ledger_latched, "an earlier commit failed; restart after the cause is gone");
  }
  /// The reader, once the database has so many records; where writing them fails it answers with
  /// what is there.
  [[nodiscard]] Reader& reader_behind(std::uint64_t size) const {
    return queue_ && size <= queue_->written_size() ? *reader_ : reader_behind_all();
  }
  [[nodiscard]] Reader& reader_behind_all() const {
    if (queue_ && !queue_->empty()) static_cast<void>(queue_->write());
    return *reader_;
  }

  /// Keys that were given before, in this group or an earlier one. From here on they are seen.
  [[nodiscard]] Status refuse_known(const Group& group, const GroupDigests& digests) {
    for (auto one = digests.begin(); one != digests.end(); ++one) {
      const bool maybe = seen_.maybe(*one);
      seen_.add(*one);
      if (!maybe) continue;
      const ReplyKey& id = group.replies[static_cast<std::size_t>(one - digests.begin())].id;
      bool taken = std::find(digests.begin(), one, *one) != one;
      if (!taken) {
        TALLA_TRY(const auto before, reply(id));
        taken = before.has_value();
      }
      if (taken) return fail(Errc::duplicate_key, "idempotency key " + id.key + " is taken");
    }
    return {};
  }
  /// `size`: records before the group; most secrets are sealed by a record of their own group.
  [[nodiscard]] Status refuse_sealed(const Group& group, std::uint64_t size) const {
    for (auto one = group.sealed.begin(); one != group.sealed.end(); ++one) {
      const auto same = [&](const SealedSecret& other) {
        return other.seq == one->seq && other.object == one->object;
      };
      bool twice = std::find_if(group.sealed.begin(), one, same) != one;
      if (one->seq < size) {
        TALLA_TRY(const auto stored, sealed(one->object));
        twice = twice || std::any_of(stored.begin(), stored.end(), same);
      }
      if (twice) return fail(Errc::group_refused, one->object + ": sealed twice by one record");
    }
    return {};
  }
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
  std::unique_ptr<WriteQueue<Writer>>
      queue_;  // none: read only; it closes the database behind the reader
  std::unique_ptr<Reader> reader_;
  OpensslHashes hashes_;
  SeenFilter seen_;     // the committing thread
  std::uint64_t size_;  // when it was opened
  mutable std::mutex live_mutex_;
  ObjectStates live_;  // live_mutex_
};

}  // namespace talla::certs
