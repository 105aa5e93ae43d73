// What a reply looks like on the wire, and what the server itself answers.
#include "reply_text.hpp"

#include <boost/beast/http/status.hpp>

namespace talla::http {

std::string head_of(const Reply& reply) {
  namespace http = boost::beast::http;
  std::string head = "HTTP/1.1 " + std::to_string(reply.status) + ' ';
  head += http::obsolete_reason(http::int_to_status(reply.status));
  head += "\r\nContent-Type: " + (reply.feed ? "text/event-stream" : reply.content_type) +
          "\r\nCache-Control: no-store\r\n";
  for (const auto& [name, value] : reply.headers) head += name + ": " + value + "\r\n";
  return head;
}

Reply refusal(unsigned status, const std::string& code, const std::string& detail) {
  std::string plain;
  for (const char c : detail) plain += c == '"' || c == '\\' || c < ' ' ? ' ' : c;
  const bool later = status == 429;
  std::vector<std::pair<std::string, std::string>> headers;
  if (later) headers.emplace_back("Retry-After", "1");
  return {.status = status,
          .content_type = "application/problem+json",
          .headers = std::move(headers),
          .body = R"({"code":")" + code + R"(","detail":")" + plain + R"(","retry":")" +
                  (later ? "after" : "never") + R"(","status":)" + std::to_string(status) +
                  R"(,"title":")" + code + R"(","type":"urn:talla:problem:)" + code + R"("})",
          .feed = nullptr};
}

std::string alternatives(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : " or ") + name;
  return text;
}

}  // namespace talla::http
