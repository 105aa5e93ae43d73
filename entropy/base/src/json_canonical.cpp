// Canonical text is read in one pass when its strings are plain, as those of records are. Whatever
// that pass does not know is read by the strict reader and compared with what the writer makes of
// it; so is all that it refuses, for the words.
#include <charconv>
#include <optional>

#include "base/json.hpp"
#include "json_limits.hpp"
#include "json_scan.hpp"

namespace talla::json {

/// Builds the value while it reads, each part where it stays.
class PlainReader {
 public:
  explicit PlainReader(std::string_view text) : text_(text) {}

  /// Empty: not canonical, or not plain.
  [[nodiscard]] std::optional<Value> document() {
    if (text_.size() > text_size_max) return std::nullopt;
    std::optional<Value> out(std::in_place, Made{*this, 0});
    if (!good_ || at_ != text_.size()) out.reset();
    return out;
  }

 private:
  /// Becomes the value that comes next, in the place that it is built for.
  struct Made {
    PlainReader& reader;
    int depth;
    operator Value() const { return reader.value(depth); }  // NOLINT: the conversion is the point
  };

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void need(bool condition) { good_ = good_ && condition; }
  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  /// After an error whatever is at hand; nobody sees it.
  Value value(int depth) {
    need(depth <= depth_max);
    if (!good_) return {false};
    switch (peek()) {
      case '"':
        return {string()};
      case '{':
        return {object(depth)};
      case '[':
        return {array(depth)};
      case 't':
        need(take_word("true"));
        return {true};
      case 'f':
        need(take_word("false"));
        return {false};
      default:
        return {integer()};
    }
  }

  std::string_view string() {
    need(take('"'));
    const std::size_t size = plain_run(text_.substr(at_));
    const std::string_view out = text_.substr(at_, size);
    at_ += size;
    need(take('"'));
    return out;
  }

  std::int64_t integer() {
    const std::size_t start = at_;
    const bool negative = take('-');
    const std::size_t digits = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    const std::size_t count = at_ - digits;
    need(count > 0 && (text_[digits] != '0' || (count == 1 && !negative)));
    std::int64_t out = 0;
    const auto parsed = std::from_chars(text_.data() + start, text_.data() + at_, out);
    need(parsed.ec == std::errc{} && out <= integer_max && out >= -integer_max);
    return good_ ? out : 0;
  }

  Array array(int depth) {
    Array items;
    ++at_;
    if (take(']')) return items;
    do {
      items.emplace_back(Made{*this, depth + 1});
    } while (good_ && take(','));
    need(take(']'));
    return items;
  }

  Object object(int depth) {
    Object out;
    ++at_;
    if (take('}')) return out;
    auto& members = out.members_;
    members.reserve(depth < deep    ? members_usual
                    : depth == deep ? members_of_context
                                    : members_deep_usual);
    do {
      const std::string_view key = string();
      need(take(':') && (members.empty() || members.back().first < key));
      if (!good_) break;
      members.emplace_back(std::string(key), Made{*this, depth + 1});
    } while (good_ && take(','));
    need(take('}'));
    return out;
  }

  // A record and its body have up to 14 members, a context in it 15; what stands in them has few.
  static constexpr int deep = 2;
  static constexpr std::size_t members_usual = 14;
  static constexpr std::size_t members_of_context = 15;
  static constexpr std::size_t members_deep_usual = 4;
  std::string_view text_;
  std::size_t at_ = 0;
  bool good_ = true;
};

Result<CanonicalText> parse_canonical_text(std::string_view text) {
  if (auto plain = PlainReader(text).document()) return CanonicalText{std::move(*plain), true};
  TALLA_TRY(Value value, parse(text));
  if (canonical(value) != text)
    return fail(BaseErrc::not_canonical, "JSON is valid but not in its canonical form (RFC 8785)");
  const bool ascii = is_ascii(value);
  return CanonicalText{std::move(value), ascii};
}

Result<Value> parse_canonical(std::string_view text) {
  TALLA_TRY(CanonicalText read, parse_canonical_text(text));
  return std::move(read.value);
}

}  // namespace talla::json
