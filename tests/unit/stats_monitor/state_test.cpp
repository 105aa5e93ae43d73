// Goal: a state that is read back goes on as if it had never been away, and one that is not whole
//       is refused by name.
// Method: every kind of group, saved in the middle, continued twice; every byte of a frame changed,
//         every length cut.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "stats/monitor/board.hpp"
#include "stats/monitor/streams.hpp"
#include "stats/monitor/threshold.hpp"

namespace talla::stats::monitor {
namespace {

std::unique_ptr<Group> make(const std::string& key) {
  if (key == "wheel") return std::make_unique<Alphabet>(37, "numbers");
  if (key == "large") return std::make_unique<Alphabet>(100, "numbers");
  if (key == "shoe") return std::make_unique<Shoe>(std::vector<std::uint32_t>(13, 4));
  if (key == "bits") return std::make_unique<ConditionedBits>();
  if (key == "noise") return std::make_unique<RawNoise>(7000);
  return nullptr;
}

Board::Options options(double alpha = 0.01, double run_length = 1e9) {
  return {.alpha = alpha, .run_length = run_length, .groups_max = 5, .make = make};
}

/// Everybody gets something to see.
void feed(Board& board, std::mt19937_64& random, int turns, std::vector<Finding>& found) {
  for (int turn = 0; turn < turns; ++turn) {
    for (const char* key : {"wheel", "large"}) {
      auto* alphabet = dynamic_cast<Alphabet*>(board.group(key, 5));
      alphabet->forget();
      for (int i = 0; i < 50; ++i) {
        alphabet->observe(random() % alphabet->size());
        board.look(*alphabet, found);
      }
    }
    auto* shoe = dynamic_cast<Shoe*>(board.group("shoe", 5));
    std::vector<std::uint16_t> kinds;
    for (std::uint16_t i = 0; i < 52; ++i) kinds.push_back(i % 13);
    std::shuffle(kinds.begin(), kinds.end(), random);
    ASSERT_TRUE(shoe->observe(kinds));
    board.look(*shoe, found);
    std::array<std::uint8_t, 64> block{};
    for (auto& byte : block) byte = static_cast<std::uint8_t>(random());
    auto* bits = dynamic_cast<ConditionedBits*>(board.group("bits", 5));
    bits->observe(block);
    board.look(*bits, found);
  }
}

std::string saved(const Board& board) {
  StateWriter out;
  board.save(out);
  return out.fields();
}

TEST(State, an_epoch_goes_on_bit_by_bit) {
  std::mt19937_64 random(21);
  std::vector<Finding> found;
  Board first(options());
  feed(first, random, 40, found);
  const std::string fields = saved(first);
  Board second(options());
  StateReader in(fields);
  second.load(in);
  ASSERT_TRUE(in.finish()) << in.finish().error().detail;
  EXPECT_TRUE(saved(second) == fields);
  std::mt19937_64 other = random;
  feed(first, random, 40, found);
  feed(second, other, 40, found);
  EXPECT_TRUE(saved(second) == saved(first));
  const auto rows = first.rows();
  const auto again = second.rows();
  ASSERT_EQ(rows.size(), again.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].monitor, again[i].monitor);
    EXPECT_EQ(rows[i].place, i + 1);
    EXPECT_EQ(rows[i].process.log_value, again[i].process.log_value) << rows[i].monitor;
    EXPECT_EQ(rows[i].detector.log_value, again[i].detector.log_value) << rows[i].monitor;
    EXPECT_EQ(rows[i].steps, again[i].steps);
  }
}

TEST(State, raw_noise_keeps_its_chunks_and_no_sample) {
  std::mt19937_64 random(22);
  Board first(options());
  auto* noise = dynamic_cast<RawNoise*>(first.group("noise", 0));
  std::vector<std::uint8_t> samples(RawNoise::chunk_samples + 5000);
  for (auto& sample : samples) sample = static_cast<std::uint8_t>(random());
  noise->observe(samples);
  const std::string fields = saved(first);
  noise->observe(std::span(samples).first(9000));
  EXPECT_TRUE(saved(first) == fields) << "nothing of an open chunk is in the state";
  Board second(options());
  StateReader in(fields);
  second.load(in);
  ASSERT_TRUE(in.finish());
  EXPECT_EQ(second.rows()[0].process.log_value, first.rows()[0].process.log_value);
  EXPECT_EQ(second.rows()[0].steps, RawNoise::chunk_samples);
}

TEST(State, every_changed_byte_and_every_cut_is_refused) {
  const std::string frame = frame_state("some fields of a state");
  ASSERT_TRUE(unframe_state(frame));
  EXPECT_EQ(*unframe_state(frame), "some fields of a state");
  for (std::size_t i = 0; i < frame.size(); ++i) {
    for (const char bit : {'\x01', '\x80'}) {
      std::string changed = frame;
      changed[i] = static_cast<char>(changed[i] ^ bit);
      const auto refused = unframe_state(changed);
      ASSERT_FALSE(refused) << i;
      EXPECT_FALSE(refused.error().detail.empty());
    }
    EXPECT_FALSE(unframe_state(std::string_view(frame).substr(0, i))) << i;
  }
  EXPECT_FALSE(unframe_state(frame + "x"));
  EXPECT_NE(unframe_state("talla-monitors\n" + std::string("\2\0\0\0", 4) + frame.substr(19))
                .error()
                .detail.find("version 2"),
            std::string::npos);
}

/// Behind a checksum that fits nothing is believed either.
TEST(State, fields_out_of_their_range_are_refused) {
  std::mt19937_64 random(23);
  std::vector<Finding> found;
  Board board(options());
  feed(board, random, 3, found);
  const std::string fields = saved(board);
  const auto refusal = [](const std::string& changed, Board::Options how) {
    Board fresh(std::move(how));
    StateReader in(changed);
    fresh.load(in);
    const auto result = in.finish();
    return result ? std::string() : result.error().detail;
  };
  EXPECT_EQ(refusal(fields, options()), "");
  EXPECT_NE(refusal(fields, options(0.02)).find("another alpha"), std::string::npos);
  EXPECT_NE(refusal(fields.substr(0, fields.size() - 1), options()), "");
  EXPECT_NE(refusal(fields + "x", options()).find("more than a state"), std::string::npos);
  auto other = options();
  other.make = [](const std::string& key) { return key == "wheel" ? nullptr : make(key); };
  EXPECT_NE(refusal(fields, other).find("not known"), std::string::npos);
  std::string epoch = fields;
  epoch[8 + 4 + 4 + 5 + 4] = 0;  // behind alpha, count, key and number of processes
  EXPECT_NE(refusal(epoch, options()).find("epoch"), std::string::npos);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < fields.size(); i += 8 * 997) {
    std::string changed = fields;
    for (std::size_t k = 0; k < 8 && i + k < changed.size(); ++k) changed[i + k] = '\xff';
    refused += refusal(changed, options()).empty()
                   ? 0U
                   : 1U;  // NaN, huge counts, unknown flags: an answer, never a crash
  }
  EXPECT_GT(refused, fields.size() / (8 * 997) / 2);
}

TEST(Board, an_alarm_stands_until_the_next_epoch_which_has_a_smaller_share) {
  Board board(options(0.01, 1e6));
  std::vector<Finding> found;
  auto* wheel = dynamic_cast<Alphabet*>(board.group("wheel", 77));
  for (int i = 0; i < 200; ++i) {
    wheel->observe(5);
    board.look(*wheel, found);
  }
  ASSERT_EQ(found.size(), 4U) << "two processes and two detectors, each once";
  EXPECT_EQ(found[0].monitor, "wheel/frequency");
  EXPECT_EQ(found[0].epoch, 1U);
  EXPECT_EQ(found[0].since_us, 77);
  EXPECT_GE(found[0].log_value, found[0].log_threshold);
  EXPECT_LT(found[0].steps, 20U);
  auto rows = board.rows();
  EXPECT_TRUE(rows[0].process.alarm && rows[0].detector.alarm);
  EXPECT_LT(rows[0].process.log_value, 100) << "what stands does not grow";
  EXPECT_EQ(board.end_alarms(99), 4U);
  rows = board.rows();
  EXPECT_FALSE(rows[0].process.alarm || rows[0].detector.alarm);
  EXPECT_EQ(rows[0].process.epoch, 2U);
  EXPECT_EQ(rows[0].process.alarms, 1U);
  EXPECT_EQ(rows[0].process.log_value, 0);
  EXPECT_EQ(rows[0].steps, 0U);
  EXPECT_NEAR(rows[0].process.log_threshold, found[0].log_threshold + std::log(4.0), 1e-12);
  EXPECT_EQ(board.end_alarms(99), 0U) << "who has no alarm stays in its epoch";
  found.clear();
  for (int i = 0; i < 200; ++i) {
    wheel->observe(5);
    board.look(*wheel, found);
  }
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].epoch, 2U);
}

/// Who looks seldom must still see what rose and fell between two looks.
TEST(Board, the_greatest_value_between_two_looks_is_told_once) {
  Board board(options(1e-9, 1e9));
  std::vector<Finding> found;
  auto* wheel = dynamic_cast<Alphabet*>(board.group("wheel", 0));
  static_cast<void>(board.take_rows());
  double greatest = 0;
  double greatest_detector = 0;
  std::size_t drawn = 1;
  for (int i = 0; i < 400; ++i) {
    drawn = drawn * 48'271 % 2'147'483'647;
    wheel->observe(i < 4 ? 5 : drawn % 37);
    board.look(*wheel, found);
    greatest = std::max(greatest, wheel->processes()[0]->log_e());
    greatest_detector = std::max(greatest_detector, wheel->processes()[0]->log_detector());
  }
  ASSERT_TRUE(found.empty());
  ASSERT_GT(greatest, board.rows()[0].process.log_value + 0.5) << "it rose and fell back";
  EXPECT_NEAR(board.rows()[0].process.log_greatest, greatest, 1e-9);
  const auto taken = board.take_rows();
  EXPECT_NEAR(taken[0].process.log_greatest, greatest, 1e-9);
  EXPECT_NEAR(taken[0].detector.log_greatest, greatest_detector, 1e-9);
  const auto after = board.rows();
  EXPECT_EQ(after[0].process.log_greatest, after[0].process.log_value);
  EXPECT_EQ(after[0].detector.log_greatest, after[0].detector.log_value);
}

TEST(Board, a_lost_state_begins_new_epochs_from_those_that_were_spent) {
  Board board(options());
  ASSERT_NE(board.group("wheel", 0), nullptr);
  board.raise_epochs("wheel/pairs", 7, 3);
  board.begin_epochs(1);
  const auto rows = board.rows();
  EXPECT_EQ(rows[0].process.epoch, 2U);
  EXPECT_EQ(rows[1].process.epoch, 8U);
  EXPECT_EQ(rows[1].detector.epoch, 4U);
  EXPECT_NEAR(rows[1].process.log_threshold, log_threshold(0.01, 2, 8), 1e-12);
}

TEST(Board, it_is_full_at_its_bound_and_knows_no_other_keys) {
  auto few = options();
  few.groups_max = 1;
  Board board(few);
  EXPECT_EQ(board.group("unknown", 0), nullptr);
  EXPECT_NE(board.group("bits", 0), nullptr);
  EXPECT_EQ(board.group("wheel", 0), nullptr);
  EXPECT_NE(board.group("bits", 0), nullptr);
}

/// Extreme streams for long: nothing overflows, nothing becomes a NaN, nothing sinks below zero.
TEST(Board, numbers_stay_numbers_whatever_comes) {
  for (const std::size_t modulus : {1U, 2U, 37U}) {
    Alphabet wheel(37, "numbers");
    RawNoise noise(1);
    ConditionedBits bits;
    for (std::size_t i = 0; i < 300'000; ++i) wheel.observe(i % modulus);
    const std::vector<std::uint8_t> zeros(3 * RawNoise::chunk_samples);
    noise.observe(zeros);
    for (int i = 0; i < 200; ++i) bits.observe(std::span(zeros).first(512));
    for (const auto processes : {wheel.processes(), noise.processes(), bits.processes()}) {
      for (const Process* process : processes) {
        EXPECT_TRUE(std::isfinite(process->e()) && process->e() >= 0) << process->name();
        EXPECT_TRUE(std::isfinite(process->detector()) && process->detector() >= 0)
            << process->name();
        EXPECT_FALSE(std::isnan(process->log_e()) || std::isnan(process->log_detector()))
            << process->name();
      }
    }
  }
}

}  // namespace
}  // namespace talla::stats::monitor
