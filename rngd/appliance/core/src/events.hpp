/// \file
/// Committed records as events: who may see which, and who wants to be woken.
///
/// Threads: any; the ledger's reads are.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "certs/ledger.hpp"
#include "core/service.hpp"
#include "guests.hpp"

namespace talla::core {

/// The round that moved a meter that tables share; empty for every other record.
[[nodiscard]] std::string round_of_meter(const certs::LedgerRecord& record);

class Events {
 public:
  Events(const certs::Ledger& ledger, const HashSuite& hashes, const Guests& guests)
      : ledger_(ledger), hashes_(hashes), guests_(guests) {}
  [[nodiscard]] EventPage page(const Client& client, const EventQuery& query) const;
  [[nodiscard]] std::shared_ptr<void> subscribe(std::function<void()> wake);
  /// After a commit.
  void wake_all();

  /// Whether this client may see records of this object (empty: the machine's, which all may see).
  [[nodiscard]] bool visible(const Client& client, const std::string& object) const;
  /// The same of a record: a METER of a meter that tables share is also seen by whoever sees its
  /// round.
  [[nodiscard]] bool visible(const Client& client, const certs::LedgerRecord& record) const;
  /// Whether this client (role seat) sat in the round that the record belongs to.
  [[nodiscard]] bool seated(const Client& client, const certs::LedgerRecord& record) const;
  /// Whether this client opened the object's table.
  [[nodiscard]] bool owned(const std::string& client, const std::string& object) const;
  /// The table an object belongs to, from the ledger; empty for the machine's records and unknown
  /// objects.
  [[nodiscard]] std::string table_of(const std::string& object) const;

 private:
  struct Owner {
    std::string table;
    std::string client;
  };
  using Keys = std::vector<std::string>;  // hex SHA-256 of each SubjectPublicKeyInfo
  [[nodiscard]] Owner owner_of(const std::string& object) const;
  [[nodiscard]] Keys seats_of(const std::string& round) const;

  const certs::Ledger& ledger_;
  const HashSuite& hashes_;
  const Guests& guests_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, Owner, std::less<>> owners_;     // mutex_
  mutable std::map<std::string, Keys, std::less<>> seats_;       // mutex_
  std::list<std::weak_ptr<std::function<void()>>> subscribers_;  // mutex_
};

}  // namespace talla::core
