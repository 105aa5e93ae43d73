// Goal: tlog-proof texts and receipts have one spelling, and a receipt's parts must agree.
// Method: the public proofs against their leaves; own texts with each line made wrong once.
#include "format/proof.hpp"

#include <gtest/gtest.h>

#include "base/json.hpp"
#include "format/errc.hpp"
#include "format/merkle.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

Record power(std::uint64_t seq) {
  Record record;
  record.origin = "example.org/log";
  record.seq = seq;
  record.kind = Kind::power;
  record.body = json::Object{{"clean", true}, {"event", "start"}};
  return record;
}

TEST(TlogProof, public_proofs_lead_from_their_leaf_to_their_root) {
  for (const std::uint64_t index : {0U, 9U, 14U}) {
    const std::string text =
        tlog_vector("proofs/made-tessera-15-index-" + std::to_string(index) + ".tlog-proof");
    const auto proof = parse_proof(text);
    ASSERT_TRUE(proof) << proof.error().text();
    EXPECT_EQ(format_proof(*proof), text);
    EXPECT_EQ(proof->index, index);
    const auto head = parse_checkpoint(proof->checkpoint);
    ASSERT_TRUE(head);
    const std::string bundle = tlog_vector("tiles/tessera-15/tile/entries/000.p/15");
    ASSERT_GT(bundle.size(), 2U);
    std::vector<std::string> entries;
    for (std::size_t at = 0; at < bundle.size();) {
      const auto length = static_cast<std::size_t>(static_cast<std::uint8_t>(bundle[at]) << 8 |
                                                   static_cast<std::uint8_t>(bundle[at + 1]));
      entries.push_back(bundle.substr(at + 2, length));
      at += 2 + length;
    }
    EXPECT_TRUE(verify_inclusion(hashes, {index, 15},
                                 leaf_hash(hashes, as_bytes(entries.at(index))), proof->path,
                                 head->checkpoint.root));
  }
  EXPECT_FALSE(parse_proof(tlog_vector("proofs/spec-example-elided.tlog-proof")));
}

struct Parts {
  Receipt receipt;
  std::string checkpoint;
};
Parts receipt_of(std::uint64_t index, std::uint64_t seq,
                 const std::string& origin = "example.org/log") {
  const std::string record = *write_record(power(seq));
  MerkleTree tree(hashes, {Digest{}, leaf_hash(hashes, as_bytes(record))});
  const std::string checkpoint = format_checkpoint({origin, 2, tree.root(hashes)}, {}, {});
  return {{format_proof({index, tree.inclusion_path(hashes, index), checkpoint}), record},
          checkpoint};
}

TEST(Receipt, round_trips_in_one_spelling_only) {
  const Receipt receipt = receipt_of(1, 1).receipt;
  const std::string text = format_receipt(receipt);
  const auto parsed = parse_receipt(text);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(format_receipt(*parsed), text);
  EXPECT_TRUE(open_receipt(*parsed));
  EXPECT_FALSE(parse_receipt(text + " "));
  EXPECT_FALSE(parse_receipt(R"({"proof":"a","record":"b","x":"c"})"));
  EXPECT_FALSE(parse_receipt(R"({"record":"b","proof":"a"})"));
}

TEST(Receipt, index_must_be_seq_and_origin_must_be_the_logs) {
  EXPECT_TRUE(open_receipt(receipt_of(1, 1).receipt));
  EXPECT_TRUE(open_receipt(receipt_of(0, 1).receipt).error().is(FormatErrc::malformed_receipt));
  EXPECT_TRUE(open_receipt(receipt_of(1, 1, "example.org/other").receipt)
                  .error()
                  .is(FormatErrc::malformed_receipt));
}

TEST(TlogProof, each_line_has_one_spelling) {
  const std::string good = receipt_of(1, 1).receipt.proof;
  ASSERT_TRUE(parse_proof(good));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_FALSE(parse_proof(with("@v1", "@v2")));
  EXPECT_FALSE(parse_proof(with("index 1", "index 01")));
  EXPECT_FALSE(parse_proof(with("index 1", "index 2")));
  EXPECT_FALSE(parse_proof(with("index 1\n", "extra AAAA\nindex 1\n")));
  EXPECT_FALSE(parse_proof(with("AAA=\n", "AAA\n")));
  EXPECT_FALSE(parse_proof(with("AAA=\n\n", "AAA=\n")));
}

}  // namespace
}  // namespace talla::certs
