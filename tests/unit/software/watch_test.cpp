// Goal: the daemon's watch refuses a start on anything that is not as signed, answers challenges,
//       and finds a changed file by itself.
// Method: a manifest of this very program and of files of the test's own; checks every 50 ms
//         instead of every 24 hours.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "software/make.hpp"
#include "software_watch.hpp"

namespace talla::rngd {
namespace {

const certs::OpensslHashes hashes;

class Watch : public testing::Test {
 public:
  ~Watch() override { std::filesystem::remove_all(folder); }

 protected:
  Watch() {
    std::string name = testing::TempDir() + "talla-watch-XXXXXX";
    folder = std::filesystem::canonical(::mkdtemp(name.data())).string();
    rules = folder + "/rules.toml";
    write(rules, "rules");
    std::array<std::uint8_t, 32> key{};
    signer = std::move(*certs::make_log_signer(key));
    self = std::filesystem::read_symlink("/proc/self/exe").string();
    options.manifest = folder + "/manifest";
    options.signers = {certs::format_verifier_key(certs::make_verifier_key(
        hashes, "maker.example", certs::KeyType::log, signer->public_key()))};
    options.version = "1";
    options.programs = {self};
    options.catalogues = {{"rules", hashes.sha256({as_bytes("rules")})}};
    options.between = std::chrono::milliseconds(50);
    options.pause = std::chrono::milliseconds(0);
    list({{software::FileKind::program, self}, {software::FileKind::catalogue, rules}});
  }

  static void write(const std::string& path, std::string_view content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  }
  void list(std::vector<std::pair<software::FileKind, std::string>> files) {
    auto made = software::make_manifest(
        hashes,
        {.version = "1", .build = "b", .root = {}, .files = std::move(files), .libraries = true});
    ASSERT_TRUE(made.has_value()) << made.error().text();
    write(options.manifest, *software::sign_manifest(hashes, *software::format_manifest(*made),
                                                     "maker.example", *signer));
  }
  void refused(software::Errc errc, std::string_view words) {
    const auto watch = SoftwareWatch::create(options, hashes, clock);
    ASSERT_FALSE(watch.has_value()) << words;
    EXPECT_TRUE(watch.error().is(errc)) << watch.error().text();
    EXPECT_NE(watch.error().detail.find(words), std::string::npos) << watch.error().text();
  }
  /// The next check, within some seconds.
  static core::SoftwareCheck next(SoftwareWatch& watch) {
    for (int i = 0; i < 2000; ++i) {
      auto checks = watch.take_checks();
      if (!checks.empty()) return std::move(checks.back());
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ADD_FAILURE() << "no check";
    return {};
  }

  std::string folder, rules, self;
  std::unique_ptr<certs::Ed25519Signer> signer;
  SystemClock clock;
  SoftwareOptions options;
};

TEST_F(Watch, a_start_is_refused_on_anything_that_is_not_as_signed) {
  using software::Errc;
  EXPECT_TRUE(SoftwareWatch::create(options, hashes, clock).has_value());
  write(rules, "Rules");
  refused(Errc::mismatch, "rules.toml (changed)");
  write(rules, "rules");
  options.version = "2";
  refused(Errc::mismatch, "is of version 1, this is 2");
  options.version = "1";
  options.programs.emplace_back("/usr/sbin/other");
  refused(Errc::mismatch, "/usr/sbin/other (not-listed)");
  options.programs.pop_back();
  options.catalogues["other"] = Digest{};
  refused(Errc::mismatch, "catalogue other (not-listed)");
  options.catalogues.erase("other");
  const auto maker = std::exchange(
      options.signers, {certs::format_verifier_key(certs::make_verifier_key(
                           hashes, "lab.example", certs::KeyType::log, signer->public_key()))});
  refused(Errc::unsigned_manifest, "lab.example is missing");
  options.signers = maker;
  list({{software::FileKind::data, self}, {software::FileKind::catalogue, rules}});
  refused(Errc::mismatch, "(not-listed)");
}

TEST_F(Watch, without_a_manifest_it_says_unsigned_and_takes_no_challenge) {
  options.manifest.clear();
  const auto watch = *SoftwareWatch::create(options, hashes, clock);
  watch->start({});
  EXPECT_EQ(watch->status(), (json::Object{{"state", "unsigned"}}));
  EXPECT_FALSE(watch->manifest().has_value());
  EXPECT_TRUE(watch->check_running().has_value());
  core::Answer answer = [](const core::Reply&) {};
  EXPECT_FALSE(watch->challenge({}, Bytes(16, 1), answer));
}

TEST_F(Watch, code_that_is_not_listed_is_found_before_anything_is_committed) {
  auto made = software::make_manifest(hashes, {.version = "1",
                                               .build = "b",
                                               .root = {},
                                               .files = {{software::FileKind::program, self},
                                                         {software::FileKind::catalogue, rules}},
                                               .libraries = false});
  ASSERT_TRUE(made.has_value());
  write(options.manifest, *software::sign_manifest(hashes, *software::format_manifest(*made),
                                                   "maker.example", *signer));
  const auto watch = *SoftwareWatch::create(options, hashes, clock);
  const auto running = watch->check_running();
  ASSERT_FALSE(running.has_value());
  EXPECT_NE(running.error().detail.find("(not-listed)"), std::string::npos)
      << running.error().text();
}

TEST_F(Watch, a_challenge_is_answered_and_a_changed_file_is_found_by_itself_until_it_is_put_right) {
  const auto watch = *SoftwareWatch::create(options, hashes, clock);
  EXPECT_EQ(watch->take_checks().size(), 1U) << "that of the start";
  EXPECT_TRUE(watch->check_running().has_value());
  core::Answer answer = [](const core::Reply&) {};
  EXPECT_FALSE(watch->challenge({}, Bytes(16, 1), answer)) << "not started";
  std::vector<software::Finding> said;
  watch->start([&said](const std::vector<software::Finding>& findings) { said = findings; });
  core::Client inspector;
  inspector.id = "talla:inspector-1";
  ASSERT_TRUE(watch->challenge(inspector, Bytes(16, 1), answer));
  core::SoftwareCheck done;
  while (!done.client) done = next(*watch);
  EXPECT_TRUE(done.findings.empty())
      << done.findings.front().path << " " << done.findings.front().what;
  EXPECT_EQ(done.client->id, "talla:inspector-1");
  EXPECT_EQ(done.reply.at("challenge").find("answer")->string(), to_hex(done.answer));
  EXPECT_EQ(done.reply.at("challenge").find("result")->string(), "good");

  write(rules, "Rules");
  while (done.findings.empty()) done = next(*watch);
  EXPECT_EQ(done.findings.front().path, rules);
  EXPECT_EQ(watch->status().at("state").string(), "mismatch");
  std::map<std::string, double> counters, gauges;
  watch->add_metrics(counters, gauges);
  EXPECT_EQ(gauges.at("talla_software_mismatch"), 1.0);
  EXPECT_GE(counters.at("talla_software_mismatches_total"), 1.0);
  EXPECT_GE(counters.at("talla_software_checks_total{cause=\"timer\"}"), 1.0);
  write(rules, "rules");
  while (!done.findings.empty()) done = next(*watch);
  EXPECT_EQ(watch->status().at("state").string(), "signed");
  watch->stop();
  EXPECT_EQ(said.front().path, rules);
  EXPECT_FALSE(watch->challenge(inspector, Bytes(16, 1), answer)) << "stopped";
}

}  // namespace
}  // namespace talla::rngd
