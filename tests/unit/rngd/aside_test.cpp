// Goal: work that is asked for is done, by as many at a time as there are threads, and never after
//       its owner is gone.
#include "aside.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace talla::core::test {
namespace {

TEST(Aside, asks_that_wait_are_one_and_none_is_forgotten) {
  std::atomic<int> begun{0};
  std::atomic<bool> hold{true};
  Aside aside([&] {
    ++begun;
    while (hold) std::this_thread::yield();
  });
  const auto until_begun = [&](int wanted) {
    while (begun < wanted) std::this_thread::yield();
  };
  aside.ask();
  until_begun(1);
  for (int i = 0; i < 5; ++i) aside.ask();
  EXPECT_EQ(begun, 1);
  hold = false;
  until_begun(2);
}

TEST(Aside, so_many_work_at_once_as_there_are_threads) {
  std::atomic<int> begun{0};
  std::atomic<int> at_once{0};
  std::atomic<int> most{0};
  std::atomic<bool> hold{true};
  Aside aside(
      [&] {
        const int now = ++at_once;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) continue;
        ++begun;
        while (hold) std::this_thread::yield();
        --at_once;
      },
      2);
  const auto until_begun = [&](int wanted) {
    while (begun < wanted) std::this_thread::yield();
  };
  aside.ask();
  until_begun(1);
  aside.ask();
  until_begun(2);
  aside.ask();
  hold = false;
  until_begun(3);
  EXPECT_EQ(most, 2);
}

TEST(Aside, the_end_waits_for_what_is_under_way) {
  std::atomic<int> begun{0};
  std::atomic<int> done{0};
  {
    Aside aside([&] {
      ++begun;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      ++done;
    });
    aside.ask();
    while (begun == 0) std::this_thread::yield();
  }
  EXPECT_EQ(done, 1);
  EXPECT_EQ(begun, 1);
}

}  // namespace
}  // namespace talla::core::test
