/// \file
/// The appliance's core as the benches run it: its own folder, clock, keys and ledger, full speed,
/// no limits on clients.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/seal.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "commit_bench.hpp"
#include "core/effects.hpp"
#include "core/service.hpp"
#include "rig.hpp"

namespace talla_bench {

class Appliance {
 public:
  /// Fresh keys in the folder. `vfs`: the ledger's file system, empty: SQLite's own.
  explicit Appliance(const Folder& folder, std::string vfs = {})
      : folder_(folder.path), vfs_(std::move(vfs)) {
    must(talla::certs::init_development_keys(
        {.folder = keys(), .origin = origin, .server_names = {}, .now_us = clock_.utc_us()}));
    signer_ = must(talla::certs::load_log_signer(keys() + "/log.key"));
    sealer_ = std::make_unique<talla::certs::Sealer>(
        must(talla::certs::Sealer::load(keys() + "/sealing.key")));
    start();
  }
  void start() {
    const auto statement =
        must(talla::json::parse(must(talla::certs::read_file(keys() + "/log-key.json"))));
    ledger_ = must(talla::certs::open_sqlite_ledger(
        {.path = folder_ + "/ledger.db", .origin = origin, .vfs = vfs_}));
    log_ = must(talla::certs::Log::open(
        {.hashes = hashes_, .ledger = *ledger_, .signer = *signer_, .clock = clock_},
        {.origin = origin}));
    talla::core::Settings settings;
    settings.version = "bench";
    settings.disk_reserve_bytes = 0;
    settings.client_rate_per_s = 0;
    settings.tables_per_client_max = 1024;
    service = must(
        talla::core::Service::create(settings, {clock_, hashes_, *log_, *sealer_, supply_,
                                                must(talla::certs::LogKey::from_json(statement))}));
  }
  /// No clean stop.
  void kill() {
    service.reset();
    log_.reset();
    ledger_.reset();
  }
  /// So many keys that were used before. They fill the set that the ledger's index waits for, so
  /// that what is measured pays for the index too. While the sequencer's thread does not run.
  void use_keys(std::size_t count) {
    constexpr std::size_t of_group = 1000;
    for (std::size_t used = 0; used < count;) {
      talla::certs::Group group;
      for (; group.replies.size() < of_group && used < count; ++used) {
        group.replies.push_back(
            {.id = {"talla:before", "POST", "/v1/draws", "b-" + std::to_string(used)},
             .request = {},
             .head = "{}",
             .seqs = {}});
      }
      must(ledger_->commit(std::move(group)));
    }
  }
  /// Records of the log.
  [[nodiscard]] std::uint64_t size() const { return log_->size(); }
  /// One request while the sequencer's thread does not run; a refusal aborts.
  talla::json::Value ask(talla::core::Request request) {
    talla::json::Value body;
    service->submit(std::move(request), [&](const talla::core::Reply& reply) {
      if (reply.status >= 300) std::abort();
      body = must(talla::json::parse(reply.body));
    });
    service->run_until_idle();
    return body;
  }

 private:
  static constexpr const char* origin = "log.example/bench";
  [[nodiscard]] std::string keys() const { return folder_ + "/keys"; }

  std::string folder_;
  std::string vfs_;
  talla::certs::OpensslHashes hashes_;
  talla::SystemClock clock_;
  talla::core::test::FakeSupply supply_{clock_};
  std::unique_ptr<talla::certs::Ed25519Signer> signer_;
  std::unique_ptr<talla::certs::Sealer> sealer_;
  std::unique_ptr<talla::certs::Ledger> ledger_;
  std::unique_ptr<talla::certs::Log> log_;

 public:
  std::unique_ptr<talla::core::Service> service;
};

}  // namespace talla_bench
