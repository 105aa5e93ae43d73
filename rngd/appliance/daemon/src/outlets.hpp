/// \file
/// Entropy out to others, as the configuration wants it: the EGD socket and the kernel's pool.
///
/// Nothing here touches a draw: all of it takes from the generator's outlet (entropy/generator.hpp,
/// give_away).
#pragma once

#include <map>
#include <memory>
#include <string>

#include "config/config.hpp"
#include "outlet/egd_server.hpp"
#include "outlet/kernel_feed.hpp"

namespace talla::rngd {

class Outlets {
 public:
  /// Blocks the generator keeps for others (GeneratorOptions::outlet_blocks): 0 unless something is
  /// switched on.
  [[nodiscard]] static std::size_t blocks_wanted(const Config& config);
  /// Starts what is switched on; null when nothing is. `generator` and `clock` must outlive it.
  /// `certified`: a raw physical source feeds the generator.
  /// Errors: bad_configuration (an uncertified source where that is not allowed), cannot_listen,
  ///         no_permission.
  [[nodiscard]] static Result<std::unique_ptr<Outlets>> create(const Config& config, bool certified,
                                                               entropy::Generator& generator,
                                                               Clock& clock);
  Outlets(const Outlets&) = delete;
  Outlets& operator=(const Outlets&) = delete;
  ~Outlets();
  void stop();
  void add_metrics(std::map<std::string, double>& counters,
                   std::map<std::string, double>& gauges) const;

 private:
  explicit Outlets(entropy::Generator& generator) : giver_(generator) {}
  outlet::GeneratorGiver giver_;
  std::unique_ptr<outlet::LinuxKernelPool> pool_;
  std::unique_ptr<outlet::KernelFeed> feed_;
  std::unique_ptr<outlet::EgdServer> egd_;
};

}  // namespace talla::rngd
