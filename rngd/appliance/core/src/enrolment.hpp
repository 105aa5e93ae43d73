/// \file
/// Who is enrolled, as the durable KEY records say it, and whose certificate was refused.
#pragma once

#include <deque>
#include <map>
#include <mutex>

#include "core/service.hpp"
#include "duty.hpp"

namespace talla::core {

class Enrolment : public Duty {
 public:
  explicit Enrolment(Appliance& appliance) : appliance_(appliance) {}

  /// Whoever the state enrols now may come in.
  void publish();
  /// Whom this certificate belongs to; nothing when it is not enrolled. Any thread.
  [[nodiscard]] std::optional<Client> enrolled(const std::string& id,
                                               const std::string& spki) const;
  /// An ACCESS says so: at most one an hour for each key and reason. Any thread.
  void note_refused(RefusedCertificate refused);

  /// What the list of this start's file adds and takes away.
  [[nodiscard]] Status on_start(Transaction& tx) override;
  void on_turn() override;
  void on_ended_turn() override;
  void on_written(std::uint64_t group) override;
  void on_durable(std::uint64_t group) override;

 private:
  using People = std::map<std::string, Client, std::less<>>;  // by id
  [[nodiscard]] People people_now() const;
  void publish(People people);

  Appliance& appliance_;
  std::uint64_t told_ = 0;                          // edition of the clients told outside
  std::map<std::uint64_t, People> changed_;         // enrolled from this group on
  std::map<std::string, std::int64_t> refused_ns_;  // key and reason: when the last ACCESS said so
  mutable std::mutex mutex_;
  People people_;                           // mutex_
  std::deque<RefusedCertificate> refused_;  // mutex_
};

}  // namespace talla::core
