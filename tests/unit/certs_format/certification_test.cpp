// Goal: certifications and their withdrawal are read and written as FORMAT.md section 14 spells
//       them, and nothing else is read.
// Method: one of each, written and read again; every member left out, of another type or out of
//       range, a member too many, lists out of order; digests and names against fixed values.
#include "format/certification.hpp"

#include <gtest/gtest.h>

#include "format/errc.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

constexpr CertificationTerm term{.from_us = 10, .until_us = 20};

TypeCertification type_text() {
  return {.head = {.issuer = "lab.example", .number = "T-1", .made_us = 5},
          .term = term,
          .manifests = {filled(1)},
          .formats = {2},
          .mappings = {"talla-map-v1"},
          .catalogues = {Digest{}, filled(2)},
          .sources = {{.model = "chaoskey",
                       .source_class = "raw_physical",
                       .millibits = 6000,
                       .assessments = {filled(3)}}},
          .rollback = {"tpm", "witness"},
          .sealing = {"hsm"},
          .policy = {.mix = MixRule::round, .candidates = 4}};
}

InstallationCertification installation_text() {
  return {.head = {.issuer = "regulator.example", .number = "I-1", .made_us = 6},
          .term = term,
          .types = {filled(4)},
          .origin = "casino.example/talla-1",
          .log_key = filled(5),
          .serials = {filled(6), filled(7)},
          .independent = {filled(7)},
          .assessments = {filled(8)},
          .manifests = {filled(1)},
          .settings = {filled(9)}};
}

std::vector<CertificationWithdrawal> withdrawals() {
  CertificationWithdrawal superseded;
  superseded.head = {.issuer = "lab.example", .number = "W-1", .made_us = 7};
  superseded.of = CertificationKind::installation;
  superseded.certification = filled(1);
  superseded.from_us = 3;
  CertificationWithdrawal wrong = superseded;
  wrong.reason = WithdrawalReason::wrong;
  wrong.from_us = 0;
  CertificationWithdrawal stolen;
  stolen.head = superseded.head;
  stolen.reason = WithdrawalReason::stolen;
  stolen.key = filled(2);
  stolen.counts = {filled(3)};
  return {superseded, wrong, stolen};
}

/// Every text that is read, with what reads it.
struct Text {
  std::string text;
  bool (*reads)(std::string_view);
};
std::vector<Text> texts() {
  std::vector<Text> all{
      {format_certification(type_text()),
       [](std::string_view text) { return parse_type_certification(text).has_value(); }},
      {format_certification(installation_text()),
       [](std::string_view text) { return parse_installation_certification(text).has_value(); }}};
  for (const CertificationWithdrawal& one : withdrawals())
    all.push_back({format_certification(one), [](std::string_view text) {
                     return parse_certification_withdrawal(text).has_value();
                   }});
  return all;
}

TEST(Certification, what_is_written_is_read_again) {
  EXPECT_EQ(*parse_type_certification(format_certification(type_text())), type_text());
  EXPECT_EQ(*parse_installation_certification(format_certification(installation_text())),
            installation_text());
  for (const CertificationWithdrawal& one : withdrawals())
    EXPECT_EQ(*parse_certification_withdrawal(format_certification(one)), one);
  EXPECT_EQ(format_certification(withdrawals()[0]),
            R"({"certification":")" + to_hex(filled(1)) +
                R"(","from":3,"issuer":"lab.example","made":7,"number":"W-1","of":"installation",)"
                R"("reason":"superseded","type":"talla-certification-withdrawal","v":2})");
}

TEST(Certification, a_member_left_out_added_or_of_another_type_is_refused) {
  for (const Text& one : texts()) {
    ASSERT_TRUE(one.reads(one.text)) << one.text;
    const json::Value whole = *json::parse_canonical(one.text);
    for (const auto& [name, value] : whole.object()) {
      SCOPED_TRACE(name);
      json::Object less = whole.object();
      less.erase(name);
      EXPECT_FALSE(one.reads(json::canonical(less)));
      for (const json::Value& other : {json::Value(true), json::Value(-1), json::Value("")}) {
        json::Object changed = whole.object();
        changed[name] = other;
        EXPECT_FALSE(one.reads(json::canonical(changed))) << json::canonical(other);
      }
    }
    json::Object more = whole.object();
    more.emplace("more", 1);
    EXPECT_FALSE(one.reads(json::canonical(more)));
    EXPECT_FALSE(one.reads(one.text + " "));
  }
}

TEST(Certification, lists_ascend_with_each_entry_once_and_terms_have_a_length) {
  TypeCertification type = type_text();
  type.catalogues = {filled(2), filled(1)};
  EXPECT_FALSE(parse_type_certification(format_certification(type)));
  type.catalogues = {filled(2), filled(2)};
  EXPECT_FALSE(parse_type_certification(format_certification(type)));
  type = type_text();
  type.sealing = {"tpm", "hsm"};
  EXPECT_FALSE(parse_type_certification(format_certification(type)));
  type = type_text();
  type.sources[0].source_class = "system";
  EXPECT_FALSE(parse_type_certification(format_certification(type)));
  for (const std::uint32_t candidates : {0U, 9U}) {
    type = type_text();
    type.policy.candidates = candidates;
    EXPECT_FALSE(parse_type_certification(format_certification(type))) << candidates;
  }
  type = type_text();
  type.term.until_us = type.term.from_us;
  EXPECT_FALSE(parse_type_certification(format_certification(type)));
  type = type_text();
  type.manifests.assign(65, {});
  for (std::size_t i = 0; i < type.manifests.size(); ++i)
    type.manifests[i][0] = static_cast<std::uint8_t>(i);
  EXPECT_FALSE(parse_type_certification(format_certification(type)));
  type.manifests.pop_back();
  EXPECT_TRUE(parse_type_certification(format_certification(type)));
  InstallationCertification installation = installation_text();
  installation.independent = {filled(8)};
  EXPECT_FALSE(parse_installation_certification(format_certification(installation)))
      << "a device that adds up is one of the installation";
  for (const char* issuer : {"Lab.example", "lab:example", "lab example"}) {
    type = type_text();
    type.head.issuer = issuer;
    EXPECT_FALSE(parse_type_certification(format_certification(type))) << issuer;
  }
}

TEST(Certification, names_and_digests_are_those_of_section_14) {
  EXPECT_EQ(certification_uri(CertificationKind::type, "lab.example"),
            "talla:certification:type:lab.example");
  EXPECT_EQ(certification_uri(CertificationKind::installation, "a"),
            "talla:certification:installation:a");
  EXPECT_EQ(certification_uri(CertificationKind::withdrawal, "a"),
            "talla:certification-withdrawal:a");
  EXPECT_EQ(as_text(certification_message("x")), std::string("talla/v2/certification\0x", 24));
  const auto of = [&](std::string_view text) { return hashes.sha256({as_bytes(text)}); };
  using namespace std::string_view_literals;
  EXPECT_EQ(certification_digest(hashes, "x"), of("talla/v2/certification-text\0x"sv));
  EXPECT_EQ(serial_digest(hashes, "ab", "c"), of("talla/v2/certification-serial\0\0\0\0\x02"
                                                 "ab\0\0\0\x01"
                                                 "c"sv));
  EXPECT_EQ(settings_digest(hashes, json::Object{{"b", 1}, {"a", true}}),
            of("talla/v2/settings\0{\"a\":true,\"b\":1}"sv));
}

TEST(Certification, a_file_holds_a_text_that_can_be_read_and_a_signature_of_64_bytes) {
  SignedCertification file{.statement = format_certification(type_text()),
                           .signature = Bytes(64, 1),
                           .chain = {Bytes{1}}};
  EXPECT_EQ(*parse_certification_file(format_certification_file(file)), file);
  EXPECT_EQ(*certification_kind_of(file.statement), CertificationKind::type);
  file.signature.pop_back();
  EXPECT_FALSE(parse_certification_file(format_certification_file(file)));
  file.signature = Bytes(64, 1);
  file.chain.clear();
  EXPECT_FALSE(parse_certification_file(format_certification_file(file)));
  file.chain = {Bytes{1}};
  file.statement = "{}";
  EXPECT_TRUE(parse_certification_file(format_certification_file(file))
                  .error()
                  .is(FormatErrc::malformed_certification));
}

}  // namespace
}  // namespace talla::certs
