/// \file
/// FFTW's planner is one for the process.
#pragma once

#include <mutex>

namespace talla::stats {

[[nodiscard]] std::mutex& fftw_planner();

}  // namespace talla::stats
