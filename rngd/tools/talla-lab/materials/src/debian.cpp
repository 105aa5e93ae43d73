// Asks dpkg-query, and reads copyright files of a Debian machine.
#include "debian.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <utility>
#include <vector>

#include "software/output.hpp"

namespace talla::lab::materials {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Calls `take` with each paragraph of a control file.
template <class Take>
void each_paragraph(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    if (end != 0) take(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(blank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blank) - begin + 1);
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// `~` before the end, the end before letters, letters before the rest.
int order_of(char c) {
  if (c == '~') return -1;
  if (c == '\0' || is_digit(c)) return 0;
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  constexpr int behind_letters = 256;
  return letter ? c : c + behind_letters;
}

/// One of the two parts of a version: text and numbers by turns.
int compare_parts(std::string_view one, std::string_view other) {
  const auto first = [](std::string_view text) { return text.empty() ? '\0' : text.front(); };
  while (!one.empty() || !other.empty()) {
    while ((!one.empty() && !is_digit(one.front())) ||
           (!other.empty() && !is_digit(other.front()))) {
      const int difference = order_of(first(one)) - order_of(first(other));
      if (difference != 0) return difference;
      one.remove_prefix(one.empty() ? 0 : 1);
      other.remove_prefix(other.empty() ? 0 : 1);
    }
    for (std::string_view* part : {&one, &other})
      while (first(*part) == '0') part->remove_prefix(1);
    const auto digits = [](std::string_view text) {
      return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
    };
    const std::size_t length = digits(one);
    if (length != digits(other)) return length < digits(other) ? -1 : 1;
    if (const int difference = one.substr(0, length).compare(other.substr(0, length));
        difference != 0)
      return difference;
    one.remove_prefix(length);
    other.remove_prefix(length);
  }
  return 0;
}

}  // namespace

std::string field_of(std::string_view paragraph, std::string_view name) {
  while (!paragraph.empty()) {
    std::size_t end = std::min(paragraph.find('\n'), paragraph.size());
    const bool found =
        paragraph.starts_with(name) && paragraph.substr(name.size()).starts_with(':');
    if (found) {
      while (end + 1 < paragraph.size() &&
             (paragraph[end + 1] == ' ' || paragraph[end + 1] == '\t'))
        end = std::min(paragraph.find('\n', end + 1), paragraph.size());
      return std::string(trimmed(paragraph.substr(name.size() + 1, end - name.size() - 1)));
    }
    paragraph.remove_prefix(std::min(end + 1, paragraph.size()));
  }
  return {};
}

namespace {

/// What dpkg-query says; nothing where it cannot be asked.
std::string asked(const std::string& root, std::vector<std::string> arguments) {
  if (!root.empty()) arguments.insert(arguments.begin(), "--root=" + root);
  auto said = software::output_of("/usr/bin/dpkg-query", std::move(arguments));
  return said ? std::move(said->text) : std::string();
}

/// Calls `take` with each line.
template <class Take>
void each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// A path as a pattern that no other path fits.
std::string pattern_of(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

Packages::Packages(const std::string& root) : root_(root) {
  const std::string installed = asked(root, {"--show",
                                             "--showformat=Status: ${Status}\nPackage: ${Package}\n"
                                             "Version: ${Version}\nArchitecture: ${Architecture}\n"
                                             "Source: ${source:Package}\n\n"});
  each_paragraph(installed, [this](std::string_view paragraph) {
    if (field_of(paragraph, "Status") != "install ok installed") return;
    Package one{.name = field_of(paragraph, "Package"),
                .version = field_of(paragraph, "Version"),
                .architecture = field_of(paragraph, "Architecture"),
                .source = field_of(paragraph, "Source")};
    all_.emplace(one.name, std::move(one));
  });
}

const Package* Packages::find(const std::string& name) const {
  const auto found = all_.find(name);
  return found == all_.end() ? nullptr : &found->second;
}

std::map<std::string, std::string> Packages::owners_of(const std::set<std::string>& files) const {
  if (files.empty()) return {};
  std::vector<std::string> arguments{"--search"};
  for (const std::string& file : files) {
    arguments.push_back(pattern_of(file));
    // A package may still name what lies in /usr/lib by its old place, /lib.
    if (file.starts_with("/usr/")) arguments.push_back(pattern_of(file.substr(4)));
  }
  std::map<std::string, std::string> owners;
  each_line(asked(root_, std::move(arguments)), [&](std::string_view line) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return;
    const std::string package(line.substr(0, line.find_first_of(":,")));
    const std::string file(line.substr(colon + 2));
    if (!all_.contains(package)) return;
    for (const std::string& path : {file, "/usr" + file})
      if (files.contains(path)) owners.emplace(path, package);
  });
  return owners;
}

Licences licences_of(const std::string& root, const std::string& package) {
  const std::string path = root + "/usr/share/doc/" + package + "/copyright";
  const std::string text = text_of_file(path);
  if (text.empty()) return {{}, path + " is not there"};
  if (field_of(text, "Format").empty()) return {{}, path + " is not machine-readable"};
  std::set<std::string> names;
  each_paragraph(text, [&](std::string_view paragraph) {
    if (field_of(paragraph, "Files").empty()) return;
    const std::string licence = field_of(paragraph, "License");
    const auto name = trimmed(std::string_view(licence).substr(0, licence.find('\n')));
    if (!name.empty()) names.emplace(name);
  });
  if (names.empty()) return {{}, path + " names no licence of files"};
  return {{names.begin(), names.end()}, {}};
}

std::string spdx_of(std::string_view short_name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 20> known{
      {{"Apache-2.0", "Apache-2.0"},
       {"Artistic", "Artistic-1.0"},
       {"Artistic-2.0", "Artistic-2.0"},
       {"BSD-2-clause", "BSD-2-Clause"},
       {"BSD-2-Clause", "BSD-2-Clause"},
       {"BSD-3-clause", "BSD-3-Clause"},
       {"BSD-3-Clause", "BSD-3-Clause"},
       {"BSL-1.0", "BSL-1.0"},
       {"CC0-1.0", "CC0-1.0"},
       {"Expat", "MIT"},
       {"GPL-2", "GPL-2.0-only"},
       {"GPL-2+", "GPL-2.0-or-later"},
       {"GPL-3", "GPL-3.0-only"},
       {"GPL-3+", "GPL-3.0-or-later"},
       {"ISC", "ISC"},
       {"LGPL-2.1", "LGPL-2.1-only"},
       {"LGPL-2.1+", "LGPL-2.1-or-later"},
       {"LGPL-3+", "LGPL-3.0-or-later"},
       {"MPL-2.0", "MPL-2.0"},
       {"Zlib", "Zlib"}}};
  const auto* found = std::ranges::find_if(
      known, [short_name](const auto& one) { return one.first == short_name; });
  return found == known.end() ? std::string() : std::string(found->second);
}

int compare_versions(std::string_view one, std::string_view other) {
  const auto parts = [](std::string_view version) {
    std::array<std::string_view, 3> out{"0", version, ""};
    if (const std::size_t colon = version.find(':'); colon != std::string_view::npos) {
      out[0] = version.substr(0, colon);
      out[1] = version.substr(colon + 1);
    }
    if (const std::size_t dash = out[1].rfind('-'); dash != std::string_view::npos) {
      out[2] = out[1].substr(dash + 1);
      out[1] = out[1].substr(0, dash);
    }
    return out;
  };
  const auto left = parts(one);
  const auto right = parts(other);
  for (std::size_t i = 0; i < left.size(); ++i)
    if (const int difference = compare_parts(left[i], right[i]); difference != 0) return difference;
  return 0;
}

}  // namespace talla::lab::materials
