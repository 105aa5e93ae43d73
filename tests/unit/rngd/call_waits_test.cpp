// Goal: who asks for a call sees what is durable and nothing else; who waits for its end is
//   answered when it is there, when the time is over, at a stop and after a failure, once each; one
//   client that waits for all keeps no other from waiting.
// Method: a whole simulated appliance; requests that wait are sent and looked at turn by turn, and
//   once from many threads while others open and the appliance stops.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "contributors.hpp"

namespace talla::core::test {
namespace {

using Sent = std::shared_ptr<std::optional<Reply>>;

/// A call of a wheel that waits for two seats.
struct Waiting {
  Waiting() : table(rig.open_table(wheel_table)), batch(rig.open_batch(table, 4)) {
    for (int seat = 1; seat <= 2; ++seat) {
      players.emplace_back(rig, table, seat);
      EXPECT_EQ(players.back().commit().status, 200);
    }
    call = make(0);
  }
  std::uint64_t make(int index) {
    const auto got =
        rig.post("/v1/draws", with_others(rig, rig.draw_body(batch, index), others_of(rig, table)));
    EXPECT_EQ(got.status, 200) << got.body;
    return static_cast<std::uint64_t>(got.number({"call", "seq"}));
  }
  [[nodiscard]] std::string path(const std::string& query = {}) const {
    return "/v1/calls/" + std::to_string(call) + query;
  }
  /// Asks as this client and turns until there is nothing left to do.
  Sent wait(const Client& client, const std::string& query = "?wait=10") {
    auto request = rig.request("GET", path(query));
    request.client = client;
    auto sent = rig.send(std::move(request));
    rig.service().run_until_idle();
    return sent;
  }
  void pass(std::int64_t seconds) {
    rig.clock.advance_ns(seconds * 1'000'000'000);
    static_cast<void>(rig.service().run_once());
  }

  Rig rig;
  std::string table;
  Rig::OpenBatch batch;
  std::vector<Player> players;
  std::uint64_t call = 0;
};

TEST(CallWaits, who_waits_is_answered_with_the_result_when_it_is_there) {
  Waiting scene;
  const auto of_table = scene.wait(scene.rig.client);
  const auto of_seat = scene.wait(scene.players[0].client(), "?wait=20");
  ASSERT_EQ(scene.players[0].open(scene.call).status, 200);
  EXPECT_FALSE(of_table->has_value() || of_seat->has_value()) << "one is missing";
  ASSERT_EQ(scene.players[1].open(scene.call).status, 200);
  ASSERT_TRUE(of_table->has_value() && of_seat->has_value());
  EXPECT_EQ((*of_table)->status, 200);
  EXPECT_EQ((*of_table)->body, scene.rig.get(scene.path()).body);
  EXPECT_EQ((*of_seat)->body, (*of_table)->body);
  EXPECT_NE((*of_table)->body.find(R"("ended":{"kind":"draw")"), std::string::npos);
}

TEST(CallWaits, who_finds_the_end_there_or_a_call_of_nobody_else_waits_for_nothing) {
  Waiting scene;
  for (const auto& player : scene.players)
    EXPECT_EQ(scene.rig.ask(player.open_request(scene.call)).status, 200);
  const auto ended = scene.wait(scene.rig.client);
  ASSERT_TRUE(ended->has_value());
  EXPECT_NE((*ended)->body.find(R"("kind":"draw")"), std::string::npos);
  const auto alone = scene.rig.open_batch(scene.rig.open_table(wheel_table), 1);
  ASSERT_EQ(scene.rig.post("/v1/draws", scene.rig.draw_body(alone, 0)).status, 200);
  scene.call = scene.rig.records(certs::Kind::call).back().seq;
  EXPECT_TRUE(scene.wait(scene.rig.client)->has_value());
  for (const auto* query : {"?wait=0", "?wait=21", "?wait=-1", "?wait=1.5", "?wait="})
    EXPECT_EQ(scene.rig.get(scene.path(query)).code(), "malformed_request") << query;
}

TEST(CallWaits, when_the_time_is_over_the_call_is_told_as_it_stands) {
  Waiting scene;
  const auto sooner = scene.wait(scene.rig.client, "?wait=2");
  const auto later = scene.wait(scene.rig.client, "?wait=9");
  ASSERT_EQ(scene.players[0].open(scene.call).status, 200);
  scene.pass(1);
  EXPECT_FALSE(sooner->has_value());
  scene.pass(2);
  ASSERT_TRUE(sooner->has_value());
  EXPECT_FALSE(later->has_value());
  EXPECT_NE((*sooner)->body.find(R"("missing":["seat-2"])"), std::string::npos);
  EXPECT_EQ((*sooner)->body.find(R"("ended")"), std::string::npos);
  scene.pass(7);
  EXPECT_TRUE(later->has_value());
}

TEST(CallWaits, a_call_that_ends_without_a_number_wakes_them_too) {
  Waiting scene;
  scene.pass(5);
  const auto waits = scene.wait(scene.rig.client, "?wait=20");
  scene.pass(16);  // 20 seconds behind the call
  scene.rig.service().run_until_idle();
  ASSERT_TRUE(waits->has_value());
  EXPECT_NE((*waits)->body.find(R"("kind":"void")"), std::string::npos) << (*waits)->body;
  EXPECT_NE((*waits)->body.find(R"("missing":["seat-1","seat-2"])"), std::string::npos);
}

TEST(CallWaits, one_client_that_waits_for_all_leaves_room_for_the_others) {
  Waiting scene;
  constexpr int share = 512;
  std::vector<Sent> greedy;
  auto request = scene.rig.request("GET", scene.path("?wait=20"));
  request.client = scene.players[0].client();
  for (int i = 0; i < share; ++i) {
    if (i % 100 == 99) scene.pass(1);  // its share of requests
    greedy.push_back(scene.rig.send(request));
  }
  scene.pass(1);
  for (const auto& one : greedy) EXPECT_FALSE(one->has_value());
  EXPECT_TRUE(scene.wait(scene.players[0].client())->has_value()) << "at once";
  const auto other = scene.wait(scene.rig.client);
  EXPECT_FALSE(other->has_value());
  for (const auto& player : scene.players)
    EXPECT_EQ(scene.rig.ask(player.open_request(scene.call)).status, 200);
  for (const auto& one : greedy) EXPECT_TRUE(one->has_value());
  EXPECT_TRUE(other->has_value());
  scene.call = scene.make(1);
  EXPECT_FALSE(scene.wait(scene.players[0].client())->has_value()) << "its share is free again";
}

TEST(CallWaits, a_stranger_waits_for_nothing_and_an_invitation_that_ends_shows_no_result) {
  Waiting scene;
  const auto other = scene.rig.open_table(wheel_table);
  const Player stranger(scene.rig, other, 1);
  const auto refused = scene.wait(stranger.client());
  ASSERT_TRUE(refused->has_value());
  EXPECT_EQ((*refused)->status, 404);
  auto foreign = scene.rig.client;
  foreign.id = "talla:table-9";
  const auto away = scene.wait(foreign);
  ASSERT_TRUE(away->has_value());
  EXPECT_EQ((*away)->status, 404);

  const auto shown_out = scene.wait(scene.players[1].client());
  const auto opening = scene.players[1].open_request(scene.call);
  ASSERT_EQ(scene.rig.ask(opening).status, 200);
  ASSERT_EQ(scene.rig.post("/v1/tables/" + scene.table + "/invitations", R"({"seat":2})").status,
            200);
  ASSERT_EQ(scene.players[0].open(scene.call).status, 200);
  ASSERT_TRUE(shown_out->has_value());
  EXPECT_EQ((*shown_out)->status, 404) << (*shown_out)->body;
}

TEST(CallWaits, a_stop_tells_them_what_stands_and_a_failure_that_nothing_is_known) {
  Waiting scene;
  const auto failed = scene.wait(scene.rig.client);
  scene.rig.service().fail_now();
  static_cast<void>(scene.rig.service().run_once());
  ASSERT_TRUE(failed->has_value());
  EXPECT_EQ((*failed)->status, 503);
  scene.rig.restart();
  const auto stopped = scene.wait(scene.rig.client);
  EXPECT_FALSE(stopped->has_value());
  scene.rig.service().stop();
  ASSERT_TRUE(stopped->has_value());
  EXPECT_EQ((*stopped)->status, 200);
  EXPECT_NE((*stopped)->body.find(R"("missing":["seat-1","seat-2"])"), std::string::npos);
  EXPECT_TRUE(scene.wait(scene.rig.client)->has_value()) << "behind the stop nobody waits";
}

Settings asked_often() {
  Settings settings;
  settings.client_burst = 10'000;
  return settings;
}

/// Calls of several tables that wait for three seats each; every answer is counted.
struct Crowd {
  static constexpr std::size_t seats = 3;
  struct Called {
    std::uint64_t call = 0;
    std::vector<Player> players;
    std::vector<Request> openings;  // of each
  };
  struct Count {
    std::atomic<int> asked{0};
    std::atomic<int> answered{0};
    std::atomic<int> ended{0};  // of the answers: with the result
  };

  explicit Crowd(int tables) : rig(asked_often()) {
    for (int i = 0; i < tables; ++i) {
      const auto table = rig.open_table(wheel_table);
      const auto batch = rig.open_batch(table, 1);
      auto& one = calls.emplace_back();
      for (std::size_t seat = 1; seat <= seats; ++seat) {
        one.players.emplace_back(rig, table, static_cast<std::int64_t>(seat));
        EXPECT_EQ(one.players.back().commit(1, 1).status, 200);
      }
      const auto got =
          rig.post("/v1/draws", with_others(rig, rig.draw_body(batch, 0), others_of(rig, table)));
      one.call = static_cast<std::uint64_t>(got.number({"call", "seq"}));
      for (const auto& player : one.players) one.openings.push_back(player.open_request(one.call));
    }
  }
  /// Any thread.
  void ask(Count& count, Request request) {
    ++count.asked;
    auto before = std::make_shared<std::atomic<int>>(0);
    rig.service().submit(std::move(request), [this, &count, before](const Reply& reply) {
      if (reply.status != 200 || before->fetch_add(1) > 0) ++wrong;
      if (reply.body.find(R"("ended":{"kind":"draw")") != std::string::npos) ++count.ended;
      ++count.answered;
    });
  }
  /// What one thread asks of a call; the seat opens in between.
  void meet(const Called& one, std::size_t seat, Count& waiting, bool opens) {
    const auto path = "/v1/calls/" + std::to_string(one.call);
    const auto player = one.players[seat].client();
    ask(waiting, {"GET", path + "?wait=20", {}, rig.client, {}});
    ask(others, {"GET", path, {}, player, {}});
    if (opens) ask(others, one.openings[seat]);
    ask(waiting, {"GET", path + "?wait=20", {}, player, {}});
    ask(others, {"GET", path, {}, rig.client, {}});
  }
  static bool comes(const Count& count) {
    for (int i = 0; i < 60'000 && count.answered < count.asked; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return count.answered == count.asked;
  }

  Rig rig;
  std::vector<Called> calls;
  Count waits;   // for calls behind which all open
  Count stays;   // for the one behind which nobody does
  Count others;  // everything else
  std::atomic<int> wrong{0};
};

TEST(CallWaits, threads_that_wait_ask_and_open_at_once_are_each_answered_once_also_at_the_stop) {
  Crowd crowd(6);
  crowd.rig.service().start();
  std::vector<std::thread> threads;
  for (std::size_t seat = 0; seat < Crowd::seats; ++seat)
    threads.emplace_back([&crowd, seat] {
      for (std::size_t i = 0; i < crowd.calls.size(); ++i) {
        const bool opens = i + 1 < crowd.calls.size();
        crowd.meet(crowd.calls[i], seat, opens ? crowd.waits : crowd.stays, opens);
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_TRUE(Crowd::comes(crowd.waits) && Crowd::comes(crowd.others));
  EXPECT_EQ(crowd.waits.ended, crowd.waits.asked);
  EXPECT_EQ(crowd.stays.answered, 0);
  crowd.rig.service().stop();
  EXPECT_EQ(crowd.stays.answered, crowd.stays.asked);
  EXPECT_EQ(crowd.stays.ended, 0);
  EXPECT_EQ(crowd.wrong, 0);
  EXPECT_EQ(crowd.rig.records(certs::Kind::draw).size(), crowd.calls.size() - 1);
}

}  // namespace
}  // namespace talla::core::test
