// The two directions of JSON text: the RFC 8785 writer and the strict reader.
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "base/json.hpp"
#include "json_limits.hpp"
#include "json_scan.hpp"

namespace talla::json {

namespace {

/// What RFC 8785 section 3.2.2.2 asks for a character that cannot stand as it is.
void write_escape(char c, std::string& out) {
  switch (c) {
    case '"':
      out += "\\\"";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default: {
      std::array<char, 8> escape{};
      static_cast<void>(
          std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c)));
      out += escape.data();
    }
  }
}

/// Runs of plain characters are copied whole: records are mostly hex and base64.
void write_string(std::string_view text, std::string& out) {
  out.push_back('"');
  while (true) {
    const std::size_t run = plain_run(text);
    out.append(text, 0, run);
    if (run == text.size()) break;
    const char c = text[run];
    if (static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\') {
      out.push_back(c);
    } else {
      write_escape(c, out);
    }
    text.remove_prefix(run + 1);
  }
  out.push_back('"');
}

/// The UTF-16 code units of UTF-8 text, big-endian: RFC 8785 section 3.2.3 sorts keys by them.
std::u16string utf16_of(std::string_view text) {
  std::u16string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t size = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    char32_t point = size == 1 ? lead : lead & (0xFFU >> (size + 1));
    for (std::size_t k = 1; k < size && i + k < text.size(); ++k) {
      point = (point << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    }
    i += size;
    if (point >= 0x10000) {
      out.push_back(static_cast<char16_t>(0xD800 + ((point - 0x10000) >> 10)));
      out.push_back(static_cast<char16_t>(0xDC00 + ((point - 0x10000) & 0x3FF)));
    } else {
      out.push_back(static_cast<char16_t>(point));
    }
  }
  return out;
}

void write(const Value& value, std::string& out);

void write_member(const Object::value_type& member, std::string& out) {
  if (out.back() != '{') out.push_back(',');
  write_string(member.first, out);
  out.push_back(':');
  write(member.second, out);
}

void write_object(const Object& object, std::string& out) {
  const bool ascii = std::all_of(object.begin(), object.end(), [](const auto& member) {
    return std::all_of(member.first.begin(), member.first.end(), [](char c) { return c > 0; });
  });
  out.push_back('{');
  if (ascii) {  // the order they have is the one asked for
    for (const auto& member : object) write_member(member, out);
  } else {
    std::vector<const Object::value_type*> members;
    for (const auto& member : object) members.push_back(&member);
    std::sort(members.begin(), members.end(),
              [](const auto* a, const auto* b) { return utf16_of(a->first) < utf16_of(b->first); });
    for (const auto* member : members) write_member(*member, out);
  }
  out.push_back('}');
}

void write(const Value& value, std::string& out) {
  if (value.is_bool()) {
    out += value.boolean() ? "true" : "false";
  } else if (value.is_integer()) {
    std::array<char, 24> digits{};
    auto* const end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value.integer()).ptr;
    out.append(digits.data(), end);
  } else if (value.is_string()) {
    write_string(value.string(), out);
  } else if (value.is_array()) {
    out.push_back('[');
    bool first = true;
    for (const Value& item : value.array()) {
      if (!first) out.push_back(',');
      first = false;
      write(item, out);
    }
    out.push_back(']');
  } else {
    write_object(value.object(), out);
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Value> document() {
    if (text_.size() > text_size_max) return error("text is longer than 8 MiB");
    TALLA_TRY(Value value, value_at(0));
    skip_space();
    if (at_ != text_.size()) return error("text goes on after the value");
    return value;
  }

 private:
  tl::unexpected<Error> error(const std::string& what) const {
    return fail(BaseErrc::malformed_json, "JSON at byte " + std::to_string(at_) + ": " + what);
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() &&
           (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r'))
      ++at_;
  }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  Result<Value> value_at(int depth) {
    if (depth > depth_max) return error("nested deeper than 32");
    skip_space();
    if (at_ >= text_.size()) return error("text ends where a value is expected");
    const char c = peek();
    if (c == '{') return object_at(depth);
    if (c == '[') return array_at(depth);
    if (c == '"') {
      TALLA_TRY(std::string text, string_at());
      return Value(std::move(text));
    }
    if (c == '-' || (c >= '0' && c <= '9')) return integer_at();
    if (take_word("true")) return Value(true);
    if (take_word("false")) return Value(false);
    if (take_word("null")) return error("null is not used here; leave the member out");
    return error("a value is expected");
  }

  Result<Value> integer_at() {
    const std::size_t start = at_;
    const bool negative = take('-');
    const std::size_t digits = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    const std::string_view number = text_.substr(digits, at_ - digits);
    if (number.empty()) return error("a digit is expected");
    if (number.size() > 1 && number[0] == '0') return error("a number must not begin with 0");
    if (negative && number == "0") return error("-0 is not an integer of this format");
    if (peek() == '.' || peek() == 'e' || peek() == 'E')
      return error("only integers are used here, no fractions or exponents");
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text_.data() + start, text_.data() + at_, value);
    if (parsed.ec != std::errc{} || value > integer_max || value < -integer_max) {
      return error("integer beyond 2^53 - 1; larger numbers are written as strings");
    }
    return Value(value);
  }

  Result<Value> array_at(int depth) {
    ++at_;
    Array array;
    skip_space();
    if (take(']')) return Value(std::move(array));
    while (true) {
      TALLA_TRY(Value item, value_at(depth + 1));
      array.push_back(std::move(item));
      skip_space();
      if (take(']')) return Value(std::move(array));
      if (!take(',')) return error("',' or ']' is expected");
    }
  }

  Result<Value> object_at(int depth) {
    ++at_;
    Object object;
    skip_space();
    if (take('}')) return Value(std::move(object));
    while (true) {
      skip_space();
      if (peek() != '"') return error("a member name is expected");
      TALLA_TRY(std::string key, string_at());
      if (object.contains(key)) return error("member \"" + key + "\" appears twice");
      skip_space();
      if (!take(':')) return error("':' is expected");
      TALLA_TRY(Value value, value_at(depth + 1));
      object.emplace(key, std::move(value));
      skip_space();
      if (take('}')) return Value(std::move(object));
      if (!take(',')) return error("',' or '}' is expected");
    }
  }

  Result<char32_t> hex4() {
    char32_t unit = 0;
    for (int k = 0; k < 4; ++k) {
      const char c = peek();
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return error("four hex digits are expected after \\u");
      unit = unit << 4 | static_cast<char32_t>(digit);
      ++at_;
    }
    return unit;
  }

  static void append_utf8(char32_t point, std::string& out) {
    const auto push = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
    if (point < 0x80) {
      push(point);
    } else if (point < 0x800) {
      push(0xC0 | point >> 6);
      push(0x80 | (point & 0x3F));
    } else if (point < 0x10000) {
      push(0xE0 | point >> 12);
      push(0x80 | (point >> 6 & 0x3F));
      push(0x80 | (point & 0x3F));
    } else {
      push(0xF0 | point >> 18);
      push(0x80 | (point >> 12 & 0x3F));
      push(0x80 | (point >> 6 & 0x3F));
      push(0x80 | (point & 0x3F));
    }
  }

  Status escape_at(std::string& out) {
    const char c = peek();
    ++at_;
    switch (c) {
      case '"':
      case '\\':
      case '/':
        out.push_back(c);
        return {};
      case 'b':
        out.push_back('\b');
        return {};
      case 'f':
        out.push_back('\f');
        return {};
      case 'n':
        out.push_back('\n');
        return {};
      case 'r':
        out.push_back('\r');
        return {};
      case 't':
        out.push_back('\t');
        return {};
      case 'u':
        break;
      default:
        return error("unknown escape");
    }
    TALLA_TRY(char32_t point, hex4());
    if (point >= 0xDC00 && point <= 0xDFFF) return error("lone surrogate");
    if (point >= 0xD800 && point <= 0xDBFF) {
      if (!take_word("\\u")) return error("lone surrogate");
      TALLA_TRY(const char32_t low, hex4());
      if (low < 0xDC00 || low > 0xDFFF) return error("lone surrogate");
      point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(point, out);
    return {};
  }

  /// One well-formed UTF-8 sequence (RFC 3629: shortest form, no surrogates) is copied.
  Status utf8_at(std::string& out) {
    const auto lead = static_cast<unsigned char>(text_[at_]);
    const std::size_t size = lead >= 0xC2 && lead <= 0xDF   ? 2
                             : lead >= 0xE0 && lead <= 0xEF ? 3
                             : lead >= 0xF0 && lead <= 0xF4 ? 4
                                                            : 0;
    if (size == 0 || at_ + size > text_.size()) return error("malformed UTF-8");
    for (std::size_t k = 1; k < size; ++k) {
      if ((static_cast<unsigned char>(text_[at_ + k]) & 0xC0U) != 0x80U)
        return error("malformed UTF-8");
    }
    const auto second = static_cast<unsigned char>(text_[at_ + 1]);
    const bool bad = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
                     (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F);
    if (bad) return error("malformed UTF-8");
    out.append(text_.substr(at_, size));
    at_ += size;
    return {};
  }

  Result<std::string> string_at() {
    ++at_;
    std::string out;
    while (true) {
      const std::size_t run = plain_run(text_.substr(at_));
      out.append(text_, at_, run);
      at_ += run;
      if (at_ >= text_.size()) return error("text ends inside a string");
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return out;
      }
      if (c == '\\') {
        ++at_;
        TALLA_TRY_STATUS(escape_at(out));
      } else if (c < 0x20) {
        return error("control character inside a string");
      } else if (c < 0x80) {
        out.push_back(static_cast<char>(c));
        ++at_;
      } else {
        TALLA_TRY_STATUS(utf8_at(out));
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string canonical(const Value& value) {
  std::string out;
  write(value, out);
  return out;
}

Result<Value> parse(std::string_view text) {
  return Parser(text).document();
}

}  // namespace talla::json
