/// \file
/// The places of a listener and who has them: shares of clients and addresses, who gives way to
/// whom, and the end of all. Private to http.
///
/// A connection begins as a stranger: within its TLS handshake, or, where nobody is asked for a
/// certificate, before its first whole request. Strangers have places of their own, and a new one
/// always gets in: where those are full, one of the address with the most strangers is cut: the
/// oldest of those that have said nothing, or of those that have said something, whichever are more
/// there. So silent callers never put out one that has begun to speak, as long as they are more.
/// Who is known has a place among the connections, within the share of its client and of its
/// address. Where a share is full, a connection gives way if its holder (the client; its address
/// where nobody shows a certificate) has at least two more than the one that comes; else one of the
/// same holder that rests; else the one that comes is refused. So places tend to equal shares, and
/// no two holders take a place from each other in turn.
/// Threads: any.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "handshake_rate.hpp"
#include "http/server.hpp"

namespace talla::http {

/// Who has a place.
class Occupant {
 public:
  Occupant() = default;
  Occupant(const Occupant&) = delete;
  Occupant& operator=(const Occupant&) = delete;
  virtual ~Occupant() = default;
  /// Now, or behind the reply that is on its way. Returns at once; any thread.
  virtual void end_soon() = 0;
  /// Now, whatever is under way. Returns at once; any thread.
  virtual void cut() = 0;

  /// Nothing of it is under way from now on, or something is. Any thread.
  void rest();
  void work() { resting_since_.store(0, std::memory_order_relaxed); }
  /// Steady time, ns; 0: something is under way.
  [[nodiscard]] std::int64_t resting_since() const {
    return resting_since_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int64_t> resting_since_{0};
};

class Places {
 public:
  Places(const Shares& shares, std::shared_ptr<Traffic> traffic);

  /// A stranger of this address (address_share) comes in.
  void enter(const std::shared_ptr<Occupant>& who, std::string address);
  /// A stranger has sent its first bytes; `handshake`: what they begin is a TLS handshake. False:
  /// its address has begun too many (handshake_rate.hpp), and it has no place any more.
  [[nodiscard]] bool speaks(const Occupant* who, bool handshake);
  /// It is known from now on, by the key of its certificate or, empty, by its address alone.
  /// Errors: the share that is full; it stays a stranger then.
  [[nodiscard]] std::optional<Share> settle(const Occupant* who, std::string client);
  /// It streams events from now on. Errors: the share of streams that is full.
  [[nodiscard]] std::optional<Share> stream(const Occupant* who);
  /// No matter when it never entered.
  void leave(const Occupant* who);
  void end_all();

 private:
  struct Place {
    std::weak_ptr<Occupant> who;
    std::string address;
    std::string client;         // empty: nobody showed a certificate
    std::uint64_t arrival = 0;  // in the order of coming
    bool spoke = false;         // has sent something
    bool handshake = false;     // that counts in the rate of its address
    bool known = false;
    bool streams = false;
    bool cut = false;  // has no place any more, is on its way out
    [[nodiscard]] const std::string& holder() const { return client.empty() ? address : client; }
  };
  using Entry = std::pair<const Occupant* const, Place>;
  using Entries = std::vector<Entry*>;
  using Limits = std::array<unsigned, share_count>;

  /// Makes room for one more of the holder, among those that `counts`. Errors: the full share.
  template <class Counts>
  std::optional<Share> make_room(const Place& comes, const Limits& limits, Counts counts,
                                 bool streams, std::vector<std::shared_ptr<Occupant>>& out);
  [[nodiscard]] static Entry* who_gives_way(const Entries& among, const Place& comes, bool streams);
  [[nodiscard]] Entry* stranger_that_gives_way();
  [[nodiscard]] static Entry* longest_at_rest(const Entries& among);
  std::shared_ptr<Occupant> take_place(Entry& entry);
  void count_out(const Place& place);

  const Shares shares_;
  const std::shared_ptr<Traffic> traffic_;
  std::mutex mutex_;
  std::unordered_map<const Occupant*, Place> places_;  // mutex_
  std::uint64_t arrivals_ = 0;                         // mutex_
  HandshakeRate handshakes_;                           // mutex_
};

}  // namespace talla::http
