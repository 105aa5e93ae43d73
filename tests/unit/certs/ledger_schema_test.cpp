// Goal: a ledger file whose tables have another version than this program's is refused and stays as
// it is. Method: the version written in the file's header changed.
#include <gtest/gtest.h>

#include "certs/sqlite_ledger.hpp"
#include "ledger_suite.hpp"
#include "sqlite_handles.hpp"
#include "sqlite_schema.hpp"

namespace talla::certs::testing {

namespace {

TEST(LedgerSchema, of_any_other_version_is_refused) {
  const Folder folder;
  SqliteLedgerOptions options{.path = folder / "ledger.db", .origin = origin};
  ASSERT_TRUE(must(open_sqlite_ledger(options))->commit(group_of({record_of(0)})));
  const auto connect = [&] {
    sqlite3* raw = nullptr;
    EXPECT_EQ(sqlite3_open(options.path.c_str(), &raw), SQLITE_OK);
    return DatabaseHandle(raw);
  };
  const auto own = must(number_of(connect().get(), "PRAGMA user_version"));
  for (const std::uint64_t version : {std::uint64_t{0}, own - 1, own + 1}) {
    ASSERT_TRUE(
        execute(connect().get(), ("PRAGMA user_version=" + std::to_string(version)).c_str()));
    for (const bool read_only : {false, true}) {
      options.read_only = read_only;
      const auto opened = open_sqlite_ledger(options);
      ASSERT_FALSE(opened);
      EXPECT_TRUE(opened.error().is(Errc::ledger_foreign));
      EXPECT_NE(opened.error().detail.find("schema version " + std::to_string(version)),
                std::string::npos);
    }
    EXPECT_EQ(must(number_of(connect().get(), "PRAGMA user_version")), version);
  }
  ASSERT_TRUE(execute(connect().get(), ("PRAGMA user_version=" + std::to_string(own)).c_str()));
  options.read_only = false;
  EXPECT_EQ(must(open_sqlite_ledger(options))->size(), 1U);
}

}  // namespace
}  // namespace talla::certs::testing
