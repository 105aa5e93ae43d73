// Goal: rngd-source's work loop sends hello, samples, notices and the right end, and never hangs.
// Method: the loop over a socket pair with a scripted source; the core's decoder reads it.
#include "source/forward.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <thread>

#include "support/wiped.hpp"

using namespace talla;
using namespace talla::usb;
using talla::test::wiped_by;

namespace {

/// Gives what is queued, then runs `then` once and an error afterwards, or nothing for ever.
class ScriptedSource final : public entropy::NoiseSource {
 public:
  [[nodiscard]] const entropy::SourceDescription& description() const override {
    return description_;
  }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned /*timeout_ms*/) override {
    if (on_read) on_read();
    if (!queue.empty()) {
      const Bytes next = queue.front();
      queue.pop_front();
      std::copy(next.begin(), next.end(), samples.begin());
      return next.size();
    }
    if (fails) return fail(UsbErrc::gone, "unplugged");
    return std::size_t{0};
  }
  [[nodiscard]] Status renew() override {
    queue = {after_renewal};
    return {};
  }
  void stop() override {}
  std::deque<Bytes> queue;
  Bytes after_renewal{9};
  std::function<void()> on_read;
  bool fails = false;

 private:
  entropy::SourceDescription description_;
};

class Forward : public ::testing::Test {
 public:
  ~Forward() override {
    close(ends_[0]);
    close(ends_[1]);
  }

 protected:
  Forward() {
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0);
    hello_.description.model = "m";
    hello_.description.source_class = entropy::SourceClass::raw_physical;
  }
  source::Ending run() { return source::forward(source_, hello_, counters_, ends_[1]); }
  std::vector<Frame> received() {
    FrameDecoder decoder;
    std::array<std::uint8_t, 65536> chunk{};
    ssize_t got = 0;
    while ((got = recv(ends_[0], chunk.data(), chunk.size(), MSG_DONTWAIT)) > 0) {
      decoder.push(ByteView(chunk).first(static_cast<std::size_t>(got)));
    }
    std::vector<Frame> frames;
    while (true) {
      auto frame = decoder.next();
      EXPECT_TRUE(frame);
      if (!frame || !*frame) return frames;
      frames.push_back(std::move(**frame));
    }
  }
  std::array<int, 2> ends_{};
  ScriptedSource source_;
  HelloFrame hello_;
  StreamCounters counters_;
};

TEST_F(Forward,
       a_wish_for_a_new_generation_drops_what_the_source_held_and_is_answered_in_its_place) {
  source_.queue = {{1}, {2}, {3}, {4}};
  source_.fails = true;
  int reads = 0;
  source_.on_read = [&] {
    if (++reads != 2) return;  // the second sample is on its way; the others wait
    const Bytes wish = encode_frame(RenewedFrame{.generation = 7});
    EXPECT_EQ(send(ends_[0], wish.data(), wish.size(), 0), static_cast<ssize_t>(wish.size()));
  };
  EXPECT_EQ(run(), source::Ending::source_lost);
  const auto frames = received();
  ASSERT_EQ(frames.size(), 6U);
  EXPECT_EQ(std::get<SamplesFrame>(frames[2]).samples, Bytes{2});
  EXPECT_EQ(std::get<RenewedFrame>(frames[3]).generation, 7U);
  EXPECT_EQ(std::get<SamplesFrame>(frames[4]).samples, Bytes{9})
      << "3 and 4 were older than the wish";
}

TEST_F(Forward, what_is_no_wish_ends_it) {
  const Bytes bye = encode_frame(ByeFrame{});
  EXPECT_EQ(send(ends_[0], bye.data(), bye.size(), 0), static_cast<ssize_t>(bye.size()));
  EXPECT_EQ(run(), source::Ending::asked);
}

TEST_F(Forward, hello_samples_then_the_error_of_the_source) {
  source_.queue = {{1, 2, 3}, {}, {4}};
  source_.fails = true;
  EXPECT_EQ(run(), source::Ending::source_lost);
  const auto frames = received();
  ASSERT_EQ(frames.size(), 4U);
  EXPECT_EQ(std::get<HelloFrame>(frames[0]).description.model, "m");
  EXPECT_EQ(std::get<SamplesFrame>(frames[1]).samples, (Bytes{1, 2, 3}));
  EXPECT_EQ(std::get<SamplesFrame>(frames[2]).samples, (Bytes{4}));
  EXPECT_EQ(std::get<ErrorFrame>(frames[3]).code, "usb_gone");
}

TEST_F(Forward, keeps_no_sample_that_it_has_sent) {
  source_.queue = {Bytes(100, 1), Bytes(7, 2)};
  source_.fails = true;
  constexpr std::uint64_t header = 8;
  EXPECT_EQ(wiped_by([&] { EXPECT_EQ(run(), source::Ending::source_lost); }),
            100U + (header + 100U) + 7U + (header + 7U))
      << "as they were read, and as a frame";
}

TEST_F(Forward, a_reader_that_closes_its_sending_half_gets_bye) {
  source_.on_read = [this] { shutdown(ends_[0], SHUT_WR); };
  source_.queue = {{7}};
  EXPECT_EQ(run(), source::Ending::asked);
  const auto frames = received();
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<ByeFrame>(frames[2]));
}

TEST_F(Forward, a_reader_that_is_gone_ends_the_loop) {
  source_.on_read = [this] { shutdown(ends_[0], SHUT_RDWR); };
  source_.queue = {{7}, {8}};
  EXPECT_EQ(run(), source::Ending::asked);
}

TEST_F(Forward, a_full_socket_waits_and_the_end_is_still_noticed) {
  source_.on_read = [this] { source_.queue.emplace_back(4096, 1); };
  std::thread reader([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    shutdown(ends_[0], SHUT_WR);
  });
  EXPECT_EQ(run(), source::Ending::asked);
  reader.join();
}

TEST_F(Forward, overcome_stalls_silences_and_dropped_blocks_are_told) {
  source_.queue = {{1}};
  source_.fails = true;
  source_.on_read = [this] {
    counters_.stalls = 2;
    counters_.failures = 1;
    counters_.silences = 5;
    counters_.dropped_blocks = 7;
  };
  EXPECT_EQ(run(), source::Ending::source_lost);
  const auto frames = received();
  ASSERT_EQ(frames.size(), 6U);
  EXPECT_EQ(std::get<NoticeFrame>(frames[1]).count, 3U);
  EXPECT_EQ(std::get<NoticeFrame>(frames[2]).what, NoticeFrame::What::restarted_after_silence);
  EXPECT_EQ(std::get<NoticeFrame>(frames[2]).count, 5U);
  EXPECT_EQ(std::get<NoticeFrame>(frames[3]).what, NoticeFrame::What::blocks_dropped);
  EXPECT_EQ(std::get<NoticeFrame>(frames[3]).count, 7U);
}

TEST_F(Forward, what_the_driver_measured_is_told_once_a_second) {
  source_.queue = {{1}, {2}, {3}};
  source_.fails = true;
  source_.on_read = [this] {
    counters_.figures = {.gain_permille = 1838 + counters_.figures.gain_permille % 2,
                         .supply_millivolts = 5012};
  };
  EXPECT_EQ(run(), source::Ending::source_lost);
  std::vector<std::pair<NoticeFrame::What, std::uint64_t>> told;
  for (const Frame& frame : received()) {
    if (const auto* notice = std::get_if<NoticeFrame>(&frame))
      told.emplace_back(notice->what, notice->count);
  }
  ASSERT_EQ(told.size(), 2U) << "what changes within the second waits";
  EXPECT_EQ(told[0], std::pair(NoticeFrame::What::gain_permille, std::uint64_t{1838}));
  EXPECT_EQ(told[1], std::pair(NoticeFrame::What::supply_millivolts, std::uint64_t{5012}));
}

TEST_F(Forward, a_failure_before_the_hello_is_a_stream_of_one_error) {
  source::report_failure(ends_[1], Error(UsbErrc::no_device, "none"));
  const auto frames = received();
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(std::get<ErrorFrame>(frames[0]).code, "usb_no_device");
}

}  // namespace
