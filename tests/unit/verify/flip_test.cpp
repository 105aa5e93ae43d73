// Goal: a bundle with any changed byte is refused, or at least never verifies with another claim.
// Method: one bit of every byte of the smallest bundle flipped; a sample of the bytes of the larger
//         ones.
#include <gtest/gtest.h>

#include "scenes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

/// How many of the flipped bundles still verify, all with the same claim.
std::size_t still_valid(const Bundle& bundle, const test::Pki& pki, std::size_t stride) {
  const std::string text = format_bundle(bundle);
  const auto honest = verify_bundle(text, pki.roots_pem());
  EXPECT_TRUE(honest) << (honest ? "" : honest.error().text());
  std::size_t valid = 0;
  for (std::size_t at = 0; at < text.size(); at += stride) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 7)));
    const auto verdict = verify_bundle(flipped, pki.roots_pem());
    if (!verdict) continue;
    ++valid;
    EXPECT_EQ(verdict->claim_text, honest->claim_text) << "byte " << at;
    EXPECT_EQ(verdict->claim, honest->claim) << "byte " << at;
    EXPECT_EQ(verdict->verdict_class, honest->verdict_class) << "byte " << at;
  }
  return valid;
}

TEST(FlippedByte, of_a_draw_bundle_is_always_refused) {
  test::Pki pki;
  EXPECT_EQ(still_valid(test::draw_scene(pki).drawn, pki, 1), 0U);
}
TEST(FlippedByte, of_a_shoe_bundle_is_refused) {
  test::Pki pki;
  EXPECT_EQ(still_valid(test::shoe_scene(pki).closed, pki, 61), 0U);
}
TEST(FlippedByte, of_a_settlement_bundle_is_refused) {
  test::Pki pki;
  EXPECT_EQ(still_valid(test::spin_scene(pki), pki, 211), 0U);
  EXPECT_EQ(still_valid(test::coup_scene(pki), pki, 211), 0U);
}

}  // namespace
}  // namespace talla::certs
