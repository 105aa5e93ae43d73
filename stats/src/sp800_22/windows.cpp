// Counts of overlapping windows: one pass serves serial, approximate entropy and non-overlapping
// templates.
#include <algorithm>
#include <cstring>

#include "plan.hpp"

namespace talla::stats::sp800_22 {
namespace {

/// Counters of one byte (they fit the nearer caches), emptied into wide ones when one of them
/// wraps.
class Tally {
 public:
  Tally(unsigned width, std::vector<std::uint32_t>& wide)
      : width_(width), small_(std::size_t{1} << width), wide_(wide) {}

  /// Windows that begin in [first, first + count). Precondition: the bits behind them are there.
  void count(const Bits& bits, std::size_t first, std::size_t count) {
    const unsigned right = 64 - width_;
    const std::size_t step = right + 1;  // whole windows in one word
    std::size_t done = 0;
    for (; done + step <= count; done += step) {
      const std::uint64_t word = bits.word_at(first + done);
      for (unsigned k = 0; k <= right; ++k) add((word << k) >> right);
    }
    for (; done < count; ++done) add(bits.word_at(first + done) >> right);
  }
  /// Moves what was counted since the last call into the wide counters; `by_prefix` gets it by the
  /// first `length` bits.
  void empty(std::vector<std::uint32_t>* by_prefix, unsigned length) {
    const unsigned shift = width_ - length;
    if (by_prefix != nullptr) {
      for (const std::size_t window : wrapped_) (*by_prefix)[window >> shift] += 256;
      const std::size_t group = std::size_t{1} << shift;
      for (std::size_t prefix = 0; prefix < by_prefix->size(); ++prefix) {
        std::uint32_t sum = 0;
        for (std::size_t i = prefix * group; i < (prefix + 1) * group; ++i) sum += small_[i];
        (*by_prefix)[prefix] += sum;
      }
    }
    for (const std::size_t window : wrapped_) wide_[window] += 256;
    wrapped_.clear();
    for (std::size_t i = 0; i < small_.size(); ++i) wide_[i] += small_[i];
    std::fill(small_.begin(), small_.end(), std::uint8_t{0});
  }

 private:
  void add(std::uint64_t window) {
    if (++small_[window] == 0) wrapped_.push_back(window);
  }
  unsigned width_;
  std::vector<std::uint8_t> small_;
  std::vector<std::uint32_t>& wide_;
  std::vector<std::size_t> wrapped_;
};

/// The sequence with its first `more` bits once more behind its end.
Bits closed_ring(const Bits& bits, std::size_t more) {
  std::vector<std::uint8_t> bytes((bits.size() + more + 7) / 8 + 1);
  const std::size_t words_count = bits.size() / 64;
  for (std::size_t i = 0; i < words_count; ++i) {
    const std::uint64_t word = __builtin_bswap64(bits.words()[i]);
    std::memcpy(&bytes[i * 8], &word, sizeof word);
  }
  for (std::size_t i = words_count * 64; i < bits.size() + more; ++i) {
    const bool bit = bits.bit(i < bits.size() ? i : i - bits.size());
    bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | (bit ? 0x80U >> (i % 8) : 0U));
  }
  return Bits::from_bytes(bytes, 0, bits.size() + more);
}

}  // namespace

Windows count_windows(const Plan& plan, const Bits& bits) {
  const Parameters& parameters = plan.parameters;
  const auto length = static_cast<unsigned>(parameters.non_overlapping);
  Windows windows;
  windows.width = static_cast<unsigned>(std::max(
      {parameters.serial, parameters.approximate_entropy + 1, parameters.non_overlapping}));
  windows.counts.assign(std::size_t{1} << windows.width, 0);
  const Bits ring = closed_ring(bits, windows.width);
  const std::size_t block = bits.size() / template_blocks_count;
  Tally tally(windows.width, windows.counts);
  for (std::size_t i = 0; i < template_blocks_count; ++i) {
    auto& counts = windows.block_counts[i];
    counts.assign(std::size_t{1} << length, 0);
    tally.count(ring, i * block, block);
    tally.empty(&counts, length);
    // The last ones reach over the end of the block.
    for (std::size_t k = 1; k < length && k <= block; ++k) {
      --counts[ring.word_at((i + 1) * block - k) >> (64 - length)];
    }
  }
  tally.count(ring, template_blocks_count * block, bits.size() - template_blocks_count * block);
  tally.empty(nullptr, length);
  return windows;
}

std::vector<std::uint32_t> narrowed(const Windows& windows, unsigned width) {
  if (width == windows.width) return windows.counts;
  std::vector<std::uint32_t> counts(std::size_t{1} << width);
  const std::size_t group = std::size_t{1} << (windows.width - width);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::size_t k = 0; k < group; ++k) counts[i] += windows.counts[i * group + k];
  }
  return counts;
}

}  // namespace talla::stats::sp800_22
