#include "suffixes.hpp"

#include <divsufsort.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace talla::stats::sp800_90b {

void Repeats::finish() {
  next(0);  // closes every group
  for (std::size_t length = most_.size() - 1; length-- > 0;) {
    most_[length] = std::max(most_[length], most_[length + 1]);
    pairs_[length] += pairs_[length + 1];
  }
}

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
    std::vector<Item> items;
    std::size_t from = 0;
    std::uint64_t last_key = 0;
    for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
      const std::size_t to = begin[b];
      if (to == from) continue;
      items.clear();
      for (std::size_t i = from; i < to; ++i) items.push_back({text_.window(places[i]), places[i]});
      const std::uint64_t first_key = std::min_element(items.begin(), items.end())->key;
      const std::uint32_t common = from == 0 ? 0 : Text::common(last_key, first_key);
      last_key = std::max_element(items.begin(), items.end())->key;
      if (!order(items, 0, common)) return false;
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

  [[nodiscard]] unsigned bucket_width() const {
    const auto wanted = static_cast<int>(std::bit_width(size_)) - 4;
    return static_cast<unsigned>(std::clamp(wanted, 8, 20));
  }
  /// The suffix at `place` shares `common` windowed symbols with the one before; what lies behind the end does not count.
  void emit(std::uint32_t place, std::uint32_t common) {
    const auto left = static_cast<std::uint32_t>(std::min(size_ - place, size_ - last_place_));
    repeats_->next(emitted_++ == 0 ? 0 : std::min(common, left));
    last_place_ = place;
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
    if (work_left_ < rest.size() || depth > depth_max) return false;
    work_left_ -= rest.size();
    for (Item& item : rest) item.key = text_.window(item.place + std::size_t{depth});
    return order(rest, depth, common);
  }

  static constexpr std::uint32_t depth_max = 400 * Text::span;  // bounds the recursion
  const Text& text_;
  std::size_t size_;
  std::size_t work_left_;
  Repeats* repeats_ = nullptr;
  std::uint64_t emitted_ = 0;
  std::uint32_t last_place_ = 0;
};

/// Any string: suffix array, then the common lengths in the order of the text (Kaerkkaeinen, Manzini, Puglisi 2009).
Repeats by_suffix_array(const std::vector<std::uint8_t>& text) {
  const std::size_t n = text.size();
  std::vector<std::int32_t> order(n);
  divsufsort(text.data(), order.data(), static_cast<std::int32_t>(n));
  std::vector<std::int32_t> lengths(n);  // first the suffix before each one, then the length they share
  lengths[static_cast<std::size_t>(order[0])] = -1;
  for (std::size_t i = 1; i < n; ++i) lengths[static_cast<std::size_t>(order[i])] = order[i - 1];
  std::size_t length = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t before = lengths[i];
    if (before < 0) {
      length = 0;
    } else {
      const auto other = static_cast<std::size_t>(before);
      while (i + length < n && other + length < n && text[i + length] == text[other + length]) ++length;
    }
    lengths[i] = static_cast<std::int32_t>(length);
    if (length > 0) --length;
  }
  Repeats repeats;
  for (const std::int32_t place : order)
    repeats.next(static_cast<std::uint32_t>(lengths[static_cast<std::size_t>(place)]));
  repeats.finish();
  return repeats;
}

template <class Text>
Repeats repeats_in(const Text& text) {
  Repeats repeats;
  if (WindowSort<Text>(text).run(repeats)) return repeats;
  return by_suffix_array(text.bytes());
}

}  // namespace

Repeats repeats_of(const Bits& bits) {
  return repeats_in(BitText{bits});
}
Repeats repeats_of(std::span<const std::uint8_t> symbols) {
  return repeats_in(ByteText(symbols));
}

}  // namespace talla::stats::sp800_90b
