#include "stats/stream/figures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "stats/special.hpp"
#include "wide.hpp"

namespace talla::stats {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t chunk_most = 65'536;  // sums of products of a chunk stay below 2^32
constexpr std::uint64_t radius = (1U << 24U) - 1;

/// Sum of x(i) x(i + 1) over `count` neighbours.
TALLA_STATS_COUNTING std::uint64_t neighbour_products(const std::uint8_t* x, std::size_t count) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<std::uint32_t>(x[i]) * x[i + 1];
  return sum;
}

/// How many bytes that end in a one are followed by one that begins with a one.
TALLA_STATS_COUNTING std::uint64_t ones_across(const std::uint8_t* x, std::size_t count) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<std::uint32_t>(x[i] & (x[i + 1] >> 7));
  return sum;
}

void count_values(std::span<const std::uint8_t> bytes, std::array<std::uint64_t, 256>& counts) {
  // Eight tables: equal bytes in a row need not wait for each other.
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i], sizeof word);
    for (std::size_t k = 0; k < 8; ++k) ++tables[k][word >> (8 * k) & 0xffU];
  }
  for (; i < bytes.size(); ++i) ++tables[0][bytes[i]];
  for (const auto& table : tables) {
    for (std::size_t value = 0; value < 256; ++value) counts[value] += table[value];
  }
}

std::uint64_t inside_of(std::uint64_t x, std::uint64_t y) {
  return x * x + y * y <= radius * radius ? 1 : 0;
}

/// Points inside the circle; six bytes a point, of which eight may be read.
std::uint64_t points_inside(const std::uint8_t* bytes, std::size_t points) {
  std::uint64_t inside = 0;
  for (std::size_t i = 0; i < points; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes + 6 * i, sizeof word);
    word = __builtin_bswap64(word);
    inside += inside_of(word >> 40U, word >> 16U & 0xffffffU);
  }
  return inside;
}

std::uint64_t point_inside(const std::array<std::uint8_t, 6>& p) {
  const auto coordinate = [&](std::size_t at) {
    return std::uint64_t{p[at]} << 16U | std::uint64_t{p[at + 1]} << 8U | p[at + 2];
  };
  return inside_of(coordinate(0), coordinate(3));
}

double two_sided_normal(double z) {
  return std::min(1.0, 2.0 * normal_below(-std::abs(z)));
}

/// The points (x, y), 0 <= x, y < 2^24, with x^2 + y^2 <= (2^24 - 1)^2, as a share of all: a
/// quarter of the circle's area and the points on its two straight edges.
constexpr double share_inside =
    (std::numbers::pi / 4.0 * radius * radius + radius) / (16777216.0 * 16777216.0);

}  // namespace

void Stream::add(std::span<const std::uint8_t> bytes) {
  for (; !bytes.empty();) {
    const auto chunk = bytes.first(std::min(bytes.size(), chunk_most));
    add_chunk(chunk);
    add_points(chunk);
    bytes = bytes.subspan(chunk.size());
  }
}

void Stream::add_chunk(std::span<const std::uint8_t> bytes) {
  if (bytes_ == 0) {
    first_ = bytes.front();
  } else {
    products_ += std::uint64_t{last_} * bytes.front();
    bit_pairs_ += (last_ & 1U) & (bytes.front() >> 7U);
  }
  count_values(bytes, counts_);
  products_ += neighbour_products(bytes.data(), bytes.size() - 1);
  bit_pairs_ += ones_across(bytes.data(), bytes.size() - 1);
  last_ = bytes.back();
  bytes_ += bytes.size();
}

void Stream::add_points(std::span<const std::uint8_t> bytes) {
  while (point_bytes_ != 0 && !bytes.empty()) {
    point_[point_bytes_++] = bytes.front();
    bytes = bytes.subspan(1);
    if (point_bytes_ == 6) {
      point_bytes_ = 0;
      ++points_;
      inside_ += point_inside(point_);
    }
  }
  const std::size_t fast = bytes.size() < 8 ? 0 : (bytes.size() - 2) / 6;
  inside_ += points_inside(bytes.data(), fast);
  points_ += fast;
  for (const std::uint8_t byte : bytes.subspan(6 * fast)) {
    point_[point_bytes_++] = byte;
    if (point_bytes_ == 6) {
      point_bytes_ = 0;
      ++points_;
      inside_ += point_inside(point_);
    }
  }
}

std::vector<std::uint64_t> Stream::counts(Unit unit) const {
  if (unit == Unit::byte) return {counts_.begin(), counts_.end()};
  std::uint64_t ones = 0;
  for (std::size_t value = 0; value < 256; ++value)
    ones += counts_[value] * static_cast<std::uint64_t>(__builtin_popcountll(value));
  return {8 * bytes_ - ones, ones};
}

StreamFigures Stream::figures(Unit unit) const {
  const std::vector<std::uint64_t> counts = this->counts(unit);
  StreamFigures f;
  f.count = unit == Unit::byte ? bytes_ : 8 * bytes_;
  const auto n = static_cast<double>(f.count), values = static_cast<double>(counts.size());
  const double width = std::log2(values);
  if (f.count == 0) {
    f.mean = f.pi = f.pi_error_percent = f.serial_correlation = missing;
    f.pi_p = f.mean_p = f.serial_correlation_p = f.chi_square_p = missing;
    return f;
  }
  Wide sum = 0, squares = 0, products = products_;
  for (std::size_t value = 0; value < counts.size(); ++value) {
    const auto count = static_cast<double>(counts[value]);
    const double share = count / n;
    f.chi_square += (count - n / values) * (count - n / values) / (n / values);
    if (counts[value] != 0) f.entropy += share * std::log2(1.0 / share);
    sum += static_cast<Wide>(counts[value]) * value;
    squares += static_cast<Wide>(counts[value]) * value * value;
  }
  if (unit == Unit::bit) {
    products = bit_pairs_ + ((last_ & 1U) & (first_ >> 7U));
    for (std::size_t value = 0; value < 256; ++value)
      products += static_cast<Wide>(counts_[value]) *
                  static_cast<unsigned>(__builtin_popcountll(value & (value >> 1U)));
  } else {
    products += static_cast<Wide>(last_) * first_;
  }
  f.compression_percent = static_cast<int>(100.0 * (width - f.entropy) / width);
  f.chi_square_tail = chi_square_tail(f.chi_square, values - 1.0);
  f.chi_square_p = std::min(1.0, 2.0 * std::min(f.chi_square_tail, 1.0 - f.chi_square_tail));
  f.mean = static_cast<double>(sum) / n;
  f.mean_p = two_sided_normal((f.mean - (values - 1.0) / 2.0) /
                              std::sqrt((values * values - 1.0) / 12.0 / n));
  const auto points = static_cast<double>(points_), inside = static_cast<double>(inside_);
  f.pi = points_ == 0 ? missing : 4.0 * (inside / points);
  f.pi_error_percent = 100.0 * (std::abs(std::numbers::pi - f.pi) / std::numbers::pi);
  f.pi_p = points_ == 0 ? missing
                        : std::min(1.0, 2.0 * std::min(binomial_below(inside, points, share_inside),
                                                       binomial_below(points - inside, points,
                                                                      1.0 - share_inside)));
  // Whole numbers: n sum(x x') - (sum x)^2 over n sum(x^2) - (sum x)^2, below 2^113 for 2^48 bytes.
  const Wide count = f.count;
  const auto spread = static_cast<double>(count * squares - sum * sum);
  f.serial_correlation = missing;
  f.serial_correlation_p = missing;
  if (spread > 0.0) {
    const Wide a = count * products, b = sum * sum;
    const double shared = a >= b ? static_cast<double>(a - b) : -static_cast<double>(b - a);
    f.serial_correlation = shared / spread;
    f.serial_correlation_p =
        two_sided_normal((f.serial_correlation + 1.0 / std::max(1.0, n - 1.0)) * std::sqrt(n));
  }
  return f;
}

}  // namespace talla::stats
