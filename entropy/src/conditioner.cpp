#include "entropy/conditioner.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <optional>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "entropy/errc.hpp"
#include "entropy/sha512.hpp"

namespace talla::entropy {

namespace {

using View = std::span<const std::uint8_t>;

constexpr std::string_view domain = "talla/entropy/conditioner/v1";

std::uint64_t credit_of(const Contribution& part) {
  return std::uint64_t{part.assessed_millibits_per_sample} * part.samples.size();
}

/// The contributions of one call of the conditioner.
struct Call {
  std::uint64_t credit = 0;
  std::vector<std::size_t> members;
};

/// At least one: the caller has seen that enough is credited.
std::vector<Call> calls_of(std::span<const Contribution> contributions) {
  std::vector<Call> calls;
  std::optional<std::size_t> together;
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    const Contribution& part = contributions[i];
    if (!part.credited || part.samples.empty()) continue;
    if (!part.independent || !together) {
      if (part.independent) together = calls.size();
      calls.emplace_back();
    }
    Call& call = part.independent ? calls[*together] : calls.back();
    call.credit += credit_of(part);
    call.members.push_back(i);
  }
  TALLA_CHECK(!calls.empty());
  const auto largest = std::ranges::max_element(calls, {}, &Call::credit);
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    if (!contributions[i].credited) largest->members.push_back(i);
  }
  return calls;
}

Result<SecretBytes> condition_call(ConditionerKind kind,
                                   std::span<const Contribution> contributions, const Call& call) {
  std::vector<Bytes> lengths;
  lengths.reserve(contributions.size());
  std::vector<View> parts;
  if (kind == ConditionerKind::sha512) parts.push_back(as_bytes(domain));
  for (std::size_t i = 0; i < contributions.size(); ++i) {
    const bool member = std::ranges::find(call.members, i) != call.members.end();
    const View samples = member ? contributions[i].samples : View{};
    lengths.push_back(ByteWriter().u32(static_cast<std::uint32_t>(samples.size())).take());
    parts.emplace_back(lengths.back());
    parts.push_back(samples);
  }
  // SP 800-90B 3.1.5.1.1 allows any fixed key; the domain string is ours.
  return kind == ConditionerKind::sha512 ? sha512(parts) : hmac_sha512(as_bytes(domain), parts);
}

}  // namespace

std::uint64_t credit_millibits(std::span<const Contribution> contributions) {
  CreditSum sum;
  for (const Contribution& part : contributions) {
    if (part.credited) sum.add(credit_of(part), part.independent);
  }
  return sum.millibits();
}

Result<SecretBytes> condition(ConditionerKind kind, std::span<const Contribution> contributions) {
  if (credit_millibits(contributions) < block_credit_needed_millibits) {
    return fail(Errc::bad_settings, "fewer than 576 assessed bits for a block of 512");
  }
  SecretBytes block(block_bytes);
  for (const Call& call : calls_of(contributions)) {
    TALLA_TRY(const SecretBytes one, condition_call(kind, contributions, call));
    for (std::size_t i = 0; i < block.size(); ++i)
      block[i] = static_cast<std::uint8_t>(block[i] ^ one[i]);
  }
  return block;
}

Result<SecretBytes> hash_df_sha512(std::span<const std::uint8_t> input, std::size_t out_bytes) {
  constexpr std::size_t rounds_max = 255;
  if (out_bytes == 0 || out_bytes > rounds_max * block_bytes)
    return fail(Errc::bad_settings, "Hash_df output size");
  SecretBytes out;
  for (std::uint8_t counter = 1; out.size() < out_bytes; ++counter) {
    const Bytes head =
        ByteWriter().u8(counter).u32(static_cast<std::uint32_t>(out_bytes * 8)).take();
    const std::array<View, 2> parts{View(head), input};
    TALLA_TRY(const SecretBytes block, sha512(parts));
    const std::size_t part = std::min(block.size(), out_bytes - out.size());
    out.insert(out.end(), block.begin(), block.begin() + static_cast<std::ptrdiff_t>(part));
  }
  return out;
}

Status conditioner_self_test(ConditionerKind kind) {
  constexpr std::string_view abc_digest =
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
      "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f";
  constexpr std::string_view jefe_mac =
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
      "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737";
  if (kind == ConditionerKind::sha512) {
    const std::array<View, 1> abc{as_bytes("abc")};
    TALLA_TRY(const SecretBytes hashed, sha512(abc));
    if (to_hex(hashed) != abc_digest) return fail(Errc::self_test_failed, "SHA-512");
    return {};
  }
  const std::array<View, 1> text{as_bytes("what do ya want for nothing?")};
  TALLA_TRY(const SecretBytes mac, hmac_sha512(as_bytes("Jefe"), text));
  if (to_hex(mac) != jefe_mac) return fail(Errc::self_test_failed, "HMAC-SHA-512");
  return {};
}

OutputEntropy vetted_output_entropy(std::uint32_t n_in, std::uint32_t n_out, std::uint32_t nw,
                                    long double h_in) {
  // With n = min(n_out, nw) and x = 2^(n - n_in), everything is taken relative to 2^-n:
  //   2^n * P_low * 2^(n_in - n) = (1 - 2^-h) / (1 - 2^-n_in)
  //   psi   = 2^-n * (that + 2^(n - h))
  //   omega = 2^-n * that * (1 + sqrt(2 n ln2 * x))
  // and h_out = n - log2 of the larger factor; expm1 and log1p keep what is below 2^-64 of it.
  const auto n = static_cast<long double>(std::min(n_out, nw));
  const auto width = static_cast<long double>(n_in);
  const long double ln2 = std::numbers::ln2_v<long double>;
  // that - 1 = (2^-n_in - 2^-h) / (1 - 2^-n_in)
  const long double low_less_one =
      h_in >= width ? 0.0L : (std::exp2(-width) - std::exp2(-h_in)) / -std::expm1(-width * ln2);
  const long double psi_less_one = low_less_one + std::exp2(n - h_in);
  const long double omega_less_one =
      low_less_one + (1.0L + low_less_one) * std::sqrt(2.0L * n * ln2 * std::exp2(n - width));
  OutputEntropy result;
  result.deficit_bits = std::log1p(std::max(psi_less_one, omega_less_one)) / ln2;
  result.bits = n - result.deficit_bits;
  return result;
}

}  // namespace talla::entropy
