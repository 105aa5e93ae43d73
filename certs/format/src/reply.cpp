#include "format/reply.hpp"

#include "format/errc.hpp"
#include "receipt_writer.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view member = "receipts";

/// Behind the closing quote of the string that begins at `at`; npos when it does not end.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

/// Behind a value that begins at `at`: the comma or bracket that follows it. npos when it does not
/// end.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_string(text, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}')) return at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at;
  }
  return std::string_view::npos;
}

/// Where `receipts` belongs among the members: the start of the first one behind it, or the closing
/// bracket. npos when the text is no object or has that member.
std::size_t place_in(std::string_view head) {
  if (head.size() < 2 || head.front() != '{' || head.back() != '}') return std::string_view::npos;
  std::size_t at = 1;
  while (at + 1 < head.size()) {
    if (head[at] != '"') return std::string_view::npos;
    const std::size_t name_end = end_of_string(head, at);
    if (name_end >= head.size() || head[name_end] != ':') return std::string_view::npos;
    const std::string_view name = head.substr(at + 1, name_end - at - 2);
    if (name == member) return std::string_view::npos;
    if (name > member) return at;
    const std::size_t end = end_of_value(head, name_end + 1);
    if (end >= head.size()) return std::string_view::npos;
    if (head[end] == '}') return end + 1 == head.size() ? end : std::string_view::npos;
    at = end + 1;
  }
  return at;
}

}  // namespace

Result<std::string> reply_text(std::string_view head, std::span<const Receipt> receipts) {
  const std::size_t place = place_in(head);
  if (place == std::string_view::npos) {
    return fail(FormatErrc::malformed_receipt,
                "reply: the head is no canonical object without receipts");
  }
  std::size_t size = head.size() + member.size() + 8;
  for (const Receipt& one : receipts) size += receipt_room(one);
  std::string text;
  text.reserve(size);
  text.append(head, 0, place);
  if (head[place] == '}' && place > 1) text += ',';
  TextWriter out(text);
  out.key(member).open('[');
  for (const Receipt& one : receipts) write_receipt(out, one);
  out.close(']');
  if (head[place] != '}') text += ',';
  text.append(head, place);
  return text;
}

}  // namespace talla::certs
