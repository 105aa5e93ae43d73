/// \file
/// Where the daemon is talked to: the API, the health page, and the public listener.
///
/// Errors:  those of http::Server. Threads: the daemon's main thread.
#pragma once

#include <memory>

#include "config/config.hpp"
#include "core/service.hpp"
#include "gateway.hpp"
#include "http/server.hpp"

namespace talla::rngd {

/// What the listeners count; there before them, for who asks while they open.
struct ListenerTraffic {
  std::shared_ptr<http::Traffic> api = std::make_shared<http::Traffic>();
  std::shared_ptr<http::Traffic> in_public = std::make_shared<http::Traffic>();
  std::shared_ptr<http::Traffic> health = std::make_shared<http::Traffic>();

  /// Label `listener`: `api`, `public`, `health`.
  void add_metrics(core::MetricsSnapshot& all) const;
};

class Listeners {
 public:
  /// All of them listen from then on, the health page last: one that says ready means that the API
  /// listens. The gateway must outlive them.
  [[nodiscard]] static Result<Listeners> open(const Config& config, Gateway& gateway,
                                              const ListenerTraffic& traffic);
  /// Certificate, roots and list of revoked certificates are read again (Server::renew_tls).
  [[nodiscard]] Status renew_tls();
  /// No request comes any more.
  void stop();

 private:
  std::unique_ptr<http::Server> api_;
  std::unique_ptr<http::Server> public_;  // null: switched off
  std::unique_ptr<http::Server> health_;  // null: switched off
};

}  // namespace talla::rngd
