// talla-lab month: what a month of an appliance came to, from its log alone.
#include <fmt/format.h>

#include <memory>

#include "app.hpp"
#include "certs/files.hpp"
#include "lab_kit/manifest.hpp"
#include "lab_month/month.hpp"
#include "software/check.hpp"

namespace talla::lab {
namespace {

struct MonthOptions {
  std::string month, log, checkpoint, key, out;
};

Status run_month(App& app, const MonthOptions& options) {
  TALLA_TRY(const Bytes log, software::read_plain_file(options.log));
  month::MonthWish wish{.month = options.month, .log = std::string(as_text(log))};
  if (!options.checkpoint.empty()) {
    TALLA_TRY(wish.checkpoint, certs::read_file(options.checkpoint));
    wish.key = options.key;
  }
  TALLA_TRY(const json::Value found, month::month_of(wish));
  const json::Array& faults = found.find("faults")->array();
  if (!faults.empty()) app.exit = exit_not_consistent;
  const std::string text = json::canonical(found);
  if (!options.out.empty()) {
    TALLA_TRY_STATUS(write_new(options.out + ".json", as_bytes(text + "\n")));
    for (const std::string language : {"en", "es"}) {
      const std::string html = month::month_html(found, language);
      TALLA_TRY_STATUS(write_new(options.out + "-" + language + ".html", as_bytes(html)));
      const std::string pdf = month::month_pdf(found, language);
      TALLA_TRY_STATUS(write_new(options.out + "-" + language + ".pdf", as_bytes(pdf)));
    }
  }
  if (app.json) {
    fmt::print("{}\n", text);
    return {};
  }
  for (const json::Value& one : faults)
    fmt::print("{}: {}\n", one.find("what")->string(), one.find("words")->string());
  fmt::print("{}: {} records, {} tables, {} alarms, {} latches, {} faults of the records\n",
             options.month, found.find("log")->find("records_of_month")->integer(),
             found.find("tables")->object().size(), found.find("alarms")->array().size(),
             found.find("latches")->array().size(), faults.size());
  return {};
}

}  // namespace

void add_month(commandline::Command& root, App& app) {
  auto options = std::make_shared<MonthOptions>();
  auto* command = root.add_subcommand(
      "month",
      "a month from the log alone: outcomes, returns, voids, contributions withheld, latches, "
      "alarms");
  command->add_option("MONTH", options->month, "YYYY-MM, in UTC")->required();
  command
      ->add_option("--log", options->log,
                   "records of talla log export, or of log tail --raw, from the first one on")
      ->required();
  auto* checkpoint = command->add_option("--checkpoint", options->checkpoint,
                                         "a signed checkpoint; the records are held against it");
  auto* key = command->add_option("--key", options->key, "verifier key of the log");
  checkpoint->needs(key);
  key->needs(checkpoint);
  command->add_option("--out", options->out,
                      "writes OUT.json, OUT-en.html, OUT-es.html and the same as .pdf");
  command->footer(
      "Exit 0: counted; 3: a record is missing, or they are not those of the checkpoint.");
  command->callback([options, &app] {
    if (const auto done = run_month(app, *options); !done) app.refuse({done.error().text()});
  });
}

}  // namespace talla::lab
