// Goal: a manifest is read only as it is written, only with the signatures that are asked for; a
//   file, library or piece of code that is not as the manifest says is found; an answer to a
//   challenge is that of FORMAT.md section 12.
// Method: manifests spoilt one by one; files in a folder of the test's own; this very process and
//         its libraries.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "software/make.hpp"
#include "software/running.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::software {
namespace {

const certs::OpensslHashes hashes;
const certs::BotanEd25519 verifier;

Manifest small() {
  Digest digest{};
  digest.fill(0x11);
  return {.version = "1.2.3",
          .build = "0011aabb",
          .files = {
              {.path = "/usr/lib/b.so", .size = 3, .sha256 = digest, .kind = FileKind::library},
              {.path = "/usr/sbin/rngd", .size = 12, .sha256 = digest, .kind = FileKind::program}}};
}

std::unique_ptr<certs::Ed25519Signer> signer(std::uint8_t fill) {
  std::array<std::uint8_t, 32> key{};
  key.fill(fill);
  return std::move(*certs::make_log_signer(key));
}
certs::VerifierKey key_of(certs::Ed25519Signer& one, std::string_view name) {
  return certs::make_verifier_key(hashes, name, certs::KeyType::log, one.public_key());
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

class Folder : public testing::Test {
 public:
  ~Folder() override { std::filesystem::remove_all(folder); }

 protected:
  Folder() {
    std::string name = testing::TempDir() + "talla-software-XXXXXX";
    folder = ::mkdtemp(name.data());
  }
  void write(const std::string& path, std::string_view content) const {
    std::filesystem::create_directories(std::filesystem::path(folder + path).parent_path());
    std::ofstream(folder + path, std::ios::binary | std::ios::trunc) << content;
  }
  [[nodiscard]] SignedManifest listed() const {
    SignedManifest out;
    auto made = make_manifest(hashes, {.version = "1",
                                       .build = "b",
                                       .root = folder,
                                       .files = {{FileKind::catalogue, "/rules/a.toml"},
                                                 {FileKind::unit, "/units/b.service"}},
                                       .libraries = true});
    EXPECT_TRUE(made.has_value()) << made.error().text();
    out.manifest = *made;
    out.text = *format_manifest(out.manifest);
    out.digest = hashes.sha256({as_bytes(out.text)});
    return out;
  }
  std::string folder;
};

TEST(Manifest, text_is_canonical_and_comes_back) {
  const auto text = format_manifest(small());
  ASSERT_TRUE(text.has_value());
  const std::string ones = [] {
    std::string all;
    for (int i = 0; i < 32; ++i) all += "11";
    return all;
  }();
  EXPECT_EQ(
      *text,
      R"({"build":"0011aabb","files":[{"kind":"library","path":"/usr/lib/b.so","sha256":")" + ones +
          R"(","size":3},{"kind":"program","path":"/usr/sbin/rngd","sha256":")" + ones +
          R"(","size":12}],"type":"talla-software-manifest","v":1,"version":"1.2.3"})" + "\n");
  EXPECT_EQ(parse_manifest(*text).value(), small());
}

TEST(Manifest, anything_else_is_refused) {
  const auto text = *format_manifest(small());
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"v\":1", "\"v\":2"},
           {"{\"build\"", "{ \"build\""},
           {"talla-software-manifest", "talla-log-key"},
           {"\"kind\":\"library\"", "\"kind\":\"driver\""},
           {"\"size\":3", "\"size\":-3"},
           {"\"size\":3", "\"more\":1,\"size\":3"},
           {"/usr/lib/b.so", "/usr/lib/../b.so"},
           {"/usr/lib/b.so", "usr/lib/b.so"},
           {"/usr/lib/b.so", "/usr/sbin/rngd"},
           {"/usr/lib/b.so", "/usr/zzz"},
           {"0011aabb", ""},
           {"1.2.3", "1\\u00e9"},
           {"11\",\"size\":3", "1G\",\"size\":3"},
           {"}\n", "}"},
           {"}\n", "}\n\n"}}) {
    const auto parsed = parse_manifest(replaced(text, from, to));
    ASSERT_FALSE(parsed.has_value()) << to;
    EXPECT_TRUE(parsed.error().is(Errc::malformed_manifest)) << parsed.error().text();
  }
  Manifest none = small();
  none.files.clear();
  EXPECT_FALSE(format_manifest(none).has_value());
  for (const char* path : {"", "/", "a", "/a/", "//a", "/a/./b", "/a/..", "/\xC3\xA9"})
    EXPECT_FALSE(path_valid(path)) << path;
}

TEST(Manifest, every_signature_that_is_asked_for_must_be_there_and_good) {
  const auto maker = signer(1);
  const auto laboratory = signer(2);
  const auto text = *format_manifest(small());
  const auto once = *sign_manifest(hashes, text, "maker.example", *maker);
  const auto twice = *sign_manifest(hashes, once, "lab.example", *laboratory);
  const auto maker_key = key_of(*maker, "maker.example");
  const auto lab_key = key_of(*laboratory, "lab.example");
  const auto good = open_manifest(hashes, verifier, twice, {maker_key, lab_key});
  ASSERT_TRUE(good.has_value()) << good.error().text();
  EXPECT_EQ(good->signers, (std::vector<std::string>{"maker.example", "lab.example"}));
  EXPECT_EQ(good->digest, hashes.sha256({as_bytes(text)}));
  EXPECT_EQ(good->manifest, small());
  EXPECT_TRUE(open_manifest(hashes, verifier, twice, {maker_key}).has_value());

  const auto refused = [&](const std::string& note, const std::vector<certs::VerifierKey>& keys) {
    const auto opened = open_manifest(hashes, verifier, note, keys);
    ASSERT_FALSE(opened.has_value());
    EXPECT_TRUE(opened.error().is(Errc::unsigned_manifest)) << opened.error().text();
  };
  refused(text, {maker_key});
  refused(once, {maker_key, lab_key});
  refused(twice, {});
  refused(twice, {key_of(*signer(3), "maker.example")});
  refused(replaced(twice, "\"size\":12", "\"size\":13"), {maker_key});
  const auto again = sign_manifest(hashes, once, "maker.example", *maker);
  EXPECT_FALSE(again.has_value());
  EXPECT_FALSE(sign_manifest(hashes, "{}\n", "maker.example", *maker).has_value());
  EXPECT_FALSE(sign_manifest(hashes, text, "two words", *maker).has_value());
}

TEST_F(Folder, a_changed_missing_or_linked_file_is_found_and_the_others_are_not) {
  write("/rules/a.toml", "rules");
  write("/units/b.service", "unit");
  const auto manifest = listed();
  const CheckOptions here{.root = folder, .nonce = {}, .go_on = {}};
  EXPECT_TRUE(check_files(hashes, manifest, here).findings.empty());
  write("/rules/a.toml", "Rules");
  const auto changed = check_files(hashes, manifest, here);
  EXPECT_EQ(changed.findings, (std::vector<Finding>{{"/rules/a.toml", found_changed}}));
  EXPECT_EQ(changed.files.at(0).sha256, hashes.sha256({as_bytes("Rules")}));
  std::filesystem::remove(folder + "/rules/a.toml");
  EXPECT_EQ(check_files(hashes, manifest, here).findings,
            (std::vector<Finding>{{"/rules/a.toml", found_unreadable}}));
  write("/elsewhere", "rules");
  std::filesystem::create_symlink(folder + "/elsewhere", folder + "/rules/a.toml");
  EXPECT_EQ(check_files(hashes, manifest, here).findings,
            (std::vector<Finding>{{"/rules/a.toml", found_unreadable}}));
  const auto early =
      check_files(hashes, manifest, {.root = folder, .nonce = {}, .go_on = [] { return false; }});
  EXPECT_FALSE(early.whole);
}

TEST_F(Folder, the_answer_is_that_of_the_format_and_another_for_every_nonce_and_byte) {
  write("/rules/a.toml", "rules");
  write("/units/b.service", "unit");
  const auto manifest = listed();
  const Bytes nonce(16, 0x5A);
  const auto report = check_files(hashes, manifest, {.root = folder, .nonce = nonce, .go_on = {}});
  // The same, written out: FORMAT.md section 12, with the other library.
  const certs::BotanHashes other;
  const auto key = other.hmac_key(nonce);
  const auto of = [&](std::string_view path, std::string_view content) {
    Bytes message;
    for (const char c : std::string("talla/v2/software-file") + '\0')
      message.push_back(static_cast<std::uint8_t>(c));
    for (const int byte : {0, 0, 0, static_cast<int>(path.size())})
      message.push_back(static_cast<std::uint8_t>(byte));
    for (const auto part : {path, content}) message.insert(message.end(), part.begin(), part.end());
    return key->mac({message});
  };
  const auto first = of("/rules/a.toml", "rules");
  const auto second = of("/units/b.service", "unit");
  EXPECT_EQ(report.files.at(0).answer, first);
  EXPECT_EQ(report.files.at(1).answer, second);
  ByteWriter whole;
  whole.raw(std::string_view("talla/v2/software\0", 18)).raw(manifest.digest);
  whole.field("/rules/a.toml").raw(first).field("/units/b.service").raw(second);
  EXPECT_EQ(report.answer, key->mac({whole.bytes()}));
  const Bytes another(16, 0x5B);
  EXPECT_NE(check_files(hashes, manifest, {.root = folder, .nonce = another, .go_on = {}}).answer,
            report.answer);
  write("/units/b.service", "uniT");
  EXPECT_NE(check_files(hashes, manifest, {.root = folder, .nonce = nonce, .go_on = {}}).answer,
            report.answer);
}

TEST(Running, maps_names_each_file_with_code_and_code_without_a_file) {
  const auto found = parse_maps(
      "55d0c0000000-55d0c0001000 r--p 00000000 fe:01 10  /usr/sbin/rngd\n"
      "55d0c0001000-55d0c0002000 r-xp 00001000 fe:01 10  /usr/sbin/rngd\n"
      "7f0000000000-7f0000001000 r-xp 00000000 fe:01 11  /usr/lib/with space.so\n"
      "7f0000002000-7f0000003000 r-xp 00000000 fe:01 12  /usr/lib/old.so (deleted)\n"
      "7f0000004000-7f0000005000 rw-s 00000000 00:01 13  /dev/zero (deleted)\n"
      "7f0000006000-7f0000007000 rwxp 00000000 00:00 0 \n"
      "7ffc00000000-7ffc00001000 r-xp 00000000 00:00 0   [vdso]\n"
      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0   [vsyscall]\n");
  EXPECT_EQ(found, (std::vector<MappedCode>{{"", false},
                                            {"/usr/lib/old.so", true},
                                            {"/usr/lib/with space.so", false},
                                            {"/usr/sbin/rngd", false}}));
  auto manifest = small();
  EXPECT_EQ(compare_mapped(manifest, found),
            (std::vector<Finding>{{"/proc/self/maps", found_anonymous},
                                  {"/usr/lib/old.so", found_not_listed},
                                  {"/usr/lib/with space.so", found_not_listed}}));
  EXPECT_EQ(compare_mapped(manifest, {{"/usr/sbin/rngd", true}}),
            (std::vector<Finding>{{"/usr/sbin/rngd", found_replaced}}));
  manifest.files[1].kind = FileKind::catalogue;
  EXPECT_EQ(compare_mapped(manifest, {{"/usr/sbin/rngd", false}}),
            (std::vector<Finding>{{"/usr/sbin/rngd", found_not_listed}}));
}

TEST(Running, a_manifest_of_this_program_covers_all_that_runs_here) {
  const auto self = std::filesystem::read_symlink("/proc/self/exe").string();
  const auto made = make_manifest(hashes, {.version = "1",
                                           .build = {},
                                           .root = {},
                                           .files = {{FileKind::program, self}},
                                           .libraries = true});
  ASSERT_TRUE(made.has_value()) << made.error().text();
  EXPECT_EQ(made->build, *build_id_of(self));
  EXPECT_FALSE(made->build.empty());
  const auto mapped = mapped_code();
  ASSERT_TRUE(mapped.has_value());
  EXPECT_GT(mapped->size(), 4U);
  for (const auto& finding : compare_mapped(*made, *mapped))
    ADD_FAILURE() << finding.path << ": " << finding.what;
  for (const auto& finding : compare_memory())
    ADD_FAILURE() << finding.path << ": " << finding.what;
  auto less = *made;
  std::erase_if(less.files, [](const ManifestFile& file) {
    return file.path.find("libcrypto") != std::string::npos;
  });
  EXPECT_EQ(compare_mapped(less, *mapped).size(), 1U);
  EXPECT_TRUE(libraries_of("/etc/passwd")->empty());
}

/// A function whose page the test spoils and mends.
[[gnu::noinline, gnu::used, gnu::aligned(64)]] int victim(int value) {
  return value * 17 + 4;
}

TEST(Running, one_byte_of_code_changed_in_memory_is_found) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  auto* code = reinterpret_cast<volatile std::uint8_t*>(&victim);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): where the function's page begins
  auto* begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(code) & ~(page - 1));
  if (::mprotect(begin, page * 2, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    GTEST_SKIP() << "code cannot be changed here";
  const auto flip = [code] { code[63] = static_cast<std::uint8_t>(code[63] ^ 1U); };
  flip();  // behind the function: padding
  const auto found = compare_memory();
  flip();
  ASSERT_EQ(::mprotect(begin, page * 2, PROT_READ | PROT_EXEC), 0);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front(),
            (Finding{std::filesystem::read_symlink("/proc/self/exe").string(), found_in_memory}));
  EXPECT_TRUE(compare_memory().empty());
  EXPECT_EQ(victim(1), 21);
}

}  // namespace
}  // namespace talla::software
