// Who may ask what, and how often.
#include "admission.hpp"

#include "problem.hpp"

namespace talla::core {

std::optional<Reply> Admission::turned_away(const Request& request, const Result<Route>& route) {
  appliance_.metrics.count("talla_requests_total");
  if (!route) return problem_reply(Refusal(route.error()));
  const auto& client = request.client;
  if (client.id.empty() || !may(client.roles, route->row->operation))
    return problem_reply(Error(Errc::forbidden, "no role of this client may do this"));
  if (!rate_limit_.take(client.id, appliance_.effects.clock.monotonic_ns()))
    return problem_reply(Error(Errc::too_many_requests, "slow down"));
  return std::nullopt;
}

}  // namespace talla::core
