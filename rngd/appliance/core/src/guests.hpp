/// \file
/// Who may contribute at which table, as the durable state says it, for every thread: invitations,
/// and enrolled clients that have handed something in.
#pragma once

#include <map>
#include <mutex>
#include <set>

#include "core/request.hpp"
#include "duty.hpp"

namespace talla::core {

class Guests : public Duty {
 public:
  explicit Guests(Appliance& appliance) : appliance_(appliance) {}

  /// What the state says now.
  void publish();
  /// Whoever holds this token, by its digest; nothing when it invites nobody. Any thread.
  [[nodiscard]] std::optional<Client> invited(const Digest& token) const;
  /// The client has handed in commitments at this table. Any thread.
  [[nodiscard]] bool takes_part(const std::string& client, const std::string& table) const;

  void on_written(std::uint64_t group) override;
  void on_durable(std::uint64_t group) override;

 private:
  struct Known {
    std::map<Digest, Invitation> invited;             // by token
    std::map<std::string, std::set<std::string>> at;  // by table: clients
  };
  [[nodiscard]] Known known_now() const;
  void publish(Known known);

  Appliance& appliance_;
  std::uint64_t told_ = 0;                  // edition that was told outside
  std::map<std::uint64_t, Known> changed_;  // from this group on
  mutable std::mutex mutex_;
  Known known_;  // mutex_
};

}  // namespace talla::core
