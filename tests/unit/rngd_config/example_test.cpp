// Goal: the example configuration shows every setting that the reader knows, with its default and
//       range, and loads.
// Method: the file as it is, and with everything switched on in two ways (one generator, several);
//   the reader itself tells which keys it asked for.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "config/config.hpp"
#include "support/source_tree.hpp"

using talla::rngd::KnownKey;
using talla::rngd::parse_config;

namespace {

const std::string path = talla::test::source_tree() / "rngd/packaging/rngd.toml";

std::vector<std::string> lines() {
  std::ifstream file(path);
  std::vector<std::string> all;
  for (std::string line; std::getline(file, line);) all.push_back(line);
  return all;
}

struct Line {
  std::string section;  // `api`, `source.device`
  std::string key;      // empty: a heading
  std::string value;
  bool off = false;
};

/// Headings and settings; comments and empty lines are nothing.
std::optional<Line> line_of(const std::string& text, const std::string& section) {
  const bool off = text.starts_with('#');
  const std::string bare = text.substr(off ? 1 : 0);
  if (bare.starts_with("[")) {
    const auto begin = bare.find_first_not_of('[');
    return Line{bare.substr(begin, bare.find(']') - begin), {}, {}, off};
  }
  const auto equals = bare.find(" = ");
  if (bare.empty() || bare.front() == ' ' || equals == std::string::npos) return std::nullopt;
  return Line{section, bare.substr(0, equals), bare.substr(equals + 3), off};
}

std::string name_of(const Line& line) {
  return (line.section.empty() ? "" : line.section + ".") + line.key;
}

/// The file with all that is off switched on, but one generator or the list of several left out.
std::string switched_on(bool several) {
  std::string out;
  std::string section;
  for (const std::string& text : lines()) {
    const auto line = line_of(text, section);
    if (!line) continue;
    section = line->section;
    const bool one_generator = section == "source" && line->off && !line->key.empty();
    const bool list = section == "source.device";
    if ((one_generator && several) || (list && !several)) continue;
    if (line->key.empty()) {
      out += list || section == "witness" ? "[[" + section + "]]\n" : "[" + section + "]\n";
    } else {
      out += line->key + " = " +
             (line->key != "kind" || section == "anchor" ? line->value
              : section == "ledger"                      ? "\"postgres\""
                                                         : "\"usb\"") +
             "\n";
    }
  }
  return out;
}

std::map<std::string, KnownKey> known_keys() {
  std::map<std::string, KnownKey> all;
  for (const bool several : {false, true}) {
    std::vector<KnownKey> known;
    const auto config = parse_config(switched_on(several), path, &known);
    EXPECT_TRUE(config) << config.error().text();
    for (const KnownKey& key : known) all.emplace(key.name, key);
  }
  return all;
}

/// Where the example shows what one might write, not the default.
bool shows_an_example(const std::string& name) {
  static const std::set<std::string> examples{
      "source.model",   "source.assessed_millibits", "source.assessment", "source.assessment_file",
      "source.rate",    "ledger.connection",         "egd.socket",        "software.manifest",
      "software.signer"};
  return name.starts_with("source.device.") || name.starts_with("witness.") ||
         examples.contains(name);
}

}  // namespace

TEST(Example, loads_as_it_is) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  const auto config = parse_config(text.str(), "/etc/talla/rngd.toml");
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(config->api.certificate, "/etc/talla/keys/server.pem");
  EXPECT_EQ(config->data_folder, "/var/lib/talla");
}

TEST(Example, has_every_key_the_reader_knows_and_no_other) {
  std::set<std::string> shown;
  std::string section;
  for (const std::string& text : lines()) {
    const auto line = line_of(text, section);
    if (!line) continue;
    section = line->section;
    if (line->key.empty()) continue;
    EXPECT_TRUE(shown.insert(name_of(*line)).second) << name_of(*line) << " twice";
  }
  std::set<std::string> known;
  for (const auto& [name, key] : known_keys()) known.insert(name);
  EXPECT_GT(known.size(), 50U);
  EXPECT_EQ(shown, known);
}

TEST(Example, shows_defaults_and_tells_ranges) {
  const auto known = known_keys();
  std::string section;
  std::string comment;
  for (const std::string& text : lines()) {
    const auto line = line_of(text, section);
    if (!line) {
      comment = text.starts_with("# ") ? comment + text.substr(2) + " " : "";
      continue;
    }
    section = line->section;
    const std::string words = std::exchange(comment, {});
    EXPECT_FALSE(words.empty()) << text << ": no words above it";
    if (line->key.empty() || !known.contains(name_of(*line))) continue;
    const KnownKey& key = known.at(name_of(*line));
    if (shows_an_example(key.name)) continue;
    if (!key.required) {
      EXPECT_EQ(line->value, key.fallback) << key.name;
    }
    if (!key.range.empty() && key.name != "monitors.alpha") {
      EXPECT_NE(words.find(key.range), std::string::npos) << key.name << ": " << key.range;
    }
  }
}
