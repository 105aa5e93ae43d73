// Need: an 8-deck shoe is shuffled from ready generator output at least 1.6 times as fast as
// std::shuffle does it over the same AES-256-CTR keystream (4 KiB buffer), and at least 200 times
// as fast as one libsodium call per card.
#include <openssl/evp.h>
#include <sodium.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>

#include "ratio.hpp"
#include "shuffle/draw.hpp"
#include "shuffle/permutation.hpp"

namespace {

using talla::shuffle::Card;
using talla::shuffle::Tape;

/// The keystream of AES-256-CTR, 4 KiB at a time: the stand-in for ready output of the random bit
/// generator.
class KeyStream {
 public:
  using result_type = std::uint64_t;
  static constexpr std::size_t buffer_bytes = 4096;

  KeyStream() : context_(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free) {
    const std::array<unsigned char, 32> key{1};
    const std::array<unsigned char, 16> counter{};
    if (EVP_EncryptInit_ex(context_.get(), EVP_aes_256_ctr(), nullptr, key.data(),
                           counter.data()) != 1)
      std::abort();
  }
  /// The next bytes of the stream, which stay valid until the next call. `bytes` divides the
  /// buffer.
  talla::ByteView next(std::size_t bytes) {
    if (used_ + bytes > buffer_bytes) refill();
    const talla::ByteView part{buffer_.data() + used_, bytes};
    used_ += bytes;
    return part;
  }
  result_type operator()() {
    if (used_ + sizeof(result_type) > buffer_bytes) refill();
    result_type word = 0;
    std::memcpy(&word, buffer_.data() + used_, sizeof(word));
    used_ += sizeof(word);
    return word;
  }
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

 private:
  void refill() {
    static const std::array<unsigned char, buffer_bytes> zeros{};
    int written = 0;
    if (EVP_EncryptUpdate(context_.get(), buffer_.data(), &written, zeros.data(),
                          static_cast<int>(buffer_bytes)) != 1) {
      std::abort();
    }
    used_ = 0;
  }

  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context_;
  alignas(64) std::array<unsigned char, buffer_bytes> buffer_{};
  std::size_t used_ = buffer_bytes;
};

std::vector<Card> decks(std::size_t cards_count) {
  std::vector<Card> cards;
  for (std::size_t i = 0; i < cards_count; ++i) {
    cards.push_back(Card::from_code(static_cast<std::uint8_t>(i % 52)).value());
  }
  return cards;
}

/// One certified shuffle: a tape over the next bytes of the stream (the plan's words and a few to
/// spare).
auto certified(KeyStream& stream, std::vector<Card>& cards) {
  const std::size_t bytes = talla::shuffle::shuffle_bytes(cards.size()) > 384 ? 512 : 384;
  return [&stream, &cards, bytes] {
    Tape tape = Tape::borrowed(stream.next(bytes));
    if (!talla::shuffle::shuffle_cards(tape, cards)) std::abort();
    benchmark::DoNotOptimize(cards.data());
    benchmark::ClobberMemory();
  };
}

auto standard(KeyStream& stream, std::vector<Card>& cards) {
  return [&stream, &cards] {
    std::shuffle(cards.begin(), cards.end(), stream);
    benchmark::DoNotOptimize(cards.data());
    benchmark::ClobberMemory();
  };
}

void shoe_416_against_standard(benchmark::State& state) {
  KeyStream stream;
  auto ours = decks(416);
  auto peer = decks(416);
  talla_bench::compare(
      state, {.what = "416-card shuffle / std::shuffle, same AES-CTR stream", .ratio_min = 1.6},
      certified(stream, ours), standard(stream, peer));
}
TALLA_GOAL(shoe_416_against_standard);

void shoe_312_against_standard(benchmark::State& state) {
  KeyStream stream;
  auto ours = decks(312);
  auto peer = decks(312);
  talla_bench::compare(
      state, {.what = "312-card shuffle / std::shuffle, same AES-CTR stream", .ratio_min = 1.6},
      certified(stream, ours), standard(stream, peer));
}
TALLA_GOAL(shoe_312_against_standard);

void shoe_416_against_sodium(benchmark::State& state) {
  if (sodium_init() < 0) std::abort();
  KeyStream stream;
  auto ours = decks(416);
  auto cards = decks(416);
  const auto peer = [&cards] {
    for (std::uint32_t i = static_cast<std::uint32_t>(cards.size()) - 1; i > 0; --i) {
      std::swap(cards[i], cards[randombytes_uniform(i + 1)]);
    }
    benchmark::DoNotOptimize(cards.data());
  };
  talla_bench::compare(
      state,
      {.what = "416-card shuffle / libsodium randombytes_uniform per card", .ratio_min = 200},
      certified(stream, ours), peer);
}
TALLA_GOAL(shoe_416_against_sodium);

void wheel_against_sodium(benchmark::State& state) {
  if (sodium_init() < 0) std::abort();
  KeyStream stream;
  const auto ours = [&stream] {
    Tape tape = Tape::borrowed(stream.next(64));
    benchmark::DoNotOptimize(talla::shuffle::draw_values(tape, talla::shuffle::WheelDraw{37}));
  };
  const auto peer = [] { benchmark::DoNotOptimize(randombytes_uniform(37)); };
  talla_bench::compare(
      state, {.what = "wheel of 37 / libsodium randombytes_uniform", .ratio_min = 2}, ours, peer);
}
TALLA_GOAL(wheel_against_sodium);

void dice_against_sodium(benchmark::State& state) {
  if (sodium_init() < 0) std::abort();
  KeyStream stream;
  const auto ours = [&stream] {
    Tape tape = Tape::borrowed(stream.next(64));
    benchmark::DoNotOptimize(talla::shuffle::draw_values(tape, talla::shuffle::DiceDraw{2, 6}));
  };
  const auto peer = [] {
    benchmark::DoNotOptimize(randombytes_uniform(6));
    benchmark::DoNotOptimize(randombytes_uniform(6));
  };
  talla_bench::compare(state, {.what = "two dice / libsodium randombytes_uniform", .ratio_min = 2},
                       ours, peer);
}
TALLA_GOAL(dice_against_sodium);

}  // namespace

BENCHMARK_MAIN();
