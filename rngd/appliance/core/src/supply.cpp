#include "core/supply.hpp"

#include <chrono>
#include <utility>

namespace talla::core {

Result<std::unique_ptr<GeneratorSupply>> GeneratorSupply::create(
    std::unique_ptr<entropy::Generator> generator) {
  if (generator->state() == entropy::State::off) TALLA_TRY_STATUS(generator->start());
  generator->run();
  return std::unique_ptr<GeneratorSupply>(new GeneratorSupply(std::move(generator)));
}

GeneratorSupply::~GeneratorSupply() {
  if (reset_.joinable()) {
    // A reset that still runs ends at a latch; again and again, since it may not have begun yet.
    while (reset_runs_) {
      generator_->latch(entropy::LatchReason::operator_request);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    reset_.join();
  }
  if (test_.joinable()) test_.join();
  generator_->halt();
}

Result<entropy::FullEntropy> GeneratorSupply::full_entropy(std::size_t n_bytes) {
  return generator_->full_entropy(n_bytes, 0);
}
std::size_t GeneratorSupply::ready_bits() const {
  return generator_->ready_bits();
}
Result<entropy::GivenAway> GeneratorSupply::give_away(std::size_t n_bytes) {
  return generator_->give_away(n_bytes);
}
std::size_t GeneratorSupply::spare_bits() const {
  return generator_->spare_bits();
}
Status GeneratorSupply::set_raw_aside(std::optional<std::size_t> source) {
  return generator_->set_raw_aside(source);
}
Result<SecretBytes> GeneratorSupply::take_raw() {
  return generator_->take_raw();
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
Status GeneratorSupply::replace_source(std::size_t index,
                                       std::unique_ptr<entropy::NoiseSource> source) {
  return generator_->replace_source(index, std::move(source));
}
void GeneratorSupply::begin_reset() {
  if (reset_.joinable()) reset_.join();
  reset_runs_ = true;
  reset_ = std::thread([this] {
    auto ended = generator_->reset_latch();
    const std::lock_guard lock(reset_lock_);
    reset_result_ = std::move(ended);
    reset_runs_ = false;
  });
}
/// In a thread of its own: the feeder may be waiting for a device just now.
void GeneratorSupply::begin_test() {
  if (test_runs_.exchange(true)) return;  // it begins already
  if (test_.joinable()) test_.join();
  test_ = std::thread([this] {
    static_cast<void>(generator_->test_on_demand());
    test_runs_ = false;
  });
}
std::optional<Status> GeneratorSupply::take_reset() {
  const std::lock_guard lock(reset_lock_);
  return std::exchange(reset_result_, std::nullopt);
}

}  // namespace talla::core
