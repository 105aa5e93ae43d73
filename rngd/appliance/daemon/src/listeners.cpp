#include "listeners.hpp"

#include "log.hpp"

namespace talla::rngd {

namespace {

constexpr unsigned health_connections = 64;

Result<std::unique_ptr<http::Server>> listen_api(const Config& config, Gateway& gateway) {
  http::ServerOptions options;
  options.address = config.api.address;
  options.port = config.api.port;
  options.files = {.certificate = config.api.certificate,
                   .key = config.api.key,
                   .trusted = config.api.client_roots,
                   .revoked = config.api.revoked};
  options.threads = config.api.threads;
  options.connections_max = config.limits.connections;
  return http::Server::create(options, [&gateway](http::Request request, http::Respond respond) {
    gateway.handle_api(std::move(request), std::move(respond));
  });
}

Result<std::unique_ptr<http::Server>> listen_in_public(const Config& config, Gateway& gateway) {
  http::ServerOptions options;
  options.address = config.public_listener.address;
  options.port = config.public_listener.port;
  options.files = {
      .certificate = config.api.certificate, .key = config.api.key, .trusted = {}, .revoked = {}};
  options.connections_max = config.public_listener.connections;
  return http::Server::create(options,
                              [&gateway](const http::Request& request, http::Respond respond) {
                                gateway.handle_public(request, std::move(respond));
                              });
}

Result<std::unique_ptr<http::Server>> listen_health(const Config& config, Gateway& gateway) {
  http::ServerOptions options;
  options.address = config.health.address;
  options.port = config.health.port;
  options.tls = false;
  options.connections_max = health_connections;
  return http::Server::create(
      options, [&gateway](const http::Request& request, const http::Respond& respond) {
        gateway.handle_health(request, respond);
      });
}

}  // namespace

Result<Listeners> Listeners::open(const Config& config, Gateway& gateway) {
  Listeners all;
  TALLA_TRY(all.api_, listen_api(config, gateway));
  rngd::log(Level::info, "api_listening",
            {{"address", config.api.address}, {"port", std::to_string(all.api_->port())}});
  if (config.public_listener.enabled) {
    TALLA_TRY(all.public_, listen_in_public(config, gateway));
    rngd::log(Level::info, "public_listening",
              {{"address", config.public_listener.address},
               {"port", std::to_string(all.public_->port())}});
  }
  if (config.health.enabled) {
    TALLA_TRY(all.health_, listen_health(config, gateway));
    rngd::log(Level::info, "health_listening", {{"port", std::to_string(all.health_->port())}});
  }
  return all;
}

Status Listeners::renew_tls() {
  TALLA_TRY_STATUS(api_->renew_tls());
  return public_ ? public_->renew_tls() : Status();
}

void Listeners::stop() {
  for (auto* server : {&api_, &public_, &health_}) {
    if (*server) (*server)->stop();
  }
}

}  // namespace talla::rngd
