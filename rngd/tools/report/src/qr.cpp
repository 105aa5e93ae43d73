#include "qr.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

namespace talla::report {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Modules = std::vector<std::vector<bool>>;

constexpr std::size_t version_max = 10;

struct Group {
  std::size_t blocks = 0;
  std::size_t data = 0;  ///< bytes of each
};
/// Of one version: check bytes of a block, and the blocks.
struct Layout {
  std::size_t check = 0;
  std::array<Group, 2> groups{};
  std::array<int, 3> centres{};  ///< of alignment patterns; 0: none
};

constexpr std::array<Layout, version_max + 1> layouts{{
    {},
    {10, {{{1, 16}, {}}}, {}},
    {16, {{{1, 28}, {}}}, {6, 18}},
    {26, {{{1, 44}, {}}}, {6, 22}},
    {18, {{{2, 32}, {}}}, {6, 26}},
    {24, {{{2, 43}, {}}}, {6, 30}},
    {16, {{{4, 27}, {}}}, {6, 34}},
    {18, {{{4, 31}, {}}}, {6, 22, 38}},
    {22, {{{2, 38}, {2, 39}}}, {6, 24, 42}},
    {22, {{{3, 36}, {2, 37}}}, {6, 26, 46}},
    {26, {{{4, 43}, {1, 44}}}, {6, 28, 50}},
}};

/// The field of 256 elements, x^8 + x^4 + x^3 + x^2 + 1.
class Field {
 public:
  Field() {
    unsigned value = 1;
    for (unsigned i = 0; i < 255; ++i) {
      exponents_.at(i) = static_cast<std::uint8_t>(value);
      logarithms_.at(value) = i;
      value = (value << 1U) ^ (value > 127 ? 0x11DU : 0U);
    }
  }
  [[nodiscard]] std::uint8_t power(std::size_t exponent) const {
    return exponents_.at(exponent % 255);
  }
  [[nodiscard]] std::uint8_t times(std::uint8_t a, std::uint8_t b) const {
    if (a == 0 || b == 0) return 0;
    return power(std::size_t{logarithms_.at(a)} + logarithms_.at(b));
  }

 private:
  std::array<std::uint8_t, 255> exponents_{};
  std::array<unsigned, 256> logarithms_{};
};

Bytes check_bytes(const Field& field, const Bytes& data, std::size_t count) {
  Bytes generator{1};
  for (std::size_t i = 0; i < count; ++i) {
    Bytes next = generator;
    next.push_back(0);
    for (std::size_t k = 0; k < generator.size(); ++k)
      next[k + 1] ^= field.times(generator[k], field.power(i));
    generator = std::move(next);
  }
  Bytes rest = data;
  rest.resize(data.size() + count);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::uint8_t factor = rest[i];
    for (std::size_t k = 0; k < generator.size(); ++k)
      rest[i + k] ^= field.times(generator[k], factor);
  }
  return {rest.begin() + static_cast<std::ptrdiff_t>(data.size()), rest.end()};
}

std::size_t capacity(std::size_t version) {
  std::size_t sum = 0;
  for (const auto& group : layouts.at(version).groups) sum += group.blocks * group.data;
  return sum;
}

Bytes data_bytes(std::string_view text, std::size_t version) {
  std::vector<bool> bits;
  const auto put = [&](std::size_t value, std::size_t length) {
    for (std::size_t i = length; i-- > 0;) bits.push_back((value >> i & 1U) != 0);
  };
  put(4, 4);
  put(text.size(), version < 10 ? 8 : 16);
  for (const char c : text) put(static_cast<unsigned char>(c), 8);
  const std::size_t all = capacity(version) * 8;
  put(0, std::min<std::size_t>(4, all - bits.size()));
  while (bits.size() % 8 != 0) bits.push_back(false);
  Bytes out;
  for (std::size_t i = 0; i < bits.size(); i += 8) {
    unsigned value = 0;
    for (std::size_t k = 0; k < 8; ++k) value = value * 2 + (bits[i + k] ? 1U : 0U);
    out.push_back(static_cast<std::uint8_t>(value));
  }
  for (bool first = true; out.size() < all / 8; first = !first) out.push_back(first ? 0xEC : 0x11);
  return out;
}

Bytes interleaved(const Bytes& data, std::size_t version) {
  static const Field field;
  const Layout& layout = layouts.at(version);
  std::vector<Bytes> blocks;
  std::size_t longest = 0;
  auto at = data.begin();
  for (const auto& group : layout.groups) {
    for (std::size_t i = 0; i < group.blocks; ++i) {
      const auto end = at + static_cast<std::ptrdiff_t>(group.data);
      blocks.emplace_back(at, end);
      at = end;
      longest = std::max(longest, group.data);
    }
  }
  Bytes out;
  for (std::size_t i = 0; i < longest; ++i) {
    for (const auto& block : blocks)
      if (i < block.size()) out.push_back(block[i]);
  }
  std::vector<Bytes> checks;
  checks.reserve(blocks.size());
  for (const auto& block : blocks) checks.push_back(check_bytes(field, block, layout.check));
  for (std::size_t i = 0; i < layout.check; ++i) {
    for (const auto& check : checks) out.push_back(check[i]);
  }
  return out;
}

unsigned remainder_of(unsigned value, unsigned polynomial, unsigned length) {
  unsigned rest = value << length;
  for (unsigned bit = 31; bit >= length; --bit) {
    if ((rest >> bit & 1U) != 0) rest ^= polynomial << (bit - length);
  }
  return rest;
}

/// The square under way: what is dark, and what is no data.
class Square {
 public:
  explicit Square(std::size_t version)
      : size_(static_cast<int>(17 + 4 * version)),
        dark_(side(), std::vector<bool>(side())),
        fixed_(dark_) {
    finders();
    for (int i = 8; i < size_ - 8; ++i) {
      set(i, 6, i % 2 == 0);
      set(6, i, i % 2 == 0);
    }
    alignments(layouts.at(version).centres);
  }

  void put_format(std::size_t version, unsigned mask) {
    const unsigned word = (mask << 10U | remainder_of(mask, 0x537, 10)) ^ 0x5412U;  // M: bits 00
    for (int i = 0; i < 15; ++i) {
      const bool value = (word >> static_cast<unsigned>(i) & 1U) != 0;
      if (i < 6) {
        set(8, i, value);
      } else if (i < 8) {
        set(8, i + 1, value);
      } else if (i == 8) {
        set(7, 8, value);
      } else {
        set(14 - i, 8, value);
      }
      if (i < 8) {
        set(size_ - 1 - i, 8, value);
      } else {
        set(8, size_ - 15 + i, value);
      }
    }
    set(8, size_ - 8, true);
    if (version < 7) return;
    const auto number = static_cast<unsigned>(version);
    const unsigned name = number << 12U | remainder_of(number, 0x1F25, 12);
    for (int i = 0; i < 18; ++i) {
      const bool value = (name >> static_cast<unsigned>(i) & 1U) != 0;
      set(i / 3, size_ - 11 + i % 3, value);
      set(size_ - 11 + i % 3, i / 3, value);
    }
  }

  void put_data(const Bytes& bytes, unsigned mask) {
    std::size_t at = 0;
    for (int right = size_ - 1; right > 0; right -= 2) {
      if (right == 6) right = 5;
      const bool up = ((right + 1) & 2) == 0;
      for (int step = 0; step < size_; ++step) {
        const int y = up ? size_ - 1 - step : step;
        for (const int x : {right, right - 1}) {
          if (fixed_[index(y)][index(x)]) continue;
          const bool one = at < bytes.size() * 8 && (bytes[at / 8] >> (7 - at % 8) & 1U) != 0;
          dark_[index(y)][index(x)] = one != masked(mask, x, y);
          ++at;
        }
      }
    }
  }

  /// How bad it is to read: runs, blocks, false finders, one colour too many.
  [[nodiscard]] int penalty() const {
    int sum = 0;
    int count = 0;
    for (int y = 0; y < size_; ++y) {
      std::string row;
      std::string column;
      for (int x = 0; x < size_; ++x) {
        row += at(x, y) ? '1' : '0';
        column += at(y, x) ? '1' : '0';
        count += at(x, y) ? 1 : 0;
        const bool same = x > 0 && y > 0 && at(x, y) == at(x - 1, y) && at(x, y) == at(x, y - 1) &&
                          at(x, y) == at(x - 1, y - 1);
        if (same) sum += 3;
      }
      sum += line_penalty(row) + line_penalty(column);
    }
    const int all = size_ * size_;
    return sum + 10 * (std::abs(count * 20 - all * 10) / all);
  }

  [[nodiscard]] const Modules& modules() const { return dark_; }

 private:
  [[nodiscard]] std::size_t side() const { return static_cast<std::size_t>(size_); }
  static std::size_t index(int value) { return static_cast<std::size_t>(value); }
  [[nodiscard]] bool at(int x, int y) const { return dark_[index(y)][index(x)]; }
  void set(int x, int y, bool value) {
    if (x < 0 || y < 0 || x >= size_ || y >= size_) return;
    dark_[index(y)][index(x)] = value;
    fixed_[index(y)][index(x)] = true;
  }
  void finders() {
    for (const auto& [cx, cy] : {std::pair{3, 3}, std::pair{size_ - 4, 3}, std::pair{3, size_ - 4}})
      for (int dy = -4; dy <= 4; ++dy)
        for (int dx = -4; dx <= 4; ++dx) {
          const int ring = std::max(std::abs(dx), std::abs(dy));
          set(cx + dx, cy + dy, ring != 2 && ring != 4);
        }
  }
  void alignments(const std::array<int, 3>& centres) {
    const int last = *std::ranges::max_element(centres);
    for (const int cy : centres) {
      for (const int cx : centres) {
        const bool finder =
            (cx == 6 && cy == 6) || (cx == 6 && cy == last) || (cx == last && cy == 6);
        if (cx == 0 || cy == 0 || finder) continue;
        for (int dy = -2; dy <= 2; ++dy)
          for (int dx = -2; dx <= 2; ++dx)
            set(cx + dx, cy + dy, std::max(std::abs(dx), std::abs(dy)) != 1);
      }
    }
  }
  static bool masked(unsigned mask, int x, int y) {
    switch (mask) {
      case 0:
        return (x + y) % 2 == 0;
      case 1:
        return y % 2 == 0;
      case 2:
        return x % 3 == 0;
      case 3:
        return (x + y) % 3 == 0;
      case 4:
        return (x / 3 + y / 2) % 2 == 0;
      case 5:
        return x * y % 2 + x * y % 3 == 0;
      case 6:
        return (x * y % 2 + x * y % 3) % 2 == 0;
      default:
        return ((x + y) % 2 + x * y % 3) % 2 == 0;
    }
  }
  static int line_penalty(const std::string& line) {
    int sum = 0;
    for (std::size_t i = 0; i < line.size();) {
      const std::size_t end = std::min(line.find_first_not_of(line[i], i), line.size());
      if (end - i >= 5) sum += static_cast<int>(end - i) - 2;
      i = end;
    }
    for (std::size_t i = 0; i + 11 <= line.size(); ++i) {
      const std::string part = line.substr(i, 11);
      if (part == "10111010000" || part == "00001011101") sum += 40;
    }
    return sum;
  }

  int size_;
  Modules dark_;
  Modules fixed_;
};

}  // namespace

std::optional<Modules> qr_modules(std::string_view text) {
  std::size_t version = 1;
  while (version <= version_max && text.size() + (version < 10 ? 2 : 3) > capacity(version))
    ++version;
  if (version > version_max) return std::nullopt;
  const Bytes bytes = interleaved(data_bytes(text, version), version);
  std::optional<Modules> best;
  int cost = 0;
  for (unsigned mask = 0; mask < 8; ++mask) {
    Square square(version);
    square.put_format(version, mask);
    square.put_data(bytes, mask);
    const int own = square.penalty();
    if (best && own >= cost) continue;
    best = square.modules();
    cost = own;
  }
  return best;
}

}  // namespace talla::report
