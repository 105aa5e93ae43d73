// Goal: a TPM anchor gives what was last written to it or an error, whatever its owner or the bus
//   does; its authorisation value must be, shows on no bus and stays in no memory.
// Method: a real swtpm; an operator with the owner's rights and even with the value; a proxy that
//   records, changes and cuts.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "certs/device_anchor.hpp"
#include "fixture.hpp"
#include "older_disks.hpp"
#include "soft_tpm.hpp"
#include "support/sanitized.hpp"
#include "tpm_operator.hpp"

namespace talla::certs {
namespace {

using testing::Folder;
using testing::must;
using testing::SoftTpm;
using testing::state_of;
using testing::TpmBus;
using testing::TpmOperator;

constexpr std::uint32_t data_index = 0x01815454;
constexpr std::uint32_t counter_index = data_index + 1;
constexpr const char* good_auth = "0123456789abcdef0123456789abcdeF";

class TpmAnchorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SoftTpm::present()) GTEST_SKIP() << "swtpm is not here";
    tpm_ = std::make_unique<SoftTpm>();
    keep("auth", good_auth);
  }
  void keep(const std::string& name, std::string_view value) const {
    const int fd = ::open((folder_ / name).c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    ASSERT_EQ(::write(fd, value.data(), value.size()), static_cast<ssize_t>(value.size()));
    ::close(fd);
  }
  [[nodiscard]] TpmAnchorOptions options(const char* origin = testing::origin) const {
    return {
        .origin = origin, .tcti = tpm_->tcti(), .index = data_index, .auth_file = folder_ / "auth"};
  }
  [[nodiscard]] TpmAnchorOptions with_auth(const std::string& name, std::string_view value) const {
    keep(name, value);
    TpmAnchorOptions with = options();
    with.auth_file = folder_ / name;
    return with;
  }
  [[nodiscard]] std::unique_ptr<Anchor> anchor(const char* origin = testing::origin) const {
    return make_tpm_anchor(options(origin));
  }
  /// One that has written this size.
  [[nodiscard]] std::unique_ptr<Anchor> written(std::uint64_t size) const {
    auto one = anchor();
    EXPECT_FALSE(must(one->read()));
    must(one->write(state_of(size)));
    return one;
  }
  /// Neither read nor overwritten, for this reason.
  void expect_foreign(Anchor& running, const std::string& words) const {
    const auto read = anchor()->read();
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().is(Errc::anchor_foreign)) << read.error().text();
    EXPECT_NE(read.error().text().find(words), std::string::npos) << read.error().text();
    const auto write = running.write(state_of(99));
    ASSERT_FALSE(write);
    EXPECT_TRUE(write.error().is(Errc::anchor_foreign)) << write.error().text();
  }
  std::unique_ptr<SoftTpm> tpm_;
  Folder folder_;
};

TEST_F(TpmAnchorTest, refuses_older_disks) {
  testing::refuses_older_disks(
      [this](const char* origin) { return std::make_unique<DeviceAnchor>(anchor(origin), "tpm"); });
}

TEST_F(TpmAnchorTest, outlives_a_power_cycle_and_is_used_again_when_the_tpm_is_back) {
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

TEST_F(TpmAnchorTest, without_an_authorisation_value_is_none_and_says_how_to_make_one) {
  TpmAnchorOptions none = options();
  none.auth_file = {};
  for (const TpmAnchorOptions& bad :
       {none, with_auth("empty", ""), with_auth("short", "0123456789abcde"),
        with_auth("zeros", std::string(32, '\0')), with_auth("long", std::string(33, 'x'))}) {
    const auto read = make_tpm_anchor(bad)->read();
    ASSERT_FALSE(read) << bad.auth_file;
    EXPECT_TRUE(read.error().is(Errc::key_malformed)) << read.error().text();
    EXPECT_NE(read.error().text().find("openssl rand"), std::string::npos) << read.error().text();
    EXPECT_FALSE(make_tpm_anchor(bad)->write(state_of(1)));
  }
}

TEST_F(TpmAnchorTest, asks_for_its_authorisation_value_and_keeps_to_its_log) {
  const auto one = written(5);
  for (int i = 0; i < 40; ++i) {  // no lock-out of the dictionary attack defence
    const auto read =
        make_tpm_anchor(with_auth("wrong", "0123456789abcdef0123456789abcdeX"))->read();
    ASSERT_FALSE(read);
    EXPECT_TRUE(read.error().is(Errc::anchor_foreign)) << read.error().text();
    EXPECT_EQ(read.error().text().find("abcdeX"), std::string::npos);
  }
  EXPECT_TRUE(anchor("log.example/other")->read().error().is(Errc::anchor_foreign));
  EXPECT_EQ(must(anchor()->read()), state_of(5));
  TpmAnchorOptions outside = options();
  outside.index = 0x01400001;
  EXPECT_TRUE(make_tpm_anchor(outside)->read().error().is(Errc::anchor_foreign));
  outside.index = 0x01bfffff;  // its counter would be another's
  EXPECT_TRUE(make_tpm_anchor(outside)->read().error().is(Errc::anchor_foreign));
}

TEST_F(TpmAnchorTest, that_vanishes_is_not_made_again) {
  const auto one = written(5);
  tpm_ = nullptr;
  tpm_ = std::make_unique<SoftTpm>();  // another chip, nothing defined in it
  const auto fresh = make_tpm_anchor(options());
  EXPECT_TRUE(fresh->write(state_of(6)).error().is(Errc::anchor_foreign));  // it never read
  EXPECT_FALSE(must(fresh->read()));
  EXPECT_TRUE(fresh->write(state_of(6)));
}

TEST_F(TpmAnchorTest, sees_older_content_that_is_written_back_by_who_has_the_value) {
  const auto one = written(5);
  const Bytes old = TpmOperator(tpm_->tcti()).read(data_index, good_auth);
  ASSERT_TRUE(one->write(state_of(6)));
  const Bytes good = TpmOperator(tpm_->tcti()).read(data_index, good_auth);
  ASSERT_TRUE(TpmOperator(tpm_->tcti()).write(data_index, good_auth, old));
  expect_foreign(*one, "older content");
  ASSERT_TRUE(TpmOperator(tpm_->tcti()).write(data_index, good_auth, good));
  EXPECT_EQ(must(anchor()->read()), state_of(6));
}

TEST_F(TpmAnchorTest, sees_an_index_that_was_deleted_and_defined_anew) {
  const auto one = written(5);
  TpmOperator owner(tpm_->tcti());
  const Bytes old = owner.read(data_index, good_auth);
  const TPMS_NV_PUBLIC area = owner.public_of(data_index);
  ASSERT_TRUE(one->write(state_of(6)));
  ASSERT_TRUE(owner.remove(data_index));
  expect_foreign(*one, "is empty, but its counter stands at");
  ASSERT_TRUE(owner.define(data_index, area.attributes, area.dataSize, good_auth));
  expect_foreign(*one, "is empty, but its counter stands at");
  ASSERT_TRUE(owner.write(data_index, good_auth, old));
  expect_foreign(*one, "older content");
  ASSERT_TRUE(owner.remove(data_index));
  ASSERT_TRUE(owner.define(data_index, area.attributes, area.dataSize, "another value of his"));
  ASSERT_TRUE(owner.write(data_index, "another value of his", old));
  expect_foreign(*one, "another authorisation value");
}

TEST_F(TpmAnchorTest, sees_a_counter_that_was_deleted_and_made_anew) {
  const auto one = written(5);
  TpmOperator owner(tpm_->tcti());
  const TPMS_NV_PUBLIC area = owner.public_of(counter_index);
  EXPECT_EQ((area.attributes & TPMA_NV_TPM2_NT_MASK) >> TPMA_NV_TPM2_NT_SHIFT, TPM2_NT_COUNTER);
  const Bytes old = owner.read(data_index, good_auth);
  for (std::uint64_t size = 6; size < 9; ++size) ASSERT_TRUE(one->write(state_of(size)));
  ASSERT_TRUE(owner.remove(counter_index));
  expect_foreign(*one, "is gone or was made anew");
  ASSERT_TRUE(owner.define(counter_index, area.attributes, area.dataSize, good_auth));
  expect_foreign(*one, "is gone or was made anew");
  ASSERT_TRUE(owner.increment(counter_index, good_auth));
  ASSERT_TRUE(owner.write(data_index, good_auth, old));
  expect_foreign(*one, "older content");  // a TPM counts on from the highest that it ever had
}

TEST_F(TpmAnchorTest, refuses_an_index_of_other_attributes) {
  const auto one = written(5);
  TpmOperator owner(tpm_->tcti());
  const Bytes good = owner.read(data_index, good_auth);
  const TPMS_NV_PUBLIC data = owner.public_of(data_index);
  for (const TPMA_NV more : {TPMA_NV_OWNERWRITE, TPMA_NV_PPREAD, TPMA_NV_CLEAR_STCLEAR}) {
    ASSERT_TRUE(owner.remove(data_index));
    ASSERT_TRUE(owner.define(data_index, data.attributes | more, data.dataSize, good_auth));
    ASSERT_TRUE(owner.write(data_index, good_auth, good));
    expect_foreign(*one, "another kind of index");
  }
  // An ordinary index in the place of the counter: it can be set to any value.
  ASSERT_TRUE(owner.remove(data_index));
  ASSERT_TRUE(owner.define(data_index, data.attributes, data.dataSize, good_auth));
  ASSERT_TRUE(owner.write(data_index, good_auth, good));
  EXPECT_EQ(must(anchor()->read()), state_of(5));
  const Bytes count = owner.read(counter_index, good_auth);
  ASSERT_TRUE(owner.remove(counter_index));
  ASSERT_TRUE(owner.define(counter_index, data.attributes, 8, good_auth));
  ASSERT_TRUE(owner.write(counter_index, good_auth, count));
  expect_foreign(*one, "another kind of index");
}

TEST_F(TpmAnchorTest, a_power_cut_between_the_two_writes_loses_nothing_and_opens_nothing) {
  const auto first = written(5);
  {
    TpmBus bus(tpm_->port());
    TpmAnchorOptions cut = options();
    cut.tcti = bus.tcti();
    const auto one = make_tpm_anchor(cut);
    EXPECT_EQ(must(one->read()), state_of(5));
    bus.cut = TPM2_CC_NV_Increment;
    EXPECT_TRUE(one->write(state_of(6)).error().is(Errc::anchor_unreachable));
  }
  tpm_->stop();
  tpm_->start();
  const Bytes between = TpmOperator(tpm_->tcti()).read(data_index, good_auth);
  EXPECT_EQ(must(anchor()->read()), state_of(6));
  ASSERT_TRUE(first->write(state_of(7)));
  EXPECT_EQ(must(anchor()->read()), state_of(7));
  ASSERT_TRUE(TpmOperator(tpm_->tcti()).write(data_index, good_auth, between));
  expect_foreign(*first, "older content");
}

TEST_F(TpmAnchorTest, takes_no_answer_that_was_changed_on_the_bus) {
  const auto one = written(5);
  TpmBus bus(tpm_->port());
  TpmAnchorOptions through = options();
  through.tcti = bus.tcti();
  EXPECT_EQ(must(make_tpm_anchor(through)->read()), state_of(5)) << "the proxy itself";
  // Each byte behind the header of what is read: lengths, the value, the session's nonce,
  // attributes and HMAC.
  std::vector<std::uint8_t> sample;
  bus.change = [&](std::uint32_t command, std::vector<std::uint8_t>& answer) {
    if (command == TPM2_CC_NV_Read && answer.size() > sample.size()) sample = answer;
  };
  EXPECT_TRUE(make_tpm_anchor(through)->read());
  for (const std::size_t at : {16U, 40U, 60U, 90U, 130U, 150U, 180U, 184U, 200U}) {
    if (at >= sample.size()) continue;
    bus.change = [&](std::uint32_t command, std::vector<std::uint8_t>& answer) {
      if (command == TPM2_CC_NV_Read && answer.size() > at) answer[at] ^= 1U;
    };
    const auto read = make_tpm_anchor(through)->read();
    ASSERT_FALSE(read) << at;
    EXPECT_TRUE(read.error().is(Errc::anchor_unreachable)) << read.error().text();
  }
  // Without its session: as a TPM that was asked in the clear would answer.
  bus.change = [&](std::uint32_t command, std::vector<std::uint8_t>& answer) {
    if (command != TPM2_CC_NV_Read || answer.size() < 24) return;
    const auto body = std::size_t{load_be32(answer.data() + 10)};
    std::vector<std::uint8_t> plain(answer.begin(), answer.begin() + 10);
    plain.insert(plain.end(), answer.begin() + 14,
                 answer.begin() + 14 + static_cast<std::ptrdiff_t>(body));
    plain[1] = 0x01;  // TPM_ST_NO_SESSIONS
    plain[4] = 0;
    plain[5] = static_cast<std::uint8_t>(plain.size());
    answer = plain;
  };
  EXPECT_FALSE(make_tpm_anchor(through)->read());
  // A lie about the attributes: they are in the name, and the name is in the HMAC of the next
  // command.
  TpmOperator owner(tpm_->tcti());
  const TPMS_NV_PUBLIC area = owner.public_of(data_index);
  const Bytes good = owner.read(data_index, good_auth);
  ASSERT_TRUE(owner.remove(data_index));
  ASSERT_TRUE(
      owner.define(data_index, area.attributes | TPMA_NV_OWNERWRITE, area.dataSize, good_auth));
  ASSERT_TRUE(owner.write(data_index, good_auth, good));
  bus.change = [&](std::uint32_t command, std::vector<std::uint8_t>& answer) {
    if (command == TPM2_CC_NV_ReadPublic && answer.size() > 23)
      answer[21] = static_cast<std::uint8_t>(answer[21] & ~std::uint32_t{TPMA_NV_OWNERWRITE});
  };
  EXPECT_FALSE(make_tpm_anchor(through)->read());
  bus.change = nullptr;
}

TEST_F(TpmAnchorTest, shows_neither_its_value_nor_its_content_on_the_bus) {
  TpmBus bus(tpm_->port());
  TpmAnchorOptions through = options();
  through.tcti = bus.tcti();
  const auto one = make_tpm_anchor(through);
  EXPECT_FALSE(must(one->read()));
  ASSERT_TRUE(one->write(state_of(77)));
  EXPECT_EQ(must(one->read()), state_of(77));
  EXPECT_GT(bus.carried_bytes(), 1000U);
  EXPECT_FALSE(bus.carried(good_auth));
  EXPECT_FALSE(bus.carried("TALLANV"));
  const TpmAnchorOptions wrong = with_auth("wrong", "0123456789abcdefGHIJKLMNOP");
  TpmAnchorOptions wrong_through = wrong;
  wrong_through.tcti = bus.tcti();
  EXPECT_FALSE(make_tpm_anchor(wrong_through)->read());
  EXPECT_FALSE(bus.carried("0123456789abcdefGHIJKLMNOP"));
}

/// Places in this process's writable memory that hold `value`, which the caller has hidden by XOR.
std::size_t found_in_memory(const std::array<std::uint8_t, 32>& hidden) {
  std::size_t found = 0;
  std::FILE* maps = std::fopen("/proc/self/maps", "re");
  const int memory = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  std::array<char, 512> line{};
  constexpr std::size_t block_bytes = std::size_t{1} << 20;
  // Its own mapping, which is left out of the search.
  auto* block = static_cast<std::uint8_t*>(
      ::mmap(nullptr, block_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  while (std::fgets(line.data(), static_cast<int>(line.size()), maps) != nullptr) {
    unsigned long from = 0;
    unsigned long to = 0;
    std::array<char, 8> mode{};
    // NOLINTNEXTLINE(cert-err34-c): the kernel's own numbers
    if (std::sscanf(line.data(), "%lx-%lx %7s", &from, &to, mode.data()) != 3 || mode[1] != 'w')
      continue;
    for (unsigned long at = from; at < to; at += block_bytes - 32) {
      const std::size_t want = std::min<std::size_t>(block_bytes, to - at);
      const ssize_t got = ::pread(memory, block, want, static_cast<off_t>(at));
      for (ssize_t i = 0; i + 24 <= got; ++i) {
        const auto own = reinterpret_cast<unsigned long>(block);
        if (at + static_cast<unsigned long>(i) >= own &&
            at + static_cast<unsigned long>(i) < own + block_bytes)
          continue;
        bool same = true;
        for (std::size_t k = 0; same && k < 24; ++k)
          same = (block[static_cast<std::size_t>(i) + k] ^ 0xA7U) == hidden.at(k);
        if (same) ++found;
      }
    }
  }
  ::munmap(block, block_bytes);
  static_cast<void>(std::fclose(maps));
  ::close(memory);
  return found;
}

TEST_F(TpmAnchorTest, leaves_its_value_in_no_memory) {
  if (talla::test::address_sanitized)
    GTEST_SKIP() << "the sanitizer's own memory is too large to search";
  std::array<std::uint8_t, 32> hidden{};
  {
    std::array<std::uint8_t, 32> value{};
    for (std::size_t i = 0; i < value.size(); ++i)
      value.at(i) = static_cast<std::uint8_t>(33 + i * 7 % 89);
    const int fd = ::open((folder_ / "auth").c_str(), O_TRUNC | O_WRONLY | O_CLOEXEC);
    ASSERT_EQ(::write(fd, value.data(), value.size()), 32);
    ::close(fd);
    for (std::size_t i = 0; i < value.size(); ++i) hidden.at(i) = value.at(i) ^ 0xA7U;
    EXPECT_GT(found_in_memory(hidden), 0U) << "the search itself";
    wipe(value.data(), value.size());
  }
  ASSERT_EQ(found_in_memory(hidden), 0U) << "the test's own copy";
  const auto one = anchor();
  EXPECT_FALSE(must(one->read()));
  ASSERT_TRUE(one->write(state_of(5)));
  EXPECT_EQ(found_in_memory(hidden), 0U) << "after a definition";
  EXPECT_EQ(must(one->read()), state_of(5));
  EXPECT_EQ(found_in_memory(hidden), 0U) << "after a reading";
}

}  // namespace
}  // namespace talla::certs
