// Need: a 416-card shoe in the open (shuffle, bytes, hash, signature) at least 20,000 times a
// second on one core when each is signed, 300,000 with one signature for 1,024; a sealed shoe at 60
// % or more of the machine's SHA-256 rate for as many compressions; the mix of its 416 places in at
// most 40 times the time of a shuffle with one contributor, and under 30 microseconds with eight.
#include <openssl/evp.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <random>

#include "certs/openssl_hashes.hpp"
#include "certs/shoe.hpp"
#include "certs/signer.hpp"
#include "format/mix.hpp"
#include "ratio.hpp"
#include "shuffle/batch.hpp"
#include "shuffle/permutation.hpp"

namespace {

using talla::Bytes;
using talla::ByteView;
using talla::Digest;
using talla::SecretBytes;
using talla::certs::OpensslHashes;
using talla::shuffle::Card;
using talla::shuffle::Tape;

constexpr std::size_t cards_count = 416;

/// Ready generator output: AES-256-CTR keystream, 64 KiB at a time.
class ReadyBits {
 public:
  ReadyBits() : context_(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free), zero_(65536), bits_(65536) {
    const std::array<unsigned char, 32> key{1};
    const std::array<unsigned char, 16> counter{};
    if (EVP_EncryptInit_ex(context_.get(), EVP_aes_256_ctr(), nullptr, key.data(),
                           counter.data()) != 1)
      std::abort();
    fill();
  }
  ByteView take(std::size_t count) {
    if (at_ + count > bits_.size()) fill();
    at_ += count;
    return ByteView(bits_).subspan(at_ - count, count);
  }

 private:
  void fill() {
    int length = 0;
    if (EVP_EncryptUpdate(context_.get(), bits_.data(), &length, zero_.data(), 65536) != 1)
      std::abort();
    at_ = 0;
  }
  std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context_;
  Bytes zero_;
  Bytes bits_;
  std::size_t at_ = 0;
};

/// A shuffled shoe as bytes; words to spare for redraws.
struct OpenShoe {
  ReadyBits bits;
  std::vector<Card> sorted = talla::shuffle::DeckSpec::french(8).cards();
  std::vector<Card> cards = sorted;
  ByteView make() {
    cards = sorted;
    Tape tape = Tape::borrowed(bits.take(talla::shuffle::shuffle_bytes(cards_count) + 64));
    if (!talla::shuffle::shuffle_cards(tape, cards)) std::abort();
    return {reinterpret_cast<const std::uint8_t*>(cards.data()), cards.size()};
  }
};

std::unique_ptr<talla::certs::Ed25519Signer> signer() {
  std::array<std::uint8_t, 32> key{};
  key.fill(7);
  auto made = talla::certs::make_log_signer(key);
  if (!made) std::abort();
  return std::move(*made);
}

void open_shoe_signed_singly(benchmark::State& state) {
  OpenShoe shoe;
  const OpensslHashes hashes;
  const auto key = signer();
  talla_bench::compare_figure(
      state, {.what = "open 416-card shoe, each signed (per s)", .ratio_min = 1}, 20'000, [&] {
        const Digest digest = hashes.sha256({shoe.make()});
        auto signature = key->sign(digest);
        if (!signature) std::abort();
        benchmark::DoNotOptimize(signature->data());
      });
}
TALLA_GOAL(open_shoe_signed_singly);

void open_shoe_merkle_1024(benchmark::State& state) {
  constexpr int batch = 1024;
  OpenShoe shoe;
  const OpensslHashes hashes;
  const auto key = signer();
  talla_bench::compare_figure(state,
                              {.what = "open 416-card shoe, Merkle batch 1024 (per s)",
                               .ratio_min = 1,
                               .ours_items = batch},
                              300'000, [&] {
                                talla::certs::CompactRange tree;
                                for (int i = 0; i < batch; ++i)
                                  tree.append(hashes, talla::certs::leaf_hash(hashes, shoe.make()));
                                auto signature = key->sign(tree.root(hashes));
                                if (!signature) std::abort();
                                benchmark::DoNotOptimize(signature->data());
                              });
}
TALLA_GOAL(open_shoe_merkle_1024);

/// SHA-256 compressions of a message.
constexpr double compressions(std::size_t bytes) {
  const std::size_t blocks = (bytes + 9 + 63) / 64;
  return static_cast<double>(blocks);
}

void sealed_shoe_against_sha256(benchmark::State& state) {
  const OpensslHashes hashes;
  const auto deck = talla::shuffle::DeckSpec::french(8);
  const std::string id = "shoe-1234567";
  // FORMAT.md section 7: salt = inner and outer hash (the padded key blocks are done once), leaf
  // data, nodes.
  const double salt = compressions(64 + 19 + 4 + id.size() + 4) - 1 + 1;
  const double leaf = compressions(1 + 19 + 4 + id.size() + 4 + 4 + 1 + 32);
  const double node = compressions(65);
  const double count = cards_count * (salt + leaf) + (cards_count - 1) * node;
  std::mt19937_64 engine(1);
  const talla::certs::FullEntropyBits bits = [&](std::size_t bytes) -> talla::Result<SecretBytes> {
    SecretBytes out(bytes);
    for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
      const std::uint64_t word = engine();
      std::copy_n(reinterpret_cast<const std::uint8_t*>(&word), 8,
                  out.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return out;
  };
  const Bytes message(static_cast<std::size_t>(count) * 64 - 9, 3);
  talla_bench::compare(
      state, {.what = "sealed 416-card shoe against SHA-256 of as many blocks", .ratio_min = 0.6},
      [&] {
        auto shoe = talla::certs::SealedShoe::make(hashes, id, deck, bits);
        if (!shoe) std::abort();
        benchmark::DoNotOptimize(shoe->root().data());
      },
      [&] { benchmark::DoNotOptimize(hashes.sha256({message})); });
}
TALLA_GOAL(sealed_shoe_against_sha256);

/// A mix of a call of its own, with the numbers of so many contributors.
struct MixedPlaces {
  explicit MixedPlaces(std::size_t contributors) : openings(contributors) {
    for (std::size_t i = 0; i < contributors; ++i)
      openings[i].value.fill(static_cast<std::uint8_t>(i + 1));
  }
  void make() {
    ++call[0];
    auto mixed = talla::certs::map_mix(hashes, call, openings, {1, cards_count});
    if (!mixed) std::abort();
    benchmark::DoNotOptimize(mixed->mix.data());
  }
  OpensslHashes hashes;
  Digest call{};
  std::vector<talla::certs::CallOpening> openings;
};

void mix_with_one_contributor(benchmark::State& state) {
  MixedPlaces mixed(1);
  OpenShoe shoe;
  talla_bench::compare(
      state,
      {.what = "mix of 416 places with a contributor against the shuffle", .ratio_min = 1.0 / 40},
      [&] { mixed.make(); }, [&] { benchmark::DoNotOptimize(shoe.make().data()); });
}
TALLA_GOAL(mix_with_one_contributor);

void mix_with_eight_contributors(benchmark::State& state) {
  constexpr double each_us = 30;
  MixedPlaces mixed(8);
  talla_bench::compare_figure(
      state, {.what = "mix of 416 places with eight contributors / 30 us", .ratio_min = 1},
      1e6 / each_us, [&] { mixed.make(); });
}
TALLA_GOAL(mix_with_eight_contributors);

}  // namespace

BENCHMARK_MAIN();
