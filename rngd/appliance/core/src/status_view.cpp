// What the appliance says of itself: GET /v1/status.
#include "operations.hpp"
#include "problem.hpp"
#include "questions.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

json::Object source_facts(const entropy::Evidence& evidence, const entropy::SourceEvidence& source,
                          const entropy::SourceMetrics& figures) {
  return {{"model", source.model},
          {"serial", source.serial},
          {"class", entropy::source_class_name(source.source_class)},
          {"credited", source.credited && !evidence.uncertified},
          {"verdict", entropy::verdict_name(source.verdict)},
          {"lost", source.lost},
          {"required", source.required},
          {"independent", source.independent},
          {"millibits", source.assessed_millibits_per_sample},
          {"bits", source.bits_per_sample},
          {"nominal_rate", source.nominal_rate_hz},
          {"samples", figures.raw_samples},
          {"credited_bits", evidence.uncertified ? 0 : figures.credited_millibits / 1000},
          {"alarms", figures.level1_events + figures.level2_events}};
}

json::Object source_view(const entropy::Evidence& evidence, std::size_t index,
                         const entropy::SourceMetrics& figures) {
  const auto& source = evidence.sources[index];
  json::Object view = source_facts(evidence, source, figures);
  if (source.source_class != entropy::SourceClass::raw_physical) return view;
  view["assessment"] = entropy::assessment_origin_name(source.assessment.origin);
  if (!source.assessment.digest.empty()) view["assessment_digest"] = source.assessment.digest;
  return view;
}

}  // namespace

Result<json::Object> Questions::status(const Request& request, const Route& /*route*/) const {
  const auto evidence = appliance_.effects.supply.evidence();
  const auto state = ready_();
  json::Array reasons;
  for (const auto& reason : state.reasons) reasons.emplace_back(reason);
  json::Array sources;
  const auto figures = appliance_.effects.supply.metrics().sources;
  for (std::size_t i = 0; i < evidence.sources.size(); ++i) {
    json::Object view =
        source_view(evidence, i, i < figures.size() ? figures[i] : entropy::SourceMetrics{});
    auto device = appliance_.effects.device ? appliance_.effects.device(i) : std::nullopt;
    if (device) view["device"] = std::move(*device);
    sources.emplace_back(std::move(view));
  }
  json::Object status{
      {"origin", appliance_.effects.log.origin()},
      {"boot", appliance_.effects.log.boot()},
      {"size", appliance_.effects.log.size()},
      {"anchor_lag", appliance_.effects.log.anchor_lag()},
      {"rollback_protection", appliance_.settings.rollback_protection},
      {"sealing", appliance_.settings.sealing},
      {"profile", appliance_.settings.profile},
      {"version", appliance_.settings.version},
      {"time", appliance_.effects.clock.utc_us()},
      {"time_quality", time_quality_name(appliance_.effects.clock.quality())},
      {"ready", state.ready},
      {"reasons", std::move(reasons)},
      {"generator",
       json::Object{{"state", entropy::state_name(evidence.state)},
                    {"construction", entropy::construction_name(evidence.construction)},
                    {"uncertified", evidence.uncertified},
                    {"sources", std::move(sources)},
                    {"reseeds", evidence.reseed_counter},
                    {"generates", evidence.generate_counter}}},
      {"software", software_.view()},
      {"client",
       json::Object{{"id", request.client.id}, {"roles", role_names(request.client.roles)}}},
      {"tables", appliance_.world().tables.size()}};
  if (auto certification = certification_.view())
    status["certification"] = std::move(*certification);
  if (const auto cause = latch_.cause_of_latch()) {
    json::Object latch{{"reason", entropy::latch_reason_name(cause->reason)},
                       {"record", cause->seq},
                       {"since", cause->since_us},
                       {"ended_by", latch_ended_by()}};
    if (!cause->by.empty()) latch["by"] = cause->by;
    if (!cause->note.empty()) latch["note"] = cause->note;
    status["latch"] = std::move(latch);
  }
  if (appliance_.effects.monitors != nullptr)
    status["monitors"] = appliance_.effects.monitors->status();
  return status;
}

std::vector<Operation> status_operations() {
  return {
      {.row = {"getStatus", "GET", "/v1/status", whoever_is_enrolled, false},
       .handler = &Questions::status,
       .words = {"appliance", "What the appliance says of itself",
                 "Generator and sources, ledger, clock, software, monitors; whether new "
                 "commitments are taken and what stands against them."},
       .body = {},
       .query = {},
       .replies = {{status_schema()}},
       .example_body = {},
       .example_reply =
           R"({"anchor_lag":0,"boot":3,"certification":{"covers":false,)"
           R"("code":"certification_missing","texts":[]},"client":{"id":"talla:operator-1","roles":["operator"]},)"
           R"("generator":{"construction":"rbg3-xor","generates":7,)"
           R"("reseeds":2,"sources":[],"state":"operational","uncertified":false},)"
           R"("origin":"casino.example/talla-1","profile":"production","ready":true,)"
           R"("reasons":[],"rollback_protection":"tpm","sealing":"tpm","size":120,)"
           R"("software":{"state":"signed"},"tables":2,"time":1767225600000000,)"
           R"("time_quality":"synced","version":"1.0"})"},
  };
}

}  // namespace talla::core
