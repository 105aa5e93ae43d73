/// \file
/// What the tests of the PostgreSQL ledger share: the program's one server, logs of their own
/// origin on it.
#pragma once

#include <memory>
#include <string>

#include "certs/postgres_ledger.hpp"
#include "ledger_suite.hpp"
#include "postgres_server.hpp"

namespace talla::certs::testing {

/// Started on first use, ended with the program.
PostgresServer& server();

/// An origin that no other test has.
std::string fresh_origin();

inline PostgresLedgerOptions options_of(const std::string& log_origin,
                                        const std::string& folder = {}) {
  return {.connection = server().connection(), .origin = log_origin, .folder = folder};
}

/// A log over PostgreSQL with its anchor in a folder. `options` default to the shared server.
struct ServerAppliance {
  ServerAppliance(const Folder& folder, const PostgresLedgerOptions& options)
      : anchor(folder / "anchor.json"),
        ledger(must(open_postgres_ledger(options))),
        log(must(Log::open({.hashes = hashes,
                            .ledger = *ledger,
                            .signer = *signer,
                            .clock = clock,
                            .anchor = &anchor},
                           {.origin = options.origin}))) {}
  OpensslHashes hashes;
  std::unique_ptr<Ed25519Signer> signer = fixed_signer();
  ManualClock clock;
  FileAnchor anchor;
  std::unique_ptr<PostgresLedger> ledger;
  std::unique_ptr<Log> log;

  /// Commits one group of so many ACCESS records; the log's size then.
  Result<std::uint64_t> add(int count, const std::string& what = "status") {
    for (int i = 0; i < count; ++i) must(log->append(access_draft(what)));
    TALLA_TRY(const Committed done, log->commit());
    return done.size;
  }
};

/// Opens the log that is there, as a daemon's start does; its size.
inline Result<std::uint64_t> open_again(const Folder& folder, const PostgresLedgerOptions& options,
                                        bool recheck_all = false) {
  const OpensslHashes hashes;
  const auto signer = fixed_signer();
  ManualClock clock;
  FileAnchor anchor(folder / "anchor.json");
  TALLA_TRY(const auto ledger, open_postgres_ledger(options));
  TALLA_TRY(const auto log, Log::open({.hashes = hashes,
                                       .ledger = *ledger,
                                       .signer = *signer,
                                       .clock = clock,
                                       .anchor = &anchor},
                                      {.origin = options.origin, .recheck_all = recheck_all}));
  return log->size();
}

}  // namespace talla::certs::testing
