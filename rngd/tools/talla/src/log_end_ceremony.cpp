// talla keys ceremony end: the root says up to which checkpoint a log counts.
#include <memory>

#include "base/clock.hpp"
#include "certs/ceremony_end.hpp"
#include "log_end.hpp"
#include "passphrase.hpp"
#include "times.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::cli {

namespace {

struct EndStatementOptions {
  std::string folder;
  std::string passphrase;
  std::string checkpoint;
  std::vector<std::string> keys;
  std::string reason;
  std::string known;
  std::string successor;
  std::vector<std::string> persons;
  std::string out;
};

Status end(const App& app, const EndStatementOptions& options) {
  SystemClock clock;
  certs::EndTerms terms{.folder = options.folder,
                        .passphrase = {},
                        .checkpoint_path = options.checkpoint,
                        .key_paths = options.keys,
                        .reason = *certs::end_reason_from(options.reason),
                        .known_us = clock.utc_us(),
                        .successor_path = options.successor,
                        .persons = options.persons,
                        .out_path = options.out,
                        .now_us = clock.utc_us()};
  if (!options.known.empty()) {
    TALLA_TRY(terms.known_us, time_of("--known", options.known));
  }
  TALLA_TRY(terms.passphrase, passphrase_from(options.passphrase, false));
  TALLA_TRY([[maybe_unused]] const auto statement, certs::end_log(terms, certs::BotanEd25519()));
  // As every reader will judge it.
  TALLA_TRY(const certs::EndedLog made, load_end(options.out, options.folder + "/root.pem"));
  app.say("ended: " + made.last.origin + " with " + std::to_string(made.last.size) + " records, " +
          options.reason + ", known from " + time_text(made.statement.known_us) + ": " +
          options.out);
  if (made.statement.successor) app.say("  " + made.statement.successor->origin + " follows it");
  app.say(
      "give it to everybody who verifies evidence of that log, to its witnesses, and as "
      "log-end.json into "
      "the "
      "appliance's data folder");
  app.emit(json::Object{{"origin", made.last.origin},
                        {"out", options.out},
                        {"reason", options.reason},
                        {"root", to_hex(made.last.root)},
                        {"size", made.last.size}});
  return {};
}

}  // namespace

void add_ceremony_end(commandline::Command& ceremony, App& app) {
  auto options = std::make_shared<EndStatementOptions>();
  auto* command = ceremony.add_subcommand(
      "end",
      "say up to which checkpoint a log counts: its key is compromised, it is closed or replaced");
  command->add_option("FOLDER", options->folder, "folder of the root")->required();
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "the last checkpoint that counts: of a witness, a table, the tiles, or a "
                   "backup's manifest.json")
      ->required();
  command
      ->add_option("--log-key", options->keys,
                   "log-key.json of the log, or all its keys (talla log keys): those that the "
                   "statement is about")
      ->required();
  command->add_option("--reason", options->reason, "compromised, closed or replaced")
      ->required()
      ->one_of({"compromised", "closed", "replaced"});
  command->add_option("--known", options->known,
                      "known from this time, UTC: 2026-11-22T04:05:06Z (default: now)");
  command->add_option("--successor", options->successor,
                      "log-key.json of the log that follows, which then is no other");
  command
      ->add_option("--person", options->persons,
                   "who is there, for the transcript: two persons or more")
      ->required();
  command->add_option("--out", options->out, "statement to write, never overwritten")->required();
  command->add_option("--passphrase", options->passphrase,
                      "private file with the root's passphrase, or credential:NAME (default: asked "
                      "at the terminal)");
  command->callback([&app, options] { app.finish(end(app, *options)); });
  command->footer(
      "From then on nothing of that log counts beyond this checkpoint, whoever signed it, and a "
      "smaller one "
      "counts only "
      "where a proof\n"
      "leads to this one (talla log reissue, talla log prove). Choose the newest checkpoint that "
      "nobody but "
      "the house can "
      "have made:\n"
      "the last one that witnesses cosigned before the key was lost, or that of a backup. A second "
      "statement "
      "about the "
      "same log may\n"
      "name a successor, never another checkpoint.");
}

}  // namespace talla::cli
