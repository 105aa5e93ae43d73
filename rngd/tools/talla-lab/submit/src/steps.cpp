// The steps of a plan.
#include "lab_submit/steps.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "lab_acvp/acvp.hpp"
#include "lab_requirements/requirements.hpp"

namespace talla::lab::submit {
namespace {

const std::string lab = "talla-lab";
const std::string talla = "talla";

/// One verdict over all games: the chance of a wrong one is shared out among them.
std::string family_error(std::size_t games) {
  constexpr std::size_t hundredths = 100;
  constexpr std::size_t digits_most = 8;
  // 1 / (100 games), cut after eight digits behind the leading zeros.
  std::size_t rest = 1;
  std::string digits;
  while (digits.size() < digits_most) {
    rest *= 10;
    digits += std::to_string(rest / (hundredths * games));
    rest %= hundredths * games;
  }
  return "0." + digits;
}

void device_options_of(const PlanFile::Device& device, std::vector<std::string>& arguments) {
  arguments.insert(arguments.end(), {"--device", device.select});
  if (!device.settings.empty()) arguments.insert(arguments.end(), {"--settings", device.settings});
  if (device.assessed_millibits != 0)
    arguments.insert(arguments.end(),
                     {"--assessed-millibits", std::to_string(device.assessed_millibits)});
}

/// Samples from the generator, or from files that were collected before.
Step samples_step(const PlanFile::Device& device, bool restarts) {
  const std::string name = restarts ? "restarts" : "raw";
  const std::string file = restarts ? "rows.bin" : "raw.bin";
  Step step{.part = "device",
            .name = name,
            .about = restarts ? "samples after restarts (SP 800-90B 3.1.4)"
                              : "consecutive raw samples (SP 800-90B 3.1.1)",
            .about_es = restarts ? "muestras tras reinicios (SP 800-90B 3.1.4)"
                                 : "muestras brutas consecutivas (SP 800-90B 3.1.1)",
            .commands = {}};
  const std::string& given = restarts ? device.restarts : device.raw;
  if (!given.empty()) {
    for (const std::string& ending : {std::string(), std::string(".manifest.json")}) {
      step.inputs.push_back(given + ending);
      step.commands.push_back({"copy", {given + ending, file + ending}});
    }
    return step;
  }
  std::vector<std::string> arguments{"--json", "collect", restarts ? "--restart" : "--raw", "--out",
                                     file};
  device_options_of(device, arguments);
  if (restarts) {
    arguments.insert(arguments.end(), {"--rows", std::to_string(device.rows), "--columns",
                                       std::to_string(device.columns), "--method", device.restart});
  } else {
    arguments.insert(arguments.end(), {"--samples", std::to_string(device.samples)});
  }
  step.commands.push_back({lab, std::move(arguments), "collect.json"});
  return step;
}

/// Millibits of a sample: the plan's, else the driver's own figure.
std::string claim_of(const PlanFile::Device& device) {
  return device.assessed_millibits != 0
             ? std::to_string(device.assessed_millibits)
             : "{device/raw/raw.bin.manifest.json#/device/assessed_millibits_per_sample}";
}

/// What leaves the conditioner when these samples enter it.
void add_conditioned(const PlanFile::Device& device, std::vector<Step>& steps) {
  steps.push_back(
      {.part = "device",
       .name = "conditioned",
       .about = "the raw samples conditioned by the appliance's own function, and "
                "SP 800-22 of that",
       .about_es = "las muestras brutas acondicionadas con la función del propio "
                   "equipo, y SP 800-22 de ello",
       .commands = {{lab,
                     {"--json", "bits", "--recording", "../raw/raw.bin", "--assessed-millibits",
                      claim_of(device), "--out", "conditioned.bin"},
                     "bits.json"},
                    {lab, {"--json", "battery", "conditioned.bin"}, "battery.json"}},
       .needs = {"device/raw"}});
}

void add_device(const PlanFile& plan, std::vector<Step>& steps) {
  const PlanFile::Device& device = plan.device;
  if (device.select.empty() && device.raw.empty()) return;
  const std::string raw = "../raw/raw.bin";
  steps.push_back(samples_step(device, false));
  steps.push_back(
      {.part = "device",
       .name = "model",
       .about = "what is known of its noise: model, what may correlate, what the claim rests on",
       .about_es = "lo que se sabe de su ruido: modelo, qué puede correlarse, en qué se apoya lo "
                   "que se afirma",
       .commands = {{lab,
                     {"--json", "model", raw + ".manifest.json", "--tree", plan.tree, "--out",
                      "model.md"},
                     "model.json"}},
       .needs = {"device/raw"},
       .inputs = {plan.tree + "/entropy/docs"}});
  steps.push_back(
      {.part = "device",
       .name = "assess",
       .about = "min-entropy of the raw samples, non-IID track (SP 800-90B 6), and the claim",
       .about_es = "entropía mínima de las muestras brutas, vía no IID (SP 800-90B 6), y lo que "
                   "se afirma",
       .commands = {{lab, {"--json", "assess", "--claimed", claim_of(device), raw}, "assess.json"}},
       .needs = {"device/raw"}});
  add_conditioned(device, steps);
  if (device.iid_rounds != 0)
    steps.push_back({.part = "device",
                     .name = "iid",
                     .about = "whether the raw samples are independent (SP 800-90B 5)",
                     .about_es = "si las muestras brutas son independientes (SP 800-90B 5)",
                     .commands = {{lab,
                                   {"--json", "assess", "--iid", "--rounds",
                                    std::to_string(device.iid_rounds), raw},
                                   "iid.json",
                                   true}},
                     .needs = {"device/raw"}});
  Step health{.part = "device",
              .name = "health",
              .about = "every health test made to fail on purpose",
              .about_es = "cada prueba de salud, hecha fallar a propósito",
              .commands = {}};
  std::vector<std::string> arguments{"--json", "induce"};
  if (device.raw.empty()) {
    device_options_of(device, arguments);
  } else {
    arguments.insert(arguments.end(), {"--recording", raw});
    if (device.assessed_millibits != 0)
      arguments.insert(arguments.end(),
                       {"--assessed-millibits", std::to_string(device.assessed_millibits)});
    health.needs = {"device/raw"};
  }
  health.commands.push_back({lab, std::move(arguments), "induced.json"});
  steps.push_back(std::move(health));
  if (device.restarts.empty() && (device.select.empty() || device.restart == "none")) return;
  steps.push_back(samples_step(device, true));
  steps.push_back(
      {.part = "device",
       .name = "restart-test",
       .about = "rows and columns of the restarts against the assessment "
                "(SP 800-90B 3.1.4.3)",
       .about_es = "filas y columnas de los reinicios frente a la valoración (SP 800-90B 3.1.4.3)",
       .commands = {{lab,
                     {"--json", "assess", "--restart", "--initial",
                      "{device/assess/assess.json#/min_entropy}", "--document", "assessment.json",
                      "../restarts/rows.bin", "--claimed", claim_of(device)},
                     "restart.json"}},
       .needs = {"device/raw", "device/assess", "device/restarts"}});
}

/// The plan's rngd; empty: it has none.
std::string appliance_of(const PlanFile& plan) {
  std::string appliance = plan.evidence.programs.empty() ? "/usr/sbin/rngd" : "";
  for (const std::string& one : plan.evidence.programs)
    if (one.ends_with("/rngd")) appliance = one;
  return appliance;
}

/// Run by the appliance itself, each time: libraries of the machine compute them.
void add_known_answers(const PlanFile& plan, std::vector<Step>& steps) {
  const std::string appliance = appliance_of(plan);
  if (appliance.empty()) return;
  steps.push_back({.part = "generator",
                   .name = "known-answers",
                   .about = "every known-answer test of a start, run by the plan's rngd, with the "
                            "digest of the module that computed it",
                   .about_es = "cada prueba de respuesta conocida del arranque, hecha por el rngd "
                               "del plan, con el resumen del módulo que la calculó",
                   .commands = {{appliance, {"--known-answers"}, std::string(known_answers_file)}},
                   .inputs = {appliance},
                   .anew = true});
}

void add_generator(const PlanFile& plan, std::vector<Step>& steps) {
  steps.push_back({.part = "generator",
                   .name = "algorithms",
                   .about = "which algorithms are answered, by which module, and the registration",
                   .about_es = "qué algoritmos se responden, con qué módulo, y el registro",
                   .commands = {{lab, {"--json", "acvp", "--algorithms"}, "algorithms.json"},
                                {lab, {"acvp", "--registration"}, "registration.json"}}});
  std::vector<std::string> sets = plan.generator.vectors;
  if (sets.empty()) {
    for (const auto& one : acvp::answered())
      if (!one.vectors.empty()) sets.emplace_back(one.vectors);
  }
  std::set<std::string> seen;
  for (const std::string& set : sets) {
    if (!seen.insert(set).second) continue;
    const std::string folder = plan.tree + "/tests/vectors/acvp/" + set;
    const std::string prompt = folder + "/prompt.json";
    const std::string expected = folder + "/expectedResults.json";
    steps.push_back(
        {.part = "generator",
         .name = set,
         .about = "NIST's published prompt answered, and compared with the expected results",
         .about_es = "la pregunta publicada por NIST, respondida y comparada con lo esperado",
         .commands = {{lab, {"--json", "acvp", prompt, "--check", expected}, "judged.json"},
                      {lab, {"--json", "acvp", prompt, "--out", "response.json"}, "answered.json"}},
         .inputs = {prompt, expected}});
  }
}

void add_generator_bits(const PlanFile& plan, std::vector<Step>& steps) {
  constexpr std::uint32_t bits_of_byte = 8;
  if (plan.generator.bits == 0) return;
  for (const std::string kind : {"ctr-drbg-aes-256-df", "hmac-drbg-sha-512"})
    steps.push_back(
        {.part = "generator",
         .name = "bits-" + kind,
         .about = "output of the DRBG from the plan's seed, and SP 800-22 of it",
         .about_es = "salida del DRBG desde la semilla del plan, y SP 800-22 de ella",
         .commands = {{lab,
                       {"--json", "bits", "--drbg", kind, "--seed", plan.seed, "--bytes",
                        std::to_string(plan.generator.bits / bits_of_byte), "--out", "bits.bin"},
                       "bits.json"},
                      {lab, {"--json", "battery", "bits.bin"}, "battery.json"}}});
}

std::vector<std::string> with_parameters(std::vector<std::string> arguments,
                                         const PlanFile::Game& game) {
  for (const std::string& one : game.parameters)
    arguments.insert(arguments.end(), {"--param", one});
  return arguments;
}

void add_mapping(const PlanFile& plan, std::vector<Step>& steps) {
  for (const auto& game : plan.games) {
    std::vector<std::string> arguments{"--json", "sample",  game.catalogue, game.game,
                                       "--seed", plan.seed, "--out",        "results.txt"};
    if (game.results != 0)
      arguments.insert(arguments.end(), {"--count", std::to_string(game.results)});
    if (game.first != 0) arguments.insert(arguments.end(), {"--first", std::to_string(game.first)});
    steps.push_back(
        {.part = "mapping",
         .name = game.catalogue + "-" + game.game,
         .about = "results by the appliance's own functions, and the tests of them; all games of "
                  "the plan "
                  "are one family",
         .about_es =
             "resultados con las funciones del propio equipo, y sus pruebas; todos los juegos del "
             "plan son una familia",
         .commands = {{lab, with_parameters(std::move(arguments), game), "sample.json"},
                      {lab,
                       {"--json", "outcomes", "results.txt", "--family-error",
                        family_error(plan.games.size())},
                       "outcomes.json"}}});
  }
}

/// The mathematics report of a game as the plan has its table, in both languages.
void add_sheet(const PlanFile::Game& game, const std::string& name, std::vector<Step>& steps) {
  Step step{.part = "rules",
            .name = name + "-sheet",
            .about =
                "its mathematics report (PAR sheet): figures of every bet, other readings, "
                "rules",
            .about_es =
                "su informe matemático (hoja PAR): cifras de cada apuesta, otras lecturas, "
                "reglas",
            .commands = {}};
  for (const std::string language : {"en", "es"}) {
    const std::string file = "sheet-" + language;
    step.commands.push_back(
        {talla, with_parameters({"odds", "sheet", game.catalogue, game.game, "--language", language,
                                 "--html", file + ".html", "--pdf", file + ".pdf"},
                                game)});
  }
  steps.push_back(std::move(step));
}

void add_rules(const PlanFile& plan, std::vector<Step>& steps) {
  std::set<std::string> catalogues;
  for (const auto& game : plan.games) {
    const std::string name = game.catalogue + "-" + game.game;
    steps.push_back(
        {.part = "rules",
         .name = name,
         .about = "the game as its catalogue states it, with citations",
         .about_es = "el juego como lo dice su catálogo, con citas",
         .commands = {
             {talla, {"--json", "catalogue", "show", game.catalogue, game.game}, "rules.json"}}});
    steps.push_back(
        {.part = "rules",
         .name = name + "-odds",
         .about = "what every bet is worth, exactly",
         .about_es = "lo que vale cada apuesta, exacto",
         .commands = {{talla, with_parameters({"--json", "odds", game.catalogue, game.game}, game),
                       "odds.jsonl"}}});
    add_sheet(game, name, steps);
    if (!catalogues.insert(game.catalogue).second) continue;
    const std::string folder = plan.tree + "/tests/scenarios/" + game.catalogue;
    steps.push_back({.part = "rules",
                     .name = game.catalogue + "-scenarios",
                     .about = "every scenario of the catalogue settled as its text says",
                     .about_es = "cada caso del catálogo, pagado como dice su texto",
                     .commands = {{talla, {"--json", "settle", folder}, "settled.jsonl"}},
                     .inputs = {folder}});
  }
}

std::vector<std::string> pages() {
  std::set<std::string> out;
  for (const auto& group : requirements::groups())
    for (const auto& clause : group.clauses)
      for (const auto& one : clause.evidence)
        if (!one.starts_with(lab + " ")) out.insert(one);
  out.insert({"certs/PROTOCOL.md", "certs/THREATS.md"});
  return {out.begin(), out.end()};
}

/// Two builds, who made each, and whether the programs that are examined are theirs.
void add_builds_step(const PlanFile& plan, std::vector<Step>& steps) {
  const PlanFile::Builds& builds = plan.builds;
  if (builds.first.empty()) return;
  std::vector<std::string> arguments{"--json",      "builds",        builds.first,
                                     builds.second, "--first-by",    builds.first_by,
                                     "--second-by", builds.second_by};
  std::vector<std::string> inputs{builds.first, builds.second};
  for (const std::string& one : plan.evidence.programs) {
    arguments.insert(arguments.end(), {"--program", one});
    inputs.push_back(one);
  }
  steps.push_back({.part = "evidence",
                   .name = "builds",
                   .about = "two builds of the source, compared byte by byte",
                   .about_es = "dos compilaciones del código fuente, comparadas byte a byte",
                   .commands = {{lab, std::move(arguments), "builds.json"}},
                   .inputs = std::move(inputs)});
}

/// Who may do what, as the appliance that is examined says it.
void add_roles(const PlanFile& plan, std::vector<Step>& steps) {
  const std::string appliance = appliance_of(plan);
  if (appliance.empty()) return;
  steps.push_back({.part = "evidence",
                   .name = "roles",
                   .about = "who may ask for what: the appliance's own table of operations",
                   .about_es = "quién puede pedir qué: la tabla de operaciones del propio equipo",
                   .commands = {{appliance, {"--openapi"}, "openapi.json"}},
                   .inputs = {appliance}});
}

/// What fuzzers, faults, kills and simulator counted.
void add_figures(const PlanFile& plan, std::vector<Step>& steps) {
  if (plan.evidence.figures.empty()) return;
  Step step{.part = "evidence",
            .name = "figures",
            .about = "what fuzzers, fault matrix, kills, lies and simulator counted",
            .about_es =
                "lo que contaron la prueba con datos aleatorios, la matriz de fallos, los "
                "cortes, las mentiras y el simulador",
            .commands = {},
            .needs = {},
            .inputs = plan.evidence.figures};
  for (std::size_t i = 0; i < plan.evidence.figures.size(); ++i)
    step.commands.push_back({"copy", {plan.evidence.figures[i], std::to_string(i + 1) + ".json"}});
  steps.push_back(std::move(step));
}

void add_evidence(const PlanFile& plan, std::vector<Step>& steps) {
  Step copied{.part = "evidence",
              .name = "pages",
              .about = "the pages that the matrix of requirements names",
              .about_es = "las páginas que nombra la matriz de requisitos",
              .commands = {}};
  for (const std::string& page : pages()) {
    copied.inputs.push_back(plan.tree + "/" + page);
    copied.commands.push_back({"copy", {plan.tree + "/" + page, page}});
  }
  steps.push_back(std::move(copied));
  std::vector<std::string> arguments{"--json", "requirements"};
  for (const std::string& one : plan.tests) arguments.insert(arguments.end(), {"--tests", one});
  steps.push_back(
      {.part = "evidence",
       .name = "requirements",
       .about = "what laws and standards ask, and whether its tests ran and passed",
       .about_es = "lo que piden leyes y normas, y si sus pruebas se hicieron y pasaron",
       .commands = {{lab, std::move(arguments), "requirements.json"}},
       .inputs = plan.tests});
  std::vector<std::string> manifest{"--json", "software", "manifest", "--out", "software.manifest"};
  for (const std::string& one : plan.evidence.programs)
    manifest.insert(manifest.end(), {"--program", one});
  steps.push_back({.part = "evidence",
                   .name = "software",
                   .about = "the programs that are examined and every library that they load",
                   .about_es = "los programas que se examinan y cada biblioteca que cargan",
                   .commands = {{talla, std::move(manifest), "made.json"}},
                   .inputs = plan.evidence.programs,
                   .anew = true});
  std::vector<std::string> materials{"--json", "materials", "materials.json"};
  for (const std::string& one : plan.evidence.programs)
    materials.insert(materials.end(), {"--program", one});
  std::vector<std::string> read = plan.evidence.programs;
  if (!plan.evidence.vulnerabilities.empty()) {
    materials.insert(materials.end(), {"--vulnerabilities", plan.evidence.vulnerabilities});
    read.push_back(plan.evidence.vulnerabilities);
  }
  steps.push_back(
      {.part = "evidence",
       .name = "materials",
       .about = "bill of materials: every library with package, version, licence and digest",
       .about_es = "lista de materiales: cada biblioteca con paquete, versión, licencia y resumen",
       .commands = {{lab, std::move(materials), "counted.json"}},
       .inputs = std::move(read),
       .anew = true});
  add_builds_step(plan, steps);
  add_roles(plan, steps);
  add_figures(plan, steps);
  if (plan.evidence.manifest.empty()) return;
  std::vector<std::string> check{"--json", "software", "check", plan.evidence.manifest};
  for (const std::string& one : plan.evidence.signers) check.insert(check.end(), {"--signer", one});
  steps.push_back({.part = "evidence",
                   .name = "signed-software",
                   .about = "every file of the signed manifest against its digest",
                   .about_es = "cada fichero del manifiesto firmado frente a su resumen",
                   .commands = {{talla, std::move(check), "checked.json"}},
                   .inputs = {plan.evidence.manifest},
                   .anew = true});
}

}  // namespace

std::string_view errc_name(SubmitErrc /*errc*/) {
  return "submit_refused";
}

std::vector<Step> steps_of(const PlanFile& plan) {
  std::vector<Step> steps;
  add_device(plan, steps);
  add_generator(plan, steps);
  add_known_answers(plan, steps);
  add_generator_bits(plan, steps);
  add_mapping(plan, steps);
  add_rules(plan, steps);
  add_evidence(plan, steps);
  if (!plan.evidence.esv.empty())
    steps.push_back({.part = "submission",
                     .name = "esv",
                     .about = "the submission to NIST against every rule of its server",
                     .about_es = "la entrega a NIST frente a cada regla de su servidor",
                     .commands = {{lab, {"--json", "esv", plan.evidence.esv}, "esv.json"}},
                     .inputs = {plan.evidence.esv}});
  return steps;
}

}  // namespace talla::lab::submit
