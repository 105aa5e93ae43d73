// Goal: a draw's outcome follows from the committed secret and the call alone, each secret once
//       (PROTOCOL 5).
// Method: a checker written from FORMAT.md section 8 over hashes, for random batches,
//         specifications and numbers.
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
CallBody call_of(const SecretBatch& batch, std::uint32_t index, std::uint8_t number = 1) {
  CallBody call;
  call.core.origin = testing::origin;
  call.core.table = "table-1";
  call.core.object = batch.id();
  call.core.root = batch.root();
  call.core.at = index;
  call.core.bets = bets_digest(openssl_hashes, json::Array{});
  call.core.specification = DrawSpecification(WheelDraw{37});
  call.core.value.fill(number);
  return call;
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
      const auto call = call_of(batch, j, static_cast<std::uint8_t>(j));
      RC_ASSERT(batch.check_call(progress, call.core).has_value());
      progress.take(call, 100 + j);
      const auto draw = taken(progress, batch.draw(progress, 100 + j, call));
      RC_ASSERT(draw.call == 100 + j);
      RC_ASSERT(secret_verifies(commit.root, count, j, draw.secret, draw.path));
      RC_ASSERT(draw.outcome.values.size() == 1U);
      RC_ASSERT(draw.outcome.values[0] < 37U);
    }
    RC_ASSERT(!batch.check_call(progress, call_of(batch, count).core).has_value());
    RC_ASSERT(must(batch.close(progress, BatchCloseReason::used)).secrets.empty());
  }));
}

TEST(SecretBatch, FORMAT_8_the_tape_follows_from_the_secret_and_from_C_alone) {
  const SecretBatch batch = batch_of(4, 1);
  BatchProgress progress;
  const auto call = call_of(batch, 0);
  progress.take(call, 9);
  const auto draw = must(batch.draw(progress, 9, call));
  const Digest c = openssl_hashes.sha256(
      {as_bytes(std::string_view("talla/v2/core\0", 14)), as_bytes(call.core.bytes())});
  ByteWriter block;
  block.raw(std::string_view("talla/v1/draw\0", 14)).u32(0).field(ByteView(c));
  const auto words = openssl_hashes.hmac_key(draw.secret)->mac({block.bytes()});
  EXPECT_EQ(draw.tape_digest, openssl_hashes.sha256({ByteView(words).first(8)}));
}

TEST(SecretBatch, the_same_call_gives_the_same_draw_after_a_restart) {
  const SecretBatch batch = batch_of(16, 2);
  BatchProgress progress;
  const auto call = call_of(batch, 0);
  progress.take(call, 55);
  const auto draw = must(batch.draw(progress, 55, call));
  const SecretBatch again =
      must(SecretBatch::restore(openssl_hashes, batch_9, batch.secret(), batch.root()));
  EXPECT_EQ(json::canonical(must(again.draw(progress, 55, call)).to_json()),
            json::canonical(draw.to_json()));
  EXPECT_FALSE(again.draw(progress, 54, call)) << "another CALL";
  progress.take(draw);
  EXPECT_FALSE(again.draw(progress, 55, call)) << "a CALL is completed once";
}

TEST(SecretBatch, indices_come_in_order_and_names_of_other_batches_are_refused) {
  const SecretBatch batch = batch_of(4, 3);
  BatchProgress progress;
  const auto stands = [&](std::uint32_t index, auto change) {
    CallBody call = call_of(batch, index);
    change(call.core);
    const auto checked = batch.check_call(progress, call.core);
    EXPECT_TRUE(checked || checked.error().is(Errc::wrong_index));
    return checked.has_value();
  };
  const auto as_it_is = [](CallCore&) {};
  EXPECT_FALSE(stands(1, as_it_is));
  EXPECT_FALSE(stands(0, [](CallCore& core) { core.root[0] ^= 1; }));
  EXPECT_FALSE(stands(0, [](CallCore& core) { core.object = "batch-8"; }));
  EXPECT_FALSE(stands(0, [](CallCore& core) {
    core.use = CallUse::mix;
    core.specification = MixSpecification{1, 52};
  }));
  EXPECT_TRUE(stands(0, as_it_is));
  EXPECT_TRUE(stands(0, as_it_is)) << "a check changes nothing";
  progress.take(call_of(batch, 0), 100);
  EXPECT_FALSE(stands(0, as_it_is));
  EXPECT_TRUE(stands(1, as_it_is));
}

TEST(SecretBatch, close_opens_unused_secrets_and_never_touches_an_open_call) {
  const SecretBatch batch = batch_of(8, 4);
  BatchProgress progress;
  const auto call = call_of(batch, 0);
  progress.take(call, 10);
  const auto early = batch.close(progress, BatchCloseReason::expired);
  ASSERT_FALSE(early);
  EXPECT_TRUE(early.error().is(Errc::wrong_index));
  taken(progress, batch.draw(progress, 10, call));
  const auto close = taken(progress, batch.close(progress, BatchCloseReason::expired));
  EXPECT_EQ(close.first, 1U);
  EXPECT_EQ(close.secrets.size(), 7U);
  EXPECT_FALSE(batch.check_call(progress, call_of(batch, 1).core)) << "closed";
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
  BatchProgress progress;
  const auto call = call_of(batch, 0);
  progress.take(call, 10);
  const auto draw = must(batch.draw(progress, 10, call));
  const auto ended =
      taken(progress, batch.void_by_order(progress, 10, call, {"inspector-1", "officer-1"}));
  EXPECT_EQ(ended.outcome, draw.outcome);
  EXPECT_EQ(ended.secret, draw.secret);
  EXPECT_FALSE(batch.draw(progress, 10, call));
}

/// Of contributors beside the table: one opening for each, in their order, is an input of the tape.
TEST(SecretBatch, PROTOCOL_5b_the_numbers_of_contributors_are_inputs_of_the_outcome) {
  const SecretBatch batch = batch_of(2, 8);
  BatchProgress progress;
  auto call = call_of(batch, 0);
  call.core.others = {{"seat-1", Bytes(91, 1), 1, Digest{1}},
                      {"seat-2", Bytes(91, 2), 1, Digest{2}}};
  progress.take(call, 10);
  const std::vector<CallOpening> openings{{Digest{3}, {}}, {Digest{4}, {}}};
  const auto draw = must(batch.draw(progress, 10, call, openings));
  EXPECT_EQ(draw.openings, openings);
  const auto mapped = must(map_draw(openssl_hashes, call.core.draw(), draw.secret,
                                    call_digest(openssl_hashes, call.core.bytes()), openings));
  EXPECT_EQ(draw.outcome, mapped.outcome);
  EXPECT_EQ(draw.tape_digest, mapped.tape_digest);
  auto changed = openings;
  changed[1].value[31] ^= 1;
  EXPECT_NE(must(batch.draw(progress, 10, call, changed)).tape_digest, draw.tape_digest);
  for (const std::size_t count : {0U, 1U, 3U})
    EXPECT_FALSE(batch.draw(progress, 10, call, std::vector<CallOpening>(count))) << count;
  // Who stops it names who is missing, opens the secret, and knows no outcome.
  const auto withheld = must(batch.void_withheld(progress, 10, call, {"seat-2"}));
  EXPECT_EQ(withheld.cause, VoidCause::withheld);
  EXPECT_EQ(withheld.missing, std::vector<std::string>{"seat-2"});
  EXPECT_EQ(withheld.secret, draw.secret);
  EXPECT_FALSE(withheld.outcome);
  EXPECT_TRUE(VoidBody::from_json(withheld.to_json()));
  const auto ordered = must(batch.void_by_order(progress, 10, call, {"inspector-1", "officer-1"}));
  EXPECT_FALSE(ordered.outcome) << "not every number is there";
  progress.take(withheld);
  EXPECT_FALSE(batch.draw(progress, 10, call, openings));
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
