// Goal: bundles of version 1 verify for ever, and the stories that made them still give the same bytes.
// Method: the files of this folder, written once by make_bundles, judged and compared.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "scenes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

std::string read(const std::string& name) {
  std::ifstream file(std::string(TALLA_SOURCE_DIR) + "/tests/unit/verify/frozen/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(FrozenBundles, VerifyWithTheirFrozenRoot) {
  for (const std::string name :
       {"shoe", "card", "draw", "void", "batch", "spin", "coup", "covered-again", "public-again"}) {
    const auto verdict = verify_bundle(read(name + ".talla"), read("roots.pem"));
    ASSERT_TRUE(verdict) << name << ": " << verdict.error().text();
    EXPECT_EQ(verdict->verdict_class, VerdictClass::uncertified_source);
  }
  EXPECT_TRUE(verify_receipt(read("shoe.receipt"), read("log_key.json"), read("roots.pem")));
}

TEST(FrozenBundles, OfShoeAndDrawsAreWhatTheStoriesStillGive) {
  test::Pki pki;
  EXPECT_EQ(format_bundle(test::shoe_scene(pki).closed), read("shoe.talla"));
  EXPECT_EQ(format_bundle(test::draw_scene(pki).closed), read("batch.talla"));
  EXPECT_EQ(format_bundle(test::again_scene(pki)), read("covered-again.talla"));
  EXPECT_EQ(format_bundle(test::again_scene(pki, {.covered = false})), read("public-again.talla"));
}

}  // namespace
}  // namespace talla::certs
