// Goal: with the root's word on the end of a log nothing counts but its last checkpoint and what
//   leads to it, whoever signed it; nobody but the root gives that word (FORMAT.md section 5, "End
//   of a log").
// Method: an honest log and, under the same log key, the histories of a thief that fork from it
//   below, at and behind the end; statements by the wrong hands, and two that contradict each
//   other. What holds for bundles goes to the second verifier too (TALLA_LIES).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/body_table.hpp"
#include "format/errc.hpp"
#include "lies.hpp"
#include "log_builder.hpp"
#include "verify/log_end.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using Files = std::vector<std::string>;

/// NAME.talla with NAME.1.ended, NAME.2.ended, NAME.consistency.
void keep_with_ends(const std::string& name, const std::string& bundle, const Files& ended,
                    const std::string& consistency) {
  if (name.empty()) return;
  keep_lie(name + ".talla", bundle);
  for (std::size_t i = 0; i < ended.size(); ++i)
    keep_lie(name + "." + std::to_string(i + 1) + ".ended", ended[i]);
  if (!consistency.empty()) keep_lie(name + ".consistency", consistency);
}

/// A log that tells about one table and then about nothing; `fork`: from which record on it is
/// another history.
struct History {
  History(test::Pki& pki, std::uint64_t size, std::uint64_t fork = 1'000) : log(pki) {
    TableOpenBody table;
    table.place = "Mesa 1";
    table.parameters = json::Object{{"deck", "french52x8"}};
    table.settled_by_client = true;
    table.chip = fork == 0 ? 2 : 1;
    log.name_key(table);
    log.add({Kind::table_open, "", table.to_json(), {}});
    while (log.next_seq() < size) {
      const bool clean = log.next_seq() < fork;
      log.add({Kind::power, "", json::Object{{"clean", clean}, {"event", "start"}}, {}});
    }
    bundle = log.select({.claim = 0, .objects = {"table-0"}, .catalogue = {}, .state_before = {}});
    receipt = log.receipt(0);
    checkpoint = bundle.checkpoint;
    head = parse_checkpoint(checkpoint)->checkpoint;
  }
  test::LogBuilder log;
  Bundle bundle;
  Receipt receipt;
  std::string checkpoint;
  Checkpoint head;
};

class Ended : public testing::Test {
 protected:
  [[nodiscard]] LogEndStatement statement() const {
    return {.origin = last_.head.origin,
            .checkpoint = last_.checkpoint,
            .keys = {pki_.public_key()},
            .reason = EndReason::compromised,
            .known_us = test::epoch_us,
            .made_us = test::epoch_us + 5};
  }
  [[nodiscard]] std::string end(const LogEndStatement& statement,
                                const test::Pki::EndSigner& by = {}) {
    return format_log_end(pki_.end_log(statement, by));
  }
  /// Both forms of evidence are judged alike; what was said of the bundle.
  Result<Verdict> judge(const History& history, const Files& ended, const std::string& name = {},
                        const std::string& consistency = {}) {
    keep_with_ends(name, format_bundle(history.bundle), ended, consistency);
    const VerifyOptions options{.ended = ended, .consistency = consistency};
    auto verdict = verify_bundle(format_bundle(history.bundle), pki_.roots_pem(), options);
    const auto receipt =
        verify_receipt(format_receipt(history.receipt), json::canonical(pki_.log_key().to_json()),
                       pki_.roots_pem(), options);
    EXPECT_EQ(verdict.has_value(), receipt.has_value());
    if (!verdict && !receipt) {
      EXPECT_EQ(verdict.error().code, receipt.error().code);
    }
    return verdict;
  }
  /// The file of a true proof from one size of the honest log to its end.
  [[nodiscard]] std::string proof(const History& from) const {
    const test::LogBuilder& log = last_.log;
    MerkleTree tree;
    for (std::uint64_t seq = 0; seq < last_.head.size; ++seq)
      tree.append(log.hashes, leaf_hash(log.hashes, as_bytes(log.receipt(seq).record)));
    ConsistencyFile file{.head = last_.head,
                         .proofs = {{.size = from.head.size, .root = from.head.root, .path = {}}}};
    file.proofs[0].path = *consistency_path(
        log.hashes, [&](unsigned level, std::uint64_t index) { return tree.node(level, index); },
        from.head.size, last_.head.size);
    return format_consistency(file);
  }

  test::Pki pki_;
  History last_{pki_, 11};
};

TEST_F(Ended, the_last_checkpoint_counts_and_says_what_follows) {
  LogEndStatement said = statement();
  const auto plain = judge(last_, {end(said)}, "true_ended_last");
  ASSERT_TRUE(plain) << plain.error().text();
  EXPECT_EQ(plain->ended, "compromised");
  EXPECT_EQ(plain->ended_size, 11U);
  EXPECT_EQ(plain->successor, "");
  EXPECT_THAT(plain->checked,
              Contains(HasSubstr("the root ended the log with 11 records (compromised)")));
  said.successor = LogEndStatement::Successor{.origin = "casino.example/next", .key = {}};
  const auto followed = judge(last_, {end(statement()), end(said)}, "true_ended_followed");
  ASSERT_TRUE(followed) << followed.error().text();
  EXPECT_EQ(followed->successor, "casino.example/next");
  EXPECT_TRUE(judge(last_, {})->ended.empty());
  // The word on another log says nothing about this one.
  test::Pki other({.seed = "other", .origin = "casino.example/other"});
  Checkpoint elsewhere = last_.head;
  elsewhere.origin = "casino.example/other";
  elsewhere.size = 3;
  LogEndStatement foreign = statement();
  foreign.origin = elsewhere.origin;
  foreign.checkpoint = *sign_checkpoint(last_.log.hashes, elsewhere, other);
  foreign.keys = {other.public_key()};
  const auto untouched = judge(last_, {end(foreign)}, "true_ended_other");
  ASSERT_TRUE(untouched) << untouched.error().text();
  EXPECT_TRUE(untouched->ended.empty());
}

TEST_F(Ended, what_a_stolen_key_signs_behind_at_and_below_the_end_is_refused) {
  const Files ended{end(statement())};
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{4}, std::uint64_t{10},
                                   std::uint64_t{11}, std::uint64_t{12}, std::uint64_t{40}}) {
    for (const std::uint64_t fork : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{9}}) {
      if (fork >= size) continue;
      SCOPED_TRACE(std::to_string(size) + " from " + std::to_string(fork));
      const History forged(pki_, size, fork);
      EXPECT_TRUE(judge(forged, {})) << "without the root's word it verifies";
      const bool tells =
          fork == 3 && size != 10 && size != 12;  // the second verifier takes its time
      const std::string name = tells ? "ended_forged_" + std::to_string(size) : "";
      const auto verdict = judge(forged, ended, name);
      ASSERT_FALSE(verdict);
      EXPECT_TRUE(verdict.error().is(VerifyErrc::log_ended)) << verdict.error().text();
      if (size >= last_.head.size) continue;
      // A proof that leads from the honest log's checkpoint of that size does not lead from the
      // thief's.
      const auto proven =
          judge(forged, ended, name.empty() ? name : name + "_proof", proof(History(pki_, size)));
      ASSERT_FALSE(proven);
      EXPECT_TRUE(proven.error().is(VerifyErrc::log_ended)) << proven.error().text();
    }
  }
  // Even what goes on from the end itself.
  const auto longer = judge(History(pki_, 12), ended, "ended_longer");
  EXPECT_TRUE(longer.error().is(VerifyErrc::log_ended));
}

TEST_F(Ended, an_older_checkpoint_counts_with_its_proof_only) {
  const Files ended{end(statement())};
  for (std::uint64_t size = 1; size < last_.head.size; ++size) {
    SCOPED_TRACE(size);
    const History older(pki_, size);
    const auto name = [size](const std::string& what) {
      return size == 1 || size == 8 ? what + std::to_string(size) : "";
    };
    EXPECT_TRUE(judge(older, ended, name("ended_older_")).error().is(VerifyErrc::log_ended));
    const std::string proven = proof(older);
    const auto verdict = judge(older, ended, name("true_ended_older_"), proven);
    EXPECT_TRUE(verdict) << verdict.error().text();
    // The same proof for another size, or to another end, shows nothing.
    const History other(pki_, size == 1 ? 2 : size - 1);
    EXPECT_TRUE(judge(other, ended, {}, proven).error().is(VerifyErrc::log_ended));
    ConsistencyFile wrong = *parse_consistency(proven);
    wrong.head.root[0] ^= 1;
    EXPECT_TRUE(judge(older, ended, name("ended_wrong_head_"), format_consistency(wrong))
                    .error()
                    .is(VerifyErrc::log_ended));
    wrong = *parse_consistency(proven);
    wrong.proofs[0].path.push_back(Digest{});
    EXPECT_TRUE(judge(older, ended, name("ended_long_path_"), format_consistency(wrong))
                    .error()
                    .is(VerifyErrc::log_ended));
  }
  EXPECT_TRUE(judge(History(pki_, 3), ended, {}, "{}").error().is(FormatErrc::malformed_proof));
}

TEST_F(Ended, nobody_but_the_root_ends_a_log) {
  const LogEndStatement said = statement();
  const auto refused = [&](const std::string& file, VerifyErrc errc, const std::string& name) {
    const auto verdict = judge(last_, {file}, "ended_by_" + name);
    ASSERT_FALSE(verdict) << name;
    EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  };
  // The certificate of the log key, a client's, one for another log.
  refused(end(said, {.uri = "talla:log:" + said.origin}), VerifyErrc::wrong_statement, "log");
  refused(end(said, {.uri = "talla:officer-1"}), VerifyErrc::wrong_statement, "client");
  refused(end(said, {.uri = "talla:log-end:casino.example/talla-2"}), VerifyErrc::wrong_statement,
          "other");
  // The statement of the log key's own signature over it.
  LogEnd own = pki_.end_log(said, {});
  own.chain = pki_.log_key().chain;
  refused(format_log_end(own), VerifyErrc::wrong_statement, "own");
  // Another root, with the same log key named.
  test::Pki stranger({.seed = "stranger"});
  refused(format_log_end(stranger.end_log(said, {})), VerifyErrc::untrusted_chain, "stranger");
  // A certificate that was over, or had not begun, when the statement was made.
  refused(end(said, {.not_after_us = test::epoch_us - 1'000'000}), VerifyErrc::untrusted_chain,
          "over");
  refused(end(said, {.not_before_us = test::epoch_us + 60'000'000}), VerifyErrc::untrusted_chain,
          "early");
  // A checkpoint that none of its keys signed.
  LogEndStatement unsigned_one = said;
  unsigned_one.keys = {stranger.public_key()};
  refused(end(unsigned_one), VerifyErrc::wrong_statement, "unsigned");
  unsigned_one.keys.push_back(pki_.public_key());
  EXPECT_TRUE(judge(last_, {end(unsigned_one)}, "true_ended_second_key"));
}

TEST_F(Ended, with_any_flipped_byte_nothing_verifies) {
  const std::string file = end(statement());
  for (std::size_t at = 0; at < file.size(); ++at) {
    Files flipped{file};
    flipped[0][at] = static_cast<char>(flipped[0][at] ^ (1 << (at % 7)));
    EXPECT_FALSE(verify_log_ends(flipped, pki_.roots_pem())) << at;
  }
}

TEST_F(Ended, two_statements_that_contradict_each_other_refuse_everything) {
  const History shorter(pki_, 7);
  LogEndStatement other = statement();
  other.checkpoint = shorter.checkpoint;
  const Files sizes{end(statement()), end(other)};
  EXPECT_TRUE(judge(last_, sizes, "ended_two_sizes").error().is(VerifyErrc::contradicting_ends));
  EXPECT_TRUE(
      judge(shorter, sizes, "ended_two_sizes_short").error().is(VerifyErrc::contradicting_ends));
  const History fork(pki_, 11, 5);
  other.checkpoint = fork.checkpoint;
  EXPECT_TRUE(judge(last_, {end(statement()), end(other)}, "ended_two_roots")
                  .error()
                  .is(VerifyErrc::contradicting_ends));
  LogEndStatement one = statement();
  one.successor = LogEndStatement::Successor{.origin = "casino.example/next", .key = {}};
  LogEndStatement two = one;
  two.successor->key.fill(9);
  EXPECT_TRUE(judge(last_, {end(one), end(two)}, "ended_two_successors")
                  .error()
                  .is(VerifyErrc::contradicting_ends));
  // The same end, told again later for another reason, is no contradiction.
  LogEndStatement later = statement();
  later.reason = EndReason::closed;
  later.made_us += 1'000'000;
  EXPECT_TRUE(judge(last_, {end(statement()), end(later)}, "true_ended_twice"));
}

TEST_F(Ended, the_successor_has_the_key_that_the_root_names) {
  test::Pki before({.seed = "before", .origin = "casino.example/before"});
  Checkpoint end_before = last_.head;
  end_before.origin = "casino.example/before";
  LogEndStatement said{.origin = end_before.origin,
                       .checkpoint = *sign_checkpoint(last_.log.hashes, end_before, before),
                       .keys = {before.public_key()},
                       .reason = EndReason::replaced,
                       .known_us = test::epoch_us,
                       .made_us = test::epoch_us,
                       .successor = LogEndStatement::Successor{.origin = last_.head.origin,
                                                               .key = pki_.public_key()}};
  const auto verdict = judge(last_, {end(said)}, "true_ended_successor");
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_THAT(verdict->checked,
              Contains(HasSubstr("as the one that follows casino.example/before")));
  said.successor->key = before.public_key();
  EXPECT_TRUE(
      judge(last_, {end(said)}, "ended_other_successor").error().is(VerifyErrc::wrong_statement));

  // Its first KEY names exactly that end.
  said.successor->key = pki_.public_key();
  const Files ended{end(said)};
  const auto first = [&](const std::string& checkpoint) {
    test::LogBuilder log(pki_);
    json::Object body{{"purpose", "log"},
                      {"log_key", pki_.log_key().to_json()},
                      {"predecessor", to_base64(as_bytes(checkpoint))}};
    log.add({Kind::key, "", std::move(body), {}});
    return verify_receipt(format_receipt(log.receipt(0)), json::canonical(pki_.log_key().to_json()),
                          pki_.roots_pem(), {.ended = ended});
  };
  EXPECT_TRUE(first(said.checkpoint));
  end_before.size += 1;
  EXPECT_TRUE(first(*sign_checkpoint(last_.log.hashes, end_before, before))
                  .error()
                  .is(VerifyErrc::log_ended));
}

TEST_F(Ended, a_development_root_ends_nothing_in_production) {
  const Files ended{end(statement(), {.development = true})};
  const auto ends = verify_log_ends(ended, pki_.roots_pem());
  ASSERT_TRUE(ends);
  EXPECT_TRUE(ends->front().development);
  const auto verdict = verify_bundle(format_bundle(last_.bundle), pki_.roots_pem(),
                                     {.production_only = true, .ended = ended});
  EXPECT_TRUE(verdict.error().is(VerifyErrc::untrusted_chain));
}

}  // namespace
}  // namespace talla::certs
