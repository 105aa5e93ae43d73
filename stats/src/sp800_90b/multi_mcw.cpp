// SP 800-90B, 6.3.7: multi most common in window prediction, windows of 63, 255, 1023 and 4095
// symbols.
#include "race.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr std::array<std::size_t, 4> windows = {63, 255, 1023, 4095};

/// The symbols of one window and the most common of them; of equals the one that occurred last.
class Window {
 public:
  Window(std::size_t length, unsigned alphabet) : length_(length), ranks_(alphabet) {}
  void add(std::uint8_t symbol, std::size_t at) {
    ranks_[symbol] = (count_of(symbol) + 1) << place_bits | at;
    if (symbol == common_) return;
    if (ranks_[symbol] > ranks_[common_]) {
      others_most_ = std::max(others_most_, count_of(common_));
      common_ = symbol;
    } else {
      others_most_ = std::max(others_most_, count_of(symbol));
    }
  }
  void drop(std::uint8_t symbol) {
    ranks_[symbol] -= std::uint64_t{1} << place_bits;
    if (symbol == common_ && count_of(symbol) <= others_most_) find_common();
  }
  [[nodiscard]] std::size_t length() const { return length_; }
  [[nodiscard]] std::uint8_t common() const { return common_; }

 private:
  [[nodiscard]] std::uint64_t count_of(std::uint8_t symbol) const {
    return ranks_[symbol] >> place_bits;
  }
  void find_common() {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (ranks_[i] > ranks_[common_]) common_ = static_cast<std::uint8_t>(i);
    }
    others_most_ = 0;
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      if (i != common_) others_most_ = std::max(others_most_, ranks_[i] >> place_bits);
    }
  }
  static constexpr unsigned place_bits = 48;
  std::size_t length_;
  std::vector<std::uint64_t> ranks_;  // count, then the last place
  std::uint8_t common_ = 0;
  std::uint64_t others_most_ = 0;  // no other symbol has a higher count
};

/// Which windows were right, and the new winner.
class Scores {
 public:
  [[nodiscard]] std::size_t winner() const { return winner_; }
  void hit(std::size_t window) {
    if (++scores_[window] >= scores_[winner_]) winner_ = window;
  }

 private:
  std::array<std::uint64_t, windows.size()> scores_{};
  std::size_t winner_ = 0;
};

}  // namespace

Estimate multi_mcw(std::span<const std::uint8_t> symbols, unsigned alphabet) {
  if (symbols.size() <= windows.back())
    return not_estimated("MultiMCW Prediction", "needs more than 4,095 samples");
  std::vector<Window> all;
  all.reserve(windows.size());
  for (const std::size_t length : windows) all.emplace_back(length, alphabet);
  Scores scores;
  RunCounter counter;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::uint8_t symbol = symbols[i];
    if (i >= windows[0]) counter.count(all[scores.winner()].common() == symbol);
    for (std::size_t j = 0; j < windows.size(); ++j) {
      if (i >= windows[j] && all[j].common() == symbol) scores.hit(j);
    }
    for (Window& window : all) {
      window.add(symbol, i);
      if (i >= window.length()) window.drop(symbols[i - window.length()]);
    }
  }
  return from_hits("MultiMCW Prediction", counter.result(symbols.size() - windows[0]), alphabet);
}

Estimate multi_mcw(const Bits& bits) {
  if (bits.size() <= windows.back())
    return not_estimated("MultiMCW Prediction", "needs more than 4,095 bits");
  // Windows of odd length have no ties once they are full, and only full ones predict.
  std::array<std::int64_t, windows.size()> excess{};  // ones - zeros
  Race<windows.size()> race;
  const std::uint64_t start = windows[0];
  std::array<std::uint64_t, windows.size()> hits{}, known{};
  unsigned step = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    const bool bit = bits.bit(i);
    for (std::size_t j = 0; j < windows.size(); ++j) {
      const bool full = i >= windows[j];
      if (i >= start) {
        hits[j] |= static_cast<std::uint64_t>(full && (excess[j] > 0) == bit) << step;
        known[j] |= std::uint64_t{1} << step;
      }
      excess[j] += bit ? 1 : -1;
      if (full) excess[j] -= bits.bit(i - windows[j]) ? 1 : -1;
    }
    if (i >= start && ++step == 64) {
      race.run(hits, known, 64);
      hits = {};
      known = {};
      step = 0;
    }
  }
  if (step > 0) race.run(hits, known, step);
  return from_hits("MultiMCW Prediction", race.result(bits.size() - start), 2);
}

}  // namespace talla::stats::sp800_90b
