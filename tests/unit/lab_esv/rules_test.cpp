// Goal: every rule of NIST's validation server is held, and each of them notices what breaks it.
// Method: a good submission with its files; for each row of rules.csv, and for each rule of files,
//   one change that breaks it; what the rule then says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "lab_esv/esv.hpp"
#include "support/vectors.hpp"

namespace talla::lab::esv {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

/// The files of a good submission.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("esv-" + std::to_string(::getpid()))) {
    fs::create_directories(path_);
    for (const char* name : {"raw.bin", "restart.bin", "conditioned.bin"})
      write(name, std::string(1'000'000, '\x01'));
    write("wide.bin", std::string(999'999, '\x01') + '\x02');
    write("short.bin", std::string(999'999, '\x01'));
    write("report.pdf", "%PDF-1.7\n");
    write("report.txt", "plain\n");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  void write(const char* name, const std::string& content) {
    std::ofstream(path_ / name, std::ios::binary) << content;
  }
  fs::path path_;
};

const std::string vetted_component =
    R"({"sequencePosition": 1, "vetted": true, "description": "HMAC-SHA2-512",
        "validationNumber": "A1", "minNin": 1024, "minHin": 576.0, "nw": 512, "nOut": 512,
        "hOut": 512.0})";
const std::string plain_component =
    R"({"sequencePosition": 1, "vetted": false, "bijectiveClaim": false, "description": "own",
        "minNin": 256, "minHin": 32.5, "nw": 128, "nOut": 128, "hOut": 31.9})";
const std::string bijective_component =
    R"({"sequencePosition": 1, "vetted": false, "bijectiveClaim": true, "description": "own",
        "minNin": 128, "minHin": 32, "nw": 128, "nOut": 128, "hOut": 32})";
const std::string hash_external =
    R"("externalConditioningFunction": {"procedure": "getConditionedFullEntropyInput",
        "algorithm": "SHA2-512", "validationNumber": "A1", "minNIn": 1024, "minHIn": 576,
        "nOut": 512, "hOut": 512})";
const std::string hmac_external =
    R"("externalConditioningFunction": {"procedure": "getConditionedFullEntropyInput",
        "algorithm": "HMAC-SHA2-512", "keyLen": 512, "validationNumber": "A1", "minNIn": 1024,
        "minHIn": 576, "nOut": 512, "hOut": 512})";
const std::string mac_external =
    R"("externalConditioningFunction": {"procedure": "getConditionedFullEntropyInput",
        "algorithm": "AES-CBC-MAC", "keyLen": 256, "validationNumber": "A1", "minNIn": 1024,
        "minHIn": 192, "nOut": 128, "hOut": 128})";

/// One generator; `name` its construction, `external` its conditioning (with a comma) or nothing.
std::string rbg(const std::string& name, const std::string& external) {
  const std::string method = name == "RBG2(NP)" ? "Method2" : "Method1";
  return R"({"construction": ")" + name + R"(", "allowsReseedRequests": true,
    "entropySources": {)" +
         (external.empty() ? "" : external + ", ") + R"(
      "sources": [{"entropyValidation": ")" +
         (name == "RBG2(NP)" ? "E2" : "E1") + R"(",
        "entropyOperatingEnvironments": [1], "rbgOperatingEnvironments": [1]}],
      "combinationMethod": ")" +
         method + R"("},
    "drbg": {"validations": [{"validationNumber": "A2", "algorithmOperatingEnvironments": [1]}],
      "algorithm": "HMAC_DRBG", "derivationFunction": false,
      "seed": [{"securityStrength": 256, "minHIn": 384.0, "minNIn": 512}],
      "reseed": true, "reseedFrequency": "every 1024 requests or 60 s"},
    "operatingEnvironments": [1]})";
}

std::string run(const std::string& component, const std::string& generators,
                const std::string& conditioned = "") {
  return R"({"entropyAssessment": {"primaryNoiseSource": "two ring oscillators, XORed",
      "iidClaim": false, "bitsPerSample": 1, "hminEstimate": 0.6, "physical": true,
      "numberOfRestarts": 1000, "samplesPerRestart": 1000, "additionalNoiseSources": false,
      "numberOfOEs": 1, "conditioningComponent": [)" +
         component + R"(]},
    "dataFiles": [{"oeId": 1, "rawNoise": {"filePath": "raw.bin"},
      "restart": {"filePath": "restart.bin"}, "conditioned": [)" +
         conditioned + R"(]}],
    "randomBitGenerators": [)" +
         generators + R"(],
    "supportingDocumentation": [
      {"sdType": "EntropyAssessmentReport", "filePath": "report.pdf"},
      {"sdType": "PublicUseDocument", "filePath": "report.pdf"},
      {"sdType": "RandomBitGeneratorReport", "filePath": "report.pdf"}],
    "certify": {"moduleId": 1, "vendorId": 1, "entropyId": "T118",
      "limitEntropyAssessmentToSingleModule": false,
      "entropyAssessments": [{"eaId": 1, "oeId": 1}]}})";
}

const std::string plain_file = R"({"sequencePosition": 1, "filePath": "conditioned.bin"})";

std::string vetted_run() {
  return run(vetted_component, rbg("RBG3(XOR)", ""));
}
std::string external_run() {
  return run(vetted_component, rbg("RBG3(XOR)", hash_external));
}
std::string keyed_run() {
  return run(vetted_component, rbg("RBG3(XOR)", hmac_external));
}
std::string mac_run() {
  return run(vetted_component, rbg("RBG3(XOR)", mac_external));
}
std::string plain_run() {
  return run(plain_component, rbg("RBG3(XOR)", ""), plain_file);
}
std::string bijective_run() {
  return run(bijective_component, rbg("RBG3(XOR)", ""));
}
std::string other_run() {
  return run(vetted_component, rbg("RBG2(NP)", ""));
}
std::string chain_run() {
  return run(vetted_component, rbg("RBGC", ""));
}

constexpr std::string_view facts =
    R"({"entropy": {"E1": {"physical": true, "environments": [{"id": 1, "full_entropy": true}]},
                    "E2": {"physical": false, "environments": [{"id": 1, "full_entropy": true}]},
                    "E3": {"physical": true, "environments": [{"id": 1, "full_entropy": false}]}},
        "algorithms": {"A1": [1], "A2": [1, 2]}, "environments": [1, 2]})";

/// One change that breaks one rule.
struct Lie {
  std::string member;
  std::string good;
  std::string from;
  std::string to;
};

std::vector<Lie> source_lies() {
  const std::string good = vetted_run();
  return {
      {"primaryNoiseSource", good, "two ring oscillators, XORed", "   "},
      {"iidClaim", good, R"("iidClaim": false,)", ""},
      {"bitsPerSample", good, R"("bitsPerSample": 1)", R"("bitsPerSample": 257)"},
      {"hminEstimate", good, "0.6", "1.000000001"},
      {"physical", good, R"("physical": true,)", R"("physical": "true",)"},
      {"additionalNoiseSources", good, R"("additionalNoiseSources": false,)", ""},
      {"numberOfRestarts", good, R"("numberOfRestarts": 1000)", R"("numberOfRestarts": 999)"},
      {"samplesPerRestart", good, R"("samplesPerRestart": 1000)", R"("samplesPerRestart": 999)"},
      {"conditioningComponent", plain_run(), R"("additionalNoiseSources": false)",
       R"("additionalNoiseSources": true)"},
      {"conditioningComponent[].sequencePosition", good, R"("sequencePosition": 1)",
       R"("sequencePosition": 2)"},
      {"conditioningComponent[].description", good, "HMAC-SHA2-512", "HMAC-SHA-512"},
      {"conditioningComponent[].bijectiveClaim", good, R"("vetted": true,)",
       R"("vetted": true, "bijectiveClaim": false,)"},
      {"conditioningComponent[].validationNumber", good, R"("validationNumber": "A1", "minNin")",
       R"("validationNumber": "A9", "minNin")"},
      {"conditioningComponent[].minHin", good, "576.0", "1024.5"},
      {"vetted: minNin", good, R"("minNin": 1024)", R"("minNin": 511)"},
      {"vetted: nw", good, R"("nw": 512)", R"("nw": 256)"},
      {"vetted: nOut", good, R"("nOut": 512,)", R"("nOut": 256,)"},
      {"vetted: all", good, R"("hOut": 512.0)", R"("hOut": 512.000000001)"},
      {"not vetted not bijective", plain_run(), "31.9", "32.5"},
      {"not vetted bijective", bijective_run(), R"("nw": 128)", R"("nw": 127)"},
  };
}

std::vector<Lie> rbg_lies() {
  const std::string good = vetted_run();
  const std::string external = external_run();
  return {
      {"rbg", run(vetted_component, rbg("RBG3(XOR)", "")), R"("randomBitGenerators": [)",
       R"("randomBitGenerators": [{}, {}, {}, )"},
      {"construction", good, "RBG3(XOR)", "RBG1"},
      {"construction RBG2(P) and RBG3", good, R"("E1")", R"("E2")"},
      {"construction RBG2(NP)", other_run(), R"("E2")", R"("E1")"},
      {"construction RBGC", chain_run(), R"("E1")", R"("E3")"},
      {"allowsReseedRequests", good, R"("allowsReseedRequests": true)",
       R"("allowsReseedRequests": false)"},
      {"entropySources and randomnessSource", good, R"("allowsReseedRequests": true)",
       R"("allowsReseedRequests": true, "randomnessSource": 1)"},
      {"entropySources.sources[].entropyValidation", good, R"("E1")", R"("E77")"},
      {"entropySources.sources[].entropyOperatingEnvironments", good,
       R"("entropyOperatingEnvironments": [1])", R"("entropyOperatingEnvironments": [1, 5])"},
      {"entropySources.sources[].rbgOperatingEnvironments", good,
       R"("rbgOperatingEnvironments": [1])", R"("rbgOperatingEnvironments": [2])"},
      {"entropySources.combinationMethod", good, "Method1", "Method2"},
      {"externalConditioningFunction", good, R"("E1")", R"("E3")"},
      {"externalConditioningFunction.procedure", external, "getConditionedFullEntropyInput",
       "getConditioned"},
      {"externalConditioningFunction values", external, R"("minHIn": 576)", R"("minHIn": 512)"},
      {"externalConditioningFunction full entropy", external, R"("minHIn": 576)",
       R"("minHIn": 575.999)"},
      {"externalConditioningFunction.nOut", external, R"("nOut": 512, "hOut": 512)",
       R"("nOut": 511, "hOut": 511)"},
      {"externalConditioningFunction.minNIn", mac_run(), R"("minNIn": 1024)", R"("minNIn": 1025)"},
      {"externalConditioningFunction.keyLen", keyed_run(), R"("keyLen": 512)", R"("keyLen": 256)"},
      {"drbg.algorithm", good, "HMAC_DRBG", "ctrDRBG"},
      {"drbg.validations", good, R"("algorithmOperatingEnvironments": [1])",
       R"("algorithmOperatingEnvironments": [1, 1])"},
      {"drbg.derivationFunction", good, R"("derivationFunction": false)",
       R"("derivationFunction": true)"},
      {"drbg.seed", good, R"("seed": [)",
       R"("seed": [{"securityStrength": 128, "minHIn": 192, "minNIn": 192}, )"},
      {"drbg.seed[].securityStrength", good, R"("securityStrength": 256)",
       R"("securityStrength": 192)"},
      {"drbg.seed[].minHIn", good, "384.0", "383.999999999"},
      {"drbg.seed[].minNIn", good, R"("minNIn": 512)", R"("minNIn": 383)"},
      {"drbg.reseed", good, R"("reseed": true)", R"("reseed": false)"},
      {"drbg.reseedFrequency", good, "every 1024 requests or 60 s", "x"},
      {"operatingEnvironments", good, R"("operatingEnvironments": [1]})",
       R"("operatingEnvironments": [1, 1]})"},
  };
}

std::vector<Lie> certify_lies() {
  const std::string good = vetted_run();
  return {
      {"entropyId", good, R"("T118")", "118"},
      {"limitEntropyAssessmentToSingleModule", good,
       R"("limitEntropyAssessmentToSingleModule": false,)", ""},
      {"entropyAssessments", good, R"([{"eaId": 1, "oeId": 1}])",
       R"([{"eaId": 1, "oeId": 1}, {"eaId": 1, "oeId": 2}])"},
      {"supportingDocumentation (source)", good, "PublicUseDocument", "Other"},
      {"supportingDocumentation (rbg or combined)", good, "RandomBitGeneratorReport", "Other"},
      {"dataFiles[].oeId", good, R"("oeId": 1, "rawNoise")", R"("oeId": "1", "rawNoise")"},
      {"rawNoise", good, "raw.bin", "wide.bin"},
      {"restart", good, "restart.bin", "short.bin"},
      {"conditioned", plain_run(), plain_file, ""},
      {"supportingDocumentation", good, "report.pdf", "report.txt"},
  };
}

std::vector<Lie> all_lies() {
  std::vector<Lie> out = source_lies();
  for (auto part : {rbg_lies(), certify_lies()}) out.insert(out.end(), part.begin(), part.end());
  return out;
}

std::string told(const Lie& lie) {
  std::string text = lie.good;
  const std::size_t at = text.find(lie.from);
  EXPECT_NE(at, std::string::npos) << lie.member << ": " << lie.from;
  if (at != std::string::npos) text.replace(at, lie.from.size(), lie.to);
  return text;
}

std::size_t index_of(const std::string& member) {
  const auto all = rules();
  const auto found = std::ranges::find(all, member, &RuleText::member);
  EXPECT_NE(found, all.end()) << member;
  return static_cast<std::size_t>(found - all.begin());
}

std::string faults_of(const std::vector<Finding>& findings) {
  std::string out;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].outcome != Outcome::broken) continue;
    for (const std::string& fault : findings[i].faults)
      out += std::string(rules()[i].member) + " | " + fault + "\n";
  }
  return out;
}

/// The first two columns of rules.csv.
std::vector<std::pair<std::string, std::string>> published_rules() {
  std::istringstream file(test::vector_text("esv/rules.csv"));
  std::vector<std::pair<std::string, std::string>> out;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    out.emplace_back(line.substr(0, first), line.substr(first + 1, second - first - 1));
  }
  return out;
}

TEST(EsvRules, every_published_rule_is_one_of_ours_in_its_order) {
  const auto published = published_rules();
  ASSERT_EQ(published.size(), 53U);
  for (std::size_t i = 0; i < published.size(); ++i) {
    EXPECT_EQ(std::string(rules()[i].request), published[i].first) << i;
    EXPECT_EQ(std::string(rules()[i].member), published[i].second) << i;
  }
  for (std::size_t i = published.size(); i < rules().size(); ++i)
    EXPECT_EQ(rules()[i].request, "files");
}

TEST(EsvRules, good_submissions_break_nothing) {
  const Folder folder;
  for (const std::string& good : {vetted_run(), external_run(), keyed_run(), mac_run(), plain_run(),
                                  bijective_run(), other_run(), chain_run()}) {
    const auto findings = examine(good, folder.path(), {facts});
    ASSERT_TRUE(findings) << findings.error().text();
    EXPECT_EQ(faults_of(*findings), "");
  }
}

TEST(EsvRules, each_rule_notices_the_change_that_breaks_it) {
  const Folder folder;
  std::set<std::string> broken;
  for (const Lie& lie : all_lies()) {
    const auto findings = examine(told(lie), folder.path(), {facts});
    ASSERT_TRUE(findings) << lie.member << ": " << findings.error().text();
    const Finding& finding = (*findings)[index_of(lie.member)];
    EXPECT_EQ(finding.outcome, Outcome::broken) << lie.member << "\n" << faults_of(*findings);
    EXPECT_FALSE(finding.faults.empty()) << lie.member;
    broken.insert(lie.member);
  }
  EXPECT_EQ(broken.size(), rules().size());
}

TEST(EsvRules, what_only_the_server_knows_stays_open_and_is_not_held_for_good) {
  const Folder folder;
  const auto findings = examine(vetted_run(), folder.path(), {}).value();
  EXPECT_EQ(faults_of(findings), "");
  for (const char* member :
       {"conditioningComponent[].validationNumber", "construction RBG2(P) and RBG3",
        "entropySources.sources[].entropyValidation", "externalConditioningFunction",
        "drbg.validations", "operatingEnvironments", "entropyAssessments"}) {
    EXPECT_EQ(findings[index_of(member)].outcome, Outcome::open) << member;
    EXPECT_FALSE(findings[index_of(member)].faults.empty()) << member;
  }
}

TEST(EsvRules, a_rule_about_something_absent_is_not_asked) {
  const auto source =
      examine(test::vector_text("esv/made-register-entropy-source.json"), "", {}).value();
  EXPECT_EQ(faults_of(source), "");
  EXPECT_EQ(source[index_of("primaryNoiseSource")].outcome, Outcome::holds);
  EXPECT_EQ(source[index_of("drbg.algorithm")].outcome, Outcome::not_asked);
  EXPECT_EQ(source[index_of("rawNoise")].outcome, Outcome::not_asked);
  const auto generator =
      examine(test::vector_text("esv/made-register-rbg3xor.json"), "", {}).value();
  EXPECT_EQ(faults_of(generator), "");
  EXPECT_EQ(generator[index_of("drbg.algorithm")].outcome, Outcome::holds);
  EXPECT_EQ(generator[index_of("primaryNoiseSource")].outcome, Outcome::not_asked);
}

std::string refusal(const std::string& text, std::string_view known = {}) {
  const auto findings = examine(text, "", {known});
  return findings ? "examined" : findings.error().detail;
}

TEST(EsvRules, what_is_no_submission_is_refused_with_what_would_be_right) {
  EXPECT_THAT(refusal(vetted_run().substr(0, 300)), HasSubstr("JSON is expected"));
  EXPECT_THAT(refusal("{}"), HasSubstr("neither entropyAssessment"));
  EXPECT_THAT(refusal(R"({"entropyAssessments": {}})"), HasSubstr("a run file has"));
  EXPECT_THAT(refusal(R"([{"esvVersion": "2.0"}, {}])"), HasSubstr("esvVersion"));
  // The published schema lets a third part pass; the protocol does not.
  EXPECT_THAT(refusal(R"([{"esvVersion": "1.0"}, {}, {}])"), HasSubstr("exactly two parts"));
  EXPECT_THAT(refusal(R"({"certify": {"x": 1e300}})"), HasSubstr("no exponent"));
  EXPECT_THAT(refusal(R"({"certify": {"x": 0.1234567891}})"), HasSubstr("nine decimals"));
  EXPECT_THAT(refusal(R"({"certify": {"x": "\u00010.5"}})"), HasSubstr("control character"));
  EXPECT_THAT(refusal(vetted_run(), R"({"entropy": {"E1": {}}})"), HasSubstr("E1.physical"));
}

TEST(EsvRules, a_sample_that_is_too_wide_is_named_with_its_place) {
  const Folder folder;
  std::string text = vetted_run();
  text.replace(text.find("raw.bin"), 7, "wide.bin");
  const auto findings = examine(text, folder.path(), {facts}).value();
  EXPECT_THAT(findings[index_of("rawNoise")].faults.front(), HasSubstr("byte 999999"));
}

}  // namespace
}  // namespace talla::lab::esv
