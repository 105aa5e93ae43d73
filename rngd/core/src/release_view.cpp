// What a machine reads of the order released to it, and an auditor of a closed covered shoe.
#include <algorithm>

#include "core.hpp"
#include "format/body_shoe.hpp"
#include "format/openings.hpp"
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
  return record.kind == certs::Kind::access && text("what") == "openings" && text("result") == "allowed" &&
         text("object") == shoe && record.client && record.client->id == client.id &&
         to_hex(record.client->spki) == client.spki;
}

}  // namespace

Result<SecretBytes> Service::Core::unsealed(const std::string& object, std::uint64_t seq) {
  TALLA_TRY(const auto all, effects_.log.ledger().sealed(object));
  const auto found = std::ranges::find(all, seq, &certs::SealedSecret::seq);
  if (found == all.end()) return fail(Errc::secret_unusable, "the sealed bytes are not there");
  auto plain =
      effects_.sealer.unseal({effects_.log.origin(), found->seq, found->kind, found->object}, found->sealed);
  if (!plain) return fail(Errc::secret_unusable, "the sealed bytes do not open");
  return plain;
}

Result<json::Object> Service::Core::release_of(const Request& request, const Shoe& shoe) {
  static_cast<void>(request);
  const Release& release = *shoe.release;
  // What is not durable yet is no release yet: its bytes are in the running group.
  if (release.seq >= effects_.log.size()) return fail(Errc::not_found, "no such release");
  TALLA_TRY(const auto whole, unsealed(shoe.id, release.seq));
  json::Object view = release_view(release);
  view["shoe"] = shoe.id;
  view["deck"] = shoe.commit.deck;
  view["cards"] = shoe.commit.cards;
  view["root"] = to_hex(shoe.commit.root);
  view["recommits"] = shoe.recommits();
  view["ciphertext"] = to_base64(certs::release_head(release.body.form, whole));
  return json::Object{{"release", std::move(view)}};
}

Result<certs::Openings> Service::Core::openings(const std::string& shoe) {
  if (!certs::object_seq("shoe", shoe)) return fail(Errc::not_found, "no such shoe");
  TALLA_TRY(const auto chain, effects_.log.ledger().chain(shoe));
  if (chain.empty()) return fail(Errc::not_found, "no such shoe");
  TALLA_TRY(const auto first, certs::parse_record(chain.front().bytes));
  TALLA_TRY(const auto commit, certs::ShoeCommitBody::from_json(first.body));
  if (!commit.covered)
    return fail(Errc::wrong_state,
                "a public shoe opens everything itself, at its close: there is nothing else");
  if (chain.back().kind != certs::Kind::shoe_close)
    return fail(Errc::wrong_state, "the shoe is in play: its openings wait for its close");
  certs::Openings out{effects_.log.origin(), shoe, chain.back().seq, {}};
  TALLA_TRY(const auto plain, unsealed(shoe, out.close));
  TALLA_TRY(out.roots, certs::Openings::roots_of(plain));
  return out;
}

Result<Reply> Service::Core::openings_reply(const Request& request, const Route& route) {
  const auto access = route.query.find("access");
  if (access == route.query.end())
    return fail(Errc::malformed_request, "access: the number of the ACCESS that lets you read");
  TALLA_TRY(const auto seq, parse_number(access->second, json::integer_max));
  const auto& shoe = route.argument("shoe");
  if (seq >= effects_.log.size()) return fail(Errc::forbidden, "no ACCESS of yours lets you read this shoe");
  TALLA_TRY(const auto stored, effects_.log.ledger().record(seq));
  TALLA_TRY(const auto record, certs::parse_record(stored.bytes));
  if (!lets_read(record, request.client, shoe))
    return fail(Errc::forbidden, "no ACCESS of yours lets you read this shoe");
  if (effects_.clock.utc_us() >= record.time_us + openings_us)
    return fail(Errc::forbidden, "this ACCESS is more than an hour old: ask again");
  TALLA_TRY(const auto file, openings(shoe));
  Reply reply;
  reply.body = file.text();
  return reply;
}

}  // namespace talla::core
