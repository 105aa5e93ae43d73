// talla odds sheet: the mathematics report of a game at a table, as HTML and PDF.
#include "certs/openssl_hashes.hpp"
#include "games/odds.hpp"
#include "odds_parts.hpp"
#include "report/odds_paper.hpp"

namespace talla::cli {

namespace {

struct SheetOptions : GameAsked {
  std::string html;
  std::string pdf;
  bool short_form = false;
};

/// This program, so that its figures can be had again from the same bytes.
Result<std::string> program() {
  TALLA_TRY(const auto bytes, read_file("/proc/self/exe"));
  return "talla " TALLA_VERSION ", SHA-256 " +
         to_hex(certs::OpensslHashes().sha256({as_bytes(bytes)}));
}

Status write_sheet(const App& app, const SheetOptions& options) {
  if (options.html.empty() && options.pdf.empty())
    return fail(CliErrc::usage, "where to? --html FILE, --pdf FILE, or both");
  TALLA_TRY(const auto table, odds_table_of(options));
  TALLA_TRY(auto self, program());
  const auto language = options.language == "en" ? report::Language::en : report::Language::es;
  TALLA_TRY(const auto paper,
            report::odds_paper(table, language,
                               {.program = std::move(self), .readings = !options.short_form}));
  const auto put = [&](const std::string& file, const std::string& text) -> Status {
    if (file.empty()) return {};
    TALLA_TRY_STATUS(write_file(file, text));
    app.say(file);
    return {};
  };
  TALLA_TRY_STATUS(put(options.html, report::html_of(paper)));
  return put(options.pdf, report::pdf_of(paper));
}

}  // namespace

void add_odds_sheet(commandline::Command& odds, App& app, const PartTaken& taken) {
  auto options = std::make_shared<SheetOptions>();
  auto* command = odds.add_subcommand(
      "sheet",
      "the mathematics report of a game at a table (PAR sheet): figures of every bet, ends of a "
      "round, other readings, rules, parameters");
  add_game_asked(*command, *options, "es-1977", "french-roulette");
  command->add_option("--html", options->html, "file for a page");
  command->add_option("--pdf", options->pdf, "file for a document of A4 pages");
  command->add_flag("--short", options->short_form,
                    "without what other readings and values would change");
  command->callback([&app, options, taken] {
    *taken = true;
    app.language = options->language;
    app.finish(write_sheet(app, *options));
  });
}

}  // namespace talla::cli
