// The boards of the classes of monitors, and the list of epochs that the ledger keeps.
#include "monitor/boards.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/json.hpp"
#include "monitor/outcome_reader.hpp"
#include "monitor/payment_reader.hpp"
#include "stats/monitor/streams.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;

constexpr const char* bits_key = "bits";
/// Of alpha, for noise, bits and outcomes each.
constexpr double parts_of_alpha = 3;
/// Monitors of the one stream of bits: the places that payments leave to them.
constexpr std::uint32_t bits_places = 3;
constexpr std::size_t payments_max = 512;

std::unique_ptr<mon::Group> make_noise(const std::string& key) {
  const auto dash = key.rfind('-');
  if (dash == std::string::npos) return nullptr;
  std::uint32_t millibits = 0;
  const char* end = key.data() + key.size();
  const auto parsed = std::from_chars(key.data() + dash + 1, end, millibits);
  if (parsed.ec != std::errc{} || parsed.ptr != end || millibits < 1 || millibits > 8000)
    return nullptr;
  return std::make_unique<mon::RawNoise>(millibits);
}

std::unique_ptr<mon::Group> make_bits(const std::string& key) {
  return key == bits_key ? std::make_unique<mon::ConditionedBits>() : nullptr;
}

struct Registered {
  std::string monitor;
  std::uint32_t process = 1;
  std::uint32_t detector = 1;
};

json::Array registered_json(const Boards::Rows& rows) {
  json::Array all;
  for (const auto& row : rows)
    all.emplace_back(json::Array{row.monitor, row.process.epoch, row.detector.epoch});
  return all;
}

/// The monitors of one class as the ledger knows them; what cannot be read is nobody.
std::vector<Registered> registered_of(const std::string& registry, MonitorClass monitor_class) {
  std::vector<Registered> all;
  const auto value = json::parse(registry);
  const auto* list = value ? value->find(class_name(monitor_class)) : nullptr;
  if (list == nullptr || !list->is_array()) return all;
  for (const auto& one : list->array()) {
    const bool fits = one.is_array() && one.array().size() == 3 && one.array()[0].is_string() &&
                      one.array()[1].is_integer() && one.array()[2].is_integer();
    if (!fits) continue;
    all.push_back({one.array()[0].string(), static_cast<std::uint32_t>(one.array()[1].integer()),
                   static_cast<std::uint32_t>(one.array()[2].integer())});
  }
  return all;
}

std::string key_of(const std::string& monitor) {
  return monitor.substr(0, monitor.rfind('/'));
}

bool rows_behind(const Boards::Rows& rows, const std::vector<Registered>& registered) {
  for (const auto& one : registered) {
    bool found = false;
    for (const auto& row : rows) {
      if (row.monitor != one.monitor) continue;
      found = row.process.epoch >= one.process && row.detector.epoch >= one.detector;
    }
    if (!found) return true;
  }
  return false;
}

}  // namespace

std::string_view class_name(MonitorClass monitor_class) {
  switch (monitor_class) {
    case MonitorClass::noise:
      return "noise";
    case MonitorClass::bits:
      return "bits";
    case MonitorClass::outcomes:
      return "outcomes";
    case MonitorClass::payments:
      return "payments";
  }
  return "unknown";
}

Boards::Boards(Bounds bounds) : bounds_(bounds) {
  clear();
}

void Boards::clear() {
  const auto options_for = [this](Board::Maker make) {
    Board::Options options;
    options.alpha = bounds_.alpha / parts_of_alpha;
    options.run_length = bounds_.run_length;
    options.make = std::move(make);
    return options;
  };
  const auto made = [&](Board::Maker make) {
    return std::make_unique<Board>(options_for(std::move(make)));
  };
  outcomes_ = made(OutcomeReader::make);
  bits_ = made(make_bits);
  auto payments = options_for(PaymentReader::make);
  payments.groups_max = payments_max;
  payments.places_before = bits_places;
  payments_ = std::make_unique<Board>(std::move(payments));
  const std::scoped_lock lock(mutex_);
  noise_ = made(make_noise);
}

std::vector<Boards::Finding> Boards::see_bits(std::span<const std::uint8_t> bits,
                                              std::int64_t now_us) {
  std::vector<Finding> found;
  auto* group = dynamic_cast<mon::ConditionedBits*>(bits_->group(bits_key, now_us));
  if (group == nullptr) return found;
  group->observe(bits);
  bits_->look(*group, found);
  return found;
}

bool Boards::add_noise(const std::string& key, std::int64_t now_us) {
  const std::scoped_lock lock(mutex_);
  return noise_->group(key, now_us) != nullptr;
}

void Boards::see_noise(const std::string& key, std::span<const std::uint8_t> samples) {
  const std::scoped_lock lock(mutex_);
  auto* group = dynamic_cast<mon::RawNoise*>(noise_->group(key, 0));
  if (group == nullptr || !group->observe(samples)) return;
  noise_->look(*group, noise_found_);
  noise_changed_ = true;
}

Boards::NoiseNews Boards::take_noise() {
  const std::scoped_lock lock(mutex_);
  return {std::exchange(noise_found_, {}), std::exchange(noise_changed_, false)};
}

/// Precondition: of noise, the lock is held.
Boards::Board& Boards::board(MonitorClass monitor_class) const {
  return monitor_class == MonitorClass::noise      ? *noise_
         : monitor_class == MonitorClass::bits     ? *bits_
         : monitor_class == MonitorClass::outcomes ? *outcomes_
                                                   : *payments_;
}

Boards::Rows Boards::rows(MonitorClass monitor_class) const {
  const std::scoped_lock lock(mutex_);
  return board(monitor_class).rows();
}

Boards::Rows Boards::take_rows(MonitorClass monitor_class) {
  const std::scoped_lock lock(mutex_);
  return board(monitor_class).take_rows();
}

std::size_t Boards::end_alarms(std::int64_t now_us) {
  const std::scoped_lock lock(mutex_);
  std::size_t ended = 0;
  for (const auto monitor_class : monitor_classes) ended += board(monitor_class).end_alarms(now_us);
  return ended;
}

std::string Boards::registry() const {
  json::Object all;
  for (const auto monitor_class : monitor_classes)
    all[std::string(class_name(monitor_class))] = registered_json(rows(monitor_class));
  return json::canonical(json::Value(std::move(all)));
}

bool Boards::behind(const std::string& registry) const {
  return std::ranges::any_of(monitor_classes, [&](auto monitor_class) {
    return rows_behind(rows(monitor_class), registered_of(registry, monitor_class));
  });
}

std::size_t Boards::begin_again(const std::string& registry, std::int64_t now_us) {
  const std::scoped_lock lock(mutex_);
  std::size_t count = 0;
  for (const auto monitor_class : monitor_classes) {
    Board& known = board(monitor_class);
    for (const auto& one : registered_of(registry, monitor_class)) {
      if (known.group(key_of(one.monitor), now_us) == nullptr) continue;
      known.raise_epochs(one.monitor, one.process, one.detector);
      ++count;
    }
    known.begin_epochs(now_us);
  }
  return count;
}

std::vector<Boards::Finding> Boards::save(mon::StateWriter& out) const {
  outcomes_->save(out);
  bits_->save(out);
  const std::scoped_lock lock(mutex_);
  noise_->save(out);
  return noise_found_;
}

void Boards::load(mon::StateReader& in) {
  const std::scoped_lock lock(mutex_);
  outcomes_->load(in);
  bits_->load(in);
  noise_->load(in);
}

}  // namespace talla::rngd
