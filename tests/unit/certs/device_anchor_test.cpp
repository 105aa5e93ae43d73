// Goal: a ledger behind its TPM or HSM, or with another history, is refused; so is an anchor that
//   is gone, damaged or another log's; no draw waits for a device.
// Method: a log over SQLite whose file is put back to an older copy; a device of the test's own
//   that stalls and fails; a real SoftHSM 2 (a TPM: tpm_anchor_test.cpp).
#include "certs/device_anchor.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "fixture.hpp"
#include "older_disks.hpp"
#include "soft_hsm.hpp"

namespace talla::certs {
namespace {

using testing::Folder;
using testing::Machine;
using testing::must;
using testing::refuses_older_disks;
using testing::SoftHsm;
using testing::state_of;

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
  for (int i = 0; i < 1000 && !done(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(done());
}

TEST(DeviceAnchor, lets_no_commit_wait_and_writes_the_newest) {
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

TEST(DeviceAnchor, that_is_gone_beside_a_ledger_with_records_is_refused_unless_adopted) {
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

TEST_F(HsmAnchorTest, refuses_older_disks) {
  refuses_older_disks(
      [this](const char* origin) { return std::make_unique<DeviceAnchor>(anchor(origin), "hsm"); });
}

TEST_F(HsmAnchorTest, of_two_objects_takes_the_further_and_removes_the_other) {
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

TEST_F(HsmAnchorTest, refuses_a_foreign_a_damaged_and_a_missing_object) {
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
  const Pkcs11Object damaged = must(token->replace_data(
      object, {.label = "talla-anchor", .application = "talla-anchor", .value = cut}));
  EXPECT_TRUE(anchor()->read().error().is(Errc::anchor_malformed));
  ASSERT_TRUE(token->destroy(damaged));
  EXPECT_TRUE(one->write(state_of(6)).error().is(Errc::anchor_foreign))
      << "a vanished anchor was made again";
  EXPECT_FALSE(must(anchor()->read()));
}

}  // namespace
}  // namespace talla::certs
