// Goal: a disk that fills up stops new commitments soon, however busy the appliance is.
// Method: a rig whose free disk space the test sets: its program is linked with the statvfs of this
//         file. A request in every turn.
#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include <memory>
#include <optional>
#include <vector>

#include "free_disk.hpp"
#include "rig.hpp"

extern "C" {
// The linker's names (--wrap=statvfs).
// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
int __real_statvfs(const char* path, struct statvfs* state);
int __wrap_statvfs(const char* path, struct statvfs* state) {
  const int code = __real_statvfs(path, state);
  if (const auto& free = talla::core::test::disk_free_bytes; code == 0 && free) {
    state->f_frsize = 1;
    state->f_bavail = *free;
  }
  return code;
}
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,readability-identifier-naming)
}

namespace talla::core::test {
namespace {

constexpr std::uint64_t reserve = std::uint64_t{1} << 30U;
constexpr int busy_turns = 16;  // the disk is looked at in one of so many

class Disk : public ::testing::Test {
 public:
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  ~Disk() override { disk_free_bytes.reset(); }

 protected:
  Disk() {
    disk_free_bytes = 2 * reserve;
    rig.settings.disk_reserve_bytes = reserve;
    rig.settings.batches_per_table_max = 1000;
    rig.restart();
    table = rig.open_table(wheel_table);
  }

  /// Commitments asked for, one in each turn and no turn without; their replies.
  std::vector<Reply> load(int turns) {
    std::vector<std::shared_ptr<std::optional<Reply>>> slots;
    for (int i = 0; i < turns; ++i) {
      slots.push_back(
          rig.send(rig.request("POST", "/v1/tables/" + table + "/batches", R"({"count":1})")));
      EXPECT_TRUE(rig.service().run_once()) << "there was work";
    }
    std::vector<Reply> replies;
    for (const auto& slot : slots) {
      EXPECT_TRUE(slot->has_value());
      replies.push_back(slot->value_or(Reply{}));
    }
    return replies;
  }

  Rig rig;
  std::string table;
};

TEST_F(Disk, a_reserve_that_is_reached_is_noticed_within_sixteen_turns_of_permanent_load) {
  for (const Reply& reply : load(3 * busy_turns)) EXPECT_EQ(reply.status, 201) << reply.body;
  disk_free_bytes = reserve - 1;
  const auto full = load(busy_turns + 1);
  EXPECT_NE(full.back().body.find("disk_reserve"), std::string::npos) << full.back().body;
}

TEST_F(Disk, room_that_is_there_again_is_noticed_as_soon) {
  disk_free_bytes = 0;
  EXPECT_NE(load(busy_turns + 1).back().body.find("disk_reserve"), std::string::npos);
  disk_free_bytes = 2 * reserve;
  EXPECT_EQ(load(busy_turns + 1).back().status, 201);
}

}  // namespace
}  // namespace talla::core::test
