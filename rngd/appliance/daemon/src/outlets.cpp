#include "outlets.hpp"

#include "log.hpp"

namespace talla::rngd {

namespace {

constexpr std::size_t outlet_blocks = 64;  // 4 KiB: sixteen of the largest EGD reads

}  // namespace

std::size_t Outlets::blocks_wanted(const Config& config) {
  const bool wanted =
      config.egd.enabled() || config.kernel_feed.enabled || config.laboratory.bytes_per_second > 0;
  return wanted ? outlet_blocks : 0;
}

Outlets::~Outlets() {
  stop();
}

void Outlets::stop() {
  if (egd_) egd_->stop();
  if (feed_) feed_->stop();
}

Result<std::unique_ptr<Outlets>> Outlets::create(const Config& config, bool certified,
                                                 entropy::Generator& generator, Clock& clock) {
  if (!config.egd.enabled() && !config.kernel_feed.enabled) return std::unique_ptr<Outlets>();
  std::unique_ptr<Outlets> outlets(new Outlets(generator));  // NOLINT: private constructor
  if (config.kernel_feed.enabled) {
    TALLA_TRY(outlets->pool_, outlet::LinuxKernelPool::open());
    const outlet::KernelFeedOptions options{
        .bytes_per_second = config.kernel_feed.bytes_per_second,
        .credit_bits_per_byte = config.kernel_feed.credit_bits_per_byte};
    outlets->feed_ = std::make_unique<outlet::KernelFeed>(
        options, outlets->giver_, *outlets->pool_, clock,
        [](const std::string& event, const std::string& detail) {
          log(Level::warning, event, {{"reason", detail}});
        });
    outlets->feed_->start();
    log(Level::info, "kernel_feed",
        {{"bytes_per_second", std::to_string(options.bytes_per_second)},
         {"credit_bits_per_byte", std::to_string(certified ? options.credit_bits_per_byte : 0)}});
  }
  if (config.egd.enabled()) {
    if (!certified && !config.egd.uncertified) {
      return fail(ConfigErrc::bad_configuration,
                  "egd: the source is uncertified; egd.uncertified = true gives its bytes to "
                  "others all the same");
    }
    TALLA_TRY(outlets->egd_,
              outlet::EgdServer::create({.socket_path = config.egd.socket,
                                         .group = config.egd.group,
                                         .address = config.egd.address,
                                         .port = config.egd.port == 0 ? -1 : int{config.egd.port},
                                         .clients_max = config.egd.clients,
                                         .bytes_per_second = config.egd.bytes_per_second},
                                        outlets->giver_, clock));
    log(Level::info, "egd_listening",
        {{"socket", config.egd.socket}, {"port", std::to_string(config.egd.port)}});
  }
  return outlets;
}

void Outlets::add_metrics(std::map<std::string, double>& counters,
                          std::map<std::string, double>& gauges) const {
  if (feed_) {
    const outlet::KernelFeedCounters now = feed_->counters();
    counters["talla_kernel_feed_bytes_total"] = static_cast<double>(now.bytes_fed);
    counters["talla_kernel_feed_credited_bits_total"] = static_cast<double>(now.bits_credited);
    gauges["talla_kernel_feed_failed"] = now.failed ? 1 : 0;
  }
  if (egd_) {
    const outlet::EgdCounters now = egd_->counters();
    gauges["talla_egd_clients"] = static_cast<double>(now.clients);
    counters["talla_egd_connections_total"] = static_cast<double>(now.accepted);
    counters["talla_egd_connections_refused_total"] = static_cast<double>(now.refused);
    counters["talla_egd_malformed_total"] = static_cast<double>(now.malformed);
    counters["talla_egd_impatient_total"] = static_cast<double>(now.impatient);
    counters["talla_egd_bytes_total"] = static_cast<double>(now.bytes_given);
    counters["talla_egd_writes_dropped_total"] = static_cast<double>(now.writes_dropped);
  }
}

}  // namespace talla::rngd
