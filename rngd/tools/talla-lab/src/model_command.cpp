// talla-lab model: the page on noise and model of the device that a data set was collected from.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "app.hpp"
#include "base/json.hpp"
#include "certs/files.hpp"
#include "lab_kit/errc.hpp"
#include "lab_kit/manifest.hpp"

namespace talla::lab {
namespace {

struct ModelOptions {
  std::string manifest, tree, out;
};

/// Models that have the noise, or the silence about it, of another family.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> page_of_family{
    {{"alea", "conditioned"},
     {"neug", "conditioned"},
     {"quantis-usb", "conditioned"},
     {"swiftrng-cdc", "swiftrng"},
     {"truerng", "conditioned"}}};

Status run_model(const App& app, const ModelOptions& options) {
  TALLA_TRY(const std::string text, certs::read_file(options.manifest));
  TALLA_TRY(const json::Value manifest, json::parse(text));
  const json::Value* device = manifest.find("device");
  const json::Value* model = device == nullptr ? nullptr : device->find("model");
  if (model == nullptr || !model->is_string() ||
      model->string().find_first_not_of("abcdefghijklmnopqrstuvwxyz-") != std::string::npos)
    return fail(LabErrc::bad_wish, options.manifest + ": names no device.model");
  std::string page = model->string();
  for (const auto& [name, family] : page_of_family)
    if (name == page) page = family;
  const std::string path = options.tree + "/entropy/docs/" + page + ".md";
  const auto words = certs::read_file(path);
  if (!words)
    return fail(LabErrc::bad_wish,
                path + ": there is no page on the noise of " + model->string() + " here");
  TALLA_TRY_STATUS(write_new(options.out, as_bytes(*words)));
  if (app.json) {
    fmt::print("{}\n", json::canonical(json::Object{{"model", model->string()},
                                                    {"page", "entropy/docs/" + page + ".md"}}));
  } else {
    fmt::print("{}: the page on {}, {}\n", options.out, model->string(), path);
  }
  return {};
}

}  // namespace

void add_model(commandline::Command& root, App& app) {
  auto options = std::make_shared<ModelOptions>();
  auto* command = root.add_subcommand(
      "model",
      "the page on noise and model of the device that a data set comes from, out of the sources");
  command->add_option("MANIFEST", options->manifest, "of talla-lab collect")->required();
  command->add_option("--tree", options->tree, "folder of the sources")->required();
  command->add_option("--out", options->out, "file of the page, which may not exist")->required();
  command->callback([options, &app] {
    if (const auto done = run_model(app, *options); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
