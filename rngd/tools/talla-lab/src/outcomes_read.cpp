#include "outcomes_read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "input.hpp"
#include "outcomes_records.hpp"

namespace talla::lab {
namespace {

constexpr std::size_t line_most = 65'536;  // a record is at most 60,000 bytes
constexpr std::size_t bundle_most = std::size_t{8} << 20;

/// Calls for every line, with its number; `progress` sees the bytes.
stats::Result<bool> each_line(Input& input, const std::string& path, Progress& progress,
                              const std::function<stats::Result<bool>(std::string_view)>& call) {
  std::vector<std::uint8_t> buffer(std::size_t{1} << 20);
  std::size_t kept = 0, done = 0, number = 0;
  for (bool ended = false; !ended;) {
    const std::size_t got = input.read(std::span(buffer).subspan(kept));
    ended = got == 0;
    done += got;
    const std::string_view text(reinterpret_cast<const char*>(buffer.data()), kept + got);
    std::size_t begin = 0;
    while (begin < text.size()) {
      std::size_t end = text.find('\n', begin);
      if (end == std::string_view::npos) {
        if (!ended) break;
        end = text.size();
      }
      std::string_view line = text.substr(begin, end - begin);
      begin = end + 1;
      ++number;
      while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
        line.remove_suffix(1);
      if (line.empty() || line.front() == '#') continue;
      auto good = call(line);
      if (!good)
        return stats::refuse(fmt::format("{}, line {}: {}", path, number, good.error().detail));
    }
    begin = std::min(begin, text.size());
    kept = text.size() - begin;
    if (kept > line_most)
      return stats::refuse(
          fmt::format("{}, line {}: longer than {} bytes", path, number + 1, line_most));
    std::copy_n(buffer.begin() + static_cast<std::ptrdiff_t>(begin), kept, buffer.begin());
    progress.show(done);
  }
  return true;
}

stats::Result<bool> read_bundle(const std::string& path, Records& records) {
  auto input = Input::open(path);
  if (!input) return tl::unexpected(input.error());
  auto bytes = input->read_all(bundle_most);
  if (!bytes) return tl::unexpected(bytes.error());
  auto good = records.add_bundle(std::string(bytes->begin(), bytes->end()));
  if (!good) return stats::refuse(path + ": " + good.error().detail);
  return true;
}

}  // namespace

stats::Result<LeftOut> read_outcomes(const App& app, const std::string& path,
                                     const std::string& table, GameTests& game) {
  Records records(game, table);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(path, error)) {
      if (entry.path().extension() == ".talla") files.push_back(entry.path().string());
    }
    if (files.empty()) return stats::refuse(path + ": no bundles (.talla) in this folder");
    std::sort(files.begin(), files.end());
    Progress progress(app, "bundles", files.size());
    for (std::size_t i = 0; i < files.size(); ++i) {
      auto good = read_bundle(files[i], records);
      if (!good) return tl::unexpected(good.error());
      progress.show(i + 1);
    }
    return records.left_out();
  }
  if (path.ends_with(".talla")) {
    auto good = read_bundle(path, records);
    if (!good) return tl::unexpected(good.error());
    return records.left_out();
  }
  auto input = Input::open(path);
  if (!input) return tl::unexpected(input.error());
  const auto beginning = input->beginning();
  const bool as_records = !beginning.empty() && beginning.front() == '{';
  Progress progress(app, "outcomes", input->size().value_or(0));
  auto good = each_line(*input, path, progress, [&](std::string_view line) {
    return as_records ? records.add_record(line) : game.add_line(line);
  });
  if (!good) return tl::unexpected(good.error());
  return records.left_out();
}

}  // namespace talla::lab
