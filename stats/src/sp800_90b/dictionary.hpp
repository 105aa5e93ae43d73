/// \file
/// Contexts of symbols and what followed them: the dictionaries of 6.3.9 and 6.3.10 for symbols
/// wider than one bit.
///
/// A context is named by a hash of its symbols and checked against the data, so that two contexts
/// are never mixed up.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace talla::stats::sp800_90b {

/// Grows a hash by one more symbol at the far end of a context.
[[nodiscard]] inline std::uint64_t extended(std::uint64_t hash, std::uint8_t symbol) {
  hash = (hash ^ (symbol + 1U)) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

/// Hash of the `length` symbols before `at`.
[[nodiscard]] inline std::uint64_t hash_before(std::span<const std::uint8_t> symbols,
                                               std::size_t at, std::size_t length) {
  std::uint64_t hash = 0;
  for (std::size_t k = 1; k <= length; ++k) hash = extended(hash, symbols[at - k]);
  return hash;
}

/// Number of a context in its dictionary.
using ContextId = std::uint32_t;
inline constexpr ContextId no_context = ~ContextId{0};

/// Contexts of one length, at most `contexts_limit` of them.
///
/// Memory: 12 bytes a context, 8 a pair of context and symbol (once a second symbol follows), both
///         tables at most 13/16 full.
class Dictionary {
 public:
  static constexpr std::size_t contexts_limit = (std::size_t{1} << 17) - 1;

  /// `length`: symbols of a context; `expected`: how many contexts there may be. The data outlive
  /// the dictionary.
  Dictionary(std::span<const std::uint8_t> data, std::size_t length, std::size_t expected)
      : data_(data), length_(length), slots_(std::bit_ceil(expected * 16 / 13 + 2)), pairs_(256) {}

  /// The context that ends before place `at`, or no_context.
  [[nodiscard]] ContextId find(std::uint64_t hash, std::size_t at) const {
    const std::size_t mask = slots_.size() - 1;
    const std::uint32_t tag = tag_of(hash);
    for (std::size_t slot = hash >> 20 & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
      if ((slots_[slot] & ~number_mask) != tag) continue;
      const ContextId id = (slots_[slot] & number_mask) - 1;
      if (std::memcmp(&data_[contexts_[id].place - length_], &data_[at - length_], length_) == 0)
        return id;
    }
    return no_context;
  }
  /// A new context that ends before `at` and was followed by `symbol`. Preconditions: find gives
  /// no_context, fewer contexts than the limit.
  void insert(std::uint64_t hash, std::size_t at, std::uint8_t symbol) {
    if (!has_room(contexts_.size() + 1, slots_.size())) grow_slots();
    contexts_.push_back({static_cast<std::uint32_t>(at), 1, symbol, symbol, false});
    place(hash, static_cast<ContextId>(contexts_.size() - 1));
  }
  [[nodiscard]] std::uint8_t likeliest(ContextId id) const { return contexts_[id].best; }
  [[nodiscard]] std::uint32_t most(ContextId id) const { return contexts_[id].most; }

  /// `symbol` followed the context once more. A symbol that never did is learnt only with
  /// `may_learn`; true when it was new.
  bool count(ContextId id, std::uint8_t symbol, bool may_learn) {
    Context& context = contexts_[id];
    if (!context.several && symbol == context.first) {
      ++context.most;
      return false;
    }
    if (!context.several) {
      if (!may_learn) return false;
      context.several = true;
      *count_of(id, context.first) = context.most;
    }
    std::uint32_t* seen = may_learn ? count_of(id, symbol) : known_count_of(id, symbol);
    if (seen == nullptr) return false;
    const std::uint32_t now = ++*seen;
    // Of equals the greater symbol is predicted.
    if (now > context.most || (now == context.most && symbol > context.best)) {
      context.best = symbol;
      context.most = now;
    }
    return now == 1;
  }

 private:
  struct Context {
    std::uint32_t place;  // one place that it ends before
    std::uint32_t most;   // count of `best`
    std::uint8_t best;
    std::uint8_t first;
    bool several;  // more than `first` followed: counts are in pairs_
  };
  struct Pair {
    std::uint32_t key = 0;  // (context + 1) * 256 + symbol; 0: free
    std::uint32_t count = 0;
  };
  static constexpr std::uint32_t number_mask = contexts_limit;

  [[nodiscard]] static bool has_room(std::size_t count, std::size_t slots) {
    return count * 16 <= slots * 13;
  }
  /// Bits of a hash that choose no slot.
  [[nodiscard]] static std::uint32_t tag_of(std::uint64_t hash) {
    return static_cast<std::uint32_t>(hash >> 32) & ~number_mask;
  }
  void place(std::uint64_t hash, ContextId id) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash >> 20 & mask;
    while (slots_[slot] != 0) slot = (slot + 1) & mask;
    slots_[slot] = tag_of(hash) | (id + 1);
  }
  void grow_slots() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t id = 0; id < contexts_.size(); ++id)
      place(hash_before(data_, contexts_[id].place, length_), static_cast<ContextId>(id));
  }
  [[nodiscard]] static std::uint32_t key_of(ContextId id, std::uint8_t symbol) {
    return (id + 1) << 8 | symbol;
  }
  [[nodiscard]] std::size_t slot_of(std::uint32_t key) const {
    const std::size_t mask = pairs_.size() - 1;
    std::size_t slot = (key * 0x9e3779b97f4a7c15U) >> 24 & mask;
    while (pairs_[slot].key != 0 && pairs_[slot].key != key) slot = (slot + 1) & mask;
    return slot;
  }
  [[nodiscard]] std::uint32_t* known_count_of(ContextId id, std::uint8_t symbol) {
    Pair& pair = pairs_[slot_of(key_of(id, symbol))];
    return pair.key == 0 ? nullptr : &pair.count;
  }
  /// Made with count 0 when it is not there.
  [[nodiscard]] std::uint32_t* count_of(ContextId id, std::uint8_t symbol) {
    const std::uint32_t key = key_of(id, symbol);
    std::size_t slot = slot_of(key);
    if (pairs_[slot].key == 0) {
      if (!has_room(++pairs_count_, pairs_.size())) {
        grow_pairs();
        slot = slot_of(key);
      }
      pairs_[slot].key = key;
    }
    return &pairs_[slot].count;
  }
  void grow_pairs() {
    std::vector<Pair> old(pairs_.size() * 2);
    old.swap(pairs_);
    for (const Pair& pair : old) {
      if (pair.key != 0) pairs_[slot_of(pair.key)] = pair;
    }
  }

  std::span<const std::uint8_t> data_;
  std::size_t length_;
  std::vector<Context> contexts_;
  std::vector<std::uint32_t> slots_;  // tag, and number of the context + 1 below it; 0: free
  std::vector<Pair> pairs_;
  std::size_t pairs_count_ = 0;
};

}  // namespace talla::stats::sp800_90b
