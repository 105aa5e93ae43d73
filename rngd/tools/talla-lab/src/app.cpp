#include "app.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "json_writer.hpp"

namespace talla::lab {
namespace {

std::int64_t now_ms() {
  using namespace std::chrono;  // NOLINT(google-build-using-namespace)
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

void App::refuse(const stats::Error& error) {
  exit = exit_refused;
  if (json) {
    JsonWriter out;
    out.begin_object().member("error", error.detail).end_object();
    fmt::print("{}\n", out.text());
  } else {
    fmt::print(stderr, "talla-lab: {}\n", error.detail);
  }
}

void App::say_more_data(const std::string& detail) const {
  if (json) {
    JsonWriter out;
    out.begin_object().member("verdict", "more-data").member("detail", detail).end_object();
    fmt::print("{}\n", out.text());
  } else {
    fmt::print("too little data for a verdict: {}\n", detail);
  }
}

Progress::Progress(const App& app, std::string what, std::size_t total)
    : shown_(!app.json && !app.quiet && isatty(STDERR_FILENO) == 1 && total > 1),
      what_(std::move(what)),
      total_(total) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::show(std::size_t done) {
  if (!shown_) return;
  const auto now = now_ms();
  if (now - last_ms_ < 100 && done != total_) return;
  last_ms_ = now;
  constexpr std::size_t width = 30;
  const std::size_t filled =
      std::min(done, total_) * width / total_;  // a file may grow while it is read
  fmt::print(stderr, "\r{} [{}{}] {} of {}\x1b[K", what_, std::string(filled, '#'),
             std::string(width - filled, '.'), done, total_);
}

}  // namespace talla::lab
