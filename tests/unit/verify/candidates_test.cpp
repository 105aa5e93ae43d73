// Goal: of several roots of a covered shoe the call picks one and the others show that they are
//   whole decks; every lie about roots, pick and openings is refused with candidate_wrong, and the
//   verdict says how likely a wrong composition would have been found (FORMAT.md section 7).
// Method: one honest story; then one record of it changed before it is logged, or a shoe that is
//   sealed or played wrongly. Every one goes to the other verifiers too (TALLA_LIES).
#include "format/candidates.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <utility>
#include <vector>

#include "format/body_draw.hpp"
#include "lies.hpp"
#include "story.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

using test::CandidatesScene;
using test::Shoe;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

std::string file_of(std::string_view code, const std::string& what) {
  return "chain-" + std::string(code) + "-candidates-" + what + ".talla";
}

void refused_as(VerifyErrc errc, const Bundle& bundle, const test::Pki& pki,
                const std::string& what) {
  const auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  ASSERT_FALSE(verdict) << what;
  EXPECT_TRUE(verdict.error().is(errc)) << what << ": " << verdict.error().text();
  keep_lie(file_of(errc_name(errc), what), format_bundle(bundle));
}

void holds(const Bundle& bundle, const std::string& what) {
  keep_lie("true_chain-candidates-" + what + ".talla", format_bundle(bundle));
}

TEST(Candidates, one_is_picked_and_the_verdict_says_how_likely_a_wrong_deck_would_be_found) {
  test::Pki pki;
  const auto told = test::candidates_scene(pki);
  const Verdict verdict = judged(told, pki);
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("picked one of 4 sealed orders")));
  EXPECT_THAT(verdict.not_checked,
              Contains(HasSubstr("composition of 38 unopened cards: a wrong one would have been "
                                 "found with probability 3/4")));
  holds(told, "dealt");
  const auto eight = test::candidates_scene(pki, {.candidates = 8});
  EXPECT_THAT(judged(eight, pki).not_checked, Contains(HasSubstr("probability 7/8")));
}

TEST(Candidates, a_picked_root_of_which_nothing_was_dealt_is_opened_at_the_close) {
  test::Pki pki;
  const auto told = test::candidates_scene(pki, {.play = [](Shoe& shoe) { shoe.mix(); }});
  const Verdict verdict = judged(told, pki);
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("run again from its tape")));
  EXPECT_THAT(verdict.not_checked, Not(Contains(HasSubstr("composition"))));
  holds(told, "untouched");
}

TEST(Candidates, a_covered_shoe_of_one_root_of_which_nothing_was_dealt_is_opened_alike) {
  test::Pki pki;
  const auto only_mixed = [](Shoe& shoe) { shoe.mix(); };
  for (const auto& [what, play] : std::map<std::string, std::function<void(Shoe&)>>{
           {"one-mixed", only_mixed}, {"one-never-called", [](Shoe&) {}}}) {
    const auto told = test::candidates_scene(pki, {.candidates = 1, .play = play});
    const Verdict verdict = judged(told, pki);
    EXPECT_THAT(verdict.checked, Contains(HasSubstr("run again from its tape"))) << what;
    EXPECT_THAT(verdict.not_checked, Not(Contains(HasSubstr("composition")))) << what;
    holds(told, what);
    const auto kept = [](Record& record) {
      auto close = *ShoeCloseBody::from_json(record.body);
      close.disclosure.reset();
      record.body = close.to_json();
    };
    refused_as(VerifyErrc::disclosure_wrong,
               test::candidates_scene(pki, {.candidates = 1, .play = play},
                                      {.tamper = {Kind::shoe_close, 0, kept}, .context = {}}),
               pki, what + "-kept-closed");
  }
}

TEST(Candidates, of_which_none_was_picked_all_are_opened_at_the_close) {
  test::Pki pki;
  const std::vector<std::pair<const char*, std::function<void(Shoe&)>>> plays = {
      {"voided", [](Shoe& shoe) { shoe.voided(); }},
      {"lapsed", [](Shoe& shoe) { shoe.lapse(); }},
      {"never-called", [](Shoe&) {}}};
  for (const auto& [what, play] : plays) {
    const auto told = test::candidates_scene(pki, {.play = play, .reason = ShoeCloseReason::ended});
    const Verdict verdict = judged(told, pki);
    EXPECT_THAT(verdict.checked, Contains(HasSubstr("none of its 4 sealed orders was picked")));
    EXPECT_THAT(verdict.not_checked, Not(Contains(HasSubstr("composition")))) << what;
    holds(told, what);
  }
}

TEST(Candidates, a_shoe_shuffled_again_has_one_root_and_the_verdict_says_it) {
  test::Pki pki;
  const auto told = test::candidates_scene(pki, {.play = [](Shoe& shoe) {
                                             CandidatesScene::dealt(shoe);
                                             shoe.shuffle_again({{2}, {}});
                                             shoe.mix();
                                             shoe.deal("seat-3", Face::covered, {});
                                           }});
  const Verdict verdict = judged(told, pki);
  EXPECT_THAT(verdict.not_checked, Contains(HasSubstr("has one root then")));
  EXPECT_THAT(verdict.not_checked, Not(Contains(HasSubstr("probability"))));
  holds(told, "again");
}

TEST(Candidates, a_shoe_whose_order_a_machine_has_is_not_opened) {
  test::Pki pki;
  const auto play = [](Shoe& shoe) { shoe.mix(), shoe.release(), shoe.report(); };
  const auto sealed = [](Record& record) {
    auto close = *ShoeCloseBody::from_json(record.body);
    close.disclosure.reset();
    record.body = close.to_json();
  };
  const auto told = test::candidates_scene(
      pki, {.play = play}, {.tamper = {Kind::shoe_close, 0, sealed}, .context = {}});
  EXPECT_THAT(judged(told, pki).not_checked, Contains(HasSubstr("composition of 40")));
  holds(told, "released");
  refused_as(VerifyErrc::disclosure_wrong, test::candidates_scene(pki, {.play = play}), pki,
             "order_of_a_machine_opened");
}

using Commit = ShoeCommitBody;
using Mixed = ShoeMixBody;
using Close = ShoeCloseBody;

/// Whoever lies computes the digest of what he made.
std::function<void(Record&)> with_digest(const std::function<void(Commit&)>& change) {
  return body<Commit>([change](Commit& commit) {
    change(commit);
    commit.root = shoe_roots_digest(BotanHashes(), commit.candidates);
  });
}

struct RecordLie {
  const char* what;
  VerifyErrc errc;
  Kind kind;
  std::function<void(Record&)> change;
  std::function<void(Shoe&)> play = CandidatesScene::dealt;
};

class WrongCandidates : public testing::TestWithParam<RecordLie> {};
TEST_P(WrongCandidates, is_refused) {
  test::Pki pki;
  const auto& lie = GetParam();
  const test::SceneOptions options{.tamper = {lie.kind, 0, lie.change}, .context = {}};
  refused_as(lie.errc, test::candidates_scene(pki, {.play = lie.play}, options), pki, lie.what);
}

constexpr auto wrong = VerifyErrc::candidate_wrong;
void only_mixed(Shoe& shoe) {
  shoe.mix();
}
void only_voided(Shoe& shoe) {
  shoe.voided();
}

INSTANTIATE_TEST_SUITE_P(
    Protocol4, WrongCandidates,
    testing::Values(
        RecordLie{"one_root_less", wrong, Kind::shoe_commit,
                  with_digest([](Commit& b) { b.candidates.pop_back(); })},
        RecordLie{"one_root_more", wrong, Kind::shoe_commit, with_digest([](Commit& b) {
                    b.candidates.push_back(b.candidates.front());
                    b.candidates.back().root[0] ^= 1;
                  })},
        RecordLie{"one_root_twice", wrong, Kind::shoe_commit,
                  with_digest([](Commit& b) { b.candidates[1].root = b.candidates[0].root; })},
        RecordLie{"roots_in_another_order", wrong, Kind::shoe_commit,
                  body<Commit>([](Commit& b) { std::swap(b.candidates[0], b.candidates[1]); })},
        RecordLie{"another_digest", wrong, Kind::shoe_commit,
                  body<Commit>([](Commit& b) { b.root[0] ^= 1; })},
        RecordLie{"no_candidates", wrong, Kind::shoe_commit, body<Commit>([](Commit& b) {
                    b.tape_mac = b.candidates.front().tape_mac;
                    b.candidates.clear();
                  })},
        RecordLie{"at_a_table_without", wrong, Kind::table_open,
                  [](Record& r) { r.body["policy"]["candidates"] = 1; }},
        RecordLie{"another_picked", wrong, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { b.picked = (*b.picked + 1) % 4; })},
        RecordLie{"none_picked", wrong, Kind::shoe_mix, body<Mixed>([](Mixed& b) {
                    b.picked.reset();
                    b.opened.clear();
                  })},
        RecordLie{"one_opened_more", wrong, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { b.opened.push_back(b.opened.back()); })},
        RecordLie{"opened_in_another_order", wrong, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { std::swap(b.opened[0], b.opened[1]); })},
        RecordLie{"one_opened_twice", wrong, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { b.opened[1] = b.opened[0]; })},
        RecordLie{"another_key", wrong, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { b.opened[2].key[0] ^= 1; })},
        RecordLie{"another_tape", wrong, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { b.opened[0].tape[3] ^= 1; })},
        RecordLie{"another_account_of_a_tape", wrong, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { ++b.opened[0].words_used; })},
        RecordLie{"another_root", VerifyErrc::mix_root, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { b.root[0] ^= 1; })},
        RecordLie{"another_account_of_the_mix", VerifyErrc::tape_other, Kind::shoe_mix,
                  body<Mixed>([](Mixed& b) { --b.words_used; })},
        RecordLie{"called_for_one", VerifyErrc::core_mismatch, Kind::call,
                  body<CallBody>([](CallBody& b) {
                    b.core.specification = MixSpecification{1, 40};
                  })},
        RecordLie{"called_for_fewer", VerifyErrc::core_mismatch, Kind::call,
                  body<CallBody>([](CallBody& b) {
                    b.core.specification = MixSpecification{3, 40};
                  })},
        RecordLie{"closed_without_openings", wrong, Kind::shoe_close,
                  body<Close>([](Close& b) { b.candidates.clear(); }), only_voided},
        RecordLie{"closed_with_one_opening_less", wrong, Kind::shoe_close,
                  body<Close>([](Close& b) { b.candidates.pop_back(); }), only_voided},
        RecordLie{"closed_with_another_key", wrong, Kind::shoe_close,
                  body<Close>([](Close& b) { b.candidates[3].key[0] ^= 1; }), only_voided},
        RecordLie{"untouched_and_kept_closed", VerifyErrc::disclosure_wrong, Kind::shoe_close,
                  body<Close>([](Close& b) { b.disclosure.reset(); }), only_mixed},
        RecordLie{"untouched_and_opened_as_candidates", wrong, Kind::shoe_close,
                  body<Close>([](Close& b) {
                    b.candidates.assign(2, *b.disclosure);
                    b.disclosure.reset();
                  }),
                  only_mixed},
        RecordLie{"untouched_with_another_key", VerifyErrc::tape_wrong, Kind::shoe_close,
                  body<Close>([](Close& b) { b.disclosure->key[0] ^= 1; }), only_mixed}),
    [](const testing::TestParamInfo<RecordLie>& named) { return named.param.what; });

TEST(Candidates, a_wrong_deck_is_found_wherever_it_is_not_picked) {
  test::Pki pki;
  int found = 0;
  for (std::uint32_t crooked = 0; crooked < 4; ++crooked) {
    const auto lie = [crooked](std::uint32_t i, Bytes& cards) {
      if (i == crooked) cards.front() = cards.back();
    };
    const auto told = test::candidates_scene(pki, {.lie = lie});
    const auto verdict = verify_bundle(format_bundle(told), pki.roots_pem());
    if (verdict) continue;
    ++found;
    refused_as(wrong, told, pki, "wrong_deck_" + std::to_string(crooked));
  }
  EXPECT_EQ(found, 3) << "the one that is picked shows nothing";
}

TEST(Candidates, a_wrong_deck_is_found_when_nothing_is_picked_or_dealt) {
  test::Pki pki;
  for (std::uint32_t crooked = 0; crooked < 4; ++crooked) {
    const auto lie = [crooked](std::uint32_t i, Bytes& cards) {
      if (i == crooked) cards.front() = cards.back();
    };
    const auto closed = test::candidates_scene(
        pki, {.play = only_voided, .reason = ShoeCloseReason::ended, .lie = lie});
    refused_as(wrong, closed, pki, "wrong_deck_closed_" + std::to_string(crooked));
    const auto untouched =
        verify_bundle(format_bundle(test::candidates_scene(pki, {.play = only_mixed, .lie = lie})),
                      pki.roots_pem());
    EXPECT_FALSE(untouched) << crooked;
  }
}

TEST(Candidates, two_of_one_secret_are_refused) {
  test::Pki pki;
  // A key serves two decks: who sees the one that is opened sees the other.
  int found = 0;
  for (std::uint32_t twin = 1; twin < 4; ++twin) {
    const auto secrets = [twin](std::uint32_t i) { return i == twin ? 0U : i; };
    const auto lie = [twin](std::uint32_t i, Bytes& cards) {
      if (i == twin) std::swap(cards[0], cards[1]);
    };
    const auto told = test::candidates_scene(pki, {.lie = lie, .secrets_of = secrets});
    if (verify_bundle(format_bundle(told), pki.roots_pem())) continue;
    ++found;
    refused_as(wrong, told, pki, "one_secret_twice_" + std::to_string(twin));
  }
  EXPECT_GE(found, 1) << "one of the two is picked at most";
  const auto same = [](std::uint32_t) { return 0U; };
  refused_as(wrong, test::candidates_scene(pki, {.secrets_of = same}), pki, "all_alike");
}

TEST(Candidates, a_call_behind_one_that_ended_before_the_pick_is_refused) {
  test::Pki pki;
  const std::vector<std::pair<const char*, std::function<void(Shoe&)>>> plays = {
      {"called_again_behind_a_void", [](Shoe& shoe) { shoe.voided(), shoe.mix(); }},
      {"called_again_behind_a_lapse", [](Shoe& shoe) { shoe.lapse(), shoe.mix(); }}};
  for (const auto& [what, play] : plays)
    refused_as(wrong, test::candidates_scene(pki, {.play = play}), pki, what);
}

TEST(Candidates, nothing_is_dealt_before_the_pick) {
  test::Pki pki;
  refused_as(VerifyErrc::mix_missing,
             test::candidates_scene(pki, {.play = [](Shoe& shoe) { shoe.deal_unmixed("seat-1"); }}),
             pki, "dealt_before_the_pick");
}

TEST(Candidates, a_second_mix_picks_nothing) {
  test::Pki pki;
  const auto again = [](Shoe& shoe) {
    CandidatesScene::dealt(shoe);
    shoe.shuffle_again({{2}, {}});
    shoe.mix();
  };
  const auto picks = body<Mixed>([](Mixed& mixed) {
    mixed.picked = 0;
    mixed.opened.assign(1, ShoeDisclosure{});
  });
  refused_as(wrong,
             test::candidates_scene(pki, {.play = again},
                                    {.tamper = {Kind::shoe_mix, 1, picks}, .context = {}}),
             pki, "picked_from_one_root");
  const auto several = body<CallBody>([](CallBody& call) {
    call.core.specification = MixSpecification{4, call.core.mix().places};
  });
  refused_as(VerifyErrc::core_mismatch,
             test::candidates_scene(pki, {.play = again},
                                    {.tamper = {Kind::call, 1, several}, .context = {}}),
             pki, "called_for_several_of_one_root");
}

}  // namespace
}  // namespace talla::certs
