/// \file
/// The log's records as they come (server-sent events); a stream that breaks goes on behind the
/// last record seen.
///
/// Errors:  those of the files at `open`; client::Errc::appliance_refused for a client that may not
///          read events.
/// Threads: one stream belongs to one thread; it has a connection of its own.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "base/json.hpp"
#include "http/client.hpp"

namespace talla::client {

struct Event {
  std::uint64_t seq = 0;
  std::string kind;
  std::string record;  ///< Its bytes; GET /v1/receipts/SEQ proves them.
};

/// The stream of records, taken up again where it broke off.
class Events {
 public:
  /// `after`: the last record that is known already, -1 for none.
  [[nodiscard]] static Result<Events> open(const std::string& folder, std::int64_t after);
  /// The next record, or nothing when none came in that time.
  [[nodiscard]] Result<std::optional<Event>> next(std::chrono::milliseconds wait);

 private:
  Events(std::unique_ptr<http::Client> client, std::int64_t after)
      : client_(std::move(client)), after_(after) {}
  [[nodiscard]] Status connect();
  [[nodiscard]] std::optional<Event> take();

  std::unique_ptr<http::Client> client_;
  std::int64_t after_;
  bool listening_ = false;
  std::string text_;  // received, no whole event yet
  std::chrono::steady_clock::time_point heard_{};
};

}  // namespace talla::client
