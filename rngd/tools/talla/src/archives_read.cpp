// talla archive verify and show: archives judged offline, and the evidence of a round, shoe or draw
// found in them again.
#include <memory>

#include "archives.hpp"
#include "backup.hpp"
#include "certs/archive_shelf.hpp"
#include "times.hpp"
#include "trust.hpp"
#include "verify/archive.hpp"
#include "verify/notes.hpp"

namespace talla::cli {

namespace {

struct ArchiveReadOptions {
  std::vector<std::string> files;
  TrustOptions trust;
  bool tree = false;
  std::int64_t seq = -1;
  std::string object;
  std::string bundle;
  std::string language = "en";
};

json::Value archive_json(const std::string& file, const certs::ArchiveVerdict& judged,
                         std::string_view language) {
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
                   {"unread", facts.unread},
                   {"bytes", facts.bytes},
                   {"digest", to_hex(facts.digest)},
                   {"witnessed", verdict.witnessed},
                   {"witnesses", lines_of(verdict.witnesses)},
                   {"checked", lines_in(verdict.checked, language)},
                   {"not_checked", lines_in(verdict.not_checked, language)}};
  if (facts.header.previous) out.emplace("previous", to_hex(*facts.header.previous));
  return json::Value(std::move(out));
}

void report_archive(const App& app, const std::string& file, const certs::ArchiveVerdict& judged) {
  const certs::Verdict& verdict = judged.verdict;
  const bool spanish = app.language == "es";
  app.emit(archive_json(file, judged, app.language));
  app.say((spanish ? "verificado: " : "verified: ") +
          certs::claim_in(verdict.claim_text, app.language) + " (" + file + "; " +
          class_words(verdict, app.language) + ")");
  const auto first = time_text(judged.facts.first_us);
  const auto last = time_text(judged.facts.last_us);
  const auto size = std::to_string(verdict.tree_size);
  app.say(spanish ? "  asentado desde " + first + " hasta " + last +
                        "; lo demuestra el punto de control de " + size + " asientos"
                  : "  recorded from " + first + " to " + last + "; proven by the checkpoint of " +
                        size + " records");
  app.say((spanish ? "  huella " : "  digest ") + to_hex(judged.facts.digest));
  say_lines(app, verdict);
}

void verify(App& app, const ArchiveReadOptions& options) {
  const auto trust = load_trust(app, options.trust);
  if (!trust) return app.refuse(trust.error());
  certs::ArchiveVerifier verifier(trust->roots, trust->options(options.trust.production));
  int worst = exit_ok;
  for (const std::string& path : options.files) {
    const auto file = certs::FileSource::open(path);
    if (!file) return app.refuse(file.error());
    const auto judged =
        verifier.verify(**file, {.progress = progress_bar(app, path), .contents = !options.tree});
    if (!judged) return refuse_evidence(app, path, judged.error());
    report_archive(app, path, *judged);
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
Result<int> write_bundle(const App& app, const certs::ArchiveShelf& shelf,
                         const ArchiveReadOptions& options, const Trust& trust,
                         std::uint64_t claim) {
  TALLA_TRY(const certs::Bundle bundle, shelf.bundle(claim));
  const std::string text = certs::format_bundle(bundle);
  const auto verdict =
      certs::verify_bundle(text, trust.roots, trust.options(options.trust.production));
  if (!verdict) return not_valid(app, options.bundle, verdict.error());
  TALLA_TRY_STATUS(write_file(options.bundle, text));
  const auto claimed = certs::claim_in(verdict->claim_text, app.language);
  app.say(
      (app.language == "es" ? "prueba escrita y verificada: " : "evidence written and verified: ") +
      options.bundle + ": " + claimed);
  app.emit(json::Object{{"bundle", options.bundle}, {"claim", claim}, {"text", claimed}});
  return code_of(*verdict);
}

Result<int> show_from(const App& app, const certs::ArchiveShelf& shelf,
                      const ArchiveReadOptions& options, const Trust& trust) {
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
void show_archive(App& app, const ArchiveReadOptions& options) {
  if ((options.seq >= 0) == !options.object.empty())
    return app.refuse({CliErrc::usage, "give --seq N or --object ID"});
  const auto trust = load_trust(app, options.trust);
  if (!trust) return app.refuse(trust.error());
  const certs::BotanHashes hashes;
  certs::ArchiveShelf shelf(hashes);
  certs::ArchiveVerifier verifier(trust->roots, trust->options(options.trust.production));
  int worst = exit_ok;
  for (const std::string& path : options.files) {
    const auto file = shelf.add(path);
    if (!file) return app.refuse(file.error());
    const auto judged =
        verifier.verify(**file, {.visitor = &shelf, .progress = progress_bar(app, path)});
    if (!judged) return refuse_evidence(app, path, judged.error());
    worst = std::max(worst, code_of(judged->verdict));
  }
  const auto done = show_from(app, shelf, options, *trust);
  if (!done) return app.refuse(done.error());
  app.exit = options.bundle.empty() ? worst : *done;
}

void add_common(commandline::Command& command, ArchiveReadOptions& options) {
  command.add_option("FILE", options.files, "archives of one log, in its order")->required();
  add_trust(command, options.trust, Judged::archives);
  add_verdict_language(command, options.language);
}

}  // namespace

void add_archive_read(commandline::Command& archive, App& app) {
  auto options = std::make_shared<ArchiveReadOptions>();
  auto* judged =
      archive.add_subcommand("verify", "every byte of archives, on any machine, offline");
  add_common(*judged, *options);
  judged->add_flag(
      "--tree", options->tree,
      "tree, signatures, states and catalogues; of single draws, cards and bets the content is not "
      "read: for copies of archives that were verified once");
  judged->callback([&app, options] {
    app.language = options->language;
    verify(app, *options);
  });
  judged->footer(
      "Exit codes: 3 uncertified (no archive shows a certification), 4 laboratory, 1 not valid. "
      "The first archive\n"
      "that is not valid ends it. The second of two must begin where the first ends, and name its "
      "digest.");
  auto* shown = archive.add_subcommand(
      "show", "records of archives, or the evidence of a round, shoe or draw; verified first");
  add_common(*shown, *options);
  shown->add_option("--seq", options->seq, "one record")->at_least(0);
  shown->add_option("--object", options->object,
                    "all records of a round, shoe, batch, table or meter: round-431");
  shown->add_option(
      "--bundle", options->bundle,
      "write the evidence bundle instead: of that record, or of the newest outcome of the object");
  shown->callback([&app, options] {
    app.language = options->language;
    show_archive(app, *options);
  });
  shown->footer(
      "A bundle needs every archive from the opening of its table (or shared meter) on. It "
      "verifies with "
      "talla verify, and\n"
      "talla dispute FILE reports a settled round of it. Exit codes: as of talla archive verify.");
}

}  // namespace talla::cli
