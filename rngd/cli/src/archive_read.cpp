// talla archive verify and show: archives judged offline, and the evidence of a round, shoe or draw found in them
// again.
#include <memory>

#include "archive.hpp"
#include "backup.hpp"
#include "certs/archive_shelf.hpp"
#include "config/client_file.hpp"
#include "config/ended_files.hpp"
#include "times.hpp"
#include "verify/archive.hpp"

namespace talla::cli {

namespace {

struct Options {
  std::vector<std::string> files;
  std::string root;
  std::string policy;
  std::string known_key;
  bool production = false;
  std::vector<std::string> ended;
  std::string consistency;
  std::int64_t seq = -1;
  std::string object;
  std::string bundle;
};

struct Trust {
  std::string roots;
  std::string policy;
  std::string known_key;
  std::vector<std::string> ended;
  std::string consistency;
};

/// A file that is empty would be none.
Result<std::string> read_filled(const std::string& path) {
  if (path.empty()) return std::string();
  TALLA_TRY(std::string text, read_file(path));
  if (text.empty()) return fail(CliErrc::file, path + ": is empty");
  return text;
}

Result<Trust> load_trust(const App& app, const Options& options) {
  std::string root = options.root;
  if (root.empty() && !app.client_folder.empty()) {
    TALLA_TRY(const auto file, rngd::load_client_file(app.client_folder + "/client.toml"));
    root = file.root;
  }
  if (root.empty())
    return fail(CliErrc::usage,
                "no trusted root: give --root FILE (PEM), or --client FOLDER with client.toml");
  Trust trust;
  TALLA_TRY(trust.roots, read_file(root));
  TALLA_TRY(trust.policy, read_filled(options.policy));
  TALLA_TRY(trust.known_key, read_filled(options.known_key));
  TALLA_TRY(trust.ended, rngd::load_ended_files(options.ended));
  TALLA_TRY(trust.consistency, read_filled(options.consistency));
  return trust;
}

/// Development keys are no evidence in production: they never end in the code of a certified source.
int code_of(const certs::Verdict& verdict) {
  const int code = certs::exit_code(verdict.verdict_class);
  return code == certs::exit_certified && verdict.development ? certs::exit_uncertified_source : code;
}

json::Array lines_of(const std::vector<std::string>& lines) {
  json::Array array;
  for (const std::string& line : lines) array.emplace_back(line);
  return array;
}

json::Value to_json(const std::string& file, const certs::ArchiveVerdict& judged) {
  const certs::Verdict& verdict = judged.verdict;
  const certs::ArchiveFacts& facts = judged.facts;
  json::Object out{{"file", file},
                   {"verified", true},
                   {"class", std::string(certs::verdict_class_name(verdict.verdict_class))},
                   {"development", verdict.development},
                   {"origin", verdict.origin},
                   {"from", facts.header.from},
                   {"to", facts.header.to},
                   {"first_us", facts.first_us},
                   {"last_us", facts.last_us},
                   {"tree_size", verdict.tree_size},
                   {"catalogues", facts.catalogues},
                   {"bytes", facts.bytes},
                   {"digest", to_hex(facts.digest)},
                   {"witnessed", verdict.witnessed},
                   {"witnesses", lines_of(verdict.witnesses)},
                   {"checked", lines_of(verdict.checked)},
                   {"not_checked", lines_of(verdict.not_checked)}};
  if (facts.header.previous) out.emplace("previous", to_hex(*facts.header.previous));
  return json::Value(std::move(out));
}

void report(const App& app, const std::string& file, const certs::ArchiveVerdict& judged) {
  const certs::Verdict& verdict = judged.verdict;
  std::string words = verdict.verdict_class == certs::VerdictClass::certified ? "certified source"
                      : verdict.verdict_class == certs::VerdictClass::lab     ? "LABORATORY source"
                                                                              : "uncertified source";
  if (verdict.development) words += ", development keys";
  app.emit(to_json(file, judged));
  app.say("verified: " + verdict.claim_text + " (" + file + "; " + words + ")");
  app.say("  recorded from " + time_text(judged.facts.first_us) + " to " + time_text(judged.facts.last_us) +
          "; proven by the checkpoint of " + std::to_string(verdict.tree_size) + " records");
  app.say("  digest " + to_hex(judged.facts.digest));
  for (const std::string& line : verdict.checked) app.say("  checked: " + line);
  for (const std::string& line : verdict.not_checked) app.say("  not checked: " + line);
}

certs::VerifyOptions how(const Options& options, const Trust& trust) {
  return {.production_only = options.production,
          .policy = trust.policy,
          .openings = {},
          .known_key = trust.known_key,
          .ended = trust.ended,
          .consistency = trust.consistency};
}

void refuse(App& app, const Error& error) {
  app.refuse(error, error.is(CliErrc::usage) ? exit_usage : exit_refused);
}

void verify(App& app, const Options& options) {
  const auto trust = load_trust(app, options);
  if (!trust) return refuse(app, trust.error());
  certs::ArchiveVerifier verifier(trust->roots, how(options, *trust));
  int worst = exit_ok;
  for (const std::string& path : options.files) {
    const auto file = certs::FileSource::open(path);
    if (!file) return app.refuse(file.error());
    const auto judged = verifier.verify(**file, {.progress = progress_bar(app, path)});
    if (!judged)
      return app.refuse({CliErrc::receipt_refused, path + ": NOT VALID: " + judged.error().text()});
    report(app, path, *judged);
    worst = std::max(worst, code_of(judged->verdict));
  }
  app.exit = worst;
}

Status print_records(const App& app, const certs::ArchiveShelf& shelf,
                     const std::vector<std::uint64_t>& seqs) {
  for (const std::uint64_t seq : seqs) {
    TALLA_TRY(const std::string record, shelf.record(seq));
    app.say(record);
    app.emit(json::Object{{"seq", seq}, {"record", record}});
  }
  return {};
}

/// The bundle is judged as any other before it is written.
Result<int> write_bundle(const App& app, const certs::ArchiveShelf& shelf, const Options& options,
                         const Trust& trust, std::uint64_t claim) {
  TALLA_TRY(const certs::Bundle bundle, shelf.bundle(claim));
  const std::string text = certs::format_bundle(bundle);
  TALLA_TRY(const certs::Verdict verdict, certs::verify_bundle(text, trust.roots, how(options, trust)));
  TALLA_TRY_STATUS(write_file(options.bundle, text));
  app.say("evidence written and verified: " + options.bundle + ": " + verdict.claim_text);
  app.emit(json::Object{{"bundle", options.bundle}, {"claim", claim}, {"text", verdict.claim_text}});
  return code_of(verdict);
}

Result<int> show_from(const App& app, const certs::ArchiveShelf& shelf, const Options& options,
                      const Trust& trust) {
  std::vector<std::uint64_t> wanted;
  std::uint64_t claim = 0;
  if (options.seq >= 0) {
    claim = static_cast<std::uint64_t>(options.seq);
    wanted.push_back(claim);
  } else {
    wanted = shelf.object(options.object);
    if (wanted.empty())
      return fail(CliErrc::usage, options.object + ": no record of it is in these archives");
  }
  if (options.bundle.empty()) {
    TALLA_TRY_STATUS(print_records(app, shelf, wanted));
    return exit_ok;
  }
  if (options.seq < 0) {
    TALLA_TRY(claim, shelf.claim_of(options.object));
  }
  return write_bundle(app, shelf, options, trust, claim);
}

/// Nothing is shown of an archive that is not valid.
void show(App& app, const Options& options) {
  if ((options.seq >= 0) == !options.object.empty())
    return refuse(app, Error(CliErrc::usage, "give --seq N or --object ID"));
  const auto trust = load_trust(app, options);
  if (!trust) return refuse(app, trust.error());
  const certs::BotanHashes hashes;
  certs::ArchiveShelf shelf(hashes);
  certs::ArchiveVerifier verifier(trust->roots, how(options, *trust));
  int worst = exit_ok;
  for (const std::string& path : options.files) {
    const auto file = shelf.add(path);
    if (!file) return app.refuse(file.error());
    const auto judged = verifier.verify(**file, {.visitor = &shelf, .progress = progress_bar(app, path)});
    if (!judged)
      return app.refuse({CliErrc::receipt_refused, path + ": NOT VALID: " + judged.error().text()});
    worst = std::max(worst, code_of(judged->verdict));
  }
  const auto done = show_from(app, shelf, options, *trust);
  if (!done) return refuse(app, done.error());
  app.exit = options.bundle.empty() ? worst : *done;
}

void add_common(CLI::App& command, Options& options) {
  command.add_option("FILE", options.files, "archives of one log, in its order")->required();
  command.add_option("--root", options.root, "trusted root certificates, PEM (default: that of client.toml)");
  command.add_option("--known-key", options.known_key,
                     "statement of a key of the log that you know already (JSON): the log must have had it");
  command.add_option(
      "--policy", options.policy,
      "C2SP tlog-policy: logs, witnesses and the quorum that must have cosigned the checkpoint");
  CLI::Option* ended = command.add_option(
      "--ended", options.ended,
      "what the root says about the end of logs: statements, or a folder of them (talla keys ceremony end)");
  command
      .add_option("--consistency", options.consistency,
                  "proofs that lead from older checkpoints to the last one (talla log prove)")
      ->needs(ended);
  command.add_flag("--production", options.production, "refuse development keys");
}

}  // namespace

void add_archive_read(CLI::App& archive, App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* judged = archive.add_subcommand("verify", "every byte of archives, on any machine, offline");
  add_common(*judged, *options);
  judged->callback([&app, options] { verify(app, *options); });
  judged->footer(
      "Exit codes: 0 certified source, 3 uncertified source or development keys, 4 laboratory, 1 not valid. "
      "The first archive\n"
      "that is not valid ends it. The second of two must begin where the first ends, and name its digest.");
  CLI::App* shown = archive.add_subcommand(
      "show", "records of archives, or the evidence of a round, shoe or draw; verified first");
  add_common(*shown, *options);
  shown->add_option("--seq", options->seq, "one record")->check(CLI::NonNegativeNumber);
  shown->add_option("--object", options->object,
                    "all records of a round, shoe, batch, table or meter: round-431");
  shown->add_option(
      "--bundle", options->bundle,
      "write the evidence bundle instead: of that record, or of the newest outcome of the object");
  shown->callback([&app, options] { show(app, *options); });
  shown->footer(
      "A bundle needs every archive from the opening of its table (or shared meter) on. It verifies with "
      "talla verify, and\n"
      "talla dispute FILE reports a settled round of it. Exit codes: as of talla archive verify.");
}

}  // namespace talla::cli
