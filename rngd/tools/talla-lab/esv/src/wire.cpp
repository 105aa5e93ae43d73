// Requests and answers of the ESV protocol.
#include "wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/bytes.hpp"
#include "certs/openssl_hashes.hpp"
#include "lab_esv/esv.hpp"
#include "numbers.hpp"

namespace talla::lab::esv {

namespace {

constexpr std::int64_t window_seconds = 30;
constexpr std::int64_t token_left_least = 120;
constexpr std::size_t words_most = 600;
constexpr unsigned answer_seconds = 120;

tl::unexpected<Error> wire_refused(const std::string& what) {
  return fail(EsvErrc::esv_refused, what);
}

std::int64_t unix_now() {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

struct Address {
  std::string host;
  std::uint16_t port = 443;
  std::string base;
};

Result<Address> address_of(const std::string& server) {
  constexpr std::string_view scheme = "https://";
  const auto refuse = [&] {
    return wire_refused(server + ": a server is https://HOST[:PORT]/PATH");
  };
  if (!server.starts_with(scheme)) return refuse();
  const std::string rest = server.substr(scheme.size());
  const std::size_t slash = rest.find('/');
  Address out;
  out.host = rest.substr(0, slash);
  out.base = slash == std::string::npos ? "" : rest.substr(slash);
  while (out.base.ends_with('/')) out.base.pop_back();
  if (const std::size_t colon = out.host.find(':'); colon != std::string::npos) {
    const std::string port = out.host.substr(colon + 1);
    const auto done = std::from_chars(port.data(), port.data() + port.size(), out.port);
    if (done.ec != std::errc{} || done.ptr != port.data() + port.size() || out.port == 0)
      return refuse();
    out.host.resize(colon);
  }
  if (out.host.empty() || out.base.empty()) return refuse();
  return out;
}

/// A server's JSON in the house's subset: decimals, large numbers and null become texts.
std::string as_subset(std::string_view text) {
  constexpr std::size_t digits_most = 15;
  std::string out;
  bool inside = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (inside) {
      const std::size_t size = c == '\\' && i + 1 < text.size() ? 2 : 1;
      inside = c != '"';
      out += text.substr(i, size);
      i += size;
      continue;
    }
    if (c == '-' || (c >= '0' && c <= '9')) {
      const std::size_t end = std::min(text.find_first_not_of("+-.0123456789eE", i), text.size());
      const std::string_view number = text.substr(i, end - i);
      const bool plain =
          number.find_first_of(".eE") == std::string_view::npos && number.size() <= digits_most;
      out += plain ? std::string(number) : '"' + std::string(number) + '"';
      i = end;
      continue;
    }
    if (text.substr(i).starts_with("null")) {
      out += "\"null\"";
      i += std::string_view("null").size();
      continue;
    }
    inside = c == '"';
    out += c;
    ++i;
  }
  return out;
}

/// Every word that an error body says, in its order.
void gather_words(const json::Value& value, bool said, std::string& out) {
  constexpr std::array telling{std::string_view("error"),     std::string_view("errors"),
                               std::string_view("errorList"), std::string_view("messageList"),
                               std::string_view("context"),   std::string_view("location")};
  if (value.is_string() && said && out.find(value.string()) == std::string::npos)
    out += (out.empty() ? "" : "; ") + value.string();
  if (value.is_array())
    for (const json::Value& one : value.array()) gather_words(one, said, out);
  if (value.is_object())
    for (const auto& [name, member] : value.object())
      gather_words(member, std::ranges::find(telling, name) != telling.end(), out);
}

/// In one line, for a terminal.
std::string printable(std::string text) {
  if (text.size() > words_most) text.resize(words_most);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7F') c = ' ';
  return text;
}

std::string words_of(const http::ClientReply& reply) {
  std::string words;
  if (const auto parsed = json::parse(as_subset(reply.body))) gather_words(*parsed, false, words);
  if (words.empty()) words = reply.body.empty() ? "no words" : reply.body;
  return printable(std::move(words));
}

Result<json::Value> second_part(const http::ClientReply& reply, const std::string& what) {
  auto parsed = json::parse(as_subset(reply.body));
  if (!parsed) return wire_refused(what + ": the answer is no JSON: " + parsed.error().detail);
  const bool envelope = parsed->is_array() && parsed->array().size() == 2;
  const json::Value* said = envelope ? parsed->array().front().find("esvVersion") : nullptr;
  if (said == nullptr || *said != json::Value("1.0"))
    return wire_refused(what + ": the answer is not [{\"esvVersion\":\"1.0\"}, ...]");
  return std::move(parsed->array().back());
}

/// When a token ends; 0: it does not say.
std::int64_t end_of_token(const std::string& token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == std::string::npos ? first : token.find('.', first + 1);
  if (second == std::string::npos) return 0;
  const auto claims = from_base64url(token.substr(first + 1, second - first - 1));
  if (!claims) return 0;
  const auto parsed = json::parse(as_subset(as_text(*claims)));
  const json::Value* end = parsed ? parsed->find("exp") : nullptr;
  return end != nullptr && end->is_integer() ? end->integer() : 0;
}

Result<std::string> token_in(const json::Value& part, const std::string& what) {
  const json::Value* token = part.find("accessToken");
  if (token == nullptr || !token->is_string() || token->string().empty())
    return wire_refused(what + ": the answer has no accessToken");
  return token->string();
}

std::string boundary_for(const std::vector<FormPart>& parts) {
  std::string boundary = "talla-lab-part";
  const auto occurs = [&] {
    return std::ranges::any_of(parts, [&](const FormPart& one) {
      return one.content.find(boundary) != std::string::npos;
    });
  };
  while (occurs()) boundary += "-x";
  return boundary;
}

}  // namespace

Result<std::string> one_time_password(std::string_view secret, std::int64_t unix_seconds) {
  std::string plain(secret);
  std::erase_if(plain, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
  const auto key = from_base64(plain);
  if (!key || key->empty())
    return wire_refused("the secret of the one-time passwords is no base64");
  const auto counter =
      ByteWriter().u64(static_cast<std::uint64_t>(unix_seconds / window_seconds)).take();
  const Digest mac = certs::OpensslHashes().hmac_key(*key)->mac({ByteView(counter)});
  // RFC 4226 5.3: four bytes at the place that the last half byte names, without their first bit.
  const std::size_t at = mac.back() & 0x0FU;
  const std::uint32_t code = (static_cast<std::uint32_t>(mac.at(at) & 0x7FU) << 24U) |
                             (static_cast<std::uint32_t>(mac.at(at + 1)) << 16U) |
                             (static_cast<std::uint32_t>(mac.at(at + 2)) << 8U) |
                             static_cast<std::uint32_t>(mac.at(at + 3));
  return fmt::format("{:08}", code % 100'000'000U);
}

Result<Wire> Wire::open(const SendWish& wish) {
  TALLA_TRY(const Address address, address_of(wish.server));
  std::ifstream file(wish.totp, std::ios::binary);
  std::stringstream secret;
  secret << file.rdbuf();
  if (!file) return wire_refused(wish.totp + ": cannot be read");
  if (const auto tried = one_time_password(secret.str(), 0); !tried)
    return wire_refused(wish.totp + ": " + tried.error().detail);
  http::ClientOptions options{
      .host = address.host,
      .port = address.port,
      .server_name = address.host,
      .files = {.certificate = wish.certificate, .key = wish.key, .trusted = wish.root},
      .timeout_seconds = answer_seconds,
      .tls = true};
  auto client = http::Client::create(std::move(options));
  if (!client) return wire_refused(client.error().detail);
  return Wire(std::move(*client), address.base, secret.str());
}

Result<json::Value> Wire::exchange(const http::Request& request) {
  const std::string what = request.method + " " + request.target;
  const auto reply = client_->send(request);
  if (!reply) {
    const std::string& why = reply.error().detail;
    return wire_refused(what + ": " + why.substr(0, why.find("; the same request")) +
                        "; the same line goes on where this one ended");
  }
  status_ = reply->status;
  if (reply->status != 200 && reply->status != 201)
    return wire_refused(
        fmt::format("{}: the server says {}: {}", what, reply->status, words_of(*reply)));
  return second_part(*reply, what);
}

Result<json::Value> Wire::post(const std::string& path, const std::string& token,
                               const json::Value& body) {
  http::Request request;
  request.method = "POST";
  request.target = path;
  if (!token.empty()) request.authorization = "Bearer " + token;
  request.body = plain_json(json::Array{json::Object{{"esvVersion", "1.0"}}, body});
  return exchange(request);
}

Result<json::Value> Wire::post_form(const std::string& path, const std::string& token,
                                    const std::vector<FormPart>& parts) {
  const std::string boundary = boundary_for(parts);
  http::Request request;
  request.method = "POST";
  request.target = path;
  request.authorization = "Bearer " + token;
  request.content_type = "multipart/form-data; boundary=" + boundary;
  for (const FormPart& part : parts) {
    request.body +=
        "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + part.name + '"';
    if (!part.file.empty())
      request.body += "; filename=\"" + part.file + "\"\r\nContent-Type: application/octet-stream";
    request.body += "\r\n\r\n" + part.content + "\r\n";
  }
  request.body += "--" + boundary + "--\r\n";
  return exchange(request);
}

Result<json::Value> Wire::get(const std::string& path, const std::string& token) {
  http::Request request;
  request.method = "GET";
  request.target = path;
  request.authorization = "Bearer " + token;
  return exchange(request);
}

Result<std::string> Wire::token_for(const std::string& old) {
  constexpr unsigned forbidden = 403;
  constexpr int tries = 3;
  const std::string path = base_ + "/login";
  for (int i = 0;; ++i) {
    while (unix_now() / window_seconds == window_)
      std::this_thread::sleep_for(std::chrono::seconds(1));
    const std::int64_t now = unix_now();
    window_ = now / window_seconds;
    TALLA_TRY(std::string password, one_time_password(secret_, now));
    json::Object body{{"password", std::move(password)}};
    if (!old.empty()) body.emplace("accessToken", old);
    status_ = 0;
    const auto part = post(path, "", body);
    if (part) return token_in(*part, "POST " + path);
    const bool used =
        status_ == forbidden && part.error().detail.find("indow") != std::string::npos;
    if (!used || i + 1 == tries) return tl::unexpected(part.error());
  }
}

Status Wire::login() {
  if (!token_.empty() && unix_now() + token_left_least < end_of_token(token_)) return {};
  TALLA_TRY(token_, token_for(""));
  return {};
}

Result<std::string> Wire::fresh(std::string token) {
  const std::int64_t end = end_of_token(token);
  if (end == 0 || unix_now() + token_left_least < end) return token;
  return token_for(token);
}

}  // namespace talla::lab::esv
