// Canonical text is read in one pass when its strings are plain, as those of records are. Whatever that pass does not know is
// read by the strict reader and compared with what the writer makes of it; so is all that it refuses, for the words.
#include <charconv>
#include <optional>

#include "base/json.hpp"
#include "json_limits.hpp"
#include "json_scan.hpp"

namespace talla::json {

namespace {

class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : text_(text) {}

  /// False: not canonical, or not plain.
  [[nodiscard]] bool document(Value& out) {
    return text_.size() <= text_size_max && value(out, 0) && at_ == text_.size();
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool value(Value& out, int depth) {
    if (depth > depth_max) return false;
    switch (peek()) {
      case '"': {
        std::string_view found;
        if (!string(found)) return false;
        out = Value(found);
        return true;
      }
      case '{':
        return object(out, depth);
      case '[':
        return array(out, depth);
      case 't':
        out = Value(true);
        return take_word("true");
      case 'f':
        out = Value(false);
        return take_word("false");
      default:
        return integer(out);
    }
  }

  bool string(std::string_view& out) {
    if (!take('"')) return false;
    const std::size_t size = plain_run(text_.substr(at_));
    out = text_.substr(at_, size);
    at_ += size;
    return take('"');
  }

  bool integer(Value& out) {
    const std::size_t start = at_;
    const bool negative = take('-');
    const std::size_t digits = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    if (at_ == digits) return false;
    if (text_[digits] == '0' && (negative || at_ - digits > 1)) return false;
    std::int64_t found = 0;
    const auto parsed = std::from_chars(text_.data() + start, text_.data() + at_, found);
    if (parsed.ec != std::errc{} || found > integer_max || found < -integer_max) return false;
    out = Value(found);
    return true;
  }

  bool array(Value& out, int depth) {
    ++at_;
    out = Value(Array());
    if (take(']')) return true;
    Array& items = out.array();
    do {
      if (!value(items.emplace_back(), depth + 1)) return false;
    } while (take(','));
    return take(']');
  }

  bool object(Value& out, int depth) {
    ++at_;
    out = Value(Object());
    if (take('}')) return true;
    Object& members = out.object();
    members.reserve(depth == 0 ? members_usual : members_inside_usual);
    std::string_view last;
    do {
      std::string_view key;
      if (!string(key) || !take(':')) return false;
      if (!members.empty() && key <= last) return false;
      last = key;
      if (!value(members.emplace(key, Value()).first->second, depth + 1)) return false;
    } while (take(','));
    return take('}');
  }

  static constexpr std::size_t members_usual = 16;
  static constexpr std::size_t members_inside_usual = 4;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Result<Value> parse_canonical(std::string_view text) {
  if (Value plain; PlainReader(text).document(plain)) return plain;
  TALLA_TRY(Value value, parse(text));
  if (canonical(value) != text)
    return fail(BaseErrc::not_canonical, "JSON is valid but not in its canonical form (RFC 8785)");
  return value;
}

}  // namespace talla::json
