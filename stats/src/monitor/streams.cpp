#include "stats/monitor/streams.hpp"

#include <algorithm>
#include <numeric>

namespace talla::stats::monitor {
namespace {

constexpr std::size_t parts_max = 64;
constexpr std::size_t nibbles = 16;
constexpr std::uint32_t credit_shoes = 64;
constexpr std::size_t ahead = 3;  // cards whose cells are on their way from memory

std::vector<double> uniform(std::size_t size) {
  return std::vector<double>(size, 1.0 / static_cast<double>(size));
}

std::size_t sum_of(const std::vector<std::uint32_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

}  // namespace

Alphabet::Alphabet(std::size_t size, std::string unit)
    : size_(size),
      unit_(std::move(unit)),
      frequency_("frequency", uniform(size)),
      pairs_("pairs", {{.rows = std::min(size, parts_max),
                        .columns = std::min(size, parts_max),
                        .excess = CellTable::coarse}}),
      part_(size),
      part_inverse_(std::min(size, parts_max)) {
  std::vector<std::size_t> sizes(part_inverse_.size());
  for (std::size_t s = 0; s < size; ++s) {
    part_[s] = s * sizes.size() / size;
    ++sizes[part_[s]];
  }
  for (std::size_t p = 0; p < sizes.size(); ++p)
    part_inverse_[p] = static_cast<double>(size) / static_cast<double>(sizes[p]);
  processes_ = {&frequency_, &pairs_};
}

void Alphabet::observe(std::size_t symbol) {
  frequency_.observe(symbol);
  const std::size_t part = part_[symbol];
  if (previous_) {
    pairs_.observe(0, *previous_, part, part_inverse_[part]);
    pairs_.step();
  }
  previous_ = part;
}

Shoe::Shoe(std::vector<std::uint32_t> copies)
    : copies_(std::move(copies)),
      cards_(sum_of(copies_)),
      position_("position",
                {{.rows = cards_, .columns = copies_.size(), .excess = CellTable::coarse}}),
      neighbour_("neighbour",
                 {{.rows = copies_.size(), .columns = copies_.size(), .excess = CellTable::coarse},
                  {.rows = 1, .columns = copies_.size(), .excess = CellTable::fine}}) {
  processes_ = {&position_, &neighbour_};
}

bool Shoe::observe(std::span<const std::uint16_t> kinds) {
  left_ = copies_;
  for (const std::uint16_t kind : kinds) {
    if (kind >= left_.size() || left_[kind] == 0) return false;
    --left_[kind];
  }
  left_ = copies_;
  const std::size_t size = copies_.size();
  gone_.assign(2 * size, 0);
  const std::uint16_t* gone = nullptr;
  for (std::size_t p = 0; p < kinds.size(); ++p) {
    const std::size_t kind = kinds[p];
    if (p + ahead < kinds.size()) {
      position_.fetch(0, p + ahead, kinds[p + ahead]);
      neighbour_.fetch(0, kinds[p + ahead - 1], kinds[p + ahead]);
    }
    const double inverse_q = static_cast<double>(cards_ - p) / static_cast<double>(left_[kind]);
    position_.observe(0, p, kind, inverse_q, gone);
    position_.step();
    if (p > 0) {
      const std::size_t previous = kinds[p - 1];
      neighbour_.observe(0, previous, kind, inverse_q, gone);
      neighbour_.observe(1, 0, kind >= previous ? kind - previous : kind + size - previous,
                         inverse_q, gone == nullptr ? nullptr : gone + previous);
      neighbour_.step();
    }
    if (--left_[kind] > 0) continue;
    gone_[kind] = 1;
    gone_[kind + size] = 1;
    gone = gone_.data();
  }
  neighbour_.credit_table(1, 4);  // small
  position_.credit_every(credit_shoes);
  neighbour_.credit_every(credit_shoes);
  return true;
}

void Shoe::credit() {
  position_.credit();
  neighbour_.credit();
}

ConditionedBits::ConditionedBits()
    : ones_("ones"),
      bytes_("bytes", uniform(256)),
      nibbles_("nibbles", {{.rows = nibbles, .columns = nibbles, .excess = CellTable::fine}}) {
  processes_ = {&ones_, &bytes_, &nibbles_};
}

void ConditionedBits::observe(std::span<const std::uint8_t> block) {
  std::uint64_t ones = 0;
  for (std::size_t i = 0; i < block.size(); ++i) {
    const std::uint8_t byte = block[i];
    ones += static_cast<std::uint64_t>(__builtin_popcount(byte));
    bytes_.observe(byte);
    if (i > 0) nibbles_.observe(0, block[i - 1] & 0xFU, byte >> 4U, nibbles);
    nibbles_.observe(0, byte >> 4U, byte & 0xFU, nibbles);
    nibbles_.step();
  }
  ones_.observe(ones, 8 * block.size());
}

RawNoise::RawNoise(std::uint32_t millibits) : prediction_("prediction", millibits) {
  processes_ = {&prediction_};
}

bool RawNoise::observe(std::span<const std::uint8_t> samples) {
  bool completed = false;
  while (!samples.empty()) {
    // At most one block at a time, so that a chunk ends where it ends.
    const auto part = samples.first(std::min(samples.size(), Predictors::block_samples));
    samples = samples.subspan(part.size());
    blocks_ += predictors_.observe(part, scores_);
    if (blocks_ < chunk_samples / Predictors::block_samples) continue;
    prediction_.observe(scores_, chunk_samples);
    scores_ = {};
    blocks_ = 0;
    completed = true;
  }
  return completed;
}

}  // namespace talla::stats::monitor
