// Goal: the DRBGs are those of SP 800-90A and cannot seed themselves, go on after a failure, or
// survive a fork.
// Method: NIST CAVS vectors, Botan's HMAC_DRBG as a second implementation, counted seed calls,
// induced failures.
#include "entropy/drbg.hpp"

#include <botan/hmac_drbg.h>
#include <botan/mac.h>
#include <gtest/gtest.h>
#include <openssl/err.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <set>
#include <sstream>

#include "entropy/errc.hpp"
#include "support/vectors.hpp"

namespace talla::entropy {

// Known-answer files also hold cases without personalisation, which the public face refuses.
struct DrbgTestAccess {
  static Result<std::unique_ptr<Drbg>> make(DrbgKind kind, ByteView seed,
                                            ByteView personalisation) {
    return Drbg::make(kind, seed, personalisation);
  }
};

namespace {

constexpr std::array<DrbgKind, 2> kinds{DrbgKind::ctr_aes256_df, DrbgKind::hmac_sha512};

Bytes pattern(std::size_t size, std::uint8_t start) {
  Bytes out(size);
  for (auto& byte : out) byte = start++;
  return out;
}

using Case = std::vector<std::pair<std::string, Bytes>>;

Bytes field(const Case& fields, const std::string& name, std::size_t index = 0) {
  for (const auto& [key, value] : fields) {
    if (key == name && index-- == 0) return value;
  }
  ADD_FAILURE() << "no field " << name;
  return {};
}

/// The cases of one section of a response file.
std::vector<Case> cases_of(const std::string& file_name, const std::string& section) {
  std::istringstream file(test::vector_text("drbg/nist-cavs/" + file_name));
  std::vector<Case> cases;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("[") && line.find(" = ") == std::string::npos)
      inside = line == "[" + section + "]";
    const auto split = line.find(" =");
    if (!inside || line.starts_with("[") || split == std::string::npos) continue;
    const std::string key = line.substr(0, split);
    const std::string value = line.size() > split + 3 ? line.substr(split + 3) : "";
    if (key == "COUNT") {
      cases.emplace_back();
    } else {
      cases.back().emplace_back(key, from_hex(value).value());
    }
  }
  return cases;
}

std::unique_ptr<Drbg> instantiated(DrbgKind kind, const Case& fields) {
  Bytes seed = field(fields, "EntropyInput");
  const Bytes nonce = field(fields, "Nonce");
  seed.insert(seed.end(), nonce.begin(), nonce.end());
  return DrbgTestAccess::make(kind, seed, field(fields, "PersonalizationString")).value();
}

void check_case(DrbgKind kind, const Case& fields, bool resistance, bool reseeds) {
  const auto drbg = instantiated(kind, fields);
  const Bytes expected = field(fields, "ReturnedBits");
  if (reseeds) {
    ASSERT_TRUE(
        drbg->reseed(field(fields, "EntropyInputReseed"), field(fields, "AdditionalInputReseed")));
  }
  Bytes out(expected.size());
  for (std::size_t call = 0; call < 2; ++call) {
    const Bytes additional = field(fields, "AdditionalInput", call);
    if (resistance) {
      // SP 800-90A 9.3.1 step 7: prediction resistance is a reseed with the additional input, then
      // none.
      ASSERT_TRUE(drbg->reseed(field(fields, "EntropyInputPR", call), additional));
      ASSERT_TRUE(drbg->generate(out));
    } else {
      ASSERT_TRUE(drbg->generate(out, additional));
    }
  }
  ASSERT_EQ(to_hex(out), to_hex(expected));
}

void check_file(DrbgKind kind, const std::string& file, const std::string& section, bool resistance,
                bool reseeds) {
  const std::vector<Case> cases = cases_of(file, section);
  ASSERT_EQ(cases.size(), 240U);
  for (const Case& fields : cases) {
    ASSERT_NO_FATAL_FAILURE(check_case(kind, fields, resistance, reseeds));
  }
}

TEST(Drbg, sp800_90a_ctr_aes256_df_cavs_no_reseed) {
  check_file(DrbgKind::ctr_aes256_df, "CTR_DRBG.no_reseed.aes256.rsp", "AES-256 use df", false,
             false);
}
TEST(Drbg, sp800_90a_ctr_aes256_df_cavs_reseed) {
  check_file(DrbgKind::ctr_aes256_df, "CTR_DRBG.pr_false.aes256.rsp", "AES-256 use df", false,
             true);
}
TEST(Drbg, sp800_90a_ctr_aes256_df_cavs_prediction_resistance) {
  check_file(DrbgKind::ctr_aes256_df, "CTR_DRBG.pr_true.aes256.rsp", "AES-256 use df", true, false);
}
TEST(Drbg, sp800_90a_hmac_sha512_cavs_no_reseed) {
  check_file(DrbgKind::hmac_sha512, "HMAC_DRBG.no_reseed.sha256_sha512.rsp", "SHA-512", false,
             false);
}
TEST(Drbg, sp800_90a_hmac_sha512_cavs_reseed) {
  check_file(DrbgKind::hmac_sha512, "HMAC_DRBG.pr_false.sha256_sha512.rsp", "SHA-512", false, true);
}
TEST(Drbg, sp800_90a_hmac_sha512_cavs_prediction_resistance) {
  check_file(DrbgKind::hmac_sha512, "HMAC_DRBG.pr_true.sha256_sha512.rsp", "SHA-512", true, false);
}

TEST(Drbg, sp800_90a_11_3_known_answers_hold_for_both_mechanisms) {
  for (const DrbgKind kind : kinds) {
    const Status status = Drbg::self_test(kind);
    EXPECT_TRUE(status.has_value())
        << drbg_kind_name(kind) << (status ? "" : status.error().text());
  }
}

TEST(Drbg, botans_hmac_drbg_gives_the_same_stream) {
  const Bytes seed = pattern(48, 7);
  const Bytes personalisation = pattern(20, 100);
  const auto ours = Drbg::instantiate(DrbgKind::hmac_sha512, seed, personalisation).value();
  Botan::HMAC_DRBG theirs(Botan::MessageAuthenticationCode::create_or_throw("HMAC(SHA-512)"));
  Bytes material = seed;
  material.insert(material.end(), personalisation.begin(), personalisation.end());
  theirs.initialize_with(material.data(), material.size());
  for (const std::size_t size : {1U, 64U, 65U, 1000U, 65536U}) {
    Bytes a(size);
    Bytes b(size);
    ASSERT_TRUE(ours->generate(a));
    theirs.randomize(b.data(), b.size());
    EXPECT_EQ(a, b) << size;
  }
}

TEST(Drbg, no_seed_is_asked_for_in_100000_calls) {
  for (const DrbgKind kind : kinds) {
    const auto drbg = Drbg::instantiate(kind, pattern(48, 1), pattern(8, 2)).value();
    EXPECT_EQ(drbg->seed_calls(), 1U);
    Bytes out(16);
    for (int i = 0; i < 100'000; ++i) ASSERT_TRUE(drbg->generate(out));
    EXPECT_EQ(drbg->seed_calls(), 1U);
    ASSERT_TRUE(drbg->reseed(pattern(32, 3)));
    EXPECT_EQ(drbg->seed_calls(), 2U);
  }
}

TEST(Drbg, sizes_out_of_range_are_refused_and_change_nothing) {
  for (const DrbgKind kind : kinds) {
    EXPECT_TRUE(
        Drbg::instantiate(kind, pattern(47, 1), pattern(8, 2)).error().is(Errc::bad_settings));
    EXPECT_TRUE(Drbg::instantiate(kind, pattern(48, 1), {}).error().is(Errc::bad_settings));
    const auto drbg = Drbg::instantiate(kind, pattern(48, 1), pattern(8, 2)).value();
    const auto twin = Drbg::instantiate(kind, pattern(48, 1), pattern(8, 2)).value();
    EXPECT_TRUE(drbg->reseed(pattern(31, 1)).error().is(Errc::bad_settings));
    Bytes huge(65'537);
    EXPECT_TRUE(drbg->generate(huge).error().is(Errc::bad_settings));
    EXPECT_TRUE(drbg->alive());
    Bytes a(32);
    Bytes b(32);
    ASSERT_TRUE(drbg->generate(a));
    ASSERT_TRUE(twin->generate(b));
    EXPECT_EQ(a, b);
  }
}

TEST(Drbg, a_seed_of_1024_bytes_is_taken_and_one_byte_more_is_not) {
  for (const DrbgKind kind : kinds) {
    EXPECT_TRUE(
        Drbg::instantiate(kind, pattern(1025, 1), pattern(8, 2)).error().is(Errc::bad_settings));
    const auto drbg = Drbg::instantiate(kind, pattern(1024, 1), pattern(8, 2)).value();
    EXPECT_TRUE(drbg->reseed(pattern(1025, 1)).error().is(Errc::bad_settings));
    EXPECT_TRUE(drbg->reseed(pattern(1024, 1)));
    EXPECT_TRUE(drbg->generate({}).error().is(Errc::bad_settings)) << "no bytes";
    Bytes most(65'536);
    EXPECT_TRUE(drbg->generate(most));
  }
}

TEST(Drbg, its_own_failures_leave_nothing_in_openssls_queue_of_errors) {
  ::ERR_clear_error();
  for (const DrbgKind kind : kinds) {
    EXPECT_TRUE(Drbg::self_test(kind)) << "of which a failure is a part";
    EXPECT_EQ(::ERR_peek_error(), 0U);
  }
}

TEST(Drbg, every_input_of_the_seed_changes_the_stream) {
  std::set<Bytes> streams;
  for (const DrbgKind kind : kinds) {
    for (const std::uint8_t seed : Bytes{1, 2}) {
      for (const std::uint8_t personalisation : Bytes{3, 4}) {
        const auto drbg =
            Drbg::instantiate(kind, pattern(48, seed), pattern(8, personalisation)).value();
        Bytes out(32);
        ASSERT_TRUE(drbg->generate(out));
        streams.insert(out);
        ASSERT_TRUE(drbg->reseed(pattern(32, 5)));
        ASSERT_TRUE(drbg->generate(out));
        streams.insert(out);
      }
    }
  }
  EXPECT_EQ(streams.size(), 16U);
}

// OpenSSL wants to reseed in a child: the seed source is silent there, so the child gets an error
// and no bytes.
TEST(Drbg, a_forked_child_gets_nothing) {
  for (const DrbgKind kind : kinds) {
    const auto drbg = Drbg::instantiate(kind, pattern(48, 1), pattern(8, 2)).value();
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Bytes out(32, 0);
      const std::uint64_t before = wiped_bytes();
      const bool gave = drbg->generate(out).has_value();
      const bool clean = out == Bytes(32, 0) && wiped_bytes() - before == out.size();
      ::_exit(!gave && clean && !drbg->alive() ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    Bytes out(32);
    EXPECT_TRUE(drbg->generate(out));
  }
}

}  // namespace
}  // namespace talla::entropy
