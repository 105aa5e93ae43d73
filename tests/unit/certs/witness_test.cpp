// Goal: a witness answers as C2SP tlog-witness says and never cosigns two histories; policies
//       decide as C2SP tlog-policy says.
// Method: the public add-checkpoint requests and cosignatures (tests/vectors/tlog); a log of our
//   own that forks, a state that is cut, lost, locked or of another key; quorums by hand.
#include "certs/witness.hpp"

#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "certs/files.hpp"
#include "fixture.hpp"
#include "format/errc.hpp"
#include "format/merkle.hpp"
#include "format/policy.hpp"
#include "support/vectors.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

using testing::Folder;
using testing::must;

using testing::openssl_hashes;
const BotanEd25519 botan;

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::unique_ptr<Ed25519Signer> signer_of(std::uint8_t fill) {
  std::array<std::uint8_t, 32> key{};
  key.fill(fill);
  return must(make_log_signer(key));
}

/// A log in memory that signs its checkpoints.
struct TinyLog {
  std::string origin = "log.example/tiny";
  std::unique_ptr<Ed25519Signer> signer = signer_of(1);
  MerkleTree tree;

  void grow(int leaves, const std::string& content = "leaf") {
    for (int i = 0; i < leaves; ++i)
      tree.append(openssl_hashes, leaf_hash(openssl_hashes, as_bytes(content)));
  }
  [[nodiscard]] std::string note() const {
    return must(sign_checkpoint(
        openssl_hashes, {.origin = origin, .size = tree.size(), .root = tree.root(openssl_hashes)},
        *signer));
  }
  [[nodiscard]] std::string request(std::uint64_t old_size) const {
    Submission submission{.old_size = old_size, .proof = {}, .note = note()};
    if (old_size > 0) {
      submission.proof = must(consistency_path(
          openssl_hashes,
          [this](unsigned level, std::uint64_t index) { return tree.node(level, index); }, old_size,
          tree.size()));
    }
    return format_submission(submission);
  }
  [[nodiscard]] VerifierKey key() const {
    return make_verifier_key(openssl_hashes, origin, KeyType::log, signer->public_key());
  }
};

class WitnessTest : public ::testing::Test {
 protected:
  WitnessTest() { must(Witness::create_state(openssl_hashes, folder_ / "state", witness_key())); }

  [[nodiscard]] VerifierKey witness_key() const {
    return make_verifier_key(openssl_hashes, "witness.example/w1", KeyType::witness,
                             signer_->public_key());
  }
  Result<std::unique_ptr<Witness>> open(std::vector<WitnessedLog> logs) {
    return Witness::open({.hashes = openssl_hashes,
                          .verifier = botan,
                          .signer = *signer_,
                          .clock = clock_,
                          .say = {}},
                         {.name = "witness.example/w1",
                          .state_path = folder_ / "state",
                          .conflicts_folder = folder_.path(),
                          .logs = std::move(logs)});
  }
  Result<std::unique_ptr<Witness>> open() {
    return open({{.origin = log_.origin, .keys = {log_.key()}}});
  }

  Folder folder_;
  ManualClock clock_;
  std::unique_ptr<Ed25519Signer> signer_ = signer_of(2);
  TinyLog log_;
};

TEST_F(WitnessTest, answers_the_public_requests_as_litewitness_does) {
  const auto sigsum = make_verifier_key(
      openssl_hashes,
      "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562",
      KeyType::log,
      must(digest_from_hex("ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f")));
  const auto sum = must(parse_verifier_key(
      openssl_hashes, "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"));
  const auto witness = must(open({{.origin = sigsum.name, .keys = {sigsum}},
                                  {.origin = "go.sum database tree", .keys = {sum}}}));
  std::istringstream lines(test::vector_text("tlog/witness/add-checkpoint.jsonl"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const json::Value request = must(json::parse(line));
    const WitnessReply reply = witness->add_checkpoint(request.find("body")->string());
    auto expected = static_cast<unsigned>(request.find("status")->integer());
    // That program answered 403 for an unknown origin; the specification now says 404.
    if (line.find("unknown log") != std::string::npos) expected = 404;
    // Its wrong signature is base64 with spare bits set (RFC 4648 section 3.5 lets a decoder refuse
    // that): no note at all.
    if (line.find("invalid signature") != std::string::npos) expected = 400;
    EXPECT_EQ(reply.status, expected) << line << reply.body;
    if (expected == 409) {
      EXPECT_EQ(reply.content_type, "text/x.tlog.size");
      EXPECT_NE(line.find("body == \\\"" + reply.body.substr(0, 1) + "\\\\n\\\""),
                std::string::npos)
          << line;
    }
  }
  EXPECT_EQ(count, 10);
}

TEST(Cosignature, of_public_witnesses_verify) {
  struct Case {
    const char* file;
    const char* key;
  };
  const std::array<Case, 2> cases{
      {{"tlog/tiles/sunlight-300/checkpoint.witness",
        "witness.example.org+b8a2cf20+BFLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN"},
       {"tlog/tiles/sunlight-300/checkpoint.mirror",
        "mirror.example.org+3fb148ef+BAAjjch9GyYz0sJsJx7ALhbdAtz2ov0unbzSl1vMp94O"}}};
  for (const auto& one : cases) {
    std::string text = test::vector_text(one.file);
    const auto key = must(parse_verifier_key(openssl_hashes, one.key));
    EXPECT_EQ(format_verifier_key(key), one.key);
    EXPECT_EQ(check_cosignature(must(parse_note(text)), key, botan).state, Signed::valid);
    text.replace(text.find("\n300\n"), 5, "\n301\n");
    EXPECT_EQ(check_cosignature(must(parse_note(text)), key, botan).state, Signed::wrong);
  }
}

// tlog-cosignature, "Format": the time of the example checkpoint is the one of its signed message.
TEST(Cosignature, of_the_specification_holds_its_time) {
  const auto bytes =
      must(from_base64("jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/"
                       "zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA=="));
  const auto parsed = must(parse_cosignature(ByteView(bytes).subspan(4)));
  EXPECT_EQ(parsed.time_s, 1'679'315'147U);
  EXPECT_EQ(
      cosignature_message(
          parsed.time_s,
          "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"),
      "cosignature/v1\ntime 1679315147\nexample.com/behind-the-sofa\n20852163\n"
      "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n");
  EXPECT_FALSE(parse_cosignature(ByteView(bytes).subspan(5)));
  EXPECT_FALSE(parse_cosignature(Bytes(72, 0)));
}

TEST(VerifierKeys, of_other_types_or_with_another_id_are_refused) {
  const std::string good =
      "witness.example.org+b8a2cf20+BFLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN";
  EXPECT_TRUE(parse_verifier_key(openssl_hashes, good));
  EXPECT_FALSE(parse_verifier_key(openssl_hashes, "witness.example.com" + good.substr(19)));
  EXPECT_FALSE(parse_verifier_key(
      openssl_hashes, "witness.example.org+b8a2cf21+BFLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN"));
  EXPECT_FALSE(parse_verifier_key(
      openssl_hashes, "witness.example.org+b8a2cf20+BlLN3yikSfFkVAJtrnh/CiY3Zozkoy7clp+P7XB28qUN"));
  EXPECT_FALSE(parse_verifier_key(openssl_hashes, "witness.example.org+b8a2cf20"));
}

TEST_F(WitnessTest, cosigns_one_history_and_tells_its_size) {
  auto witness = must(open());
  log_.grow(5);
  EXPECT_EQ(witness->checkpoint(to_hex(openssl_hashes.sha256({as_bytes(log_.origin)}))).status,
            404U);
  const WitnessReply first = witness->add_checkpoint(log_.request(0));
  ASSERT_EQ(first.status, 200U) << first.body;
  const auto note = must(parse_note(log_.note() + first.body));
  const auto checked = check_cosignature(note, witness_key(), botan);
  EXPECT_EQ(checked.state, Signed::valid);
  EXPECT_EQ(checked.time_s, static_cast<std::uint64_t>(clock_.utc_us() / 1'000'000));
  EXPECT_EQ(witness->add_checkpoint(log_.request(0)).body, "5\n");
  EXPECT_EQ(witness->add_checkpoint(log_.request(5)).status, 200U);  // the same again
  log_.grow(7);
  EXPECT_EQ(witness->add_checkpoint(log_.request(3)).status, 409U);
  EXPECT_EQ(witness->add_checkpoint(log_.request(5)).status, 200U);
  const WitnessReply served =
      witness->checkpoint(to_hex(openssl_hashes.sha256({as_bytes(log_.origin)})));
  ASSERT_EQ(served.status, 200U);
  const auto head = must(parse_cosigned_checkpoint(served.body));
  EXPECT_EQ(head.checkpoint.size, 12U);
  EXPECT_EQ(check_cosignature(head.note, witness_key(), botan).state, Signed::valid);
}

TEST_F(WitnessTest, refuses_forks_also_after_a_restart_and_keeps_them) {
  TinyLog fork;
  fork.grow(5, "other");
  log_.grow(5);
  {
    auto witness = must(open());
    ASSERT_EQ(witness->add_checkpoint(log_.request(0)).status, 200U);
    EXPECT_EQ(witness->add_checkpoint(fork.request(5)).status, 422U);
  }
  auto witness = must(open());
  EXPECT_EQ(witness->add_checkpoint(fork.request(5)).status, 422U);
  EXPECT_EQ(witness->figures().logs.front().conflicts, 1U);
  EXPECT_EQ(witness->add_checkpoint(fork.request(0)).body, "5\n");
  fork.grow(4);
  EXPECT_EQ(witness->add_checkpoint(fork.request(5)).status, 422U);
  EXPECT_EQ(witness->figures().logs.front().unproven, 1U);
  std::size_t kept = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    if (entry.path().extension() == ".txt") ++kept;
  EXPECT_GE(kept, 2U);
  log_.grow(1);
  EXPECT_EQ(witness->add_checkpoint(log_.request(5)).status, 200U);
}

TEST_F(WitnessTest, cosigns_nothing_of_a_log_that_has_ended_but_its_last_checkpoint) {
  log_.grow(5);
  const std::string early = log_.request(0);
  log_.grow(4);
  const auto last = must(parse_checkpoint(log_.note())).checkpoint;
  const std::string at_end = log_.request(0);
  log_.grow(3);
  const std::string behind = log_.request(0);
  TinyLog thief;
  thief.grow(9, "forged");
  {
    const auto witness = must(open({{.origin = log_.origin, .keys = {log_.key()}, .last = last}}));
    for (const std::string& refused : {early, behind, thief.request(0)})
      EXPECT_EQ(witness->add_checkpoint(refused).status, 403U);
    EXPECT_EQ(witness->figures().logs.front().after_end, 3U);
    EXPECT_EQ(witness->figures().logs.front().cosigned, 0U);
    EXPECT_EQ(witness->add_checkpoint(at_end).status, 200U);
    EXPECT_EQ(witness->add_checkpoint(log_.request(9)).status, 403U) << "true, and behind the end";
  }
  const auto without = must(open());
  EXPECT_EQ(without->add_checkpoint(log_.request(9)).status, 200U)
      << "it is the statement that refuses";
}

TEST_F(WitnessTest, refuses_what_is_no_request_or_not_signed) {
  auto witness = must(open());
  log_.grow(3);
  const std::string good = log_.request(0);
  const auto status = [&](const std::string& from, const std::string& to) {
    std::string body = good;
    body.replace(body.find(from), from.size(), to);
    return witness->add_checkpoint(body).status;
  };
  EXPECT_EQ(status("old 0", "old 00"), 400U);
  EXPECT_EQ(status("old 0", "old +0"), 400U);
  EXPECT_EQ(status("old 0", "new 0"), 400U);
  EXPECT_EQ(status("old 0", "old 4"), 400U);  // above the checkpoint
  EXPECT_EQ(status("old 0\n", "old 0\nAAAA\n"), 400U);
  EXPECT_EQ(status("old 0\n", "old 0\nKgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"), 422U);
  EXPECT_EQ(status("\n3\n", "\n4\n"), 403U);
  EXPECT_EQ(status("log.example/tiny\n3", "log.example/huge\n3"), 404U);
  EXPECT_EQ(status("\xE2\x80\x94 log.example/tiny", "\xE2\x80\x94 log.example/huge"), 403U);
  EXPECT_EQ(witness->add_checkpoint("").status, 400U);
  EXPECT_EQ(witness->add_checkpoint(good.substr(0, good.size() - 1)).status, 400U);
  std::string long_proof = good;
  for (int i = 0; i < 64; ++i)
    long_proof.insert(6, "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n");
  EXPECT_EQ(witness->add_checkpoint(long_proof).status, 400U);
  EXPECT_EQ(witness->figures().logs.front().size, 0U);
  EXPECT_EQ(witness->add_checkpoint(good).status, 200U);
  TinyLog empty;
  empty.origin = log_.origin;
  EXPECT_EQ(witness->add_checkpoint(empty.request(0)).status, 409U);
}

TEST_F(WitnessTest, starts_with_its_own_whole_state_only) {
  log_.grow(3);
  {
    auto witness = must(open());
    EXPECT_TRUE(open().error().is(Errc::witness_state)) << "a second process took the same state";
    ASSERT_EQ(witness->add_checkpoint(log_.request(0)).status, 200U);
  }
  const std::string state = read(folder_ / "state");
  const auto write = [&](const std::string& text) {
    std::ofstream(folder_ / "state", std::ios::binary) << text;
  };
  for (std::size_t at = 7; at < state.size(); at += 11) {
    std::string changed = state;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    write(changed);
    EXPECT_FALSE(open()) << at;
    write(state.substr(0, at));
    EXPECT_FALSE(open()) << at;
  }
  std::filesystem::remove(folder_ / "state");
  EXPECT_TRUE(open().error().is(Errc::witness_state));
  write(state);
  EXPECT_TRUE(Witness::create_state(openssl_hashes, folder_ / "state", witness_key())
                  .error()
                  .is(Errc::key_exists));
  { EXPECT_EQ(must(open())->figures().logs.front().size, 3U); }
  signer_ = signer_of(3);
  EXPECT_TRUE(open().error().is(Errc::witness_state));
}

TEST_F(WitnessTest, cosigns_nothing_more_after_a_failed_write) {
  auto witness = must(open());
  log_.grow(2);
  std::filesystem::create_directory(folder_ / "state.new");  // the temporary file cannot be made
  EXPECT_EQ(witness->add_checkpoint(log_.request(0)).status, 503U);
  std::filesystem::remove(folder_ / "state.new");
  EXPECT_EQ(witness->add_checkpoint(log_.request(0)).status, 503U);
  EXPECT_TRUE(witness->figures().failed);
  witness.reset();
  EXPECT_EQ(must(open())->add_checkpoint(log_.request(0)).status, 200U);
}

std::string vkey(std::uint8_t fill, KeyType type = KeyType::witness) {
  return format_verifier_key(make_verifier_key(openssl_hashes, "k" + std::to_string(fill), type,
                                               signer_of(fill)->public_key()));
}

// tlog-policy, "Example policy".
TEST(Policy, of_the_specifications_example_decides_by_groups) {
  const std::string text = "log " + vkey(9, KeyType::log) + "\n\n\twitness X1 " + vkey(11) +
                           "\nwitness X2 " + vkey(12) + " https://x2.example/\nwitness X3 " +
                           vkey(13) + "\ngroup X-witnesses 2 X1 X2 X3\n  # others\nwitness Y1 " +
                           vkey(14) + "\nwitness Y2 " + vkey(15) + "\nwitness Y3 " + vkey(16) +
                           "\ngroup Y-witnesses any Y1 Y2 Y3\ngroup X-and-Y all X-witnesses "
                           "Y-witnesses\nquorum X-and-Y\n";
  const Policy policy = must(parse_policy(openssl_hashes, text));
  EXPECT_EQ(policy.logs.size(), 1U);
  EXPECT_EQ(policy.witnesses[1].url, "https://x2.example/");
  EXPECT_TRUE(policy.satisfied({"X1", "X3", "Y2"}));
  EXPECT_FALSE(policy.satisfied({"X1", "X3"}));
  EXPECT_FALSE(policy.satisfied({"X1", "Y1", "Y2", "Y3"}));
  EXPECT_FALSE(policy.satisfied({}));
  EXPECT_TRUE(must(parse_policy(openssl_hashes, "quorum none\n")).satisfied({}));
}

TEST(Policy, with_a_doubtful_line_is_refused) {
  const std::string one = "witness A " + vkey(11) + "\n";
  const std::string two = one + "witness B " + vkey(12) + "\n";
  EXPECT_TRUE(parse_policy(openssl_hashes, one + "quorum A\n"));
  for (const std::string& bad :
       std::vector<std::string>{{},
                                one,
                                one + "quorum A",
                                one + "quorum A\nquorum A\n",
                                one + "quorum B\n",
                                "quorum A\n" + one,
                                one + one + "quorum A\n",
                                one + "witness B " + vkey(11) + "\nquorum A\n",
                                "witness none " + vkey(11) + "\nquorum none\n",
                                two + "group G 3 A B\nquorum G\n",
                                two + "group G 0 A B\nquorum G\n",
                                two + "group G 1x A B\nquorum G\n",
                                two + "group G any A A\nquorum G\n",
                                two + "group G any A C\nquorum G\n",
                                two + "group G any\nquorum A\n",
                                two + "group G any A\ngroup H any A B\nquorum H\n",
                                two + "group A any B\nquorum A\n",
                                one + "quorum A\r\n",
                                "witness A " + vkey(11, KeyType::log) + "\nquorum A\n",
                                "log " + vkey(11) + "\nquorum none\n",
                                "logs x\nquorum none\n"}) {
    EXPECT_FALSE(parse_policy(openssl_hashes, bad)) << bad;
  }
}

TEST(Policy, judges_a_note_and_refuses_a_wrong_cosignature_whole) {
  TinyLog log;
  log.grow(4);
  const auto key =
      make_verifier_key(openssl_hashes, "k11", KeyType::witness, signer_of(11)->public_key());
  const auto text = must(parse_note(log.note())).text;
  const std::string line = must(cosign(text, key, 1'800'000'000, *signer_of(11)));
  const std::string names =
      "witness A " + vkey(11) + "\nwitness B " + vkey(12) + "\ngroup G all A B\n";
  const auto judge = [&](const std::string& rules, const std::string& note) {
    return judge_note(must(parse_policy(openssl_hashes, rules)), must(parse_note(note)), botan);
  };
  const auto met = must(judge(names + "quorum A\n", log.note() + line));
  EXPECT_TRUE(met.quorum && met.log_known);
  EXPECT_EQ(met.earliest_s, 1'800'000'000U);
  EXPECT_FALSE(must(judge(names + "quorum G\n", log.note() + line)).quorum);
  EXPECT_FALSE(must(judge(names + "quorum A\n", log.note())).quorum);
  EXPECT_TRUE(must(judge("log " + format_verifier_key(log.key()) + "\nquorum none\n", log.note()))
                  .log_known);
  EXPECT_FALSE(
      must(judge("log " + vkey(9, KeyType::log) + "\nquorum none\n", log.note())).log_known);
  const std::string wrong = must(cosign(text + "x\n", key, 1'800'000'000, *signer_of(11)));
  EXPECT_FALSE(judge(names + "quorum A\n", log.note() + line + wrong));
}

}  // namespace
}  // namespace talla::certs
