#include "postgres_handles.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/check.hpp"
#include "certs/postgres_ledger.hpp"

namespace talla::certs {

namespace {

constexpr int binary = 1;

std::string error_field(const PGresult* result, int code) {
  const char* text = PQresultErrorField(result, code);
  return text == nullptr ? std::string() : std::string(text);
}

/// One line, without the line break at its end.
std::string message_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

PgFault fault_of(const PGresult* result) {
  return {.state = error_field(result, PG_DIAG_SQLSTATE),
          .constraint = error_field(result, PG_DIAG_CONSTRAINT_NAME),
          .detail = error_field(result, PG_DIAG_MESSAGE_DETAIL),
          .message = message_line(error_field(result, PG_DIAG_MESSAGE_PRIMARY))};
}

bool good(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

Oid oid_of(char type) {
  switch (type) {
    case 'i':
      return 20;
    case 'b':
      return 17;
    case 't':
      return 25;
    case 'I':
      return 1016;
    case 'B':
      return 1001;
    case 'T':
      return 1009;
    default:
      return 1000;  // 'O'
  }
}

/// Over a network: TLS, and a server that showed a certificate of ours.
Status check_way(PGconn* connection) {
  sockaddr_storage peer{};
  socklen_t length = sizeof(peer);
  const bool known =
      ::getpeername(PQsocket(connection), reinterpret_cast<sockaddr*>(&peer), &length) == 0;
  if (known && peer.ss_family == AF_UNIX) return {};
  std::string mode;
  PQconninfoOption* const options = PQconninfo(connection);
  for (const PQconninfoOption* option = options; option != nullptr && option->keyword != nullptr;
       ++option) {
    if (std::string_view(option->keyword) == "sslmode" && option->val != nullptr)
      mode = option->val;
  }
  PQconninfoFree(options);
  const bool verified = mode == "verify-full" || mode == "verify-ca";
  if (PQsslInUse(connection) != 0 && verified) return {};
  return fail(
      Errc::ledger_unsafe,
      "ledger server: over a network it must be TLS with sslmode=verify-full, here it is " + mode);
}

}  // namespace

tl::unexpected<Error> postgres_fail(const PgFault& fault, std::string_view where) {
  std::string text = "ledger server: " + std::string(where) + ": " + fault.message;
  if (!fault.state.empty()) text += " (SQLSTATE " + fault.state + ")";
  const std::string_view state = fault.state;
  if (state.empty() || state.starts_with("08") || state.starts_with("57P") || state == "53300" ||
      state == "55P03") {
    return fail(Errc::ledger_unreachable, std::move(text));
  }
  if (state == "XX001" || state == "XX002" || state == "42P01" || state == "42703") {
    return fail(Errc::ledger_damaged, std::move(text));
  }
  return fail(Errc::ledger_io, std::move(text));
}

PgArray& PgArray::integer(std::uint64_t value) {
  elements_.u32(8).u64(value);
  ++count_;
  return *this;
}

PgArray& PgArray::boolean(bool value) {
  elements_.u32(1).u8(value ? 1 : 0);
  ++count_;
  return *this;
}

PgArray& PgArray::bytes(ByteView value) {
  elements_.field(value);
  ++count_;
  return *this;
}

PgArray& PgArray::text(std::string_view value) {
  return bytes(as_bytes(value));
}

PgArray& PgArray::null() {
  elements_.u32(0xffffffffU);
  nulls_ = true;
  ++count_;
  return *this;
}

Bytes PgArray::encoded() const {
  ByteWriter out;
  out.u32(count_ == 0 ? 0 : 1).u32(nulls_ ? 1 : 0).u32(static_cast<std::uint32_t>(type_));
  if (count_ > 0) out.u32(count_).u32(1).raw(elements_.bytes());
  return out.take();
}

PgValues& PgValues::integer(std::uint64_t value) {
  buffers_.push_back(ByteWriter().u64(value).take());
  return *this;
}

PgValues& PgValues::bytes(ByteView value) {
  buffers_.emplace_back(value.begin(), value.end());
  return *this;
}

PgValues& PgValues::array(const PgArray& value) {
  buffers_.push_back(value.encoded());
  return *this;
}

std::uint64_t PgRows::integer(int row, int column) const {
  TALLA_CHECK(PQgetlength(result_.get(), row, column) == 8);
  return load_be64(bytes(row, column).data());
}

bool PgRows::boolean(int row, int column) const {
  const ByteView value = bytes(row, column);
  return value.size() == 1 && value[0] != 0;
}

ByteView PgRows::bytes(int row, int column) const {
  const char* const data = PQgetvalue(result_.get(), row, column);
  return as_bytes({data, static_cast<std::size_t>(PQgetlength(result_.get(), row, column))});
}

std::string_view PgRows::tag() const {
  return result_ ? std::string_view(PQcmdStatus(result_.get())) : std::string_view();
}

Result<PgConnection> PgConnection::open(const std::string& connection) {
  TALLA_TRY_STATUS(check_postgres_connection(connection));
  // What stands before `dbname` is a default that the string may change; what stands behind it is
  // not.
  const std::array<const char*, 9> keywords = {"connect_timeout",
                                               "tcp_user_timeout",
                                               "keepalives_idle",
                                               "keepalives_interval",
                                               "keepalives_count",
                                               "fallback_application_name",
                                               "dbname",
                                               "client_encoding",
                                               nullptr};
  const std::array<const char*, 9> values = {
      "10", "30000", "10", "5", "3", "talla", connection.c_str(), "UTF8", nullptr};
  PgConnection made;
  made.connection_.reset(PQconnectdbParams(keywords.data(), values.data(), 1));
  if (!made.alive()) {
    const char* const why =
        made.connection_ ? PQerrorMessage(made.connection_.get()) : "no memory for a connection";
    return fail(Errc::ledger_unreachable, "ledger server: " + message_line(why));
  }
  PQsetNoticeProcessor(
      made.connection_.get(), [](void* /*arg*/, const char* /*text*/) {}, nullptr);
  TALLA_TRY_STATUS(check_way(made.connection_.get()));
  if (PQsetnonblocking(made.connection_.get(), 1) != 0)
    return fail(Errc::ledger_io, "ledger server: the connection cannot be waited for");
  return made;
}

bool PgConnection::ready(Deadline deadline) {
  timed_out_ = false;
  for (;;) {
    const int unsent = PQflush(connection_.get());
    if (unsent < 0) return false;
    if (unsent == 0 && PQisBusy(connection_.get()) == 0) return true;
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    timed_out_ = left.count() <= 0;
    if (timed_out_) return false;
    pollfd wait{.fd = PQsocket(connection_.get()), .events = POLLIN, .revents = 0};
    if (unsent > 0) wait.events |= POLLOUT;
    const int found = ::poll(&wait, 1, static_cast<int>(std::min<long>(left.count(), 60'000)));
    if (found < 0 && errno != EINTR) return false;
    if (found > 0 && (wait.revents & ~POLLOUT) != 0 && PQconsumeInput(connection_.get()) == 0)
      return false;
  }
}

PgFault PgConnection::lost() {
  PgFault fault;
  fault.message = timed_out_ ? "no answer in time" : "connection lost";
  if (!timed_out_ && connection_) {
    const std::string why = message_line(PQerrorMessage(connection_.get()));
    if (!why.empty()) fault.message = why;
  }
  connection_.reset();
  return fault;
}

std::optional<PgFault> PgConnection::finish(Limit limit, PgRows& rows) {
  const Deadline deadline = std::chrono::steady_clock::now() + limit;
  std::optional<PgFault> fault;
  for (;;) {
    if (!ready(deadline)) return lost();
    PgRows next(PQgetResult(connection_.get()));
    PGresult* const result = next.raw();
    if (result == nullptr) break;
    if (!good(result) && !fault) fault = fault_of(result);
    rows = std::move(next);
  }
  if (PQstatus(connection_.get()) != CONNECTION_OK) return lost();
  return fault;
}

Status PgConnection::execute(const std::string& sql, Limit limit) {
  if (!connection_) return postgres_fail({.message = "not connected"}, "ask");
  PgRows rows;
  if (PQsendQuery(connection_.get(), sql.c_str()) != 1) return postgres_fail(lost(), "ask");
  if (const auto fault = finish(limit, rows)) return postgres_fail(*fault, "ask");
  return {};
}

Result<PgRows> PgConnection::ask(const std::string& sql, Limit limit) {
  if (!connection_) return postgres_fail({.message = "not connected"}, "ask");
  PgRows rows;
  if (PQsendQueryParams(connection_.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr,
                        binary) != 1)
    return postgres_fail(lost(), "ask");
  if (const auto fault = finish(limit, rows)) return postgres_fail(*fault, "ask");
  return rows;
}

Status PgConnection::prepare(const PgQuery& query, Limit limit) {
  if (!connection_) return postgres_fail({.message = "not connected"}, query.name);
  const std::string_view letters = query.types;
  std::vector<Oid> types;
  std::transform(letters.begin(), letters.end(), std::back_inserter(types), oid_of);
  PgRows rows;
  if (PQsendPrepare(connection_.get(), query.name, query.sql, static_cast<int>(types.size()),
                    types.data()) != 1)
    return postgres_fail(lost(), query.name);
  if (const auto fault = finish(limit, rows)) return postgres_fail(*fault, query.name);
  prepared_.insert(query.name);
  return {};
}

bool PgConnection::send(const PgQuery& query, const PgValues& values) {
  TALLA_CHECK(values.count() == std::string_view(query.types).size());
  std::vector<const char*> data;
  std::vector<int> lengths;
  const std::vector<int> formats(values.count(), binary);
  for (std::size_t i = 0; i < values.count(); ++i) {
    const Bytes& value = values.at(i);
    data.push_back(value.empty() ? "" : as_text(value).data());
    lengths.push_back(static_cast<int>(value.size()));
  }
  return PQsendQueryPrepared(connection_.get(), query.name, static_cast<int>(values.count()),
                             data.data(), lengths.data(), formats.data(), binary) == 1;
}

Result<PgRows> PgConnection::run(const PgQuery& query, const PgValues& values, Limit limit) {
  if (!connection_) return postgres_fail({.message = "not connected"}, query.name);
  if (!prepared_.contains(query.name)) TALLA_TRY_STATUS(prepare(query, limit));
  PgRows rows;
  if (!send(query, values)) return postgres_fail(lost(), query.name);
  if (const auto fault = finish(limit, rows)) return postgres_fail(*fault, query.name);
  return rows;
}

void PgConnection::begin_pipeline() {
  queued_ = 0;
  sent_ = alive() && PQenterPipelineMode(connection_.get()) == 1;
}

void PgConnection::queue(const PgQuery& query, const PgValues& values) {
  TALLA_CHECK(!connection_ || prepared_.contains(query.name));
  sent_ = sent_ && send(query, values);
  ++queued_;
}

std::optional<PgFault> PgConnection::end_pipeline(Limit limit, std::string& tag) {
  tag.clear();
  const Deadline deadline = std::chrono::steady_clock::now() + limit;
  if (!sent_ || PQpipelineSync(connection_.get()) != 1) return lost();
  std::optional<PgFault> fault;
  for (int i = 0; i < queued_; ++i) {
    for (;;) {
      if (!ready(deadline)) return lost();
      const PgRows next(PQgetResult(connection_.get()));
      if (next.raw() == nullptr) break;
      const ExecStatusType status = PQresultStatus(next.raw());
      if (status == PGRES_PIPELINE_ABORTED) continue;  // behind the fault
      if (!good(next.raw()) && !fault) fault = fault_of(next.raw());
      tag = next.tag();
    }
    if (PQstatus(connection_.get()) != CONNECTION_OK) return lost();
  }
  if (!ready(deadline)) return lost();
  const PgRows end(PQgetResult(connection_.get()));
  const bool synced = end.raw() != nullptr && PQresultStatus(end.raw()) == PGRES_PIPELINE_SYNC;
  if (!synced || PQexitPipelineMode(connection_.get()) != 1) return lost();
  return fault;
}

}  // namespace talla::certs
