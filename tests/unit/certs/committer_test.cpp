// Goal: many callers share durable commits; each is answered once, after its own records are durable.
// Method: callers over a log whose syncs are counted and delayed; failures of steps and of the disk.
#include "certs/committer.hpp"

#include <gtest/gtest.h>

#include <future>

#include "fault_vfs.hpp"
#include "fixture.hpp"

namespace talla::certs {
namespace {

using testing::access_draft;
using testing::Appliance;
using testing::Folder;

class CommitterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::register_fault_vfs();
    testing::fault_plan().clear();
  }
  void TearDown() override { testing::fault_plan().clear(); }
  Folder folder_;
};

GroupCommitter::Work one_record(std::function<void(const Result<Committed>&)> done) {
  return {.first = [](Log& log) -> Status {
            auto appended = log.append(access_draft("x"));
            if (!appended) return pass(std::move(appended));
            return {};
          },
          .second = {},
          .done = std::move(done)};
}

TEST_F(CommitterTest, ManyCallersShareFewCommits) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  testing::fault_plan().sync_delay_us = 3000;
  std::atomic<int> answered{0};
  GroupCommitter committer(*appliance.log, {});
  for (int i = 0; i < 500; ++i) {
    committer.submit(one_record([&](const Result<Committed>& committed) { answered += committed ? 1 : 0; }));
  }
  committer.stop();
  EXPECT_EQ(answered, 500);
  EXPECT_EQ(appliance.log->size(), 500U);
  EXPECT_LT(committer.groups_committed(), 50U);
}

TEST_F(CommitterTest, NothingIsAnsweredBeforeItIsDurable) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  std::atomic<int> early{0};
  GroupCommitter committer(*appliance.log, {});
  for (int i = 0; i < 50; ++i) {
    auto seq = std::make_shared<std::uint64_t>();
    committer.submit({.first = [seq](Log& log) -> Status {
                        auto appended = log.append(access_draft("x"));
                        if (!appended) return pass(std::move(appended));
                        *seq = appended->seq;
                        return {};
                      },
                      .second = {},
                      .done =
                          [&, seq](const Result<Committed>& committed) {
                            if (!committed || committed->size <= *seq || appliance.ledger->size() <= *seq)
                              ++early;
                          }});
  }
  committer.stop();
  EXPECT_EQ(early, 0);
}

TEST_F(CommitterTest, SecondStepsRunInTheNextGroupBesideNewFirstSteps) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  testing::fault_plan().sync_delay_us = 1000;
  std::atomic<int> good{0};
  constexpr int items = 64;
  {
    GroupCommitter committer(*appliance.log, {});
    for (int i = 0; i < items; ++i) {
      auto first_size = std::make_shared<std::uint64_t>();
      const auto append = [](Log& log) -> Status {
        auto appended = log.append(access_draft("x"));
        if (!appended) return pass(std::move(appended));
        return {};
      };
      committer.submit({.first = append,
                        .second =
                            [append, first_size](Log& log) {
                              *first_size = log.size();
                              return append(log);
                            },
                        .done =
                            [&good, first_size](const Result<Committed>& committed) {
                              good += committed && *first_size > 0 && committed->size > *first_size ? 1 : 0;
                            }});
    }
    committer.stop();
    EXPECT_LE(committer.groups_committed(), 6U);
  }
  EXPECT_EQ(good, items);
  EXPECT_EQ(appliance.log->size(), 2U * items);
}

TEST_F(CommitterTest, AFailedStepIsUndoneAlone) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  std::atomic<int> failed{0};
  std::atomic<int> done{0};
  GroupCommitter committer(*appliance.log, {});
  for (int i = 0; i < 20; ++i) {
    committer.submit(one_record([&](const Result<Committed>& committed) { done += committed ? 1 : 0; }));
    committer.submit({.first = [](Log& log) -> Status {
                        auto appended = log.append(access_draft("half"));
                        if (!appended) return pass(std::move(appended));
                        return fail(Errc::record_refused, "no");
                      },
                      .second = {},
                      .done =
                          [&](const Result<Committed>& committed) {
                            failed += !committed && committed.error().is(Errc::record_refused) ? 1 : 0;
                          }});
  }
  committer.stop();
  EXPECT_EQ(done, 20);
  EXPECT_EQ(failed, 20);
  EXPECT_EQ(appliance.log->size(), 20U);
}

TEST_F(CommitterTest, AFailedCommitIsEverybodysErrorAndTheLogTakesNoMore) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  testing::fault_plan().fail_sync_in = 0;
  std::atomic<int> failed{0};
  GroupCommitter committer(*appliance.log, {});
  for (int i = 0; i < 30; ++i) {
    committer.submit(one_record([&](const Result<Committed>& committed) { failed += committed ? 0 : 1; }));
  }
  committer.stop();
  EXPECT_EQ(failed, 30);
  EXPECT_TRUE(appliance.log->latched());
}

TEST_F(CommitterTest, AfterStopWorkIsRefusedAtOnce) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  GroupCommitter committer(*appliance.log, {});
  committer.stop();
  committer.stop();
  bool refused = false;
  committer.submit(one_record([&](const Result<Committed>& committed) {
    refused = !committed && committed.error().is(Errc::committer_stopped);
  }));
  EXPECT_TRUE(refused);
}

}  // namespace
}  // namespace talla::certs
