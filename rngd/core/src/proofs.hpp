/// \file
/// Questions that rest on committed records alone: receipts, proofs, bundles, checkpoints, stored replies.
///
/// Threads: any; they are answered on the thread that asks.
#pragma once

#include "admission.hpp"
#include "events.hpp"
#include "rotation.hpp"

namespace talla::core {

class Proofs {
 public:
  Proofs(const Appliance& appliance, Admission& admission, const Events& events,
         const LogKeyRotation& keys)
      : appliance_(appliance), admission_(admission), events_(events), keys_(keys) {}

  /// The reply to such a question; nothing for any other.
  [[nodiscard]] std::optional<Reply> answer(const Request& request);

 private:
  [[nodiscard]] Result<Reply> reply_to(const Request& request, const Route& route);
  [[nodiscard]] Result<Reply> of_record(const Request& request, const Route& route);
  [[nodiscard]] Result<std::string> newest_proof(certs::LedgerRecord record) const;
  [[nodiscard]] Result<std::string> bundle(std::uint64_t seq) const;
  [[nodiscard]] Result<Reply> stored_request(const Request& request, const Route& route) const;

  const Appliance& appliance_;
  Admission& admission_;
  const Events& events_;
  const LogKeyRotation& keys_;
};

}  // namespace talla::core
