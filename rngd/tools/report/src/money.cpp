// Money and times as a reader expects them; exact, never rounded.
#include <array>
#include <ctime>

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

std::string clock_text(const std::tm& parts, const char* form) {
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), form, &parts)};
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

std::string time_text(std::int64_t time_us) {
  const auto micros = ((time_us % 1'000'000) + 1'000'000) % 1'000'000;
  const auto seconds = static_cast<std::time_t>((time_us - micros) / 1'000'000);
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return std::to_string(time_us) + " us";
  auto millis = std::to_string(micros / 1000);
  millis.insert(0, 3 - millis.size(), '0');
  return clock_text(parts, "%Y-%m-%d %H:%M:%S") + "." + millis + " UTC";
}

std::string both_times_text(std::int64_t time_us) {
  const auto seconds = static_cast<std::time_t>(time_us / 1'000'000);
  std::string utc = time_text(time_us);
  std::tm parts{};
  if (time_us < 0 || ::localtime_r(&seconds, &parts) == nullptr) return utc;
  const std::string local = clock_text(parts, "%Y-%m-%d %H:%M:%S %Z");
  return local.ends_with(" UTC") ? utc : local + " (" + utc + ")";
}

}  // namespace talla::report
