/// \file
/// Questions about the state. It may hold what is not durable yet: whoever asks is answered when it
/// is.
///
/// Threads: the sequencer's.
#pragma once

#include <functional>

#include "call_view.hpp"
#include "events.hpp"
#include "latch.hpp"
#include "route.hpp"
#include "sampling.hpp"
#include "watch_certification.hpp"
#include "watch_software.hpp"

namespace talla::core {

class Questions {
 public:
  /// `ready`: what the status says of it.
  Questions(Appliance& appliance, const Events& events, const CallViews& calls,
            const SoftwareWatch& software, const CertificationWatch& certification,
            const Latch& latch, const Sampling& sampling, std::function<Readiness()> ready)
      : appliance_(appliance),
        events_(events),
        calls_(calls),
        software_(software),
        certification_(certification),
        latch_(latch),
        sampling_(sampling),
        ready_(std::move(ready)) {}

  [[nodiscard]] Reply answer(const Request& request, const Route& route) const;

  // Each answers one operation (operations.cpp). Errors: not_found, malformed_request, the ledger's
  // own. Lists and single facts (table_list.cpp, questions.cpp, status_view.cpp).
  [[nodiscard]] Result<json::Object> tables(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> catalogues(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> game(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> meters(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> software(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> acts(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> act(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> status(const Request& request, const Route& route) const;
  /// What bets were paid: of every place for those who oversee, else of the client's own
  /// (returns.cpp).
  [[nodiscard]] Result<json::Object> returns(const Request& request, const Route& route) const;
  // One object, open or past (object_view.cpp).
  [[nodiscard]] Result<json::Object> table(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> meter(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> shoe(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> card(const Request& request, const Route& route) const;
  [[nodiscard]] Result<json::Object> round(const Request& request, const Route& route) const;
  /// A call, open or past, for whom durable records alone do not show it (call_view.cpp).
  [[nodiscard]] Result<json::Object> call(const Request& request, const Route& route) const;
  // Machines and auditors (release_view.cpp).
  [[nodiscard]] Result<json::Object> release(const Request& request, const Route& route) const;
  /// The file, for an auditor whose ACCESS is in the log.
  [[nodiscard]] Result<Reply> openings(const Request& request, const Route& route) const;
  /// What two persons ordered for this laboratory (sampling.cpp).
  [[nodiscard]] Result<json::Object> samples(const Request& request, const Route& route) const;
  // What was played and what is open (history.cpp).
  /// Rounds of one table, the newest first: query `limit` (10, at most 100), `before` (id of a
  /// round), `from` and `to` (times).
  [[nodiscard]] Result<json::Object> rounds(const Request& request, const Route& route) const;
  /// Every round this client may see that is not ended.
  [[nodiscard]] Result<json::Object> incomplete(const Request& request, const Route& route) const;

 private:
  [[nodiscard]] Result<json::Object> past_view(const Request& request,
                                               std::string_view object_class,
                                               const std::string& id) const;
  [[nodiscard]] json::Object shared_meter_view(const Client& client,
                                               const SharedMeter& meter) const;
  [[nodiscard]] Result<json::Object> card_view(const Request& request, const Route& route,
                                               const Shoe& shoe) const;
  [[nodiscard]] Result<std::string> newest_round(const Table& table) const;

  Appliance& appliance_;
  const Events& events_;
  const CallViews& calls_;
  const SoftwareWatch& software_;
  const CertificationWatch& certification_;
  const Latch& latch_;
  const Sampling& sampling_;
  std::function<Readiness()> ready_;
};

/// A number of the query, which fits the schema of its operation.
[[nodiscard]] std::int64_t number_of(const Route& route, std::string_view name,
                                     std::int64_t fallback);

}  // namespace talla::core
