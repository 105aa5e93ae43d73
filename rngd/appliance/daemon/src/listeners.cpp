#include "listeners.hpp"

#include "log.hpp"

namespace talla::rngd {

namespace {

constexpr unsigned health_connections = 64;

/// What is the same of all listeners.
http::ServerOptions common_options(const Config& config, std::shared_ptr<http::Traffic> traffic) {
  http::ServerOptions options;
  options.names = config.api.names;
  options.shares.strangers = config.limits.strangers;
  options.shares.handshakes_per_address = config.limits.handshakes_per_address;
  options.stranger_seconds = config.limits.stranger_seconds;
  options.traffic = std::move(traffic);
  return options;
}

http::Shares api_shares(const Config::Limits& limits) {
  return {.connections = limits.connections,
          .connections_per_client = limits.connections_per_client,
          .connections_per_address = limits.connections_per_address,
          .strangers = limits.strangers,
          .handshakes_per_address = limits.handshakes_per_address,
          .streams = limits.streams,
          .streams_per_client = limits.streams_per_client,
          .streams_per_address = limits.streams_per_address};
}

Result<std::unique_ptr<http::Server>> listen_api(const Config& config, Gateway& gateway,
                                                 const ListenerTraffic& traffic) {
  http::ServerOptions options = common_options(config, traffic.api);
  options.address = config.api.address;
  options.port = config.api.port;
  options.files = {.certificate = config.api.certificate,
                   .key = config.api.key,
                   .trusted = config.api.client_roots,
                   .revoked = config.api.revoked};
  options.threads = config.api.threads;
  options.shares = api_shares(config.limits);
  return http::Server::create(options, [&gateway](http::Request request, http::Respond respond) {
    gateway.handle_api(std::move(request), std::move(respond));
  });
}

Result<std::unique_ptr<http::Server>> listen_in_public(const Config& config, Gateway& gateway,
                                                       const ListenerTraffic& traffic) {
  http::ServerOptions options = common_options(config, traffic.in_public);
  options.address = config.public_listener.address;
  options.port = config.public_listener.port;
  const bool own = !config.public_listener.certificate.empty();
  options.files = {.certificate = own ? config.public_listener.certificate : config.api.certificate,
                   .key = own ? config.public_listener.key : config.api.key,
                   .trusted = {},
                   .revoked = {}};
  options.shares.connections = config.public_listener.connections;
  options.shares.connections_per_address = config.public_listener.connections_per_address;
  return http::Server::create(options,
                              [&gateway](const http::Request& request, http::Respond respond) {
                                gateway.handle_public(request, std::move(respond));
                              });
}

Result<std::unique_ptr<http::Server>> listen_health(const Config& config, Gateway& gateway,
                                                    const ListenerTraffic& traffic) {
  http::ServerOptions options = common_options(config, traffic.health);
  for (const char* name : {"localhost", "127.0.0.1", "::1"}) options.names.emplace_back(name);
  options.address = config.health.address;
  options.port = config.health.port;
  options.tls = false;
  options.shares.connections = health_connections;
  return http::Server::create(
      options, [&gateway](const http::Request& request, const http::Respond& respond) {
        gateway.handle_health(request, respond);
      });
}

}  // namespace

void ListenerTraffic::add_metrics(core::MetricsSnapshot& all) const {
  const auto add = [&all](const http::Traffic& of, const std::string& listener) {
    const std::string label = "{listener=\"" + listener + "\"";
    const auto value = [](const http::Traffic::Count& count) {
      return static_cast<double>(count.load(std::memory_order_relaxed));
    };
    all.gauges["talla_connections" + label + "}"] = value(of.connections);
    all.gauges["talla_strangers" + label + "}"] = value(of.strangers);
    all.gauges["talla_streams" + label + "}"] = value(of.streams);
    all.counters["talla_connections_total" + label + "}"] = value(of.arrivals);
    all.counters["talla_strangers_late_total" + label + "}"] = value(of.strangers_late);
    all.counters["talla_strangers_cut_total" + label + "}"] = value(of.strangers_cut);
    all.counters["talla_handshakes_refused_total" + label + "}"] = value(of.handshakes_refused);
    all.counters["talla_requests_misdirected_total" + label + "}"] = value(of.misdirected);
    all.counters["talla_requests_malformed_total" + label + "}"] = value(of.malformed);
    for (std::size_t i = 0; i < http::share_count; ++i) {
      const std::string share =
          label + ",share=\"" + std::string(http::share_name(static_cast<http::Share>(i))) + "\"}";
      all.counters["talla_connections_cut_total" + share] = value(of.cut.at(i));
      all.counters["talla_connections_refused_total" + share] = value(of.refused.at(i));
      all.counters["talla_streams_cut_total" + share] = value(of.streams_cut.at(i));
      all.counters["talla_streams_refused_total" + share] = value(of.streams_refused.at(i));
    }
  };
  add(*api, "api");
  add(*in_public, "public");
  add(*health, "health");
}

Result<Listeners> Listeners::open(const Config& config, Gateway& gateway,
                                  const ListenerTraffic& traffic) {
  Listeners all;
  TALLA_TRY(all.api_, listen_api(config, gateway, traffic));
  rngd::log(Level::info, "api_listening",
            {{"address", config.api.address}, {"port", std::to_string(all.api_->port())}});
  if (config.public_listener.enabled) {
    TALLA_TRY(all.public_, listen_in_public(config, gateway, traffic));
    rngd::log(Level::info, "public_listening",
              {{"address", config.public_listener.address},
               {"port", std::to_string(all.public_->port())}});
  }
  if (config.health.enabled) {
    TALLA_TRY(all.health_, listen_health(config, gateway, traffic));
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
