#include "people.hpp"

#include <algorithm>

#include "editing.hpp"
#include "format/body_machine.hpp"
#include "format/domain.hpp"
#include "transaction.hpp"

namespace talla::core {
namespace {

using certs::Kind;
using Clients = std::vector<EnrolledClient>;

const EnrolledClient* with_id(const Clients& clients, const std::string& id) {
  const auto found = std::ranges::find(clients, id, &EnrolledClient::id);
  return found == clients.end() ? nullptr : &*found;
}

bool has_role(const EnrolledClient& client, Role role) {
  return std::ranges::find(client.roles, role_name(role)) != client.roles.end();
}

Status add_key(Transaction& tx, const EnrolledClient& client, bool enrol,
               const std::vector<std::uint64_t>& cites) {
  TALLA_TRY_STATUS(tx.add({Kind::key, {}, cites, client_key(client, enrol)}));
  return {};
}

/// KEY of what must go before this client can be in, and its own. A copy of it: the list changes
/// under it.
// NOLINTNEXTLINE(performance-unnecessary-value-param): as said
Status add_client(Transaction& tx, EnrolledClient client, const std::vector<std::uint64_t>& cites) {
  Clients out;
  for (const auto& other : tx.world().clients()) {
    if (other.id == client.id || other.spki == client.spki) out.push_back(other);
  }
  for (const auto& other : out) TALLA_TRY_STATUS(add_key(tx, other, false, cites));
  return add_key(tx, client, true, cites);
}

void keep_list(Transaction& tx) {
  tx.group().documents.push_back(
      {certs::documents::enrolment(), enrolment_text(tx.world().clients())});
}

}  // namespace

bool can_approve(const Clients& clients) {
  return std::ranges::any_of(clients, [&](const EnrolledClient& one) {
    return has_role(one, Role::security_officer) &&
           std::ranges::any_of(clients, [&](const EnrolledClient& other) {
             return other.id != one.id && has_role(other, Role::inspector);
           });
  });
}

json::Object client_key(const EnrolledClient& client, bool enrol) {
  json::Array roles;
  for (const auto& role : client.roles) roles.emplace_back(role);
  return {{"purpose", "client"},
          {"id", client.id},
          {"spki", client.spki},
          {"roles", std::move(roles)},
          {"action", enrol ? "enrol" : "revoke"}};
}

json::Value log_key_body(const certs::LogKey& log_key) {
  certs::KeyBody body;
  body.log_key = log_key;
  return body.to_json();
}

Result<EnrolledClient> client_of_key(const json::Value& body) {
  const auto* id = body.find("id");
  const auto* spki = body.find("spki");
  const auto* roles = body.find("roles");
  const bool whole = id != nullptr && id->is_string() && spki != nullptr && spki->is_string() &&
                     roles != nullptr && roles->is_array();
  if (!whole) return fail(Errc::replay_failed, "a KEY names no client");
  EnrolledClient client{.id = id->string(), .spki = spki->string(), .roles = {}};
  for (const auto& role : roles->array()) {
    if (!role.is_string()) return fail(Errc::replay_failed, "a KEY has a role that is no text");
    client.roles.push_back(role.string());
  }
  return client;
}

Digest key_digest(const HashSuite& hashes, const json::Value& body) {
  const auto text = json::canonical(body);
  return hashes.sha256({as_bytes(certs::domain::key), as_bytes(text)});
}

Status apply_client_key(Editing& edit, const certs::Record& record) {
  const auto* action = record.body.find("action");
  if (action == nullptr || !action->is_string()) return {};  // a log key
  TALLA_TRY(auto client, client_of_key(record.body));
  auto& clients = edit.clients();
  std::erase_if(clients, [&](const EnrolledClient& other) { return other.id == client.id; });
  if (action->string() == "enrol") clients.push_back(std::move(client));
  return {};
}

std::string enrolment_text(const Clients& clients) {
  json::Array all;
  for (const auto& client : clients) all.emplace_back(client_key(client, true));
  return json::canonical(json::Value(std::move(all)));
}

Result<Clients> enrolment_from(const std::string& text) {
  TALLA_TRY(const auto value, json::parse(text));
  if (!value.is_array())
    return fail(Errc::replay_failed, "the list of enrolled clients is damaged");
  Clients clients;
  for (const auto& one : value.array()) {
    TALLA_TRY(auto client, client_of_key(one));
    clients.push_back(std::move(client));
  }
  return clients;
}

Status take_enrolment_file(Transaction& tx, const Clients& before, const Clients& now,
                           const std::vector<std::uint64_t>& cites) {
  const auto among = [](const Clients& list, const EnrolledClient& one) {
    return std::ranges::find(list, one) != list.end();
  };
  for (const auto& client : before) {
    const auto* enrolled = with_id(tx.world().clients(), client.id);
    if (among(now, client) || enrolled == nullptr) continue;
    const EnrolledClient out = *enrolled;
    TALLA_TRY_STATUS(add_key(tx, out, false, cites));
  }
  for (const auto& client : now) {
    if (among(before, client) || among(tx.world().clients(), client)) continue;
    TALLA_TRY_STATUS(add_client(tx, client, cites));
  }
  keep_list(tx);
  tx.group().documents.push_back({certs::documents::enrolment_file(), enrolment_text(now)});
  return {};
}

Result<EnrolledClient> client_of_request(const json::Value& value) {
  EnrolledClient client{
      .id = value.find("id")->string(), .spki = value.find("spki")->string(), .roles = {}};
  const bool plain =
      std::ranges::all_of(client.id, [](char c) { return c > ' ' && c <= '~' && c != '"'; });
  if (!plain)
    return fail(Errc::malformed_request, "client.id: 1 to 128 printable characters without spaces");
  for (const auto& role : value.find("roles")->array()) {
    if (std::ranges::find(client.roles, role.string()) != client.roles.end())
      return fail(Errc::malformed_request, "client.roles: " + role.string() + " twice");
    client.roles.push_back(role.string());
  }
  return client;
}

Status key_change_possible(const Overlay& world, const Act& act) {
  TALLA_TRY(const auto client, client_of_key(*act.key));
  auto left = world.clients();
  const auto* present = with_id(left, client.id);
  if (act.kind == ActKind::client_enrol) {
    if (present != nullptr && *present == client)
      return fail(Errc::wrong_state, client.id + " is enrolled so already");
    const auto holder = std::ranges::find(left, client.spki, &EnrolledClient::spki);
    if (holder != left.end() && holder->id != client.id)
      return fail(Errc::wrong_state, "this key is that of " + holder->id);
  } else if (present == nullptr || *present != client) {
    return fail(Errc::wrong_state, client.id + " is not enrolled so");
  }
  std::erase_if(left, [&](const EnrolledClient& other) { return other.id == client.id; });
  if (act.kind == ActKind::client_enrol) left.push_back(client);
  if (can_approve(world.clients()) && !can_approve(left))
    return fail(Errc::wrong_state, "no security officer and inspector would be left");
  return {};
}

Status change_key(Transaction& tx, const Act& act, std::uint64_t confirmed) {
  TALLA_TRY(const auto client, client_of_key(*act.key));
  const std::vector<std::uint64_t> cites{confirmed};
  TALLA_TRY_STATUS(act.kind == ActKind::client_enrol ? add_client(tx, client, cites)
                                                     : add_key(tx, client, false, cites));
  keep_list(tx);
  return {};
}

}  // namespace talla::core
