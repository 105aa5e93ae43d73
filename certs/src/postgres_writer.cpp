#include "postgres_writer.hpp"

#include <fmt/format.h>

namespace talla::certs {

namespace {

using Type = PgArray::Type;

constexpr PgQuery begin_group = {"begin", "BEGIN", ""};
constexpr PgQuery commit_group = {"commit", "COMMIT", ""};
/// No row of ours, no division: a fault in the server, behind which nothing of the pipeline is
/// executed. The settings are looked at here because they can be changed while the server runs.
#define TALLA_OWN_FENCE                                                         \
  "WITH own AS (UPDATE fence SET size = $3 WHERE epoch = $1 AND size = $2 AND " \
  "current_setting('fsync')"                                                    \
  " = 'on' AND current_setting('full_page_writes') = 'on' AND "                 \
  "current_setting('synchronous_commit') IN"                                    \
  " ('on', 'remote_apply') RETURNING 1)"
#define TALLA_DIVIDE " SELECT 1 / count(*) FROM own"
constexpr PgQuery fence = {"fence", TALLA_OWN_FENCE TALLA_DIVIDE, "iii"};
constexpr PgQuery fence_and_records = {
    "records",
    TALLA_OWN_FENCE
    ", added AS (INSERT INTO records(seq, leaf, prev, kind, object, "
    "bytes) SELECT * FROM unnest($4, $5, $6, $7, $8,"
    " $9)), ended AS (INSERT INTO ends VALUES($3))" TALLA_DIVIDE,
    "iiiIBITTB"};
#undef TALLA_OWN_FENCE
#undef TALLA_DIVIDE
constexpr const char* no_fence_state = "22012";
constexpr PgQuery leaf_pages = {"leaf_pages", "INSERT INTO leaf_pages SELECT * FROM unnest($1, $2)",
                                "IB"};
constexpr PgQuery objects_changed = {
    "objects",
    "INSERT INTO objects(opened, last, pending, closed, live, id) SELECT * "
    "FROM unnest($1, $2, $3, $4, $5, $6)"
    " ON CONFLICT (opened) DO UPDATE SET last = excluded.last, pending = "
    "excluded.pending, closed = excluded.closed,"
    " live = excluded.live",
    "IIIOOT"};
constexpr PgQuery sealed_added = {
    "sealed", "INSERT INTO sealed(object, seq, kind, sealed) SELECT * FROM unnest($1, $2, $3, $4)",
    "TITB"};
constexpr PgQuery sealed_spent = {
    "spent", "DELETE FROM sealed WHERE object = ANY($1) AND kind <> 'SHOE_CLOSE'", "T"};
constexpr PgQuery replies_added = {
    "replies",
    "INSERT INTO replies(id, client, key, method, path, request, status, head, seqs)"
    " SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    "BBBBBBIBB"};
constexpr PgQuery documents_replaced = {
    "documents",
    "INSERT INTO documents SELECT * FROM unnest($1, $2) ON CONFLICT (name) DO UPDATE SET text ="
    " excluded.text",
    "TB"};
constexpr PgQuery documents_gone = {"documents_gone", "DELETE FROM documents WHERE name = ANY($1)",
                                    "T"};
constexpr PgQuery catalogues_added = {
    "catalogues",
    "INSERT INTO catalogues SELECT * FROM unnest($1, $2) ON CONFLICT (digest) DO NOTHING", "BB"};

}  // namespace

Result<PostgresWriter> PostgresWriter::create(PgConnection connection, std::uint64_t epoch,
                                              std::uint64_t size,
                                              std::chrono::milliseconds commit_limit) {
  PostgresWriter writer;
  writer.connection_ = std::move(connection);
  writer.epoch_ = epoch;
  writer.commit_limit_ = commit_limit;
  for (const PgQuery& query : {begin_group, commit_group, fence, fence_and_records, leaf_pages,
                               objects_changed, sealed_added, sealed_spent, replies_added,
                               documents_replaced, documents_gone, catalogues_added}) {
    TALLA_TRY_STATUS(writer.connection_.prepare(query, postgres_read_limit));
  }
  TALLA_TRY_STATUS(writer.load_page(size));
  return writer;
}

Status PostgresWriter::load_page(std::uint64_t size) {
  const std::uint64_t from = size - size % leaves_of_page;
  TALLA_TRY(
      const PgRows rows,
      connection_.ask(fmt::format("SELECT leaf FROM records WHERE seq >= {} ORDER BY seq", from),
                      postgres_read_limit));
  if (static_cast<std::uint64_t>(rows.count()) != size - from)
    return fail(Errc::ledger_damaged,
                fmt::format("records are missing between {} and {}", from, size));
  for (int row = 0; row < rows.count(); ++row) {
    const ByteView leaf = rows.bytes(row, 0);
    if (leaf.size() != sizeof(Digest))
      return fail(Errc::ledger_damaged, "a digest has not 32 bytes");
    page_.insert(page_.end(), leaf.begin(), leaf.end());
  }
  return {};
}

Status PostgresWriter::write(const Group& group, const GroupDigests& digests, std::uint64_t size,
                             const ObjectStates& objects) {
  connection_.begin_pipeline();
  connection_.queue(begin_group, {});
  queue_records(group, size);
  queue_objects(objects);
  queue_sealed(group);
  queue_replies(group, digests);
  queue_rest(group);
  connection_.queue(commit_group, {});
  std::string tag;
  auto fault = connection_.end_pipeline(commit_limit_, tag);
  if (!fault && tag == "COMMIT") return {};
  if (!fault) fault = PgFault{.state = "XXXXX", .message = "COMMIT was answered with " + tag};
  return judge(*fault, group, digests);
}

tl::unexpected<Error> PostgresWriter::judge(const PgFault& fault, const Group& group,
                                            const GroupDigests& digests) {
  if (!connection_.alive()) {
    return fail(Errc::ledger_io,
                "ledger server: commit: " + fault.message +
                    "; whether the group is there is unknown until the ledger is opened again");
  }
  if (const Status undone = connection_.execute("ROLLBACK", commit_limit_); !undone)
    return fail(Errc::ledger_io, undone.error().detail);
  if (fault.state == no_fence_state) return why_fenced(fault.message);
  if (fault.state == "23505") {
    const auto is_it = [&](ByteView digest) {
      return fault.detail.find(to_hex(digest)) != std::string::npos;
    };
    if (fault.constraint == "replies_pkey") {
      std::string key;
      for (std::size_t i = 0; i < group.replies.size(); ++i) {
        if (is_it(digests[i])) key = group.replies[i].id.key;
      }
      return fail(Errc::duplicate_key, "idempotency key " + key + " is taken");
    }
    if (fault.constraint == "records_pkey" || fault.constraint == "ends_pkey") {
      auto other = why_fenced(fault.message);  // whoever fenced us may have given our numbers
      if (fenced_) return other;
      return fail(Errc::group_refused, "a record has this number already");
    }
    if (fault.constraint == "sealed_pkey")
      return fail(Errc::group_refused, "an object is sealed twice by one record");
  }
  auto other = postgres_fail(fault, "commit");
  if (other.value().is(Errc::ledger_damaged)) return other;
  return fail(Errc::ledger_io, std::move(other.value().detail));
}

tl::unexpected<Error> PostgresWriter::why_fenced(const std::string& words) {
  if (Status durable = check_durability(connection_); !durable) return pass(std::move(durable));
  const auto row = read_fence(connection_);
  if (!row) return tl::unexpected<Error>(row.error());
  if (row->epoch == epoch_)
    return fail(Errc::ledger_damaged,
                fmt::format("ledger server: the fence says {} records: {}", row->size, words));
  fenced_ = true;
  return fail(Errc::ledger_fenced,
              fmt::format("another daemon has taken this log over ({}): epoch {}, ours was {}",
                          row->holder, row->epoch, epoch_));
}

void PostgresWriter::queue_records(const Group& group, std::uint64_t size) {
  PgValues values;
  values.integer(epoch_).integer(size).integer(size + group.records.size());
  if (group.records.empty()) return connection_.queue(fence, values);
  PgArray seq(Type::integer), leaf(Type::bytes), prev(Type::integer), kind(Type::text),
      object(Type::text), bytes(Type::bytes), page(Type::integer), leaves(Type::bytes);
  for (const LedgerRecord& record : group.records) {
    seq.integer(record.seq);
    leaf.bytes(record.leaf);
    if (record.prev) {
      prev.integer(*record.prev);
    } else {
      prev.null();
    }
    kind.text(kind_name(record.kind));
    object.text(record.object);
    bytes.text(record.bytes);
    page_.insert(page_.end(), record.leaf.begin(), record.leaf.end());
    if (record.seq % leaves_of_page != leaves_of_page - 1) continue;
    page.integer(record.seq / leaves_of_page);
    leaves.bytes(page_);
    page_.clear();
  }
  values.array(seq).array(leaf).array(prev).array(kind).array(object).array(bytes);
  connection_.queue(fence_and_records, values);
  if (!page.empty()) connection_.queue(leaf_pages, PgValues().array(page).array(leaves));
}

void PostgresWriter::queue_objects(const ObjectStates& objects) {
  if (objects.empty()) return;
  PgArray opened(Type::integer), last(Type::integer), pending(Type::integer), closed(Type::boolean),
      live(Type::boolean), ids(Type::text);
  for (const auto& [id, state] : objects) {
    opened.integer(state.opened);
    last.integer(state.last);
    pending.integer(state.pending);
    closed.boolean(state.closed);
    live.boolean(object_live(state));
    ids.text(id);
  }
  connection_.queue(
      objects_changed,
      PgValues().array(opened).array(last).array(pending).array(closed).array(live).array(ids));
}

void PostgresWriter::queue_sealed(const Group& group) {
  if (!group.sealed.empty()) {
    PgArray object(Type::text), seq(Type::integer), kind(Type::text), bytes(Type::bytes);
    for (const SealedSecret& secret : group.sealed) {
      object.text(secret.object);
      seq.integer(secret.seq);
      kind.text(secret.kind);
      bytes.bytes(secret.sealed);
    }
    connection_.queue(sealed_added, PgValues().array(object).array(seq).array(kind).array(bytes));
  }
  if (group.spent.empty()) return;
  PgArray gone(Type::text);
  for (const std::string& object : group.spent) gone.text(object);
  connection_.queue(sealed_spent, PgValues().array(gone));
}

void PostgresWriter::queue_replies(const Group& group, const GroupDigests& digests) {
  if (group.replies.empty()) return;
  PgArray id(Type::bytes), client(Type::bytes), key(Type::bytes), method(Type::bytes),
      path(Type::bytes), request(Type::bytes), status(Type::integer), head(Type::bytes),
      seqs(Type::bytes);
  for (const ReplyDigest& digest : digests) id.bytes(digest);
  for (const StoredReply& reply : group.replies) {
    client.text(reply.id.client);
    key.text(reply.id.key);
    method.text(reply.id.method);
    path.text(reply.id.path);
    request.bytes(reply.request);
    status.integer(static_cast<std::uint64_t>(reply.status));
    head.text(reply.head);
    seqs.bytes(encode_seqs(reply.seqs));
  }
  connection_.queue(replies_added, PgValues()
                                       .array(id)
                                       .array(client)
                                       .array(key)
                                       .array(method)
                                       .array(path)
                                       .array(request)
                                       .array(status)
                                       .array(head)
                                       .array(seqs));
}

void PostgresWriter::queue_rest(const Group& group) {
  // A statement changes a row once: of several texts of one document the last counts, as it would
  // one after the other.
  std::map<std::string_view, std::string_view> last;
  for (const Document& one : group.documents) last[one.name.text()] = one.text;
  PgArray round(Type::text), text(Type::bytes), gone(Type::text);
  for (const auto& [name, content] : last) {
    if (content.empty()) {
      gone.text(name);
    } else {
      round.text(name);
      text.text(content);
    }
  }
  if (!round.empty()) connection_.queue(documents_replaced, PgValues().array(round).array(text));
  if (!gone.empty()) connection_.queue(documents_gone, PgValues().array(gone));
  if (group.catalogues.empty()) return;
  PgArray digest(Type::bytes), file(Type::bytes);
  for (const CatalogueFile& catalogue : group.catalogues) {
    digest.bytes(catalogue.digest);
    file.text(catalogue.text);
  }
  connection_.queue(catalogues_added, PgValues().array(digest).array(file));
}

}  // namespace talla::certs
