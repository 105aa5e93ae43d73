// talla setup: asks what a technician knows, writes configuration, keys or requests and client
// files of it, and says what comes next.
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

#include "app.hpp"
#include "base/clock.hpp"
#include "certs/keys.hpp"
#include "format/checkpoint.hpp"
#include "setup_files.hpp"
#include "usb/discover.hpp"
#include "usb/libusb_transport.hpp"

namespace talla::cli {

namespace {

struct SetupOptions {
  std::string folder;
  std::string profile;
  std::string origin;
  std::string names;
  std::string address;
  std::string port;
  std::string source;
  std::string sealing;
  std::vector<std::string> people;
  std::string language = "en";
};

/// What is wrong with an answer; empty: nothing.
using AnswerCheck = std::function<std::string(const std::string&)>;

struct Question {
  std::string option;  ///< that gives the answer instead
  std::string es;
  std::string en;
  std::string otherwise;  ///< an empty line means this; empty: an answer is needed
  AnswerCheck check;
};

std::vector<std::string> words_in(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (c != ' ' && c != ',' && c != '\t') {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  return words;
}

bool all_of_them(const std::string& text, std::string_view marks) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           marks.find(c) != std::string_view::npos;
  });
}

/// Asks at standard input what no option said.
class Asking {
 public:
  Asking(const App& app, const std::string& language) : app_(app), spanish_(language == "es") {}

  [[nodiscard]] std::string say(const std::string& es, const std::string& en) const {
    return spanish_ ? es : en;
  }
  void tell(const std::string& es, const std::string& en) const { app_.say(say(es, en)); }

  /// `given`: what the option said.
  Result<std::string> ask(const Question& question, const std::string& given) const {
    if (!given.empty()) {
      const std::string wrong = question.check(given);
      if (wrong.empty()) return given;
      return fail(CliErrc::usage, question.option + ": " + wrong);
    }
    for (;;) {
      app_.say(say(question.es, question.en) +
               (question.otherwise.empty() ? "" : " [" + question.otherwise + "]"));
      const auto line = next();
      if (!line) return fail(CliErrc::usage, "no answer; " + question.option + " gives it too");
      std::string answer = line->empty() ? question.otherwise : *line;
      const std::string wrong = question.check(answer);
      if (wrong.empty()) return answer;
      app_.say("  " + wrong);
    }
  }

  /// A line of standard input without the spaces around it; nothing: its end.
  [[nodiscard]] static std::optional<std::string> next() {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    const auto first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) return std::string();
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
  }

 private:
  const App& app_;
  bool spanish_;
};

std::string person_wrong(const Asking& asking, const std::string& text) {
  const auto equals = text.find('=');
  const std::string id = text.substr(0, equals);
  const std::string role = equals == std::string::npos ? "" : text.substr(equals + 1);
  if (!all_of_them(id, "._-:") || id.size() > 64)
    return asking.say("identificador: de 1 a 64 de A-Z a-z 0-9 . _ - :",
                      "id: 1 to 64 of A-Z a-z 0-9 . _ - :");
  const auto& roles = certs::client_roles();
  if (std::ranges::find(roles, role) != roles.end()) return {};
  std::string all;
  for (const auto one : roles) all += (all.empty() ? "" : ", ") + std::string(one);
  return asking.say("ID=FUNCIÓN, y la función es una de: ", "ID=ROLE, and a role is one of: ") +
         all;
}

/// Two different persons of those roles are what every act of two persons asks for.
std::string people_wrong(const Asking& asking, const std::vector<SetupPerson>& people) {
  if (people.empty())
    return asking.say("al menos una persona o mesa", "at least one person or table");
  for (std::size_t i = 0; i < people.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (people[i].id == people[k].id)
        return people[i].id + asking.say(": está dos veces", ": stands twice");
    }
  }
  for (const char* role : {"security-officer", "inspector"}) {
    if (std::ranges::find(people, role, &SetupPerson::role) == people.end())
      return asking.say("falta ", "lacking: ") + role +
             asking.say(": sin uno de cada nadie puede levantar un bloqueo ni aprobar un cambio",
                        ": without one of each nobody can end a latch or approve a change");
  }
  return {};
}

SetupPerson person_of(const std::string& text) {
  const auto equals = text.find('=');
  return {text.substr(0, equals), text.substr(equals + 1)};
}

const std::vector<std::string>& usual_people() {
  static const std::vector<std::string> people{
      "talla:table-1=table",         "talla:auditor-1=auditor",
      "talla:operator-1=operator",   "talla:officer-1=security-officer",
      "talla:inspector-1=inspector",
  };
  return people;
}

Result<std::vector<SetupPerson>> ask_people(const App& app, const Asking& asking,
                                            const std::vector<std::string>& given) {
  std::vector<SetupPerson> people;
  for (const auto& text : given) {
    if (const auto wrong = person_wrong(asking, text); !wrong.empty())
      return fail(CliErrc::usage, "--person " + text + ": " + wrong);
    people.push_back(person_of(text));
  }
  if (!given.empty()) {
    if (const auto wrong = people_wrong(asking, people); !wrong.empty())
      return fail(CliErrc::usage, "--person: " + wrong);
    return people;
  }
  std::string usual;
  for (const auto& one : usual_people()) usual += (usual.empty() ? "" : ", ") + one;
  for (;;) {
    asking.tell("¿Quién entra? ID=FUNCIÓN, uno por línea; una línea vacía termina [" + usual + "]",
                "Who comes in? ID=ROLE, one a line; an empty line ends [" + usual + "]");
    people.clear();
    for (;;) {
      const auto line = Asking::next();
      if (!line) return fail(CliErrc::usage, "no answer; --person gives it too");
      if (line->empty()) break;
      const auto wrong = person_wrong(asking, *line);
      if (wrong.empty()) {
        people.push_back(person_of(*line));
      } else {
        app.say("  " + wrong);
      }
    }
    if (people.empty()) {
      for (const auto& one : usual_people()) people.push_back(person_of(one));
    }
    const auto wrong = people_wrong(asking, people);
    if (wrong.empty()) return people;
    app.say("  " + wrong);
  }
}

/// What is attached; nothing where USB cannot be looked at.
void tell_devices(const App& app, const Asking& asking) {
  const auto transport = usb::make_libusb_transport();
  const auto found =
      transport ? usb::discover(**transport, usb::builtin_registry())
                : Result<std::vector<usb::FoundDevice>>(tl::unexpected<Error>(transport.error()));
  bool any = false;
  for (const auto& device : found ? *found : std::vector<usb::FoundDevice>()) {
    any = true;
    app.say("  " + device.model + (device.info.serial.empty() ? "" : ":" + device.info.serial) +
            (device.usable() ? "" : " (" + device.problem + ")"));
  }
  if (!any) asking.tell("  ningún generador USB conectado", "  no USB generator is attached");
}

std::string source_wrong(const Asking& asking, const std::string& text, bool production) {
  if (text == "auto" || text == "system") {
    if (!production) return {};
    return asking.say("producción nombra su generador: MODELO:SERIE",
                      "production names its generator: MODEL:SERIAL");
  }
  const auto colon = text.find(':');
  std::string known;
  for (const usb::Registry::Maker maker : usb::builtin_registry().makers()) {
    const auto driver = maker();
    const std::string model(driver->model());
    if (model == text.substr(0, colon)) {
      const bool serial = colon != std::string::npos;
      if (serial ? all_of_them(text.substr(colon + 1), "._-") : !production) return {};
      return asking.say("número de serie: MODELO:SERIE", "a serial number: MODEL:SERIAL");
    }
    known += (known.empty() ? "" : ", ") + model;
  }
  return asking.say("modelos: ", "models: ") + known;
}

void tell_clock(const Asking& asking) {
  if (SystemClock().quality() == TimeQuality::synced) {
    asking.tell("Reloj: sincronizado.", "Clock: synchronised.");
  } else {
    asking.tell("Reloj: SIN sincronizar; cada asiento lo dirá. Instale chrony o systemd-timesyncd.",
                "Clock: NOT synchronised, and every record will say so. Install chrony or "
                "systemd-timesyncd.");
  }
}

/// The questions in their order.
Result<SetupAnswers> ask_all(const App& app, const SetupOptions& options) {
  const Asking asking(app, options.language);
  SetupAnswers out;
  TALLA_TRY(const std::string profile,
            asking.ask({"--profile", "¿Para pruebas o producción? trial, production",
                        "For a trial or for production? trial, production", "trial",
                        [&](const std::string& text) -> std::string {
                          return text == "trial" || text == "production" ? "" : "trial, production";
                        }},
                       options.profile));
  out.production = profile == "production";
  TALLA_TRY(
      out.origin,
      asking.ask({"--origin", "Nombre del registro, para toda su vida: casino.example/equipo-1",
                  "Name of the log, for its whole life: casino.example/appliance-1", "",
                  [&](const std::string& text) -> std::string {
                    return certs::origin_valid(text) && all_of_them(text, "./_-:@")
                               ? ""
                               : asking.say("de 1 a 200 de A-Z a-z 0-9 . / _ - : @",
                                            "1 to 200 of A-Z a-z 0-9 . / _ - : @");
                  }},
                 options.origin));
  TALLA_TRY(const std::string names,
            asking.ask({"--name",
                        "Nombres o direcciones por los que llegan mesas y personas, el primero el "
                        "principal",
                        "Names or addresses by which tables and people reach it, the main one "
                        "first",
                        out.production ? "" : "localhost",
                        [&](const std::string& text) -> std::string {
                          const auto all = words_in(text);
                          const bool good =
                              !all.empty() && std::ranges::all_of(all, [](const auto& one) {
                                return all_of_them(one, ".-:");
                              });
                          return good ? ""
                                      : asking.say("nombres como equipo-1.casino.example",
                                                   "names like appliance-1.casino.example");
                        }},
                       options.names));
  out.names = words_in(names);
  TALLA_TRY(out.address, asking.ask({"--address", "Dirección en la que escucha; 0.0.0.0: todas",
                                     "Address to listen on; 0.0.0.0: all", "127.0.0.1",
                                     [&](const std::string& text) -> std::string {
                                       return all_of_them(text, ".:")
                                                  ? ""
                                                  : asking.say("una dirección", "an address");
                                     }},
                                    options.address));
  TALLA_TRY(
      const std::string port,
      asking.ask({"--port", "Puerto; el siguiente es de la página de salud",
                  "Port; the next one is the health page's", "8443",
                  [](const std::string& text) -> std::string {
                    const bool number = !text.empty() && text.size() <= 5 &&
                                        text.find_first_not_of("0123456789") == std::string::npos;
                    return number && std::stoi(text) >= 1 && std::stoi(text) <= 65534 ? ""
                                                                                      : "1 - 65534";
                  }},
                 options.port));
  out.port = std::stoi(port);
  if (options.source.empty()) tell_devices(app, asking);
  TALLA_TRY(
      out.source,
      asking.ask(
          {"--source", "Fuente: MODELO:SERIE de un generador USB; en pruebas también auto y system",
           "Source: MODEL:SERIAL of a USB generator; in a trial also auto and system",
           out.production ? "" : "auto",
           [&](const std::string& text) { return source_wrong(asking, text, out.production); }},
          options.source));
  if (out.production) {
    TALLA_TRY(
        out.sealing,
        asking.ask({"--sealing", "Clave de sellado: passphrase, tpm, o la URI pkcs11: de un token",
                    "Sealing key: passphrase, tpm, or the pkcs11: URI of a token", "passphrase",
                    [&](const std::string& text) -> std::string {
                      const bool uri = text.starts_with("pkcs11:") &&
                                       text.find_first_of("\"\\'\n") == std::string::npos;
                      return uri || text == "passphrase" || text == "tpm"
                                 ? ""
                                 : "passphrase, tpm, pkcs11:...";
                    }},
                   options.sealing));
  }
  tell_clock(asking);
  TALLA_TRY(out.people, ask_people(app, asking, options.people));
  return out;
}

Status set_up(const App& app, const SetupOptions& options) {
  std::string folder = options.folder;
  while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
  TALLA_TRY_STATUS(setup_may_begin(folder));
  TALLA_TRY(const SetupAnswers answers, ask_all(app, options));
  TALLA_TRY(const auto steps, write_setup(folder, answers, options.language));
  const Asking asking(app, options.language);
  asking.tell("Escrito en " + folder + ": rngd.toml, keys, hand-out y steps.txt con lo que queda:",
              "Written in " + folder +
                  ": rngd.toml, keys, hand-out, and steps.txt with what is "
                  "left:");
  json::Array list;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    app.say(std::to_string(i + 1) + ". " + steps[i].words);
    if (!steps[i].command.empty()) app.say("     " + steps[i].command);
    list.emplace_back(json::Object{{"words", steps[i].words}, {"command", steps[i].command}});
  }
  app.emit(json::Object{{"folder", folder},
                        {"profile", answers.production ? "production" : "development"},
                        {"steps", std::move(list)}});
  return {};
}

}  // namespace

void add_setup(commandline::Command& root, App& app) {
  auto options = std::make_shared<SetupOptions>();
  auto* command = root.add_subcommand(
      "setup",
      "set an appliance up: asks, writes configuration, keys or requests and client files, and "
      "says what comes next");
  command->add_option("FOLDER", options->folder, "e.g. /etc/talla; nothing in it is overwritten")
      ->required();
  command->add_option("--profile", options->profile,
                      "trial (development keys) or production (requests for the root)");
  command->add_option("--origin", options->origin, "name of the log");
  command->add_option("--name", options->names,
                      "names or addresses by which clients reach it, commas between");
  command->add_option("--address", options->address, "address to listen on");
  command->add_option("--port", options->port,
                      "port of the API; the next one is the health page's");
  command->add_option("--source", options->source, "MODEL:SERIAL, MODEL, auto or system");
  command->add_option("--sealing", options->sealing,
                      "production: passphrase, tpm or a pkcs11: URI");
  command->add_option("--person", options->people, "ID=ROLE of a client, as often as needed");
  command->add_option("--language", options->language, "of questions and steps")
      ->one_of({"es", "en"})
      ->capture_default_str();
  command->footer(
      "What no option says is asked, one line an answer; an empty line takes what "
      "stands in brackets.");
  command->callback([&app, options] {
    app.language = options->language;
    app.finish(set_up(app, *options));
  });
}

}  // namespace talla::cli
