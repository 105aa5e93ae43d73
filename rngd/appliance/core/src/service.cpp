#include "core/service.hpp"

#include <utility>

#include "catalogues.hpp"
#include "core.hpp"

namespace talla::core {

Service::Service(std::unique_ptr<Core> core) : core_(std::move(core)) {}
Service::~Service() = default;

Result<std::unique_ptr<Service>> Service::create(Settings settings, Effects effects) {
  TALLA_TRY(auto catalogues, Catalogues::create(effects.hashes));
  auto core =
      std::make_unique<Core>(std::move(settings), std::move(effects), std::move(catalogues));
  TALLA_TRY_STATUS(core->begin());
  return std::unique_ptr<Service>(new Service(std::move(core)));
}

void Service::submit(Request request, Answer answer) {
  core_->submit(std::move(request), std::move(answer));
}
void Service::serving() {
  core_->configuration().serving();
}
std::optional<Client> Service::enrolled(const std::string& id, const std::string& spki) const {
  return core_->enrolment().enrolled(id, spki);
}
std::optional<Client> Service::invited(const Digest& token) const {
  return core_->guests().invited(token);
}
void Service::note_refused(RefusedCertificate refused) {
  core_->enrolment().note_refused(std::move(refused));
}
void Service::start() {
  core_->start();
}
void Service::stop() {
  core_->stop();
}
bool Service::run_once() {
  return core_->turn();
}
void Service::run_until_idle() {
  core_->run_until_idle();
}
Readiness Service::ready() const {
  return core_->ready();
}
void Service::fail_now() {
  core_->appliance().fail();
}

bool Service::failed() const {
  return core_->appliance().failed();
}
std::uint64_t Service::turns() const {
  return core_->turns();
}
MetricsSnapshot Service::metrics() const {
  return core_->metrics();
}

EventPage Service::events(const Client& client, const EventQuery& query) const {
  return core_->events().page(client, query);
}
std::shared_ptr<void> Service::subscribe(std::function<void()> wake) {
  return core_->events().subscribe(std::move(wake));
}

}  // namespace talla::core
