#include "lives.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>

#include "failure.hpp"

namespace talla::sim {
namespace {

LifePlan plan_of(std::uint64_t seed) {
  return {seed, 2 + seed % 5, 40 + seed % 80};
}

LifeCounts live_one(std::uint64_t seed) {
  auto again = "again with TALLA_SIM_SEED=" + std::to_string(seed);
  LifeCounts seen;
  try {
    seen = live(plan_of(seed));
  } catch (const std::exception& failure) {
    throw Failure(failure.what() + ("\n" + again));
  }
  require(!::testing::Test::HasFailure(), [&] { return again; });
  return seen;
}

/// Sums, and tells how far it has come.
struct Sum {
  std::uint64_t told_every = 1;
  LifeCounts seen{};
  void add(const LifeCounts& one) {
    const auto before = seen.rounds / told_every;
    seen.add(one);
    if (seen.rounds / told_every != before)
      std::cout << seen.rounds << " rounds in " << seen.lives << " lives\n" << std::flush;
  }
};

/// The body of a process: what each life came to goes into the pipe, and no life at all when one
/// failed. Its exit code.
int live_in_process(const LivesPlan& plan, unsigned number, int pipe) {
  std::uint64_t rounds = 0;
  try {
    for (auto seed = plan.first_seed + number; rounds < plan.rounds / plan.processes + 1;
         seed += plan.processes) {
      const LifeCounts one = live_one(seed);
      rounds += one.rounds;
      require(write(pipe, &one, sizeof one) == static_cast<ssize_t>(sizeof one),
              "the pipe is gone");
    }
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << '\n';
    const LifeCounts none;
    return write(pipe, &none, sizeof none) > 0 ? 1 : 2;
  }
  return 0;
}

LifeCounts live_in_processes(const LivesPlan& plan) {
  static_assert(std::is_trivially_copyable_v<LifeCounts>);
  std::array<int, 2> ends{};
  require(pipe(ends.data()) == 0, "no pipe");
  std::cout.flush();
  std::vector<pid_t> processes;
  for (unsigned i = 0; i < plan.processes; ++i) {
    const pid_t child = fork();
    require(child >= 0, "no process");
    if (child == 0) {
      close(ends[0]);
      _exit(live_in_process(plan, i, ends[1]));
    }
    processes.push_back(child);
  }
  close(ends[1]);
  Sum sum{plan.told_every};
  bool good = true;
  for (LifeCounts one;
       good && read(ends[0], &one, sizeof one) == static_cast<ssize_t>(sizeof one);) {
    good = one.lives > 0;
    if (good) sum.add(one);
  }
  close(ends[0]);
  for (const pid_t child : processes) {
    if (!good) static_cast<void>(kill(child, SIGKILL));
    int status = 0;
    good = waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
           good;
  }
  require(good, "a life failed: its words stand above");
  return sum.seen;
}

}  // namespace

LifeCounts live_all(const LivesPlan& plan) {
  // What lies in real files (keys, tiles, archives) lies in memory: nothing of it outlives a life.
  const char* const memory = "/dev/shm";
  if (access(memory, W_OK) == 0)
    static_cast<void>(setenv("TMPDIR", memory, 0));  // NOLINT(concurrency-mt-unsafe): one thread
  if (plan.processes > 1) return live_in_processes(plan);
  Sum sum{plan.told_every};
  for (auto seed = plan.first_seed; sum.seen.rounds < plan.rounds; ++seed) sum.add(live_one(seed));
  return sum.seen;
}

}  // namespace talla::sim
