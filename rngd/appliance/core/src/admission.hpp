/// \file
/// What is looked at before anything else of a request, on the thread that asks: its route, who
/// may ask it and how often, its key, its query and its body.
///
/// Threads: any.
#pragma once

#include <optional>

#include "appliance.hpp"
#include "command.hpp"
#include "core/event_query.hpp"
#include "core/request.hpp"
#include "rate_limit.hpp"
#include "route.hpp"

namespace talla::core {

/// A request that may go on, taken apart once.
struct Admitted {
  Request request;
  Route route;
  json::Value body;                                 ///< of a POST: it fits the operation's schema
  std::optional<Digest> digest;                     ///< of a request that makes a record
  std::shared_ptr<const SignedCall> signed_call{};  ///< of a request that makes a call
  std::shared_ptr<const OpeningVerdict> opening{};  ///< of one that opens, where it was looked at
};

/// What the query of GET /v1/events asks for, once it was checked.
[[nodiscard]] EventQuery event_query_of(const Route& route);
/// The query holds what the operation takes. Errors: malformed_request.
[[nodiscard]] Status check_query(const Route& route);

class Admission {
 public:
  explicit Admission(Appliance& appliance)
      : appliance_(appliance),
        rate_limit_(appliance.settings.client_rate_per_s, appliance.settings.client_burst) {}

  /// The refusal of a request without a route, of a client whose roles do not allow the operation,
  /// of one who asks too often, and of what the operation does not take. Takes one of the client's
  /// requests.
  [[nodiscard]] tl::expected<Admitted, Reply> admit(Request request);

 private:
  [[nodiscard]] Result<Admitted> take_apart(Request request, Route route);

  Appliance& appliance_;
  RateLimit rate_limit_;
};

}  // namespace talla::core
