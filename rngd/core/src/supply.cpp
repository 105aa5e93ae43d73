#include "core/supply.hpp"

namespace talla::core {

Result<std::unique_ptr<GeneratorSupply>> GeneratorSupply::create(
    std::unique_ptr<entropy::Generator> generator) {
  if (generator->state() == entropy::State::off) TALLA_TRY_STATUS(generator->start());
  generator->run();
  return std::unique_ptr<GeneratorSupply>(new GeneratorSupply(std::move(generator)));
}

GeneratorSupply::~GeneratorSupply() {
  generator_->halt();
}

Result<entropy::FullEntropy> GeneratorSupply::full_entropy(std::size_t n_bytes) {
  return generator_->full_entropy(n_bytes, 0);
}
std::size_t GeneratorSupply::ready_bits() const {
  return generator_->ready_bits();
}
entropy::Evidence GeneratorSupply::evidence() const {
  return generator_->evidence();
}
entropy::Metrics GeneratorSupply::metrics() const {
  return generator_->metrics();
}
std::optional<entropy::LatchReason> GeneratorSupply::latched() const {
  return generator_->latched();
}
std::vector<entropy::Event> GeneratorSupply::take_events() {
  return generator_->take_events();
}
void GeneratorSupply::latch(entropy::LatchReason reason) {
  generator_->latch(reason);
}

}  // namespace talla::core
