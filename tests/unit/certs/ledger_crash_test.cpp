// Goal: nothing acknowledged is lost, nothing is given twice, and a ledger that is shorter,
// different or damaged is refused. Method: children killed inside writes and syncs, failed syncs,
// and files cut, flipped or put back by hand.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include "certs/files.hpp"
#include "fault_vfs.hpp"
#include "fixture.hpp"

namespace talla::certs {
namespace {

using testing::Appliance;
using testing::fault_plan;
using testing::Folder;
using testing::must;

namespace fs = std::filesystem;

/// Opens what is there; a Result so that refusals can be looked at.
Result<std::uint64_t> reopen(const Folder& folder, bool recheck_all = false) {
  const OpensslHashes hashes;
  const auto signer = testing::fixed_signer();
  ManualClock clock;
  FileAnchor anchor(folder / "anchor.json");
  TALLA_TRY(const auto ledger,
            open_sqlite_ledger({.path = folder / "ledger.db", .origin = testing::origin}));
  TALLA_TRY(const auto log, Log::open({.hashes = hashes,
                                       .ledger = *ledger,
                                       .signer = *signer,
                                       .clock = clock,
                                       .anchor = &anchor},
                                      {.origin = testing::origin, .recheck_all = recheck_all}));
  return log->size();
}

/// Runs `work` in a child; its pipe carries one u64 per acknowledged group. Returns the last one,
/// and how it ended.
struct Child {
  std::uint64_t acknowledged = 0;
  bool killed = false;
};
Child run_child(const std::function<void(int pipe)>& work) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) std::abort();
  const pid_t pid = ::fork();
  if (pid == 0) {
    work(ends[1]);
    ::_exit(0);
  }
  static_cast<void>(::close(ends[1]));
  Child child;
  std::uint64_t size = 0;
  while (::read(ends[0], &size, sizeof(size)) == sizeof(size)) child.acknowledged = size;
  static_cast<void>(::close(ends[0]));
  int status = 0;
  static_cast<void>(::waitpid(pid, &status, 0));
  child.killed = WIFSIGNALED(status);
  return child;
}

/// Commits groups of three for ever and tells each one after it is durable.
void commit_and_tell(const Folder& folder, int pipe, int groups) {
  Appliance appliance(folder, testing::fault_vfs_name);
  for (int i = 0; i < groups; ++i) {
    const std::uint64_t size = appliance.add(3).size;
    if (::write(pipe, &size, sizeof(size)) != sizeof(size)) ::_exit(1);
  }
}

class Crash : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::register_fault_vfs();
    fault_plan().clear();
  }
  void TearDown() override { fault_plan().clear(); }
  Folder folder_;
};

TEST_F(Crash, killed_inside_any_write_loses_nothing_acknowledged) {
  Appliance(folder_).add(5);
  std::uint64_t least = 5;
  for (long at = 0; at < 40; at += 3) {
    const Child child = run_child([&](int pipe) {
      Appliance warm(folder_, testing::fault_vfs_name);
      fault_plan().kill_at_write = at;
      for (;;) {
        const std::uint64_t size = warm.add(3).size;
        if (::write(pipe, &size, sizeof(size)) != sizeof(size)) ::_exit(1);
      }
    });
    EXPECT_TRUE(child.killed) << at;
    least = std::max(least, child.acknowledged);
    const auto size = reopen(folder_, true);
    ASSERT_TRUE(size) << at << ": " << size.error().text();
    EXPECT_GE(*size, least) << at;
    EXPECT_EQ((*size - 5) % 3, 0U) << "groups are whole";
    least = *size;
  }
}

TEST_F(Crash, killed_before_any_sync_loses_nothing_acknowledged) {
  Appliance(folder_).add(1);
  std::uint64_t least = 1;
  for (long at = 0; at < 12; ++at) {
    const Child child = run_child([&](int pipe) {
      fault_plan().kill_at_sync = at;
      commit_and_tell(folder_, pipe, 100);
    });
    EXPECT_TRUE(child.killed) << at;
    least = std::max(least, child.acknowledged);
    const auto size = reopen(folder_, true);
    ASSERT_TRUE(size) << at << ": " << size.error().text();
    EXPECT_GE(*size, least) << at;
    least = *size;
  }
}

TEST_F(Crash, killed_from_outside_at_random_moments_loses_nothing_acknowledged) {
  Appliance(folder_).add(1);
  std::uint64_t least = 1;
  for (int round = 0; round < 10; ++round) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
      commit_and_tell(folder_, ends[1], 1'000'000);
      ::_exit(0);
    }
    static_cast<void>(::close(ends[1]));
    std::uint64_t size = 0;
    for (int i = 0; i <= 3 * round; ++i) {
      if (::read(ends[0], &size, sizeof(size)) == sizeof(size)) least = std::max(least, size);
    }
    static_cast<void>(::kill(pid, SIGKILL));
    while (::read(ends[0], &size, sizeof(size)) == sizeof(size)) least = std::max(least, size);
    static_cast<void>(::close(ends[0]));
    static_cast<void>(::waitpid(pid, nullptr, 0));
    const auto found = reopen(folder_, true);
    ASSERT_TRUE(found) << found.error().text();
    EXPECT_GE(*found, least);
    least = *found;
  }
}

TEST_F(Crash, a_failed_sync_latches_for_good_and_answers_nothing) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  appliance.add(2);
  fault_plan().fail_sync_in = 0;
  must(appliance.log->append(testing::access_draft("status")));
  const auto failed = appliance.log->commit();
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().is(Errc::ledger_io)) << failed.error().text();
  fault_plan().clear();  // the disk is well again: too late
  EXPECT_TRUE(appliance.log->latched());
  const auto later = appliance.log->append(testing::access_draft("status"));
  ASSERT_FALSE(later);
  EXPECT_TRUE(later.error().is(Errc::ledger_latched));
  const auto commit = appliance.log->commit();
  ASSERT_FALSE(commit);
  EXPECT_TRUE(commit.error().is(Errc::ledger_latched));
  EXPECT_EQ(appliance.log->size(), 2U);
  EXPECT_TRUE(appliance.log->prover().receipt(1)) << "what was acknowledged can still be read";
}

TEST_F(Crash, a_failed_write_latches_for_good) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  appliance.add(2);
  fault_plan().fail_write_in = 0;
  must(appliance.log->append(testing::access_draft("status")));
  ASSERT_FALSE(appliance.log->commit());
  fault_plan().clear();
  EXPECT_TRUE(appliance.log->latched());
}

TEST_F(Crash, a_failed_copy_of_the_wal_latches_the_next_commit) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  fault_plan().skip_sync = true;
  const std::string filler(50'000, 'x');
  bool latched = false;
  std::uint64_t size = 0;
  for (int i = 0; i < 600 && !latched; ++i) {
    // Each commit syncs once; a second sync belongs to the copy of the WAL into the file, behind
    // the group.
    fault_plan().fail_sync_in = 1;
    must(appliance.log->append(testing::access_draft(filler)));
    size = must(appliance.log->commit()).size;
    latched = appliance.log->latched();
  }
  EXPECT_TRUE(latched);
  EXPECT_EQ(appliance.log->size(), size) << "what was durable before stays";
  EXPECT_FALSE(appliance.log->append(testing::access_draft("status")));
}

TEST_F(Crash, once_a_sync_has_failed_no_other_ones_word_counts) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  const auto size = appliance.log->size();
  must(appliance.log->append(testing::access_draft("first")));
  const auto first = must(appliance.log->write());
  fault_plan().fail_sync_in = 0;
  EXPECT_FALSE(appliance.log->sync());
  fault_plan().clear();
  EXPECT_FALSE(appliance.log->sync()) << "the pages may be lost, though the disk syncs again";
  EXPECT_LT(appliance.ledger->durable_groups(), first.number);
  EXPECT_EQ(appliance.log->size(), size);
  EXPECT_TRUE(appliance.log->latched());
  EXPECT_FALSE(appliance.log->append(testing::access_draft("second")));
}

TEST_F(Crash, a_sync_that_ends_well_while_another_one_fails_gives_nothing) {
  Appliance appliance(folder_, testing::fault_vfs_name);
  const auto before = appliance.ledger->durable_groups();
  must(appliance.log->append(testing::access_draft("first")));
  must(appliance.log->write());
  fault_plan().sync_delay_us = 200'000;
  std::thread slow([&] {
    EXPECT_FALSE(appliance.log->sync());
  });  // ends well on the disk, behind the other's failure
  while (fault_plan().syncs_under_way == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  fault_plan().fail_sync_in = 0;
  EXPECT_FALSE(appliance.log->sync());
  slow.join();
  EXPECT_EQ(appliance.ledger->durable_groups(), before);
}

/// Writes of each of so many commits of 50,000 bytes. The last one fails behind its `written`
/// writes, if that is given.
std::vector<long> writes_of_commits(Appliance& appliance, std::size_t commits,
                                    std::optional<long> written = {}) {
  constexpr long many = 1'000'000;
  std::vector<long> writes;
  while (writes.size() < commits) {
    const bool faulty = written && writes.size() + 1 == commits;
    const long left = faulty ? *written : many;
    must(appliance.log->append(testing::access_draft(std::string(50'000, 'x'))));
    fault_plan().fail_write_in = left;
    EXPECT_TRUE(appliance.log->commit()) << writes.size();
    writes.push_back(left - fault_plan().fail_write_in);
    fault_plan().clear();
  }
  return writes;
}

TEST_F(Crash, when_only_the_room_behind_the_groups_cannot_be_written_the_ledger_goes_on) {
  constexpr std::size_t tried = 40;
  std::vector<long> writes;
  {
    Appliance appliance(folder_, testing::fault_vfs_name);
    writes = writes_of_commits(appliance, tried);
  }
  const long usual = *std::ranges::min_element(writes);
  const auto grown = std::ranges::find_if(writes, [&](long one) { return one >= usual + 16; });
  ASSERT_NE(grown, writes.end()) << "a step of 1 MiB is 16 writes";
  const Folder other;
  Appliance appliance(other, testing::fault_vfs_name);
  const auto commits = static_cast<std::size_t>(grown - writes.begin()) + 1;
  const auto again = writes_of_commits(appliance, commits, *grown - 16);
  EXPECT_EQ(again.back(), *grown - 16) << "every write up to the fault was made";
  EXPECT_FALSE(appliance.log->latched());
  EXPECT_EQ(appliance.add(3).size, commits + 3);
}

/// A ledger of 40 records in groups of 4, closed cleanly, its WAL copied into the file.
void fill(const Folder& folder) {
  Appliance appliance(folder);
  for (int i = 0; i < 10; ++i) appliance.add(4);
  must(appliance.log->write_anchor());
}

/// Where the groups end in a WAL: zeros behind them are room for more.
std::uintmax_t end_of_wal(const fs::path& path) {
  const auto bytes = must(read_file(path));
  return bytes.find_last_not_of('\0') + 1;
}

TEST_F(Crash, a_torn_tail_of_the_wal_is_dropped_and_whole_groups_stay) {
  std::uint64_t acknowledged = 0;
  {
    Appliance appliance(folder_);
    for (int i = 0; i < 10; ++i) acknowledged = appliance.add(4).size;
    // Copied while open: the WAL holds everything.
    fs::copy(folder_ / "ledger.db", folder_ / "copy.db");
    fs::copy(folder_ / "ledger.db-wal", folder_ / "copy.db-wal");
  }
  const auto whole = end_of_wal(folder_ / "copy.db-wal");
  for (const std::uintmax_t cut : {1U, 100U, 4096U, 9000U, 20000U}) {
    for (const char* end : {"", "-wal", "-shm"})
      fs::remove(folder_ / (std::string("torn.db") + end));
    fs::copy(folder_ / "copy.db", folder_ / "torn.db");
    fs::copy(folder_ / "copy.db-wal", folder_ / "torn.db-wal");
    fs::resize_file(folder_ / "torn.db-wal", whole - cut);
    const auto ledger =
        open_sqlite_ledger({.path = folder_ / "torn.db", .origin = testing::origin});
    ASSERT_TRUE(ledger) << ledger.error().text();
    EXPECT_LT((*ledger)->size(), acknowledged);
    EXPECT_EQ((*ledger)->size() % 4, 0U);
  }
}

TEST_F(Crash, a_truncated_database_is_refused) {
  fill(folder_);
  const auto whole = fs::file_size(folder_ / "ledger.db");
  for (const std::uintmax_t size :
       {whole - 4096, whole / 2, std::uintmax_t{4096}, std::uintmax_t{100}, std::uintmax_t{0}}) {
    fs::copy(folder_ / "ledger.db", folder_ / "keep.db", fs::copy_options::overwrite_existing);
    fs::resize_file(folder_ / "ledger.db", size);
    const auto opened = reopen(folder_);
    ASSERT_FALSE(opened) << size;
    EXPECT_TRUE(opened.error().is(Errc::ledger_damaged) ||
                opened.error().is(Errc::ledger_foreign) || opened.error().is(Errc::ledger_shorter))
        << size << ": " << opened.error().text();
    for (const char* end : {"-wal", "-shm"}) fs::remove(folder_ / (std::string("ledger.db") + end));
    fs::rename(folder_ / "keep.db", folder_ / "ledger.db");
  }
  EXPECT_TRUE(reopen(folder_));
}

/// A record whose bytes are the test's own: the ledger does not read them.
LedgerRecord plain_record(std::uint64_t seq) {
  const std::string bytes = R"({"seq":)" + std::to_string(seq) + "," + std::string(200, 'x') + "}";
  return {.seq = seq,
          .kind = Kind::access,
          .object = "",
          .prev = {},
          .bytes = bytes,
          .leaf = leaf_hash(OpensslHashes(), as_bytes(bytes))};
}

void lengthen(Ledger& ledger, std::uint64_t to) {
  for (std::uint64_t seq = ledger.size(); seq < to; ++seq) {
    Group group;
    group.records = {plain_record(seq)};
    ASSERT_TRUE(ledger.commit(group));
  }
}

std::vector<Digest> leaves_between(const Ledger& ledger, std::uint64_t from, std::uint64_t to) {
  std::vector<Digest> found;
  EXPECT_TRUE(ledger.leaves(from, to, [&](const Digest& leaf) { found.push_back(leaf); }));
  return found;
}

TEST_F(Crash, leaves_come_from_pages_and_rows_alike_also_behind_a_restart_and_a_refused_group) {
  const std::string path = folder_ / "pages.db";
  for (const std::uint64_t stop : {100U, 255U, 256U, 300U, 511U, 600U}) {
    const auto ledger = must(open_sqlite_ledger({.path = path, .origin = testing::origin}));
    if (ledger->size() == 255) {  // refused in the middle of a page that it would have filled
      Group twice;
      twice.records = {plain_record(255), plain_record(256)};
      const StoredReply reply{.id = {"mesa-1", "POST", "/v1/draws", "a"}, .head = "{}", .seqs = {}};
      twice.replies = {reply, reply};
      EXPECT_FALSE(ledger->commit(twice));
      EXPECT_FALSE(ledger->latched());
    }
    lengthen(*ledger, stop);
  }
  const auto ledger = must(open_sqlite_ledger({.path = path, .origin = testing::origin}));
  std::vector<Digest> expected;
  for (const auto& record : must(ledger->records(0, 600))) expected.push_back(record.leaf);
  for (const auto& [from, to] : std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 600},
                                                                                     {0, 512},
                                                                                     {1, 600},
                                                                                     {255, 257},
                                                                                     {256, 512},
                                                                                     {256, 511},
                                                                                     {300, 400},
                                                                                     {512, 600},
                                                                                     {600, 600}}) {
    const std::vector<Digest> part(expected.begin() + static_cast<std::ptrdiff_t>(from),
                                   expected.begin() + static_cast<std::ptrdiff_t>(to));
    EXPECT_EQ(leaves_between(*ledger, from, to), part) << from << " to " << to;
  }
}

TEST_F(Crash, a_long_ledger_opens_without_reading_all_of_it_and_the_check_beside_finds_the_damage) {
  const std::string path = folder_ / "long.db";
  {
    const auto ledger = must(open_sqlite_ledger({.path = path, .origin = testing::origin}));
    Group group;
    for (std::uint64_t seq = 0; seq < 4000; ++seq) group.records.push_back(plain_record(seq));
    ASSERT_TRUE(ledger->commit(group));
  }
  const SqliteLedgerOptions waits{.path = path, .origin = testing::origin};
  SqliteLedgerOptions goes_on = waits;
  goes_on.checked_bytes_max = 1;
  EXPECT_TRUE(check_sqlite_ledger(waits));
  std::string bytes = must(read_file(path));
  const std::size_t page = 8192;
  const auto in_first_record = bytes.find("\"seq\":0,");
  ASSERT_NE(in_first_record, std::string::npos);
  const std::size_t begin = in_first_record / page * page;
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin), 12,
              '\x7f');  // the head of a page
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  const auto refused = open_sqlite_ledger(waits);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::ledger_damaged)) << refused.error().text();
  const auto found = check_sqlite_ledger(waits);
  ASSERT_FALSE(found);
  EXPECT_TRUE(found.error().is(Errc::ledger_damaged)) << found.error().text();
  const auto opened = open_sqlite_ledger(goes_on);
  ASSERT_TRUE(opened) << opened.error().text();
  EXPECT_FALSE((*opened)->record(0)) << "what lies there is not given";
}

TEST_F(Crash, a_flipped_byte_of_a_record_is_refused) {
  fill(folder_);
  std::string bytes = must(read_file(folder_ / "ledger.db"));
  for (const char* member : {"\"seq\":0,", "\"seq\":17,", "\"seq\":39,"}) {
    const std::size_t at = bytes.find(member);
    ASSERT_NE(at, std::string::npos) << member;
    std::string changed = bytes;
    changed[at + 6] ^= 1;
    std::ofstream(folder_ / "ledger.db", std::ios::binary | std::ios::trunc) << changed;
    const auto opened = reopen(folder_, true);
    ASSERT_FALSE(opened) << member;
    EXPECT_TRUE(opened.error().is(Errc::ledger_damaged)) << opened.error().text();
  }
  std::ofstream(folder_ / "ledger.db", std::ios::binary | std::ios::trunc) << bytes;
  EXPECT_TRUE(reopen(folder_, true));
}

TEST_F(Crash, byte_flips_anywhere_never_go_unnoticed_in_the_records) {
  fill(folder_);
  const std::string bytes = must(read_file(folder_ / "ledger.db"));
  std::mt19937_64 engine(5);
  int refused = 0;
  for (int round = 0; round < 60; ++round) {
    std::string changed = bytes;
    std::size_t at = engine() % bytes.size();
    while (bytes[at] == '\0') at = engine() % bytes.size();  // most zeros are free space of a page
    changed[at] = static_cast<char>(changed[at] ^ (1 << (engine() % 8U)));
    std::ofstream(folder_ / "ledger.db", std::ios::binary | std::ios::trunc) << changed;
    for (const char* end : {"-wal", "-shm"}) fs::remove(folder_ / (std::string("ledger.db") + end));
    const auto opened = reopen(folder_, true);
    if (!opened) {
      ++refused;
      continue;
    }
    EXPECT_EQ(*opened, 40U);  // the flip lay in free space or in what is derived
  }
  EXPECT_GT(refused, 10);
}

TEST_F(Crash, design_9_an_older_copy_behind_the_anchor_is_refused) {
  fill(folder_);
  fs::copy(folder_ / "ledger.db", folder_ / "backup.db");
  {
    Appliance appliance(folder_);
    appliance.add(4);
    must(appliance.log->write_anchor());
  }
  for (const char* end : {"-wal", "-shm"}) fs::remove(folder_ / (std::string("ledger.db") + end));
  fs::rename(folder_ / "backup.db", folder_ / "ledger.db");
  const auto opened = reopen(folder_);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::ledger_shorter)) << opened.error().text();
}

TEST_F(Crash, another_history_of_the_same_length_is_refused) {
  const Folder other;
  fill(folder_);
  {
    Appliance appliance(other);
    for (int i = 0; i < 10; ++i) appliance.add(4, "other");
    must(appliance.log->write_anchor());
  }
  fs::copy(other / "ledger.db", folder_ / "ledger.db", fs::copy_options::overwrite_existing);
  const auto opened = reopen(folder_);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::ledger_different)) << opened.error().text();
}

TEST_F(Crash, a_missing_or_damaged_anchor_is_refused) {
  fill(folder_);
  const std::string anchor = must(read_file(folder_ / "anchor.json"));
  std::ofstream(folder_ / "anchor.json", std::ios::trunc) << anchor.substr(0, anchor.size() - 1);
  auto opened = reopen(folder_);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::anchor_malformed));
  fs::remove(folder_ / "anchor.json");
  opened = reopen(folder_);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::anchor_malformed));
}

TEST_F(Crash, foreign_files_are_refused) {
  std::ofstream(folder_ / "ledger.db")
      << "This is a text file, long enough to be read as a header of a database."
      << std::string(200, '.');
  auto opened = reopen(folder_);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::ledger_foreign)) << opened.error().text();
  const Folder named;
  ASSERT_TRUE(open_sqlite_ledger({.path = named / "ledger.db", .origin = "log.example/other"}));
  opened = reopen(named);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::ledger_foreign)) << opened.error().text();
}

}  // namespace
}  // namespace talla::certs
