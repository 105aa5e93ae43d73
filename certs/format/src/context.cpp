#include "format/context.hpp"

#include <algorithm>

#include "fields.hpp"

namespace talla::certs {
namespace {

std::string word_of(Fields& in, std::string_view key,
                    std::initializer_list<std::string_view> words) {
  return std::string(*(words.begin() + in.word(key, words)));
}

Result<SourceUse> source_from_json(const json::Value& value) {
  Fields in(value, "context.sources[]", FormatErrc::malformed_context);
  SourceUse source;
  source.model = in.filled_text("model");
  source.source_class =
      word_of(in, "class", {"raw_physical", "conditioned_physical", "system", "rdseed", "lab"});
  source.millibits = in.integer("millibits", natural);
  source.verdict = word_of(in, "verdict", {"healthy", "startup", "alarm", "not_tested"});
  if (in.has("assessment"))
    source.assessment = word_of(in, "assessment", {"assumed", "stated", "unit", "type"});
  const auto digest = in.optional_digest("assessment_digest");
  in.require(digest.has_value() == source.documented(), "assessment_digest",
             "stands with an assessment of origin unit or type, and with no other");
  source.assessment_digest = digest.value_or(Digest{});
  source.serial = in.optional_text("serial");
  return in.finish(std::move(source));
}

}  // namespace

std::vector<std::string> rollback_limits(std::string_view protection) {
  if (protection == "local") return {"disk-copy"};
  if (protection == "tpm") return {"authorisation-holder", "unproven-device"};
  if (protection == "hsm") return {"pin-holder", "token-copy"};
  if (protection == "witness") return {"witness-keys"};
  return {};
}

json::Value Context::to_json() const {
  json::Array uses;
  for (const SourceUse& source : sources) {
    json::Object use{{"class", source.source_class},
                     {"millibits", source.millibits},
                     {"model", source.model},
                     {"verdict", source.verdict}};
    if (!source.assessment.empty()) use["assessment"] = source.assessment;
    if (source.documented()) use["assessment_digest"] = to_hex(source.assessment_digest);
    if (!source.serial.empty()) use["serial"] = source.serial;
    uses.emplace_back(std::move(use));
  }
  return json::Object{{"anchor_lag", anchor_lag},
                      {"catalogue", to_hex(catalogue)},
                      {"config", to_hex(config)},
                      {"construction", construction},
                      {"game", game},
                      {"generates", generates},
                      {"mapping", mapping},
                      {"parameters", to_hex(parameters)},
                      {"reseeds", reseeds},
                      {"rollback_protection", rollback_protection},
                      {"sealing", sealing},
                      {"software", to_hex(software)},
                      {"sources", std::move(uses)},
                      {"uncertified", uncertified},
                      {"variant", variant}};
}

Result<Context> Context::from_json(const json::Value& value) {
  Fields in(value, "context", FormatErrc::malformed_context);
  Context context;
  context.catalogue = in.digest("catalogue");
  context.game = in.text("game");
  context.variant = in.text("variant");
  context.parameters = in.digest("parameters");
  context.mapping = word_of(in, "mapping", {"talla-map-v1"});
  context.construction = word_of(in, "construction", {"rbg3-xor", "system"});
  context.uncertified = in.boolean("uncertified");
  if (const json::Array* sources = in.array("sources")) {
    for (const auto& source : *sources)
      context.sources.push_back(in.nested(source_from_json(source)));
  }
  context.reseeds = in.count("reseeds");
  context.generates = in.count("generates");
  context.software = in.digest("software");
  context.config = in.digest("config");
  context.rollback_protection =
      word_of(in, "rollback_protection", {"local", "tpm", "hsm", "witness"});
  context.anchor_lag = in.count("anchor_lag");
  context.sealing = word_of(in, "sealing", {"file", "credential", "tpm", "hsm", "passphrase"});
  in.require(
      context.uncertified || context.may_be_certified(), "uncertified",
      "must be true without a credited, healthy raw physical source whose figure has a document");
  return in.finish(std::move(context));
}

bool Context::may_be_certified() const {
  const auto counts = [](const SourceUse& s) {
    return s.source_class == "raw_physical" && s.millibits > 0;
  };
  const bool passed = std::any_of(sources.begin(), sources.end(), [&](const SourceUse& s) {
    return counts(s) && (s.verdict == "healthy" || s.verdict == "startup");
  });
  const bool bare = std::any_of(sources.begin(), sources.end(), [&](const SourceUse& s) {
    return counts(s) && !s.assessment.empty() && !s.documented();
  });
  return passed && !bare && construction == "rbg3-xor";
}

bool Context::lab() const {
  return std::any_of(sources.begin(), sources.end(),
                     [](const SourceUse& s) { return s.source_class == "lab"; });
}

}  // namespace talla::certs
