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
/// The hash reads so much of a word at most; the comparison reads all of it.
constexpr std::size_t hashed_max = 512;
constexpr std::size_t limbs_max = hashed_max / 8;

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

std::uint64_t limb(const std::uint8_t* at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

/// Number of a word in the index, cut to 32 bits; no number is 0 to `slots` soon after a restart,
/// when the index is 0.
std::uint32_t number_of(std::uint64_t place) {
  return static_cast<std::uint32_t>(place / store_every + slots + 1);
}

}  // namespace

DuplicateWords::DuplicateWords(const HealthSettings& settings)
    : settings_(settings), past_(ring_samples + mirror_samples), newest_(slots), previous_(slots) {
  TALLA_CHECK(settings_.level2.duplicate_word <= mirror_samples);
  TALLA_CHECK(settings_.level1.duplicate_word <= settings_.level2.duplicate_word);
}

void DuplicateWords::restart() {
  wipe(past_.data(), past_.size());
  wipe(newest_.data(), newest_.size() * sizeof(newest_[0]));
  wipe(previous_.data(), previous_.size() * sizeof(previous_[0]));
  size_ = next_store_ = next_look_ = 0;
}

std::uint64_t DuplicateWords::held_samples() const {
  return std::min(size_, ring_samples);
}

const std::uint8_t* DuplicateWords::at(std::uint64_t place) const {
  return past_.data() + place % ring_samples;
}

std::size_t DuplicateWords::slot_of(std::uint64_t place) const {
  const std::uint8_t* word = at(place);
  const std::size_t size = std::min<std::size_t>(settings_.level1.duplicate_word, hashed_max);
  // Sums of independent products: this only spreads the words over the slots.
  std::uint64_t sum = 0;
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const std::uint64_t part = limb(word + i, 8) * multipliers[i / 8];
    sum += part ^ (part >> 32U);
  }
  if (i < size) sum += limb(word + i, size - i) * multipliers[i / 8];
  sum ^= sum >> 29U;
  return static_cast<std::size_t>((sum * multipliers[1]) >> (64U - slot_bits));
}

void DuplicateWords::remember(std::uint64_t place) {
  const std::uint32_t number = number_of(place);
  std::uint32_t& newest = newest_[slot_of(place)];
  previous_[number % slots] = newest;
  newest = number;
}

std::int64_t DuplicateWords::window_start(std::uint64_t place) const {
  return starts_ns_[place / windows::gate_samples % window_starts];
}

void DuplicateWords::look(std::uint64_t place, Finding& worst) const {
  const std::uint64_t here = place / store_every;
  std::uint32_t number = newest_[slot_of(place)];
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
