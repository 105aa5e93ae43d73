/// \file
/// Who may ask what, and how often: looked at before anything else of a request.
///
/// Threads: any.
#pragma once

#include <optional>

#include "appliance.hpp"
#include "core/request.hpp"
#include "rate_limit.hpp"
#include "route.hpp"

namespace talla::core {

class Admission {
 public:
  explicit Admission(Appliance& appliance)
      : appliance_(appliance),
        rate_limit_(appliance.settings.client_rate_per_s, appliance.settings.client_burst) {}

  /// The refusal of a request without a route, of a client whose roles do not allow the operation,
  /// or of one who asks too often; nothing when it may go on. Takes one of the client's requests.
  [[nodiscard]] std::optional<Reply> turned_away(const Request& request,
                                                 const Result<Route>& route);

 private:
  Appliance& appliance_;
  RateLimit rate_limit_;
};

}  // namespace talla::core
