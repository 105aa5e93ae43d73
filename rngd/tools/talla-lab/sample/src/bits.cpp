// Makes conditioned blocks and DRBG output that anybody can make again.
#include "lab_sample/bits.hpp"

#include <algorithm>
#include <array>

#include "entropy/conditioner.hpp"
#include "entropy/drbg.hpp"
#include "entropy/sha512.hpp"

namespace talla::lab {
namespace {

constexpr std::string_view bits_prefix = "talla-lab bits v1";

tl::unexpected<Error> bits_refusal(const std::string& what) {
  return fail(SampleErrc::sample_refused, what);
}

Result<SecretBytes> seed_number(const Bytes& seed, std::uint64_t number) {
  std::array<std::uint8_t, 8> counter{};
  for (std::size_t i = 0; i < counter.size(); ++i)
    counter[i] = static_cast<std::uint8_t>(number >> (8 * (counter.size() - 1 - i)));
  const std::array<ByteView, 3> parts{as_bytes(bits_prefix), ByteView(seed), ByteView(counter)};
  return entropy::sha512(parts);
}

}  // namespace

Result<MadeBits> conditioned_bits(const ConditionWish& wish) {
  constexpr std::uint32_t millibits_most = 8000;
  if (wish.assessed_millibits == 0 || wish.assessed_millibits > millibits_most)
    return bits_refusal("--assessed-millibits: 1 to 8000 are expected");
  const std::array kinds{entropy::ConditionerKind::sha512, entropy::ConditionerKind::hmac_sha512};
  const auto* kind = std::ranges::find_if(kinds, [&](entropy::ConditionerKind one) {
    return entropy::conditioner_kind_name(one) == wish.conditioner;
  });
  if (kind == kinds.end())
    return bits_refusal("--conditioner " + wish.conditioner +
                        ": sha-512 or hmac-sha-512 is expected");
  const std::size_t each = (entropy::block_credit_needed_millibits + wish.assessed_millibits - 1) /
                           wish.assessed_millibits;
  MadeBits made;
  const std::size_t blocks = wish.samples.size() / each;
  if (blocks == 0)
    return bits_refusal("a block takes " + std::to_string(each) + " samples, and there are " +
                        std::to_string(wish.samples.size()));
  for (std::size_t i = 0; i < blocks; ++i) {
    const entropy::Contribution one{.samples = wish.samples.subspan(i * each, each),
                                    .assessed_millibits_per_sample = wish.assessed_millibits,
                                    .credited = true,
                                    .independent = false};
    TALLA_TRY(const SecretBytes block, entropy::condition(*kind, {&one, 1}));
    const std::span<const std::uint8_t> bytes(block);
    made.bytes.insert(made.bytes.end(), bytes.begin(), bytes.end());
  }
  made.about = json::Object{{"assessed_millibits", wish.assessed_millibits},
                            {"blocks", blocks},
                            {"conditioner", wish.conditioner},
                            {"samples_each", each},
                            {"samples_left_out", wish.samples.size() - blocks * each}};
  return made;
}

Result<MadeBits> drbg_bits(const DrbgWish& wish) {
  const std::array kinds{entropy::DrbgKind::ctr_aes256_df, entropy::DrbgKind::hmac_sha512};
  const auto* kind = std::ranges::find_if(
      kinds, [&](entropy::DrbgKind one) { return entropy::drbg_kind_name(one) == wish.kind; });
  if (kind == kinds.end())
    return bits_refusal("--drbg " + wish.kind +
                        ": ctr-drbg-aes-256-df or hmac-drbg-sha-512 is expected");
  const auto seed = from_hex(wish.seed);
  constexpr std::size_t seed_bytes = 32;
  if (!seed || seed->size() != seed_bytes || wish.seed != to_hex(*seed))
    return bits_refusal("--seed: 64 hex digits in small letters are expected");
  TALLA_TRY(const SecretBytes first, seed_number(*seed, 0));
  TALLA_TRY(const auto drbg, entropy::Drbg::instantiate(*kind, first, as_bytes(bits_prefix)));
  MadeBits made;
  made.bytes.resize(wish.bytes);
  const std::span<std::uint8_t> all(made.bytes);
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < all.size(); at += entropy::Drbg::seed_output_bytes) {
    if (at != 0) {
      TALLA_TRY(const SecretBytes next, seed_number(*seed, ++number));
      TALLA_TRY_STATUS(drbg->reseed(next));
    }
    TALLA_TRY_STATUS(drbg->generate(
        all.subspan(at, std::min(entropy::Drbg::seed_output_bytes, all.size() - at))));
  }
  made.about = json::Object{{"drbg", wish.kind}, {"reseeds", number}, {"seed", wish.seed}};
  return made;
}

}  // namespace talla::lab
