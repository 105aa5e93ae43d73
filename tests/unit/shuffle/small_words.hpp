// Word sources of the tests: all words of a small width (for the uniformity proofs), and seeded
// bytes; the hashes they come from.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "shuffle/permutation.hpp"
#include "shuffle/tape.hpp"
#include "support/openssl_hashes.hpp"

namespace talla::shuffle {

inline const test::OpenSslHashes hashes;

/// Hands out a list of words once; a rejected word ends it, so that each list is one accepted or
/// dropped trial.
class ListSource {
 public:
  explicit ListSource(std::span<const std::uint64_t> words) : words_(words) {}
  [[nodiscard]] bool take(std::uint64_t& word) {
    if (next_ == words_.size()) return false;
    word = words_[next_++];
    return true;
  }
  [[nodiscard]] bool reject(unsigned /*redraws*/) { return false; }

 private:
  std::span<const std::uint64_t> words_;
  std::size_t next_ = 0;
};

/// The next word of the tape, or its error.
inline Result<std::uint64_t> next_word(Tape& tape) {
  std::uint64_t word = 0;
  if (!tape.take(word)) return pass(tape.status());
  return word;
}

/// Bytes that look random and follow from the seed: SHA-256(seed, block number).
inline Bytes seeded_bytes(std::uint64_t seed, std::size_t size_bytes) {
  Bytes bytes;
  for (std::uint64_t block = 0; bytes.size() < size_bytes; ++block) {
    const Digest digest = hashes.sha256({ByteWriter().u64(seed).u64(block).take()});
    bytes.insert(bytes.end(), digest.begin(), digest.end());
  }
  bytes.resize(size_bytes);
  return bytes;
}

}  // namespace talla::shuffle
