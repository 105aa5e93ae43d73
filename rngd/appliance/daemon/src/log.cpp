#include "log.hpp"

#include <sys/uio.h>
#include <systemd/sd-journal.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace talla::rngd {

namespace {

constexpr std::string_view level_name(Level level) {
  switch (level) {
    case Level::error:
      return "error";
    case Level::warning:
      return "warning";
    case Level::notice:
      return "notice";
    case Level::info:
      return "info";
  }
  return "info";
}

/// One line stays one line, whatever a field holds.
std::string plain(std::string_view text) {
  std::string out(text);
  std::replace_if(
      out.begin(), out.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return out;
}

std::string message_of(std::string_view event, std::initializer_list<Field> fields) {
  std::string message(event);
  for (const auto& [name, value] : fields) {
    const std::string text = plain(value);
    const bool quoted = text.empty() || text.find(' ') != std::string::npos;
    message += " " + std::string(name) + "=" + (quoted ? "\"" + text + "\"" : text);
  }
  return message;
}

void to_journal(Level level, std::string_view event, std::initializer_list<Field> fields) {
  std::vector<std::string> lines{"MESSAGE=" + message_of(event, fields),
                                 "PRIORITY=" + std::to_string(static_cast<int>(level)),
                                 "SYSLOG_IDENTIFIER=rngd", "TALLA_EVENT=" + std::string(event)};
  for (const auto& [name, value] : fields) {
    std::string key = "TALLA_";
    for (const char c : name) key += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    lines.push_back(key + "=" + value);
  }
  std::vector<iovec> parts;
  parts.reserve(lines.size());
  for (std::string& line : lines) parts.push_back({line.data(), line.size()});
  static_cast<void>(::sd_journal_sendv(parts.data(), static_cast<int>(parts.size())));
}

}  // namespace

void log(Level level, std::string_view event, std::initializer_list<Field> fields) {
  static const bool journal =
      std::getenv("JOURNAL_STREAM") != nullptr;  // NOLINT(concurrency-mt-unsafe): read once
  if (journal) return to_journal(level, event, fields);
  std::array<char, 32> when{};
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  static_cast<void>(::gmtime_r(&now, &parts));
  static_cast<void>(std::strftime(when.data(), when.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
  const std::string line = std::string(when.data()) + " " + std::string(level_name(level)) + " " +
                           message_of(event, fields) + "\n";
  static_cast<void>(std::fputs(line.c_str(), stderr));
}

}  // namespace talla::rngd
