// Goal: bundles of version 2 verify for ever, and the stories that made them still give the same
//       bytes.
// Method: the files of this folder, written once by make_bundles, judged and compared.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "scenes.hpp"
#include "support/source_tree.hpp"
#include "verify/archive.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

std::string read(const std::string& name) {
  std::ifstream file(talla::test::source_tree().string() + "/tests/unit/verify/frozen/" + name,
                     std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(FrozenBundles, verify_with_their_frozen_root) {
  for (const std::string name :
       {"shoe", "card", "draw", "void", "batch", "spin", "coup", "covered-again", "public-again",
        "places", "lapsed", "with-seats-shoe", "with-seats", "with-seats-withheld", "with-machine",
        "with-confirmation", "with-meter", "candidates"}) {
    const auto verdict = verify_bundle(read(name + ".talla"), read("roots.pem"));
    ASSERT_TRUE(verdict) << name << ": " << verdict.error().text();
    EXPECT_EQ(verdict->verdict_class, VerdictClass::uncertified);
  }
  EXPECT_TRUE(verify_receipt(read("shoe.receipt"), read("log_key.json"), read("roots.pem")));
}

/// All of it at once.
class Memory final : public ByteSource {
 public:
  explicit Memory(std::string text) : text_(std::move(text)) {}
  Result<std::size_t> read(std::span<std::uint8_t> out) override {
    const std::size_t count =
        text_.copy(reinterpret_cast<char*>(out.data()), out.size(), at_);  // NOLINT
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

TEST(FrozenArchives, verify_one_behind_the_other_and_are_the_log_of_their_frozen_bundle) {
  const std::string roots = read("roots.pem");
  ArchiveVerifier verifier(roots, {});
  std::uint64_t to = 0;
  for (const std::string name : {"spin-1.archive", "spin-2.archive"}) {
    Memory source(read(name));
    const auto judged = verifier.verify(source);
    ASSERT_TRUE(judged) << name << ": " << judged.error().text();
    EXPECT_EQ(judged->verdict.verdict_class, VerdictClass::uncertified);
    EXPECT_EQ(judged->facts.header.from, to);
    to = judged->facts.header.to;
    EXPECT_EQ(judged->facts.catalogues, name == "spin-1.archive" ? 1U : 0U);
  }
  const auto spin = parse_bundle(read("spin.talla"));
  ASSERT_TRUE(spin) << spin.error().text();
  const test::TwoArchives made = test::archives_of(*spin, 3);
  EXPECT_EQ(made.first, read("spin-1.archive"));
  EXPECT_EQ(made.second, read("spin-2.archive"));
}

TEST(FrozenBundles, of_shoe_and_draws_are_what_the_stories_still_give) {
  test::Pki pki;
  EXPECT_EQ(format_bundle(test::shoe_scene(pki).closed), read("shoe.talla"));
  EXPECT_EQ(format_bundle(test::draw_scene(pki).closed), read("batch.talla"));
  EXPECT_EQ(format_bundle(test::lapsed_scene(pki)), read("lapsed.talla"));
  EXPECT_EQ(format_bundle(test::joined_shoe_scene(pki)), read("with-seats-shoe.talla"));
  EXPECT_EQ(format_bundle(test::joined_draw_scene(pki).drawn), read("with-seats.talla"));
  EXPECT_EQ(format_bundle(test::joined_draw_scene(pki).withheld),
            read("with-seats-withheld.talla"));
  EXPECT_EQ(format_bundle(test::released_scene(pki).bundle), read("with-machine.talla"));
  EXPECT_EQ(format_bundle(test::confirmed_scene(pki)), read("with-confirmation.talla"));
  EXPECT_EQ(format_bundle(test::meter_scene(pki)), read("with-meter.talla"));
  EXPECT_EQ(format_bundle(test::again_scene(pki)), read("covered-again.talla"));
  EXPECT_EQ(format_bundle(test::again_scene(pki, {.covered = false})), read("public-again.talla"));
}

}  // namespace
}  // namespace talla::certs
