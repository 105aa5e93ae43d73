/// \file
/// Between HTTP and the service: who the certificate belongs to, health pages, metrics, event streams, everything else.
///
/// Threads: handlers may be called from any thread. The gateway must outlive the servers that call it.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "config/enrolment.hpp"
#include "core/service.hpp"
#include "http/message.hpp"

namespace talla::rngd {

/// What the health pages show besides the service's own state.
struct GatewayOptions {
  std::vector<EnrolledClient> clients;
  std::string openapi;  ///< The OpenAPI document, served at /openapi.json.
  std::function<entropy::Metrics()> entropy_metrics;
  std::function<void(core::MetricsSnapshot&)> add_metrics;  ///< What else /metrics shows; may be empty.
  bool uncertified_source = false;
};

class Gateway {
 public:
  Gateway(core::Service& service, GatewayOptions options);

  /// For the listener with certificates on both sides.
  void handle_api(http::Request request, http::Respond respond);
  /// For the local listener without certificates: /livez, /readyz, /metrics and nothing else.
  void handle_health(const http::Request& request, const http::Respond& respond);

 private:
  [[nodiscard]] const core::Client* client_of(const http::Peer& peer) const;
  [[nodiscard]] bool answer_health(const http::Request& request, const http::Respond& respond) const;
  [[nodiscard]] http::Reply readiness() const;

  core::Service& service_;
  GatewayOptions options_;
  std::map<std::string, core::Client, std::less<>> clients_;  // by id; constant after construction
};

}  // namespace talla::rngd
