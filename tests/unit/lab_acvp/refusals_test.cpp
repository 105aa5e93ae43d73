// Goal: a prompt that is cut, doubled, huge, of another algorithm or no prompt at all is refused
//   with its place and what would be right; a response that was altered, shortened or belongs to
//   another prompt does not pass.
// Method: NIST's own prompts, each changed in one place, and what the refusal says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "lab_acvp/acvp.hpp"
#include "support/vectors.hpp"

namespace talla::lab::acvp {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string file(const std::string& path) {
  return test::vector_text("acvp/" + path);
}

json::Value prompt_of(const std::string& set) {
  return json::parse(file(set + "/prompt.json")).value();
}

json::Value& group_at(json::Value& set, std::size_t index) {
  return set["testGroups"].array()[index];
}

json::Value& test_at(json::Value& set, std::size_t group, std::size_t index) {
  return group_at(set, group)["tests"].array()[index];
}

std::string refusal(const std::string& prompt, const Terms& terms = {}) {
  const auto response = respond(prompt, terms);
  if (response) return "answered";
  EXPECT_TRUE(response.error().is(AcvpErrc::acvp_refused)) << response.error().text();
  return response.error().detail;
}

std::string refusal(const json::Value& prompt) {
  return refusal(json::canonical(prompt));
}

TEST(AcvpRefusals, a_prompt_cut_short_anywhere_is_no_prompt) {
  const std::string whole = file("HMAC-SHA2-256-2.0/prompt.json");
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.find_last_of('}')}) {
    EXPECT_THAT(refusal(whole.substr(0, size)), HasSubstr("a whole JSON file is expected")) << size;
  }
}

TEST(AcvpRefusals, a_prompt_without_groups_or_cases_is_refused) {
  json::Value none = prompt_of("ctrDRBG-1.0");
  none["testGroups"] = json::Array{};
  EXPECT_THAT(refusal(none), HasSubstr("testGroups is to be a list of one group or more"));
  json::Value empty = prompt_of("ctrDRBG-1.0");
  group_at(empty, 1)["tests"] = json::Array{};
  EXPECT_THAT(refusal(empty), AllOf(HasSubstr("testGroups[1] (tgId 11)"), HasSubstr("one case")));
}

TEST(AcvpRefusals, a_number_that_is_there_twice_is_named) {
  json::Value cases = prompt_of("ctrDRBG-1.0");
  test_at(cases, 1, 3)["tcId"] = *test_at(cases, 0, 0).find("tcId");
  EXPECT_THAT(refusal(cases),
              AllOf(HasSubstr("testGroups[1] (tgId 11), tests[3]"), HasSubstr("is there twice")));
  json::Value groups = prompt_of("ctrDRBG-1.0");
  group_at(groups, 1)["tgId"] = 3;
  EXPECT_THAT(refusal(groups),
              AllOf(HasSubstr("testGroups[1]"), HasSubstr("tgId 3 is there twice")));
}

TEST(AcvpRefusals, a_wrong_algorithm_mode_or_revision_says_which_there_are) {
  json::Value name = prompt_of("ctrDRBG-1.0");
  name["algorithm"] = "ctrDRGB";
  EXPECT_THAT(refusal(name), AllOf(HasSubstr("ctrDRGB"), HasSubstr("ctrDRBG"), HasSubstr("EDDSA")));
  json::Value revision = prompt_of("ctrDRBG-1.0");
  revision["revision"] = "2.0";
  EXPECT_THAT(refusal(revision), HasSubstr("it has ctrDRBG 1.0, ctrDRBG SP800-90Ar1"));
  json::Value mode = prompt_of("EDDSA-SigVer-1.0");
  mode["mode"] = "sigver";
  EXPECT_THAT(refusal(mode),
              HasSubstr("it has EDDSA keyGen 1.0, EDDSA sigGen 1.0, EDDSA sigVer 1.0"));
  json::Value missing = prompt_of("ctrDRBG-1.0");
  missing.object().erase("algorithm");
  EXPECT_THAT(refusal(missing), HasSubstr("no ACVP vector set"));
}

TEST(AcvpRefusals, an_algorithm_that_no_module_computes_says_why) {
  for (const Unanswered& one : unanswered()) {
    json::Value prompt = prompt_of("EDDSA-SigVer-1.0");
    prompt["algorithm"] = one.algorithm;
    prompt["mode"] = one.mode.empty() ? std::string_view("any") : one.mode;
    EXPECT_THAT(refusal(prompt), HasSubstr(std::string(one.why))) << one.algorithm;
  }
}

TEST(AcvpRefusals, parameters_of_other_modules_are_named_with_what_ours_does) {
  const auto changed = [](const std::string& set, const std::string& member, json::Value value) {
    json::Value prompt = prompt_of(set);
    group_at(prompt, 0)[member] = std::move(value);
    return refusal(prompt);
  };
  EXPECT_THAT(changed("ctrDRBG-1.0", "derFunc", false), HasSubstr("the module does true"));
  EXPECT_THAT(changed("ctrDRBG-1.0", "mode", "AES-128"), HasSubstr("the module does \"AES-256\""));
  EXPECT_THAT(changed("ctrDRBG-SP800-90Ar1", "counterFieldLen", 64), HasSubstr("128"));
  EXPECT_THAT(changed("hmacDRBG-1.0", "mode", "SHA2-256"), HasSubstr("\"SHA2-512\""));
  EXPECT_THAT(changed("demo-ACVP-AES-GCM-256", "tagLen", 96), HasSubstr("128"));
  EXPECT_THAT(changed("demo-ACVP-AES-GCM-256", "keyLen", 128), HasSubstr("256"));
  EXPECT_THAT(changed("EDDSA-SigGen-1.0", "preHash", true), HasSubstr("the module does false"));
  EXPECT_THAT(changed("EDDSA-SigGen-1.0", "curve", "ED-448"), HasSubstr("\"ED-25519\""));
  EXPECT_THAT(changed("ECDSA-SigVer-FIPS186-5", "hashAlg", "SHA2-512"), HasSubstr("\"SHA2-256\""));
  EXPECT_THAT(changed("ECDSA-KeyVer-FIPS186-5", "curve", "P-384"), HasSubstr("\"P-256\""));
  EXPECT_THAT(changed("SHA2-256-1.0", "testType", "XYZ"), HasSubstr("AFT, MCT, LDT"));
}

TEST(AcvpRefusals, a_member_that_nobody_knows_is_not_passed_over) {
  json::Value group = prompt_of("EDDSA-SigGen-1.0");
  group_at(group, 0)["randomizer"] = true;
  EXPECT_THAT(refusal(group), HasSubstr("randomizer is not known here"));
  json::Value test = prompt_of("EDDSA-SigGen-1.0");
  test_at(test, 0, 2)["context"] = "AA";
  EXPECT_THAT(refusal(test), AllOf(HasSubstr("tests[2] (tcId 3)"), HasSubstr("context")));
  json::Value top = prompt_of("EDDSA-SigGen-1.0");
  top["conformance"] = "SP800-106";
  EXPECT_THAT(refusal(top), HasSubstr("conformance is not known here"));
  json::Value use = prompt_of("ctrDRBG-1.0");
  test_at(use, 0, 0)["otherInput"].array()[1]["nonce"] = "00";
  EXPECT_THAT(refusal(use), AllOf(HasSubstr("otherInput[1]"), HasSubstr("nonce")));
}

TEST(AcvpRefusals, huge_counts_and_lengths_are_refused_before_anything_is_made) {
  json::Value bits = prompt_of("ctrDRBG-1.0");
  group_at(bits, 0)["returnedBitsLen"] = json::integer_max;
  EXPECT_THAT(refusal(bits), HasSubstr("the module does 4096"));
  json::Value large = prompt_of("SHA2-512-1.0");
  json::Array& groups = large["testGroups"].array();
  groups.erase(groups.begin(), groups.begin() + 2);
  test_at(large, 0, 0)["largeMsg"]["fullLength"] = std::int64_t{1} << 50;
  EXPECT_THAT(refusal(large), HasSubstr("1, 2, 4 or 8 times 8589934592"));
  json::Value key = prompt_of("HMAC-SHA2-512-2.0");
  test_at(key, 0, 0)["keyLen"] = std::int64_t{1} << 40;
  EXPECT_THAT(refusal(key), HasSubstr("keyLen is 1099511627776; the module does 8 to 65536"));
  json::Value uses = prompt_of("ctrDRBG-1.0");
  json::Array& list = test_at(uses, 0, 0)["otherInput"].array();
  while (list.size() < 17) list.push_back(list.back());
  EXPECT_THAT(refusal(uses), HasSubstr("1 to 16 uses"));
  EXPECT_THAT(refusal(std::string(9U << 20U, ' ') + "{}"), HasSubstr("prompt"));
}

TEST(AcvpRefusals, a_length_that_is_not_that_of_its_bytes_is_refused) {
  json::Value mac = prompt_of("HMAC-SHA2-256-2.0");
  test_at(mac, 0, 5)["keyLen"] = 8;
  EXPECT_THAT(refusal(mac),
              AllOf(HasSubstr("tests[5] (tcId 6): key has"), HasSubstr("8 are announced")));
  json::Value seed = prompt_of("hmacDRBG-1.0");
  test_at(seed, 0, 0)["entropyInput"] = "00";
  EXPECT_THAT(refusal(seed), HasSubstr("entropyInput has 8 bits"));
  json::Value odd = prompt_of("SHA2-256-1.0");
  test_at(odd, 0, 0)["msg"] = "ABC";
  EXPECT_THAT(refusal(odd), HasSubstr("msg is no hex of whole bytes"));
  json::Value part = prompt_of("ConditioningComponent-Hash_DF-Sp800-90B");
  test_at(part, 0, 1)["payloadLen"] = 1021;
  EXPECT_THAT(refusal(part), HasSubstr("8 to 65536 in steps of 8"));
  json::Value salt = prompt_of("demo-KDA-HKDF-Sp800-56Cr1");
  test_at(salt, 0, 0)["kdfParameter"]["salt"] = std::string(128, '1');
  EXPECT_THAT(refusal(salt), HasSubstr("saltMethod is default"));
}

TEST(AcvpRefusals, expected_results_fed_as_a_prompt_are_recognised) {
  for (const std::string set : {"ctrDRBG-1.0", "SHA2-512-1.0", "EDDSA-SigGen-1.0"}) {
    EXPECT_THAT(refusal(file(set + "/expectedResults.json")),
                testing::AnyOf(HasSubstr("these are answers"), HasSubstr("no ACVP vector set")))
        << set;
  }
}

TEST(AcvpRefusals, an_envelope_is_answered_in_one_and_another_version_refused) {
  const json::Value set = prompt_of("ECDSA-KeyVer-FIPS186-5");
  const json::Value good = json::Array{json::Object{{"acvVersion", "1.0"}}, set};
  const json::Value answer = json::parse(respond(json::canonical(good)).value()).value();
  ASSERT_TRUE(answer.is_array());
  EXPECT_EQ(*answer.array()[0].find("acvVersion"), json::Value("1.0"));
  EXPECT_EQ(*answer.array()[1].find("algorithm"), json::Value("ECDSA"));
  EXPECT_THAT(refusal(json::Value(json::Array{json::Object{{"acvVersion", "2.0"}}, set})),
              HasSubstr("acvVersion"));
  EXPECT_THAT(refusal(json::Value(json::Array{set})), HasSubstr("acvVersion"));
}

TEST(AcvpRefusals, keys_of_another_set_or_of_none_are_refused) {
  const std::string projection = file("EDDSA-SigGen-1.0/internalProjection.json");
  EXPECT_THAT(refusal(file("ctrDRBG-1.0/prompt.json"), {.projection = projection, .progress = {}}),
              HasSubstr("takes no keys"));
  EXPECT_THAT(refusal(file("ECDSA-SigGen-FIPS186-5/prompt.json"),
                      {.projection = projection, .progress = {}}),
              HasSubstr("the projection has no such group"));
  EXPECT_THAT(refusal(file("EDDSA-SigGen-1.0/prompt.json"),
                      {.projection = file("EDDSA-SigGen-1.0/prompt.json"), .progress = {}}),
              HasSubstr("d is missing"));
}

std::string judged_refusal(const std::string& prompt, const json::Value& answers) {
  const auto judged = judge(prompt, json::canonical(answers));
  return judged ? "judged" : judged.error().detail;
}

TEST(AcvpRefusals, answers_of_another_prompt_or_with_a_case_less_or_more_are_refused) {
  const std::string set = "ECDSA-SigVer-FIPS186-5";
  const std::string prompt = file(set + "/prompt.json");
  const json::Value good = json::parse(file(set + "/expectedResults.json")).value();
  EXPECT_EQ(judged_refusal(prompt, good), "judged");
  json::Value less = good;
  group_at(less, 0)["tests"].array().pop_back();
  EXPECT_THAT(judged_refusal(prompt, less), HasSubstr("of the prompt has no answer"));
  json::Value more = good;
  json::Value extra = test_at(more, 0, 0);
  extra["tcId"] = 999;
  group_at(more, 0)["tests"].array().push_back(extra);
  EXPECT_THAT(judged_refusal(prompt, more), HasSubstr("tcId 999 is not in the prompt"));
  json::Value other = good;
  other["vsId"] = 7;
  EXPECT_THAT(judged_refusal(prompt, other), HasSubstr("vsId is 7"));
  json::Value name = good;
  name["mode"] = "sigGen";
  EXPECT_THAT(judged_refusal(prompt, name), HasSubstr("mode is \"sigGen\""));
  EXPECT_THAT(judged_refusal(prompt, prompt_of("ctrDRBG-1.0")), HasSubstr("algorithm"));
}

TEST(AcvpRefusals, a_decryption_with_a_changed_tag_is_answered_false) {
  json::Value prompt = prompt_of("demo-ACVP-AES-GCM-256");
  json::Value& test = test_at(prompt, 1, 0);
  std::string tag = test.find("tag")->string();
  tag.front() = tag.front() == '0' ? '1' : '0';
  test["tag"] = tag;
  const json::Value answer = json::parse(respond(json::canonical(prompt)).value()).value();
  const json::Value& given = answer.find("testGroups")->array()[1].find("tests")->array()[0];
  EXPECT_EQ(*given.find("testPassed"), json::Value(false));
  EXPECT_EQ(given.find("pt"), nullptr);
}

TEST(AcvpRefusals, a_point_off_the_curve_makes_no_shared_secret) {
  json::Value prompt = prompt_of("demo-KAS-ECC-SSC-Sp800-56Ar3");
  json::Value& group = group_at(prompt, 0);
  group["testType"] = "AFT";
  json::Value test = json::Object{{"tcId", 20}};
  for (const char* name : {"staticPublicServerX", "staticPublicServerY"})
    test[name] = *test_at(prompt, 0, 0).find(name);
  group["tests"] = json::Array{test};
  EXPECT_EQ(refusal(prompt), "answered");
  test_at(prompt, 0, 0)["staticPublicServerY"] = std::string(64, '1');
  EXPECT_THAT(refusal(prompt), HasSubstr("no point of P-256"));
}

TEST(AcvpRefusals, what_is_registered_is_what_is_answered) {
  const json::Value registered = json::parse(registration()).value();
  const json::Array& list = registered.array()[1].find("algorithms")->array();
  ASSERT_EQ(list.size(), answered().size());
  for (std::size_t i = 0; i < list.size(); ++i)
    EXPECT_EQ(list[i].find("algorithm")->string(), answered()[i].algorithm);
  const json::Value& counter = list.front();
  const json::Value& one = counter.find("capabilities")->array().front();
  EXPECT_EQ(*one.find("mode"), json::Value("AES-256"));
  EXPECT_EQ(*one.find("derFuncEnabled"), json::Value(true));
  EXPECT_EQ(*counter.find("reseedImplemented"), json::Value(true));
  EXPECT_EQ(json::canonical(*one.find("entropyInputLen")),
            R"([{"increment":8,"max":4096,"min":256}])");
}

}  // namespace
}  // namespace talla::lab::acvp
