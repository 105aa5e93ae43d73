// talla software check: is what is installed what was signed?
#include "software.hpp"

#include <memory>

#include "certs/openssl_hashes.hpp"
#include "software/check.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::cli {

namespace {

struct SoftwareCheckOptions {
  std::string file;
  std::vector<std::string> signers;
  std::string root;
};

Status check_software(App& app, const SoftwareCheckOptions& options) {
  TALLA_TRY(const auto manifest, open_signed(options.file, options.signers));
  const certs::BotanHashes hashes;
  const auto report =
      software::check_files(hashes, manifest, {.root = options.root, .nonce = {}, .go_on = {}});
  app.emit(json::Object{{"manifest", to_hex(manifest.digest)},
                        {"version", manifest.manifest.version},
                        {"build", manifest.manifest.build},
                        {"files", report.files.size()},
                        {"result", report.findings.empty() ? "good" : "mismatch"},
                        {"findings", software::finding_list(report.findings)}});
  app.say(signed_by(manifest));
  for (const auto& one : report.findings) app.say(one.path + ": " + one.what);
  const auto count = std::to_string(report.findings.size());
  app.say(report.findings.empty()
              ? std::to_string(report.files.size()) + " files, all as signed"
              : count + " of " + std::to_string(report.files.size()) + " files differ");
  if (!report.findings.empty()) app.exit = exit_refused;
  return {};
}

}  // namespace

Result<software::SignedManifest> open_signed(const std::string& file,
                                             const std::vector<std::string>& signers) {
  const certs::BotanHashes hashes;
  TALLA_TRY(const std::string note, read_file(file));
  std::vector<certs::VerifierKey> keys;
  for (const auto& text : signers) {
    TALLA_TRY(auto key, certs::parse_verifier_key(hashes, text));
    keys.push_back(std::move(key));
  }
  return software::open_manifest(hashes, certs::BotanEd25519(), note, keys);
}

std::string signed_by(const software::SignedManifest& manifest) {
  std::string names;
  for (const auto& name : manifest.signers) names += (names.empty() ? "" : ", ") + name;
  return "version " + manifest.manifest.version + ", build " + manifest.manifest.build +
         ", signed by " + names + "; digest " + to_hex(manifest.digest);
}

void add_software(commandline::Command& root, App& app) {
  auto* software = root.add_subcommand(
      "software", "the signed manifest of an appliance's software: make, sign, check, challenge");
  software->require_subcommand();
  software->footer(
      "An approved installation; the key stays away from the appliances:\n"
      "  talla software manifest --out software.manifest      on the reference machine, package "
      "installed\n"
      "  talla software sign software.manifest --key maker.key --name maker.example/talla\n"
      "  talla software check software.manifest --signer maker.example/talla+HEX+BASE64      on an "
      "appliance");
  add_software_makers(*software, app);

  auto options = std::make_shared<SoftwareCheckOptions>();
  auto* check_command =
      software->add_subcommand("check", "check signatures, and every file against its digest");
  check_command->add_option("MANIFEST", options->file, "the signed manifest")->required();
  check_command
      ->add_option("--signer", options->signers,
                   "verifier key that must have signed; may be repeated")
      ->required();
  check_command->add_option("--root", options->root,
                            "folder put before every path (default: this system)");
  check_command->callback([&app, options] { app.finish(check_software(app, *options)); });
  add_software_challenge(*software, app);
}

}  // namespace talla::cli
