#include "setup_files.hpp"

#include <filesystem>

#include "app.hpp"
#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "certs/ceremony.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "config/config.hpp"

namespace talla::cli {

namespace {

/// Where the package's unit looks, and hands the keys over as credentials.
constexpr std::string_view unit_folder = "/etc/talla";

class SetupWriter {
 public:
  SetupWriter(std::string folder, const SetupAnswers& answers, bool spanish)
      : folder_(std::move(folder)), answers_(answers), spanish_(spanish) {}

  Result<std::vector<SetupStep>> write() {
    TALLA_TRY_STATUS(keys());
    TALLA_TRY_STATUS(write_file(folder_ + "/rngd.toml", configuration()));
    for (const auto& person : answers_.people) TALLA_TRY_STATUS(hand_out(person));
    TALLA_TRY(const rngd::Config read, rngd::load_config(folder_ + "/rngd.toml"));
    static_cast<void>(read);
    answers_.production ? production_steps() : trial_steps();
    std::string text;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      text += std::to_string(i + 1) + ". " + steps_[i].words + "\n";
      if (!steps_[i].command.empty()) text += "     " + steps_[i].command + "\n";
    }
    TALLA_TRY_STATUS(write_file(folder_ + "/steps.txt", text));
    return std::move(steps_);
  }

 private:
  [[nodiscard]] std::string say(const char* es, const char* en) const { return spanish_ ? es : en; }
  void step(const char* es, const char* en, std::string command = {}) {
    steps_.push_back({say(es, en), std::move(command)});
  }
  [[nodiscard]] bool under_unit() const { return folder_ == unit_folder; }
  [[nodiscard]] std::string keys_folder() const { return folder_ + "/keys"; }
  [[nodiscard]] std::string own(const std::string& name) const {
    return under_unit() ? "/run/credentials/rngd.service/" + name : "keys/" + name;
  }
  static std::string quoted(const std::string& text) { return "\"" + text + "\""; }

  Status keys() {
    SystemClock clock;
    TALLA_TRY_STATUS(certs::create_folder(folder_));
    if (answers_.production)
      return certs::make_appliance_requests(
          {.folder = keys_folder(), .origin = answers_.origin, .make_log_key = true});
    TALLA_TRY_STATUS(certs::init_development_keys({.folder = keys_folder(),
                                                   .origin = answers_.origin,
                                                   .server_names = answers_.names,
                                                   .now_us = clock.utc_us()}));
    for (const auto& person : answers_.people)
      TALLA_TRY_STATUS(certs::add_development_client({.folder = keys_folder(),
                                                      .id = person.id,
                                                      .roles = {person.role},
                                                      .now_us = clock.utc_us()}));
    return {};
  }

  [[nodiscard]] std::string sealing_lines() const {
    if (!answers_.production) return "sealing_key = " + quoted(own("sealing.key")) + "\n";
    if (answers_.sealing == "passphrase")
      return "sealing_key = \"passphrase:keys/sealing.json\"\n"
             "passphrase = \"keys/passphrase\"\n";
    if (answers_.sealing == "tpm") return "sealing_key = \"tpm:keys/sealing-tpm.json\"\n";
    return "sealing_key = " + quoted(answers_.sealing) + "\n";
  }

  [[nodiscard]] std::string source_lines() const {
    if (answers_.source == "auto" || answers_.source == "system")
      return "kind = " + quoted(answers_.source) + "\n";
    const auto colon = answers_.source.find(':');
    std::string lines =
        "kind = \"usb\"\nmodel = " + quoted(answers_.source.substr(0, colon)) + "\n";
    if (colon != std::string::npos)
      lines += "serial = " + quoted(answers_.source.substr(colon + 1)) + "\n";
    if (answers_.production)
      lines +=
          "# From the report on this unit (talla-lab assess --document):\n"
          "#assessed_millibits = \n#assessment = \n#assessment_file = \"assessment.json\"\n";
    return lines;
  }

  [[nodiscard]] std::string configuration() const {
    const std::string root = answers_.production ? "keys/root.pem" : "keys/ca.pem";
    return "# Made by talla setup; man rngd.toml explains every setting.\nprofile = " +
           quoted(answers_.production ? "production" : "development") +
           "\norigin = " + quoted(answers_.origin) +
           "\ndata = " + quoted(under_unit() ? "/var/lib/talla" : "data") +
           "\n\n[api]\naddress = " + quoted(answers_.address) +
           "\nport = " + std::to_string(answers_.port) +
           "\ncertificate = \"keys/server.pem\"\nkey = " + quoted(own("server.key")) +
           "\nclient_roots = " + quoted(root) + "\nenrolment = \"keys/clients.toml\"\n" +
           "\n[health]\nport = " + std::to_string(answers_.port + 1) + "\n\n[source]\n" +
           source_lines() + "\n[keys]\nlog_key = " + quoted(own("log.key")) +
           "\nlog_statement = \"keys/log-key.json\"\n" + sealing_lines() +
           (answers_.production
                ? "\n# As the maker signed it; production does not start without.\n#[software]\n"
                  "#manifest = \"software.manifest\"\n#signer = \n"
                : "");
  }

  /// All that a person's machine needs, to be carried there as it is.
  Status hand_out(const SetupPerson& person) {
    const std::string folder = folder_ + "/hand-out/" + person.id;
    TALLA_TRY_STATUS(certs::create_folder(folder_ + "/hand-out"));
    TALLA_TRY_STATUS(certs::create_folder(folder));
    TALLA_TRY_STATUS(write_file(
        folder + "/client.toml",
        "host = " + quoted(answers_.names.front()) + "\nport = " + std::to_string(answers_.port) +
            "\nserver_name = " + quoted(answers_.names.front()) +
            "\ncertificate = \"client.pem\"\nkey = \"client.key\"\nroot = \"root.pem\"\n"
            "log_key = \"log-key.json\"\n"));
    if (answers_.production) return {};
    const std::string made = keys_folder() + "/clients/" + person.id;
    TALLA_TRY(const std::string key, certs::read_file(made + ".key"));
    TALLA_TRY_STATUS(certs::create_private_file(folder + "/client.key", as_bytes(key)));
    for (const auto& [from, to] : {std::pair{made + ".pem", "/client.pem"},
                                   std::pair{keys_folder() + "/ca.pem", "/root.pem"},
                                   std::pair{keys_folder() + "/log-key.json", "/log-key.json"}}) {
      TALLA_TRY(const std::string text, read_file(from));
      TALLA_TRY_STATUS(write_file(folder + to, text));
    }
    return {};
  }

  void start_steps() {
    step("Mire que todo esté.", "See that everything is there.",
         "rngd --config " + folder_ + "/rngd.toml --check");
    if (under_unit()) {
      step("Arranque el equipo.", "Start the appliance.", "systemctl enable --now rngd");
    } else {
      step("Arranque el equipo.", "Start the appliance.",
           "rngd --config " + folder_ + "/rngd.toml");
    }
  }
  void carry_step() {
    step("Lleve cada carpeta de hand-out a la máquina de su persona o mesa, y bórrela aquí.",
         "Carry each folder of hand-out to the machine of its person or table, and delete it "
         "here.");
  }

  void trial_steps() {
    start_steps();
    const auto& first = answers_.people.front();
    step("Pregunte cómo está.", "Ask how it is.",
         "talla --client " + folder_ + "/hand-out/" + first.id + " status --wait 30");
    carry_step();
  }

  void production_steps() {
    const std::string& folder = folder_;
    step("En la raíz, ante testigos (si no está hecha ya).",
         "At the root, before witnesses (unless it is there already).",
         "talla keys ceremony root ROOT --name \"Casino root\"");
    std::string names;
    for (const auto& name : answers_.names) names += " --name " + name;
    step("Lleve server.csr y log-certificate.csr de keys a la raíz y fírmelos allí: el servidor.",
         "Take server.csr and log-certificate.csr of keys to the root and sign them there: the "
         "server.",
         "talla keys ceremony sign ROOT server.csr --for server" + names + " --out server.pem");
    step("Y el registro.", "And the log.",
         "talla keys ceremony sign ROOT log-certificate.csr --for log --name " + answers_.origin +
             " --out log-certificate.pem");
    step("De vuelta en el equipo, con root.pem de la raíz.",
         "Back on the appliance, with root.pem of the root.",
         "talla keys ceremony install " + folder + "/keys --origin " + answers_.origin +
             " --root root.pem --server server.pem --log log-certificate.pem");
    if (answers_.sealing == "passphrase")
      step("La clave de sellado; la frase, en keys/passphrase, que solo lee root.",
           "The sealing key; its passphrase goes into keys/passphrase, which root alone reads.",
           "talla keys passphrase " + folder + "/keys/sealing.json --passphrase " + folder +
               "/keys/passphrase");
    if (answers_.sealing == "tpm")
      step("La clave de sellado, en el TPM de este equipo.",
           "The sealing key, in this machine's TPM.",
           "talla keys tpm " + folder + "/keys/sealing-tpm.json");
    if (answers_.sealing.starts_with("pkcs11:"))
      step("La clave de sellado, en el token.", "The sealing key, in the token.",
           "talla keys token '" + answers_.sealing + "' --for sealing");
    for (const auto& person : answers_.people) {
      steps_.push_back(
          {say("En la máquina de ", "On the machine of ") + person.id +
               say(", en su carpeta de hand-out.", ", in its folder of hand-out."),
           "talla keys ceremony client-request client.key client.csr --id " + person.id});
      steps_.push_back({say("En la raíz.", "At the root."),
                        "talla keys ceremony sign ROOT client.csr --for client --name " +
                            person.id + " --out client.pem"});
      steps_.push_back(
          {say("En el equipo; a su máquina vuelven client.pem, root.pem y log-key.json.",
               "On the appliance; client.pem, root.pem and log-key.json go back to its machine."),
           "talla keys enrol " + folder + "/keys/clients.toml client.pem --role " + person.role});
    }
    step(
        "El informe de esta unidad (sección 4 del manual del laboratorio): assessed_millibits, "
        "assessment y assessment_file en [source] de rngd.toml.",
        "The report on this unit (the laboratory's page): assessed_millibits, assessment and "
        "assessment_file in [source] of rngd.toml.");
    step("El manifiesto firmado del software y su clave: [software] de rngd.toml (4.2).",
         "The signed manifest of the software and its key: [software] of rngd.toml (4.2).");
    start_steps();
  }

  std::string folder_;
  const SetupAnswers& answers_;
  bool spanish_;
  std::vector<SetupStep> steps_;
};

}  // namespace

Status setup_may_begin(const std::string& folder) {
  std::error_code error;
  for (const char* name : {"/rngd.toml", "/keys/log.key", "/hand-out", "/steps.txt"}) {
    if (std::filesystem::exists(folder + name, error))
      return fail(CliErrc::usage, folder + name + " is there already: nothing is overwritten");
  }
  return {};
}

Result<std::vector<SetupStep>> write_setup(const std::string& folder, const SetupAnswers& answers,
                                           const std::string& language) {
  return SetupWriter(folder, answers, language == "es").write();
}

}  // namespace talla::cli
