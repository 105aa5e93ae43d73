// Goal: many waiting clients share few commits; each is answered once, after its own records are
// durable, and nobody is when the disk fails.
// Method: the sequencer on its thread over a ledger whose syncs are counted, delayed or failed.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "contributors.hpp"
#include "fault_vfs.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::testing::fault_plan;

class Commit : public ::testing::Test {
 protected:
  void SetUp() override {
    certs::testing::register_fault_vfs();
    fault_plan().clear();
  }
  void TearDown() override { fault_plan().clear(); }
};

Settings many_tables() {
  Settings settings;
  settings.tables_per_client_max = 1000;
  return settings;
}

TEST_F(Commit, many_callers_share_few_commits_and_each_is_answered_once) {
  Rig rig(many_tables(), certs::testing::fault_vfs_name);
  const auto before = rig.log().size();
  fault_plan().sync_delay_us = 3000;
  fault_plan().syncs = 0;
  rig.service().start();
  constexpr int callers = 300;
  std::vector<std::shared_ptr<std::optional<Reply>>> replies;
  for (int i = 0; i < callers; ++i)
    replies.push_back(rig.send(rig.request("POST", "/v1/tables", wheel_table)));
  rig.service().stop();
  for (const auto& reply : replies) EXPECT_EQ((*reply)->status, 201);
  EXPECT_EQ(rig.log().size(), before + callers + 1) << "and POWER stop";
  EXPECT_LT(fault_plan().syncs, 60);
}

TEST_F(Commit, callers_that_come_back_at_once_share_groups) {
  Rig rig(many_tables(), certs::testing::fault_vfs_name);
  fault_plan().sync_delay_us = 3000;
  fault_plan().syncs = 0;
  constexpr int callers = 20;
  constexpr int rounds = 10;
  std::atomic<int> done{0};
  std::function<void(int)> ask = [&](int left) {
    rig.service().submit(rig.request("POST", "/v1/tables", wheel_table),
                         [&, left](const Reply& reply) {
                           EXPECT_EQ(reply.status, 201);
                           ++done;
                           if (left > 1) ask(left - 1);
                         });
  };
  for (int i = 0; i < callers; ++i) ask(rounds);
  rig.service().start();
  while (done < callers * rounds) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  rig.service().stop();
  // A group of all callers costs two; a machine that is busy elsewhere splits some. One by one they
  // would cost two for each request.
  EXPECT_LT(fault_plan().syncs, callers * rounds / 4);
}

/// What a draw costs, from its call to its result, where those who open do it at once.
struct Cost {
  std::uint64_t records = 0;
  long syncs = 0;
};
Cost cost_of_a_draw(int seats) {
  Rig rig(many_tables(), certs::testing::fault_vfs_name);
  const auto table = rig.open_table(wheel_table);
  const auto batch = rig.open_batch(table, 2);
  std::vector<Player> players;
  for (int seat = 1; seat <= seats; ++seat) {
    players.emplace_back(rig, table, seat);
    EXPECT_EQ(players.back().commit().status, 200);
  }
  const auto body = with_others(rig, rig.draw_body(batch, 0), others_of(rig, table));
  const auto before = rig.log().size();
  fault_plan().syncs = 0;
  const auto called = rig.post("/v1/draws", body);
  EXPECT_EQ(called.status, 200) << called.body;
  if (seats > 0) {
    EXPECT_EQ(rig.log().size(), before + 1) << "CALL waits";
    EXPECT_EQ(fault_plan().syncs, 1);
    const auto call = static_cast<std::uint64_t>(called.number({"call", "seq"}));
    std::vector<std::shared_ptr<std::optional<Reply>>> replies;
    for (const auto& player : players) replies.push_back(rig.send(player.open_request(call)));
    rig.service().run_until_idle();
    for (const auto& reply : replies) EXPECT_EQ((*reply)->status, 200) << (*reply)->body;
  }
  EXPECT_EQ(rig.records(certs::Kind::draw).size(), 1U);
  return {.records = rig.log().size() - before, .syncs = fault_plan().syncs};
}

TEST_F(Commit, a_draw_of_a_table_alone_or_with_eight_seats_costs_two_records_and_two_syncs) {
  for (const int seats : {0, 1, 8}) {
    const Cost cost = cost_of_a_draw(seats);
    EXPECT_EQ(cost.records, 2U) << seats;
    EXPECT_EQ(cost.syncs, 2) << seats;
  }
}

TEST_F(Commit, nothing_is_answered_before_it_is_durable) {
  Rig rig(many_tables(), certs::testing::fault_vfs_name);
  fault_plan().sync_delay_us = 500;
  std::vector<std::string> spins;  // one of each table
  for (int i = 0; i < 40; ++i)
    spins.push_back(rig.draw_body(rig.open_batch(rig.open_table(wheel_table), 1), 0));
  rig.service().start();
  std::atomic<int> early{0};
  std::atomic<int> drawn{0};
  for (const auto& spin : spins) {
    rig.service().submit(rig.request("POST", "/v1/draws", spin), [&](const Reply& reply) {
      const auto body = json::parse(reply.body);
      const auto seq = static_cast<std::uint64_t>(body->find("draw")->find("seq")->integer());
      early += rig.ledger().size() <= seq || !rig.ledger().record(seq) ? 1 : 0;
      ++drawn;
    });
  }
  rig.service().stop();
  EXPECT_EQ(drawn, 40);
  EXPECT_EQ(early, 0);
}

TEST_F(Commit, turns_go_on_when_idle_and_stand_still_while_the_disk_does_and_after_it_failed) {
  Rig rig(many_tables(), certs::testing::fault_vfs_name);
  rig.service().start();
  const auto until = [&](const auto& holds) {
    for (int i = 0; i < 2000 && !holds(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return holds();
  };
  const auto idle = rig.service().turns();
  EXPECT_TRUE(until([&] { return rig.service().turns() >= idle + 3; }))
      << "an idle sequencer turns";

  fault_plan().sync_delay_us = 1'000'000;
  fault_plan().syncs = 0;
  const auto reply = rig.send(rig.request("POST", "/v1/tables", wheel_table));
  ASSERT_TRUE(until([] { return fault_plan().syncs > 0; }));
  const auto hanging = rig.service().turns();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(rig.service().turns(), hanging) << "the commit has not ended";
  fault_plan().sync_delay_us = 0;
  EXPECT_TRUE(until([&] { return rig.service().turns() > hanging; }));

  fault_plan().fail_sync_in = 0;
  static_cast<void>(rig.send(rig.request("POST", "/v1/tables", wheel_table)));
  ASSERT_TRUE(until([&] { return rig.service().failed(); }));
  const auto failed = rig.service().turns();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(rig.service().turns(), failed);
  rig.service().stop();
  EXPECT_EQ((*reply)->status, 201);
}

TEST_F(Commit, a_failed_sync_is_everybodys_refusal_and_a_restart_takes_all_again) {
  Rig rig(many_tables(), certs::testing::fault_vfs_name);
  std::vector<Request> requests;  // a spin of each table
  for (int i = 0; i < 10; ++i) {
    const auto batch = rig.open_batch(rig.open_table(wheel_table), 1);
    requests.push_back(rig.request("POST", "/v1/draws", rig.draw_body(batch, 0)));
  }
  const auto size = rig.log().size();
  fault_plan().fail_sync_in = 0;
  std::vector<std::shared_ptr<std::optional<Reply>>> replies;
  for (const auto& request : requests) replies.push_back(rig.send(request));
  rig.service().run_until_idle();
  for (const auto& reply : replies) {
    ASSERT_TRUE(reply->has_value());
    EXPECT_EQ((*reply)->status, 503);
  }
  EXPECT_TRUE(rig.service().failed());
  EXPECT_TRUE(rig.log().latched());
  EXPECT_EQ(rig.log().size(), size);
  fault_plan().clear();
  rig.restart();
  for (const auto& request : requests) EXPECT_EQ(rig.ask(request).status, 200);
}

TEST_F(Commit, a_failed_copy_of_the_write_ahead_log_stops_the_service_behind_what_was_answered) {
  Rig rig(many_tables(), certs::testing::fault_vfs_name);
  int answered = 0;
  for (bool latched = false; !latched; latched = rig.log().latched()) {
    fault_plan().clear();
    fault_plan().fail_sync_in = 1;  // the first one is the group's
    const auto reply = rig.ask(rig.request("POST", "/v1/tables", wheel_table));
    ASSERT_EQ(reply.status, 201) << reply.body;
    ASSERT_LT(++answered, 500) << "no copy";
  }
  EXPECT_GT(answered, 1);
  const auto later = rig.request("POST", "/v1/tables", wheel_table);
  EXPECT_EQ(rig.ask(later).status, 503);
  EXPECT_TRUE(rig.service().failed());
  const auto size = rig.log().size();
  fault_plan().clear();
  rig.restart();
  EXPECT_GT(rig.log().size(), size) << "with a record of the start";
  EXPECT_EQ(rig.ask(later).status, 201);
}

TEST_F(Commit, a_command_that_meets_a_ledger_just_failed_is_to_be_asked_again_with_its_key) {
  Rig rig(many_tables(), certs::testing::fault_vfs_name);
  fault_plan().fail_sync_in = 0;
  ASSERT_FALSE(rig.ledger().sync());
  ASSERT_FALSE(rig.service().failed()) << "nobody has told it yet";
  const auto request = rig.request("POST", "/v1/tables", wheel_table);
  const auto reply = rig.ask(request);
  EXPECT_EQ(reply.status, 503);
  const auto problem = json::parse(reply.body);
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->find("code")->string(), "ledger_failed");
  EXPECT_EQ(problem->find("retry")->string(), "same");
  fault_plan().clear();
  rig.restart();
  EXPECT_EQ(rig.ask(request).status, 201);
}

/// Groups are written while others wait for the disk.
Settings overlapping() {
  auto settings = many_tables();
  settings.overlap_from_us = 0;
  settings.syncs_at_once = 3;
  return settings;
}

/// Asks again when answered; every answer's bytes by its key.
class Drawers {
 public:
  explicit Drawers(Rig& rig, int count) : rig_(rig) {
    for (int i = 0; i < count; ++i) {
      batches_.push_back(rig.open_batch(rig.open_table(wheel_table), 100));
      callers_.push_back(rig.caller(batches_.back().table));
    }
  }
  void ask(std::size_t drawer, int index, int end) {
    auto request =
        rig_.request("POST", "/v1/draws", wheel_call(callers_[drawer], batches_[drawer], index));
    rig_.service().submit(request, [this, drawer, index, end, request](const Reply& reply) {
      const auto body = json::parse(reply.body);
      const auto* draw = body ? body->find("draw") : nullptr;
      if (draw != nullptr) {
        const auto seq = static_cast<std::uint64_t>(draw->find("seq")->integer());
        early += rig_.ledger().size() <= seq ? 1 : 0;
      }
      {
        const std::scoped_lock lock(mutex);
        (reply.status == 200 ? answered : refused).emplace_back(request, reply);
      }
      if (reply.status == 200) take_reply(callers_[drawer], reply.body);
      if (reply.status == 200 && index + 1 < end) ask(drawer, index + 1, end);
    });
  }
  void ask_all(int end) {
    for (std::size_t i = 0; i < batches_.size(); ++i) ask(i, 0, end);
  }
  std::size_t answers() {
    const std::scoped_lock lock(mutex);
    return answered.size();
  }

  std::mutex mutex;
  std::vector<std::pair<Request, Reply>> answered, refused;
  std::atomic<int> early{0};

 private:
  Rig& rig_;
  std::vector<Rig::OpenBatch> batches_;
  std::vector<certs::Caller> callers_;
};

TEST_F(Commit, groups_overlap_on_a_slow_disk_and_nobody_is_answered_before_his_own_is_durable) {
  Rig rig(overlapping(), certs::testing::fault_vfs_name);
  Drawers drawers(rig, 12);
  fault_plan().clear();
  fault_plan().sync_delay_us = 5000;
  drawers.ask_all(20);
  rig.service().start();
  for (int i = 0; i < 20'000 && drawers.answers() < 240; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  rig.service().stop();
  EXPECT_EQ(drawers.answers(), 240U);
  EXPECT_EQ(drawers.early, 0);
  EXPECT_GT(fault_plan().syncs_at_once, 1);
  EXPECT_LE(fault_plan().syncs_at_once, 4) << "three groups, and one copy of the write-ahead log";
}

TEST_F(Commit, a_refusal_behind_a_group_in_the_air_is_answered_though_nothing_follows_it) {
  auto settings = overlapping();
  settings.group_max = 1;
  Rig rig(settings, certs::testing::fault_vfs_name);
  const auto opened = rig.send(rig.request("POST", "/v1/tables", wheel_table));
  const auto refused = rig.send(rig.request("POST", "/v1/tables/table-999/close", "{}"));
  rig.service().run_until_idle();
  ASSERT_TRUE(opened->has_value() && refused->has_value());
  EXPECT_EQ((*opened)->status, 201);
  EXPECT_EQ((*refused)->status, 404);
}

/// Asks, and says whether an answer is there: any thread.
class LoneRequest {
 public:
  LoneRequest(Rig& rig, Request request) {
    rig.service().submit(std::move(request), [this](const Reply& reply) {
      body_ = reply.body;
      there_ = true;
    });
  }
  [[nodiscard]] bool there() const { return there_; }
  /// Precondition: it is there.
  [[nodiscard]] const std::string& body() const { return body_; }
  /// Whether it comes within a minute.
  [[nodiscard]] bool comes() const {
    for (int i = 0; i < 60'000 && !there_; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return there_;
  }

 private:
  std::string body_;
  std::atomic<bool> there_{false};
};

TEST_F(Commit, questions_show_nothing_that_is_not_durable_and_keep_no_group_from_the_disk) {
  Rig rig(overlapping(), certs::testing::fault_vfs_name);
  const auto table = rig.open_table(wheel_table);
  const auto batch = rig.open_batch(table, 2);
  std::vector<Player> players;
  for (int seat = 1; seat <= 2; ++seat) {
    players.emplace_back(rig, table, seat);
    ASSERT_EQ(players.back().commit().status, 200);
  }
  const auto called =
      rig.post("/v1/draws", with_others(rig, rig.draw_body(batch, 0), others_of(rig, table)));
  const auto call = static_cast<std::uint64_t>(called.number({"call", "seq"}));
  const auto call_path = "/v1/calls/" + std::to_string(call);
  const auto openings = {players[0].open_request(call), players[1].open_request(call)};
  const auto until = [](const auto& holds) {
    for (int i = 0; i < 20'000 && !holds(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return holds();
  };
  fault_plan().clear();
  fault_plan().sync_delay_us = 1'500'000;
  rig.service().start();
  const LoneRequest opened(rig, *openings.begin());
  ASSERT_TRUE(until([] { return fault_plan().syncs_under_way > 0; }));
  const LoneRequest of_call(rig, rig.request("GET", call_path));
  ASSERT_TRUE(of_call.there()) << "answered on the thread that asks";
  EXPECT_NE(of_call.body().find(R"("missing":["seat-1","seat-2"])"), std::string::npos);
  const LoneRequest of_table(rig, rig.request("GET", "/v1/tables/" + table));
  const LoneRequest waits(rig, rig.request("GET", call_path + "?wait=20"));
  const LoneRequest last(rig, *(openings.begin() + 1));
  EXPECT_TRUE(until([] { return fault_plan().syncs_under_way > 1; }))
      << "the question about the table lets the next group go";
  EXPECT_FALSE(opened.there() || of_table.there() || waits.there() || last.there());
  EXPECT_TRUE(rig.ledger().record(call + 1)) << "the DRAW is written";
  EXPECT_EQ(rig.ledger().size(), call + 1);
  const LoneRequest written(rig, rig.request("GET", call_path));
  ASSERT_TRUE(written.there());
  EXPECT_EQ(written.body().find("ended"), std::string::npos);
  EXPECT_TRUE(waits.comes() && of_table.comes() && last.comes() && opened.comes());
  EXPECT_NE(waits.body().find(R"("ended":{"kind":"draw")"), std::string::npos);
  rig.service().stop();
}

TEST_F(Commit, the_outcome_of_a_call_is_not_there_before_the_call_is_durable) {
  Rig rig(overlapping(), certs::testing::fault_vfs_name);
  Drawers drawers(rig, 1);
  const auto size = rig.log().size();
  fault_plan().sync_delay_us = 300'000;
  drawers.ask_all(1);
  rig.service().start();
  while (fault_plan().syncs_under_way == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(rig.ledger().size(), size);
  EXPECT_TRUE(rig.ledger().record(size)) << "the CALL is written";
  EXPECT_FALSE(rig.ledger().record(size + 1)) << "no DRAW yet";
  EXPECT_TRUE(
      rig.service()
          .events(
              rig.client,
              {.after = static_cast<std::int64_t>(size) - 1, .limit = 10, .table = {}, .kinds = {}})
          .events.empty());
  fault_plan().sync_delay_us = 0;
  rig.service().stop();
  EXPECT_EQ(drawers.answers(), 1U);
}

TEST_F(Commit, a_question_waits_for_the_groups_in_the_air) {
  Rig rig(overlapping(), certs::testing::fault_vfs_name);
  fault_plan().sync_delay_us = 200'000;
  const auto size = rig.log().size();
  const auto opened = rig.send(rig.request("POST", "/v1/tables", wheel_table));
  rig.service().start();
  while (fault_plan().syncs_under_way == 0) std::this_thread::yield();
  std::atomic<bool> durable_first{false};
  std::atomic<bool> asked{false};
  rig.service().submit(rig.request("GET", "/v1/status"), [&](const Reply& reply) {
    const auto body = json::parse(reply.body);
    durable_first = reply.status == 200 && opened->has_value() &&
                    static_cast<std::uint64_t>(body->find("size")->integer()) == size + 1;
    asked = true;
  });
  rig.service().stop();
  EXPECT_TRUE(asked);
  EXPECT_TRUE(durable_first);
}

TEST_F(Commit, a_sync_that_fails_with_groups_in_the_air_takes_back_nothing_that_was_answered) {
  for (const long failing : {1, 4, 9, 16}) {
    Rig rig(overlapping(), certs::testing::fault_vfs_name);
    Drawers drawers(rig, 12);
    fault_plan().sync_delay_us = 3000;
    fault_plan().fail_sync_in = failing;
    drawers.ask_all(100);
    rig.service().start();
    for (int i = 0; i < 20'000 && !rig.service().failed(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    rig.service().stop();
    EXPECT_EQ(drawers.early, 0);
    EXPECT_EQ(drawers.refused.size(), 12U) << "each of them waited for something";
    fault_plan().clear();
    rig.restart();
    for (const auto& [request, reply] : drawers.answered)
      EXPECT_EQ(rig.ask(request).body, reply.body);
    for (const auto& [request, reply] : drawers.refused) {
      EXPECT_EQ(reply.status, 503);
      EXPECT_EQ(rig.ask(request).status, 200);
    }
  }
}

}  // namespace
}  // namespace talla::core::test
