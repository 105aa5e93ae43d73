// Goal: what the core takes from a source process is younger than its last wish for new noise, and
//       what it has handed out or dropped is wiped.
// Method: the test is the source process, at the other end of the socket, and says each frame.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <thread>

#include "support/wiped.hpp"
#include "usb/errors.hpp"
#include "usb/source_frame.hpp"
#include "usb/source_process.hpp"

using namespace talla;
using namespace talla::usb;
using talla::test::wiped_by;

namespace {

constexpr std::uint64_t header = frame_header_bytes;

class ToldSource : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (std::filesystem::temp_directory_path() / "talla-told-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    const std::string path = (folder_ / "socket").string();
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    ASSERT_EQ(bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    ASSERT_EQ(listen(listener, 1), 0);
    std::thread greeting([this, listener] {
      end_ = accept(listener, nullptr, nullptr);
      for (char next = 0; next != '\n' && recv(end_, &next, 1, 0) == 1;) {
      }
      say(encode_frame(
          HelloFrame{.description = {.model = "chaoskey",
                                     .serial = "0123",
                                     .source_class = entropy::SourceClass::raw_physical,
                                     .bits_per_sample = 8,
                                     .assessed_millibits_per_sample = 4000,
                                     .nominal_rate_hz = 0},
                     .assessment_origin = "assumed"}));
    });
    SourceProcessOptions options{.socket = path};
    options.device = "chaoskey:0123";
    auto made = SourceProcess::start(options);
    greeting.join();
    close(listener);
    ASSERT_TRUE(made) << made.error().text();
    process_ = std::move(*made);
  }
  void TearDown() override {
    process_.reset();
    if (end_ >= 0) close(end_);
    std::filesystem::remove_all(folder_);
  }
  void say(const Bytes& bytes) const {
    EXPECT_EQ(send(end_, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
  }
  static Bytes joined(std::initializer_list<Bytes> frames) {
    Bytes all;
    for (const Bytes& frame : frames) all.insert(all.end(), frame.begin(), frame.end());
    return all;
  }
  static Bytes renewed(std::uint64_t generation) {
    return encode_frame(RenewedFrame{.generation = generation});
  }
  /// The generation of the next wish.
  std::uint64_t wished() const {
    Bytes wish(renew_bytes);
    EXPECT_EQ(recv(end_, wish.data(), wish.size(), MSG_WAITALL), static_cast<ssize_t>(wish.size()));
    return decode_renew(wish).value_or(0);
  }
  Bytes read(std::size_t most) {
    Bytes samples(most);
    const auto got = process_->read(samples, 5000);
    EXPECT_TRUE(got) << got.error().text();
    samples.resize(got.value_or(0));
    return samples;
  }
  std::filesystem::path folder_;
  int end_ = -1;
  std::unique_ptr<SourceProcess> process_;
};

TEST_F(ToldSource, nothing_that_is_older_than_the_wish_comes_behind_it) {
  say(encode_samples(Bytes(100, 1)));
  EXPECT_EQ(read(40), Bytes(40, 1)) << "sixty wait in the core";
  ASSERT_TRUE(process_->renew());
  EXPECT_EQ(wished(), 1U);
  // What was on its way when the wish came, the answer, and what is new.
  say(joined({encode_samples(Bytes(50, 2)), renewed(1), encode_samples(Bytes(30, 3))}));
  EXPECT_EQ(read(1000), Bytes(30, 3));
}

TEST_F(ToldSource, of_two_wishes_the_answer_to_the_last_one_counts) {
  ASSERT_TRUE(process_->renew());
  ASSERT_TRUE(process_->renew());
  EXPECT_EQ(wished(), 1U);
  EXPECT_EQ(wished(), 2U);
  say(joined({renewed(1), encode_samples(Bytes(50, 2)), renewed(2), encode_samples(Bytes(5, 3))}));
  EXPECT_EQ(read(1000), Bytes(5, 3));
}

TEST_F(ToldSource, an_answer_to_a_wish_that_nobody_had_ends_the_stream) {
  ASSERT_TRUE(process_->renew());
  say(joined({renewed(2), encode_samples(Bytes(5, 3))}));
  Bytes samples(10);
  for (int k = 0; k < 2; ++k) {
    const auto got = process_->read(samples, 5000);
    ASSERT_FALSE(got);
    EXPECT_TRUE(got.error().is(UsbErrc::malformed_frame)) << got.error().text();
  }
}

TEST_F(ToldSource, no_sample_stays_where_it_was) {
  say(encode_samples(Bytes(100, 1)));
  EXPECT_EQ(wiped_by([&] { EXPECT_EQ(read(40).size(), 40U); }), 2 * (header + 100) + 40)
      << "as it was received, its frame, and what was handed out";
  EXPECT_EQ(wiped_by([&] { ASSERT_TRUE(process_->renew()); }), 100U);
  const Bytes all =
      joined({encode_samples(Bytes(50, 2)), renewed(1), encode_samples(Bytes(30, 3))});
  say(all);
  EXPECT_EQ(wiped_by([&] { EXPECT_EQ(read(10).size(), 10U); }), 2 * all.size() + 50 + 10)
      << "and what is older than the wish";
  EXPECT_EQ(wiped_by([&] { process_.reset(); }), 30 + all.size()) << "what waited, and the frames";
}

}  // namespace
