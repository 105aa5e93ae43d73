#include "times.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <ctime>
#include <optional>
#include <utility>

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

std::string both_times_text(std::int64_t time_us) {
  const std::string local = local_time_text(time_us);
  return local.ends_with(" UTC") ? local : local + " (" + time_text(time_us) + ")";
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

namespace {

/// Hours and minutes, with or without seconds, from `at` to the end of the text.
std::optional<std::chrono::seconds> time_in(const std::string& text, std::size_t at) {
  if (text.size() != at + 5 && text.size() != at + 8) return std::nullopt;
  const bool seconds = text.size() == at + 8;
  if (text[at + 2] != ':' || (seconds && text[at + 5] != ':')) return std::nullopt;
  const auto hour = digits(text, at, 2);
  const auto minute = digits(text, at + 3, 2);
  const auto second = seconds ? digits(text, at + 6, 2) : std::optional(0U);
  if (!hour || !minute || !second || *hour >= 24 || *minute >= 60 || *second >= 60)
    return std::nullopt;
  return std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second);
}

/// That wall time in this machine's zone, as seconds since 1970; nothing: there is no such time.
std::optional<std::time_t> local_seconds(std::chrono::year_month_day date,
                                         std::chrono::seconds time) {
  std::tm parts{};
  parts.tm_year = static_cast<int>(date.year()) - 1900;
  parts.tm_mon = static_cast<int>(static_cast<unsigned>(date.month())) - 1;
  parts.tm_mday = static_cast<int>(static_cast<unsigned>(date.day()));
  parts.tm_sec = static_cast<int>(time.count() % 60);
  parts.tm_min = static_cast<int>(time.count() / 60 % 60);
  parts.tm_hour = static_cast<int>(time.count() / 3600);
  parts.tm_isdst = -1;
  const std::time_t seconds = std::mktime(&parts);
  return seconds == -1 ? std::nullopt : std::optional(seconds);
}

}  // namespace

Result<std::int64_t> moment_of(const std::string& option, const std::string& text) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return moment_of(option, text,
                   std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

Result<std::int64_t> moment_of(const std::string& option, const std::string& text,
                               std::int64_t now_us) {
  if (text.ends_with('Z')) return time_of(option, text);
  const auto wrong = [&] {
    return fail(CliErrc::usage, option +
                                    ": a time like 23:10, 2026-11-22T23:10 or "
                                    "2026-11-22T22:10:00Z is expected");
  };
  if (text.size() >= 16 && text[10] == 'T') {
    const auto date = date_in(text);
    const auto time = time_in(text, 11);
    const auto seconds = date && time ? local_seconds(*date, *time) : std::nullopt;
    if (!seconds) return wrong();
    return std::int64_t{*seconds} * 1'000'000;
  }
  const auto time = time_in(text, 0);
  if (!time) return wrong();
  const std::time_t now = now_us / 1'000'000;
  std::tm today{};
  if (::localtime_r(&now, &today) == nullptr) return wrong();
  const std::chrono::sys_days day =
      std::chrono::year_month_day{std::chrono::year(today.tm_year + 1900),
                                  std::chrono::month(static_cast<unsigned>(today.tm_mon + 1)),
                                  std::chrono::day(static_cast<unsigned>(today.tm_mday))};
  auto seconds = local_seconds(day, *time);
  if (seconds && *seconds > now) seconds = local_seconds(day - std::chrono::days(1), *time);
  if (!seconds) return wrong();
  return std::int64_t{*seconds} * 1'000'000;
}

Result<std::string> range_query(const std::string& from, const std::string& to) {
  std::string query;
  for (const auto& [name, text] : {std::pair{"from", &from}, std::pair{"to", &to}}) {
    if (text->empty()) continue;
    TALLA_TRY(const std::int64_t moment, moment_of(std::string("--") + name, *text));
    query += std::string("&") + name + "=" + std::to_string(moment);
  }
  return query;
}

Result<std::int64_t> day_of(const std::string& option, const std::string& text) {
  const auto date = text.size() == 10 ? date_in(text) : std::nullopt;
  if (!date) return fail(CliErrc::usage, option + ": a date like 2026-11-22 is expected");
  return micros_of(*date);
}

}  // namespace talla::cli
