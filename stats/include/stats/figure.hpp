/// \file
/// A named number behind a result, for people and reports: "chi-square" 7849.375.
#pragma once

#include <string>

namespace talla::stats {

struct Figure {
  std::string name;
  double value;  ///< in what the name says
};

}  // namespace talla::stats
