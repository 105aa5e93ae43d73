// Reads every row of a ledger on a PostgreSQL server, and compares records with leaf hashes.
#include <fmt/format.h>

#include "certs/postgres_ledger.hpp"
#include "ledger_rows.hpp"
#include "postgres_open.hpp"

namespace talla::certs {

namespace {

constexpr std::uint64_t records_per_scan = 100 * leaves_of_page;
constexpr std::chrono::milliseconds scan_limit{600'000};

/// Leaf hashes are computed by the server (RFC 6962 section 2.1: 0x00 before the bytes): every row
/// is read, none travels.
constexpr PgQuery records_hold = {"records_hold",
                                  "SELECT count(*), coalesce(min(seq) FILTER (WHERE leaf <> "
                                  "sha256('\\x00'::bytea || bytes)), -1) FROM records"
                                  " WHERE seq >= $1 AND seq < $2",
                                  "ii"};
constexpr PgQuery pages_hold = {
    "pages_hold",
    "SELECT count(*) FROM leaf_pages p WHERE p.page >= $1 AND p.page < $2 AND p.leaves = (SELECT "
    "string_agg(r.leaf,"
    " ''::bytea ORDER BY r.seq) FROM records r WHERE r.seq >= 256 * p.page AND r.seq < 256 * "
    "p.page + 256)",
    "ii"};
static_assert(leaves_of_page == 256, "stands in the statement above");

/// Every value is read, so that a page that cannot be read is found.
constexpr const char* others_hold =
    "SELECT (SELECT count(sha256(head)) + count(sha256(seqs)) + count(sha256(request)) FROM "
    "replies),"
    " (SELECT count(sha256(sealed)) FROM sealed), (SELECT count(sha256(text)) FROM documents), "
    "(SELECT count(sha256(id::bytea)) FROM objects),"
    " (SELECT count(*) FROM catalogues WHERE digest <> sha256(text))";

bool stopped(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load();
}

Status check_records(PgConnection& connection, std::uint64_t size, const std::atomic<bool>* stop) {
  for (std::uint64_t from = 0; from < size && !stopped(stop); from += records_per_scan) {
    const std::uint64_t to = std::min(size, from + records_per_scan);
    TALLA_TRY(const PgRows rows,
              connection.run(records_hold, PgValues().integer(from).integer(to), scan_limit));
    if (rows.integer(0, 0) != to - from)
      return fail(Errc::ledger_damaged,
                  fmt::format("records are missing between {} and {}", from, to));
    if (rows.integer(0, 1) != ~std::uint64_t{0})
      return fail(Errc::ledger_damaged,
                  fmt::format("record {} does not have its leaf hash", rows.integer(0, 1)));
    const std::uint64_t first = from / leaves_of_page;
    const std::uint64_t end = to / leaves_of_page;
    TALLA_TRY(const PgRows pages,
              connection.run(pages_hold, PgValues().integer(first).integer(end), scan_limit));
    if (pages.integer(0, 0) != end - first)
      return fail(
          Errc::ledger_damaged,
          fmt::format("a page of leaves between {} and {} is not that of the records", from, to));
  }
  return {};
}

}  // namespace

Status check_postgres_ledger(const PostgresLedgerOptions& options, const std::atomic<bool>* stop) {
  TALLA_TRY(PgConnection connection, open_session(options));
  TALLA_TRY_STATUS(check_postgres_identity(connection, options));
  TALLA_TRY_STATUS(
      connection.execute("SET statement_timeout = '600s'; SET enable_seqscan = on", scan_limit));
  TALLA_TRY(const FenceRow row, read_fence(connection));
  TALLA_TRY_STATUS(check_records(connection, row.size, stop));
  if (stopped(stop)) return {};
  TALLA_TRY(const PgRows others, connection.ask(others_hold, scan_limit));
  if (others.integer(0, 4) != 0)
    return fail(Errc::ledger_damaged, "a catalogue does not have its digest");
  return {};
}

}  // namespace talla::certs
