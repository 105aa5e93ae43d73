// Finds one number or text in JSON text and gives it as it stands there: json::Value holds integers
// alone, and a figure of a report must be the very digits of its file.
#include <algorithm>

#include "lab_submit/steps.hpp"

namespace talla::lab::submit {
namespace {

constexpr int depth_most = 64;

/// Walks over JSON text; what is no JSON leaves it at the end.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  [[nodiscard]] std::string find(std::string_view pointer) {
    while (!pointer.empty()) {
      if (pointer.front() != '/') return {};
      pointer.remove_prefix(1);
      const std::size_t end = std::min(pointer.find('/'), pointer.size());
      if (!enter(pointer.substr(0, end))) return {};
      pointer.remove_prefix(end);
    }
    const std::string_view value = skip();
    if (value.empty() || value.front() == '{' || value.front() == '[') return {};
    if (value.front() != '"') return std::string(value);
    return value.find('\\') == std::string_view::npos
               ? std::string(value.substr(1, value.size() - 2))
               : std::string();
  }

 private:
  void blank() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos)
      ++at_;
  }
  [[nodiscard]] char now() {
    blank();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  [[nodiscard]] bool take(char wanted) {
    if (now() != wanted) return false;
    ++at_;
    return true;
  }
  /// Goes to the value of that member or place; `~` is in no name here.
  [[nodiscard]] bool enter(std::string_view key) {
    if (take('{')) {
      while (now() == '"') {
        const std::string_view name = skip();
        if (!take(':')) return false;
        if (name.substr(1, name.size() - 2) == key) return true;
        if (skip().empty() || !take(',')) return false;
      }
      return false;
    }
    if (!take('[') || key.empty() || key.size() > 6) return false;
    std::size_t place = 0;
    for (const char digit : key) {
      if (digit < '0' || digit > '9') return false;
      place = place * 10 + static_cast<std::size_t>(digit - '0');
    }
    for (std::size_t i = 0; i < place; ++i)
      if (skip().empty() || !take(',')) return false;
    return now() != ']' && now() != '\0';
  }
  /// One value and what it is; empty: none.
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the text, depth_most at most
  std::string_view skip(int depth = 0) {
    const char first = now();
    const std::size_t begin = at_;
    if (depth > depth_most || first == '\0') return {};
    if (first == '"') {
      for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
        if (text_[at_] == '\\') ++at_;
      if (at_ >= text_.size()) return {};
      ++at_;
    } else if (first == '{' || first == '[') {
      const char last = first == '{' ? '}' : ']';
      ++at_;
      while (!take(last)) {
        if (skip(depth + 1).empty()) return {};
        if (now() == ':' || now() == ',') ++at_;
      }
    } else {
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    }
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::string text_at(std::string_view text, std::string_view pointer, std::size_t line) {
  for (std::size_t i = 1; i < line; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  if (line != 0) text = text.substr(0, text.find('\n'));
  return Walker(text).find(pointer);
}

}  // namespace talla::lab::submit
