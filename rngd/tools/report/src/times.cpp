// Times as a reader expects them.
#include "report/times.hpp"

#include <array>
#include <ctime>

namespace talla::report {
namespace {

std::string clock_text(const std::tm& parts, const char* form) {
  std::array<char, 64> text{};
  return {text.data(), std::strftime(text.data(), text.size(), form, &parts)};
}

}  // namespace

std::string time_text(std::int64_t time_us) {
  const auto micros = ((time_us % 1'000'000) + 1'000'000) % 1'000'000;
  const auto seconds = static_cast<std::time_t>((time_us - micros) / 1'000'000);
  std::tm parts{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return std::to_string(time_us) + " us";
  auto millis = std::to_string(micros / 1000);
  millis.insert(0, 3 - millis.size(), '0');
  return clock_text(parts, "%Y-%m-%d %H:%M:%S") + "." + millis + " UTC";
}

std::string local_time_text(std::int64_t time_us) {
  const std::time_t seconds = time_us / 1'000'000;
  std::tm parts{};
  if (::localtime_r(&seconds, &parts) == nullptr) return std::to_string(time_us) + " us";
  return clock_text(parts, "%Y-%m-%d %H:%M:%S %Z");
}

std::string both_times_text(std::int64_t time_us) {
  std::string utc = time_text(time_us);
  const std::string local = local_time_text(time_us);
  return local.ends_with(" UTC") ? utc : local + " (" + utc + ")";
}

}  // namespace talla::report
