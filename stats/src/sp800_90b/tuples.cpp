// SP 800-90B: 6.3.5 t-tuple, 6.3.6 longest repeated substring.
#include <algorithm>
#include <cmath>

#include "estimate.hpp"
#include "suffixes.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr std::uint64_t frequent = 35;  // occurrences of a tuple that 6.3.5 asks for

double bound_of(long double p, std::size_t n) {
  const long double wide =
      p + 2.575829303548900384158L * std::sqrt(p * (1.0L - p) / static_cast<long double>(n - 1));
  return static_cast<double>(std::min(1.0L, wide));
}

/// Both estimates from the repeats in the order of their lengths: t-tuple as long as a substring is
/// frequent, LRS behind.
class Tuples {
 public:
  explicit Tuples(std::size_t n) : n_(n) {}

  void take(const Repeats& repeats) {
    for (std::size_t length = repeats.first() + 1; length <= repeats.longest(); ++length) {
      const auto places = static_cast<long double>(n_ - length + 1);
      if (longest_frequent_ + 1 == length && repeats.most(length) >= frequent) {
        longest_frequent_ = length;
        add(share_, static_cast<long double>(repeats.most(length)) / places, length);
      } else {
        add(collision_,
            static_cast<long double>(repeats.pairs(length)) / (places * (places - 1.0L) / 2.0L),
            length);
      }
    }
    longest_ = repeats.longest();
  }
  [[nodiscard]] std::vector<Estimate> result() const { return {t_tuple(), longest_repeated()}; }

 private:
  static void add(long double& most, long double p, std::size_t length) {
    most = std::max(most, std::pow(p, 1.0L / static_cast<long double>(length)));
  }
  [[nodiscard]] Estimate t_tuple() const {
    if (longest_frequent_ == 0) return not_estimated("t-Tuple", "no symbol occurs 35 times");
    const double bound = bound_of(share_, n_);
    return {"t-Tuple",
            -std::log2(bound),
            {{"t", static_cast<double>(longest_frequent_)},
             {"p-hat_max", static_cast<double>(share_)},
             {"p_u", bound}},
            {}};
  }
  [[nodiscard]] Estimate longest_repeated() const {
    const std::size_t u = longest_frequent_ + 1;
    if (longest_ < u)
      return not_estimated("LRS", "no substring repeats that occurs fewer than 35 times");
    const double bound = bound_of(collision_, n_);
    return {"LRS",
            -std::log2(bound),
            {{"u", static_cast<double>(u)},
             {"v", static_cast<double>(longest_)},
             {"p-hat", static_cast<double>(collision_)},
             {"p_u", bound}},
            {}};
  }
  std::size_t n_;
  std::size_t longest_frequent_ = 0, longest_ = 0;
  long double share_ = 0.0L, collision_ = 0.0L;
};

template <class Text>
std::vector<Estimate> tuples_of(const Text& text) {
  Tuples tuples(text.size());
  repeats_of(text, [&](const Repeats& repeats) { tuples.take(repeats); });
  return tuples.result();
}

}  // namespace

std::vector<Estimate> tuples(const Bits& bits) {
  return tuples_of(bits);
}
std::vector<Estimate> tuples(std::span<const std::uint8_t> symbols) {
  return tuples_of(symbols);
}

}  // namespace talla::stats::sp800_90b
