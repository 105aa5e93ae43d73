// A SQLite file system that delays or fails syncs and writes of the one underneath; for tests and
// benches. Registered under fault_vfs_name; the plan is process-wide and may be changed at any
// time.
#pragma once

#include <atomic>

namespace talla::certs::testing {

inline constexpr const char* fault_vfs_name = "talla-fault";

struct FaultPlan {
  std::atomic<long> sync_delay_us{0};
  std::atomic<long> syncs{0};  // counted
  std::atomic<long> syncs_under_way{0};
  std::atomic<long> syncs_at_once{0};   // the most of them
  std::atomic<long> fail_sync_in{-1};   // 0: the next sync fails and all after it; -1: none
  std::atomic<long> fail_write_in{-1};  // the same for writes
  std::atomic<long> kill_at_write{
      -1};  // 0: the process dies by SIGKILL half-way through the next write
  std::atomic<long> kill_at_sync{-1};  // 0: dies before the next sync
  std::atomic<bool> skip_sync{false};  // true: syncs do nothing (fast tests)
  void clear();
};
FaultPlan& fault_plan();
/// Safe to call often.
void register_fault_vfs();

}  // namespace talla::certs::testing
