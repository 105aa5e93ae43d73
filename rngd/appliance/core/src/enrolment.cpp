// Who is enrolled, and whose certificate was refused.
#include "enrolment.hpp"

#include "approval.hpp"
#include "format/body_machine.hpp"
#include "people.hpp"

namespace talla::core {
namespace {

/// Of one key: its certificate is shown as refused once an hour, of so many keys, with so many
/// waiting for their record.
constexpr std::int64_t refused_interval_ns = 3'600'000'000'000;
constexpr std::size_t refused_known_max = 1024;
constexpr std::size_t refused_waiting_max = 64;

}  // namespace

Enrolment::People Enrolment::people_now() const {
  People people;
  for (const auto& enrolled : appliance_.world().clients) {
    Client client{.id = enrolled.id, .spki = enrolled.spki, .roles = {}, .public_key = {}};
    for (const auto& name : enrolled.roles) {
      if (const auto role = role_from(name)) client.roles.add(*role);
    }
    people.emplace(enrolled.id, std::move(client));
  }
  return people;
}

void Enrolment::publish(People people) {
  const std::scoped_lock lock(mutex_);
  people_ = std::move(people);
}

void Enrolment::publish() {
  told_ = appliance_.world().clients_edition;
  publish(people_now());
}

std::optional<Client> Enrolment::enrolled(const std::string& id, const std::string& spki) const {
  const std::scoped_lock lock(mutex_);
  const auto found = people_.find(id);
  return found != people_.end() && found->second.spki == spki ? std::optional(found->second)
                                                              : std::nullopt;
}

void Enrolment::on_written(std::uint64_t group) {
  const auto edition = appliance_.world().clients_edition;
  if (std::exchange(told_, edition) != edition) changed_.emplace(group, people_now());
}

void Enrolment::on_durable(std::uint64_t group) {
  while (!changed_.empty() && changed_.begin()->first <= group)
    publish(std::move(changed_.extract(changed_.begin()).mapped()));
}

Status Enrolment::on_start(Transaction& tx) {
  TALLA_TRY(const auto text,
            appliance_.effects.log.ledger().document(certs::documents::enrolment_file()));
  // A ledger from before two persons could enrol: its list is that of its file.
  std::vector<EnrolledClient> before = tx.world().clients();
  const bool known = text && !text->empty();
  if (known) {
    TALLA_TRY(before, enrolment_from(*text));
  }
  if (known && before == appliance_.settings.clients) return {};
  std::vector<std::uint64_t> cites;
  if (known) {
    TALLA_TRY(cites, approved_change(tx, appliance_.settings, ActKind::enrolment_change,
                                     appliance_.settings.enrolment_digest, "the list of clients"));
  }
  return take_enrolment_file(tx, before, appliance_.settings.clients, cites);
}

void Enrolment::note_refused(RefusedCertificate refused) {
  appliance_.metrics.count("talla_certificates_refused_total");
  const std::scoped_lock lock(mutex_);
  if (refused_.size() < refused_waiting_max) refused_.push_back(std::move(refused));
}

void Enrolment::on_turn() {
  std::deque<RefusedCertificate> waiting;
  {
    const std::scoped_lock lock(mutex_);
    waiting.swap(refused_);
  }
  const auto now = appliance_.effects.clock.monotonic_ns();
  std::erase_if(refused_ns_,
                [now](const auto& item) { return now - item.second >= refused_interval_ns; });
  for (const auto& one : waiting) {
    if (refused_ns_.size() >= refused_known_max ||
        !refused_ns_.emplace(one.spki + one.reason, now).second)
      continue;
    auto tx = appliance_.begin();
    certs::AccessBody body;
    body.what = one.reason;
    body.refused = true;
    body.object = one.spki;
    body.by = {one.id};
    if (tx.add({certs::Kind::access, {}, {}, body.to_json()})) tx.keep();
  }
}

void Enrolment::on_ended_turn() {
  const std::scoped_lock lock(mutex_);
  refused_.clear();
}

}  // namespace talla::core
