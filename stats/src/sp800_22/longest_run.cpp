// SP 800-22 Rev. 1a, 2.4: longest run of ones in a block.
#include <algorithm>
#include <array>
#include <cmath>

#include "plan.hpp"
#include "stats/special.hpp"

namespace talla::stats::sp800_22 {
namespace {

/// Runs of ones inside a byte: at its beginning, at its end, and the longest.
struct ByteRuns {
  std::uint8_t first = 0, last = 0, longest = 0;
};

constexpr std::array<ByteRuns, 256> make_runs() {
  std::array<ByteRuns, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::uint8_t run = 0, longest = 0, first = 0;
    bool at_begin = true;
    for (int k = 7; k >= 0; --k) {
      if (((byte >> k) & 1U) != 0) {
        ++run;
        longest = std::max(longest, run);
        if (at_begin) first = run;
      } else {
        run = 0;
        at_begin = false;
      }
    }
    table[byte] = {first, run, longest};
  }
  return table;
}
constexpr auto byte_runs = make_runs();

int longest_in(const Bits& bits, std::size_t first_byte, std::size_t bytes_count) {
  int longest = 0;
  int open = 0;
  for (std::size_t i = first_byte; i < first_byte + bytes_count; ++i) {
    const std::uint8_t byte = bits.byte(i);
    if (byte == 0xff) {
      open += 8;
      continue;
    }
    const ByteRuns& inside = byte_runs[byte];
    longest = std::max({longest, open + inside.first, int{inside.longest}});
    open = inside.last;
  }
  return std::max(longest, open);
}

/// P(no run of ones longer than `length` among `count` fair bits).
double no_longer_run(int length, std::size_t count) {
  const auto span = static_cast<std::size_t>(length) + 1;  // shortest run that is too long
  std::vector<double> none(count + 1, 1.0);
  for (std::size_t n = span; n <= count; ++n) {
    const double before = n == span ? std::ldexp(1.0, -static_cast<int>(span))
                                    : std::ldexp(none[n - span - 1], -static_cast<int>(span) - 1);
    none[n] = none[n - 1] - before;
  }
  return none[count];
}

}  // namespace

LongestRunTable longest_run_table(std::size_t bits_count) {
  if (bits_count < 128) return {};
  if (bits_count < 6272) return {8, 1, 4};
  if (bits_count < 750000) return {128, 4, 6};
  return {10000, 10, 7};
}

std::vector<double> longest_run_classes(Profile profile, std::size_t bits_count) {
  const LongestRunTable table = longest_run_table(bits_count);
  if (table.classes == 0) return {};
  if (profile == Profile::nist_2_1_2) {
    if (table.block == 8) return {0.21484375, 0.3671875, 0.23046875, 0.1875};
    if (table.block == 128) {
      return {0.1174035788, 0.242955959, 0.249363483, 0.17517706, 0.102701071, 0.112398847};
    }
    return {0.0882, 0.2092, 0.2483, 0.1933, 0.1208, 0.0675, 0.0727};
  }
  std::vector<double> classes;
  double below = 0.0;
  for (std::size_t i = 0; i + 1 < table.classes; ++i) {
    const double up_to = no_longer_run(table.shortest + static_cast<int>(i), table.block);
    classes.push_back(up_to - below);
    below = up_to;
  }
  classes.push_back(1.0 - below);
  return classes;
}

void longest_run(const Plan& plan, const Bits& bits, const Sink& sink) {
  const LongestRunTable table = longest_run_table(bits.size());
  if (table.classes == 0) return;
  std::vector<std::size_t> counts(table.classes);
  const std::size_t blocks_count = bits.size() / table.block;
  const std::size_t bytes_count = table.block / 8;
  for (std::size_t i = 0; i < blocks_count; ++i) {
    const int index = longest_in(bits, i * bytes_count, bytes_count) - table.shortest;
    ++counts[static_cast<std::size_t>(std::clamp(index, 0, static_cast<int>(table.classes) - 1))];
  }
  double chi_square = 0.0;
  for (std::size_t i = 0; i < table.classes; ++i) {
    const double expected = static_cast<double>(blocks_count) * plan.longest_run_classes[i];
    const double off = static_cast<double>(counts[i]) - expected;
    chi_square += off * off / expected;
  }
  sink.figure("blocks", static_cast<double>(blocks_count));
  sink.figure("chi-square", chi_square);
  sink.p[0] = chi_square_tail(chi_square, static_cast<double>(table.classes - 1));
}

}  // namespace talla::stats::sp800_22
