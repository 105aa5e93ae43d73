// talla dispute: one round in full, from its evidence: what was bet, dealt, decided and paid, and
// by which rule.
#include <map>
#include <memory>

#include "base/bytes.hpp"
#include "certs/openssl_hashes.hpp"
#include "format/bundle.hpp"
#include "history.hpp"
#include "report/round_paper.hpp"
#include "steps.hpp"
#include "trust.hpp"

namespace talla::cli {
namespace {

struct DisputeOptions {
  std::string file;
  std::string table;
  std::string round;
  TrustOptions trust;  // root and ended
  std::string language = "both";
  std::string public_page;
  std::string out;
};

/// A bundle, and where anybody reads it; empty: the appliance gave no link.
struct Fetched {
  std::string bundle;
  std::string link;
};

/// "https://HOST:PORT" and the path in `</bundles/7-ab>; rel="alternate"`: the page for everybody
/// with the evidence in it.
Result<std::string> link_of(const std::string& base, const std::string& header) {
  const bool address = base.starts_with("https://") || base.starts_with("http://");
  if (!address || base.find_first_of(" \"<>#?") != std::string::npos)
    return fail(CliErrc::usage, "--public: https://HOST:PORT of the public page is expected");
  const auto end = header.find('>');
  if (!header.starts_with("</bundles/") || end == std::string::npos)
    return fail(CliErrc::usage,
                "--public: the appliance gives no links ([public] of its rngd.toml)");
  const std::string host = base.substr(0, base.find_last_not_of('/') + 1);
  return host + "/web/verify.html?bundle=" + header.substr(1, end - 1);
}

/// The bundle of the round's settlement, from the appliance.
Result<Fetched> fetch(const App& app, const DisputeOptions& options) {
  TALLA_TRY(Session session, Session::open(app));
  TALLA_TRY(const auto row, find_round(session, options.table, options.round));
  const auto* settlement = row.find("settlement");
  if (settlement == nullptr || !settlement->is_integer()) {
    return fail(CliErrc::usage,
                options.table + ", round " + options.round +
                    " has no settlement yet: `talla log incomplete` says what it waits for");
  }
  Fetched found;
  TALLA_TRY(found.bundle, session.get_text("/v1/bundles/" + std::to_string(settlement->integer())));
  if (options.public_page.empty()) return found;
  TALLA_TRY(found.link, link_of(options.public_page, session.link()));
  return found;
}

struct Report {
  std::string bundle;  // the file's text
  std::string link;    // where anybody reads it
  certs::Verdict verdict;
  std::string es;  // empty: not asked for
  std::string en;
  std::map<std::string, std::string> pages;  // the same as HTML and PDF, by the file's ending
  json::Value facts;
};

Status write_pages(const certs::Bundle& bundle, Report& report) {
  const report::PaperOptions options{
      .evidence_digest = to_hex(certs::OpensslHashes().sha256({as_bytes(report.bundle)})),
      .link = report.link};
  const auto add = [&](const std::string& code, report::Language language) -> Status {
    TALLA_TRY(report.pages["." + code + ".html"],
              report::round_html(bundle, report.verdict, language, options));
    TALLA_TRY(report.pages["." + code + ".pdf"],
              report::round_pdf(bundle, report.verdict, language, options));
    return {};
  };
  if (!report.es.empty()) TALLA_TRY_STATUS(add("es", report::Language::es));
  return report.en.empty() ? Status() : add("en", report::Language::en);
}

Result<Report> make_report(const App& app, const DisputeOptions& options) {
  TALLA_TRY(const Trust trust, load_trust(app, options.trust));
  Report report;
  if (options.file.empty()) {
    TALLA_TRY(auto found, fetch(app, options));
    report.bundle = std::move(found.bundle);
    report.link = std::move(found.link);
  } else {
    TALLA_TRY(report.bundle, read_file(options.file));
  }
  auto verdict = certs::verify_bundle(report.bundle, trust.roots, trust.options(false));
  if (!verdict) {
    const auto name = options.file.empty() ? options.table + ", " + options.round : options.file;
    return not_valid(app, name, verdict.error());
  }
  report.verdict = std::move(*verdict);
  TALLA_TRY(const auto bundle, certs::parse_bundle(report.bundle));
  if (options.language != "en") {
    TALLA_TRY(report.es, report::round_report(bundle, report.verdict, report::Language::es));
  }
  if (options.language != "es") {
    TALLA_TRY(report.en, report::round_report(bundle, report.verdict, report::Language::en));
  }
  if (!options.out.empty()) TALLA_TRY_STATUS(write_pages(bundle, report));
  const auto names = options.language == "en" ? report::Language::en : report::Language::es;
  TALLA_TRY(report.facts, report::round_facts(bundle, names));
  return report;
}

Status write_files(const App& app, const DisputeOptions& options, const Report& report) {
  const auto put = [&](const std::string& ending, const std::string& text) -> Status {
    if (text.empty()) return {};
    TALLA_TRY_STATUS(write_file(options.out + ending, text));
    app.say("written: " + options.out + ending);
    return {};
  };
  if (options.file.empty()) TALLA_TRY_STATUS(put(".talla", report.bundle));
  TALLA_TRY_STATUS(put(".es.txt", report.es));
  TALLA_TRY_STATUS(put(".en.txt", report.en));
  for (const auto& [ending, page] : report.pages) TALLA_TRY_STATUS(put(ending, page));
  return {};
}

Status print(const App& app, const DisputeOptions& options, const Report& report) {
  json::Value line = report.facts;
  line["class"] = std::string(certs::verdict_class_name(report.verdict.verdict_class));
  line["development"] = report.verdict.development;
  app.emit(line);
  if (!options.out.empty()) return write_files(app, options, report);
  const std::string between = report.es.empty() || report.en.empty() ? "" : "\n";
  const std::string text = report.es + between + report.en;
  app.say(text.substr(0, text.size() - 1));
  return {};
}

void run_dispute(App& app, const DisputeOptions& options) {
  const bool online = !options.table.empty() && !options.round.empty();
  if (options.file.empty() == !online || (!options.file.empty() && !options.table.empty())) {
    return app.refuse(
        {CliErrc::usage, "give --table and --round, or the FILE of a settlement's bundle"});
  }
  if (!options.public_page.empty() && (!online || options.out.empty()))
    return app.refuse({CliErrc::usage, "--public goes with --table, --round and --out"});
  const auto report = make_report(app, options);
  if (!report) return app.refuse(report.error(), code_of(report.error()));
  app.exit = code_of(report->verdict);
  app.finish(print(app, options, *report));
}

}  // namespace

void add_dispute(commandline::Command& root, App& app) {
  auto options = std::make_shared<DisputeOptions>();
  auto* command =
      root.add_subcommand("dispute",
                          "a settled round in full, from its verified evidence: bets, cards, "
                          "decisions, the rule of each payment");
  command->add_option("FILE", options->file,
                      "bundle of a SETTLEMENT (.talla); or ask the appliance:");
  command->add_option("--table", options->table, "table, e.g. table-17");
  command->add_option("--round", options->round,
                      "number of the round at that table, or its id, e.g. 12 or round-431");
  command->add_option("--root", options->trust.root,
                      "trusted root certificates, PEM (default: that of client.toml)");
  command->add_option("--ended", options->trust.ended,
                      "what the root says about the end of logs: statements, or a folder of them");
  command->add_option("--language", options->language, "es, en or both")
      ->one_of({"es", "en", "both"})
      ->capture_default_str();
  command->add_option(
      "--out", options->out,
      "write NAME.es.txt and NAME.en.txt, the same as .html and .pdf to print and to sign, and "
      "NAME.talla when it was fetched");
  command->add_option(
      "--public", options->public_page,
      "https://HOST:PORT of the appliance's public page: the QR code on the paper leads there, to "
      "the evidence (default: it names the file by its digest)");
  command->footer(
      "The bundle is verified first; nothing is reported of one that is not valid.\n"
      "Exit codes: 0 certified, 3 uncertified or development keys, 4 laboratory, 1 not valid.");
  command->callback([&app, options] {
    app.language = options->language == "es" ? "es" : "en";
    run_dispute(app, *options);
  });
}

}  // namespace talla::cli
