// Writes and reads the document behind a unit's figure, and holds it against what a site says.
#include "entropy/assessment_document.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "entropy/source.hpp"

namespace talla::entropy {

namespace {

constexpr std::string_view document_kind = "talla-lab assessment";
constexpr std::int64_t document_format = 1;
constexpr std::string_view standard_name = "SP 800-90B";
constexpr std::int64_t document_figure_max = 8'000;

tl::unexpected<Error> refused_document(const std::string& reason) {
  return fail(Errc::source_refused, reason);
}

/// "mode=raw,mask=3", or "no settings".
std::string words_of(const DeviceSettings& settings) {
  std::string words;
  for (const auto& [key, value] : settings) words += (words.empty() ? "" : ",") + key + "=" + value;
  return words.empty() ? "no settings" : words;
}

std::string named(std::string_view text) {
  return text.empty() ? "none" : "\"" + std::string(text) + "\"";
}

Result<std::string> one_of(json::Reader& reader, std::string_view key,
                           std::initializer_list<std::string_view> words) {
  TALLA_TRY(std::string value, reader.string(key));
  if (std::ranges::find(words, value) != words.end()) return value;
  std::string all;
  for (const std::string_view word : words) all += (all.empty() ? "" : " or ") + named(word);
  return refused_document(std::string(key) + " must be " + all + ", it is " + named(value));
}

Result<std::string> hex_digest(json::Reader& reader, std::string_view key) {
  TALLA_TRY(std::string value, reader.string(key));
  const bool good = value.size() == 64 && std::ranges::all_of(value, [](char c) {
                      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
                    });
  if (!good) return refused_document(std::string(key) + " must be 64 digits 0-9 a-f");
  return value;
}

Status read_unit(const json::Value& value, AssessmentDocument& document) {
  json::Reader reader(value, "device");
  TALLA_TRY(document.model, reader.string("model"));
  TALLA_TRY(document.serial, reader.string("serial"));
  TALLA_TRY(document.source_class, reader.string("class"));
  TALLA_TRY(const json::Value* settings, reader.object("settings"));
  for (const auto& [key, setting] : settings->object()) {
    if (!setting.is_string()) return refused_document("device.settings." + key + ": no text");
    document.settings.emplace(key, setting.string());
  }
  return reader.finish();
}

Status read_samples(const json::Value& value, AssessmentDocument& document) {
  json::Reader reader(value, "samples");
  TALLA_TRY(document.purpose, one_of(reader, "purpose", {"sequential", "restart"}));
  TALLA_TRY(const std::int64_t count, reader.integer("count", 1, json::integer_max));
  document.samples = static_cast<std::uint64_t>(count);
  TALLA_TRY(const std::int64_t bits, reader.integer("width_bits", 1, 8));
  document.bits_per_sample = static_cast<unsigned>(bits);
  TALLA_TRY(document.samples_sha256, hex_digest(reader, "sha256"));
  TALLA_TRY(document.manifest_sha256, hex_digest(reader, "manifest_sha256"));
  TALLA_TRY(document.as_standard_asks, reader.boolean("as_the_standard_asks"));
  return reader.finish();
}

}  // namespace

std::string text_of(const AssessmentDocument& document) {
  json::Object settings;
  for (const auto& [key, value] : document.settings) settings[key] = value;
  return json::canonical(json::Object{
             {"kind", document_kind},
             {"format", document_format},
             {"standard", standard_name},
             {"device", json::Object{{"model", document.model},
                                     {"serial", document.serial},
                                     {"class", document.source_class},
                                     {"settings", std::move(settings)}}},
             {"samples", json::Object{{"purpose", document.purpose},
                                      {"count", document.samples},
                                      {"width_bits", document.bits_per_sample},
                                      {"sha256", document.samples_sha256},
                                      {"manifest_sha256", document.manifest_sha256},
                                      {"as_the_standard_asks", document.as_standard_asks}}},
             {"track", document.track},
             {"min_entropy_millibits", document.millibits}}) +
         "\n";
}

Result<AssessmentDocument> read_assessment_document(std::string_view text) {
  auto parsed = json::parse(text);
  if (!parsed || !parsed->is_object()) {
    return refused_document(
        "this is no document of `talla-lab assess --document` (one JSON object): " +
        (parsed ? std::string("no object") : parsed.error().detail));
  }
  AssessmentDocument document;
  json::Reader reader(*parsed, "");
  TALLA_TRY_STATUS(one_of(reader, "kind", {document_kind}));
  TALLA_TRY_STATUS(reader.integer("format", document_format, document_format));
  TALLA_TRY_STATUS(one_of(reader, "standard", {standard_name}));
  TALLA_TRY(const json::Value* device, reader.object("device"));
  TALLA_TRY_STATUS(read_unit(*device, document));
  TALLA_TRY(const json::Value* samples, reader.object("samples"));
  TALLA_TRY_STATUS(read_samples(*samples, document));
  TALLA_TRY(document.track, one_of(reader, "track", {"non-iid", "iid"}));
  TALLA_TRY(const std::int64_t millibits,
            reader.integer("min_entropy_millibits", 1, document_figure_max));
  document.millibits = static_cast<std::uint32_t>(millibits);
  TALLA_TRY_STATUS(reader.finish());
  return document;
}

Status check_document(const AssessmentDocument& document, const AssessedUnit& unit) {
  if (document.model != unit.model)
    return refused_document("it is of a " + named(document.model) + ", the device is a " +
                            named(unit.model));
  if (!unit.serial.empty() && document.serial != unit.serial)
    return refused_document("it is of the unit with serial number " + named(document.serial) +
                            ", the device has " + named(unit.serial));
  if (document.source_class != source_class_name(SourceClass::raw_physical))
    return refused_document("it is of samples of class " + named(document.source_class) +
                            "; only raw_physical noise is credited");
  if (document.settings != unit.settings)
    return refused_document("its samples were taken with " + words_of(document.settings) +
                            ", the device is configured with " + words_of(unit.settings));
  if (document.samples < assessed_samples_min || !document.as_standard_asks)
    return refused_document("its " + std::to_string(document.samples) +
                            " samples are not what SP 800-90B 3.1.1 asks for: 1,000,000 "
                            "consecutive ones, or 1,000 after each of 1,000 restarts");
  if (document.millibits < unit.millibits)
    return refused_document("it found " + std::to_string(document.millibits) +
                            " thousandths of a bit a sample, and assessed_millibits claims " +
                            std::to_string(unit.millibits));
  return {};
}

}  // namespace talla::entropy
