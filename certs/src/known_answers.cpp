// Known answers of the algorithms that certs rests on, beside those of conditioner and DRBG.
#include "certs/known_answers.hpp"

#include <algorithm>
#include <array>

#include "certs/algorithms.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "openssl_gcm.hpp"
#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

template <class Container>
Bytes copy(const Container& bytes) {
  return Bytes(bytes.begin(), bytes.end());
}

Result<Bytes> sha256() {
  return copy(OpensslHashes().sha256({as_bytes("abc")}));
}

Result<Bytes> hmac_sha256() {
  const auto key = OpensslHashes().hmac_key(as_bytes("Jefe"));
  return copy(key->mac({as_bytes("what do ya want for nothing?")}));
}

Result<Bytes> hkdf() {
  Secret32 out;
  TALLA_TRY_STATUS(hkdf_sha256(SecretBytes(22, 0x0b), {}, out));
  return copy(out.bytes());
}

/// Ciphertext and tag; the ciphertext must open again, and not with another tag.
Result<Bytes> gcm() {
  const Bytes key_bytes =
      *from_hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
  const Bytes nonce = *from_hex("cafebabefacedbaddecaf888");
  const Bytes data = *from_hex("feedfacedeadbeeffeedfacedeadbeefabaddad2");
  const Bytes plain = *from_hex(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
      "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39");
  Secret32 key;
  std::ranges::copy(key_bytes, key.writable().begin());
  Bytes sealed(plain.size() + gcm_tag_bytes);
  std::uint8_t* tag = sealed.data() + plain.size();
  const auto run = [&](bool sealing, ByteView input, std::uint8_t* output) {
    return run_gcm(key, {.sealing = sealing,
                         .nonce = nonce,
                         .data = data,
                         .input = input,
                         .output = output,
                         .tag = tag});
  };
  if (!run(true, plain, sealed.data())) return crypto_fail("AES-256-GCM");
  const ByteView ciphertext = ByteView(sealed).first(plain.size());
  Bytes opened(plain.size());
  if (!run(false, ciphertext, opened.data()) || opened != plain)
    return crypto_fail("AES-256-GCM opens");
  tag[0] ^= 1U;
  if (run(false, ciphertext, opened.data())) return crypto_fail("AES-256-GCM takes a false tag");
  tag[0] ^= 1U;
  return sealed;
}

Result<Bytes> ecdh() {
  const Bytes own = *from_hex("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433");
  const Bytes x = *from_hex("d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63");
  const Bytes y = *from_hex("56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab");
  TALLA_TRY(const P256Pair pair, P256Pair::of(own));
  TALLA_TRY(const SecretBytes shared, pair.agreed(p256_spki(x, y)));
  return copy(shared);
}

Result<Bytes> ed25519() {
  const Bytes key = *from_hex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7");
  TALLA_TRY(const auto signer, make_log_signer(std::span<const std::uint8_t, 32>(key.data(), 32)));
  TALLA_TRY(const Signature64 signature, signer->sign(*from_hex("af82")));
  Bytes all = copy(signer->public_key());
  all.insert(all.end(), signature.begin(), signature.end());
  return all;
}

constexpr std::array answers{
    KnownAnswer{"SHA-256", "digest", "FIPS 180-4",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", &sha256},
    KnownAnswer{"HMAC-SHA-256", "tag", "RFC 4231 case 2",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843", &hmac_sha256},
    KnownAnswer{"HKDF-SHA-256", "extract and expand", "RFC 5869 case 3",
                "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d", &hkdf},
    KnownAnswer{"AES-256-GCM", "seal, open, a false tag refused", "SP 800-38D, test case 16",
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                "76fc6ece0f4e1768cddf8853bb2d551b",
                &gcm},
    KnownAnswer{"ECDH P-256", "shared secret", "RFC 5903 8.1",
                "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de", &ecdh},
    KnownAnswer{"Ed25519", "public key and signature", "RFC 8032 7.1 test 3",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
                &ed25519},
};

}  // namespace

std::span<const KnownAnswer> known_answers() {
  return answers;
}

Status check_known_answer(const KnownAnswer& wanted) {
  const Result<Bytes> got = wanted.answer();
  if (!got || to_hex(*got) != wanted.expected)
    return fail(Errc::crypto_failed, "known answer of " + std::string(wanted.algorithm));
  return {};
}

Status check_known_answers(std::span<const KnownAnswer> wanted) {
  for (const KnownAnswer& one : wanted) {
    TALLA_TRY_STATUS(check_known_answer(one));
  }
  return {};
}

}  // namespace talla::certs
