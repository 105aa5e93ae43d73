// Goal: a receipt proves that its record is in the log of its key, and nothing more.
// Method: an honest receipt, then every part of it changed once; every byte flipped.
#include <gtest/gtest.h>

#include "scenes.hpp"
#include "verify/notes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

class ReceiptTest : public testing::Test {
 protected:
  [[nodiscard]] Result<Verdict> judge(const Receipt& receipt) const {
    return verify_receipt(format_receipt(receipt), json::canonical(pki_.log_key().to_json()),
                          pki_.roots_pem());
  }
  test::Pki pki_;
  Receipt receipt_ = test::shoe_scene(pki_).receipt;
};

TEST_F(ReceiptTest, of_a_commitment_verifies_and_says_what_it_does_not_show) {
  const auto verdict = judge(receipt_);
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_EQ(verdict->kind, "SHOE_COMMIT");
  EXPECT_EQ(verdict->verdict_class, VerdictClass::uncertified);
  const std::vector<std::string> not_checked = {
      note_line(Note::receipt_only), note_line(Note::certification_elsewhere),
      note_line(Note::unwitnessed), note_line(Note::revocation)};
  EXPECT_EQ(verdict->not_checked, not_checked);
}

TEST_F(ReceiptTest, with_another_record_index_or_key_is_refused) {
  Receipt other_record = receipt_;
  other_record.record.replace(other_record.record.find("\"boot\":1"), 8, "\"boot\":2");
  EXPECT_TRUE(judge(other_record).error().is(VerifyErrc::not_included));
  Receipt other_index = receipt_;
  other_index.proof.replace(other_index.proof.find("index 2"), 7, "index 3");
  EXPECT_FALSE(judge(other_index));
  test::PkiOptions options;
  options.seed = "another appliance";
  const test::Pki other(options);
  const auto foreign = verify_receipt(
      format_receipt(receipt_), json::canonical(other.log_key().to_json()), other.roots_pem());
  EXPECT_TRUE(foreign.error().is(VerifyErrc::wrong_signature));
}

TEST_F(ReceiptTest, with_any_flipped_byte_is_refused) {
  const std::string text = format_receipt(receipt_);
  const std::string key = json::canonical(pki_.log_key().to_json());
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 7)));
    EXPECT_FALSE(verify_receipt(flipped, key, pki_.roots_pem())) << at;
  }
}

}  // namespace
}  // namespace talla::certs
