// Goal: signed notes and checkpoints are read exactly as C2SP signed-note and tlog-checkpoint say,
//       ours more strictly.
// Method: the public notes and checkpoints with their known keys; own malformed texts side by side
//         with valid ones.
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "base/json.hpp"
#include "format/checkpoint.hpp"
#include "format/errc.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

bool ed25519_verifies(const Digest& key, std::string_view text, const Bytes& signature) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> pkey(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()),
      &EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  const ByteView message = as_bytes(text);
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, pkey.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(),
                          message.size()) == 1;
}

/// name+hex id+base64(type || key)
struct NamedKey {
  std::string name;
  Digest key{};
};
NamedKey parse_vkey(const std::string& text) {
  const std::size_t second = text.find('+', text.find('+') + 1);
  NamedKey out{text.substr(0, text.find('+')), {}};
  const auto bytes = from_base64(text.substr(second + 1));
  EXPECT_TRUE(bytes && bytes->size() == 33 && bytes->front() == 1);
  if (bytes) std::copy(bytes->begin() + 1, bytes->end(), out.key.begin());
  const KeyId id = ed25519_key_id(hashes, out.name, out.key);
  EXPECT_EQ(to_hex(id), text.substr(out.name.size() + 1, 8));
  return out;
}

enum class Answer { yes, no, absent };
Answer answer(const SignedNote& note, const NamedKey& key) {
  const KeyId id = ed25519_key_id(hashes, key.name, key.key);
  for (const auto& signature : note.signatures) {
    if (signature.name != key.name || signature.key_id != id) continue;
    return ed25519_verifies(key.key, note.text, signature.signature) ? Answer::yes : Answer::no;
  }
  return Answer::absent;
}

TEST(SignedNote, public_notes_verify_exactly_with_their_keys) {
  std::string list = tlog_vector("notes/notes.json");
  for (std::size_t at = list.find("null"); at != std::string::npos; at = list.find("null"))
    list.replace(at, 4, "\"-\"");
  const auto files = json::parse(list);
  ASSERT_TRUE(files);
  std::size_t judged = 0;
  for (const auto& file : files->array()) {
    const auto note = parse_note(tlog_vector("notes/" + file.find("file")->string()));
    for (const auto& key : file.find("keys")->array()) {
      const json::Value& expected = *key.find("verifies");
      const std::string vkey = key.find("vkey")->string();
      if (from_base64(vkey.substr(vkey.rfind('+') + 1)).value_or(Bytes{0}).front() != 1)
        continue;  // not Ed25519
      if (!note) {
        EXPECT_TRUE(expected.is_string() || !expected.boolean()) << file.find("file")->string();
        continue;
      }
      const Answer got = answer(*note, parse_vkey(vkey));
      const Answer want = expected.is_string() ? Answer::absent
                          : expected.boolean() ? Answer::yes
                                               : Answer::no;
      EXPECT_EQ(got, want) << file.find("file")->string();
      ++judged;
    }
  }
  EXPECT_GT(judged, 3U);
}

TEST(TlogCheckpoint, all_tessera_checkpoints_parse_to_their_bytes_and_verify) {
  const std::string log = "tiles/tessera-15/";
  std::string vkey = tlog_vector(log + "vkey.txt");
  while (!vkey.empty() && vkey.back() == '\n') vkey.pop_back();
  const NamedKey key = parse_vkey(vkey);
  for (int size = 0; size <= 15; ++size) {
    const std::string text = tlog_vector(log + "checkpoint." + std::to_string(size));
    const auto parsed = parse_checkpoint(text);
    ASSERT_TRUE(parsed) << parsed.error().text();
    EXPECT_EQ(parsed->checkpoint.size, static_cast<std::uint64_t>(size));
    EXPECT_EQ(format_checkpoint(parsed->checkpoint, parsed->key_id, parsed->signature), text);
    EXPECT_EQ(parsed->key_id, ed25519_key_id(hashes, key.name, key.key));
    EXPECT_TRUE(ed25519_verifies(key.key, parsed->text,
                                 {parsed->signature.begin(), parsed->signature.end()}));
  }
}

std::string own() {
  Checkpoint checkpoint{"example.org/log", 7, {}};
  return format_checkpoint(checkpoint, {1, 2, 3, 4}, {});
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(TlogCheckpoint, one_spelling_is_accepted_and_its_neighbours_are_not) {
  const std::string good = own();
  ASSERT_TRUE(parse_checkpoint(good));
  EXPECT_FALSE(parse_checkpoint(replaced(good, "\n7\n", "\n07\n")));
  EXPECT_FALSE(parse_checkpoint(replaced(good, "\n7\n", "\n+7\n")));
  EXPECT_FALSE(parse_checkpoint(replaced(good, "\n7\n", "\n18446744073709551616\n")));
  EXPECT_FALSE(parse_checkpoint(replaced(good, "=\n\n", "=\nextension\n\n")));
  EXPECT_FALSE(parse_checkpoint(replaced(good, "=\n\n", "=\n")));
  EXPECT_FALSE(parse_checkpoint(replaced(good, "AA=\n", "AB=\n")));
  EXPECT_FALSE(parse_checkpoint(replaced(good, " example.org/log ", " example.org/other ")));
  EXPECT_FALSE(parse_checkpoint(good + good.substr(good.rfind('\xE2'))));
  EXPECT_FALSE(parse_checkpoint(good.substr(0, good.size() - 1)));
  EXPECT_FALSE(parse_checkpoint(good + "\n"));
  EXPECT_FALSE(parse_checkpoint(""));
}

TEST(SignedNote, control_characters_and_broken_utf_8_are_refused) {
  const std::string good = "text\n\n\xE2\x80\x94 name AAAAAAE=\n";
  EXPECT_TRUE(parse_note(good));
  EXPECT_FALSE(parse_note("te\rxt\n\n\xE2\x80\x94 name AAAAAAE=\n"));
  EXPECT_FALSE(parse_note("te\xFFxt\n\n\xE2\x80\x94 name AAAAAAE=\n"));
  EXPECT_FALSE(parse_note("te\xC0\xAFxt\n\n\xE2\x80\x94 name AAAAAAE=\n"));
  EXPECT_FALSE(parse_note("te\xED\xA0\x80xt\n\n\xE2\x80\x94 name AAAAAAE=\n"));
  EXPECT_FALSE(parse_note("text\n\n- name AAAAAAE=\n"));
  EXPECT_FALSE(parse_note("text\n\n\xE2\x80\x94 na+me AAAAAAE=\n"));
  EXPECT_FALSE(parse_note("text\n\n\xE2\x80\x94 name AAAA\n"));
  EXPECT_FALSE(parse_note("text\n\n"));
}

}  // namespace
}  // namespace talla::certs
