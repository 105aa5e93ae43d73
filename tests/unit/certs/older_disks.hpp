// What every anchor outside the disk must refuse.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "certs/anchor.hpp"
#include "fixture.hpp"

namespace talla::certs::testing {

/// The appliance's log beside an outer anchor, without the local file.
struct Machine {
  Machine(const Folder& folder, OuterAnchor& outer, bool adopt = false,
          const char* log_origin = origin)
      : ledger(must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = log_origin}))),
        opened(Log::open({.hashes = openssl_hashes,
                          .ledger = *ledger,
                          .signer = *signer,
                          .clock = clock,
                          .anchor = nullptr,
                          .outer = &outer},
                         {.origin = log_origin, .adopt_anchor = adopt})) {}
  std::unique_ptr<Ed25519Signer> signer = fixed_signer();
  ManualClock clock;
  std::unique_ptr<Ledger> ledger;
  Result<std::unique_ptr<Log>> opened;

  void add(int count, const std::string& what = "status") {
    for (int i = 0; i < count; ++i) must((*opened)->append(access_draft(what)));
    must((*opened)->commit());
  }
};

/// Every device anchor must refuse all that an older disk can bring. `make` gives the anchor as a
/// start does.
template <class Make>
void refuses_older_disks(const Make& make) {
  Folder folder;
  const auto copy = [&](const char* from, const char* to) {
    std::filesystem::copy_file(folder / from, folder / to,
                               std::filesystem::copy_options::overwrite_existing);
  };
  {
    const auto outer = make(origin);
    Machine machine(folder, *outer);
    ASSERT_TRUE(machine.opened) << machine.opened.error().text();
    machine.add(3);
    EXPECT_EQ((*machine.opened)->anchor_lag(), 3U);
    ASSERT_TRUE((*machine.opened)->write_anchor());
    EXPECT_EQ((*machine.opened)->anchor_lag(), 0U);
  }
  copy("ledger.db", "old.db");
  {
    const auto outer = make(origin);
    Machine machine(folder, *outer);
    ASSERT_TRUE(machine.opened) << machine.opened.error().text();
    EXPECT_EQ((*machine.opened)->boot(), 2U);
    machine.add(4);
    ASSERT_TRUE((*machine.opened)->write_anchor());
  }
  copy("ledger.db", "new.db");
  copy("old.db", "ledger.db");
  {
    const auto outer = make(origin);
    const Machine machine(folder, *outer);
    EXPECT_TRUE(machine.opened.error().is(Errc::ledger_shorter)) << machine.opened.error().text();
  }
  {
    const auto again = make(origin);
    EXPECT_FALSE(Machine(folder, *again, true).opened)
        << "adopted against an anchor that knows the log";
  }
  {  // The older copy goes on under another anchor, past the size that this one has seen.
    Folder elsewhere;
    FileAnchor file(elsewhere / "anchor");
    auto ledger = must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = origin}));
    const auto signer = fixed_signer();
    ManualClock clock;
    auto log = must(Log::open({.hashes = openssl_hashes,
                               .ledger = *ledger,
                               .signer = *signer,
                               .clock = clock,
                               .anchor = &file},
                              {.origin = origin, .adopt_anchor = true}));
    for (int i = 0; i < 9; ++i) must(log->append(access_draft("other")));
    must(log->commit());
  }
  {
    const auto outer = make(origin);
    const Machine machine(folder, *outer);
    EXPECT_TRUE(machine.opened.error().is(Errc::ledger_different)) << machine.opened.error().text();
  }
  copy("new.db", "ledger.db");
  const auto outer = make(origin);
  const Machine machine(folder, *outer);
  ASSERT_TRUE(machine.opened) << machine.opened.error().text();
  EXPECT_EQ((*machine.opened)->size(), 7U);
}

inline AnchorState state_of(std::uint64_t size, std::uint64_t boot = 1,
                            const char* log_origin = origin) {
  AnchorState state{.origin = log_origin, .size = size, .root = {}, .boot = boot};
  state.root.fill(static_cast<std::uint8_t>(size));
  return state;
}

}  // namespace talla::certs::testing
