#include "assess_document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "base/json.hpp"
#include "certs/openssl_hashes.hpp"
#include "input.hpp"
#include "lab_kit/manifest.hpp"

namespace talla::lab {
namespace {

constexpr std::size_t manifest_most = std::size_t{1} << 20U;
constexpr std::size_t samples_most = std::size_t{256} << 20U;

stats::Result<Bytes> content_of(const std::string& path, std::size_t most) {
  auto input = Input::open(path);
  if (!input) return tl::unexpected(input.error());
  return input->read_all(most);
}

/// The members of the manifest that the document takes over.
Result<entropy::AssessmentDocument> read_manifest(std::string_view text, std::string& sha256) {
  TALLA_TRY(const json::Value manifest, json::parse(text));
  json::Reader reader(manifest, "");
  entropy::AssessmentDocument document;
  TALLA_TRY(document.purpose, reader.string("purpose"));
  TALLA_TRY(document.as_standard_asks, reader.boolean("as_the_standard_asks"));
  TALLA_TRY(const json::Value* of_device, reader.object("device"));
  json::Reader device(*of_device, "device");
  TALLA_TRY(document.model, device.string("model"));
  TALLA_TRY(document.serial, device.string("serial"));
  TALLA_TRY(document.source_class, device.string("class"));
  TALLA_TRY(const json::Value* settings, reader.object("settings"));
  for (const auto& [key, value] : settings->object()) {
    if (value.is_string()) document.settings.emplace(key, value.string());
  }
  TALLA_TRY(const json::Value* of_samples, reader.object("samples"));
  json::Reader samples(*of_samples, "samples");
  TALLA_TRY(const std::int64_t count, samples.integer("count", 1, json::integer_max));
  document.samples = static_cast<std::uint64_t>(count);
  TALLA_TRY(const std::int64_t bits, samples.integer("width_bits", 1, 8));
  document.bits_per_sample = static_cast<unsigned>(bits);
  TALLA_TRY(const json::Value* of_file, reader.object("file"));
  json::Reader file(*of_file, "file");
  TALLA_TRY(sha256, file.string("sha256"));
  return document;
}

}  // namespace

stats::Result<entropy::AssessmentDocument> begin_document(const std::string& file, bool restart) {
  const std::string path = manifest_path(file);
  auto manifest = content_of(path, manifest_most);
  if (!manifest) {
    return stats::refuse(manifest.error().detail +
                         " (--document says whose samples these are: `talla-lab collect` writes "
                         "that beside them)");
  }
  auto samples = content_of(file, samples_most);
  if (!samples) return tl::unexpected(samples.error());
  std::string said;
  auto document = read_manifest(as_text(*manifest), said);
  if (!document) return stats::refuse(path + ": " + document.error().detail);
  const certs::OpensslHashes hashes;
  document->samples_sha256 = to_hex(hashes.sha256({*samples}));
  document->manifest_sha256 = to_hex(hashes.sha256({*manifest}));
  if (document->samples_sha256 != said || document->samples != samples->size()) {
    return stats::refuse(file + ": these are not the samples that " + path +
                         " speaks of: their number or their SHA-256 is another");
  }
  const std::string_view wanted = purpose_name(restart ? Purpose::restart : Purpose::sequential);
  if (document->purpose != wanted) {
    return stats::refuse(fmt::format("{}: the samples are of kind {}, these tests need {} ones",
                                     path, document->purpose, wanted));
  }
  return std::move(*document);
}

stats::Result<bool> write_document(const App& app, const std::string& path,
                                   entropy::AssessmentDocument document, std::string track,
                                   double min_entropy) {
  const double millibits = std::floor(min_entropy * 1000.0);
  if (!(millibits >= 1.0))
    return stats::refuse("--document: less than a thousandth of a bit a sample is no claim");
  document.track = std::move(track);
  document.millibits = static_cast<std::uint32_t>(std::min(millibits, 8000.0));
  const std::string text = entropy::text_of(document);
  if (const Status written = write_new(path, as_bytes(text)); !written)
    return stats::refuse(written.error().detail);
  if (app.json) return true;
  std::string settings;
  for (const auto& [key, value] : document.settings)
    settings += (settings.empty() ? "" : ",") + key + "=" + value;
  const certs::OpensslHashes hashes;
  fmt::print("\n{} is written. In [source] of the appliance's configuration:\n", path);
  fmt::print("model = \"{}\"\nserial = \"{}\"\nsettings = \"{}\"\nassessed_millibits = {}\n",
             document.model, document.serial, settings, document.millibits);
  fmt::print("assessment = \"{}\"\nassessment_file = \"{}\"\n",
             to_hex(hashes.sha256({as_bytes(text)})),
             std::filesystem::path(path).filename().string());
  fmt::print("(or less than that figure: a margin is the site's to choose)\n");
  return true;
}

}  // namespace talla::lab
