#include "entropy/duplicate_words.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "health_windows.hpp"

namespace talla::entropy {

namespace {

constexpr std::uint64_t ring_samples = windows::history_samples;
constexpr std::uint64_t mirror_samples = windows::duplicate_word_max;
constexpr std::uint64_t store_every = windows::duplicate_store_every;
constexpr std::uint64_t look_every = windows::duplicate_look_every;
constexpr std::uint64_t meeting_samples = store_every * look_every;
constexpr unsigned slot_bits = 13;
constexpr std::size_t slots = std::size_t{1} << slot_bits;
/// Words that are still in the past always have numbers of their own.
static_assert(slots * store_every > ring_samples + windows::gate_samples);
static_assert(ring_samples % windows::gate_samples == 0);
/// Bits of the hash that tell whether a word may be remembered at all: eight times as many as
/// slots, so that nine looks in ten end there.
constexpr unsigned seen_bits = slot_bits + 3;
constexpr std::size_t seen_words = (std::size_t{1} << seen_bits) / 64;
constexpr std::size_t limb_bytes = sizeof(std::uint64_t);
/// The hash reads so much of a word at most; the comparison reads all of it.
constexpr std::size_t limbs_max = 512 / limb_bytes;
/// Bits of assessed entropy that the hash is made of: more than it has.
constexpr std::uint32_t hashed_bits = 32;

constexpr std::array<std::uint64_t, limbs_max> odd_multipliers() {
  std::array<std::uint64_t, limbs_max> all{};
  std::uint64_t state = 0;
  for (auto& one : all) {  // splitmix64
    state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    one = (z ^ (z >> 31U)) | 1U;
  }
  return all;
}
constexpr auto multipliers = odd_multipliers();

std::uint64_t limb(const std::uint8_t* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, limb_bytes);
  return value;
}

/// Whole limbs of a word that the hash reads, one at least.
std::size_t limbs_of(const LevelCutoffs& level) {
  const std::uint32_t of_bits = level.alpha_log2 + windows::duplicate_bits;
  const std::size_t samples = level.duplicate_word * hashed_bits / of_bits + limb_bytes - 1;
  const std::size_t most = std::min<std::size_t>(level.duplicate_word / limb_bytes, limbs_max);
  return std::max<std::size_t>(std::min(samples / limb_bytes, most), 1);
}

/// A word may be shorter than a limb.
std::uint64_t mask_of(std::uint32_t word) {
  return word < limb_bytes ? (std::uint64_t{1} << (8 * word)) - 1 : ~std::uint64_t{0};
}

/// Number of a word in the index, cut to 32 bits; no number is 0 to `slots` soon after a restart,
/// when the index is 0.
std::uint32_t number_of(std::uint64_t place) {
  return static_cast<std::uint32_t>(place / store_every + slots + 1);
}

}  // namespace

DuplicateWords::DuplicateWords(const HealthSettings& settings)
    : settings_(settings),
      limbs_(limbs_of(settings.level1)),
      mask_(mask_of(settings.level1.duplicate_word)),
      past_(ring_samples + mirror_samples),
      newest_(slots),
      previous_(slots),
      seen_now_(seen_words),
      seen_before_(seen_words) {
  TALLA_CHECK(settings_.level2.duplicate_word <= mirror_samples);
  TALLA_CHECK(settings_.level1.duplicate_word <= settings_.level2.duplicate_word);
}

void DuplicateWords::restart() {
  wipe(past_.data(), past_.size());
  wipe(newest_.data(), newest_.size() * sizeof(newest_[0]));
  wipe(previous_.data(), previous_.size() * sizeof(previous_[0]));
  wipe(seen_now_.data(), seen_now_.size() * sizeof(seen_now_[0]));
  wipe(seen_before_.data(), seen_before_.size() * sizeof(seen_before_[0]));
  size_ = next_store_ = next_look_ = 0;
}

std::uint64_t DuplicateWords::held_samples() const {
  return std::min(size_, ring_samples);
}

// Those that are called for each word are inline: in a position-independent library a compiler may
// not put the others into their callers.

inline const std::uint8_t* DuplicateWords::at(std::uint64_t place) const {
  return past_.data() + place % ring_samples;
}

inline std::uint64_t DuplicateWords::hash_of(std::uint64_t place) const {
  const std::uint8_t* word = at(place);
  // Sums of independent products: this only spreads the words over the slots.
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < limbs_; ++i) {
    const std::uint64_t part = (limb(word + limb_bytes * i) & mask_) * multipliers[i];
    sum += part ^ (part >> 32U);
  }
  sum ^= sum >> 29U;
  return sum * multipliers[1];
}

inline void DuplicateWords::remember(std::uint64_t place) {
  const std::uint32_t number = number_of(place);
  const std::uint64_t hash = hash_of(place);
  const std::uint64_t seen = hash >> (64U - seen_bits);
  seen_now_[seen / 64] |= std::uint64_t{1} << (seen % 64);
  std::uint32_t& newest = newest_[hash >> (64U - slot_bits)];
  previous_[number % slots] = newest;
  newest = number;
}

inline std::int64_t DuplicateWords::window_start(std::uint64_t place) const {
  return starts_ns_[place / windows::gate_samples % window_starts];
}

inline void DuplicateWords::look(std::uint64_t place, Finding& worst) const {
  const std::uint64_t hash = hash_of(place);
  const std::uint64_t seen = hash >> (64U - seen_bits);
  if ((((seen_now_[seen / 64] | seen_before_[seen / 64]) >> (seen % 64)) & 1U) == 0) return;
  const std::uint64_t here = place / store_every;
  std::uint32_t number = newest_[hash >> (64U - slot_bits)];
  std::int64_t age_before = -1;
  while (true) {
    // Each word in the chain is older than the one before it. Where nothing is remembered, or what
    // it was is overwritten, the age is beyond the ring; what a wrapped number points to is
    // compared like all others.
    const std::uint32_t age = number_of(place) - number;
    if (age >= slots || age > here || age <= age_before) return;
    const std::uint64_t earlier = (here - age) * store_every;
    if (earlier + ring_samples < size_ || earlier >= place) return;
    if (std::memcmp(at(earlier), at(place), settings_.level1.duplicate_word) == 0) {
      const bool permanent =
          std::memcmp(at(earlier), at(place), settings_.level2.duplicate_word) == 0;
      // The equal stretches may have begun so much earlier without a meeting.
      const std::int64_t from_ns = window_start(earlier - std::min(earlier, meeting_samples));
      worst = worst.joined({{HealthTest::duplicate_word, permanent ? 2U : 1U}, from_ns});
      if (permanent) return;
    }
    age_before = age;
    number = previous_[number % slots];
  }
}

Finding DuplicateWords::judge(WindowView window, std::int64_t from_ns) {
  const std::size_t ring_at = size_ % ring_samples;
  std::copy(window.begin(), window.end(), past_.begin() + static_cast<std::ptrdiff_t>(ring_at));
  if (ring_at < mirror_samples) {
    std::copy(window.begin(), window.end(),
              past_.begin() + static_cast<std::ptrdiff_t>(ring_samples + ring_at));
  }
  starts_ns_[size_ / windows::gate_samples % window_starts] = from_ns;
  size_ += window.size();
  // What was remembered within the ring stands in one of the two.
  if (size_ % ring_samples == 0) {
    seen_now_.swap(seen_before_);
    wipe(seen_now_.data(), seen_now_.size() * sizeof(seen_now_[0]));
  }
  Finding worst;
  // In the order of the stream, each to the length of level 2; a place is looked for before it is
  // remembered.
  while (std::min(next_store_, next_look_) + settings_.level2.duplicate_word <= size_) {
    if (next_look_ <= next_store_) {
      look(next_look_, worst);
      next_look_ += look_every;
    } else {
      remember(next_store_);
      next_store_ += store_every;
    }
  }
  return worst;
}

}  // namespace talla::entropy
