#include "client/events.hpp"

#include <charconv>
#include <thread>

#include "client/errc.hpp"
#include "config/client_file.hpp"
#include "connect.hpp"

namespace talla::client {

namespace {

using SteadyClock = std::chrono::steady_clock;
/// The appliance sends a comment every 10 s of silence.
constexpr std::chrono::seconds silence_max{30};
constexpr std::chrono::milliseconds between_connects{200};

}  // namespace

Result<Events> Events::open(const std::string& folder, std::int64_t after) {
  TALLA_TRY(const rngd::ClientFile file, rngd::load_client_file(folder + "/client.toml"));
  TALLA_TRY(auto client, connect_to(file, 30));
  return Events(std::move(client), after);
}

Status Events::connect() {
  text_.clear();
  TALLA_TRY(const http::ClientReply reply, client_->listen({.method = "GET",
                                                            .target = "/v1/events",
                                                            .idempotency_key = {},
                                                            .accept = "text/event-stream",
                                                            .last_event_id = std::to_string(after_),
                                                            .body = {},
                                                            .peer = {}}));
  // Too many streams at once (429): one that broke is still counted for a while.
  if (reply.status >= 400 && reply.status < 500 && reply.status != 429)
    return fail(Errc::appliance_refused, "events: " + reply.body);
  if (reply.status != 200)
    return fail(http::Errc::bad_reply, "events: status " + std::to_string(reply.status));
  listening_ = true;
  heard_ = SteadyClock::now();
  return {};
}

/// Takes one whole event out of the text; comments and anything else between two empty lines are
/// dropped.
std::optional<Event> Events::take() {
  for (auto end = text_.find("\n\n"); end != std::string::npos; end = text_.find("\n\n")) {
    const std::string block = text_.substr(0, end + 1);
    text_.erase(0, end + 2);
    Event event;
    bool whole = false;
    for (std::size_t at = 0; at < block.size();) {
      const auto stop = block.find('\n', at);
      const std::string_view line = std::string_view(block).substr(at, stop - at);
      at = stop + 1;
      if (line.starts_with("event: ")) event.kind = line.substr(7);
      if (line.starts_with("data: ")) event.record = line.substr(6);
      if (!line.starts_with("id: ")) continue;
      const auto digits = line.substr(4);
      whole = std::from_chars(digits.data(), digits.data() + digits.size(), event.seq).ec ==
              std::errc{};
    }
    if (!whole) continue;
    after_ = static_cast<std::int64_t>(event.seq);
    if (!event.record.empty()) return event;  // else an id alone: nothing up to there
  }
  return std::nullopt;
}

Result<std::optional<Event>> Events::next(std::chrono::milliseconds wait) {
  const auto end = SteadyClock::now() + wait;
  for (;;) {
    if (auto event = take()) return event;
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - SteadyClock::now());
    if (left.count() <= 0) return std::optional<Event>();
    if (!listening_) {
      const Status connected = connect();
      if (!connected && connected.error().is(Errc::appliance_refused))
        return pass(Status(connected));
      if (!connected) std::this_thread::sleep_for(std::min(between_connects, left));
      continue;
    }
    auto piece = client_->more(left);
    if (piece && !piece->empty()) {
      heard_ = SteadyClock::now();
      text_ += *piece;
    } else if (!piece || SteadyClock::now() - heard_ > silence_max) {
      listening_ = false;
    }
  }
}

}  // namespace talla::client
