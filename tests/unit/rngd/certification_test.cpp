// Goal: the log says under which certifications the appliance commits, and whether they cover it
//       (certs/FORMAT.md section 14); nothing is refused for it.
// Method: a whole appliance on simulated time, with certifications that answer as a test says.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/certification_hook.hpp"
#include "fake_watch.hpp"
#include "format/body_machine.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

class Certifier final : public CertificationHook {
 public:
  [[nodiscard]] std::vector<KeptCertification> kept() const override { return files; }
  [[nodiscard]] bool changed() override { return std::exchange(fresh, false); }
  [[nodiscard]] std::optional<std::string> objection(
      const CertificationQuestion& question) const override {
    last_manifest = question.manifest;
    last_settings = question.settings;
    if (question.now_us >= until_us) return "certification_time";
    if (question.policy && question.policy->mix != least_mix) return "certification_table";
    if (!question.policy && !question.any_catalogue && question.context.catalogue != Digest{})
      return "certification_catalogue";
    return code;
  }

  std::vector<KeptCertification> files;
  bool fresh = false;
  std::optional<std::string> code;
  std::int64_t until_us = INT64_MAX;
  certs::MixRule least_mix = certs::MixRule::shoe;
  mutable std::optional<Digest> last_manifest;
  mutable std::optional<Digest> last_settings;
};

/// `test` and `result` of the SELFTESTs about certification, oldest first.
std::vector<std::string> certification_said(Rig& rig) {
  std::vector<std::string> out;
  for (const certs::Record& record : rig.records(Kind::selftest)) {
    const std::string& test = record.body.find("test")->string();
    if (test.starts_with("certification"))
      out.push_back(test + " " + record.body.find("result")->string());
  }
  return out;
}

void pass_a_second(Rig& rig) {
  rig.clock.advance_ns(1'100'000'000);
  rig.service().run_once();
  rig.service().run_until_idle();
}

TEST(Certification, every_commitment_cites_how_its_start_began) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  const auto batch = rig.post("/v1/tables/" + table + "/batches").record(Kind::batch_commit);
  const auto software = rig.records(Kind::software).back().seq;
  const auto config = rig.records(Kind::config).back().seq;
  EXPECT_NE(std::ranges::find(batch.cites, software), batch.cites.end());
  EXPECT_NE(std::ranges::find(batch.cites, config), batch.cites.end());
  EXPECT_TRUE(certification_said(rig).empty()) << "without certifications nothing is said of them";
  rig.restart();
  const auto again = rig.post("/v1/tables/" + table + "/batches").record(Kind::batch_commit);
  EXPECT_EQ(std::ranges::find(again.cites, config), again.cites.end())
      << "of this start, not of the one before";
  EXPECT_NE(std::ranges::find(again.cites, rig.records(Kind::config).back().seq),
            again.cites.end());
}

TEST(Certification, config_names_what_the_appliance_has_and_the_ledger_keeps_it) {
  Certifier certifier;
  certifier.files = {{.digest = Digest{1}, .file = "one"}, {.digest = Digest{2}, .file = "two"}};
  FakeWatch watch;
  Rig rig;
  rig.certification = &certifier;
  rig.software = &watch;
  rig.restart();
  const auto body = certs::ConfigBody::from_json(rig.records(Kind::config).back().body);
  ASSERT_TRUE(body);
  EXPECT_EQ(body->certifications, (std::vector{Digest{1}, Digest{2}}));
  EXPECT_EQ(*rig.ledger().document(certs::documents::certification(Digest{2})), "two");
  EXPECT_EQ(certifier.last_manifest, watch.digest);
  EXPECT_EQ(certification_said(rig), std::vector<std::string>{"certification pass"});
}

TEST(Certification, a_start_that_is_not_covered_says_so_and_goes_on) {
  Certifier certifier;
  certifier.code = "certification_manifest";
  Rig rig;
  rig.certification = &certifier;
  rig.restart();
  EXPECT_EQ(certification_said(rig),
            std::vector<std::string>{"certification:certification_manifest fail"});
  EXPECT_EQ(rig.post("/v1/tables/" + rig.open_table(wheel_table) + "/batches").status, 201);
  EXPECT_EQ(rig.service().metrics().gauges.at("talla_certification_covers"), 0.0);
  const auto status = rig.get("/v1/status");
  EXPECT_EQ(status.text({"certification", "code"}), "certification_manifest");
  EXPECT_NE(status.body.find(R"("covers":false)"), std::string::npos) << status.body;
}

TEST(Certification, the_status_says_what_covers_it_and_nothing_where_none_are_kept) {
  Rig without;
  EXPECT_EQ(without.get("/v1/status").body.find("certification"), std::string::npos);
  Certifier certifier;
  certifier.files = {{.digest = Digest{1}, .file = "one"}};
  Rig rig;
  rig.certification = &certifier;
  rig.restart();
  const std::string view =
      R"("certification":{"covers":true,"texts":[")" + to_hex(Digest{1}) + "\"]}";
  const auto status = rig.get("/v1/status");
  EXPECT_NE(status.body.find(view), std::string::npos) << status.body;
}

TEST(Certification, the_end_of_a_term_is_recorded_once_and_a_clock_set_back_changes_nothing) {
  Certifier certifier;
  Rig rig;
  rig.certification = &certifier;
  rig.restart();
  certifier.until_us = rig.clock.utc_us() + 5'000'000;
  pass_a_second(rig);
  EXPECT_EQ(certification_said(rig).size(), 1U);
  rig.clock.advance_ns(10'000'000'000);
  pass_a_second(rig);
  pass_a_second(rig);
  const std::vector<std::string> over{"certification pass",
                                      "certification:certification_time fail"};
  EXPECT_EQ(certification_said(rig), over);
  rig.clock.step_utc_us(-20'000'000);
  pass_a_second(rig);
  EXPECT_EQ(certification_said(rig), over) << "time never goes back behind what was recorded";
  rig.restart();
  EXPECT_EQ(certification_said(rig).back(), "certification:certification_time fail");
}

TEST(Certification, another_file_makes_a_config_and_play_goes_on) {
  Certifier certifier;
  certifier.code = "certification_time";
  Rig rig;
  rig.certification = &certifier;
  rig.restart();
  const auto table = rig.open_table(wheel_table);
  const auto before = rig.records(Kind::config).size();
  certifier.files = {{.digest = Digest{3}, .file = "three"}};
  certifier.code.reset();
  certifier.fresh = true;
  pass_a_second(rig);
  const auto configs = rig.records(Kind::config);
  ASSERT_EQ(configs.size(), before + 1);
  EXPECT_EQ(certs::ConfigBody::from_json(configs.back().body)->certifications,
            std::vector{Digest{3}});
  EXPECT_EQ(certification_said(rig).back(), "certification pass");
  const auto batch = rig.post("/v1/tables/" + table + "/batches").record(Kind::batch_commit);
  EXPECT_NE(std::ranges::find(batch.cites, configs.back().seq), batch.cites.end());
}

TEST(Certification, a_table_under_rules_that_nobody_listed_is_named_once) {
  Certifier certifier;
  Rig rig;
  rig.certification = &certifier;
  rig.restart();
  static_cast<void>(rig.open_table(wheel_table));
  pass_a_second(rig);
  pass_a_second(rig);
  const auto lines = certification_said(rig);
  const auto catalogue = rig.records(Kind::table_open).back().body.find("catalogue")->string();
  const bool none = catalogue.find_first_not_of('0') == std::string::npos;
  EXPECT_EQ(std::ranges::count(lines, "certification_catalogue:" + catalogue + " fail"),
            none ? 0 : 1);
}

TEST(Certification, a_table_whose_shoes_are_mixed_less_than_is_certified_is_named_once) {
  Certifier certifier;
  certifier.least_mix = certs::MixRule::round;
  Rig rig;
  rig.certification = &certifier;
  rig.restart();
  const auto wheel = rig.open_table(wheel_table);
  const auto table = rig.open_table(shoe_table);
  pass_a_second(rig);
  EXPECT_EQ(std::ranges::count(certification_said(rig), "certification_table:" + table + " fail"),
            0)
      << "it has no shoe yet";
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes").status, 201);
  pass_a_second(rig);
  pass_a_second(rig);
  const auto lines = certification_said(rig);
  EXPECT_EQ(std::ranges::count(lines, "certification_table:" + table + " fail"), 1);
  EXPECT_EQ(std::ranges::count(lines, "certification_table:" + wheel + " fail"), 0);
}

}  // namespace
}  // namespace talla::core::test
