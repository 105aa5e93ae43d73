#include "record_end.hpp"

#include <charconv>

#include "format/bounds.hpp"

namespace talla::certs {

namespace {

constexpr std::string_view end_of_all = "\",\"v\":2}";
static_assert(format_version == 2);

/// Takes members off the end of a text.
class Backwards {
 public:
  explicit Backwards(std::string_view text) : text_(text) {}

  bool take(std::string_view suffix) {
    if (!text_.ends_with(suffix)) return false;
    text_.remove_suffix(suffix.size());
    return true;
  }
  /// What stands behind the last `front`; both are taken off.
  std::optional<std::string_view> behind(std::string_view front) {
    const std::size_t at = text_.rfind(front);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view value = text_.substr(at + front.size());
    text_ = text_.substr(0, at);
    return value;
  }
  template <class Integer>
  bool number(std::string_view front, Integer& out) {
    const auto digits = behind(front);
    if (!digits || digits->empty()) return false;
    const auto read = std::from_chars(digits->data(), digits->data() + digits->size(), out);
    return read.ec == std::errc{} && read.ptr == digits->data() + digits->size();
  }

 private:
  std::string_view text_;
};

}  // namespace

std::optional<RecordEnd> read_record_end(std::string_view text) {
  Backwards in(text);
  RecordEnd end;
  if (!in.take(end_of_all) || !in.behind(",\"time_quality\":\"")) return std::nullopt;
  if (!in.number(",\"time\":", end.time_us)) return std::nullopt;
  if (in.take("\"") && !in.behind(",\"table\":\"")) return std::nullopt;
  if (!in.number(",\"seq\":", end.seq)) return std::nullopt;
  const auto kind = in.behind(",\"kind\":\"");
  if (!kind) return std::nullopt;
  const std::size_t size = kind->find('"');
  if (size == std::string_view::npos) return std::nullopt;
  end.kind = kind_from_name(kind->substr(0, size));
  return end;
}

}  // namespace talla::certs
