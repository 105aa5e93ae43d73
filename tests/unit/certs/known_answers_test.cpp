// Goal: each algorithm that evidence and sealing rest on gives the answer its standard prints, and
//       another answer is found.
// Method: the table as the appliance runs it, then with one digit of one answer changed, for every
//         answer.
#include "certs/known_answers.hpp"

#include <gtest/gtest.h>

namespace talla::certs {
namespace {

TEST(KnownAnswers, all_hold) {
  const auto good = check_known_answers();
  EXPECT_TRUE(good) << good.error().text();
}

TEST(KnownAnswers, hashes_hmac_hkdf_gcm_ecdh_and_ed25519_are_among_them) {
  std::vector<std::string_view> names;
  for (const KnownAnswer& one : known_answers()) names.push_back(one.algorithm);
  EXPECT_EQ(names, (std::vector<std::string_view>{"SHA-256", "HMAC-SHA-256", "HKDF-SHA-256",
                                                  "AES-256-GCM", "ECDH P-256", "Ed25519"}));
}

TEST(KnownAnswers, one_digit_that_differs_is_found_and_its_algorithm_named) {
  const auto wanted = known_answers();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    std::string changed(wanted[i].expected);
    changed.back() = changed.back() == '0' ? '1' : '0';
    std::vector<KnownAnswer> answers(wanted.begin(), wanted.end());
    answers[i].expected = changed;
    const auto found = check_known_answers(answers);
    ASSERT_FALSE(found) << wanted[i].algorithm;
    EXPECT_TRUE(found.error().is(Errc::crypto_failed));
    EXPECT_NE(found.error().detail.find(wanted[i].algorithm), std::string::npos)
        << found.error().detail;
  }
}

TEST(KnownAnswers, an_algorithm_that_gives_no_answer_fails) {
  const std::array none{
      KnownAnswer{"none", "", "", "", [] { return Result<Bytes>(fail(Errc::crypto_failed, "")); }}};
  EXPECT_FALSE(check_known_answers(none));
}

}  // namespace
}  // namespace talla::certs
