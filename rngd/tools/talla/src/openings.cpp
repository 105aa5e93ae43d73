// talla openings: the auditor's file of a closed covered shoe, for talla verify --openings.
#include "format/openings.hpp"

#include <sys/stat.h>

#include <memory>

#include "steps.hpp"

namespace talla::cli {

namespace {

struct OpeningsOptions {
  std::string shoe;
  std::string out;
};

Status fetch_openings(const App& app, const OpeningsOptions& options, Session& session) {
  TALLA_TRY(const json::Value asked,
            session.post("/v1/shoes/" + options.shoe + "/openings", json::Value()));
  TALLA_TRY(const std::int64_t access, integer_at(asked, {"access"}));
  app.say("logged: ACCESS, record " + std::to_string(access));
  TALLA_TRY(const std::string text, session.get_text("/v1/shoes/" + options.shoe +
                                                     "/openings?access=" + std::to_string(access)));
  TALLA_TRY(const certs::Openings file, certs::Openings::parse(text));
  umask(S_IRWXG | S_IRWXO);  // for this user alone
  TALLA_TRY_STATUS(write_file(options.out, text));
  app.say("openings of " + file.shoe + " written: " + options.out + " (" +
          std::to_string(file.roots.size()) +
          " shuffles; every card is in it, also those that were never shown)");
  json::Value out;
  out["access"] = access;
  out["shoe"] = file.shoe;
  out["roots"] = file.roots.size();
  out["out"] = options.out;
  app.emit(out);
  return {};
}

}  // namespace

void add_openings(commandline::Command& root, App& app) {
  auto options = std::make_shared<OpeningsOptions>();
  auto* command = root.add_subcommand("openings",
                                      "auditors: fetch what a closed covered shoe never opened; "
                                      "each time leaves a record in the log");
  command->add_option("SHOE", options->shoe, "shoe-N, closed, of disclosure class covered")
      ->required();
  command
      ->add_option("--out", options->out, "file to write; keep it as you keep what nobody may know")
      ->required();
  command->footer("Then: talla verify BUNDLE --openings FILE");
  command->callback([&app, options] {
    with_session(app, [&](Session& session) { return fetch_openings(app, *options, session); });
  });
}

}  // namespace talla::cli
