/// \file
/// Questions that rest on committed records alone: events, receipts, proofs, bundles, checkpoints,
/// stored replies; and on the monitors' past, which the service does not hold.
///
/// Threads: any; they are answered on the thread that asks.
#pragma once

#include <memory>

#include "admission.hpp"
#include "events.hpp"
#include "rotation.hpp"

namespace talla::core {

class CountedMonths;

class Proofs {
 public:
  Proofs(const Appliance& appliance, const Events& events, const LogKeyRotation& keys);

  /// The reply to such a question; nothing for any other.
  [[nodiscard]] std::optional<Reply> answer(const Admitted& asked) const;

  // Each answers one operation (operations.cpp). Errors: not_found, log_ended, the ledger's own.
  [[nodiscard]] Result<Reply> checkpoint(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> cosigned(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> log_keys(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> stored_request(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> receipt(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> bundle(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> events(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> proof(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> consistency(const Request& request, const Route& route) const;
  [[nodiscard]] Result<Reply> month(const Request& request, const Route& route) const;
  /// The monitors' past, which has a lock of its own (monitor_history.cpp).
  [[nodiscard]] Result<Reply> monitor_history(const Request& request, const Route& route) const;

 private:
  /// The record that the route names, if this client may see it.
  [[nodiscard]] Result<certs::LedgerRecord> seen_record(const Request& request,
                                                        const Route& route) const;
  /// What the root declared void is proven no more.
  [[nodiscard]] Status before_the_end(const Route& route) const;
  [[nodiscard]] Result<std::string> newest_proof(certs::LedgerRecord record) const;
  [[nodiscard]] Result<std::string> bundle_of(std::uint64_t seq) const;

  const Appliance& appliance_;
  const Events& events_;
  const LogKeyRotation& keys_;
  std::shared_ptr<CountedMonths> months_;
};

}  // namespace talla::core
