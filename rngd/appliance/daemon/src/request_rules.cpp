// Which requests are taken at all: JSON, and not of another site.
#include "request_rules.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "core/request.hpp"

namespace talla::rngd {

namespace {

constexpr const char* json_type = "application/json";

char small(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_text(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, small, small);
}

/// Without its parameters (RFC 9110 section 8.3.1).
std::string_view media_type_of(std::string_view value) {
  value = value.substr(0, value.find(';'));
  const auto end = value.find_last_not_of(" \t");
  return end == std::string_view::npos ? std::string_view() : value.substr(0, end + 1);
}

}  // namespace

http::Reply gateway_problem(unsigned status, const std::string& code, const std::string& detail,
                            const char* retry) {
  json::Value body;
  body["code"] = code;
  body["detail"] = detail;
  body["retry"] = retry;
  body["status"] = status;
  body["title"] = code;
  body["type"] = "urn:talla:problem:" + code;
  return {.status = status,
          .content_type = core::problem_type,
          .headers = {},
          .body = json::canonical(body),
          .feed = nullptr};
}

http::Reply other_methods(const std::string& allowed, const std::string& detail) {
  auto reply = gateway_problem(405, "method_not_allowed", detail, "never");
  reply.headers.emplace_back("Allow", allowed);
  return reply;
}

std::optional<http::Reply> of_another_site(const http::Request& request, bool to_page) {
  const auto refused = [] {
    return gateway_problem(403, "cross_site",
                           "a page of another site asks for this; open the appliance's own page",
                           "never");
  };
  // A page of another scheme, name or port, and one that hides its origin (`null`).
  if (!request.origin.empty() && !equal_text(request.origin, "https://" + request.host))
    return refused();
  const std::string_view site = request.fetch_site;
  if (site.empty() || site == "same-origin" || site == "none") return std::nullopt;
  const bool follows_a_link = request.method == "GET" && request.fetch_mode == "navigate" &&
                              (request.fetch_dest.empty() || request.fetch_dest == "document");
  if (to_page && follows_a_link) return std::nullopt;
  return refused();
}

std::optional<http::Reply> of_another_type(const http::Request& request) {
  if (request.method != "POST" || equal_text(media_type_of(request.content_type), json_type))
    return std::nullopt;
  auto reply = gateway_problem(415, "unsupported_media_type",
                               "a command is sent with Content-Type: application/json", "never");
  reply.headers.emplace_back("Accept", json_type);
  return reply;
}

}  // namespace talla::rngd
