// Goal: no bytes end the reader of heads; a head that it takes means one thing: its lines as RFC
//       9112 has them, one Host, one length; another reader of HTTP sees the same request end at
//       the same byte, so that no request hides in another one.
// Method: one input is what a network brings. The head is found in one piece and in pieces, judged,
//         taken apart again line by line after the RFC's text, and read by Boost.Beast. The first
//         line of the input up to NUL, if there is one, is a Host that is held against names.
#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "request_head.hpp"

namespace {

namespace beast = boost::beast;
namespace http = talla::http;

bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || marks.find(c) != std::string_view::npos;
  });
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// What a head that was taken must be, line by line.
void judge_lines(std::string_view head) {
  TALLA_CHECK(head.ends_with("\r\n\r\n"));
  head.remove_suffix(2);
  int hosts = 0;
  int lengths = 0;
  int codings = 0;
  bool first = true;
  while (!head.empty()) {
    const auto end = head.find("\r\n");
    TALLA_CHECK(end != std::string_view::npos);
    const auto line = head.substr(0, end);
    head.remove_prefix(end + 2);
    for (const char c : line) {
      const auto byte = static_cast<unsigned char>(c);
      TALLA_CHECK((byte >= 0x20 || byte == '\t') && byte != 0x7f);
    }
    if (first) {
      first = false;
      const auto method = line.substr(0, line.find(' '));
      TALLA_CHECK(is_token(method) && line.size() > method.size() + 1);
      TALLA_CHECK(line[method.size() + 1] == '/');
      TALLA_CHECK(line.ends_with(" HTTP/1.1") || line.ends_with(" HTTP/1.0"));
      continue;
    }
    TALLA_CHECK(!line.empty() && line.front() != ' ' && line.front() != '\t');
    const auto colon = line.find(':');
    TALLA_CHECK(colon != std::string_view::npos && is_token(line.substr(0, colon)));
    const auto name = lower(line.substr(0, colon));
    hosts += name == "host" ? 1 : 0;
    lengths += name == "content-length" ? 1 : 0;
    codings += name == "transfer-encoding" ? 1 : 0;
  }
  TALLA_CHECK(hosts == 1);
  TALLA_CHECK(lengths + codings <= 1);
}

/// The other reader takes the head whole, and no byte behind it.
void judge_by_another_reader(std::string_view head) {
  beast::http::request_parser<beast::http::string_body> parser;
  parser.header_limit(1U << 20U);
  parser.body_limit(1U << 20U);
  parser.eager(false);
  beast::error_code error;
  std::size_t used = 0;
  while (used < head.size() && !parser.is_header_done() && !error)
    used += parser.put(boost::asio::buffer(head.substr(used)), error);
  TALLA_CHECK(error != beast::http::error::need_more);  // it would go on into the body
  if (error || !parser.is_header_done()) return;        // it may take less, and refuses then
  TALLA_CHECK(used == head.size());
  TALLA_CHECK(parser.get().count(beast::http::field::host) == 1);
  if (const auto length = parser.content_length()) TALLA_CHECK(!parser.chunked());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto cut = text.find('\0'); cut != std::string_view::npos) {
    static const std::vector<std::string> names{"localhost", "*.casino.example", "::1"};
    static_cast<void>(http::is_named(text.substr(0, cut), names));
    text.remove_prefix(cut + 1);
  }
  const std::size_t found = http::head_size(text, 0);
  TALLA_CHECK(found <= text.size());
  // Piece by piece, as it comes: the same end, and not before it is there.
  std::size_t looked_at = 0;
  for (std::size_t there = 1; there <= text.size(); there += 1 + there / 7) {
    const std::size_t sooner = http::head_size(text.substr(0, there), looked_at);
    TALLA_CHECK(sooner == (found != 0 && found <= there ? found : 0));
    if (sooner != 0) break;
    looked_at = there;
  }
  const auto head = text.substr(0, found);
  if (!http::head_fault(text).empty() && found == 0) return 0;
  if (found == 0 || !http::head_fault(head).empty()) return 0;
  judge_lines(head);
  judge_by_another_reader(head);
  return 0;
}
