#include "outcome/birthdays.hpp"

#include <cmath>
#include <limits>

#include "stats/outcome/distributions.hpp"

namespace talla::stats::outcome {
namespace {

constexpr double match_most = 1.0 / 4194304.0;  // 2^-22: at most two pairs a group
constexpr std::size_t slots_count = 4 * Birthdays::group;

std::uint64_t mixed(std::uint64_t key) {
  key = (key ^ key >> 31) * 0x9e3779b97f4a7c15U;
  return key ^ key >> 29;
}

}  // namespace

Birthdays::Birthdays(const Urn& urn, std::size_t draws_most) {
  for (std::size_t draws = 1; draws <= draws_most; ++draws) {
    const double match = match_probability(urn, draws);
    if (match > match_most) continue;
    draws_ = draws;
    match_ = match;
    slots_.resize(slots_count);
    return;
  }
}

void Birthdays::add(std::uint64_t key) {
  std::size_t place = mixed(key) % slots_count;
  while (slots_[place].group == group_ && slots_[place].key != key)
    place = (place + 1) % slots_count;
  Slot& slot = slots_[place];
  if (slot.group != group_) slot = {key, group_, 0};
  pairs_ += slot.count++;
  pairs_expected_ += static_cast<double>(in_group_) * match_;
  if (++in_group_ == group) {
    in_group_ = 0;
    ++group_;
  }
}

void Birthdays::row(std::vector<Row>& rows, Title title, std::uint64_t outcomes,
                    double outcomes_each) const {
  if (draws_ == 0) return;
  Row row;
  row.test = std::move(title.test);
  row.item = std::move(title.item);
  row.series = std::move(title.series);
  row.n = outcomes;
  // One pair must be expected: m (m - 1) / 2 matches, or several groups of them.
  const auto whole = static_cast<double>(group);
  const double one_group = whole * (whole - 1.0) / 2.0 * match_;
  const double keys =
      one_group >= 1.0 ? std::sqrt(2.0 / match_) + 1.0 : std::ceil(1.0 / one_group) * whole;
  row.n_min = static_cast<std::uint64_t>(std::ceil(keys * outcomes_each));
  row.statistic = static_cast<double>(pairs_);
  row.p = outcomes < row.n_min ? std::numeric_limits<double>::quiet_NaN()
                               : poisson_two_sided(row.statistic, pairs_expected_);
  rows.push_back(std::move(row));
}

}  // namespace talla::stats::outcome
