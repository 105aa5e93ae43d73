// Written by unit_trial, what stands between the braces of `all`:
//   TALLA_WRITE_REFERENCE=FILE build/bin/unit_trial --gtest_filter='*InEveryStage*'
#include "trial/reference.hpp"

#include <array>

namespace talla::trial {

// clang-format off
// NOLINTNEXTLINE(readability-function-size): a table
std::span<const Reference> references() {
  static constexpr std::array<Reference, 13> all{{
    {.name = "ChaosKey",
     .model = "chaoskey",
     .text = R"(ids: 1d50:60c6
manufacturer: altusmetrum.org
product: ChaosKey-hw-#.#-sw-#.#.#
interface 0: class ff, 85 bulk 64, 86 bulk 64
claim 0 => ok
)"},
    {.name = "Alea",
     .model = "alea",
     .text = R"(ids: 12d8:0001
manufacturer: Araneus
product: Alea II
interface 0: class ff, 81 bulk 64
claim 0 => ok
)"},
    {.name = "InfiniteNoise",
     .model = "infnoise",
     .text = R"(ids: 0403:6015
manufacturer: 13-37.org
product: Infinite Noise TRNG
interface 0: class ff, 81 bulk 64, 02 bulk 64
claim 0 => ok
control out 40 00 0000 0001 => ok
control out 40 09 0001 0001 => ok
control out 40 03 0064 0001 => ok
control out 40 0b 04ed 0001 => ok
control out 40 00 0001 0001 => ok
control out 40 00 0002 0001 => ok
)"},
    {.name = "BitBabblerWhite",
     .model = "bitbabbler",
     .text = R"(ids: 0403:7840
manufacturer: BitBabbler
product: White RNG
interface 0: class ff, 81 bulk 512, 02 bulk 512
claim 0 => ok
control out 40 00 0000 0001 => ok
control out 40 06 0000 0001 => ok
control out 40 07 0000 0001 => ok
control out 40 09 0003 0001 => ok
control out 40 02 0000 0101 => ok
control out 40 0b 0000 0001 => ok
control out 40 0b 0200 0001 => ok
bulk in 81 [512] => 3260
control in c0 05 0000 0001 [2] => 0160
control out 40 00 0001 0001 => ok
bulk out 02 aa87 => ok
bulk in 81 [512] => 3260faaa
bulk out 02 ab87 => ok
bulk in 81 [512] => 3260faab
bulk out 02 8a978d80000b820000860b0085 => ok
bulk in 81 [512] => 3260a55aa5
)"},
    {.name = "BitBabblerBlack",
     .model = "bitbabbler",
     .text = R"(ids: 0403:7840
manufacturer: BitBabbler
product: Black RNG
interface 0: class ff, 81 bulk 512, 02 bulk 512
claim 0 => ok
control out 40 00 0000 0001 => ok
control out 40 06 0000 0001 => ok
control out 40 07 0000 0001 => ok
control out 40 09 0003 0001 => ok
control out 40 02 0000 0101 => ok
control out 40 0b 0000 0001 => ok
control out 40 0b 0200 0001 => ok
bulk in 81 [512] => 3260
control in c0 05 0000 0001 [2] => 0160
control out 40 00 0001 0001 => ok
bulk out 02 aa87 => ok
bulk in 81 [512] => 3260faaa
bulk out 02 ab87 => ok
bulk in 81 [512] => 3260faab
bulk out 02 8a978d80000b820000860b0085 => ok
bulk in 81 [512] => 3260a55aa5
)"},
    {.name = "OneRng",
     .model = "onerng",
     .text = R"(ids: 1d50:6086
manufacturer: Moonbase Otago
product: ##
interface 0: class 02, 82 interrupt 32
interface 1: class 0a, 85 bulk 64, 05 bulk 64
claim 0 => ok
claim 1 => ok
control out 21 22 0003 0000 => ok
bulk out 05 636d646f0a => ok
bulk in 85 [4096] => usb_timed_out
bulk out 05 636d64340a => ok
bulk out 05 636d64770a => ok
bulk out 05 636d64760a => ok
bulk out 05 636d644f0a => ok
bulk in 85 [64] => "\r\nVersion #\r\n"
bulk out 05 636d64310a => ok
)"},
    {.name = "TrueRng",
     .model = "truerng",
     .text = R"(ids: 04d8:f5fe
manufacturer: ubld.it
product: TrueRNG
interface 0: class 02, 81 interrupt 8
interface 1: class 0a, 82 bulk 64, 02 bulk 64
claim 0 => ok
claim 1 => ok
control out 21 22 0000 0000 => ok
bulk in 82 [4096] => usb_timed_out
control out 21 22 0001 0000 => ok
)"},
    {.name = "TrueRngPro",
     .model = "truerng-pro",
     .text = R"(ids: 16d0:0aa0
manufacturer: ubld.it
product: TrueRNGpro
interface 0: class 02, 81 interrupt 8
interface 1: class 0a, 82 bulk 64, 02 bulk 64
claim 0 => ok
claim 1 => ok
control out 21 20 0000 0000 6e000000000008 => ok
control out 21 22 0001 0000 => ok
control out 21 22 0000 0000 => ok
control out 21 20 0000 0000 2c010000000008 => ok
control out 21 20 0000 0000 b0040000000008 => ok
bulk in 82 [4096] => usb_timed_out
bulk in 82 [64] => "####\r\n"
control out 21 20 0000 0000 004b0000000008 => ok
)"},
    {.name = "TrueRngProV2",
     .model = "truerng-pro",
     .text = R"(ids: 04d8:ebb5
manufacturer: ubld.it
product: TrueRNGproV#
interface 0: class 02, 81 interrupt 8
interface 1: class 0a, 82 bulk 64, 02 bulk 64
claim 0 => ok
claim 1 => ok
control out 21 20 0000 0000 6e000000000008 => ok
control out 21 22 0001 0000 => ok
control out 21 22 0000 0000 => ok
control out 21 20 0000 0000 2c010000000008 => ok
control out 21 20 0000 0000 b0040000000008 => ok
bulk in 82 [4096] => usb_timed_out
bulk in 82 [64] => "####\r\n"
control out 21 20 0000 0000 004b0000000008 => ok
)"},
    {.name = "SwiftRng",
     .model = "swiftrng",
     .text = R"(ids: 1fc9:8110
manufacturer: TectroLabs
product: SwiftRNG
interface 0: class ff, 81 bulk 64, 01 bulk 64
claim 0 => ok
bulk in 81 [4096] => usb_timed_out
bulk out 01 76 => ok
bulk in 81 [64] => 56322e3000
)"},
    {.name = "SwiftRngCdc",
     .model = "swiftrng-cdc",
     .text = R"(ids: 1fc9:8111
manufacturer: TectroLabs
product: SwiftRNG LE
interface 0: class 02, 81 interrupt 8
interface 1: class 0a, 82 bulk 64, 02 bulk 64
claim 0 => ok
claim 1 => ok
control out 21 22 0003 0000 => ok
bulk in 82 [4096] => usb_timed_out
bulk out 02 76 => ok
bulk in 82 [64] => 56322e3000
)"},
    {.name = "Quantis",
     .model = "quantis-usb",
     .text = R"(ids: 0aba:0102
manufacturer: id Quantique
product: Quantis USB
interface 0: class ff, 86 bulk 512
claim 0 => ok
control in c1 15 0000 0000 [1] => 01
control in c1 13 0000 0000 [1] => 01
bulk in 86 [512] => 512 bytes
)"},
    {.name = "NeuG",
     .model = "neug",
     .text = R"(ids: 234b:0001
manufacturer: Free Software Initiative of Japan
product: NeuG True RNG
interface 0: class 02, 81 interrupt 8
interface 1: class 0a, 82 bulk 64, 02 bulk 64
claim 0 => ok
claim 1 => ok
control out 21 22 0000 0000 => ok
bulk in 82 [4096] => usb_timed_out
control out 21 22 0003 0000 => ok
)"},
  }};
  return all;
}
// clang-format on

}  // namespace talla::trial
