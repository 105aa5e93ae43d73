// What the appliance says of itself, and how it refuses.
#include "problem.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

Schema alarm_of(const char* which) {
  return Schema::one_of({"none", "claim", "past"})
      .about(std::string("the alarm of ") + which +
             " windows that stands: more hits than the claimed min-entropy allows, or beyond the "
             "source's own past");
}

Schema measure_schema() {
  return Schema::object(
      {required("name", Schema::text()), required("alarms", Schema::number()),
       optional("short_ppm", Schema::number()), required("short_past_known", Schema::flag()),
       required("short_alarm", alarm_of("short")), optional("long_ppm", Schema::number()),
       required("long_past_known", Schema::flag()), required("long_alarm", alarm_of("long"))});
}

/// Logarithms may be below zero.
Schema thousandths() {
  return Schema::integer(-json::integer_max, json::integer_max).about("thousandths");
}

}  // namespace

Schema monitor_side_schema() {
  return Schema::named(
      "MonitorSide",
      Schema::object({required("epoch", Schema::number()), required("log_e_milli", thousandths()),
                      required("alarm_at_milli", thousandths()), required("alarm", Schema::flag()),
                      required("alarms", Schema::number())}));
}

namespace {

Schema monitors_schema() {
  const auto quality = Schema::object(
      {required("source", Schema::text()), required("samples", Schema::number()),
       required("alarms_standing", Schema::number()), required("alarms", Schema::number()),
       required("measures", Schema::list(measure_schema()))});
  const auto watching = Schema::object(
      {required("class", Schema::one_of({"noise", "bits", "outcomes"})),
       required("name", Schema::text()), required("unit", Schema::text()),
       required("seen", Schema::number()), required("process", monitor_side_schema()),
       required("detector", monitor_side_schema())});
  return Schema::named(
      "Monitors",
      Schema::open_object(
          {required("alpha", Schema::text()), required("run_length", Schema::number()),
           required("alarms_standing", Schema::number()),
           required("states_refused", Schema::number()),
           required("quality",
                    Schema::list(quality).about(
                        "shares over raw samples of each noise source; short windows are 131,072 "
                        "samples, long ones 4,194,304; shares in millionths, absent before the "
                        "first whole window")),
           required("watching", Schema::list(watching))})
          .about("watch over noise, conditioned bits, outcomes and payments, for ever; absent when "
                 "switched off. What payments came to has a request of its own. Logarithms are "
                 "natural, in thousandths"));
}

Schema device_schema() {
  return Schema::named(
      "Device",
      Schema::open_object(
          {required("stalls_cleared", Schema::number()), required("silences", Schema::number()),
           required("blocks_dropped", Schema::number()),
           optional("gain_permille",
                    Schema::number().about("Infinite Noise: measured gain of its multiplier, "
                                           "thousandths; 1840 as built")),
           optional("sample_variance",
                    Schema::number().about("ChaosKey: variance of its last 4,096 converter words, "
                                           "squared steps")),
           optional("supply_millivolts",
                    Schema::number().about("TrueRNGpro: supply of its noise circuit at the last "
                                           "set-up")),
           optional("firmware_version",
                    Schema::number().about("OneRNG: as it said itself at the last set-up"))})
          .about("of a USB generator: what its process tells; nothing is decided by it"));
}

Schema source_schema() {
  return Schema::named(
      "NoiseSource",
      Schema::object(
          {required("model", Schema::text()), required("serial", Schema::text()),
           required("class", Schema::text()), required("credited", Schema::flag()),
           required("verdict", Schema::one_of({"untested", "good", "testing", "failed"})),
           required("lost", Schema::flag().about("its stream is over: pulled out, or its process "
                                                 "died")),
           required("required", Schema::flag()), required("independent", Schema::flag()),
           required("millibits", Schema::number().about("assessed min-entropy of a sample, "
                                                        "thousandths of a bit")),
           required("bits", Schema::number().about("of a sample")),
           required("nominal_rate", Schema::number().about("samples a second")),
           required("samples", Schema::number()), required("credited_bits", Schema::number()),
           required("alarms", Schema::number()),
           optional("assessment", Schema::one_of({"assumed", "stated", "unit", "type"})
                                      .about("of raw sources: where millibits comes from")),
           optional("assessment_digest", Schema::text().about("SHA-256 of the document behind "
                                                              "the figure; of unit and type")),
           optional("device", device_schema())}));
}

Schema generator_schema() {
  return Schema::named(
      "Generator",
      Schema::object(
          {required("state",
                    Schema::one_of({"off", "startup", "operational", "suspended", "latched"})),
           required("construction", Schema::text()),
           required("uncertified", Schema::flag().about("no source is certified: for development")),
           required("sources", Schema::list(source_schema())),
           required("reseeds", Schema::number()), required("generates", Schema::number())}));
}

Schema latch_schema() {
  return Schema::named(
      "Latch",
      Schema::object(
          {required("reason", Schema::text()),
           optional("by", Schema::text().about("who ordered it; absent: the appliance by itself")),
           optional("note", Schema::text().about("that person's words")),
           required("record", Schema::number().about("seq of what says so")),
           required("since", Schema::number().about("microseconds since 1970, UTC")),
           required("ended_by", ended_by_schema())})
          .about("why no new commitments are taken; absent while none stands"));
}

Schema certification_schema() {
  return Schema::object(
             {required("covers", Schema::flag().about("a commitment made now is certified, but "
                                                      "for the catalogue of its table")),
              optional("code", Schema::text().about("what is not covered (FORMAT.md section 14)")),
              required(
                  "texts",
                  Schema::list(Schema::digest()).about("certifications that hold, by digest"))})
      .about("of an appliance that keeps certifications");
}

}  // namespace

Schema status_schema() {
  return Schema::named(
      "Status",
      Schema::open_object(
          {required("origin", Schema::text().about("name of the log")),
           required("boot", Schema::number()),
           required("size", Schema::number().about("records of the log")),
           required("anchor_lag", Schema::number().about("records since the last rollback "
                                                         "anchor")),
           required("rollback_protection", Schema::text()), required("sealing", Schema::text()),
           required("profile", Schema::one_of({"development", "production"})),
           required("version", Schema::text()),
           required("time", Schema::number().about("microseconds since 1970, UTC")),
           required("time_quality", Schema::one_of({"synced", "holdover", "unset"})),
           required("ready", Schema::flag().about("new commitments would be taken now")),
           required("reasons",
                    Schema::list(Schema::text()).about("codes of what stands against them")),
           required("generator", generator_schema()), required("software", software_schema()),
           required("tables", Schema::number().about("open ones")),
           required("client", Schema::object({required("id", Schema::text()),
                                              required("roles", Schema::list(role_schema()))})
                                  .about("who asks, by the certificate, and what that id may do")),
           optional("certification", certification_schema()), optional("latch", latch_schema()),
           optional("monitors", monitors_schema())}));
}

Schema findings_schema() {
  return Schema::list(
             Schema::object({required("path", Schema::text()), required("what", Schema::text())}))
      .about(
          "what is not as signed: unreadable, changed (files), not-listed, replaced, memory, "
          "anonymous (code that runs); not-approved, not-at-rest (a changed manifest, path is "
          "its digest or none)");
}

Schema software_schema() {
  return Schema::named(
      "Software",
      Schema::object(
          {required("state",
                    Schema::one_of({"unsigned", "signed", "mismatch"})
                        .about("unsigned: no manifest is configured; mismatch: the last check "
                               "found something, or this start did not take a changed manifest")),
           optional("approved",
                    Schema::digest().about("manifest of the last start that was in order")),
           optional("manifest", Schema::digest()), optional("version", Schema::text()),
           optional("build", Schema::text()), optional("signers", Schema::list(Schema::text())),
           optional("files", Schema::number()),
           optional("checked", Schema::number().about("end of the last check, microseconds")),
           optional("findings", findings_schema()),
           optional("signed_manifest",
                    Schema::text().about("the C2SP signed note (GET /v1/software only)"))}));
}

Schema problem_schema() {
  return Schema::named(
      "Problem",
      Schema::open_object(
          {required("type", Schema::text().about("urn:talla:problem: and the code")),
           required("title", Schema::text()),
           required("status", Schema::integer(400, 599)),
           optional("detail", Schema::text().about("what would be right")),
           required("code", Schema::text().about("stable; x-talla-problems lists those of the "
                                                 "appliance, the rules of games have more (422)")),
           required("retry",
                    Schema::one_of({"same", "after", "never"})
                        .about("same: send it again unchanged; after: later, see Retry-After; "
                               "never: it will be refused again as it stands")),
           optional("position", Schema::number().about("the next position")),
           optional("index", Schema::number().about("the next index")),
           optional("target", Schema::number().about("the next target")),
           optional("object", Schema::text().about("of void_limit: what ended in VOID too "
                                                   "often; of early_close: the shoe")),
           optional("voids", Schema::number().about("of void_limit: how often")),
           optional("head", Schema::digest().about("of the table now")),
           optional("root", Schema::digest()),
           optional("state_digest", Schema::digest()),
           optional("state", Schema::text()),
           optional("shoe", Schema::text()),
           optional("round", Schema::text()),
           optional("act", Schema::text()),
           optional("needs", needs_schema()),
           optional("needed_roles",
                    Schema::list(role_schema()).about("of forbidden: any of them would do")),
           optional("own_roles", Schema::list(role_schema()).about("of forbidden")),
           optional("ended_by", ended_by_schema()),
           optional("report", Schema::open_object().about(
                                  "of report_signature: what the appliance finds, unsigned"))}));
}

}  // namespace talla::core
