#include "postgres_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ledger_rows.hpp"

namespace talla::certs {

namespace {

constexpr std::uint64_t records_per_trip = 4096;
constexpr std::uint64_t leaves_per_trip = 65'536;
constexpr std::uint64_t pages_per_trip = 256;

constexpr PgQuery range_of_records = {"range",
                                      "SELECT seq, leaf, prev, kind, object, bytes FROM records "
                                      "WHERE seq >= $1 AND seq < $2 ORDER BY seq",
                                      "ii"};
constexpr PgQuery range_of_leaves = {
    "leaf_range", "SELECT seq, leaf FROM records WHERE seq >= $1 AND seq < $2 ORDER BY seq", "ii"};
constexpr PgQuery range_of_pages = {
    "page_range",
    "SELECT page, leaves FROM leaf_pages WHERE page >= $1 AND page < $2 ORDER BY page", "ii"};
/// Sizes are put together by the server: as rows of their own they would take four times the bytes.
constexpr PgQuery ends_behind = {
    "ends_behind",
    "SELECT string_agg(int8send(size), ''::bytea ORDER BY size) FROM (SELECT "
    "size FROM ends WHERE size > $1 ORDER BY"
    " size LIMIT 65536) AS part",
    "i"};
/// From the last record to the first in one trip. A number that does not fall ends the walk, so
/// that it always ends.
constexpr PgQuery chain_back = {
    "chain",
    "WITH RECURSIVE links AS (SELECT seq, leaf, prev, kind, object, bytes FROM "
    "records WHERE seq = $1 UNION ALL SELECT"
    " r.seq, r.leaf, r.prev, r.kind, r.object, r.bytes FROM records r JOIN links "
    "l ON r.seq = l.prev AND r.seq < l.seq)"
    " SELECT seq, leaf, prev, kind, object, bytes FROM links ORDER BY seq",
    "i"};
constexpr PgQuery object_by_id = {
    "object", "SELECT id, opened, last, pending, closed FROM objects WHERE opened = $1 AND id = $2",
    "it"};
constexpr PgQuery live_objects = {
    "live", "SELECT id, opened, last, pending, closed FROM objects WHERE live ORDER BY opened", ""};
constexpr PgQuery sealed_of = {
    "sealed_of", "SELECT object, seq, kind, sealed FROM sealed WHERE object = $1 ORDER BY seq",
    "t"};
constexpr PgQuery reply_range_by_id = {"reply_range",
                                       "SELECT client, key, method, path, request, status, head, "
                                       "seqs FROM replies WHERE id >= $1 AND id <= $2"
                                       " ORDER BY place",
                                       "bb"};
constexpr PgQuery reply_ids = {
    "reply_ids",
    "SELECT string_agg(id, ''::bytea ORDER BY id) FROM (SELECT id FROM replies "
    "WHERE id > $1 ORDER BY id LIMIT 65536)"
    " AS part",
    "b"};
constexpr PgQuery document_by_name = {"document", "SELECT text FROM documents WHERE name = $1",
                                      "t"};
constexpr PgQuery catalogue_by_digest = {"catalogue",
                                         "SELECT text FROM catalogues WHERE digest = $1", "b"};
constexpr PgQuery end_behind = {"end_behind", "SELECT min(size) FROM ends WHERE size > $1", "i"};

Result<Digest> digest_at(const PgRows& rows, int row, int column) {
  const ByteView bytes = rows.bytes(row, column);
  Digest digest{};
  if (bytes.size() != digest.size()) return fail(Errc::ledger_damaged, "a digest has not 32 bytes");
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

/// Columns of object_by_id.
ObjectState object_at(const PgRows& rows, int row) {
  return {.id = rows.text(row, 0),
          .opened = rows.integer(row, 1),
          .last = rows.integer(row, 2),
          .closed = rows.boolean(row, 4),
          .pending = static_cast<std::uint32_t>(rows.integer(row, 3))};
}

/// Columns of reply_range_by_id.
Result<StoredReply> reply_at(const PgRows& rows, int row) {
  TALLA_TRY(const Digest request, digest_at(rows, row, 4));
  return StoredReply{.id = {.client = rows.text(row, 0),
                            .method = rows.text(row, 2),
                            .path = rows.text(row, 3),
                            .key = rows.text(row, 1)},
                     .request = request,
                     .status = static_cast<int>(rows.integer(row, 5)),
                     .head = rows.text(row, 6),
                     .seqs = decode_seqs(rows.bytes(row, 7))};
}

}  // namespace

Status PostgresReader::connect_again() {
  TALLA_TRY(PgConnection fresh, open_session(options_));
  TALLA_TRY_STATUS(check_postgres_identity(fresh, options_));
  TALLA_TRY(const FenceRow row, read_fence(fresh));
  if (row.size < size_.load())
    return fail(Errc::ledger_shorter,
                fmt::format("ledger server: the one that answers now has {} records, not {}",
                            row.size, size_.load()));
  if (epoch_ != 0 && row.epoch != epoch_)
    return fail(Errc::ledger_fenced, "another daemon has taken this log over (" + row.holder + ")");
  connection_ = std::move(fresh);
  return {};
}

Result<PgRows> PostgresReader::ask(const PgQuery& query, const PgValues& values) {
  const std::scoped_lock lock(mutex_);
  if (connection_.alive()) {
    auto rows = connection_.run(query, values, postgres_read_limit);
    if (rows || connection_.alive()) return rows;
  }
  TALLA_TRY_STATUS(connect_again());
  return connection_.run(query, values, postgres_read_limit);
}

Result<LedgerRecord> PostgresReader::record_row(const PgRows& rows, int row) const {
  TALLA_TRY(const Digest leaf, digest_at(rows, row, 1));
  LedgerRecord record{.seq = rows.integer(row, 0),
                      .kind = kind_from_name(rows.text(row, 3)),
                      .object = rows.text(row, 4),
                      .prev = {},
                      .bytes = rows.text(row, 5),
                      .leaf = leaf};
  if (!rows.is_null(row, 2)) record.prev = rows.integer(row, 2);
  if (leaf_hash(hashes_, as_bytes(record.bytes)) != leaf) {
    return fail(Errc::ledger_damaged,
                fmt::format("record {} does not have its leaf hash", record.seq));
  }
  return record;
}

Result<LedgerRecord> PostgresReader::record(std::uint64_t seq) {
  TALLA_TRY(const PgRows rows, ask(range_of_records, PgValues().integer(seq).integer(seq + 1)));
  if (rows.count() == 0) return fail(Errc::not_found, fmt::format("no record {}", seq));
  return record_row(rows, 0);
}

Result<std::vector<LedgerRecord>> PostgresReader::records(std::uint64_t from, std::uint64_t to) {
  const std::uint64_t end = std::min(to, from + records_per_call_max);
  std::vector<LedgerRecord> out;
  for (std::uint64_t at = from; at < end; at += records_per_trip) {
    const std::uint64_t last = std::min(end, at + records_per_trip);
    TALLA_TRY(const PgRows rows, ask(range_of_records, PgValues().integer(at).integer(last)));
    for (int row = 0; row < rows.count(); ++row) {
      TALLA_TRY(LedgerRecord record, record_row(rows, row));
      if (record.seq != from + out.size())
        return fail(Errc::ledger_damaged, fmt::format("record {} is missing", from + out.size()));
      out.push_back(std::move(record));
    }
    if (from + out.size() < last) return out;
  }
  return out;
}

Status PostgresReader::leaves(std::uint64_t from, std::uint64_t to,
                              const std::function<void(const Digest&)>& sink) {
  const std::uint64_t first = (from + leaves_of_page - 1) / leaves_of_page;
  const std::uint64_t end = to / leaves_of_page;
  if (first >= end) return leaf_rows(from, to, sink);
  TALLA_TRY_STATUS(leaf_rows(from, first * leaves_of_page, sink));
  TALLA_TRY_STATUS(leaf_pages(first, end, sink));
  return leaf_rows(end * leaves_of_page, to, sink);
}

Status PostgresReader::leaf_rows(std::uint64_t from, std::uint64_t to,
                                 const std::function<void(const Digest&)>& sink) {
  for (std::uint64_t at = from; at < to; at += leaves_per_trip) {
    const std::uint64_t last = std::min(to, at + leaves_per_trip);
    TALLA_TRY(const PgRows rows, ask(range_of_leaves, PgValues().integer(at).integer(last)));
    for (std::uint64_t seq = at; seq < last; ++seq) {
      const int row = static_cast<int>(seq - at);
      if (row >= rows.count() || rows.integer(row, 0) != seq)
        return fail(Errc::ledger_damaged, fmt::format("record {} is missing", seq));
      TALLA_TRY(const Digest leaf, digest_at(rows, row, 1));
      sink(leaf);
    }
  }
  return {};
}

Status PostgresReader::leaf_pages(std::uint64_t from, std::uint64_t to,
                                  const std::function<void(const Digest&)>& sink) {
  for (std::uint64_t at = from; at < to; at += pages_per_trip) {
    const std::uint64_t last = std::min(to, at + pages_per_trip);
    TALLA_TRY(const PgRows rows, ask(range_of_pages, PgValues().integer(at).integer(last)));
    for (std::uint64_t page = at; page < last; ++page) {
      const int row = static_cast<int>(page - at);
      const bool there = row < rows.count() && rows.integer(row, 0) == page;
      const ByteView leaves = there ? rows.bytes(row, 1) : ByteView();
      if (leaves.size() != leaves_of_page * sizeof(Digest)) {
        return fail(Errc::ledger_damaged,
                    fmt::format("the leaves from record {} on are missing", page * leaves_of_page));
      }
      Digest leaf{};
      for (std::size_t i = 0; i < leaves.size(); i += leaf.size()) {
        std::copy_n(leaves.begin() + static_cast<std::ptrdiff_t>(i), leaf.size(), leaf.begin());
        sink(leaf);
      }
    }
  }
  return {};
}

Status PostgresReader::group_ends(const std::function<void(std::uint64_t)>& sink) {
  for (std::uint64_t last = 0;;) {
    TALLA_TRY(const PgRows rows, ask(ends_behind, PgValues().integer(last)));
    if (rows.is_null(0, 0)) return {};
    for (const std::uint64_t end : decode_seqs(rows.bytes(0, 0))) {
      sink(end);
      last = end;
    }
  }
}

Result<std::vector<LedgerRecord>> PostgresReader::chain(std::string_view id) {
  std::vector<LedgerRecord> out;
  TALLA_TRY(const auto state, object(id));
  if (!state) return out;
  TALLA_TRY(const PgRows rows, ask(chain_back, PgValues().integer(state->last)));
  for (int row = 0; row < rows.count(); ++row) {
    TALLA_TRY(LedgerRecord record, record_row(rows, row));
    const std::optional<std::uint64_t> before =
        out.empty() ? std::nullopt : std::optional<std::uint64_t>(out.back().seq);
    if (record.prev != before || record.object != id) {
      return fail(Errc::ledger_damaged,
                  fmt::format("the chain of {} breaks at record {}", id, record.seq));
    }
    out.push_back(std::move(record));
  }
  if (out.empty() || out.front().seq != state->opened || out.back().seq != state->last) {
    return fail(Errc::ledger_damaged, fmt::format("the chain of {} is not whole", id));
  }
  return out;
}

Result<std::optional<ObjectState>> PostgresReader::object(std::string_view id) {
  const auto opened = object_seq(id.substr(0, id.find('-')), id);
  if (!opened) return std::optional<ObjectState>();
  TALLA_TRY(const PgRows rows, ask(object_by_id, PgValues().integer(*opened).text(id)));
  if (rows.count() == 0) return std::optional<ObjectState>();
  return std::optional<ObjectState>(object_at(rows, 0));
}

Result<std::vector<ObjectState>> PostgresReader::open_objects() {
  TALLA_TRY(const PgRows rows, ask(live_objects, {}));
  std::vector<ObjectState> out;
  out.reserve(static_cast<std::size_t>(rows.count()));
  for (int row = 0; row < rows.count(); ++row) out.push_back(object_at(rows, row));
  return out;
}

Result<std::vector<SealedSecret>> PostgresReader::sealed(std::string_view id) {
  TALLA_TRY(const PgRows rows, ask(sealed_of, PgValues().text(id)));
  std::vector<SealedSecret> out;
  for (int row = 0; row < rows.count(); ++row) {
    const ByteView bytes = rows.bytes(row, 3);
    out.push_back({.object = rows.text(row, 0),
                   .seq = rows.integer(row, 1),
                   .kind = rows.text(row, 2),
                   .sealed = Bytes(bytes.begin(), bytes.end())});
  }
  return out;
}

Result<std::optional<StoredReply>> PostgresReader::reply(const ReplyKey& id) {
  const ReplyDigest digest = reply_digest(hashes_, id);
  TALLA_TRY(const PgRows rows, ask(reply_range_by_id, PgValues().bytes(digest).bytes(digest)));
  if (rows.count() == 0) return std::optional<StoredReply>();
  TALLA_TRY(StoredReply reply, reply_at(rows, 0));
  if (reply.id != id)
    return fail(Errc::ledger_damaged, "the reply to key " + id.key + " has another id");
  return std::optional<StoredReply>(std::move(reply));
}

Result<std::vector<StoredReply>> PostgresReader::replies(std::string_view client,
                                                         std::string_view key) {
  const auto [first, last] = reply_range(hashes_, client, key);
  TALLA_TRY(const PgRows rows, ask(reply_range_by_id, PgValues().bytes(first).bytes(last)));
  std::vector<StoredReply> out;
  for (int row = 0; row < rows.count(); ++row) {
    TALLA_TRY(StoredReply reply, reply_at(rows, row));
    if (reply.id.client == client && reply.id.key == key) out.push_back(std::move(reply));
  }
  return out;
}

Status PostgresReader::seen(const std::function<void(ByteView)>& sink) {
  constexpr std::size_t bytes = sizeof(ReplyDigest);
  for (Bytes last;;) {
    TALLA_TRY(const PgRows rows, ask(reply_ids, PgValues().bytes(last)));
    if (rows.is_null(0, 0)) return {};
    const ByteView all = rows.bytes(0, 0);
    if (all.size() % bytes != 0)
      return fail(Errc::ledger_damaged, "the digest of a key has a wrong length");
    for (std::size_t at = 0; at < all.size(); at += bytes) sink(all.subspan(at, bytes));
    const ByteView end = all.last(bytes);
    last.assign(end.begin(), end.end());
  }
}

Result<std::optional<std::string>> PostgresReader::document(std::string_view name) {
  TALLA_TRY(const PgRows rows, ask(document_by_name, PgValues().text(name)));
  if (rows.count() == 0) return std::optional<std::string>();
  return std::optional<std::string>(rows.text(0, 0));
}

Result<std::optional<std::string>> PostgresReader::catalogue(const Digest& digest) {
  TALLA_TRY(const PgRows rows, ask(catalogue_by_digest, PgValues().bytes(digest)));
  if (rows.count() == 0) return std::optional<std::string>();
  std::string text = rows.text(0, 0);
  if (hashes_.sha256({as_bytes(text)}) != digest)
    return fail(Errc::ledger_damaged, "catalogue " + to_hex(digest) + " does not have its digest");
  return std::optional<std::string>(std::move(text));
}

Result<std::uint64_t> PostgresReader::group_end(std::uint64_t seq) {
  TALLA_TRY(const PgRows rows, ask(end_behind, PgValues().integer(seq)));
  if (rows.is_null(0, 0)) return fail(Errc::not_found, fmt::format("no record {}", seq));
  return rows.integer(0, 0);
}

}  // namespace talla::certs
