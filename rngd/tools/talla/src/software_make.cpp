// talla software key, manifest, sign: what makes up an appliance's software, and who says so.
#include <filesystem>
#include <memory>

#include "certs/key_sources.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "software.hpp"
#include "software/make.hpp"

namespace talla::cli {

namespace {

using software::FileKind;

struct ManifestOptions {
  std::string key;
  std::string name;
  std::string file;
  std::string out;
  std::string version = TALLA_VERSION;
  std::string build;
  std::string root;
  bool no_libraries = false;
  std::vector<std::string> programs, catalogues, units, libraries, data;
};

/// What the package `talla` installs, as far as it is there; drop-ins of its unit too.
std::vector<std::pair<FileKind, std::string>> installed_files(const std::string& root) {
  std::vector<std::pair<FileKind, std::string>> files;
  for (const char* path : {"/usr/sbin/rngd", "/usr/sbin/rngd-source", "/usr/bin/talla"})
    files.emplace_back(FileKind::program, path);
  const auto folder = [&](FileKind kind, const std::string& path, std::string_view ending) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(root + path, error)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(ending)) files.emplace_back(kind, path + "/" + name);
    }
  };
  for (const std::string unit : {"rngd.service", "rngd-source.socket", "rngd-source@.service"}) {
    for (const std::string place : {"/usr/lib/systemd/system/", "/lib/systemd/system/"}) {
      std::error_code error;
      if (!std::filesystem::is_regular_file(root + place + unit, error)) continue;
      files.emplace_back(FileKind::unit, place + unit);
      break;
    }
    folder(FileKind::unit, "/etc/systemd/system/" + unit + ".d", ".conf");
  }
  folder(FileKind::catalogue, "/usr/share/talla/catalogues", ".toml");
  folder(FileKind::data, "/usr/share/talla", ".wasm.gz");
  return files;
}

software::MakeOptions make_options(const ManifestOptions& options) {
  software::MakeOptions make{.version = options.version,
                             .build = options.build,
                             .root = options.root,
                             .files = {},
                             .libraries = !options.no_libraries};
  const auto take = [&make](FileKind kind, const std::vector<std::string>& paths) {
    for (const auto& path : paths) make.files.emplace_back(kind, path);
  };
  take(FileKind::program, options.programs);
  take(FileKind::catalogue, options.catalogues);
  take(FileKind::unit, options.units);
  if (make.files.empty()) make.files = installed_files(options.root);
  take(FileKind::library, options.libraries);
  take(FileKind::data, options.data);
  return make;
}

Status make_manifest(const App& app, const ManifestOptions& options) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(const auto manifest, software::make_manifest(hashes, make_options(options)));
  TALLA_TRY(const auto text, software::format_manifest(manifest));
  TALLA_TRY_STATUS(write_file(options.out, text));
  const auto digest = to_hex(hashes.sha256({as_bytes(text)}));
  app.emit(json::Object{{"out", options.out},
                        {"files", manifest.files.size()},
                        {"version", manifest.version},
                        {"build", manifest.build},
                        {"manifest", digest}});
  app.say(options.out + ": " + std::to_string(manifest.files.size()) + " files, version " +
          manifest.version + ", build " + manifest.build + "; digest " + digest +
          "; not signed yet");
  return {};
}

Result<certs::VerifierKey> signing_key(const ManifestOptions& options,
                                       std::unique_ptr<certs::Ed25519Signer>& signer) {
  const certs::OpensslHashes hashes;
  if (!certs::origin_valid(options.name))
    return fail(CliErrc::usage, "--name: 1 to 200 printable characters without space and +");
  TALLA_TRY(signer, certs::open_log_signer(options.key));
  return certs::make_verifier_key(hashes, options.name, certs::KeyType::log, signer->public_key());
}

Status show_key(const App& app, const ManifestOptions& options) {
  const bool plain = options.key.find(':') == std::string::npos;
  std::error_code error;
  if (plain && !std::filesystem::exists(options.key, error)) {
    TALLA_TRY_STATUS(certs::create_ed25519_key(options.key));
    app.say(options.key + ": made");
  }
  std::unique_ptr<certs::Ed25519Signer> signer;
  TALLA_TRY(const auto key, signing_key(options, signer));
  app.emit(json::Object{{"key", certs::format_verifier_key(key)}});
  app.say(certs::format_verifier_key(key));
  return {};
}

Status sign_manifest(const App& app, const ManifestOptions& options) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(const std::string before, read_file(options.file));
  std::unique_ptr<certs::Ed25519Signer> signer;
  TALLA_TRY(const auto key, signing_key(options, signer));
  TALLA_TRY(const auto note, software::sign_manifest(hashes, before, options.name, *signer));
  TALLA_TRY(const auto text, software::manifest_text(note));
  const std::string out = options.out.empty() ? options.file : options.out;
  TALLA_TRY_STATUS(write_file(out, note));
  const auto digest = to_hex(hashes.sha256({as_bytes(text)}));
  app.emit(
      json::Object{{"out", out}, {"key", certs::format_verifier_key(key)}, {"manifest", digest}});
  app.say(out + ": signed by " + certs::format_verifier_key(key) + "; digest " + digest);
  return {};
}

void add_key(commandline::Command& software, App& app) {
  auto options = std::make_shared<ManifestOptions>();
  auto* command = software.add_subcommand("key",
                                          "print the verifier key of a software-signing key; a "
                                          "file that is not there is made (Ed25519)");
  command
      ->add_option("KEY", options->key,
                   "file, credential:NAME, or pkcs11: URI of a key inside a token")
      ->required();
  command->add_option("--name", options->name, "name of the signer, e.g. maker.example/talla")
      ->required();
  command->callback([&app, options] { app.finish(show_key(app, *options)); });
}

void add_manifest(commandline::Command& software, App& app) {
  auto options = std::make_shared<ManifestOptions>();
  auto* command = software.add_subcommand(
      "manifest", "list the software that is installed here, with sizes and SHA-256 digests");
  command->add_option("--out", options->out, "file of the manifest, replaced")->required();
  command->add_option(
      "--program", options->programs,
      "programs; without --program, --catalogue and --unit: all that the package installs");
  command->add_option("--catalogue", options->catalogues, "catalogue files of the rules");
  command->add_option("--unit", options->units, "units of systemd and their drop-ins");
  command->add_option(
      "--library", options->libraries,
      "libraries that the loader does not list: PKCS#11 modules, transports of a TPM");
  command->add_option("--data", options->data, "anything else that is part of what was approved");
  command->add_flag("--no-libraries", options->no_libraries, "leave out what the programs load");
  command->add_option("--root", options->root,
                      "where programs, catalogues, units and data lie, e.g. an unpacked package");
  command->add_option("--product", options->version, "version of the product")
      ->capture_default_str();
  command->add_option("--build", options->build,
                      "name of the build (default: build id of the first program)");
  command->callback([&app, options] { app.finish(make_manifest(app, *options)); });
}

void add_sign(commandline::Command& software, App& app) {
  auto options = std::make_shared<ManifestOptions>();
  auto* command = software.add_subcommand(
      "sign", "add a signature to a manifest; maker and laboratory may both sign");
  command->add_option("MANIFEST", options->file, "the manifest, signed or not")->required();
  command->add_option("--key", options->key, "file, credential:NAME, or pkcs11: URI")->required();
  command->add_option("--name", options->name, "name of the signer, as in its verifier key")
      ->required();
  command->add_option("--out", options->out,
                      "file of the signed manifest (default: the manifest's own)");
  command->callback([&app, options] { app.finish(sign_manifest(app, *options)); });
}

}  // namespace

void add_software_makers(commandline::Command& software, App& app) {
  add_key(software, app);
  add_manifest(software, app);
  add_sign(software, app);
}

}  // namespace talla::cli
