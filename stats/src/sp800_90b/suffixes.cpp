#include "suffixes.hpp"

#include <divsufsort.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>

namespace talla::stats::sp800_90b {

namespace {

/// A string of bits with 64 of them in a window.
struct BitText {
  const Bits& bits;
  static constexpr std::uint32_t span = 64;  // symbols of a window
  [[nodiscard]] std::size_t size() const { return bits.size(); }
  [[nodiscard]] std::uint64_t window(std::size_t at) const { return bits.word_at(at); }
  [[nodiscard]] static std::uint32_t common(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>(std::countl_zero(a ^ b));
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> out(size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint8_t>(bits.bit(i));
    return out;
  }
};

/// A string of bytes with eight of them in a window.
class ByteText {
 public:
  explicit ByteText(std::span<const std::uint8_t> symbols)
      : count_(symbols.size()), padded_(symbols.begin(), symbols.end()) {
    padded_.resize(count_ + 8);
  }
  static constexpr std::uint32_t span = 8;
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::uint64_t window(std::size_t at) const {
    std::uint64_t word = 0;
    std::memcpy(&word, &padded_[at], sizeof word);
    return __builtin_bswap64(word);
  }
  [[nodiscard]] static std::uint32_t common(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint32_t>(std::countl_zero(a ^ b)) / 8;
  }
  [[nodiscard]] std::vector<std::uint8_t> bytes() const {
    return {padded_.begin(), padded_.begin() + static_cast<std::ptrdiff_t>(count_)};
  }

 private:
  std::size_t count_;
  std::vector<std::uint8_t> padded_;
};

/// Sorts by windows and feeds the common lengths to a Repeats.
template <class Text>
class WindowSort {
 public:
  explicit WindowSort(const Text& text)
      : text_(text), size_(text.size()), work_left_(16 * text.size() + 1000) {}

  /// False when ties take more work than they are worth; the Repeats is then of no use.
  bool run(Repeats& repeats) {
    repeats_ = &repeats;
    const unsigned width = bucket_width();
    const unsigned shift = 64 - width;
    std::vector<std::uint32_t> begin((std::size_t{1} << width) + 1);
    for (std::size_t i = 0; i < size_; ++i) ++begin[(text_.window(i) >> shift) + 1];
    for (std::size_t b = 1; b < begin.size(); ++b) begin[b] += begin[b - 1];
    std::vector<std::uint32_t> places(size_);
    for (std::size_t i = 0; i < size_; ++i)
      places[begin[text_.window(i) >> shift]++] = static_cast<std::uint32_t>(i);
    // Each begin has moved to the begin of the next bucket.
    std::size_t from = 0;
    std::uint64_t last_key = 0;
    for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
      const std::size_t to = begin[b];
      if (to == from) continue;
      const auto bucket = std::span(places).subspan(from, to - from);
      const Range keys = range_of(bucket);
      const std::uint32_t common = from == 0 ? 0 : Text::common(last_key, keys.least);
      last_key = keys.most;
      if (!order_places(bucket, 0, common, 0)) return false;
      from = to;
    }
    repeats.finish();
    return true;
  }

 private:
  struct Item {
    std::uint64_t key;
    std::uint32_t place;
    /// Of equal windows the one nearer the end comes first: what it lacks is less than any symbol.
    bool operator<(const Item& other) const {
      return key != other.key ? key < other.key : place > other.place;
    }
  };
  struct Range {
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
  };
  /// Places with a window less than, equal to and greater than the pivot, in this order.
  struct Parts {
    std::span<std::uint32_t> less, equal, greater;
    std::uint64_t most_less = 0, pivot = 0, least_greater = ~std::uint64_t{0};
  };

  [[nodiscard]] unsigned bucket_width() const {
    const auto wanted = static_cast<int>(std::bit_width(size_)) - 4;
    return static_cast<unsigned>(std::clamp(wanted, 8, 20));
  }
  [[nodiscard]] Range range_of(std::span<const std::uint32_t> places) const {
    Range range;
    for (const std::uint32_t place : places) {
      const std::uint64_t key = text_.window(place);
      range.least = std::min(range.least, key);
      range.most = std::max(range.most, key);
    }
    return range;
  }
  /// The suffix at `place` shares `common` windowed symbols with the one before; what lies behind
  /// the end does not count.
  void emit(std::uint32_t place, std::uint32_t common) {
    const auto left = static_cast<std::uint32_t>(std::min(size_ - place, size_ - last_place_));
    repeats_->next(emitted_++ == 0 ? 0 : std::min(common, left));
    last_place_ = place;
  }

  /// Sorts places that are equal up to `depth`: many of them are split in place, few are sorted
  /// beside their keys.
  bool order_places(std::span<std::uint32_t> places, std::uint32_t depth, std::uint32_t common,
                    unsigned level) {
    if (places.size() <= items_most) {
      items_.clear();
      for (const std::uint32_t place : places)
        items_.push_back({text_.window(place + std::size_t{depth}), place});
      return order(items_, depth, common);
    }
    if (level == levels_most) return false;
    const Parts parts = split(places, depth);
    if (!parts.less.empty()) {
      if (!order_places(parts.less, depth, common, level + 1)) return false;
      common = depth + Text::common(parts.most_less, parts.pivot);
    }
    if (!order_equal(parts.equal, depth + Text::span, common, level)) return false;
    return parts.greater.empty() ||
           order_places(parts.greater, depth,
                        depth + Text::common(parts.pivot, parts.least_greater), level + 1);
  }
  Parts split(std::span<std::uint32_t> places, std::uint32_t depth) const {
    std::array<std::uint64_t, 31> sample{};
    for (std::size_t i = 0; i < sample.size(); ++i)
      sample[i] = text_.window(places[i * (places.size() / sample.size())] + std::size_t{depth});
    std::nth_element(sample.begin(), sample.begin() + sample.size() / 2, sample.end());
    Parts parts;
    parts.pivot = sample[sample.size() / 2];
    std::size_t less = 0, greater = places.size();
    for (std::size_t i = 0; i < greater;) {
      const std::uint64_t key = text_.window(places[i] + std::size_t{depth});
      if (key < parts.pivot) {
        parts.most_less = std::max(parts.most_less, key);
        std::swap(places[i++], places[less++]);
      } else if (key > parts.pivot) {
        parts.least_greater = std::min(parts.least_greater, key);
        std::swap(places[i], places[--greater]);
      } else {
        ++i;
      }
    }
    parts.less = places.first(less);
    parts.equal = places.subspan(less, greater - less);
    parts.greater = places.subspan(greater);
    return parts;
  }
  /// The same for places that are equal up to `depth` and may end before it.
  bool order_equal(std::span<std::uint32_t> places, std::uint32_t depth, std::uint32_t common,
                   unsigned level) {
    const auto ended = std::partition(places.begin(), places.end(), [&](std::uint32_t place) {
      return place + std::size_t{depth} >= size_;
    });
    std::sort(places.begin(), ended, std::greater<>());
    for (auto place = places.begin(); place != ended; ++place) {
      emit(*place, common);
      common = depth;
    }
    const auto rest = places.subspan(static_cast<std::size_t>(ended - places.begin()));
    if (rest.size() == 1) emit(rest[0], common);
    if (rest.size() < 2) return true;
    return may_look(rest.size(), depth) && order_places(rest, depth, common, level + 1);
  }

  /// Sorts items that are equal up to `depth`; their keys are the windows there.
  bool order(std::span<Item> items, std::uint32_t depth, std::uint32_t common) {
    std::sort(items.begin(), items.end());
    const std::uint32_t next_depth = depth + Text::span;
    for (std::size_t i = 0; i < items.size();) {
      const std::uint64_t key = items[i].key;
      std::size_t end = i + 1;
      while (end < items.size() && items[end].key == key) ++end;
      const std::uint64_t next_key = end < items.size() ? items[end].key : 0;
      if (end - i == 1) {
        emit(items[i].place, common);
      } else if (!order_ties(items.subspan(i, end - i), next_depth, common)) {
        return false;
      }
      common = depth + Text::common(key, next_key);
      i = end;
    }
    return true;
  }
  bool order_ties(std::span<Item> ties, std::uint32_t depth, std::uint32_t common) {
    // Those that end inside the window come first, the shortest of them before all.
    std::size_t i = 0;
    for (; i < ties.size() && ties[i].place + std::size_t{depth} >= size_; ++i) {
      emit(ties[i].place, common);
      common = depth;
    }
    const auto rest = ties.subspan(i);
    if (rest.size() == 1) emit(rest[0].place, common);
    if (rest.size() < 2) return true;
    if (!may_look(rest.size(), depth)) return false;
    for (Item& item : rest) item.key = text_.window(item.place + std::size_t{depth});
    return order(rest, depth, common);
  }
  /// Whether so many ties may be looked at one window deeper.
  bool may_look(std::size_t ties, std::uint32_t depth) {
    if (work_left_ < ties || depth > depth_max) return false;
    work_left_ -= ties;
    return true;
  }

  static constexpr std::uint32_t depth_max = 400 * Text::span;  // bounds the recursion
  static constexpr unsigned levels_most = 600;                  // so does this one
  static constexpr std::size_t items_most = 1 << 16;
  const Text& text_;
  std::size_t size_;
  std::size_t work_left_;
  std::vector<Item> items_;
  Repeats* repeats_ = nullptr;
  std::uint64_t emitted_ = 0;
  std::uint32_t last_place_ = 0;
};

/// Symbols that the suffixes at two places share, of which `known` are known.
template <class Text>
std::size_t shared_length(const Text& text, std::size_t a, std::size_t b, std::size_t known) {
  const std::size_t most = text.size() - std::max(a, b);
  while (known < most) {
    const std::uint32_t more = Text::common(text.window(a + known), text.window(b + known));
    known += more;
    if (more < Text::span) break;
  }
  return std::min(known, most);
}

/// Any string: suffix array, then the common lengths. They are known at every 64th place of the
/// text; at the places behind it they are shorter by at most one a place (Kaerkkaeinen, Manzini,
/// Puglisi 2009), and what they are longer is compared.
template <class Text>
std::vector<std::int32_t> common_lengths(const Text& text) {
  constexpr std::size_t step = 64;
  const std::size_t n = text.size();
  std::vector<std::int32_t> order(n);
  {
    const std::vector<std::uint8_t> bytes = text.bytes();
    divsufsort(bytes.data(), order.data(), static_cast<std::int32_t>(n));
  }
  std::vector<std::int32_t> lengths((n + step - 1) /
                                    step);  // the suffix before, then the length they share
  std::int32_t before = -1;
  for (const std::int32_t place : order) {
    const auto at = static_cast<std::size_t>(place);
    if (at % step == 0) lengths[at / step] = before;
    before = place;
  }
  std::size_t length = 0;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    length = lengths[k] < 0
                 ? 0
                 : shared_length(text, k * step, static_cast<std::size_t>(lengths[k]), length);
    lengths[k] = static_cast<std::int32_t>(length);
    length -= std::min(length, step);
  }
  before = order[0];
  order[0] = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const auto place = static_cast<std::size_t>(order[i]);
    const auto sampled = static_cast<std::size_t>(lengths[place / step]);
    const std::size_t known = sampled - std::min(sampled, place % step);
    order[i] = static_cast<std::int32_t>(
        shared_length(text, place, static_cast<std::size_t>(before), known));
    before = static_cast<std::int32_t>(place);
  }
  return order;
}

/// A string whose repeats are nearly as long as itself would need more memory for their counts than
/// for itself: they are counted for some lengths at a time.
constexpr std::uint32_t part = 1 << 19;

template <class Text>
void repeats_in(const Text& text, const TakeRepeats& take) {
  {
    Repeats repeats;
    if (WindowSort<Text>(text).run(repeats)) return take(repeats);
  }
  const std::vector<std::int32_t> lengths = common_lengths(text);
  const auto longest =
      static_cast<std::uint32_t>(*std::max_element(lengths.begin(), lengths.end()));
  for (std::uint32_t first = 0; first == 0 || first < longest; first += part) {
    Repeats repeats(first, std::min(part, longest - first));
    for (const std::int32_t length : lengths) repeats.next(static_cast<std::uint32_t>(length));
    repeats.finish();
    take(repeats);
  }
}

}  // namespace

void repeats_of(const Bits& bits, const TakeRepeats& take) {
  repeats_in(BitText{bits}, take);
}
void repeats_of(std::span<const std::uint8_t> symbols, const TakeRepeats& take) {
  repeats_in(ByteText(symbols), take);
}

}  // namespace talla::stats::sp800_90b
