/// \file
/// The tape: a sequence of 64-bit words that outcomes are read from, with its accounts.
///
/// Format `talla-tape-v1`: words are big-endian, in the order of the bytes, from one of two
/// constructions:
///   entropy  the bytes are full-entropy output of the random bit generator (shoes), borrowed;
///   hmac     block b (b = 0, 1, ...) is HMAC-SHA-256(key, "talla/v1/" || purpose || 0x00 || u32 b
///            || for each input: u32 length || input), integers big-endian; four words a block
///            (draws, mixes).
/// Accounts: words used (refused ones included), words rejected, the consumed bytes and their
///           digest.
/// Errors:   tape_exhausted, generator_fault. The first one stays: a failed tape gives no word
///           afterwards and every call returns the same error.
/// Threads:  one tape belongs to one thread.
/// Secrecy:  words, bytes and digest are secret until the outcome is open (an unsalted digest of a
///           short tape can be guessed); memory is wiped when the tape goes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/hash.hpp"
#include "base/secret.hpp"
#include "shuffle/errors.hpp"

namespace talla::shuffle {

/// The id of the word format and of both constructions.
inline constexpr std::string_view tape_id = "talla-tape-v1";
/// A word may be redrawn this often; one refusal more is a generator fault.
inline constexpr unsigned redraws_max = 64;

class Tape {
 public:
  /// The entropy construction: full-entropy bytes that the caller keeps alive and wipes. A tail
  /// shorter than a word is never used. Allocates nothing.
  [[nodiscard]] static Tape borrowed(ByteView bytes);
  /// The HMAC construction; never exhausted before 2^32 blocks. `purpose` is not empty and holds no
  /// byte 0x00; the inputs are copied.
  [[nodiscard]] static Tape from_hmac(std::unique_ptr<HmacKey> key, std::string_view purpose,
                                      std::span<const ByteView> inputs);
  [[nodiscard]] static Tape from_hmac(const HashSuite& hashes, ByteView key,
                                      std::string_view purpose,
                                      std::initializer_list<ByteView> inputs);

  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;
  /// A tape moved from gives no more words.
  Tape(Tape&& other) noexcept;
  Tape& operator=(Tape&& other) = delete;
  ~Tape();

  /// The word source of uniform.hpp: false when the tape has failed, see status().
  [[nodiscard]] bool take(std::uint64_t& word) noexcept {
    if (window_.ready - window_.position < sizeof(word) && !more()) [[unlikely]] {
      return false;
    }
    std::memcpy(&word, window_.data + window_.position, sizeof(word));
    if constexpr (std::endian::native == std::endian::little) word = __builtin_bswap64(word);
    window_.position += sizeof(word);
    return true;
  }
  /// Counts the word just taken as rejected. `redraws` is how often this batch was redrawn before;
  /// false, and the tape has failed with generator_fault, when that reached redraws_max.
  [[nodiscard]] bool reject(unsigned redraws) noexcept;
  /// The error that ended the tape, if any.
  [[nodiscard]] Status status() const;

  [[nodiscard]] std::uint64_t words_used() const {
    return window_.position / sizeof(std::uint64_t);
  }
  [[nodiscard]] std::uint64_t words_rejected() const { return words_rejected_; }
  /// All bytes handed out so far, in order: 8 x words_used(). Valid until the next word is taken.
  [[nodiscard]] ByteView consumed() const { return {window_.data, window_.position}; }
  /// SHA-256 of consumed().
  [[nodiscard]] Digest consumed_digest(const HashSuite& hashes) const;

 private:
  /// What is handed out (before `position`) and what is ready (before `ready`), in bytes.
  struct Window {
    const std::uint8_t* data = nullptr;
    std::size_t position = 0;
    std::size_t ready = 0;
  };

  Tape() = default;
  [[nodiscard]] bool more() noexcept;
  void next_block();

  Window window_;
  std::uint64_t words_rejected_ = 0;
  std::unique_ptr<HmacKey> key_;      // construction hmac
  Bytes prefix_;                      // construction hmac: "talla/v1/" || purpose || 0x00
  Bytes fields_;                      // construction hmac: the length-prefixed inputs
  std::vector<std::uint8_t> blocks_;  // construction hmac: every block so far; wiped by hand
  std::uint64_t blocks_count_ = 0;    // construction hmac
  std::optional<Error> failed_;
};

}  // namespace talla::shuffle
