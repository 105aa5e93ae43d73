// talla-lab verify-appliance: an inspector's look at a running appliance, on one page.
#include <fmt/format.h>

#include <memory>

#include "app.hpp"
#include "lab_submit/field.hpp"

namespace talla::lab {
namespace {

Status run_inspection(App& app, const submit::FieldWish& wish) {
  TALLA_TRY(const json::Value found, submit::inspect_appliance(wish));
  const json::Value* verdict = found.find("verdict");
  if (*verdict != json::Value("good")) app.exit = exit_not_consistent;
  if (app.json) {
    fmt::print("{}\n", json::canonical(found));
    return {};
  }
  for (const json::Value& one : found.find("checks")->array())
    fmt::print("{:<14} {:<14} {}\n", one.find("name")->string(), one.find("verdict")->string(),
               one.find("words")->string());
  fmt::print("{}: page-en.pdf and page-es.pdf in {}\n", verdict->string(), wish.out);
  return {};
}

}  // namespace

void add_verify_appliance(commandline::Command& root, App& app) {
  auto wish = std::make_shared<submit::FieldWish>();
  auto* command = root.add_subcommand(
      "verify-appliance",
      "an inspector's look at a running appliance: software, newest records, last rounds settled "
      "again, on one page");
  command->add_option("OUT", wish->out, "folder of the page and of all that was received, new")
      ->required();
  command->add_option("--client", wish->client, "folder with client.toml")->required();
  command->add_option("--root", wish->root, "trusted roots of the log, PEM")->required();
  command->add_option("--log-key", wish->log_key, "statement of the log's key that you know")
      ->required();
  command->add_option("--inspector", wish->inspector, "who signs the page")->required();
  auto* manifest =
      command->add_option("--manifest", wish->manifest, "signed manifest of the software");
  command->add_option("--signer", wish->signers, "verifier key that must have signed it")
      ->needs(manifest);
  command
      ->add_option("--reference", wish->reference,
                   "folder with a copy of every file of it (default: this system)")
      ->needs(manifest);
  command->add_option("--catalogue", wish->catalogues, "a catalogue file that you know");
  command->add_option("--since", wish->since,
                      "checkpoint of an earlier visit: what was there must still be there");
  command->add_option("--policy", wish->policy, "C2SP tlog-policy that must be satisfied");
  command->add_option("--certification-root", wish->certification_roots,
                      "type=FILE and installation=FILE: whom you trust to certify");
  command->add_option("--records", wish->records, "newest records, each with its receipt")
      ->range(1U, 1000U)
      ->capture_default_str();
  command->add_option("--rounds", wish->rounds, "last rounds and draws that are settled again")
      ->range(1U, 100U)
      ->capture_default_str();
  command->footer("Exit 0: nothing is wrong with what was looked at; 3: something is.");
  command->callback([wish, &app] {
    if (const auto done = run_inspection(app, *wish); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
