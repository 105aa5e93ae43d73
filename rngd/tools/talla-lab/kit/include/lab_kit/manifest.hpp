/// \file
/// The manifest of a data set, and files of evidence: written whole or not at all, never over an
/// older one.
///
/// Form: one canonical JSON object (base/json.hpp) and a line feed; members in
///       rngd/docs/laboratory.md.
#pragma once

#include <string>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "lab_kit/collector.hpp"

namespace talla::lab {

/// "2026-11-21T20:46:00.000000Z".
[[nodiscard]] std::string utc_text(std::int64_t utc_us);
/// Where the manifest of a data file stands: the same name with ".manifest.json" behind it.
[[nodiscard]] std::string manifest_path(const std::string& data_path);
/// Device, driver and settings, as every manifest of the laboratory tool has them.
[[nodiscard]] json::Object device_json(const usb::FoundDevice& device);
[[nodiscard]] json::Object settings_json(const usb::DriverOptions& options);
/// Name and version of this program and the digest of its file ("" when that cannot be read).
[[nodiscard]] json::Object software_json(const HashSuite& hashes);
/// `data_name` is the file's name without its folder.
[[nodiscard]] json::Value manifest_of(const Wish& wish, const Collection& collection,
                                      const std::string& data_name, const HashSuite& hashes);

/// Errors: file_exists.
[[nodiscard]] Status check_absent(const std::string& path);
/// Writes beside the place, syncs, and moves there in one step. Errors: file_exists, file_io; then
/// nothing is left.
[[nodiscard]] Status write_new(const std::string& path, ByteView content);
/// Data first, then its manifest; when the second fails the first is taken away again.
[[nodiscard]] Status write_evidence(const std::string& data_path, ByteView data,
                                    const json::Value& manifest);

}  // namespace talla::lab
