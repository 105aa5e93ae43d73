// Money as a reader expects it; exact, never rounded.
#include "games/money.hpp"
#include "report/round_report.hpp"

namespace talla::report {
namespace {

constexpr int decimals_max = 4;

/// The amount with exactly that many decimals; nothing when it needs more.
std::string decimal(const games::Fraction& amount, int decimals) {
  std::int64_t scale = 1;
  for (int i = 0; i < decimals; ++i) scale *= 10;
  const auto scaled = amount * games::Fraction(scale);
  if (!scaled.is_integer()) return {};
  const bool negative = scaled < games::Fraction(0);
  auto digits = (negative ? -scaled : scaled).text();
  const auto width = static_cast<std::size_t>(decimals);
  if (digits.size() <= width) digits.insert(0, width + 1 - digits.size(), '0');
  digits.insert(digits.size() - width, ".");
  return (negative ? "-" : "") + digits;
}

}  // namespace

Result<std::string> money_text(std::int64_t amount, std::string_view unit,
                               std::string_view currency) {
  if (currency.empty()) return std::to_string(amount);
  TALLA_TRY(const auto worth, games::Fraction::parse_canonical(unit));
  const auto value = games::Fraction(amount) * worth;
  std::string text = worth.is_integer() ? value.text() : std::string();
  for (int decimals = 2; text.empty() && decimals <= decimals_max; ++decimals)
    text = decimal(value, decimals);
  if (text.empty()) text = value.text();
  return text + " " + std::string(currency);
}

}  // namespace talla::report
