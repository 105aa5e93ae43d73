// What a machine reads of the order released to it, and an auditor of a closed covered shoe.
#include "cards.hpp"
#include "format/body_shoe.hpp"
#include "operations.hpp"
#include "questions.hpp"
#include "schemas.hpp"
#include "sealed.hpp"
#include "seats.hpp"
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
  const auto found = seq ? appliance_.world().shoes.find(*seq) : appliance_.world().shoes.end();
  if (found == appliance_.world().shoes.end() || !released_to(found->second, request.client))
    return not_found("release");
  const Shoe& shoe = found->second;
  const Release& release = *shoe.release;
  // What is not durable yet is no release yet: its bytes are in the running group.
  if (release.seq >= appliance_.effects.log.size()) return not_found("release");
  TALLA_TRY(const auto whole, unsealed(appliance_, shoe.id, release.seq));
  json::Object view = release_view(release);
  TALLA_TRY(const auto stored, appliance_.effects.log.ledger().record(release.seq));
  view["record"] = stored.bytes;
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

std::vector<Operation> machine_operations() {
  const auto release = Schema::object(
      {required("seq", Schema::number()), required("machine", Schema::text()),
       required("form", Schema::one_of({"order", "targets", "shelf"})),
       required("order_known_to", Schema::digest()),
       required("ciphertext_digest", Schema::digest()), optional("targets", Schema::number()),
       optional("compartments", Schema::number()), optional("reverses", Schema::flag()),
       optional("report", shuffle_report_schema()), required("shoe", Schema::id("shoe")),
       required("deck", Schema::text()), required("cards", Schema::number()),
       required("root", Schema::digest()), required("recommits", Schema::number()),
       required("record", Schema::text().about("its SHOE_RELEASE: a report is signed for its head "
                                               "(certs/FORMAT.md section 7)")),
       required("ciphertext", Schema::base64().about("certs/FORMAT.md, Release to a machine"))});
  return {
      {.row = {"getRelease", "GET", "/v1/shoes/{shoe}/release", {Role::shuffler}, false},
       .handler = &Questions::release,
       .words = {"machines", "The order that was released to this machine",
                 "The same bytes again and again, until the shoe closes."},
       .body = {},
       .query = {},
       .replies = {{reply_of("ReleaseReply", "release", release)}},
       .example_body = {},
       .example_reply =
           R"({"release":{"cards":40,"ciphertext":"BGAhKz3d",)"
           R"()"
           R"("ciphertext_digest":)"
           R"("5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("deck":"spanish40x1","form":"order","machine":"talla:shuffler-1",)"
           R"("order_known_to":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("record":"{}","recommits":0,)"
           R"("root":"5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456",)"
           R"("seq":6,"shoe":"shoe-5"}})"},
      {.row = {"getOpenings", "GET", "/v1/shoes/{shoe}/openings", {Role::auditor}, false},
       .handler = &Questions::openings,
       .words = {"evidence", "The openings of a closed covered shoe",
                 "For the auditor whose ACCESS is named, within the hour."},
       .body = {},
       .query = {required("access", Schema::number().about("seq of the ACCESS"))},
       .replies = {{openings_schema()}},
       .example_body = {},
       .example_reply =
           R"({"close":30,"origin":"casino.example/talla-1","roots":[],"shoe":"shoe-5",)"
           R"("type":"talla-openings","v":2})"},
  };
}

}  // namespace talla::core
