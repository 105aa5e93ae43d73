/// \file
/// Where the bars of a drawing stand, for both forms of paper. Coordinates from the upper left
/// corner, in the unit that is given.
/// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "report/paper.hpp"

namespace talla::report {

struct BarsLayout {
  struct Box {
    double x, y, width, height;
  };
  struct Label {
    double x;  ///< the middle
    std::string text;
  };
  std::vector<Box> boxes;     ///< one a bar, standing on y = height
  std::vector<Label> labels;  ///< of as many bars as have room
  double even_y = 0;          ///< how high each stands if all are alike

  BarsLayout(const Paper::Bars& plot, double width, double height);
};

}  // namespace talla::report
