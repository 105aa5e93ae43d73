// Goal: a ledger behind its TPM or HSM, or with another history, is refused; so is an anchor that is gone, damaged or another
//   log's; no draw waits for a device.
// Method: a log over SQLite whose file is put back to an older copy; a device of the test's own that stalls and fails; a
//   real swtpm and a real SoftHSM 2.
#include "certs/device_anchor.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "fixture.hpp"
#include "soft_hsm.hpp"
#include "soft_tpm.hpp"

namespace talla::certs {
namespace {

using testing::access_draft;
using testing::Folder;
using testing::must;
using testing::SoftHsm;
using testing::SoftTpm;

using testing::openssl_hashes;

/// The appliance's log beside an outer anchor, without the local file.
struct Machine {
  Machine(const Folder& folder, OuterAnchor& outer, bool adopt = false, const char* origin = testing::origin)
      : ledger(must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = origin}))),
        opened(Log::open({.hashes = openssl_hashes,
                          .ledger = *ledger,
                          .signer = *signer,
                          .clock = clock,
                          .anchor = nullptr,
                          .outer = &outer},
                         {.origin = origin, .adopt_anchor = adopt})) {}
  std::unique_ptr<Ed25519Signer> signer = testing::fixed_signer();
  ManualClock clock;
  std::unique_ptr<Ledger> ledger;
  Result<std::unique_ptr<Log>> opened;

  void add(int count, const std::string& what = "status") {
    for (int i = 0; i < count; ++i) must((*opened)->append(access_draft(what)));
    must((*opened)->commit());
  }
};

/// Every device anchor must refuse all that an older disk can bring. `make` gives the anchor as a start does.
template <class Make>
void refuses_older_disks(const Make& make) {
  Folder folder;
  const auto copy = [&](const char* from, const char* to) {
    std::filesystem::copy_file(folder / from, folder / to, std::filesystem::copy_options::overwrite_existing);
  };
  {
    const auto outer = make(testing::origin);
    Machine machine(folder, *outer);
    ASSERT_TRUE(machine.opened) << machine.opened.error().text();
    machine.add(3);
    EXPECT_EQ((*machine.opened)->anchor_lag(), 3U);
    ASSERT_TRUE((*machine.opened)->write_anchor());
    EXPECT_EQ((*machine.opened)->anchor_lag(), 0U);
  }
  copy("ledger.db", "old.db");
  {
    const auto outer = make(testing::origin);
    Machine machine(folder, *outer);
    ASSERT_TRUE(machine.opened) << machine.opened.error().text();
    EXPECT_EQ((*machine.opened)->boot(), 2U);
    machine.add(4);
    ASSERT_TRUE((*machine.opened)->write_anchor());
  }
  copy("ledger.db", "new.db");
  copy("old.db", "ledger.db");
  {
    const auto outer = make(testing::origin);
    const Machine machine(folder, *outer);
    EXPECT_TRUE(machine.opened.error().is(Errc::ledger_shorter)) << machine.opened.error().text();
  }
  {
    const auto again = make(testing::origin);
    EXPECT_FALSE(Machine(folder, *again, true).opened) << "adopted against an anchor that knows the log";
  }
  {  // The older copy goes on under another anchor, past the size that this one has seen.
    Folder elsewhere;
    FileAnchor file(elsewhere / "anchor");
    auto ledger = must(open_sqlite_ledger({.path = folder / "ledger.db", .origin = testing::origin}));
    const auto signer = testing::fixed_signer();
    ManualClock clock;
    auto log = must(Log::open(
        {.hashes = openssl_hashes, .ledger = *ledger, .signer = *signer, .clock = clock, .anchor = &file},
        {.origin = testing::origin, .adopt_anchor = true}));
    for (int i = 0; i < 9; ++i) must(log->append(access_draft("other")));
    must(log->commit());
  }
  {
    const auto outer = make(testing::origin);
    const Machine machine(folder, *outer);
    EXPECT_TRUE(machine.opened.error().is(Errc::ledger_different)) << machine.opened.error().text();
  }
  copy("new.db", "ledger.db");
  const auto outer = make(testing::origin);
  const Machine machine(folder, *outer);
  ASSERT_TRUE(machine.opened) << machine.opened.error().text();
  EXPECT_EQ((*machine.opened)->size(), 7U);
}

AnchorState state_of(std::uint64_t size, std::uint64_t boot = 1, const char* origin = testing::origin) {
  AnchorState state{.origin = origin, .size = size, .root = {}, .boot = boot};
  state.root.fill(static_cast<std::uint8_t>(size));
  return state;
}

/// A device that the test can stop.
class SlowDevice final : public Anchor {
 public:
  Result<std::optional<AnchorState>> read() override { return state_; }
  Status write(const AnchorState& state) override {
    std::unique_lock lock(mutex);
    wake.wait(lock, [this] { return !stalled; });
    if (broken) return fail(Errc::anchor_unreachable, "broken");
    state_ = state;
    return {};
  }
  std::mutex mutex;
  std::condition_variable wake;
  bool stalled = false;  // mutex
  bool broken = false;   // mutex

 private:
  std::optional<AnchorState> state_;
};

void wait_until(const std::function<bool()>& done) {
  for (int i = 0; i < 1000 && !done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(done());
}

TEST(DeviceAnchor, LetsNoCommitWaitAndWritesTheNewest) {
  Folder folder;
  auto owned = std::make_unique<SlowDevice>();
  SlowDevice& device = *owned;
  DeviceAnchor outer(std::move(owned), "tpm");
  Machine machine(folder, outer);
  ASSERT_TRUE(machine.opened);
  Log& log = **machine.opened;
  {
    const std::scoped_lock lock(device.mutex);
    device.stalled = true;
  }
  for (int i = 0; i < 5; ++i) {
    machine.add(2);
    ASSERT_TRUE(log.post_anchor());
  }
  EXPECT_EQ(log.anchor_lag(), 10U);
  {
    const std::scoped_lock lock(device.mutex);
    device.stalled = false;
  }
  device.wake.notify_all();
  wait_until([&] { return log.anchor_lag() == 0; });
  {
    const std::scoped_lock lock(device.mutex);
    device.broken = true;
  }
  machine.add(1);
  ASSERT_TRUE(log.post_anchor());
  wait_until([&] { return outer.failures() == 1; });
  EXPECT_EQ(log.anchor_lag(), 1U);
  EXPECT_FALSE(log.write_anchor());
}

TEST(DeviceAnchor, ThatIsGoneBesideALedgerWithRecordsIsRefusedUnlessAdopted) {
  Folder folder;
  {
    DeviceAnchor outer(std::make_unique<SlowDevice>(), "hsm");
    Machine machine(folder, outer);
    ASSERT_TRUE(machine.opened);
    machine.add(2);
  }
  DeviceAnchor fresh(std::make_unique<SlowDevice>(), "hsm");
  EXPECT_TRUE(Machine(folder, fresh).opened.error().is(Errc::anchor_malformed));
  EXPECT_TRUE(Machine(folder, fresh, true).opened);
}

class HsmAnchorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SoftHsm::present()) GTEST_SKIP() << "SoftHSM 2 is not here";
    hsm_ = std::make_unique<SoftHsm>();
  }
  [[nodiscard]] std::unique_ptr<Anchor> anchor(const char* origin = testing::origin) const {
    return must(make_hsm_anchor({.origin = origin, .uri = hsm_->uri("talla-anchor")}));
  }
  std::unique_ptr<SoftHsm> hsm_;
};

TEST_F(HsmAnchorTest, RefusesOlderDisks) {
  refuses_older_disks(
      [this](const char* origin) { return std::make_unique<DeviceAnchor>(anchor(origin), "hsm"); });
}

TEST_F(HsmAnchorTest, OfTwoObjectsTakesTheFurtherAndRemovesTheOther) {
  {
    const auto first = anchor();
    EXPECT_FALSE(must(first->read()));
    ASSERT_TRUE(first->write(state_of(5)));
  }
  const auto token = hsm_->open();
  const Pkcs11Query query{
      .type = Pkcs11Class::data, .label = "talla-anchor", .id = {}, .application = "talla-anchor"};
  // As a power cut between making and destroying leaves them.
  const std::string text = anchor_text(state_of(7));
  const Pkcs11Object dummy =
      must(token->create_data({.label = "dummy", .application = "dummy", .value = {1}}));
  must(token->replace_data(dummy, {.label = "talla-anchor",
                                   .application = "talla-anchor",
                                   .value = {as_bytes(text).begin(), as_bytes(text).end()}}));
  EXPECT_EQ(must(token->find(query)).size(), 2U);
  EXPECT_EQ(must(anchor()->read()), state_of(7));
  const auto one = anchor();
  static_cast<void>(must(one->read()));
  for (std::uint64_t size = 8; size < 12; ++size) ASSERT_TRUE(one->write(state_of(size)));
  EXPECT_EQ(must(token->find(query)).size(), 1U);
  EXPECT_EQ(must(anchor()->read()), state_of(11));
}

TEST_F(HsmAnchorTest, RefusesAForeignADamagedAndAMissingObject) {
  const auto one = anchor();
  static_cast<void>(must(one->read()));
  ASSERT_TRUE(one->write(state_of(5)));
  EXPECT_TRUE(anchor("log.example/other")->read().error().is(Errc::anchor_foreign));
  EXPECT_TRUE(anchor("log.example/other")
                  ->write(state_of(9, 1, "log.example/other"))
                  .error()
                  .is(Errc::anchor_foreign));
  const auto token = hsm_->open();
  const Pkcs11Query query{
      .type = Pkcs11Class::data, .label = "talla-anchor", .id = {}, .application = "talla-anchor"};
  const Pkcs11Object object = must(token->find(query)).front();
  const Bytes cut{'{', '"'};
  const Pkcs11Object damaged = must(
      token->replace_data(object, {.label = "talla-anchor", .application = "talla-anchor", .value = cut}));
  EXPECT_TRUE(anchor()->read().error().is(Errc::anchor_malformed));
  ASSERT_TRUE(token->destroy(damaged));
  EXPECT_TRUE(one->write(state_of(6)).error().is(Errc::anchor_foreign)) << "a vanished anchor was made again";
  EXPECT_FALSE(must(anchor()->read()));
}

class TpmAnchorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SoftTpm::present()) GTEST_SKIP() << "swtpm is not here";
    tpm_ = std::make_unique<SoftTpm>();
  }
  [[nodiscard]] TpmAnchorOptions options(const char* origin = testing::origin) const {
    return {.origin = origin, .tcti = tpm_->tcti(), .index = 0x01815454, .auth_file = {}};
  }
  [[nodiscard]] std::unique_ptr<Anchor> anchor(const char* origin = testing::origin) const {
    return make_tpm_anchor(options(origin));
  }
  std::unique_ptr<SoftTpm> tpm_;
  Folder folder_;
};

TEST_F(TpmAnchorTest, RefusesOlderDisks) {
  refuses_older_disks(
      [this](const char* origin) { return std::make_unique<DeviceAnchor>(anchor(origin), "tpm"); });
}

TEST_F(TpmAnchorTest, OutlivesAPowerCycleAndIsUsedAgainWhenTheTpmIsBack) {
  const auto one = anchor();
  EXPECT_FALSE(must(one->read()));
  ASSERT_TRUE(one->write(state_of(5, 3)));
  EXPECT_EQ(must(one->read()), state_of(5, 3));
  tpm_->stop();
  EXPECT_TRUE(one->write(state_of(6, 3)).error().is(Errc::anchor_unreachable));
  tpm_->start();
  const auto again = anchor();
  EXPECT_EQ(must(again->read()), state_of(5, 3));
  ASSERT_TRUE(again->write(state_of(7, 4)));
  EXPECT_EQ(must(anchor()->read()), state_of(7, 4));
}

TEST_F(TpmAnchorTest, AsksForItsAuthorisationValueAndKeepsToItsLog) {
  std::ofstream(folder_ / "auth") << "0123456789abcdef";
  std::filesystem::permissions(folder_ / "auth",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::ofstream(folder_ / "wrong") << "0123456789abcdeX";
  std::filesystem::permissions(folder_ / "wrong",
                               std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  TpmAnchorOptions with = options();
  with.auth_file = folder_ / "auth";
  const auto one = make_tpm_anchor(with);
  EXPECT_FALSE(must(one->read()));
  ASSERT_TRUE(one->write(state_of(5)));
  EXPECT_EQ(must(make_tpm_anchor(with)->read()), state_of(5));
  EXPECT_TRUE(anchor()->read().error().is(Errc::anchor_unreachable));  // no value
  for (int i = 0; i < 40; ++i) {  // no lock-out of the dictionary attack defence
    TpmAnchorOptions wrong = with;
    wrong.auth_file = folder_ / "wrong";
    EXPECT_FALSE(make_tpm_anchor(wrong)->read());
  }
  TpmAnchorOptions other = with;
  other.origin = "log.example/other";
  EXPECT_TRUE(make_tpm_anchor(other)->read().error().is(Errc::anchor_foreign));
  EXPECT_EQ(must(make_tpm_anchor(with)->read()), state_of(5));
  TpmAnchorOptions outside = with;
  outside.index = 0x01400001;
  EXPECT_TRUE(make_tpm_anchor(outside)->read().error().is(Errc::anchor_foreign));
}

TEST_F(TpmAnchorTest, ThatVanishesIsNotMadeAgain) {
  const auto one = anchor();
  static_cast<void>(must(one->read()));
  ASSERT_TRUE(one->write(state_of(5)));
  tpm_ = nullptr;
  tpm_ = std::make_unique<SoftTpm>();  // another chip, nothing defined in it
  const auto fresh = make_tpm_anchor(options());
  EXPECT_TRUE(fresh->write(state_of(6)).error().is(Errc::anchor_foreign));  // it never read
  EXPECT_FALSE(must(fresh->read()));
  EXPECT_TRUE(fresh->write(state_of(6)));
}

}  // namespace
}  // namespace talla::certs
