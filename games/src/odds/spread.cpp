// How far results of a bet lie apart: standard deviation, runs of losses. Exact integers only.
#include <boost/multiprecision/cpp_int.hpp>

#include "games/odds.hpp"

namespace talla::games {

namespace {

using boost::multiprecision::cpp_int;

/// Probabilities as whole parts of 2^192, cut: runs of many millions stay right to the last loss
/// but for cases that no table has.
constexpr unsigned parts_bits = 192;

/// base^power of such parts.
cpp_int raised(cpp_int base, std::uint64_t power) {
  cpp_int out = cpp_int(1) << parts_bits;
  for (; power > 0; power >>= 1) {
    if ((power & 1U) != 0) out = (out * base) >> parts_bits;
    base = (base * base) >> parts_bits;
  }
  return out;
}

constexpr int one_in = 100;
/// No bet of any game is lost less seldom than that: 2^40 rounds are no run.
constexpr unsigned run_bits = 40;

}  // namespace

std::string deviation(const Odds& odds, unsigned places) {
  const Ratio variance = odds.square - odds.house_edge() * odds.house_edge();
  const cpp_int scale = boost::multiprecision::pow(cpp_int(10), places);
  const cpp_int scaled = boost::multiprecision::sqrt(
      cpp_int(variance.numerator() * scale * scale / variance.denominator()));
  std::string behind = cpp_int(scaled % scale).str();
  if (places == 0) return scaled.str();
  behind.insert(0, places - behind.size(), '0');
  return cpp_int(scaled / scale).str() + "." + behind;
}

std::string percent_text(const Ratio& ratio) {
  constexpr std::int64_t places = 10'000;
  constexpr std::size_t digits = 4;
  const bool negative = ratio.numerator() < 0;
  const cpp_int numerator = negative ? cpp_int(-ratio.numerator()) : ratio.numerator();
  const cpp_int scaled = (numerator * 100 * places * 2 / ratio.denominator() + 1) / 2;
  std::string part = cpp_int(scaled % places).str();
  part.insert(0, digits - part.size(), '0');
  return (negative ? "-" : "") + cpp_int(scaled / places).str() + "." + part + " %";
}

std::optional<std::uint64_t> losing_run(const Odds& odds) {
  if (odds.lose == Ratio(1)) return std::nullopt;
  const cpp_int lose = (odds.lose.numerator() << parts_bits) / odds.lose.denominator();
  const cpp_int least = (cpp_int(1) << parts_bits) / one_in;
  std::uint64_t run = 0;
  for (unsigned bit = run_bits; bit-- > 0;) {
    const std::uint64_t longer = run | std::uint64_t{1} << bit;
    if (raised(lose, longer) >= least) run = longer;
  }
  return run;
}

}  // namespace talla::games
