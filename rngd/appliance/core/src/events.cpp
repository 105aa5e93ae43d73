#include "events.hpp"

#include <algorithm>

#include "format/body_table.hpp"

namespace talla::core {
namespace {

constexpr std::size_t owners_max = 100'000;
constexpr std::uint64_t records_at_once = 1000;
/// Records that one page looks at, so that a question that finds little keeps nobody waiting.
constexpr std::uint64_t looked_at_max = 5000;

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
  if (client.invitation) return !object.empty() && table_of(object) == client.invitation->table;
  if (object.empty() || client.roles.meets(overseers)) return true;
  const auto owner = owner_of(object);
  if (client.roles.has(Role::contributor)) return !owner.table.empty();
  return owner.client == client.id ||
         (client.roles.meets(contributors) && guests_.takes_part(client.id, owner.table));
}

bool Events::visible(const Client& client, const certs::LedgerRecord& record) const {
  if (visible(client, record.object)) return true;
  const auto round = round_of_meter(record);
  return !round.empty() && visible(client, round);
}

bool Events::owned(const std::string& client, const std::string& object) const {
  return !client.empty() && owner_of(object).client == client;
}

Events::Keys Events::seats_of(const std::string& round) const {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto found = seats_.find(round); found != seats_.end()) return found->second;
  }
  const auto seq = certs::object_seq("round", round);
  if (!seq) return {};
  const auto stored = ledger_.record(*seq);
  const auto record = stored ? certs::parse_record(stored->bytes)
                             : Result<certs::Record>(tl::unexpected(stored.error()));
  if (!record || record->kind != certs::Kind::round_open) return {};
  Keys keys;
  if (const auto body = certs::RoundOpenBody::from_json(record->body)) {
    for (const auto& key : body->keys) keys.push_back(to_hex(hashes_.sha256({key.spki})));
  }
  const std::scoped_lock lock(mutex_);
  if (seats_.size() >= owners_max) seats_.clear();
  seats_.emplace(round, keys);
  return keys;
}

bool Events::seated(const Client& client, const certs::LedgerRecord& stored) const {
  if (!client.roles.has(Role::seat) || client.spki.empty()) return false;
  const auto record = certs::parse_record(stored.bytes);
  if (!record) return false;
  const auto* named = record->body.find("round");
  const auto keys =
      seats_of(named != nullptr && named->is_string() ? named->string() : record->object);
  return std::ranges::find(keys, client.spki) != keys.end();
}

EventPage Events::page(const Client& client, const EventQuery& query) const {
  EventPage found;
  const auto size = ledger_.size();
  auto from = static_cast<std::uint64_t>(std::max<std::int64_t>(query.after, -1) + 1);
  const auto to = from < size ? std::min(size, from + looked_at_max) : from;
  found.next = static_cast<std::int64_t>(from) - 1;
  found.more = from < size;
  while (from < to) {
    const auto stored = ledger_.records(from, std::min(from + records_at_once, to));
    if (!stored || stored->empty()) {  // a ledger that cannot be read: nobody asks on and on
      found.more = false;
      return found;
    }
    for (const auto& record : *stored) {
      if (found.events.size() == query.limit) return found;
      found.next = static_cast<std::int64_t>(record.seq);
      found.more = record.seq + 1 < size;
      const auto asked = std::ranges::find(query.kinds, record.kind) != query.kinds.end();
      if (!query.kinds.empty() && !asked) continue;
      if (!visible(client, record) && !seated(client, record)) continue;
      const auto round = round_of_meter(record);
      auto table = table_of(round.empty() ? record.object : round);
      if (!query.table.empty() && table != query.table) continue;
      found.events.push_back({record.seq, std::string(certs::kind_name(record.kind)), record.object,
                              std::move(table), record.bytes});
    }
    from += stored->size();
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
