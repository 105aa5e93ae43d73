// Goal: the commands of the EGD protocol are read as they stand in its text, and the allowance is
//       what it says.
// Method: each command byte by byte, with the next one behind it; every other first byte is
//         malformed.
#include <gtest/gtest.h>

#include "outlet/egd.hpp"
#include "outlet/errc.hpp"
#include "outlet/giver.hpp"

namespace talla::outlet {
namespace {

using Kind = EgdCommand::Kind;

TEST(EgdParser, reads_each_command_byte_by_byte) {
  const Bytes input{0x00, 0x01, 20,  0x02, 255, 0x03, 0x01, 0x02, 3,
                    'a',  'b',  'c', 0x03, 0,   0,    0,    0x04};
  const std::vector<EgdCommand> expected{{.kind = Kind::level},
                                         {.kind = Kind::read, .count = 20},
                                         {.kind = Kind::read_waiting, .count = 255},
                                         {.kind = Kind::write, .count = 3, .bits = 0x0102},
                                         {.kind = Kind::write},
                                         {.kind = Kind::process}};
  EgdParser parser;
  std::vector<EgdCommand> got;
  for (const std::uint8_t byte : input) {
    ByteView one(&byte, 1);
    const auto command = parser.take(one);
    ASSERT_TRUE(command);
    EXPECT_TRUE(one.empty());
    if (*command) got.push_back(**command);
    EXPECT_EQ(parser.partial(), !command->has_value());
  }
  EXPECT_EQ(got, expected);
}

TEST(EgdParser, takes_one_command_and_leaves_the_rest) {
  const Bytes input{0x03, 0, 8, 2, 0x02, 0x02, 0x01, 9};
  ByteView left(input);
  EgdParser parser;
  EXPECT_EQ(parser.take(left)->value(), (EgdCommand{.kind = Kind::write, .count = 2, .bits = 8}));
  EXPECT_EQ(left.size(), 2U) << "the data of a write are no commands";
  EXPECT_EQ(parser.take(left)->value(), (EgdCommand{.kind = Kind::read, .count = 9}));
  EXPECT_TRUE(left.empty());
}

TEST(EgdParser, refuses_every_other_byte_and_stays_so) {
  for (unsigned byte = 5; byte < 256; ++byte) {
    EgdParser parser;
    const Bytes input{static_cast<std::uint8_t>(byte), 0x00};
    ByteView left(input);
    const auto command = parser.take(left);
    ASSERT_FALSE(command) << byte;
    EXPECT_TRUE(command.error().is(OutletErrc::malformed_command));
    EXPECT_FALSE(parser.take(left)) << byte;
  }
}

TEST(Allowance, gives_whole_units_and_refills_at_its_rate) {
  constexpr std::int64_t second = 1'000'000'000;
  Allowance allowance(100, 0);
  EXPECT_EQ(allowance.bytes(0), 1024U) << "a small rate may save up 1,024 bytes";
  allowance.spend(1);
  EXPECT_EQ(allowance.bytes(0), 960U) << "a byte costs a unit of 64";
  allowance.spend(960);
  EXPECT_EQ(allowance.bytes(0), 0U);
  EXPECT_EQ(allowance.bytes(second / 2), 0U) << "50 bytes are no unit";
  EXPECT_EQ(allowance.bytes(second), 64U);
  allowance.spend(64);
  EXPECT_EQ(allowance.bytes(second + 280'000'000), 64U) << "36 were left over";
  EXPECT_EQ(allowance.bytes(1'000'000'000 * second), 1024U) << "a long time overflows nothing";
  EXPECT_EQ(allowance.bytes(0), 1024U) << "a clock that goes back takes nothing away";
}

TEST(Allowance, keeps_its_rate_over_a_day) {
  constexpr std::int64_t second = 1'000'000'000;
  Allowance allowance(7777, 0);
  std::uint64_t total = 0;
  for (std::int64_t now = 0; now <= 86'400 * second; now += 137'000'000) {
    const std::size_t some = allowance.bytes(now);
    total += some;
    if (some > 0) allowance.spend(some);
  }
  const std::uint64_t most = 7777ULL * 86'400 + 7777;
  EXPECT_LE(total, most);
  EXPECT_GE(total + 7777 + 64, most);
}

}  // namespace
}  // namespace talla::outlet
