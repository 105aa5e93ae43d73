/// \file
/// The writing side of the PostgreSQL ledger: one group, one transaction, one round trip. Private
/// to certs.
///
/// Threads: one thread.
#pragma once

#include "ledger_rows.hpp"
#include "object_chains.hpp"
#include "postgres_open.hpp"

namespace talla::certs {

class PostgresWriter {
 public:
  /// Prepares every statement and reads the leaves behind the last whole page.
  [[nodiscard]] static Result<PostgresWriter> create(PgConnection connection, std::uint64_t epoch,
                                                     std::uint64_t size,
                                                     std::chrono::milliseconds commit_limit);
  /// Any error is the last thing it says (WriteQueue latches): ledger_fenced, ledger_unsafe,
  /// ledger_io and what the database refuses. Durable on return.
  [[nodiscard]] Status write(const Group& group, const GroupDigests& digests, std::uint64_t size,
                             const ObjectStates& objects);
  [[nodiscard]] static Status sync() { return {}; }
  [[nodiscard]] static Status tidy() { return {}; }
  [[nodiscard]] bool fenced() const { return fenced_; }
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }

 private:
  PostgresWriter() = default;
  /// With the fence: this is the first statement of every group.
  void queue_records(const Group& group, std::uint64_t size);
  void queue_objects(const ObjectStates& objects);
  void queue_sealed(const Group& group);
  void queue_replies(const Group& group, const GroupDigests& digests);
  void queue_rest(const Group& group);
  /// What a fault of the pipeline means; rolls back what has begun.
  [[nodiscard]] tl::unexpected<Error> judge(const PgFault& fault, const Group& group,
                                            const GroupDigests& digests);
  [[nodiscard]] tl::unexpected<Error> why_fenced(const std::string& words);
  [[nodiscard]] Status load_page(std::uint64_t size);

  PgConnection connection_;
  std::uint64_t epoch_ = 0;
  std::chrono::milliseconds commit_limit_{0};
  Bytes page_;  // leaves of the page that is not whole yet
  bool fenced_ = false;
};

}  // namespace talla::certs
