// Goal: the appliance's own modules give the answers that NIST publishes, to every set that the
//   tree holds, and a changed answer is found.
// Method: NIST's prompts are answered and compared member by member with the expected results;
//   random answers (keys, signatures) must hold by themselves, and with the sample's own keys
//   Ed25519 signatures are byte for byte the published ones. Messages of gigabytes: TALLA_LONG.
#include "support/vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/bytes.hpp"
#include "base/json.hpp"
#include "lab_acvp/acvp.hpp"
#include "support/source_tree.hpp"

namespace talla::lab::acvp {
namespace {

namespace fs = std::filesystem;

fs::path sets_folder() {
  return test::vectors_folder() / "acvp";
}

/// As `talla-lab submit` reads it: not compressed.
bool has_file(const std::string& set, const std::string& name) {
  return fs::exists(sets_folder() / set / name);
}

std::vector<std::string> set_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(sets_folder())) {
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

bool long_run() {
  return std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe): one thread
}

/// The file's set; without the groups of large messages in a short run. Prompt and answers agree
/// on which those are by the prompt's types.
json::Value set_of(const std::string& set, const std::string& file) {
  json::Value value = json::parse(test::vector_text("acvp/" + set + "/" + file)).value();
  if (long_run()) return value;
  const json::Value prompt = json::parse(test::vector_text("acvp/" + set + "/prompt.json")).value();
  json::Array& groups = value["testGroups"].array();
  const auto large = [&prompt](const json::Value& group) {
    for (const json::Value& asked : prompt.find("testGroups")->array()) {
      if (*asked.find("tgId") == *group.find("tgId"))
        return *asked.find("testType") == json::Value("LDT");
    }
    return false;
  };
  std::erase_if(groups, large);
  return value;
}

std::string text_of(const std::string& set, const std::string& file) {
  return json::canonical(set_of(set, file));
}

std::size_t cases_of(const json::Value& set) {
  std::size_t cases = 0;
  for (const json::Value& group : set.find("testGroups")->array())
    cases += group.find("tests")->array().size();
  return cases;
}

TEST(AcvpVectors, every_folder_has_its_algorithm_and_every_algorithm_its_folder) {
  std::vector<std::string> named;
  for (const Answered& one : answered()) {
    if (!one.vectors.empty()) named.emplace_back(one.vectors);
    EXPECT_TRUE(fs::exists(talla::test::source_tree() / one.module)) << one.module;
  }
  std::ranges::sort(named);
  EXPECT_EQ(named, set_names());
  for (const std::string& set : set_names())
    EXPECT_TRUE(has_file(set, "prompt.json") && has_file(set, "expectedResults.json")) << set;
}

TEST(AcvpVectors, expected_results_of_every_set_hold_by_our_modules) {
  for (const std::string& set : set_names()) {
    const auto judged = judge(text_of(set, "prompt.json"), text_of(set, "expectedResults.json"));
    ASSERT_TRUE(judged) << set << ": " << judged.error().text();
    EXPECT_EQ(judged->cases, cases_of(set_of(set, "prompt.json"))) << set;
    EXPECT_EQ(judged->not_judged, 0U) << set;
    EXPECT_TRUE(judged->differences.empty()) << set << ": " << judged->differences.front().test
                                             << " " << judged->differences.front().what;
  }
}

TEST(AcvpVectors, our_response_to_every_set_holds_by_our_modules) {
  for (const std::string& set : set_names()) {
    const std::string prompt = text_of(set, "prompt.json");
    const auto response = respond(prompt);
    ASSERT_TRUE(response) << set << ": " << response.error().text();
    const auto judged = judge(prompt, *response);
    ASSERT_TRUE(judged) << set << ": " << judged.error().text();
    EXPECT_TRUE(judged->differences.empty()) << set;
  }
}

/// Of lower-case hex, as the demonstration server writes it.
void raise_hex(json::Value& value) {
  if (value.is_array()) {
    for (json::Value& one : value.array()) raise_hex(one);
  } else if (value.is_object()) {
    for (auto& [name, member] : value.object()) raise_hex(member);
  } else if (value.is_string() && from_hex(value.string())) {
    std::string upper = value.string();
    for (char& digit : upper) digit = static_cast<char>(std::toupper(digit));
    value = upper;
  }
}

// Not by the product's comparison: the groups of both files must be the same JSON.
TEST(AcvpVectors, deterministic_responses_are_the_expected_results_themselves) {
  std::size_t compared = 0;
  for (const std::string& set : set_names()) {
    const bool keyed = has_file(set, "internalProjection.json");
    const bool random = set.find("KeyGen") != std::string::npos ||
                        (keyed && set.find("ECDSA") != std::string::npos);
    if (random) continue;
    const std::string projection = keyed ? text_of(set, "internalProjection.json") : "";
    const auto response =
        respond(text_of(set, "prompt.json"), {.projection = projection, .progress = {}});
    ASSERT_TRUE(response) << set << ": " << response.error().text();
    json::Value ours = json::parse(*response).value();
    json::Value theirs = set_of(set, "expectedResults.json");
    raise_hex(theirs);
    for (json::Value& group : theirs["testGroups"].array()) {
      for (json::Value& test : group["tests"].array()) {
        // The demonstration server repeats that a decryption passed.
        if (test.find("pt") != nullptr) test.object().erase("testPassed");
      }
    }
    EXPECT_EQ(json::canonical(*ours.find("testGroups")),
              json::canonical(*theirs.find("testGroups")))
        << set;
    compared += cases_of(theirs);
  }
  // Counted by hand in the files: 30 + 60 + 30 + 60 DRBG, 513 + 1025 SHA-2 without large messages
  // (four of each in a long run), 975 + 150 + 975 + 150 HMAC, 2 GCM, 2 Hash_df, 42 + 5 Ed25519,
  // 3 + 7 ECDSA, 1 ECDH, 7 HKDF.
  EXPECT_EQ(compared, 4037U + (long_run() ? 8U : 0U));
}

/// The first text member of hex, changed in one bit; a verdict turned round.
bool spoil(json::Value& test) {
  for (auto& [name, member] : test.object()) {
    if (member.is_bool()) {
      member = !member.boolean();
      return true;
    }
    if (member.is_array()) return spoil(member.array().back());
    if (!member.is_string() || member.string().empty()) continue;
    std::string text = member.string();
    text.back() = text.back() == '0' ? '1' : '0';
    member = text;
    return true;
  }
  return false;
}

TEST(AcvpVectors, one_altered_answer_in_any_set_is_found_and_named) {
  for (const std::string& set : set_names()) {
    if (set == "SHA2-512-1.0") continue;  // the same code as SHA2-256
    const std::string prompt = text_of(set, "prompt.json");
    json::Value answers = set_of(set, "expectedResults.json");
    json::Value& group = answers["testGroups"].array().back();
    json::Value& test = group["tests"].array().back();
    ASSERT_TRUE(spoil(test)) << set;
    const auto judged = judge(prompt, json::canonical(answers));
    ASSERT_TRUE(judged) << set << ": " << judged.error().text();
    ASSERT_EQ(judged->differences.size(), 1U) << set;
    EXPECT_EQ(judged->differences.front().test, test.find("tcId")->integer()) << set;
    EXPECT_EQ(judged->differences.front().group, group.find("tgId")->integer()) << set;
  }
}

TEST(AcvpVectors, a_fresh_response_has_fresh_keys) {
  for (const std::string set : {"EDDSA-KeyGen-1.0", "ECDSA-KeyGen-FIPS186-5"}) {
    const std::string prompt = text_of(set, "prompt.json");
    EXPECT_NE(respond(prompt).value(), respond(prompt).value()) << set;
  }
}

}  // namespace
}  // namespace talla::lab::acvp
