// Goal: an archive whose mass of records is not read word by word is still proven byte by byte, and
//       says what was not read.
// Method: the same archives judged both ways; bytes of one flipped, all of them in its first and
// last 4,000 and every seventh between; cut there too; archives that go on behind one another.
#include <gtest/gtest.h>

#include <algorithm>

#include "memory_source.hpp"
#include "scenes.hpp"
#include "verify/archive.hpp"

namespace talla::certs::test {
namespace {

Result<ArchiveVerdict> judge(ArchiveVerifier& verifier, std::string_view archive, bool contents) {
  MemorySource source(archive);
  return verifier.verify(source, {.contents = contents});
}
Result<ArchiveVerdict> judge(const Pki& pki, std::string_view archive, bool contents) {
  ArchiveVerifier verifier(pki.roots_pem(), {});
  return judge(verifier, archive, contents);
}

TEST(TreeOnly, gives_the_facts_of_a_whole_reading_and_says_what_it_left_out) {
  Pki pki;
  const std::string archive = draws_archive(pki, 1);
  const auto whole = judge(pki, archive, true);
  const auto tree = judge(pki, archive, false);
  ASSERT_TRUE(whole && tree);
  EXPECT_EQ(whole->facts.unread, 0U);
  EXPECT_EQ(tree->facts.unread, 2U * 256U) << "the CALLs and DRAWs";
  EXPECT_EQ(tree->facts.root, whole->facts.root);
  EXPECT_EQ(tree->facts.digest, whole->facts.digest);
  EXPECT_EQ(tree->facts.first_us, whole->facts.first_us);
  EXPECT_EQ(tree->facts.last_us, whole->facts.last_us);
  EXPECT_EQ(tree->facts.last_boot, whole->facts.last_boot);
  EXPECT_EQ(tree->verdict.verdict_class, whole->verdict.verdict_class);
  auto checked = whole->verdict.checked;
  EXPECT_EQ(std::erase_if(checked,
                          [](const std::string& line) {
                            return line.starts_with("every record of 1 tables");
                          }),
            1U)
      << "the chains of tables are followed by a whole reading alone";
  EXPECT_EQ(tree->verdict.checked, checked);
  const auto says = [](const ArchiveVerdict& verdict) {
    return std::ranges::any_of(verdict.verdict.not_checked, [](const std::string& line) {
      return line.starts_with("the content of 512 ");
    });
  };
  EXPECT_TRUE(says(*tree));
  EXPECT_FALSE(says(*whole));
}

TEST(TreeOnly, the_class_is_what_the_commitments_tell) {
  for (const auto& [source_class, expected] :
       std::initializer_list<std::pair<const char*, VerdictClass>>{
           {"lab", VerdictClass::lab}, {"system", VerdictClass::uncertified}}) {
    Pki pki;
    const Bundle spin = spin_scene(pki, {.tamper = {}, .context = [&](Context& context) {
                                           context.uncertified = true;
                                           for (SourceUse& source : context.sources)
                                             source.source_class = source_class;
                                         }});
    const TwoArchives both = archives_of(spin, 1);
    ArchiveVerifier verifier(pki.roots_pem(), {});
    ASSERT_TRUE(judge(verifier, both.first, false));
    const auto second = judge(verifier, both.second, false);
    ASSERT_TRUE(second) << second.error().text();
    EXPECT_EQ(second->verdict.verdict_class, expected) << source_class;
  }
}

TEST(TreeOnly, every_byte_of_the_file_is_still_proven) {
  Pki pki;
  const Bundle coup = coup_scene(pki);
  const std::string archive = archives_of(coup, coup.records.size() - 1).first;
  ASSERT_TRUE(judge(pki, archive, false));
  constexpr std::size_t ends = 4000;
  const auto step = [&](std::size_t at) {
    return at > ends && at + ends < archive.size() ? 7U : 1U;
  };
  for (std::size_t at = 0; at < archive.size(); at += step(at)) {
    std::string bad = archive;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    EXPECT_FALSE(judge(pki, bad, false)) << at;
    if (at % 5 == 0) {
      EXPECT_FALSE(judge(pki, std::string_view(archive).substr(0, at), false)) << at;
    }
  }
  EXPECT_FALSE(judge(pki, archive + '\0', false));
}

TEST(TreeOnly, an_archive_goes_on_behind_one_that_was_read_the_other_way) {
  Pki pki;
  const Bundle coup = coup_scene(pki);
  for (std::uint64_t middle = 1; middle < coup.records.size(); ++middle) {
    const TwoArchives both = archives_of(coup, middle);
    for (const bool contents : {false, true}) {
      ArchiveVerifier verifier(pki.roots_pem(), {});
      ASSERT_TRUE(judge(verifier, both.first, contents)) << middle;
      const auto second = judge(verifier, both.second, !contents);
      ASSERT_TRUE(second) << middle << ": " << second.error().text();
    }
  }
}

}  // namespace
}  // namespace talla::certs::test
