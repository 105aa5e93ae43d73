#include "events.hpp"

#include <algorithm>

namespace talla::core {
namespace {

constexpr std::size_t owners_max = 100'000;
constexpr std::size_t scan_max = 1000;

}  // namespace

std::string round_of_meter(const certs::LedgerRecord& stored) {
  if (stored.kind != certs::Kind::meter || !stored.object.starts_with("meter-")) return {};
  const auto record = certs::parse_record(stored.bytes);
  const auto* round = record ? record->body.find("round") : nullptr;
  return round != nullptr && round->is_string() ? round->string() : std::string();
}

Events::Owner Events::owner_of(const std::string& object) const {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = owners_.find(object); found != owners_.end()) return found->second;
  }
  const auto dash = object.find('-');
  if (dash == std::string::npos) return {};
  const auto seq = certs::object_seq(object.substr(0, dash), object);
  if (!seq) return {};
  const auto stored = ledger_.record(*seq);
  if (!stored) return {};
  const auto record = certs::parse_record(stored->bytes);
  if (!record) return {};
  Owner owner;
  if (record->kind == certs::Kind::table_open) {
    owner = {object, record->client ? record->client->id : std::string()};
  } else if (const auto* table = record->body.find("table");
             table != nullptr && table->is_string()) {
    owner = owner_of(table->string());
  }
  const std::scoped_lock lock(mutex_);
  if (owners_.size() >= owners_max) owners_.clear();
  owners_.emplace(object, owner);
  return owner;
}

std::string Events::table_of(const std::string& object) const {
  return object.empty() ? std::string() : owner_of(object).table;
}

bool Events::visible(const Client& client, const std::string& object) const {
  if (object.empty() || client.roles.meets(overseers)) return true;
  return owner_of(object).client == client.id;
}

bool Events::visible(const Client& client, const certs::LedgerRecord& record) const {
  if (visible(client, record.object)) return true;
  const auto round = round_of_meter(record);
  return !round.empty() && visible(client, round);
}

bool Events::owned(const std::string& client, const std::string& object) const {
  return !client.empty() && owner_of(object).client == client;
}

std::vector<LogEvent> Events::after(const Client& client, std::int64_t seq_after,
                                    std::size_t count_max) const {
  std::vector<LogEvent> found;
  auto from = static_cast<std::uint64_t>(std::max<std::int64_t>(seq_after, -1) + 1);
  while (found.size() < count_max) {
    const auto page = ledger_.records(from, std::min(from + scan_max, ledger_.size()));
    if (!page || page->empty()) break;
    for (const auto& record : *page) {
      if (found.size() == count_max) break;
      if (!visible(client, record)) continue;
      const auto round = round_of_meter(record);
      found.push_back({record.seq, std::string(certs::kind_name(record.kind)), record.object,
                       table_of(round.empty() ? record.object : round), record.bytes});
    }
    from += page->size();
  }
  return found;
}

std::shared_ptr<void> Events::subscribe(std::function<void()> wake) {
  auto held = std::make_shared<std::function<void()>>(std::move(wake));
  const std::scoped_lock lock(mutex_);
  subscribers_.push_back(held);
  return held;
}

void Events::wake_all() {
  std::vector<std::shared_ptr<std::function<void()>>> all;
  {
    const std::scoped_lock lock(mutex_);
    for (auto it = subscribers_.begin(); it != subscribers_.end();) {
      if (auto held = it->lock()) {
        all.push_back(std::move(held));
        ++it;
      } else {
        it = subscribers_.erase(it);
      }
    }
  }
  for (const auto& wake : all) (*wake)();
}

}  // namespace talla::core
