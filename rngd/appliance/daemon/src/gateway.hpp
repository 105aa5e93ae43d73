/// \file
/// Between HTTP and the service: certificates (the service knows who is enrolled now), health
/// pages, metrics, the web page, event streams, everything else; and the public listener.
///
/// Threads: handlers may be called from any thread. The gateway must outlive the servers that call
///          it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "core/service.hpp"
#include "http/message.hpp"
#include "web/links.hpp"
#include "web/odds.hpp"

namespace talla::rngd {

/// What the health pages show besides the service's own state.
struct GatewayOptions {
  std::string openapi;  ///< The OpenAPI document, served at /openapi.json.
  std::function<entropy::Metrics()> entropy_metrics;
  /// What else /metrics shows; may be empty.
  std::function<void(core::MetricsSnapshot&)> add_metrics;
  bool uncertified_source = false;
  /// A connection outlives its handshake: the end of its certificate is looked at with each
  /// request. Null: not at all.
  Clock* clock = nullptr;
  /// Links to bundles for who has no certificate. Null: none are given.
  const web::Links* links = nullptr;
  /// PEM of the house's root certificates, for who knows their digest; empty: none are given.
  std::string roots;
  /// Odds for the web page. Null: it shows none.
  web::OddsPages* odds = nullptr;
  /// What the log before this one answered to a request, and to one whose reply was lost (`GET
  /// /v1/requests/{key}`). Empty: there is none.
  std::function<std::optional<core::Reply>(const core::Request&)> earlier;
  std::function<std::optional<core::Reply>(const core::Request&)> earlier_lost;
};

class Gateway {
 public:
  Gateway(core::Service& service, GatewayOptions options);

  /// For the listener with certificates on both sides.
  void handle_api(http::Request request, http::Respond respond);
  /// For the local listener without certificates: /livez, /readyz, /metrics and nothing else.
  void handle_health(const http::Request& request, const http::Respond& respond);
  /// For the listener that asks nobody for a certificate: the pages for everybody, the checkpoint,
  /// the root certificates, bundles by their links; for who brings the token of an invitation the
  /// operations of a contributor, at the table that invited; nothing else.
  /// Precondition: there are links.
  void handle_public(const http::Request& request, http::Respond respond);

 private:
  /// Answers a client whose certificate is over, and has the log say so.
  [[nodiscard]] bool turn_away(const http::Peer& peer, const http::Respond& respond);
  void submit(core::Request request, http::Respond respond);
  /// With a token instead of a certificate.
  void handle_invited(const http::Request& request, http::Respond respond);
  /// Has the reply to the request for a bundle say its link.
  [[nodiscard]] http::Respond with_link(const http::Request& request, http::Respond respond) const;
  [[nodiscard]] bool answer_health(const http::Request& request,
                                   const http::Respond& respond) const;
  [[nodiscard]] http::Reply readiness() const;

  core::Service& service_;
  GatewayOptions options_;
};

}  // namespace talla::rngd
