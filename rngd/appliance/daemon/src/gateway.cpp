#include "gateway.hpp"

#include <algorithm>
#include <charconv>

#include "base/json.hpp"
#include "certs/openssl_hashes.hpp"
#include "core/methods.hpp"
#include "core/problem_words.hpp"
#include "metrics.hpp"
#include "request_rules.hpp"
#include "web/pages.hpp"

namespace talla::rngd {

namespace {

http::Reply from_core(core::Reply reply, std::string_view path) {
  http::Reply out{.status = static_cast<unsigned>(reply.status),
                  .content_type = std::move(reply.content_type),
                  .headers = {},
                  .body = std::move(reply.body),
                  .feed = nullptr};
  if (reply.status == 405) out.headers.emplace_back("Allow", core::allowed_methods(path));
  if (reply.retry_after_s)
    out.headers.emplace_back("Retry-After", std::to_string(*reply.retry_after_s));
  return out;
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

bool leads_to_front(std::string_view path) {
  return path == "/" || path == "/web/";
}

bool is_health_page(std::string_view path) {
  return path == "/livez" || path == "/readyz" || path == "/metrics";
}

bool is_page(std::string_view path) {
  return leads_to_front(path) || web::find_page(path).has_value();
}

/// What the gateway itself has, to be read.
bool is_own(std::string_view path) {
  return is_health_page(path) || path == "/openapi.json" || is_page(path);
}

constexpr const char* only_read = "here things are only read";

http::Reply no_query() {
  return gateway_problem(400, "malformed_request", "query: this resource takes none", "never");
}

http::Reply page_reply(std::string_view path, const web::Page& page) {
  return {.status = 200,
          .content_type = std::string(page.content_type),
          .headers = {{"Content-Security-Policy", web::policy_of(path)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"}},
          .body = std::string(page.text),
          .feed = nullptr};
}

/// Whoever has a link with the digest of one finds it here; nobody else believes them.
http::Reply roots_reply(const std::string& pem) {
  return {.status = 200,
          .content_type = "application/x-pem-file",
          .headers = {{"X-Content-Type-Options", "nosniff"}, {"Cache-Control", "no-cache"}},
          .body = pem,
          .feed = nullptr};
}

http::Reply see_other(std::string_view path) {
  return {.status = 303,
          .content_type = "text/plain",
          .headers = {{"Location", std::string(path)}},
          .body = {},
          .feed = nullptr};
}

/// The reply in the reader's language; what is stored and signed is the same for all.
http::Respond in_language(std::string_view accept_language, http::Respond respond) {
  const auto language = core::language_of(accept_language);
  if (language == "en") return respond;
  return [respond = std::move(respond), language](http::Reply reply) {
    if (reply.content_type == core::problem_type) {
      reply.body = core::problem_text(reply.body, language);
      reply.headers.emplace_back("Content-Language", std::string(language));
    }
    respond(std::move(reply));
  };
}

/// Who asks on the public listener, for the service: reads what auditors may read, of what the
/// gateway lets through.
core::Client public_reader() {
  return {.id = "talla:public", .spki = {}, .roles = {core::Role::auditor}};
}

/// The digest of an invitation's token (RFC 6750 section 2.1): 128 bits in base64url.
std::optional<Digest> token_of(std::string_view authorization) {
  constexpr std::string_view scheme = "bearer ";
  constexpr std::size_t token_bytes = 16;
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  if (authorization.size() <= scheme.size() ||
      !std::ranges::equal(authorization.substr(0, scheme.size()), scheme, {}, small))
    return std::nullopt;
  const auto token = authorization.substr(scheme.size());
  const auto bytes = from_base64url(token);
  if (!bytes || bytes->size() != token_bytes) return std::nullopt;
  return certs::OpensslHashes().sha256({as_bytes(token)});
}

/// Committed records as server-sent events whose id is the log sequence (WHATWG HTML, section 9.2).
class RecordFeed final : public http::EventFeed {
 public:
  RecordFeed(core::Service& service, core::Client client, core::EventQuery query)
      : service_(service), client_(std::move(client)), query_(std::move(query)) {
    query_.limit = events_at_once;
  }

  [[nodiscard]] std::string next() override {
    std::string text;
    // Who was revoked since the stream began sees nothing more.
    if (!service_.enrolled(client_.id, client_.spki)) return text;
    const core::EventPage page = service_.events(client_, query_);
    query_.after = page.next;
    for (const core::LogEvent& event : page.events) {
      text += "id: " + std::to_string(event.seq) + "\nevent: " + event.kind +
              "\ndata: " + event.record + "\n\n";
    }
    // An id without data is no event: the reader is told how far the log was looked through, and
    // the server asks again.
    if (page.more && page.events.empty()) text += "id: " + std::to_string(page.next) + "\n\n";
    return text;
  }
  void watch(std::function<void()> wake) override {
    watching_ = service_.subscribe(std::move(wake));
  }

 private:
  static constexpr std::size_t events_at_once = 100;
  core::Service& service_;
  core::Client client_;
  core::EventQuery query_;
  std::shared_ptr<void> watching_;
};

/// What a stream is asked for: what the query says, from behind Last-Event-ID where that is there.
Result<core::EventQuery> stream_query(const http::Request& request) {
  TALLA_TRY(auto query, core::event_query(request.target));
  if (request.last_event_id.empty()) return query;
  if (request.last_event_id.find('&') != std::string::npos)
    return fail(core::Errc::malformed_request, "Last-Event-ID: the id of an event is a number");
  TALLA_TRY(const auto last, core::event_query("/v1/events?after=" + request.last_event_id));
  query.after = last.after;
  return query;
}

}  // namespace

Gateway::Gateway(core::Service& service, GatewayOptions options)
    : service_(service), options_(std::move(options)) {}

http::Reply Gateway::readiness() const {
  const core::Readiness state = service_.ready();
  json::Value body;
  body["ready"] = state.ready;
  json::Array reasons;
  for (const std::string& reason : state.reasons) reasons.emplace_back(reason);
  body["reasons"] = std::move(reasons);
  body["uncertified_source"] = options_.uncertified_source;
  return {.status = state.ready ? 200U : 503U,
          .content_type = "application/json",
          .headers = {},
          .body = json::canonical(body),
          .feed = nullptr};
}

bool Gateway::answer_health(const http::Request& request, const http::Respond& respond) const {
  if (request.method != "GET") return false;
  if (request.target == "/livez") {
    respond({.status = service_.failed() ? 500U : 200U,
             .content_type = "text/plain",
             .headers = {},
             .body = service_.failed() ? "failed\n" : "alive\n",
             .feed = nullptr});
  } else if (request.target == "/readyz") {
    respond(readiness());
  } else if (request.target == "/metrics") {
    core::MetricsSnapshot all = service_.metrics();
    if (options_.add_metrics) options_.add_metrics(all);
    respond({.status = 200,
             .content_type = "text/plain; version=0.0.4",
             .headers = {},
             .body = metrics_text(all, options_.entropy_metrics()),
             .feed = nullptr});
  } else {
    return false;
  }
  return true;
}

void Gateway::handle_health(const http::Request& request, const http::Respond& respond) {
  const auto say = in_language(request.accept_language, respond);
  if (auto refused = of_another_site(request, false)) return say(std::move(*refused));
  if (answer_health(request, respond)) return;
  const std::string_view path = path_of(request.target);
  if (is_health_page(path))
    return say(path == request.target ? other_methods("GET", only_read) : no_query());
  say(gateway_problem(404, "not_found",
                      "here are /livez, /readyz and /metrics; the rest needs a certificate",
                      "never"));
}

bool Gateway::turn_away(const http::Peer& peer, const http::Respond& respond) {
  const bool over = options_.clock != nullptr && options_.clock->utc_us() > peer.not_after_us;
  if (peer.standing == http::Standing::good && !over) return false;
  const bool revoked = peer.standing == http::Standing::revoked;
  service_.note_refused({.id = peer.id,
                         .spki = peer.spki,
                         .reason = revoked ? "certificate-revoked" : "certificate-expired"});
  if (revoked) {
    respond(gateway_problem(403, "certificate_revoked",
                            "the certificate is on the list of its root", "never"));
  } else {
    respond(gateway_problem(403, "certificate_expired", "the certificate is past its last day",
                            "never"));
  }
  return true;
}

void Gateway::handle_api(http::Request request, http::Respond respond) {
  respond = in_language(request.accept_language, std::move(respond));
  const std::string_view path = path_of(request.target);
  if (auto refused = of_another_site(request, is_page(path))) return respond(std::move(*refused));
  if (turn_away(request.peer, respond)) return;
  const auto client = service_.enrolled(request.peer.id, request.peer.spki);
  if (!client) {
    return respond(gateway_problem(
        403, "not_enrolled", "the certificate is trusted, but its id and key are not enrolled here",
        "never"));
  }
  if (is_own(path) && request.method != "GET") return respond(other_methods("GET", only_read));
  if (is_own(path) && !is_page(path) && path != request.target) return respond(no_query());
  if (auto refused = of_another_type(request)) return respond(std::move(*refused));
  if (answer_health(request, respond)) return;
  if (request.method == "GET" && request.target == "/openapi.json") {
    return respond({.status = 200,
                    .content_type = "application/json",
                    .headers = {},
                    .body = options_.openapi,
                    .feed = nullptr});
  }
  if (request.method == "GET" && leads_to_front(request.target))
    return respond(see_other(web::front_page));
  if (const auto page = web::find_page(path_of(request.target)); page && request.method == "GET")
    return respond(page_reply(path, *page));
  if (request.method == "GET" && options_.odds != nullptr) {
    if (auto odds = options_.odds->find(path_of(request.target)))
      return respond({.status = 200,
                      .content_type = "application/json",
                      .headers = {},
                      .body = std::move(*odds),
                      .feed = nullptr});
  }
  if (path == "/v1/events" && request.method == "GET" &&
      request.accept.find("text/event-stream") != std::string::npos &&
      core::may(client->roles, "getEvents")) {
    auto query = stream_query(request);
    if (!query)
      return respond(gateway_problem(400, "malformed_request", query.error().detail, "never"));
    http::Reply reply;
    reply.feed = std::make_shared<RecordFeed>(service_, *client, std::move(*query));
    return respond(std::move(reply));
  }
  core::Client asking = *client;
  asking.public_key = std::move(request.peer.public_key);
  asking.chain = std::move(request.peer.chain);
  respond = with_link(request, std::move(respond));
  submit({.method = std::move(request.method),
          .path = std::move(request.target),
          .body = std::move(request.body),
          .client = std::move(asking),
          .idempotency_key = std::move(request.idempotency_key)},
         std::move(respond));
}

http::Respond Gateway::with_link(const http::Request& request, http::Respond respond) const {
  constexpr std::string_view bundles = "/v1/bundles/";
  if (options_.links == nullptr || request.method != "GET" || !request.target.starts_with(bundles))
    return respond;
  const std::string_view number = std::string_view(request.target).substr(bundles.size());
  std::uint64_t seq = 0;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), seq);
  if (read.ec != std::errc{} || read.ptr != number.data() + number.size()) return respond;
  return [respond = std::move(respond),
          link = "<" + options_.links->path(seq) + ">; rel=\"alternate\""](http::Reply reply) {
    if (reply.status == 200) reply.headers.emplace_back("Link", link);
    respond(std::move(reply));
  };
}

void Gateway::handle_public(const http::Request& request, http::Respond respond) {
  respond = in_language(request.accept_language, std::move(respond));
  if (!request.authorization.empty()) return handle_invited(request, std::move(respond));
  if (request.method != "GET") return respond(other_methods("GET", only_read));
  const std::string_view path = path_of(request.target);
  if (leads_to_front(path)) return respond(see_other(web::verify_page));
  if (const auto page = web::find_page(path); page && web::is_public_page(path))
    return respond(page_reply(path, *page));
  if (path == "/v1/roots" && !options_.roots.empty()) return respond(roots_reply(options_.roots));
  std::string asked;
  if (path == "/v1/checkpoint") asked = path;
  if (const auto claim = options_.links->claim(path))
    asked = "/v1/bundles/" + std::to_string(*claim);
  if (asked.empty()) {
    return respond(gateway_problem(
        404, "not_found", "here are /web/verify.html, /v1/checkpoint and bundles by their links",
        "never"));
  }
  submit({.method = "GET",
          .path = std::move(asked),
          .body = {},
          .client = public_reader(),
          .idempotency_key = {}},
         std::move(respond));
}

void Gateway::handle_invited(const http::Request& request, http::Respond respond) {
  if (auto refused = of_another_site(request, false)) return respond(std::move(*refused));
  if (auto refused = of_another_type(request)) return respond(std::move(*refused));
  const auto token = token_of(request.authorization);
  auto client = token ? service_.invited(*token) : std::nullopt;
  if (!client) {
    // The same for a wrong one, one that has ended, and what is none.
    auto reply = gateway_problem(401, "token_unknown",
                                 "the token of this request opens nothing here", "never");
    reply.headers.emplace_back("WWW-Authenticate", "Bearer");
    return respond(std::move(reply));
  }
  submit({.method = request.method,
          .path = request.target,
          .body = request.body,
          .client = std::move(*client),
          .idempotency_key = {}},
         std::move(respond));
}

/// What the log before has answered is answered from there: a request never draws twice (PROTOCOL
/// section 2).
void Gateway::submit(core::Request request, http::Respond respond) {
  const std::string path(path_of(request.path));
  if (options_.earlier && options_.earlier_lost) {
    if (auto reply = options_.earlier(request)) return respond(from_core(std::move(*reply), path));
    if (auto lost = options_.earlier_lost(request)) {
      return service_.submit(
          std::move(request),
          [respond = std::move(respond), path, lost = std::move(*lost)](core::Reply reply) mutable {
            respond(from_core(reply.status == 404 ? std::move(lost) : std::move(reply), path));
          });
    }
  }
  service_.submit(std::move(request), [respond = std::move(respond), path](core::Reply reply) {
    respond(from_core(std::move(reply), path));
  });
}

}  // namespace talla::rngd
