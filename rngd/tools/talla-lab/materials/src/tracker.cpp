// Finds the source packages that are asked for in the tracker's data, too large to be kept.
#include "tracker.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "base/json.hpp"
#include "debian.hpp"
#include "lab_materials/materials.hpp"

namespace talla::lab::materials {
namespace {

tl::unexpected<Error> no_tracker(const std::string& path, const std::string& why) {
  return fail(MaterialsErrc::materials_refused,
              path + ": " + why +
                  "; the data of security-tracker.debian.org/tracker/data/json "
                  "is expected");
}

/// The end of a JSON string or value that begins there.
std::size_t end_of_value(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c != '"') continue;
      quoted = false;
      if (depth == 0) return at + 1;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth <= 1) return at + depth;
      --depth;
    } else if (depth == 0 && c == ',') {
      return at;
    }
  }
  return std::string_view::npos;
}

/// Calls `take` with name and text of each member of the outermost object; false: it is none.
template <class Take>
bool each_member(std::string_view text, Take take) {
  constexpr std::string_view blank = " \t\r\n";
  std::size_t at = text.find_first_not_of(blank);
  if (at == std::string_view::npos || text[at] != '{') return false;
  ++at;
  for (bool first = true;; first = false) {
    at = text.find_first_not_of(blank, at);
    if (first && at != std::string_view::npos && text[at] == '}') return true;
    if (at == std::string_view::npos || text[at] != '"') return false;
    const std::size_t name_end = end_of_value(text, at);
    if (name_end == std::string_view::npos) return false;
    const std::string_view name = text.substr(at + 1, name_end - at - 2);
    at = text.find_first_not_of(blank, name_end);
    if (at == std::string_view::npos || text[at] != ':') return false;
    const std::size_t begin = text.find_first_not_of(blank, at + 1);
    if (begin == std::string_view::npos) return false;
    at = end_of_value(text, begin);
    if (at == std::string_view::npos || !take(name, text.substr(begin, at - begin))) return false;
    at = text.find_first_not_of(blank, at);
    if (at == std::string_view::npos) return false;
    if (text[at] == '}') return text.find_first_not_of(blank, at + 1) == std::string_view::npos;
    if (text[at] != ',') return false;
    ++at;
  }
}

std::string string_of(const json::Value& value, std::string_view key) {
  const json::Value* found = value.find(key);
  return found != nullptr && found->is_string() ? found->string() : std::string();
}

/// What a release says of one vulnerability, for the version that is here; false: it says nothing.
bool judge_one(const std::string& source, const std::string& version, const json::Member& weakness,
               const std::string& release, std::vector<Weakness>& out) {
  const json::Value* releases = weakness.second.find("releases");
  const json::Value* here = releases == nullptr ? nullptr : releases->find(release);
  if (here == nullptr) return false;
  Weakness one{.id = weakness.first,
               .source = source,
               .description = string_of(weakness.second, "description"),
               .status = string_of(*here, "status"),
               .fixed_version = string_of(*here, "fixed_version")};
  if (one.status == "resolved") {
    // "0": this release never had it.
    if (one.fixed_version.empty() || compare_versions(version, one.fixed_version) >= 0) return true;
    one.status = "fixed in " + one.fixed_version;
  }
  out.push_back(std::move(one));
  return true;
}

}  // namespace

Result<std::vector<Weakness>> weaknesses_of(const TrackerWish& wish) {
  std::ifstream file(wish.file, std::ios::binary);
  if (!file) return no_tracker(wish.file, "is not there");
  std::ostringstream all;
  all << file.rdbuf();
  const std::string text = all.str();
  std::multimap<std::string, std::string> asked;
  for (const auto& [source, version] : wish.sources) asked.emplace(source, version);
  std::vector<Weakness> out;
  std::string why = "is not whole JSON";
  bool is_of_release = false;
  const bool whole = each_member(text, [&](std::string_view name, std::string_view value) {
    const auto [begin, end] = asked.equal_range(std::string(name));
    if (begin == end) return true;
    const auto parsed = json::parse(value);
    if (!parsed || !parsed->is_object()) {
      why = std::string(name) + " is no object of vulnerabilities";
      return false;
    }
    for (auto one = begin; one != end; ++one)
      for (const json::Member& weakness : parsed->object())
        is_of_release |= judge_one(one->first, one->second, weakness, wish.release, out);
    return true;
  });
  if (!whole) return no_tracker(wish.file, why);
  // An empty or foreign file must not say that nothing is known.
  if (!is_of_release && !wish.sources.empty())
    return no_tracker(wish.file, "knows no package of this machine in release " + wish.release);
  std::ranges::sort(out, [](const Weakness& one, const Weakness& other) {
    return std::tie(one.source, one.id) < std::tie(other.source, other.id);
  });
  return out;
}

}  // namespace talla::lab::materials
