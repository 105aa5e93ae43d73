// Goal: a draw's outcome follows from the committed secret and the client's inputs alone, each
//       secret once (PROTOCOL 5).
// Method: a checker written from FORMAT.md section 8 over hashes, for random batches,
//         specifications and nonces.
#include "certs/batch.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fixture.hpp"
#include "format/domain.hpp"
#include "taken.hpp"

namespace talla::certs {
namespace {

using testing::FixedBits;
using testing::must;
using testing::taken;

using testing::openssl_hashes;
constexpr const char* batch_9 = "batch-9";

SecretBatch batch_of(std::uint32_t count, std::uint64_t seed) {
  return must(SecretBatch::make(openssl_hashes, batch_9, count, FixedBits(seed).source()));
}
DrawRequest request_of(const SecretBatch& batch, std::uint32_t index, std::uint8_t nonce = 1) {
  return {.origin = testing::origin,
          .client = "mesa-1",
          .round = "0",
          .index = index,
          .nonce = Bytes(16, nonce),
          .root = batch.root(),
          .specification = WheelDraw{37},
          .bets = bets_digest(openssl_hashes, json::Array{})};
}

bool secret_verifies(const Digest& root, std::uint32_t count, std::uint32_t index,
                     const Digest& secret, const std::vector<Digest>& path) {
  ByteWriter leaf;
  leaf.u8(0)
      .raw(std::string_view("talla/v2/batch-leaf\0", 20))
      .field(batch_9)
      .u32(index)
      .raw(secret);
  return verify_inclusion(openssl_hashes, {.index = index, .size = count},
                          openssl_hashes.sha256({leaf.bytes()}), path, root)
      .has_value();
}

TEST(SecretBatch, every_draw_verifies_and_its_outcome_is_in_range) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const auto count = static_cast<std::uint32_t>(1 + seed % 20);
    const SecretBatch batch = batch_of(count, seed);
    const auto commit = batch.commit_body("table-1", 1, testing::some_context());
    BatchProgress progress;
    for (std::uint32_t j = 0; j < count; ++j) {
      const auto intent =
          must(batch.intent(progress, commit, request_of(batch, j, static_cast<std::uint8_t>(j))));
      progress.take(intent, 100 + j);
      const auto draw = taken(progress, batch.draw(progress, 100 + j, intent));
      RC_ASSERT(secret_verifies(commit.root, count, j, draw.secret, draw.path));
      RC_ASSERT(draw.outcome.values.size() == 1U);
      RC_ASSERT(draw.outcome.values[0] < 37U);
    }
    RC_ASSERT(!batch.intent(progress, commit, request_of(batch, count)).has_value());
    RC_ASSERT(must(batch.close(progress, BatchCloseReason::used)).secrets.empty());
  }));
}

TEST(SecretBatch, FORMAT_8_draw_digest_covers_every_input) {
  const SecretBatch batch = batch_of(4, 1);
  auto context = testing::some_context();
  context.game = "french-roulette";
  context.variant = "v";
  context.catalogue = Digest{1};
  context.parameters = Digest{2};
  const auto commit = batch.commit_body("table-1", 1, context);
  BatchProgress progress;
  DrawRequest request = request_of(batch, 0);
  request.round = "round-7";
  const auto intent = must(batch.intent(progress, commit, request));
  ByteWriter text;
  text.raw(std::string_view("talla/v2/draw\0", 14))
      .field(testing::origin)
      .field("mesa-1")
      .field("table-1")
      .field("round-7");
  text.field("french-roulette")
      .field("v")
      .raw(Digest{1})
      .raw(Digest{2})
      .raw(request.bets)
      .raw(batch.root())
      .u32(0);
  text.field(ByteView(request.nonce));
  EXPECT_EQ(intent.digest, openssl_hashes.sha256({text.bytes()}));
}

TEST(SecretBatch, the_same_intent_gives_the_same_draw_after_a_restart) {
  const SecretBatch batch = batch_of(16, 2);
  const auto commit = batch.commit_body("table-1", 1, testing::some_context());
  BatchProgress progress;
  const auto intent = must(batch.intent(progress, commit, request_of(batch, 0)));
  progress.take(intent, 55);
  const auto draw = must(batch.draw(progress, 55, intent));
  const SecretBatch again =
      must(SecretBatch::restore(openssl_hashes, batch_9, batch.secret(), batch.root()));
  EXPECT_EQ(json::canonical(must(again.draw(progress, 55, intent)).to_json()),
            json::canonical(draw.to_json()));
  progress.take(draw);
  EXPECT_FALSE(again.draw(progress, 55, intent)) << "an INTENT is completed once";
}

TEST(SecretBatch, indices_come_in_order_and_names_of_other_batches_are_refused) {
  const SecretBatch batch = batch_of(4, 3);
  const auto commit = batch.commit_body("table-1", 1, testing::some_context());
  BatchProgress progress;
  const auto ahead = batch.intent(progress, commit, request_of(batch, 1));
  ASSERT_FALSE(ahead);
  EXPECT_TRUE(ahead.error().is(Errc::wrong_index));
  DrawRequest other = request_of(batch, 0);
  other.root = Digest{1};
  EXPECT_FALSE(batch.intent(progress, commit, other));
  const auto first = must(batch.intent(progress, commit, request_of(batch, 0)));
  EXPECT_EQ(must(batch.intent(progress, commit, request_of(batch, 0))).digest, first.digest)
      << "a step changes nothing: what it returned counts when it is in the log";
  progress.take(first, 100);
  EXPECT_FALSE(batch.intent(progress, commit, request_of(batch, 0)));
}

TEST(SecretBatch, nonces_have_16_to_64_bytes) {
  const SecretBatch batch = batch_of(4, 3);
  const auto commit = batch.commit_body("table-1", 1, testing::some_context());
  BatchProgress progress;
  for (const std::size_t size : {0U, 15U, 65U}) {
    DrawRequest request = request_of(batch, 0);
    request.nonce = Bytes(size, 1);
    const auto intent = batch.intent(progress, commit, request);
    ASSERT_FALSE(intent);
    EXPECT_TRUE(intent.error().is(Errc::nonce_length));
  }
  EXPECT_EQ(progress.next, 0U);
}

TEST(SecretBatch, close_opens_unused_secrets_and_leaves_open_intents_alone) {
  const SecretBatch batch = batch_of(8, 4);
  const auto commit = batch.commit_body("table-1", 1, testing::some_context());
  BatchProgress progress;
  const auto intent = must(batch.intent(progress, commit, request_of(batch, 0)));
  progress.take(intent, 10);
  const auto close = taken(progress, batch.close(progress, BatchCloseReason::expired));
  EXPECT_EQ(close.first, 1U);
  EXPECT_EQ(close.secrets.size(), 7U);
  EXPECT_FALSE(batch.intent(progress, commit, request_of(batch, 1))) << "closed";
  EXPECT_TRUE(batch.draw(progress, 10, intent)) << "the open INTENT is still completed";
}

TEST(SecretBatch, the_unused_secrets_and_the_hashes_left_of_them_give_the_root) {
  for (const std::uint32_t count : {1U, 2U, 3U, 7U, 8U, 13U, 255U, 256U}) {
    const SecretBatch batch = batch_of(count, 6);
    for (std::uint32_t used = 0; used <= count; ++used) {
      BatchProgress progress;
      progress.next = used;
      const auto close = must(batch.close(progress, BatchCloseReason::closed));
      ASSERT_EQ(close.secrets.size(), count - used);
      auto tree = must(CompactRange::from_nodes(close.first, close.left));
      for (const Digest& secret : close.secrets) {
        const auto index = static_cast<std::uint32_t>(tree.size());
        tree.append(openssl_hashes, batch_leaf_hash(openssl_hashes, batch_9, index, secret));
      }
      ASSERT_EQ(tree.root(openssl_hashes), batch.root()) << used << " of " << count;
    }
  }
}

TEST(SecretBatch, a_void_says_what_the_outcome_would_have_been) {
  const SecretBatch batch = batch_of(2, 5);
  const auto commit = batch.commit_body("table-1", 1, testing::some_context());
  BatchProgress progress;
  const auto intent = must(batch.intent(progress, commit, request_of(batch, 0)));
  progress.take(intent, 10);
  const auto draw = must(batch.draw(progress, 10, intent));
  const auto ended =
      taken(progress, batch.void_by_order(progress, 10, intent, {"inspector-1", "officer-1"}));
  EXPECT_EQ(ended.outcome, draw.outcome);
  EXPECT_EQ(ended.secret, draw.secret);
  EXPECT_FALSE(batch.draw(progress, 10, intent));
}

TEST(SecretBatch, counts_and_secrets_outside_the_range_are_refused) {
  EXPECT_FALSE(SecretBatch::make(openssl_hashes, batch_9, 0, FixedBits(1).source()));
  EXPECT_FALSE(SecretBatch::make(openssl_hashes, batch_9, 257, FixedBits(1).source()));
  EXPECT_TRUE(SecretBatch::make(openssl_hashes, batch_9, 256, FixedBits(1).source()));
  const SecretBatch batch = batch_of(4, 6);
  SecretBytes changed = batch.secret();
  changed[40] ^= 1;
  EXPECT_FALSE(SecretBatch::restore(openssl_hashes, batch_9, changed, batch.root()));
  EXPECT_FALSE(SecretBatch::restore(openssl_hashes, "batch-8", batch.secret(), batch.root()));
  EXPECT_FALSE(SecretBatch::restore(openssl_hashes, batch_9, SecretBytes(33), batch.root()));
}

}  // namespace
}  // namespace talla::certs
