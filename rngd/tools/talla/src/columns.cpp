// Small tables for a person's eyes.
#include "columns.hpp"

#include <algorithm>

namespace talla::cli {

std::string shown(const json::Value& object, std::string_view member) {
  const json::Value* found = object.find(member);
  if (found == nullptr) return {};
  return found->is_string() ? found->string() : json::canonical(*found);
}

std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<std::string> column_lines(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths;
  for (const Cells& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], shown_width(row[i]));
  }
  std::vector<std::string> lines;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += "  " + row[i] + std::string(widths[i] - shown_width(row[i]), ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

void say_lines(const App& app, const std::string& title, const std::vector<Cells>& rows) {
  app.say(title);
  for (const std::string& line : column_lines(rows)) app.say(line);
}

}  // namespace

void say_columns(const App& app, const std::string& title, const std::vector<Cells>& rows) {
  if (rows.size() > 1) say_lines(app, title, rows);
}

void say_pairs(const App& app, const std::string& title, const std::vector<Cells>& pairs) {
  if (!pairs.empty()) say_lines(app, title, pairs);
}

}  // namespace talla::cli
