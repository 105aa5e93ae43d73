#include "sp800_22_reference.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "stats/special.hpp"

namespace reference {
namespace {

using talla::stats::gamma_upper;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

double chi_square(const std::vector<double>& found, const std::vector<double>& share) {
  double total = 0, sum = 0;
  for (const double f : found) total += f;
  for (std::size_t i = 0; i < found.size(); ++i) {
    sum += (found[i] - total * share[i]) * (found[i] - total * share[i]) / (total * share[i]);
  }
  return sum;
}

double ones_of(const Sequence& bits, std::size_t first, std::size_t count) {
  double ones = 0;
  for (std::size_t i = 0; i < count; ++i) ones += bits[first + i];
  return ones;
}

double block_frequency(const Sequence& bits, std::size_t m) {
  const std::size_t blocks = bits.size() / m;
  if (blocks == 0) return none;
  double sum = 0;
  for (std::size_t i = 0; i < blocks; ++i)
    sum += std::pow(ones_of(bits, i * m, m) / static_cast<double>(m) - 0.5, 2);
  return gamma_upper(static_cast<double>(blocks) / 2, 4.0 * static_cast<double>(m) * sum / 2);
}

double cumulative_sums(const Sequence& bits, bool reverse) {
  long sum = 0, most = 0;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    sum += 2 * bits[reverse ? bits.size() - 1 - i : i] - 1;
    most = std::max(most, std::labs(sum));
  }
  const auto n = static_cast<double>(bits.size());
  const auto z = static_cast<double>(most);
  double p = 1;
  // The series without limits: terms far out are zero, so rounding of its limits cannot matter
  // here.
  const auto far = static_cast<long>(std::ceil(n / z));
  for (long place = -far; place <= far; ++place) {
    const auto k = static_cast<double>(place);
    const auto phi = [&](double factor) {
      return talla::stats::normal_below(factor * z / std::sqrt(n));
    };
    if (k >= (-n / z + 1) / 4 && k <= (n / z - 1) / 4) p -= phi(4 * k + 1) - phi(4 * k - 1);
    if (k >= (-n / z - 3) / 4 && k <= (n / z - 1) / 4) p += phi(4 * k + 3) - phi(4 * k + 1);
  }
  return p;
}

double runs(const Sequence& bits) {
  const auto n = static_cast<double>(bits.size());
  const double share = ones_of(bits, 0, bits.size()) / n;
  if (std::fabs(share - 0.5) > 2 / std::sqrt(n)) return 0;
  double count = 1;
  for (std::size_t i = 1; i < bits.size(); ++i) count += bits[i] != bits[i - 1] ? 1 : 0;
  return std::erfc(std::fabs(count - 2 * n * share * (1 - share)) /
                   (2 * std::sqrt(2 * n) * share * (1 - share)));
}

/// Share of all blocks of m bits whose longest run is v, by counting them all (m = 8) or by a walk
/// over open run and longest.
std::vector<double> longest_run_shares(std::size_t m, int first, int last) {
  std::vector<std::vector<double>> at(m + 1, std::vector<double>(m + 1, 0.0));  // [longest][open]
  const std::size_t cap = 40;
  at.assign(cap + 1, std::vector<double>(cap + 1, 0.0));
  at[0][0] = 1;
  for (std::size_t i = 0; i < m; ++i) {
    std::vector<std::vector<double>> next(cap + 1, std::vector<double>(cap + 1, 0.0));
    for (std::size_t longest = 0; longest <= cap; ++longest) {
      for (std::size_t open = 0; open <= longest; ++open) {
        const double half = at[longest][open] / 2;
        if (half == 0) continue;
        next[longest][0] += half;
        const std::size_t run = std::min(open + 1, cap);
        next[std::max(longest, run)][run] += half;
      }
    }
    at = std::move(next);
  }
  std::vector<double> shares(static_cast<std::size_t>(last - first + 1), 0.0);
  for (std::size_t longest = 0; longest <= cap; ++longest) {
    double share = 0;
    for (const double part : at[longest]) share += part;
    shares[static_cast<std::size_t>(std::clamp(static_cast<int>(longest), first, last) - first)] +=
        share;
  }
  return shares;
}

double longest_run(const Sequence& bits, bool nist) {
  const std::size_t n = bits.size();
  if (n < 128) return none;
  std::size_t m = 8;
  int first = 1, last = 4;
  std::vector<double> share = {0.21484375, 0.3671875, 0.23046875, 0.1875};
  if (n >= 6272) {
    m = 128, first = 4, last = 9;
    share = {0.1174035788, 0.242955959, 0.249363483, 0.17517706, 0.102701071, 0.112398847};
  }
  if (n >= 750000) {
    m = 10000, first = 10, last = 16;
    share = {0.0882, 0.2092, 0.2483, 0.1933, 0.1208, 0.0675, 0.0727};
  }
  if (!nist) share = longest_run_shares(m, first, last);
  std::vector<double> found(share.size(), 0.0);
  for (std::size_t b = 0; b < n / m; ++b) {
    int longest = 0, run = 0;
    for (std::size_t i = 0; i < m; ++i) {
      run = bits[b * m + i] == 1 ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    ++found[static_cast<std::size_t>(std::clamp(longest, first, last) - first)];
  }
  return gamma_upper((last - first) / 2.0, chi_square(found, share) / 2);
}

double rank(const Sequence& bits, bool nist) {
  const std::size_t matrices = bits.size() / 1024;
  if (matrices == 0) return nist ? 0.0 : none;
  std::vector<double> found(3, 0.0);
  for (std::size_t k = 0; k < matrices; ++k) {
    std::vector<std::vector<int>> a(32, std::vector<int>(32));
    for (std::size_t i = 0; i < 1024; ++i) a[i / 32][i % 32] = bits[k * 1024 + i];
    std::size_t r = 0;
    for (std::size_t column = 0; column < 32; ++column) {
      std::size_t pivot = r;
      while (pivot < 32 && a[pivot][column] == 0) ++pivot;
      if (pivot == 32) continue;
      std::swap(a[r], a[pivot]);
      for (std::size_t i = r + 1; i < 32; ++i) {
        if (a[i][column] == 0) continue;
        for (std::size_t j = 0; j < 32; ++j) a[i][j] ^= a[r][j];
      }
      ++r;
    }
    ++found[std::min<std::size_t>(32 - r, 2)];
  }
  const auto share = [](int r) {
    double p = std::pow(2.0, r * (64 - r) - 1024);
    for (int i = 0; i < r; ++i)
      p *= std::pow(1 - std::pow(2.0, i - 32), 2) / (1 - std::pow(2.0, i - r));
    return p;
  };
  return std::exp(-chi_square(found, {share(32), share(31), 1 - share(32) - share(31)}) / 2);
}

double fft(const Sequence& bits, bool nist) {
  const std::size_t n = bits.size();
  double below = 0;
  for (std::size_t k = 0; k < n / 2; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double angle =
          -2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n);
      sum += (2.0 * bits[i] - 1.0) * std::polar(1.0, angle);
    }
    below +=
        std::abs(sum) < std::sqrt((nist ? 2.995732274 : std::log(20.0)) * static_cast<double>(n))
            ? 1
            : 0;
  }
  const auto count = static_cast<double>(n);
  const double d = (below - 0.95 * count / 2) / std::sqrt(count * 0.95 * 0.05 / (nist ? 4 : 3.8));
  return std::erfc(std::fabs(d) / std::numbers::sqrt2);
}

double non_overlapping(const Sequence& bits, const std::string& pattern) {
  const std::size_t m = pattern.size(), block = bits.size() / 8;
  if (block < m) return none;
  const double mean = static_cast<double>(block - m + 1) / std::pow(2.0, m);
  const double variance =
      static_cast<double>(block) *
      (1 / std::pow(2.0, m) - (2.0 * static_cast<double>(m) - 1) / std::pow(2.0, 2 * m));
  double sum = 0;
  for (std::size_t b = 0; b < 8; ++b) {
    double found = 0;
    for (std::size_t i = 0; i + m <= block;) {
      bool equal = true;
      for (std::size_t k = 0; k < m; ++k)
        equal = equal && bits[b * block + i + k] == pattern[k] - '0';
      found += equal ? 1 : 0;
      i += equal ? m : 1;
    }
    sum += (found - mean) * (found - mean) / variance;
  }
  return gamma_upper(4, sum / 2);
}

/// Shares of blocks of 1,032 bits with 0, ..., 4, 5 and more runs of m ones: compound Poisson, or a
/// walk over all blocks.
std::vector<double> overlapping_shares(std::size_t m, bool nist) {
  std::vector<double> share(6, 0.0);
  if (nist) {
    const double eta = static_cast<double>(1032 - m + 1) / std::pow(2.0, m) / 2;
    share[0] = std::exp(-eta);
    for (int u = 1; u < 5; ++u) {
      double choose = 1;   // (u - 1 over l - 1)
      double power = eta;  // eta^l / l!
      for (int l = 1; l <= u; ++l) {
        share[static_cast<std::size_t>(u)] += std::exp(-eta) / std::pow(2.0, u) * choose * power;
        choose = choose * (u - l) / l;
        power = power * eta / (l + 1);
      }
    }
    share[5] = 1 - share[0] - share[1] - share[2] - share[3] - share[4];
    return share;
  }
  std::map<std::pair<std::size_t, std::size_t>, double> at{{{0, 0}, 1.0}};
  for (int bit = 0; bit < 1032; ++bit) {
    std::map<std::pair<std::size_t, std::size_t>, double> next;
    for (const auto& [state, p] : at) {
      const auto [run, found] = state;
      next[{0, found}] += p / 2;
      next[{std::min(run + 1, m), std::min<std::size_t>(found + (run + 1 >= m ? 1U : 0U), 5)}] +=
          p / 2;
    }
    at = std::move(next);
  }
  for (const auto& [state, p] : at) share[state.second] += p;
  return share;
}

double overlapping(const Sequence& bits, std::size_t m, bool nist) {
  if (bits.size() < 1032) return none;
  std::vector<double> found(6, 0.0);
  for (std::size_t b = 0; b < bits.size() / 1032; ++b) {
    std::size_t hits = 0;
    for (std::size_t i = 0; i + m <= 1032; ++i)
      hits += ones_of(bits, b * 1032 + i, m) == static_cast<double>(m) ? 1U : 0U;
    ++found[std::min<std::size_t>(hits, 5)];
  }
  return gamma_upper(2.5, chi_square(found, overlapping_shares(m, nist)) / 2);
}

double psi(const Sequence& bits, std::size_t m) {
  if (m == 0) return 0;
  std::map<std::string, double> count;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    std::string window;
    for (std::size_t k = 0; k < m; ++k)
      window += static_cast<char>('0' + bits[(i + k) % bits.size()]);
    ++count[window];
  }
  double sum = 0;
  for (const auto& [window, c] : count) sum += c * c;
  const auto n = static_cast<double>(bits.size());
  return sum * std::pow(2.0, m) / n - n;
}

double phi(const Sequence& bits, std::size_t m) {
  std::map<std::string, double> count;
  for (std::size_t i = 0; i < bits.size(); ++i) {
    std::string window;
    for (std::size_t k = 0; k < m; ++k)
      window += static_cast<char>('0' + bits[(i + k) % bits.size()]);
    ++count[window];
  }
  const auto n = static_cast<double>(bits.size());
  double sum = 0;
  for (const auto& [window, c] : count) sum += c / n * std::log(c / n);
  return sum;
}

/// Berlekamp-Massey as in the Handbook of Applied Cryptography, 6.30.
std::size_t complexity(const Sequence& s) {
  const std::size_t n = s.size();
  std::vector<int> c(n + 1, 0), b(n + 1, 0);
  c[0] = b[0] = 1;
  std::size_t l = 0, step = 1;
  for (std::size_t i = 0; i < n; ++i) {
    int d = s[i];
    for (std::size_t k = 1; k <= l; ++k) d ^= c[k] & s[i - k];
    if (d == 0) {
      ++step;
      continue;
    }
    const auto old = c;
    for (std::size_t k = 0; k + step <= n; ++k) c[k + step] ^= b[k];
    if (2 * l <= i) {
      l = i + 1 - l;
      b = old;
      step = 1;
    } else {
      ++step;
    }
  }
  return l;
}

double linear_complexity(const Sequence& bits, std::size_t m, bool nist) {
  if (bits.size() < m) return none;
  const auto length = static_cast<double>(m);
  const double mean = length / 2 + (9 + (m % 2 == 0 ? -1.0 : 1.0)) / 36 -
                      (length / 3 + 2.0 / 9) / std::pow(2.0, length);
  const auto class_of = [&](std::size_t l) {
    const double t = (m % 2 == 0 ? 1 : -1) * (static_cast<double>(l) - mean) + 2.0 / 9;
    std::size_t k = 0;
    while (k < 6 && t > static_cast<double>(k) - 2.5) ++k;
    return k;
  };
  std::vector<double> share = {0.01047, 0.03125, 0.125, 0.5, 0.25, 0.0625, 0.020833};
  if (!nist) {
    share.assign(7, 0.0);
    share[class_of(0)] += std::pow(2.0, -length);
    for (std::size_t l = 1; l <= m; ++l) {
      const auto x = static_cast<double>(l);
      share[class_of(l)] += std::pow(2.0, std::min(2 * length - 2 * x, 2 * x - 1) - length);
    }
  }
  std::vector<double> found(7, 0.0);
  for (std::size_t i = 0; i + m <= bits.size(); i += m) {
    const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(i);
    ++found[class_of(complexity(Sequence(begin, begin + static_cast<std::ptrdiff_t>(m))))];
  }
  double total = 0, sum = 0;
  for (const double f : found) total += f;
  for (std::size_t i = 0; i < 7; ++i)
    sum += std::pow(found[i] - total * share[i], 2) / (total * share[i]);
  return gamma_upper(3, sum / 2);
}

void excursions(const Sequence& bits, bool nist, std::map<std::string, double>& out) {
  std::vector<int> walk{0};
  for (const int bit : bits) walk.push_back(walk.back() + 2 * bit - 1);
  if (walk.back() != 0) walk.push_back(0);
  std::vector<std::vector<int>> cycles;
  for (const int place : walk) {
    if (place == 0)
      cycles.emplace_back();
    else
      cycles.back().push_back(place);
  }
  cycles.pop_back();  // behind the last zero
  const auto j = static_cast<double>(cycles.size());
  const bool few = j < std::max(500.0, 0.005 * std::sqrt(static_cast<double>(bits.size())));
  for (int x = -9; x <= 9; ++x) {
    if (x == 0) continue;
    const std::string item = "x = " + std::to_string(x);
    double visits = 0;
    std::vector<double> found(6, 0.0);
    for (const auto& cycle : cycles) {
      const auto here = static_cast<double>(std::count(cycle.begin(), cycle.end(), x));
      visits += here;
      ++found[static_cast<std::size_t>(std::min(here, 5.0))];
    }
    out["RandomExcursionsVariant " + item] =
        few ? none : std::erfc(std::fabs(visits - j) / std::sqrt(2 * j * (4.0 * std::abs(x) - 2)));
    if (std::abs(x) > 4) continue;
    const double a = std::abs(x), stay = 1 - 1 / (2 * a);
    std::vector<double> share{stay};
    for (int k = 1; k < 5; ++k) share.push_back(std::pow(stay, k - 1) / (4 * a * a));
    share.push_back(std::pow(stay, 4) / (2 * a));
    const bool held = !nist || cycles.size() <= std::max<std::size_t>(1000, bits.size() / 100);
    out["RandomExcursions " + item] =
        few || !held ? none : gamma_upper(2.5, chi_square(found, share) / 2);
  }
}

}  // namespace

std::map<std::string, double> sp800_22(const Sequence& bits,
                                       const talla::stats::sp800_22::Parameters& parameters,
                                       bool nist) {
  std::map<std::string, double> out;
  const auto n = static_cast<double>(bits.size());
  out["Frequency"] = std::erfc(std::fabs(2 * ones_of(bits, 0, bits.size()) - n) / std::sqrt(2 * n));
  out["BlockFrequency"] = block_frequency(bits, parameters.block_frequency);
  out["CumulativeSums forward"] = cumulative_sums(bits, false);
  out["CumulativeSums reverse"] = cumulative_sums(bits, true);
  out["Runs"] = runs(bits);
  out["LongestRun"] = longest_run(bits, nist);
  out["Rank"] = rank(bits, nist);
  out["FFT"] = fft(bits, nist);
  out["OverlappingTemplate"] = overlapping(bits, parameters.overlapping, nist);
  const std::size_t m = parameters.approximate_entropy;
  out["ApproximateEntropy"] = gamma_upper(
      std::pow(2.0, m) / 2, n * (std::numbers::ln2 - (phi(bits, m) - phi(bits, m + 1))));
  const std::size_t s = parameters.serial;
  const double psi_m = psi(bits, s), psi_1 = psi(bits, s - 1), psi_2 = psi(bits, s - 2);
  out["Serial 1"] = gamma_upper(std::pow(2.0, static_cast<double>(s) - 2), (psi_m - psi_1) / 2);
  out["Serial 2"] =
      gamma_upper(std::pow(2.0, static_cast<double>(s) - 3), (psi_m - 2 * psi_1 + psi_2) / 2);
  out["LinearComplexity"] = linear_complexity(bits, parameters.linear_complexity, nist);
  excursions(bits, nist, out);
  for (std::uint32_t pattern = 0; pattern < (1U << parameters.non_overlapping); ++pattern) {
    std::string text;
    for (std::size_t k = parameters.non_overlapping; k-- > 0;)
      text += ((pattern >> k) & 1U) != 0 ? '1' : '0';
    bool overlaps_itself = false;
    for (std::size_t k = 1; k < text.size(); ++k)
      overlaps_itself = overlaps_itself || text.substr(k) == text.substr(0, text.size() - k);
    if (!overlaps_itself) out["NonOverlappingTemplate " + text] = non_overlapping(bits, text);
  }
  return out;
}

}  // namespace reference
