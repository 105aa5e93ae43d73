// The places of a listener: shares, who gives way, the end of all.
#include "places.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace talla::http {

namespace {

std::int64_t now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

constexpr std::size_t number_of(Share share) {
  return static_cast<std::size_t>(share);
}

constexpr std::array every_share{Share::client, Share::address, Share::listener};

/// Without the lock: the last owner of one would leave under it.
void cut_all(const std::vector<std::shared_ptr<Occupant>>& those) {
  for (const auto& one : those) {
    if (one) one->cut();
  }
}

}  // namespace

void Occupant::rest() {
  resting_since_.store(now_ns(), std::memory_order_relaxed);
}

Places::Places(const Shares& shares, std::shared_ptr<Traffic> traffic)
    : shares_(shares), traffic_(std::move(traffic)), handshakes_(shares.handshakes_per_address) {}

void Places::count_out(const Place& place) {
  if (place.cut) return;
  --(place.known ? traffic_->connections : traffic_->strangers);
  if (place.streams) --traffic_->streams;
}

std::shared_ptr<Occupant> Places::take_place(Entry& entry) {
  count_out(entry.second);
  entry.second.cut = true;
  return entry.second.who.lock();
}

Places::Entry* Places::stranger_that_gives_way() {
  struct Count {
    std::size_t silent = 0;
    std::size_t speaking = 0;
  };
  std::map<std::string_view, Count> of_address;
  for (const auto& [occupant, place] : places_) {
    if (place.known || place.cut) continue;
    Count& count = of_address[place.address];
    ++(place.spoke ? count.speaking : count.silent);
  }
  // The address with most, then its larger half, then the oldest.
  using Rank = std::tuple<std::size_t, std::size_t, std::uint64_t>;
  Entry* found = nullptr;
  Rank rank_found{};
  for (auto& entry : places_) {
    const Place& place = entry.second;
    if (place.known || place.cut) continue;
    const Count& count = of_address[place.address];
    const Rank rank{count.silent + count.speaking, place.spoke ? count.speaking : count.silent,
                    std::numeric_limits<std::uint64_t>::max() - place.arrival};
    if (found == nullptr || rank > rank_found) {
      found = &entry;
      rank_found = rank;
    }
  }
  return found;
}

bool Places::speaks(const Occupant* who, bool handshake) {
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(who);
  if (found == places_.end() || found->second.cut) return false;
  Place& place = found->second;
  if (place.spoke) return true;
  place.spoke = true;
  if (!handshake) return true;
  place.handshake = handshakes_.take(place.address, now_ns());
  if (place.handshake) return true;
  count_out(place);
  place.cut = true;
  ++traffic_->handshakes_refused;
  return false;
}

void Places::enter(const std::shared_ptr<Occupant>& who, std::string address) {
  std::shared_ptr<Occupant> out;  // cut without the lock: the last owner of one would leave here
  {
    const std::scoped_lock lock(mutex_);
    if (traffic_->strangers.load() >= shares_.strangers) {
      if (Entry* gives_way = stranger_that_gives_way()) {
        out = take_place(*gives_way);
        ++traffic_->strangers_cut;
      }
    }
    places_.emplace(
        who.get(),
        Place{.who = who, .address = std::move(address), .client = {}, .arrival = ++arrivals_});
    ++traffic_->strangers;
    ++traffic_->arrivals;
  }
  if (out) out->cut();
}

Places::Entry* Places::longest_at_rest(const Entries& among) {
  Entry* found = nullptr;
  for (Entry* one : among) {
    const auto since = one->first->resting_since();
    if (since != 0 && (found == nullptr || since < found->first->resting_since())) found = one;
  }
  return found;
}

Places::Entry* Places::who_gives_way(const Entries& among, const Place& comes, bool streams) {
  std::map<std::string_view, Entries> by_holder;
  for (Entry* one : among) by_holder[one->second.holder()].push_back(one);
  Entries* most = nullptr;
  for (auto& [holder, entries] : by_holder) {
    if (most == nullptr || entries.size() > most->size()) most = &entries;
  }
  const auto own = by_holder.find(comes.holder());
  const std::size_t has = own == by_holder.end() ? 0 : own->second.size();
  if (most != nullptr && most->size() >= has + 2) {
    if (Entry* rests = longest_at_rest(*most)) return rests;
    return *std::ranges::min_element(*most, {},
                                     [](const Entry* one) { return one->second.arrival; });
  }
  if (streams) return nullptr;  // who asks for one more would lose another, and ask again
  // Of an unknown caller nothing is lost with a connection at rest: it opens another.
  if (comes.client.empty()) return longest_at_rest(among);
  return own == by_holder.end() ? nullptr : longest_at_rest(own->second);
}

template <class Counts>
std::optional<Share> Places::make_room(const Place& comes, const Limits& limits, Counts counts,
                                       bool streams, std::vector<std::shared_ptr<Occupant>>& out) {
  for (const Share share : every_share) {
    if (share == Share::client && comes.client.empty()) continue;
    const auto shares = [&](const Place& place) {
      return !place.cut && counts(place) &&
             (share != Share::client || place.client == comes.client) &&
             (share != Share::address || place.address == comes.address);
    };
    const auto taken =
        std::ranges::count_if(places_, [&](const auto& entry) { return shares(entry.second); });
    if (static_cast<std::size_t>(taken) < limits.at(number_of(share))) continue;
    Entries among;
    for (auto& entry : places_) {
      if (shares(entry.second)) among.push_back(&entry);
    }
    Entry* gives_way = who_gives_way(among, comes, streams);
    if (gives_way == nullptr) {
      ++(streams ? traffic_->streams_refused : traffic_->refused).at(number_of(share));
      return share;
    }
    out.push_back(take_place(*gives_way));
    ++(streams ? traffic_->streams_cut : traffic_->cut).at(number_of(share));
  }
  return std::nullopt;
}

std::optional<Share> Places::settle(const Occupant* who, std::string client) {
  std::vector<std::shared_ptr<Occupant>> out;
  std::optional<Share> full;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = places_.find(who);
    if (found == places_.end() || found->second.cut) return Share::listener;
    Place& comes = found->second;
    comes.client = std::move(client);
    if (!comes.client.empty() && std::exchange(comes.handshake, false))
      handshakes_.give_back(comes.address);
    const Limits limits{shares_.connections_per_client, shares_.connections_per_address,
                        shares_.connections};
    full = make_room(
        comes, limits, [](const Place& place) { return place.known; }, false, out);
    if (!full) {
      comes.known = true;
      --traffic_->strangers;
      ++traffic_->connections;
    }
  }
  cut_all(out);  // also where a later share was full: they have no place any more
  return full;
}

std::optional<Share> Places::stream(const Occupant* who) {
  std::vector<std::shared_ptr<Occupant>> out;
  std::optional<Share> full;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = places_.find(who);
    if (found == places_.end() || found->second.cut) return Share::listener;
    Place& asks = found->second;
    const Limits limits{shares_.streams_per_client, shares_.streams_per_address, shares_.streams};
    full = make_room(
        asks, limits, [](const Place& place) { return place.streams; }, true, out);
    if (!full) {
      asks.streams = true;
      ++traffic_->streams;
    }
  }
  cut_all(out);
  return full;
}

void Places::leave(const Occupant* who) {
  const std::scoped_lock lock(mutex_);
  const auto found = places_.find(who);
  if (found == places_.end()) return;
  count_out(found->second);
  places_.erase(found);
}

void Places::end_all() {
  std::vector<std::shared_ptr<Occupant>> alive;  // the last owner of one would leave here
  {
    const std::scoped_lock lock(mutex_);
    alive.reserve(places_.size());
    for (const auto& [occupant, place] : places_) {
      if (auto one = place.who.lock()) alive.push_back(std::move(one));
    }
  }
  for (const auto& occupant : alive) occupant->end_soon();
}

}  // namespace talla::http
