// Sources that answer on request: the operating system's, and the processor's RDSEED.
#include "entropy/errc.hpp"
#include "entropy/rdseed_source.hpp"
#include "entropy/system_source.hpp"

namespace talla::entropy {

namespace {

SourceDescription on_request(const char* model, SourceClass source_class) {
  return {.model = model,
          .serial = {},
          .source_class = source_class,
          .bits_per_sample = 8,
          .assessed_millibits_per_sample = 8000,
          .nominal_rate_hz = 0};
}

}  // namespace

SystemSource::SystemSource(OsRandom& os)
    : os_(os), description_(on_request("system", SourceClass::system)) {}

Result<std::size_t> SystemSource::read(std::span<std::uint8_t> samples, unsigned /*timeout_ms*/) {
  if (stopped_.exchange(false)) return std::size_t{0};
  TALLA_TRY_STATUS(os_.fill(samples));
  return samples.size();
}

RdSeedSource::RdSeedSource(RdSeed& cpu)
    : cpu_(cpu), description_(on_request("rdseed", SourceClass::rdseed)) {}

Result<std::unique_ptr<RdSeedSource>> RdSeedSource::create(RdSeed& cpu) {
  if (!cpu.available()) return fail(Errc::source_absent, "this processor has no RDSEED");
  return std::unique_ptr<RdSeedSource>(new RdSeedSource(cpu));  // NOLINT: private constructor
}

Result<std::size_t> RdSeedSource::read(std::span<std::uint8_t> samples, unsigned /*timeout_ms*/) {
  if (stopped_.exchange(false)) return std::size_t{0};
  TALLA_TRY_STATUS(cpu_.fill(samples));
  return samples.size();
}

}  // namespace talla::entropy
