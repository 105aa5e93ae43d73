#include "stats/outcome/row.hpp"

#include <cmath>

#include "stats/holm.hpp"

namespace talla::stats::outcome {

const char* basis_name(Basis basis) {
  return basis == Basis::exact ? "exact" : "approximate";
}

bool Row::judged() const {
  return !std::isnan(p);
}

Family judge(std::span<const Row> rows) {
  std::vector<double> p_values;
  p_values.reserve(rows.size());
  Family family;
  for (const Row& row : rows) {
    p_values.push_back(row.p);
    ++(row.judged() ? family.judged_count : family.short_count);
  }
  family.adjusted = holm(p_values);
  family.smallest = holm_smallest(p_values);
  return family;
}

}  // namespace talla::stats::outcome
