// SP 800-90B on symbols wider than one bit: 6.3.9 MultiMMC, 6.3.10 LZ78Y.
#include <array>

#include "contexts.hpp"
#include "dictionary.hpp"
#include "race.hpp"

namespace talla::stats::sp800_90b {
namespace {

static_assert(entries_most <= Dictionary::contexts_limit &&
              contexts_most <= Dictionary::contexts_limit);

std::vector<Dictionary> dictionaries(std::span<const std::uint8_t> symbols, std::size_t expected) {
  std::vector<Dictionary> all;
  for (std::size_t depth = 1; depth <= depths_count; ++depth)
    all.emplace_back(symbols, depth, depth == 1 ? 256 : expected);
  return all;
}

/// Longest common part of what stands before two places, at most 16.
std::size_t common_before(std::span<const std::uint8_t> symbols, std::size_t a, std::size_t b) {
  std::size_t length = 0;
  while (length < depths_count && symbols[a - length - 1] == symbols[b - length - 1]) ++length;
  return length;
}

}  // namespace

Estimate multi_mmc(std::span<const std::uint8_t> symbols, unsigned alphabet) {
  if (symbols.size() < depths_count + 2)
    return not_estimated("MultiMMC Prediction", "needs 18 samples");
  auto all = dictionaries(symbols, std::min<std::size_t>(entries_most, symbols.size()));
  std::array<std::uint64_t, depths_count> entries{}, scores{};
  for (std::size_t depth = 1; depth <= depths_count; ++depth) {
    all[depth - 1].insert(hash_before(symbols, depth, depth), depth, symbols[depth]);
    entries[depth - 1] = 1;
  }
  std::size_t winner = 0;
  std::size_t open_count = depths_count;  // longer ones than these learn nothing more
  RunCounter counter;
  for (std::size_t i = 2; i < symbols.size(); ++i) {
    const std::size_t winner_before = winner;
    const std::uint8_t symbol = symbols[i];
    std::uint64_t hash = 0;
    bool found = true;  // once a context is unknown, longer ones are not asked
    bool all_learnt =
        true;  // no shorter one was left out: then an unknown context has no longer ones
    for (std::size_t d = 0; d < depths_count && d + 2 <= i; ++d) {
      if (!found && d >= open_count) break;
      hash = extended(hash, symbols[i - d - 1]);
      ContextId id = found ? all[d].find(hash, i) : no_context;
      found = id != no_context;
      if (found) {
        const bool hit = all[d].likeliest(id) == symbol;
        if (hit && ++scores[d] >= scores[winner]) winner = d;
        if (d == winner_before) counter.count(hit);
        if (all[d].count(id, symbol, entries[d] < entries_most)) ++entries[d];
      } else if (entries[d] < entries_most) {
        if (!all_learnt) id = all[d].find(hash, i);
        if (id != no_context) {
          all[d].count(id, symbol, true);
        } else {
          all[d].insert(hash, i, symbol);
        }
        ++entries[d];
      } else {
        all_learnt = false;
      }
    }
    while (open_count > 0 && entries[open_count - 1] >= entries_most) --open_count;
  }
  return from_hits("MultiMMC Prediction", counter.result(symbols.size() - 2), alphabet);
}

Estimate lz78y(std::span<const std::uint8_t> symbols, unsigned alphabet) {
  if (symbols.size() < depths_count + 3)
    return not_estimated("LZ78Y Prediction", "needs 19 samples");
  auto all = dictionaries(symbols, contexts_most / depths_count);
  std::uint64_t contexts_count = 0;
  for (std::size_t depth = 1; depth <= depths_count; ++depth) {
    all[depth - 1].insert(hash_before(symbols, depths_count, depth), depths_count,
                          symbols[depths_count]);
    ++contexts_count;
  }
  // The step in which the dictionary fills up may learn a long context without the shorter ones
  // inside it.
  std::size_t filled_at = 0, filled_depth = depths_count + 1;
  RunCounter counter;
  for (std::size_t i = depths_count + 1; i < symbols.size(); ++i) {
    const std::uint8_t symbol = symbols[i];
    std::array<ContextId, depths_count> ids{};
    ids.fill(no_context);
    std::array<std::uint64_t, depths_count> hashes{};
    // Elsewhere an unknown context has no known longer ones.
    const bool nested = filled_at == 0 || common_before(symbols, i, filled_at) < filled_depth;
    bool unknown = false;
    std::uint64_t hash = 0;
    std::uint32_t most = 0;
    unsigned prediction = 256;
    for (std::size_t d = 0; d < depths_count && !(unknown && nested && filled_at != 0); ++d) {
      hash = hashes[d] = extended(hash, symbols[i - d - 1]);
      if (!unknown || !nested) ids[d] = all[d].find(hash, i);
      unknown = ids[d] == no_context;
      if (!unknown && all[d].most(ids[d]) >= most) {  // of equal counts the longer context decides
        most = all[d].most(ids[d]);
        prediction = all[d].likeliest(ids[d]);
      }
    }
    counter.count(prediction == symbol);
    for (std::size_t d = depths_count; d-- > 0;) {
      if (ids[d] != no_context) {
        all[d].count(ids[d], symbol, true);
      } else if (filled_at == 0) {
        all[d].insert(hashes[d], i, symbol);
        if (++contexts_count == contexts_most) {
          filled_at = i;
          filled_depth = d + 1;
        }
      }
    }
  }
  return from_hits("LZ78Y Prediction", counter.result(symbols.size() - depths_count - 1), alphabet);
}

}  // namespace talla::stats::sp800_90b
