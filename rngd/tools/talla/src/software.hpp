/// \file
/// talla software: the signed manifest of an appliance's software. Private to the program.
#pragma once

#include <string>
#include <vector>

#include "app.hpp"
#include "software/manifest.hpp"

namespace talla::cli {

/// The manifest of a file that all these verifier keys have signed.
[[nodiscard]] Result<software::SignedManifest> open_signed(const std::string& file,
                                                           const std::vector<std::string>& signers);
/// Version, build, signers and digest in words.
[[nodiscard]] std::string signed_by(const software::SignedManifest& manifest);

void add_software(commandline::Command& root, App& app);
/// key, manifest, sign: the maker's and the laboratory's side.
void add_software_makers(commandline::Command& software, App& app);
/// challenge: asks a running appliance.
void add_software_challenge(commandline::Command& software, App& app);

}  // namespace talla::cli
