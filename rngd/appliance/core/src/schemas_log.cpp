// What the log keeps and proves, as answers hold it: records, evidence, acts, machines.
#include "act.hpp"
#include "core/roles.hpp"
#include "format/kinds.hpp"
#include "format/record.hpp"
#include "format/release_format.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

/// A closed object as its records tell it.
Schema past_schema() {
  return Schema::named(
      "Past",
      Schema::object(
          {required("id", Schema::text()), required("state", Schema::one_of({"closed", "ended"})),
           required("opening", Schema::open_object().about("body of the opening record")),
           required("closing", Schema::open_object().about("body of the last record")),
           required("records", Schema::list(Schema::object({required("seq", Schema::number()),
                                                            required("kind", kind_schema())}))),
           optional("bets", Schema::list(bet_schema()).about("of a round: those that stood")),
           optional("cards", Schema::list(dealt_card_schema()).about("of a settled round")),
           optional("outcome", Schema::list(Schema::text())
                                   .about("of a settled round's draw: numbers and faces as the "
                                          "game has them")),
           optional("results", Schema::list(result_schema()).about("of a settled round")),
           optional("settlement", Schema::number().about("seq of the SETTLEMENT"))}));
}

}  // namespace

Schema role_schema() {
  std::vector<std::string> names;
  for (const Role role : all_roles) names.emplace_back(role_name(role));
  return Schema::one_of(std::move(names));
}

Schema kind_schema() {
  std::vector<std::string> names;
  for (const certs::Kind kind : certs::all_kinds()) names.emplace_back(certs::kind_name(kind));
  return Schema::named("Kind", Schema::one_of(std::move(names)).about("of a record"));
}

Schema receipt_schema() {
  return Schema::named(
      "Receipt",
      Schema::object({required("proof", Schema::text().about("C2SP tlog-proof")),
                      required("record", Schema::text().about("canonical JSON of the record"))}));
}

SchemaMember receipts_member() {
  return required("receipts", Schema::list(receipt_schema(), 1)
                                  .about("of all records made: verify them before relying on it"));
}

Schema reply_of(const std::string& name, const std::string& member, const Schema& object,
                std::vector<SchemaMember> more) {
  std::vector<SchemaMember> members{required(member, object)};
  std::ranges::move(more, std::back_inserter(members));
  return Schema::named(name, Schema::object(std::move(members)));
}

Schema reply_or_past(const std::string& member, const Schema& reply) {
  std::string name = "Past" + member;
  name[4] = static_cast<char>(name[4] - 'a' + 'A');
  return Schema::either({reply, reply_of(name, member, past_schema())});
}

Schema bundle_schema() {
  const auto key = Schema::open_object().about("certs/FORMAT.md section 5");
  return Schema::named(
      "Bundle",
      Schema::open_object(
          {required("v", Schema::exactly(certs::format_version)),
           required("type", Schema::one_of({"talla-bundle", "talla-laboratory"})),
           required("claim", Schema::number()), required("checkpoint", Schema::text()),
           required("records", Schema::list(Schema::open_object(), 1)), required("log_key", key),
           optional("catalogue", Schema::text()), optional("state_before", Schema::open_object())})
          .about("evidence that verifies without the appliance (certs/FORMAT.md section 9)"));
}

Schema events_schema() {
  return Schema::named(
      "Events",
      Schema::object(
          {required(
               "events",
               Schema::list(Schema::object(
                                {required("seq", Schema::number()), required("kind", kind_schema()),
                                 required("object", Schema::text().about("empty: the machine's")),
                                 required("table", Schema::text().about("empty: the machine's")),
                                 required("record", Schema::text())}),
                            0, 1000)),
           required("more", Schema::flag().about("records behind `next` are there already")),
           required("next", Schema::integer(-1, json::integer_max)
                                .about("so far the log was looked through: `after` of the next "
                                       "page"))}));
}

Schema log_keys_schema() {
  const auto key =
      Schema::object({required("statement", Schema::text()), required("signature", Schema::text()),
                      required("chain", Schema::list(Schema::text()))});
  return Schema::named(
      "LogKeys", Schema::object({required("v", Schema::exactly(certs::format_version)),
                                 required("type", Schema::exactly("talla-log-keys")),
                                 required("log_key", key), required("checkpoint", Schema::text()),
                                 optional("key_changes", Schema::list(Schema::open_object()))})
                     .about("every key that has signed the log (certs/FORMAT.md section 5)"));
}

Schema consistency_schema() {
  const auto proof =
      Schema::object({required("size", Schema::number()), required("root", Schema::digest()),
                      required("path", Schema::list(Schema::base64()))});
  return Schema::named(
      "Consistency",
      Schema::object({required("v", Schema::exactly(certs::format_version)),
                      required("type", Schema::exactly("talla-consistency")),
                      required("origin", Schema::text()), required("size", Schema::number()),
                      required("root", Schema::digest()), required("proofs", Schema::list(proof))})
          .about("RFC 6962 section 2.1.2, from the size of the proof to that of the file"));
}

Schema openings_schema() {
  return Schema::named(
      "Openings",
      Schema::object(
          {required("v", Schema::number()), required("type", Schema::text()),
           required("origin", Schema::text()), required("shoe", Schema::id("shoe")),
           required("close", Schema::number()),
           required("roots", Schema::list(Schema::object({required("key", Schema::digest()),
                                                          required("tape", Schema::base64())})))})
          .about("the secrets of a closed covered shoe (certs/FORMAT.md section 9)"));
}

Schema shuffle_report_schema() {
  return Schema::named(
      "ShuffleReport",
      Schema::object(
          {required("number", Schema::number().about("of the reports of this release, from 1")),
           required("recognised", Schema::number().about("cards of the deck that it saw")),
           required("result", Schema::one_of({"match", "mismatch", "jam", "lid"})),
           optional("position", Schema::number().about("first place that differs")),
           optional("census", Schema::one_of({"complete", "wrong"})),
           optional("seen", Schema::digest()), optional("targets", Schema::number()),
           required("key", Schema::base64().about("public key of the machine")),
           required("signature", Schema::base64().about("of that key, over the report"))}));
}

Schema release_schema() {
  return Schema::named(
      "Release",
      Schema::object(
          {required("seq", Schema::number().about("of its SHOE_RELEASE")),
           required("machine", Schema::text()),
           required("form", Schema::one_of({"order", "targets", "shelf"})),
           required("order_known_to", Schema::digest().about("SHA-256 of the machine's key")),
           required("ciphertext_digest", Schema::digest()),
           optional("targets", Schema::number().about("given so far")),
           optional("compartments", Schema::number()), optional("reverses", Schema::flag()),
           optional("report", shuffle_report_schema())}));
}

Schema client_to_enrol_schema() {
  return Schema::named(
      "ClientToEnrol",
      Schema::object({required("id", Schema::text(1, 128).about("URI of the certificate")),
                      required("spki", Schema::digest().about(
                                           "SHA-256 of the certificate's SubjectPublicKeyInfo")),
                      required("roles", Schema::list(role_schema(), 1))})
          .about("a client certificate with its roles"));
}

Schema ended_by_schema() {
  return Schema::object(
             {required("act", Schema::one_of(act_names())),
              required("roles", Schema::list(Schema::list(role_schema(), 1), 2, 2)
                                    .about("of the one person, any of them, and of the other"))})
      .about("the act of two persons that ends a latch, or lets a table call again");
}

Schema act_schema() {
  std::vector<std::string> stages;
  for (const ActStage stage : {ActStage::asked, ActStage::confirmed, ActStage::done,
                               ActStage::failed, ActStage::expired, ActStage::withdrawn})
    stages.emplace_back(stage_name(stage));
  return Schema::named(
      "Act",
      Schema::object(
          {required("id", Schema::id("act")), required("act", Schema::one_of(act_names())),
           required("state",
                    Schema::one_of(std::move(stages))
                        .about("confirmed: done with it, but for a latch-reset, a "
                               "log-key-rotate and a sampling-order, which are under way and end "
                               "done or failed; an act with a digest of a file, software or backup "
                               "is approved then, and carried out by a start")),
           required("asked_by", Schema::text()),
           required("asked", Schema::number().about("microseconds since 1970, UTC")),
           required("expires", Schema::number()), optional("confirmed_by", Schema::text()),
           optional("object", Schema::text()),
           optional("call", Schema::number().about("seq of the CALL")),
           optional("digest",
                    Schema::digest().about("of what is asked for, repeated by every record "
                                           "of the act; of the samples that an order gave")),
           optional("head", Schema::digest().about("of an act that both sign: of the table")),
           optional("client", client_to_enrol_schema())}));
}

}  // namespace talla::core
