#include "times.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <optional>

#include "app.hpp"

namespace talla::cli {

namespace {

/// `count` digits of the text, or nothing. Precondition: the text is so long.
std::optional<unsigned> digits(const std::string& text, std::size_t at, std::size_t count) {
  unsigned value = 0;
  const char* end = text.data() + at + count;
  const auto parsed = std::from_chars(text.data() + at, end, value);  // unsigned: takes no sign
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

/// The day that its first ten characters name. Precondition: there are ten.
std::optional<std::chrono::sys_days> date_in(const std::string& text) {
  const auto year = digits(text, 0, 4);
  const auto month = digits(text, 5, 2);
  const auto day = digits(text, 8, 2);
  if (text[4] != '-' || text[7] != '-' || !year || !month || !day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(*month), std::chrono::day(*day)};
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

std::int64_t micros_of(std::chrono::sys_seconds time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

}  // namespace

std::string time_text(std::int64_t time_us) {
  const std::time_t seconds = time_us / 1'000'000;
  std::tm parts{};
  std::array<char, 32> text{};
  if (::gmtime_r(&seconds, &parts) == nullptr ||
      std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
    return std::to_string(time_us);
  return text.data();
}

Result<std::int64_t> time_of(const std::string& option, const std::string& text) {
  const auto wrong = [&] {
    return fail(CliErrc::usage, option + ": a time like 2026-11-22T04:05:06Z is expected");
  };
  if (text.size() != 20 || text[10] != 'T' || text[13] != ':' || text[16] != ':' || text[19] != 'Z')
    return wrong();
  const auto date = date_in(text);
  const auto hour = digits(text, 11, 2);
  const auto minute = digits(text, 14, 2);
  const auto second = digits(text, 17, 2);
  if (!date || !hour || !minute || !second || *hour >= 24 || *minute >= 60 || *second >= 60)
    return wrong();
  return micros_of(*date + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
                   std::chrono::seconds(*second));
}

Result<std::int64_t> day_of(const std::string& option, const std::string& text) {
  const auto date = text.size() == 10 ? date_in(text) : std::nullopt;
  if (!date) return fail(CliErrc::usage, option + ": a date like 2026-11-22 is expected");
  return micros_of(*date);
}

}  // namespace talla::cli
