// Goal: the sequencer's own parts keep their promises by themselves: queue, replies, metrics.
// Method: each over an empty appliance with a real log; no thread but where the queue is woken by
//         one.
#include <gmock/gmock.h>

#include <thread>

#include "alone.hpp"
#include "queue.hpp"
#include "replies.hpp"

namespace talla::core::test {
namespace {

using ::testing::ElementsAre;

class Parted : public Alone {
 protected:
  /// Keeps what it is answered under this name.
  Answer answer(const std::string& name) {
    return [this, name](const Reply& reply) {
      got.push_back(name + " " + std::to_string(reply.status) + " " +
                    reply.body.substr(0, reply.body.find(',')));
    };
  }
  [[nodiscard]] static certs::ReplyKey key(const std::string& word) {
    return {"talla:table-1", "POST", "/v1/tables", word};
  }
  [[nodiscard]] static Digest digest(std::uint8_t byte) {
    Digest out{};
    out.fill(byte);
    return out;
  }
  std::vector<std::string> got;
};

TEST(Queue, is_bounded_and_gives_the_oldest_first) {
  Queue queue(2);
  const auto push = [&](const std::string& path) {
    Admitted asked;
    asked.request.path = path;
    Answer answer = [](const Reply& /*reply*/) {};
    const auto refused = queue.push(asked, answer);
    EXPECT_EQ(refused.has_value(), asked.request.path == path)
        << "what is refused is left to its owner";
    return refused;
  };
  EXPECT_FALSE(push("/a"));
  EXPECT_FALSE(push("/b"));
  EXPECT_EQ(push("/c"), Errc::too_busy);
  const auto one = queue.take(1);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one.front().asked.request.path, "/a");
  EXPECT_EQ(queue.size(), 1U);
  queue.stop();
  EXPECT_EQ(push("/d"), Errc::stopping);
  EXPECT_EQ(queue.take(100).front().asked.request.path, "/b") << "what was taken in is done";
}

TEST(Queue, wakes_who_waits_for_a_landing) {
  Queue queue(2);
  std::thread disk([&] { queue.note_landed(); });
  queue.wait_for_landing();
  disk.join();
  EXPECT_TRUE(queue.take_landed());
  EXPECT_FALSE(queue.take_landed()) << "once";
}

TEST(Queue, who_waits_for_company_goes_on_once_all_have_come) {
  constexpr std::int64_t an_hour_ns = 3'600'000'000'000;
  Queue queue(8);
  const auto push = [&] {
    Admitted asked;
    Answer answer = [](const Reply& /*reply*/) {};
    EXPECT_FALSE(queue.push(asked, answer));
  };
  push();
  std::thread second([&] { push(); });
  queue.wait_for_company(2, an_hour_ns);  // a test that hangs has lost the second
  EXPECT_EQ(queue.size(), 2U);
  second.join();
}

TEST_F(Parted, a_request_of_a_known_key_joins_the_one_under_way_and_another_one_is_refused) {
  Replies replies(*appliance);
  replies.wait(key("k"), digest(1), answer("first"));
  Answer again = answer("again");
  EXPECT_TRUE(replies.known_key(again, key("k"), digest(1)));
  Answer other = answer("other");
  EXPECT_TRUE(replies.known_key(other, key("k"), digest(2)));
  Answer fresh = answer("fresh");
  EXPECT_FALSE(replies.known_key(fresh, key("l"), digest(1)));
  EXPECT_TRUE(fresh) << "left to its owner";
  replies.store(key("k"), digest(1), 200, {{"done", true}}, {});
  EXPECT_THAT(got, ElementsAre()) << "nothing is durable yet";
  auto answers = replies.take();
  land(write());
  replies.give(std::move(answers));
  ASSERT_EQ(got.size(), 3U);
  EXPECT_THAT(got[0], ::testing::StartsWith("first 200"));
  EXPECT_THAT(got[1], ::testing::StartsWith("again 200"));
  EXPECT_THAT(got[2], ::testing::StartsWith("other 422"));
  Answer later = answer("later");
  EXPECT_TRUE(replies.known_key(later, key("k"), digest(1))) << "from the ledger";
  Replies::give(replies.take_plain());
  EXPECT_THAT(got.back(), ::testing::StartsWith("later 200"));
}

TEST_F(Parted, after_a_failure_nobody_is_told_that_anything_was_done) {
  Replies replies(*appliance);
  replies.wait(key("k"), digest(1), answer("keyed"));
  replies.store(key("k"), digest(1), 200, {{"done", true}}, {});
  replies.answer_now(answer("plain"), Reply{});
  std::vector<Replies::Answers> flying;
  flying.push_back(replies.take());
  replies.answer_now(answer("next"), Reply{});
  replies.fail(std::move(flying));
  ASSERT_EQ(got.size(), 3U);
  for (const auto& line : got) EXPECT_NE(line.find(" 503 "), std::string::npos) << line;
  replies.fail({});
  EXPECT_EQ(got.size(), 3U) << "each once";
}

TEST(Metrics, are_there_before_they_rise_and_add_up) {
  Metrics metrics;
  EXPECT_EQ(metrics.snapshot().counters.at("talla_draws_total"), 0);
  metrics.count("talla_draws_total");
  metrics.count("talla_draws_total", 2);
  EXPECT_EQ(metrics.snapshot().counters.at("talla_draws_total"), 3);
  metrics.set("a{x}", 1);
  metrics.set("ab", 2);
  metrics.drop("a{");
  EXPECT_THAT(metrics.snapshot().gauges, ElementsAre(::testing::Pair("ab", 2)));
}

}  // namespace
}  // namespace talla::core::test
