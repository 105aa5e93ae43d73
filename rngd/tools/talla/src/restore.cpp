// talla restore: a backup becomes the read-only predecessor of a new log, by two persons (PROTOCOL
// sections 2 and 8).
#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "backup.hpp"
#include "certs/device_anchor.hpp"
#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/keys.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/succession.hpp"
#include "config/client_file.hpp"
#include "config/enrolment.hpp"
#include "log_end.hpp"
#include "times.hpp"
#include "verify/botan_hashes.hpp"
#include "witness/anchor_choice.hpp"

namespace talla::cli {

namespace {

struct RestoreOptions {
  std::string backup;
  std::string config;
  std::string root;
  std::string old;
  std::vector<std::string> checkpoints;
  std::vector<std::string> approvals;
  bool lost = false;
  bool older = false;
  std::string successor;
  std::string out;
  std::string ended;
};

/// The old appliance, as far as it is there.
struct Old {
  rngd::Config config;
  std::unique_ptr<certs::Ledger> ledger;  ///< its lock keeps a daemon out while we work
  std::vector<std::unique_ptr<certs::Anchor>> anchors;
  certs::OpenedKeys keys;
};

Result<certs::CheckedBackup> checked(const App& app, const RestoreOptions& options) {
  const certs::BotanEd25519 verifier;
  return certs::check_backup(options.backup, verifier, progress_bar(app, "checking"));
}

certs::RestoreTerms terms_of(const certs::BackupManifest& manifest, const std::string& successor,
                             const RestoreOptions& options) {
  return {.successor = successor,
          .origin = manifest.origin,
          .size = manifest.size,
          .root = manifest.root,
          .older = options.older,
          .lost = options.lost};
}

/// One of the two persons, anywhere, with a copy of the backup.
Status approve(const App& app, const RestoreOptions& options) {
  if (app.client_folder.empty())
    return fail(CliErrc::usage, "who approves? give --client FOLDER with client.toml");
  TALLA_TRY(const rngd::ClientFile client,
            rngd::load_client_file(app.client_folder + "/client.toml"));
  TALLA_TRY(const certs::CheckedBackup backup, checked(app, options));
  SystemClock clock;
  const certs::RestoreTerms terms = terms_of(backup.manifest, options.successor, options);
  TALLA_TRY(const std::string text,
            certs::make_approval(terms, client.certificate, client.key, clock.utc_us()));
  TALLA_TRY_STATUS(write_file(options.out, text));
  app.say("approved, for a day: " + options.successor + " follows " + terms.origin +
          " as of record " + std::to_string(terms.size) + ", " +
          time_text(backup.manifest.last_us));
  if (terms.older) app.say("  agreed: records that were made after the backup are lost");
  if (terms.lost) app.say("  agreed: no anchor or key of the old appliance is left to ask");
  app.say(
      "  every open shoe and batch of the backup ends: its unused secrets are opened. The old "
      "appliance must "
      "never run again");
  app.emit(json::Object{{"approval", options.out},
                        {"origin", terms.origin},
                        {"size", terms.size},
                        {"successor", terms.successor}});
  return {};
}

Result<std::vector<std::unique_ptr<certs::Anchor>>> anchors_of(const rngd::Config& config) {
  std::vector<std::unique_ptr<certs::Anchor>> anchors;
  anchors.push_back(std::make_unique<certs::FileAnchor>(config.data_folder + "/anchor.json"));
  if (config.anchor.kind == "tpm") {
    anchors.push_back(certs::make_tpm_anchor({.origin = config.origin,
                                              .tcti = config.anchor.tpm_tcti,
                                              .index = config.anchor.tpm_index,
                                              .auth_file = config.anchor.tpm_auth}));
  } else if (config.anchor.kind == "hsm") {
    TALLA_TRY(auto device,
              certs::make_hsm_anchor({.origin = config.origin, .uri = config.anchor.hsm}));
    anchors.push_back(std::move(device));
  }
  return anchors;
}

/// Keys and anchors of the old appliance, which must not run: its ledger is taken where it still
/// is.
Result<Old> open_old(const RestoreOptions& options, const certs::BackupManifest& manifest) {
  Old old;
  TALLA_TRY(old.config, rngd::load_config(options.old));
  if (old.config.origin != manifest.origin)
    return fail(certs::SuccessionErrc::other_history, options.old + ": is of " + old.config.origin +
                                                          ", the backup of " + manifest.origin);
  const std::string path = old.config.data_folder + "/ledger.db";
  if (old.config.ledger.kind == "sqlite" && std::filesystem::exists(path)) {
    auto ledger =
        certs::open_sqlite_ledger({.path = path, .origin = manifest.origin, .create = false});
    if (!ledger && ledger.error().is(certs::Errc::ledger_locked)) return pass(std::move(ledger));
    if (ledger)
      old.ledger = std::move(*ledger);  // one that does not open any more is why there is a backup
  }
  if (old.config.ledger.kind == "postgres") {
    TALLA_TRY(old.ledger, certs::open_postgres_ledger(
                              std::get<certs::PostgresLedgerOptions>(ledger_place(old.config))));
  }
  TALLA_TRY(old.anchors, anchors_of(old.config));
  TALLA_TRY(old.keys, certs::open_keys(rngd::key_sources(old.config)));
  return old;
}

/// What anybody knows of the old log. `older_than_anchor` is a refusal unless both persons agreed
/// to it.
class Comparison {
 public:
  Comparison(const App& app, const certs::CheckedBackup& backup, certs::LedgerReading reading,
             bool older)
      : app_(app), backup_(backup), reading_(std::move(reading)), older_(older) {}

  Status anchor(certs::Anchor& anchor) {
    TALLA_TRY(const auto state, anchor.read());
    if (!state) return {};
    retired_ = retired_ || certs::anchor_retired(*state);
    return certs::anchor_retired(*state) ? Status() : look(*state);
  }
  /// An earlier restore came so far.
  [[nodiscard]] bool retired() const { return retired_; }
  Status checkpoint(const std::string& path) {
    TALLA_TRY(const std::string text, read_file(path));
    TALLA_TRY(const certs::SignedCheckpoint note, certs::parse_cosigned_checkpoint(text));
    TALLA_TRY(const bool signed_by_it, by_key_of_log(note));
    if (!signed_by_it)
      return fail(certs::SuccessionErrc::other_history,
                  path + ": is not signed by the key of the backup's log");
    return look({.origin = note.checkpoint.origin,
                 .size = note.checkpoint.size,
                 .root = note.checkpoint.root});
  }
  /// An old ledger that still opens knows all that was.
  Status ledger(const certs::Ledger& ledger) {
    certs::CompactRange range;
    TALLA_TRY_STATUS(
        ledger.leaves(0, ledger.size(), [&](const Digest& leaf) { range.append(hashes_, leaf); }));
    return look(
        {.origin = backup_.manifest.origin, .size = range.size(), .root = range.root(hashes_)});
  }

 private:
  /// By the key of the backup, or one before it.
  Result<bool> by_key_of_log(const certs::SignedCheckpoint& note) const {
    std::vector<const certs::LogKey*> keys{&backup_.log_key};
    for (const certs::KeyChange& change : backup_.changes) keys.push_back(&change.log_key);
    for (const certs::LogKey* key : keys) {
      TALLA_TRY(const certs::LogKeyStatement statement, certs::parse_statement(key->statement));
      if (note.key_id ==
              certs::ed25519_key_id(hashes_, note.checkpoint.origin, statement.public_key) &&
          certs::BotanEd25519().verify(statement.public_key, as_bytes(note.text), note.signature))
        return true;
    }
    return false;
  }
  Status look(const certs::AnchorState& state) {
    Status same = certs::compare_backup(hashes_, reading_, backup_.manifest.origin, state);
    if (same || !same.error().is(certs::SuccessionErrc::older_than_anchor)) return same;
    if (!older_) {
      return fail(certs::SuccessionErrc::older_than_anchor,
                  same.error().detail +
                      "; both persons must agree to that: approve and restore with --older");
    }
    app_.say("agreed: " + same.error().detail);
    return {};
  }

  const App& app_;
  const certs::CheckedBackup& backup_;
  certs::LedgerReading reading_;
  bool older_;
  bool retired_ = false;
  certs::OpensslHashes hashes_;
};

/// Whoever still writes to the old ledger on its server is fenced: its next commit fails. On this
/// machine a daemon may hold the lock of its folder; the epoch counts. What it wrote since the
/// first look is looked at again.
Status fence_old(const rngd::Config& config, Comparison& comparison) {
  if (config.ledger.kind != "postgres") return {};
  certs::PostgresLedgerOptions options =
      std::get<certs::PostgresLedgerOptions>(ledger_place(config));
  options.read_only = false;
  options.folder.clear();
  TALLA_TRY(const auto taken, certs::open_postgres_ledger(options));
  return comparison.ledger(*taken);
}

bool has_role(const std::vector<rngd::EnrolledClient>& clients, const certs::Approver& person,
              const char* role) {
  return std::ranges::any_of(clients, [&](const rngd::EnrolledClient& client) {
    return client.id == person.id && client.spki == to_hex(person.spki) &&
           std::ranges::find(client.roles, role) != client.roles.end();
  });
}

/// Officer and inspector, in either order, with ids and keys of their own (PROTOCOL section 8).
Result<std::pair<certs::Approver, certs::Approver>> two_persons(const rngd::Config& config,
                                                                const RestoreOptions& options,
                                                                const certs::RestoreTerms& terms) {
  if (options.approvals.size() != 2)
    return fail(certs::ApprovalErrc::approval_refused,
                "two approvals are needed: of a security officer and of an inspector (talla "
                "restore approve)");
  TALLA_TRY(const auto clients, rngd::load_enrolment(config.api.enrolment));
  SystemClock clock;
  std::vector<certs::Approver> persons;
  for (const std::string& path : options.approvals) {
    TALLA_TRY(const std::string text, read_file(path));
    auto person = certs::check_approval(
        text, terms, {.roots = config.api.client_roots, .revoked = config.api.revoked},
        clock.utc_us());
    if (!person)
      return fail(certs::ApprovalErrc::approval_refused, path + ": " + person.error().detail);
    persons.push_back(std::move(*person));
  }
  const bool one_way = has_role(clients, persons[0], "security-officer") &&
                       has_role(clients, persons[1], "inspector");
  const bool other_way = has_role(clients, persons[1], "security-officer") &&
                         has_role(clients, persons[0], "inspector");
  if (persons[0].id == persons[1].id || persons[0].spki == persons[1].spki ||
      !(one_way || other_way))
    return fail(
        certs::ApprovalErrc::approval_refused,
        "a security officer and an inspector must approve, two persons that are enrolled here");
  return std::pair{persons[0], persons[1]};
}

/// Puts the copy into place; one that an interrupted restore left is taken when it is the same.
Status place_copy(const RestoreOptions& options, const certs::CheckedBackup& backup,
                  const std::string& folder) {
  if (!std::filesystem::exists(folder))
    return certs::copy_backup(backup.manifest, options.backup, folder);
  const certs::BotanEd25519 verifier;
  TALLA_TRY(const certs::CheckedBackup there, certs::check_backup(folder, verifier));
  if (there.manifest.ledger_digest == backup.manifest.ledger_digest) return {};
  return fail(certs::BackupErrc::backup_refused, folder + ": another backup is there");
}

/// Where the daemon finds the key that old replies are proven with. The key itself stays where it
/// is.
Status note_key(const std::string& data_folder, const std::string& log_key) {
  return certs::replace_file(data_folder + "/predecessor.json",
                             json::canonical(json::Object{{"log_key", log_key}, {"v", 1}}));
}

Result<std::unique_ptr<certs::Ledger>> open_new_ledger(const rngd::Config& config) {
  if (config.ledger.kind == "postgres") {
    certs::PostgresLedgerOptions options;
    options.connection = config.ledger.connection;
    options.origin = config.origin;
    options.folder = config.data_folder;
    TALLA_TRY(auto ledger, certs::open_postgres_ledger(options));
    return std::unique_ptr<certs::Ledger>(std::move(ledger));
  }
  return certs::open_sqlite_ledger(
      {.path = config.data_folder + "/ledger.db", .origin = config.origin});
}

/// The new log, open and empty. In the order of construction.
struct NewLog {
  certs::OpensslHashes hashes;
  SystemClock clock;
  std::unique_ptr<certs::Ed25519Signer> signer;
  certs::LogKey log_key;
  std::unique_ptr<certs::OuterAnchor> device;
  std::unique_ptr<certs::Ledger> ledger;
  std::unique_ptr<certs::FileAnchor> local;
  std::unique_ptr<certs::Log> log;
};

Status open_new(const rngd::Config& config, NewLog& fresh) {
  TALLA_TRY(fresh.signer, certs::open_log_signer(config.keys.log_key));
  TALLA_TRY(fresh.log_key, certs::load_log_key(config.keys.log_statement, config.origin,
                                               fresh.signer->public_key()));
  TALLA_TRY(fresh.device, rngd::make_device_anchor(config));
  TALLA_TRY_STATUS(certs::create_folder(config.data_folder));
  TALLA_TRY(fresh.ledger, open_new_ledger(config));
  fresh.local = std::make_unique<certs::FileAnchor>(config.data_folder + "/anchor.json");
  certs::Log::Options options;
  options.origin = config.origin;
  TALLA_TRY(fresh.log, certs::Log::open({.hashes = fresh.hashes,
                                         .ledger = *fresh.ledger,
                                         .signer = *fresh.signer,
                                         .clock = fresh.clock,
                                         .anchor = fresh.local.get(),
                                         .outer = fresh.device.get()},
                                        options));
  if (fresh.log->size() == 0) return {};
  return fail(certs::SuccessionErrc::not_empty,
              config.origin + " holds records already: only a new log follows another");
}

Status refuse_bad_place(const rngd::Config& config, const RestoreOptions& options,
                        const certs::BackupManifest& manifest) {
  if (config.origin == manifest.origin)
    return fail(certs::SuccessionErrc::not_empty,
                options.config +
                    ": a backup is read-only; service goes on under another origin than " +
                    manifest.origin);
  if (options.old.empty() == options.lost) return {};
  return fail(
      CliErrc::usage,
      "give --old CONFIG of the old appliance, or --lost when nothing of it is left; not both");
}

/// Where the root's word on the end of the old log is: as given, or where the old appliance has it.
/// Empty: nowhere.
Result<std::string> end_of_old(const RestoreOptions& options) {
  if (!options.ended.empty() || options.old.empty()) return options.ended;
  TALLA_TRY(const rngd::Config old, rngd::load_config(options.old));
  const std::string path = old.data_folder + "/log-end.json";
  return std::filesystem::exists(path) ? path : std::string();
}

/// A log that has ended is followed from exactly there, and by the log that the root names.
Status check_end(const rngd::Config& config, const RestoreOptions& options,
                 const certs::BackupManifest& manifest) {
  TALLA_TRY(const std::string path, end_of_old(options));
  if (path.empty()) return {};
  TALLA_TRY(const certs::EndedLog end, load_end(path, options.root));
  const certs::Checkpoint backup{
      .origin = manifest.origin, .size = manifest.size, .root = manifest.root};
  if (backup != end.last)
    return fail(certs::SuccessionErrc::other_history,
                path + ": the root ended " + end.last.origin + " with " +
                    std::to_string(end.last.size) + " records; the backup holds " +
                    std::to_string(manifest.size) + " of " + manifest.origin +
                    ", and only one that ends exactly there is followed");
  if (!end.statement.successor) return {};
  TALLA_TRY(const std::string text, read_file(config.keys.log_statement));
  TALLA_TRY(const json::Value value, json::parse_canonical(text));
  TALLA_TRY(const certs::LogKey log_key, certs::LogKey::from_json(value));
  TALLA_TRY(const certs::LogKeyStatement statement, certs::parse_statement(log_key.statement));
  const auto& next = *end.statement.successor;
  if (next.origin == config.origin && next.key == statement.public_key) return {};
  return fail(certs::SuccessionErrc::other_history,
              path + ": the root names " + next.origin +
                  " and a key of it as the log that follows, not " + config.origin + " with " +
                  config.keys.log_statement);
}

void say_restored(const App& app, const rngd::Config& config, const certs::Succession& what) {
  std::map<std::string, std::size_t> results;
  for (const json::Value& secret : what.secrets) ++results[secret.find("result")->string()];
  app.say("restored: " + config.origin + " follows " + what.predecessor.origin + ", whose " +
          std::to_string(what.predecessor.size) + " records are read-only in " +
          config.data_folder + "/predecessor");
  for (const auto& [result, count] : results)
    app.say("  secrets of open shoes and batches " + result + ": " + std::to_string(count));
  app.say("  places that go on with their counts: " + std::to_string(what.places.size()));
  for (const auto& [name, count] : what.predecessor.open)
    app.say("  left open there, for ever: " + std::to_string(count) + " " + name);
  app.say(
      "next: start the daemon; the people settle by hand what was open (talla log export --backup "
      "tells it)");
  json::Object secrets;
  for (const auto& [result, count] : results) secrets[result] = count;
  app.emit(json::Object{{"origin", config.origin},
                        {"places", what.places.size()},
                        {"predecessor", manifest_json(what.predecessor)},
                        {"secrets", secrets}});
}

Status restore(const App& app, const RestoreOptions& options) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(const rngd::Config config, rngd::load_config(options.config));
  TALLA_TRY(const certs::CheckedBackup backup, checked(app, options));
  TALLA_TRY_STATUS(refuse_bad_place(config, options, backup.manifest));
  TALLA_TRY(const std::string roots, read_file(options.root));
  TALLA_TRY_STATUS(trust_backup(backup, roots));
  TALLA_TRY_STATUS(check_end(config, options, backup.manifest));
  certs::Succession what;
  what.predecessor = backup.manifest;
  what.terms = terms_of(backup.manifest, config.origin, options);
  TALLA_TRY(const auto persons, two_persons(config, options, what.terms));
  what.asked = persons.first;
  what.confirmed = persons.second;
  TALLA_TRY(const auto copy, certs::open_backup(options.backup, backup.manifest.origin));
  TALLA_TRY(certs::LedgerReading reading, certs::read_whole_ledger(*copy, backup.manifest.origin));
  Comparison comparison(app, backup, std::move(reading), options.older);
  std::optional<Old> old;
  if (!options.old.empty()) {
    TALLA_TRY(old, open_old(options, backup.manifest));
    for (const auto& anchor : old->anchors) TALLA_TRY_STATUS(comparison.anchor(*anchor));
    if (old->ledger) TALLA_TRY_STATUS(comparison.ledger(*old->ledger));
  }
  for (const std::string& path : options.checkpoints) TALLA_TRY_STATUS(comparison.checkpoint(path));
  const std::string place = config.data_folder + "/predecessor";
  if (comparison.retired() && !std::filesystem::exists(place))
    return fail(certs::SuccessionErrc::not_empty,
                backup.manifest.origin + " is followed by a log already");
  TALLA_TRY(what.secrets, certs::predecessor_secrets(hashes, *copy, backup.manifest.origin,
                                                     old ? old->keys.sealer.get() : nullptr));
  TALLA_TRY(what.places, certs::predecessor_places(*copy, backup.manifest.origin));
  // Nothing was changed until here. First an empty log and the copy, then no way back for the old
  // log, then what it kept secret.
  NewLog fresh;
  TALLA_TRY_STATUS(open_new(config, fresh));
  what.log_key = fresh.log_key;
  TALLA_TRY_STATUS(place_copy(options, backup, place));
  if (old) {
    TALLA_TRY(
        const certs::ChosenLogKey key,
        certs::choose_log_key(*copy, backup.manifest.origin, rngd::log_key_sources(old->config)));
    TALLA_TRY_STATUS(note_key(config.data_folder, key.source.key));
    TALLA_TRY_STATUS(fence_old(old->config, comparison));
    for (const auto& anchor : old->anchors)
      TALLA_TRY_STATUS(certs::retire_anchor(*anchor, backup.manifest));
    TALLA_TRY_STATUS(
        certs::note_successor(old->config.data_folder, backup.manifest, config.origin));
  }
  TALLA_TRY_STATUS(certs::write_succession(*fresh.log, what));
  say_restored(app, config, what);
  return {};
}

void add_terms(commandline::Command& command, RestoreOptions& options) {
  command.add_option("BACKUP", options.backup, "folder that talla backup make wrote")->required();
  command.add_flag("--older", options.older,
                   "records made after the backup are lost, and that is agreed to");
  command.add_flag(
      "--lost", options.lost,
      "no anchor and no key of the old appliance is left to ask; its secrets cannot be opened");
}

}  // namespace

void add_restore(commandline::Command& root, App& app) {
  auto options = std::make_shared<RestoreOptions>();
  auto* command = root.add_subcommand(
      "restore", "take up a backup: a new log follows the one in it, by two persons");
  command->require_subcommand();
  auto* approved = command->add_subcommand(
      "approve",
      "one of the two persons (security officer, inspector) signs with the key of that client");
  add_terms(*approved, *options);
  approved->add_option("--for", options->successor, "origin of the new log")->required();
  approved->add_option("--out", options->out, "file for the approval; good for a day")->required();
  approved->callback([&app, options] { app.finish(approve(app, *options)); });
  auto* run = command->add_subcommand(
      "run", "make the new log; nothing is changed unless all of it can be done");
  add_terms(*run, *options);
  run->add_option("CONFIG", options->config,
                  "rngd.toml of the new appliance: another origin, an empty data folder")
      ->required();
  run->add_option("--root", options->root, "trusted root certificates of the backup's log key, PEM")
      ->required();
  run->add_option("--approval", options->approvals, "the two files of talla restore approve");
  run->add_option(
      "--old", options->old,
      "rngd.toml of the old appliance: its anchors are asked and retired, its sealing key opens "
      "what was unused");
  run->add_option(
      "--checkpoint", options->checkpoints,
      "a signed checkpoint of the old log that a witness, table or tile folder kept: the backup "
      "must reach it");
  run->add_option("--ended", options->ended,
                  "the root's statement about the end of the old log: the backup must end exactly "
                  "there (default: "
                  "log-end.json in the old appliance's data folder)");
  run->callback([&app, options] { app.finish(restore(app, *options)); });
  command->footer(
      "A log never goes on from a copy: numbers would be given twice. The backup becomes the "
      "read-only "
      "predecessor of a log\n"
      "with another origin and key (talla keys ceremony), whose first record names its last "
      "checkpoint. What "
      "was open in it\n"
      "may have been dealt or drawn since: unused secrets of public shoes and of batches are "
      "opened in the "
      "new log, covered\n"
      "shoes stay sealed, nothing of either is dealt again. Requests that the old log answered get "
      "the same "
      "bytes again.\n"
      "The old appliance must be out of service before this: from then on its secrets are public. "
      "Its "
      "anchors are retired,\n"
      "so that no copy of its ledger starts again. A backup that is older than an anchor or a "
      "checkpoint is "
      "refused unless\n"
      "both persons have signed --older.");
}

}  // namespace talla::cli
