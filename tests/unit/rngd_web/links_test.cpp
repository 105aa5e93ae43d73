// Goal: a link leads to its bundle for as long as the key is there, and nobody makes one who was
//       not given it.
// Method: links of two keys in real files, every character of a link changed.
#include "web/links.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "certs/errc.hpp"
#include "certs/openssl_hashes.hpp"

namespace talla::web {
namespace {

class LinksTest : public ::testing::Test {
 public:
  ~LinksTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 protected:
  LinksTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "talla-links-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
  }
  [[nodiscard]] std::string file(const std::string& name = "public-links.key") const {
    return folder_ + "/" + name;
  }
  Links open(const std::string& name = "public-links.key") {
    auto links = Links::open(hashes_, file(name));
    if (!links) std::abort();
    return std::move(*links);
  }
  std::string folder_;
  certs::OpensslHashes hashes_;
};

TEST_F(LinksTest, a_link_leads_to_its_claim_also_after_a_new_start) {
  const Links first = open();
  const Links second = open();
  EXPECT_TRUE(rc::check([&](std::uint64_t seq) {
    const auto path = first.path(seq);
    RC_ASSERT(path.starts_with("/bundles/" + std::to_string(seq) + "-"));
    RC_ASSERT(second.claim(path) == seq);
  }));
}

TEST_F(LinksTest, a_changed_link_and_one_of_another_key_lead_nowhere) {
  const Links links = open();
  const Links others = open("other.key");
  const std::string path = links.path(4711);
  EXPECT_EQ(path.size(), std::string("/bundles/4711-").size() + 32);
  for (std::size_t i = 0; i < path.size(); ++i) {
    for (const char other : std::string("0f5-/A")) {
      auto changed = path;
      changed[i] = other;
      EXPECT_EQ(links.claim(changed).has_value(), changed == path) << changed;
    }
    EXPECT_FALSE(links.claim(path.substr(0, i))) << i;
  }
  EXPECT_FALSE(links.claim(path + "0"));
  EXPECT_FALSE(links.claim("/bundles/04711" + path.substr(path.find('-'))));
  EXPECT_FALSE(links.claim("/bundles/99999999999999999999-" + path.substr(path.find('-') + 1)));
  EXPECT_FALSE(links.claim(others.path(4711)));
  std::set<std::string> tags;
  for (std::uint64_t seq = 0; seq < 1000; ++seq) {
    const auto one = links.path(seq);
    tags.insert(one.substr(one.find('-')));
  }
  EXPECT_EQ(tags.size(), 1000U);
}

TEST_F(LinksTest, the_key_is_private_and_anything_else_in_its_place_is_refused) {
  static_cast<void>(open());
  struct stat state {};
  ASSERT_EQ(::stat(file().c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 0777U, 0600U);
  EXPECT_EQ(state.st_size, 32);
  ASSERT_EQ(::chmod(file().c_str(), 0640), 0);
  EXPECT_FALSE(Links::open(hashes_, file()));
  ASSERT_EQ(::chmod(file().c_str(), 0600), 0);
  ASSERT_EQ(::truncate(file().c_str(), 31), 0);
  const auto shorter = Links::open(hashes_, file());
  ASSERT_FALSE(shorter);
  EXPECT_NE(shorter.error().text().find("32 bytes"), std::string::npos) << shorter.error().text();
  EXPECT_FALSE(Links::open(hashes_, folder_ + "/nowhere/public-links.key"));
}

TEST_F(LinksTest, a_key_that_belongs_to_somebody_else_is_refused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives a file away";
  static_cast<void>(open());
  ASSERT_EQ(::chown(file().c_str(), 12345, 0), 0);
  const auto links = Links::open(hashes_, file());
  ASSERT_FALSE(links);
  EXPECT_TRUE(links.error().is(certs::Errc::key_file_open));
  EXPECT_NE(links.error().text().find("belongs to user 12345"), std::string::npos);
}

}  // namespace
}  // namespace talla::web
