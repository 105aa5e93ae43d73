// Goal: the daemon serves the files of rngd/web as they are, and to everybody only what needs no
//       certificate.
// Method: the built-in files against the folder, byte for byte.
#include "web/pages.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "certs/openssl_hashes.hpp"
#include "support/source_tree.hpp"

namespace talla::web {
namespace {

const std::filesystem::path folder = talla::test::source_tree() / "rngd/web";

constexpr std::string_view packed_engines = "/web/settle/settle.wasm.gz";

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Pages, are_the_files_of_the_folder) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto kind = entry.path().extension().string();
    if (kind != ".html" && kind != ".css" && kind != ".js") continue;
    const auto path = "/web/" + std::filesystem::relative(entry.path(), folder).string();
    const auto page = find_page(path);
    ASSERT_TRUE(page) << path;
    if (path != "/web/settle/digest.js" || !find_page(packed_engines)) {
      EXPECT_EQ(page->text, content(entry.path())) << path;
    }
    EXPECT_TRUE(page->content_type.starts_with(kind == ".js"    ? "text/javascript"
                                               : kind == ".css" ? "text/css"
                                                                : "text/html"))
        << path;
    ++count;
  }
  EXPECT_GE(count, 10);
}

TEST(Pages, the_engines_are_those_that_the_page_pins) {
  const auto engines = find_page(packed_engines);
  const auto digest = find_page("/web/settle/digest.js");
  ASSERT_TRUE(digest);
  if (!engines) {  // not built with TALLA_SETTLE
    EXPECT_NE(digest->text.find("MODULE = null"), std::string_view::npos);
    return;
  }
  EXPECT_EQ(engines->content_type, "application/gzip");
  EXPECT_LE(engines->text.size(), 1'000'000U);
  EXPECT_NE(digest->text.find("digest: '" +
                              to_hex(certs::OpensslHashes().sha256({as_bytes(engines->text)})) +
                              "', size: " + std::to_string(engines->text.size())),
            std::string_view::npos)
      << digest->text;
}

TEST(Pages, only_a_page_that_runs_engines_may_compile_them) {
  constexpr std::string_view compiles = " 'wasm-unsafe-eval'";
  for (const std::string_view path :
       {front_page, contribute_page, std::string_view("/web/verify_page.js"), packed_engines})
    EXPECT_EQ(policy_of(path), content_security_policy) << path;
  EXPECT_EQ(content_security_policy.find("eval"), std::string_view::npos);
  for (const std::string_view path : engine_pages) {
    EXPECT_TRUE(find_page(path)) << path;
    std::string policy = policy_of(path);
    EXPECT_NE(policy.find("script-src 'self'" + std::string(compiles) + ";"), std::string::npos);
    policy.erase(policy.find(compiles), compiles.size());
    EXPECT_EQ(policy, content_security_policy) << path;
  }
}

TEST(Pages, nothing_else_is_there) {
  for (const std::string path :
       {"/web", "/web/", "/web/../web/index.html", "/web/CMakeLists.txt", "/web/src/pages.cpp",
        "/index.html", "/web/index.html?", "", "/web/INDEX.HTML"})
    EXPECT_FALSE(find_page(path)) << path;
}

TEST(Pages, what_everybody_sees_is_the_verify_page_the_players_page_and_what_they_load) {
  EXPECT_TRUE(find_page(front_page));
  EXPECT_FALSE(is_public_page(front_page));
  EXPECT_FALSE(is_public_page("/web/app.js"));
  EXPECT_FALSE(is_public_page("/web/app/state.js"));
  EXPECT_TRUE(find_page(verify_page));
  EXPECT_TRUE(is_public_page(verify_page));
  EXPECT_TRUE(find_page(contribute_page));
  EXPECT_TRUE(is_public_page(contribute_page));
  EXPECT_TRUE(find_page("/web/contribute/page.js"));
  EXPECT_TRUE(is_public_page("/web/contribute/page.js"));
  EXPECT_TRUE(is_public_page("/web/style.css"));
  EXPECT_TRUE(is_public_page(packed_engines));
  EXPECT_TRUE(find_page(play_page));
  EXPECT_TRUE(is_public_page(play_page));
  EXPECT_TRUE(is_public_page("/web/play/page.js"));
  EXPECT_TRUE(is_public_page("/web/settle/settle.js"));
}

}  // namespace
}  // namespace talla::web
