// Goal: a document credits no other unit, setting or figure than the one it is about; what is no
// such document is refused in clear words.
// Method: one good document, and each member of it wrong in turn.
#include "entropy/assessment_document.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/json.hpp"

namespace talla::entropy {
namespace {

AssessmentDocument good_document() {
  AssessmentDocument document;
  document.model = "bitbabbler";
  document.serial = "KWIGKC";
  document.source_class = "raw_physical";
  document.settings = {{"mask", "15"}};
  document.purpose = "sequential";
  document.track = "non-iid";
  document.samples = 1'000'000;
  document.bits_per_sample = 8;
  document.samples_sha256 = std::string(64, 'a');
  document.manifest_sha256 = std::string(64, 'b');
  document.as_standard_asks = true;
  document.millibits = 6'100;
  return document;
}

AssessedUnit good_unit() {
  return {
      .model = "bitbabbler", .serial = "KWIGKC", .settings = {{"mask", "15"}}, .millibits = 6'100};
}

TEST(AssessmentDocument, is_read_as_it_was_written) {
  const std::string text = text_of(good_document());
  EXPECT_EQ(text.back(), '\n');
  const auto read = read_assessment_document(text);
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(text_of(*read), text);
  EXPECT_TRUE(check_document(*read, good_unit()));
  AssessedUnit careful = good_unit();
  careful.millibits = 1;
  EXPECT_TRUE(check_document(*read, careful)) << "less than was found is a margin";
}

TEST(AssessmentDocument, is_about_one_unit_in_one_setting_with_one_figure) {
  const auto refused = [](const std::function<void(AssessmentDocument&)>& change,
                          const std::string& words) {
    AssessmentDocument document = good_document();
    change(document);
    const Status status = check_document(document, good_unit());
    ASSERT_FALSE(status) << words;
    EXPECT_TRUE(status.error().is(Errc::source_refused));
    EXPECT_NE(status.error().detail.find(words), std::string::npos) << status.error().detail;
  };
  refused([](auto& d) { d.model = "onerng"; }, "it is of a \"onerng\"");
  refused([](auto& d) { d.serial = "KWIGKD"; }, "serial number \"KWIGKD\", the device has \"KWIG");
  refused([](auto& d) { d.serial = ""; }, "serial number none");
  refused([](auto& d) { d.source_class = "conditioned_physical"; }, "only raw_physical noise");
  refused([](auto& d) { d.settings = {}; }, "with no settings, the device is configured with mask");
  refused([](auto& d) { d.settings["mask"] = "1"; }, "with mask=1");
  refused([](auto& d) { d.samples = 999'999; }, "999999 samples are not what SP 800-90B");
  refused([](auto& d) { d.as_standard_asks = false; }, "are not what SP 800-90B");
  refused([](auto& d) { d.millibits = 6'099; }, "it found 6099 thousandths");
  AssessedUnit alike = good_unit();
  alike.serial = "";
  EXPECT_TRUE(check_document(good_document(), alike)) << "its port says which unit it is";
}

TEST(AssessmentDocument, what_is_none_is_refused_in_clear_words) {
  const auto refused = [](const std::string& text, const std::string& words) {
    const auto read = read_assessment_document(text);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(read.error().detail.find(words), std::string::npos) << read.error().detail;
  };
  refused("", "no document of `talla-lab assess --document`");
  refused("%PDF-1.7", "no document of `talla-lab assess --document`");
  refused("[]", "no object");
  refused(R"({"standard":"SP 800-90B","min_entropy":6.1})", "no document of");
  const json::Value good = *json::parse(text_of(good_document()));
  const auto changed = [&](const std::function<void(json::Value&)>& change) {
    json::Value value = good;
    change(value);
    return json::canonical(value);
  };
  refused(changed([](auto& v) { v["kind"] = "talla-lab collection"; }), "kind must be");
  refused(changed([](auto& v) { v["format"] = 2; }), "format");
  refused(changed([](auto& v) { v["standard"] = "AIS 31"; }), "standard must be");
  refused(changed([](auto& v) { v["track"] = "best"; }), "track must be \"non-iid\" or \"iid\"");
  refused(changed([](auto& v) { v["min_entropy_millibits"] = 8'001; }), "min_entropy_millibits");
  refused(changed([](auto& v) { v["min_entropy_millibits"] = 0; }), "min_entropy_millibits");
  refused(changed([](auto& v) { v["more"] = 1; }), "more");
  refused(changed([](auto& v) { v["device"]["settings"]["mask"] = 15; }), "device.settings.mask");
  refused(changed([](auto& v) { v["device"].object().erase("serial"); }), "device.serial");
  refused(changed([](auto& v) { v["samples"]["sha256"] = "AA"; }), "sha256 must be 64 digits");
  refused(changed([](auto& v) { v["samples"]["purpose"] = "conditioned"; }), "purpose must be");
  refused(changed([](auto& v) { v["samples"]["width_bits"] = 9; }), "samples.width_bits");
}

TEST(AssessmentDocument, every_member_comes_back_as_it_was) {
  AssessmentDocument written = good_document();
  written.purpose = "restart";
  written.track = "iid";
  written.samples = 1'000'001;
  written.bits_per_sample = 3;
  written.samples_sha256 = "0123456789abcdef" + std::string(48, '9');
  written.manifest_sha256 = std::string(48, 'f') + "fedcba9876543210";
  written.as_standard_asks = false;
  written.millibits = 1;
  const auto read = read_assessment_document(text_of(written));
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->purpose, "restart");
  EXPECT_EQ(read->track, "iid");
  EXPECT_EQ(read->samples, 1'000'001U);
  EXPECT_EQ(read->bits_per_sample, 3U);
  EXPECT_EQ(read->samples_sha256, written.samples_sha256);
  EXPECT_EQ(read->manifest_sha256, written.manifest_sha256);
  EXPECT_FALSE(read->as_standard_asks);
  EXPECT_EQ(read->millibits, 1U);
}

TEST(AssessmentDocument, a_digest_is_64_digits_of_0_to_9_and_a_to_f) {
  const auto reads = [](const std::string& digest) {
    AssessmentDocument document = good_document();
    document.samples_sha256 = digest;
    const auto read = read_assessment_document(text_of(document));
    if (!read) {
      EXPECT_NE(read.error().detail.find("sha256 must be 64 digits"), std::string::npos);
    }
    return read.has_value();
  };
  for (const char digit : std::string("0189abef")) EXPECT_TRUE(reads(std::string(64, digit)));
  for (const char other : std::string("/:@AF`g G"))
    EXPECT_FALSE(reads(std::string(63, '0') + other)) << other;
  EXPECT_FALSE(reads(std::string(63, '0')));
  EXPECT_FALSE(reads(std::string(65, '0')));
}

TEST(AssessmentDocument, what_is_no_object_is_refused_whatever_it_is) {
  for (const char* text : {"1", "\"{}\"", "null", "{", "{}x"})
    EXPECT_FALSE(read_assessment_document(text)) << text;
  for (const std::int64_t width : {1, 8}) {
    json::Value value = *json::parse(text_of(good_document()));
    value["samples"]["width_bits"] = width;
    EXPECT_TRUE(read_assessment_document(json::canonical(value)));
  }
  json::Value value = *json::parse(text_of(good_document()));
  value["samples"]["width_bits"] = 0;
  EXPECT_FALSE(read_assessment_document(json::canonical(value)));
  value = *json::parse(text_of(good_document()));
  value["samples"]["count"] = 0;
  EXPECT_FALSE(read_assessment_document(json::canonical(value)));
  value["samples"]["count"] = 1;
  EXPECT_TRUE(read_assessment_document(json::canonical(value)));
  value["min_entropy_millibits"] = 8'000;
  EXPECT_TRUE(read_assessment_document(json::canonical(value)));
}

}  // namespace
}  // namespace talla::entropy
