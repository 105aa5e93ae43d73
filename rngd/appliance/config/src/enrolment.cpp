#include "config/enrolment.hpp"

#include <array>
#include <set>

#include "base/bytes.hpp"
#include "toml_reader.hpp"

namespace talla::rngd {

namespace {

constexpr auto known_roles =
    std::to_array<std::string_view>({"table", "seat", "contributor", "shuffler", "operator",
                                     "security-officer", "inspector", "auditor", "lab"});

Result<EnrolledClient> read_client(const toml::table& table, const std::string& path) {
  TomlReader reader(table, path, "client.");
  EnrolledClient client;
  TALLA_TRY_STATUS(reader.text("id", client.id, true));
  TALLA_TRY_STATUS(reader.text("spki", client.spki, true));
  TALLA_TRY(client.roles, reader.texts("roles"));
  TALLA_TRY_STATUS(reader.finish());
  const bool plain = std::all_of(client.id.begin(), client.id.end(),
                                 [](char c) { return c > ' ' && c <= '~' && c != '"'; });
  if (client.id.empty() || client.id.size() > 128 || !plain) {
    return reader.refuse(reader.take("id"), "id",
                         "must be 1 to 128 printable characters without spaces");
  }
  if (!digest_from_hex(client.spki))
    return reader.refuse(reader.take("spki"), "spki", "must be 64 lower-case hex digits");
  for (const std::string& role : client.roles) {
    if (std::find(std::begin(known_roles), std::end(known_roles), role) == std::end(known_roles)) {
      return reader.refuse(reader.take("roles"), "roles", "there is no role " + role);
    }
  }
  return client;
}

}  // namespace

Result<std::vector<EnrolledClient>> parse_enrolment(std::string_view text,
                                                    const std::string& path) {
  TALLA_TRY(const toml::table parsed, parse_toml(text, path));
  TomlReader whole(parsed, path, "");
  const toml::node* list = whole.take("client");
  TALLA_TRY_STATUS(whole.finish());
  std::vector<EnrolledClient> clients;
  if (list == nullptr) return clients;
  if (!list->is_array_of_tables())
    return whole.refuse(list, "client", "[[client]] sections are expected");
  std::set<std::string> seen;
  for (const auto& node : *list->as_array()) {
    TALLA_TRY(EnrolledClient client, read_client(*node.as_table(), path));
    if (!seen.insert(client.id).second)
      return whole.refuse(&node, "client.id", client.id + " appears twice");
    if (!seen.insert(client.spki).second)
      return whole.refuse(&node, "client.spki", "one key for two clients");
    clients.push_back(std::move(client));
  }
  return clients;
}

Result<std::vector<EnrolledClient>> load_enrolment(const std::string& path) {
  TALLA_TRY(const std::string text, read_text(path));
  return parse_enrolment(text, path);
}

}  // namespace talla::rngd
