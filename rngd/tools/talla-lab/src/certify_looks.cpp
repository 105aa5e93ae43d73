// talla-lab certify show and settings: what a certification says, and which settings one covers.
#include <fmt/format.h>

#include <memory>

#include "certify.hpp"
#include "certs/files.hpp"
#include "config/certified_settings.hpp"

namespace talla::lab {
namespace {

Status show(const App& app, const std::vector<std::string>& paths) {
  TALLA_TRY(const auto files, certifications_in(paths));
  for (const auto& file : files) {
    const std::string digest =
        to_hex(certs::certification_digest(certs::OpensslHashes(), file.statement));
    TALLA_TRY(const json::Value text, json::parse_canonical(file.statement));
    if (app.json) {
      fmt::print("{}\n", json::canonical(json::Object{{"digest", digest}, {"text", text}}));
      continue;
    }
    fmt::print("digest {}\n", digest);
    for (const auto& [name, value] : text.object())
      fmt::print("  {}: {}\n", name, json::canonical(value));
  }
  return {};
}

Status show_settings(const App& app, const std::string& path) {
  TALLA_TRY(const rngd::Config config, rngd::load_config(path));
  const json::Value settings = rngd::certified_settings(config);
  const std::string digest = to_hex(certs::settings_digest(certs::OpensslHashes(), settings));
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Object{{"digest", digest}, {"settings", settings}}));
    return {};
  }
  for (const auto& [name, value] : settings.object())
    fmt::print("{} = {}\n", name, json::canonical(value));
  fmt::print("digest: {}\n", digest);
  return {};
}

}  // namespace

void add_certify_looks(commandline::Command& certify, App& app) {
  auto shown = std::make_shared<std::vector<std::string>>();
  auto& see = *certify.add_subcommand("show", "print what certifications say; no root is asked");
  see.add_option("FILE", *shown, "certifications, withdrawals, or folders of them")->required();
  see.callback([&app, shown] { finish(app, show(app, *shown)); });
  auto path = std::make_shared<std::string>();
  auto& settings = *certify.add_subcommand(
      "settings",
      "print which settings of a configuration a certification covers, and their digest");
  settings.add_option("CONFIG", *path, "rngd.toml")->required();
  settings.callback([&app, path] { finish(app, show_settings(app, *path)); });
}

}  // namespace talla::lab
