// What a machine reads of the order released to it, and an auditor of a closed covered shoe.
#include "cards.hpp"
#include "format/body_shoe.hpp"
#include "questions.hpp"
#include "sealed.hpp"
#include "sight.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

/// An ACCESS lets its auditor read for so long.
constexpr std::int64_t openings_us = 3'600'000'000;

/// The record lets this client read the openings of that shoe.
bool lets_read(const certs::Record& record, const Client& client, const std::string& shoe) {
  const auto text = [&](std::string_view name) {
    const auto* member = record.body.find(name);
    return member != nullptr && member->is_string() ? member->string() : std::string();
  };
  return record.kind == certs::Kind::access && text("what") == "openings" &&
         text("result") == "allowed" && text("object") == shoe && record.client &&
         record.client->id == client.id && to_hex(record.client->spki) == client.spki;
}

}  // namespace

Result<json::Object> Questions::release(const Request& request, const Route& route) const {
  const auto seq = certs::object_seq("shoe", route.argument("shoe"));
  const auto found = seq ? appliance_.world.shoes.find(*seq) : appliance_.world.shoes.end();
  if (found == appliance_.world.shoes.end() || !released_to(found->second, request.client))
    return not_found("release");
  const Shoe& shoe = found->second;
  const Release& release = *shoe.release;
  // What is not durable yet is no release yet: its bytes are in the running group.
  if (release.seq >= appliance_.effects.log.size()) return not_found("release");
  TALLA_TRY(const auto whole, unsealed(appliance_, shoe.id, release.seq));
  json::Object view = release_view(release);
  view["shoe"] = shoe.id;
  view["deck"] = shoe.commit.deck;
  view["cards"] = shoe.commit.cards;
  view["root"] = to_hex(shoe.commit.root);
  view["recommits"] = shoe.recommits();
  view["ciphertext"] = to_base64(certs::release_head(release.body.form, whole));
  return json::Object{{"release", std::move(view)}};
}

Result<Reply> Questions::openings(const Request& request, const Route& route) const {
  const auto access = route.query.find("access");
  if (access == route.query.end())
    return fail(Errc::malformed_request, "access: the number of the ACCESS that lets you read");
  TALLA_TRY(const auto seq, parse_number(access->second, json::integer_max));
  const auto& shoe = route.argument("shoe");
  if (seq >= appliance_.effects.log.size())
    return fail(Errc::forbidden, "no ACCESS of yours lets you read this shoe");
  TALLA_TRY(const auto stored, appliance_.effects.log.ledger().record(seq));
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  if (!lets_read(record, request.client, shoe))
    return fail(Errc::forbidden, "no ACCESS of yours lets you read this shoe");
  if (appliance_.effects.clock.utc_us() >= record.time_us + openings_us)
    return fail(Errc::forbidden, "this ACCESS is more than an hour old: ask again");
  TALLA_TRY(const auto file, openings_of(appliance_, shoe));
  Reply reply;
  reply.body = file.text();
  return reply;
}

}  // namespace talla::core
