/// \file
/// Repeated output of one source: a word of its stream that stood there before.
///
/// Standard: SP 800-90B 4.3 requirement 8 (known failure modes: a device that sends a buffer again,
///   a loop in its firmware, a recording). Looks back over the last 131,072 samples and never less
///   than 118,000 of them.
/// Method:   a word is remembered every 31 samples and looked for every 32. As these have no common
///   divisor, a stretch of 992 samples and one word that comes again, with whatever period up to
///   118,000, is found; so output of period P is found after P + 992 + `level2.duplicate_word`
///   samples of it, in the window that ends there.
/// Exactness: words are compared sample by sample; a hash only finds candidates and decides
///   nothing. With H bits of min-entropy given the past, a place equals an earlier one over w
///   samples with probability at most 2^(-wH), overlapping or not. In a window 128 words are looked
///   for among 4,229 at most: below 2^20 pairs, 2^8 a sample.
/// Threads:  one object belongs to one thread.
/// Secrecy:  the past stands in secret memory until it is 131,072 samples old; `restart` wipes it.
///   Whoever reads that memory also holds what was sealed with it; output given before keeps the
///   strength of the DRBG that it was XORed with, whose state does not run backwards.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/secret.hpp"
#include "entropy/health.hpp"

namespace talla::entropy {

class DuplicateWords {
 public:
  explicit DuplicateWords(const HealthSettings& settings);

  /// The next window of the stream; its first sample arrived at or after `from_ns`. Suspect is
  /// everything since the first of the two equal places: a device that plays a buffer again may
  /// have played it the first time too.
  [[nodiscard]] Finding judge(WindowView window, std::int64_t from_ns);
  /// Forgets and wipes the past.
  void restart();
  /// Samples of the past that are held.
  [[nodiscard]] std::uint64_t held_samples() const;

 private:
  [[nodiscard]] const std::uint8_t* at(std::uint64_t place) const;
  [[nodiscard]] std::uint64_t hash_of(std::uint64_t place) const;
  void remember(std::uint64_t place);
  void look(std::uint64_t place, Finding& worst) const;
  [[nodiscard]] std::int64_t window_start(std::uint64_t place) const;

  using SecretWords = std::vector<std::uint32_t, SecretAllocator<std::uint32_t>>;
  using SecretBits = std::vector<std::uint64_t, SecretAllocator<std::uint64_t>>;
  static constexpr std::size_t window_starts = 64;
  HealthSettings settings_;
  std::size_t limbs_;       ///< Of eight samples, that the hash of a word reads.
  std::uint64_t mask_;      ///< Of each: all of it, or a word that is shorter.
  std::uint64_t size_ = 0;  ///< Samples since the restart.
  std::uint64_t next_store_ = 0;
  std::uint64_t next_look_ = 0;
  /// A ring, its first samples again behind its end: every word lies in one piece.
  SecretBytes past_;
  SecretWords newest_;      ///< By hash: number of the last word that was remembered.
  SecretWords previous_;    ///< By number of a word: the one before it with the same hash.
  SecretBits seen_now_;     ///< By hash: a word was remembered since the ring began anew.
  SecretBits seen_before_;  ///< The same, of the ring before.
  std::array<std::int64_t, window_starts> starts_ns_{};
};

}  // namespace talla::entropy
