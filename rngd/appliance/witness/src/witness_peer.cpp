#include "witness/witness_peer.hpp"

#include <fmt/format.h>

#include <charconv>

#include "format/submission.hpp"
#include "http/client.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::rngd {
namespace {

constexpr int requests_max = 3;

Result<std::uint64_t> parse_size(std::string_view body) {
  if (body.ends_with('\n')) body.remove_suffix(1);
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), size);
  if (error != std::errc{} || end != body.data() + body.size())
    return fail(WitnessErrc::unreachable, "409 without a size");
  return size;
}

}  // namespace

std::string_view errc_name(WitnessErrc errc) {
  switch (errc) {
    case WitnessErrc::bad_url:
      return "bad_url";
    case WitnessErrc::unreachable:
      return "witness_unreachable";
    case WitnessErrc::refused:
      return "witness_refused";
    case WitnessErrc::ahead:
      return "witness_ahead";
    case WitnessErrc::different:
      return "witness_different";
    case WitnessErrc::forgot:
      return "witness_forgot";
  }
  return "unknown";
}

Result<WitnessUrl> WitnessUrl::parse(std::string_view text) {
  const auto refuse = [&] {
    return fail(WitnessErrc::bad_url,
                std::string(text) + ": http[s]://HOST[:PORT][/PREFIX] is expected");
  };
  WitnessUrl url;
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    url.tls = true;
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else {
    return refuse();
  }
  const std::size_t slash = rest.find('/');
  std::string_view authority = rest.substr(0, slash);
  if (slash != std::string_view::npos) url.prefix = std::string(rest.substr(slash));
  while (url.prefix.ends_with('/')) url.prefix.pop_back();
  url.port = url.tls ? 443 : 80;
  const bool bracket = authority.starts_with('[');
  const std::size_t close = bracket ? authority.find(']') : 0;
  if (close == std::string_view::npos) return refuse();
  const std::size_t colon = authority.find(':', close);
  if (colon != std::string_view::npos) {
    const std::string_view port = authority.substr(colon + 1);
    const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
    if (error != std::errc{} || end != port.data() + port.size() || url.port == 0) return refuse();
    authority = authority.substr(0, colon);
  }
  if (bracket) authority = authority.substr(1, close - 1);
  url.host = std::string(authority);
  const bool strange = text.find_first_of(" \t\r\n@?#") != std::string_view::npos;
  return url.host.empty() || strange ? Result<WitnessUrl>(refuse()) : url;
}

struct WitnessPeer::Http {
  WitnessUrl url;
  std::unique_ptr<http::Client> client;

  Result<http::ClientReply> send(const std::string& method, const std::string& path,
                                 std::string body) {
    http::Request request;
    request.method = method;
    request.target = url.prefix + path;
    request.body = std::move(body);
    request.content_type = "text/plain; charset=utf-8";
    auto reply = client->send(request);
    // A connection that was kept alive may be gone by now; both requests may be repeated.
    if (!reply) reply = client->send(request);
    if (!reply) return fail(WitnessErrc::unreachable, reply.error().text());
    return reply;
  }
};

WitnessPeer::WitnessPeer(WitnessEndpoint endpoint, std::string origin, unsigned timeout_seconds)
    : endpoint_(std::move(endpoint)),
      origin_(std::move(origin)),
      timeout_seconds_(timeout_seconds) {}
WitnessPeer::~WitnessPeer() = default;

Result<std::string> WitnessPeer::accept(const PushedHead& head, const std::string& body) {
  const auto note = certs::parse_note(head.note + body);
  if (!note) return fail(WitnessErrc::unreachable, "the reply is no signature line");
  const auto checked = certs::check_cosignature(*note, endpoint_.key, certs::BotanEd25519());
  if (checked.state != certs::Signed::valid)
    return fail(WitnessErrc::unreachable,
                "the reply holds no valid cosignature of " + endpoint_.key.name);
  for (const certs::NoteSignature& line : note->signatures) {
    if (line.name == endpoint_.key.name && line.key_id == endpoint_.key.key_id)
      return certs::signature_line(line.name, line.key_id, line.signature);
  }
  return fail(WitnessErrc::unreachable, "no line of " + endpoint_.key.name);
}

Result<std::string> WitnessPeer::push(certs::Prover& prover, const PushedHead& head) {
  if (!http_) {
    TALLA_TRY(WitnessUrl url, WitnessUrl::parse(endpoint_.url));
    http::ClientOptions options{
        .host = url.host, .port = url.port, .server_name = url.host, .files = {}};
    options.files.trusted = endpoint_.roots;
    options.timeout_seconds = timeout_seconds_;
    options.tls = url.tls;
    TALLA_TRY(auto client, http::Client::create(std::move(options)));
    http_ = std::make_unique<Http>(Http{std::move(url), std::move(client)});
  }
  std::uint64_t old_size = known_size_;
  for (int i = 0; i < requests_max; ++i) {
    if (old_size > head.size) {
      return fail(WitnessErrc::ahead, fmt::format("it has cosigned {} records, this log holds {}",
                                                  old_size, head.size));
    }
    certs::Submission submission{.old_size = old_size, .proof = {}, .note = head.note};
    if (old_size > 0) {
      TALLA_TRY(submission.proof, prover.consistency(old_size, head.size));
    }
    TALLA_TRY(const auto reply,
              http_->send("POST", "/add-checkpoint", certs::format_submission(submission)));
    if (reply.status == 200) {
      TALLA_TRY(std::string line, accept(head, reply.body));
      known_size_ = head.size;
      return line;
    }
    if (reply.status == 409) {
      TALLA_TRY(const std::uint64_t size, parse_size(reply.body));
      if (size < known_size_) {
        const std::uint64_t before = std::exchange(known_size_, size);
        return fail(WitnessErrc::forgot,
                    fmt::format("it says {} records, and has cosigned {} before", size, before));
      }
      if (size > head.size && size <= prover.size())
        return fail(WitnessErrc::unreachable,
                    "somebody else has sent it a newer checkpoint of this log");
      old_size = size;
    } else if (reply.status == 422) {
      return fail(WitnessErrc::different, "it has cosigned another history: " + reply.body);
    } else if (reply.status == 403 || reply.status == 404) {
      return fail(WitnessErrc::refused, fmt::format("{}: {}", reply.status, reply.body));
    } else {
      return fail(WitnessErrc::unreachable,
                  fmt::format("{}: {}", reply.status, reply.body.substr(0, 200)));
    }
  }
  return fail(WitnessErrc::unreachable, "its size changes with every request");
}

Result<std::string> WitnessPeer::served_checkpoint(const HashSuite& hashes) {
  if (!http_) return fail(WitnessErrc::unreachable, "never reached");
  TALLA_TRY(
      const auto reply,
      http_->send("GET", "/" + to_hex(hashes.sha256({as_bytes(origin_)})) + "/checkpoint", {}));
  if (reply.status != 200) return fail(WitnessErrc::unreachable, fmt::format("{}", reply.status));
  return reply.body;
}

}  // namespace talla::rngd
