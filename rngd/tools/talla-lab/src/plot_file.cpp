#include "plot_file.hpp"

#include <fstream>

namespace talla::lab {

void add_plot_option(commandline::Command& command, std::string& path, const std::string& what) {
  command.add_option("--plot", path, "also draw the " + what + " into this file, as SVG");
}

stats::Result<bool> write_plot(const std::string& path, const std::string& svg) {
  if (path.empty()) return true;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << svg;
  file.close();
  if (!file) return stats::refuse(path + ": the plot cannot be written");
  return true;
}

}  // namespace talla::lab
