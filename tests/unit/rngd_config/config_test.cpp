// Goal: the daemon's configuration is read whole or refused with file, line and key; nothing
//       unknown passes.
// Method: one good file, then one change at a time, each with the words its refusal must hold.
#include "config/config.hpp"

#include <gtest/gtest.h>

#include "base/json.hpp"
#include "config/certified_settings.hpp"
#include "config/enrolment.hpp"

using talla::rngd::parse_config;
using talla::rngd::parse_enrolment;

namespace {

const std::string good = R"(profile = "development"
origin = "talla.example/dev"
data = "state"
[api]
port = 9443
certificate = "server.pem"
key = "/keys/server.key"
client_roots = "roots.pem"
enrolment = "clients.toml"
[source]
kind = "system"
[keys]
log_key = "log.key"
log_statement = "log.json"
sealing_key = "seal.key"
)";

std::string changed(const std::string& from, const std::string& to) {
  std::string text = good;
  text.replace(text.find(from), from.size(), to);
  return text;
}

void expect_refused(const std::string& text, const std::string& words) {
  const auto config = parse_config(text, "/etc/talla/rngd.toml");
  ASSERT_FALSE(config) << text;
  EXPECT_NE(config.error().detail.find(words), std::string::npos) << config.error().detail;
}

}  // namespace

TEST(Config, reads_a_good_file_and_resolves_paths_from_its_folder) {
  const auto config = parse_config(good, "/etc/talla/rngd.toml");
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(config->data_folder, "/etc/talla/state");
  EXPECT_EQ(config->api.key, "/keys/server.key");
  EXPECT_EQ(config->api.port, 9443);
  EXPECT_EQ(config->health.port, 8444);
  EXPECT_EQ(config->limits.batch_lifetime_seconds, 600U);
}

TEST(Config, refuses_what_it_does_not_know_with_its_line) {
  expect_refused(changed("port = 9443", "prot = 9443"), "rngd.toml:5: api.prot: is not known");
  expect_refused(changed("[source]", "[sauce]"), "sauce: is not known");
}

TEST(Config, refuses_missing_and_mistyped_values) {
  expect_refused(changed("origin = \"talla.example/dev\"\n", ""), "origin: is missing");
  expect_refused(changed("port = 9443", "port = 70000"), "api.port: an integer from 0 to 65535");
  expect_refused(changed("port = 9443", "port = \"9443\""), "api.port");
  expect_refused(changed("talla.example/dev", "Talla Dev"), "origin: must be 1 to 128 characters");
  expect_refused(changed("kind = \"system\"", "kind = \"urandom\""), "must be auto, system or usb");
  expect_refused(changed("kind = \"system\"", "kind = \"usb\""), "source.model: is missing");
  expect_refused("profile = ", "rngd.toml:1");
  expect_refused("", "profile: is missing");
}

TEST(Config, a_ledger_is_a_file_or_a_schema_on_a_named_server) {
  const auto with = [](const std::string& text) {
    return changed("[api]", "[ledger]\n" + text + "\n[api]");
  };
  const auto server =
      parse_config(with("kind = \"postgres\"\nconnection = \"host=db\"\nwait_seconds = 0"),
                   "/etc/talla/rngd.toml");
  ASSERT_TRUE(server) << server.error().text();
  EXPECT_EQ(server->ledger.connection, "host=db");
  EXPECT_EQ(server->ledger.wait_seconds, 0U);
  EXPECT_EQ(parse_config(good, "/etc/talla/rngd.toml")->ledger.kind, "sqlite");
  expect_refused(with("kind = \"oracle\""), "ledger.kind: must be sqlite or postgres");
  expect_refused(with("kind = \"postgres\""), "ledger.connection: is missing");
  expect_refused(with("connection = \"host=db\""), "ledger.connection: is for kind");
  expect_refused(with("wait_seconds = 501"), "ledger.wait_seconds: an integer from 0 to 500");
}

TEST(Config, an_anchor_is_of_a_kind_and_has_what_the_kind_needs) {
  const auto with = [](const std::string& more) { return good + more; };
  const std::string witness = "[[witness]]\nkey = \"w+1+2\"\nurl = \"http://127.0.0.1:1\"\n";
  EXPECT_EQ(parse_config(good, "/etc/talla/rngd.toml")->anchor.kind, "local");
  const auto tpm =
      parse_config(with("[anchor]\nkind = \"tpm\"\ntpm_auth = \"auth\"\n"), "/etc/talla/rngd.toml");
  ASSERT_TRUE(tpm) << tpm.error().text();
  EXPECT_EQ(tpm->anchor.tpm_auth, "/etc/talla/auth");
  EXPECT_TRUE(
      parse_config(with("[anchor]\nkind = \"witness\"\n" + witness), "/etc/talla/rngd.toml"));
  expect_refused(with("[anchor]\nkind = \"paper\"\n"),
                 "anchor.kind: must be local, tpm, hsm or witness");
  expect_refused(with("[anchor]\nkind = \"tpm\"\n"), "anchor.tpm_auth: is missing");
  expect_refused(with("[anchor]\nkind = \"tpm\"\n"), "openssl rand");
  EXPECT_EQ(
      parse_config(with("[anchor]\nkind = \"tpm\"\ntpm_auth = \"credential:a\"\n"), "/etc/talla/r")
          ->anchor.tpm_auth,
      "credential:a");
  expect_refused(with("[anchor]\nkind = \"hsm\"\n"), "anchor.hsm: is missing");
  expect_refused(with("[anchor]\nkind = \"witness\"\n"), "as many [[witness]]");
  expect_refused(with("[anchor]\nkind = \"witness\"\nwitnesses_at_start = 2\n" + witness),
                 "as many [[witness]]");
  expect_refused(with("[anchor]\ninterval_seconds = 900\n"),
                 "lost_after_seconds: must be above interval_seconds");
  expect_refused(with("[anchor]\ntpm_index = 1\n"), "anchor.tpm_index: an integer from");
  expect_refused(with("[anchor]\ntpm_index = 29360127\n"), "anchor.tpm_index: an integer from");
  expect_refused(with(witness + witness), "witness.key: this witness is listed already");
  expect_refused(with("[[witness]]\nkey = \"w\"\nurl = \"https://h\"\n"),
                 "witness.roots: is missing");
}

TEST(Config, an_assessment_is_a_figure_with_the_digest_of_its_document) {
  const std::string usb =
      changed("kind = \"system\"", "kind = \"usb\"\nmodel = \"chaoskey\"\nSOURCE");
  const auto with = [&](const std::string& text) {
    return std::string(usb).replace(usb.find("SOURCE"), 6, text);
  };
  const std::string digest =
      "assessment = \"" + std::string(64, 'b') + "\"\nassessment_file = \"unit.json\"\n";
  const auto bare = parse_config(with(""), "x");
  ASSERT_TRUE(bare) << bare.error().text();
  EXPECT_TRUE(bare->source.devices[0].assessment.empty());
  const auto unit = parse_config(with("assessed_millibits = 6100\n" + digest), "x");
  ASSERT_TRUE(unit) << unit.error().text();
  EXPECT_EQ(unit->source.devices[0].assessment, std::string(64, 'b'));
  EXPECT_EQ(unit->source.devices[0].assessment_kind, "unit");
  const auto beside = parse_config(with("assessed_millibits = 6100\n" + digest), "/etc/talla/x");
  EXPECT_EQ(beside->source.devices[0].assessment_file, "/etc/talla/unit.json");
  const auto type =
      parse_config(with("assessed_millibits = 6100\nassessment_kind = \"type\"\n" + digest), "x");
  ASSERT_TRUE(type) << type.error().text();
  EXPECT_EQ(type->source.devices[0].assessment_kind, "type");
  for (const std::string& half : {"assessment = \"" + std::string(64, 'b') + "\"\n",
                                  std::string("assessment_file = \"a\"\n")})
    expect_refused(with("assessed_millibits = 6100\n" + half),
                   "assessment_file: the document and its digest, assessment, go together");
  expect_refused(with(digest), "source.assessment: needs the figure it found");
  expect_refused(with("assessed_millibits = 6100\nassessment = \"\"\n"),
                 "source.assessment: 64 digits");
  expect_refused(with("assessed_millibits = 6100\nassessment = \"report.json\"\n"),
                 "64 digits 0-9 a-f");
  expect_refused(with("assessed_millibits = 6100\nassessment_kind = \"unit\"\n"),
                 "and there is none");
  expect_refused(with("assessed_millibits = 6100\nassessment_kind = \"hearsay\"\n" + digest),
                 "assessment_kind: must be unit or type");
}

TEST(Config, a_source_is_one_device_or_a_list_of_them) {
  const std::string usb = changed("kind = \"system\"", "kind = \"usb\"\nSOURCE");
  const auto with = [&](const std::string& text) {
    return std::string(usb).replace(usb.find("SOURCE"), 6, text);
  };
  const auto one =
      parse_config(with("model = \"bitbabbler\"\nsettings = \"mask=1\"\nrate = 312500"), "x");
  ASSERT_TRUE(one) << one.error().text();
  ASSERT_EQ(one->source.devices.size(), 1U);
  EXPECT_FALSE(one->source.devices[0].independent) << "one alone needs no statement";
  EXPECT_TRUE(one->source.devices[0].required);
  EXPECT_EQ(one->source.devices[0].settings, "mask=1");
  EXPECT_EQ(one->source.devices[0].rate, 312'500U);
  EXPECT_TRUE(one->source.user.empty());
  const auto owned = parse_config(with("model = \"neug\"\nuser = \"talla-source\""), "x");
  ASSERT_TRUE(owned) << owned.error().text();
  EXPECT_EQ(owned->source.user, "talla-source");
  const auto two = parse_config(
      with("[[source.device]]\nmodel = \"chaoskey\"\nserial = \"A\"\nindependent = true\n"
           "independence = \"" +
           std::string(64, 'e') +
           "\"\n"
           "[[source.device]]\nmodel = \"chaoskey\"\nserial = \"B\"\nrequired = false\n"),
      "x");
  ASSERT_TRUE(two) << two.error().text();
  ASSERT_EQ(two->source.devices.size(), 2U);
  EXPECT_TRUE(two->source.devices[0].independent);
  EXPECT_FALSE(two->source.devices[1].independent) << "independence is stated, never assumed";
  EXPECT_FALSE(two->source.devices[1].required);
  const std::string one_of_two = "[[source.device]]\nmodel = \"chaoskey\"\nserial = \"A\"\n";
  expect_refused(with(one_of_two + "independent = true\n"), "the certification that states it");
  expect_refused(with(one_of_two + "independent = true\nindependence = \"yes\"\n"), "64 digits");
  expect_refused(
      with("[[source.device]]\nmodel = \"chaoskey\"\n[[source.device]]\nmodel = \"chaoskey\"\n"),
      "need a serial each");
  expect_refused(with("[[source.device]]\nserial = \"A\"\n"), "source.device.model: is missing");
  expect_refused(with("[[source.device]]\nmodel = \"chaoskey\"\ncolour = 1\n"),
                 "source.device.colour: is not known");
  expect_refused(with("device = []"), "a list of 1 to 16 tables");
  expect_refused(with("model = \"chaoskey\"\n[[source.device]]\nmodel = \"neug\"\n"),
                 "source.model: is not known");
}

TEST(Config, production_names_its_source) {
  const std::string automatic = changed("kind = \"system\"", "kind = \"auto\"");
  EXPECT_TRUE(parse_config(automatic, "x"));
  std::string production = automatic;
  production.replace(production.find("development"), 11, "production");
  expect_refused(production, "auto is for development");
}

TEST(Config, the_listener_without_certificates_stays_on_loopback) {
  expect_refused(good + "[health]\naddress = \"0.0.0.0\"\n", "must be 127.0.0.1 or ::1");
}

TEST(Config, a_certification_is_a_folder_with_both_roots_or_nothing) {
  const std::string all =
      "[certification]\nfolder = \"certification\"\ntype_root = \"lab.pem\"\n"
      "installation_root = \"/etc/regulator.pem\"\n";
  const auto config = parse_config(good + all, "/etc/talla/rngd.toml");
  ASSERT_TRUE(config) << config.error().text();
  EXPECT_EQ(config->certification.folder, "/etc/talla/certification");
  EXPECT_EQ(config->certification.type_root, "/etc/talla/lab.pem");
  EXPECT_EQ(config->certification.installation_root, "/etc/regulator.pem");
  EXPECT_TRUE(parse_config(good, "/etc/talla/rngd.toml")->certification.folder.empty());
  for (const char* left_out : {"folder", "type_root", "installation_root"}) {
    std::string less = all;
    const auto at = less.find(std::string("\n") + left_out) + 1;
    less.erase(at, less.find('\n', at) + 1 - at);
    expect_refused(good + less, std::string("certification.") + left_out);
  }
}

TEST(Config, the_certified_settings_change_with_what_bears_on_chance_and_with_nothing_else) {
  using talla::json::canonical;
  using talla::rngd::certified_settings;
  const auto settings = [](const std::string& text) {
    const auto config = parse_config(text, "/etc/talla/rngd.toml");
    EXPECT_TRUE(config) << text;
    return config ? canonical(certified_settings(*config)) : "";
  };
  const std::string plain = settings(good);
  EXPECT_EQ(settings(changed("port = 9443", "port = 9444")), plain);
  EXPECT_EQ(settings(changed("server.pem", "other.pem")), plain);
  EXPECT_EQ(settings(changed("data = \"state\"", "data = \"other\"")), plain);
  for (const char* more :
       {"[limits]\nbatch_count_max = 8\n", "[limits]\nclock_step_max_seconds = 5\n",
        "[monitors]\nalpha = 0.01\n", "[monitors]\nenabled = false\n",
        "[monitors]\nnoise = \"latch\"\n", "[anchor]\ninterval_seconds = 5\n",
        "[egd]\nsocket = \"/run/egd\"\n", "[kernel_feed]\nenabled = true\n"})
    EXPECT_NE(settings(good + more), plain) << more;
  const std::string usb = "kind = \"usb\"\nmodel = \"chaoskey\"\n";
  const std::string device = settings(changed("kind = \"system\"\n", usb));
  EXPECT_NE(device, plain);
  EXPECT_EQ(settings(changed("kind = \"system\"\n", usb + "serial = \"0001\"\n")), device)
      << "which device it is the installation says itself";
  EXPECT_NE(settings(changed("kind = \"system\"\n", usb + "assessed_millibits = 5000\n")), device);
}

TEST(Enrolment, reads_clients_and_refuses_doubles) {
  const std::string one = "[[client]]\nid = \"talla:client:t1\"\nspki = \"" + std::string(64, 'a') +
                          "\"\nroles = [\"table\"]\n";
  const auto clients = parse_enrolment(one, "clients.toml");
  ASSERT_TRUE(clients) << clients.error().text();
  ASSERT_EQ(clients->size(), 1U);
  EXPECT_EQ((*clients)[0].roles, std::vector<std::string>{"table"});
  EXPECT_FALSE(parse_enrolment(one + one, "clients.toml"));
  EXPECT_FALSE(parse_enrolment(
      "[[client]]\nid = \"a\"\nspki = \"" + std::string(64, 'A') + "\"\nroles = []\n", "c"));
  EXPECT_FALSE(parse_enrolment(
      "[[client]]\nid = \"a\"\nspki = \"" + std::string(64, 'a') + "\"\nroles = [\"king\"]\n",
      "c"));
  EXPECT_FALSE(parse_enrolment("client = 3\n", "c"));
}

TEST(Config, monitors_have_defaults_and_bounds) {
  const auto config = parse_config(good, "x");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->monitors.enabled);
  EXPECT_EQ(config->monitors.alpha, 0.001);
  EXPECT_EQ(config->monitors.outcomes, "record");
  const auto set = parse_config(
      good +
          "[monitors]\nalpha = 1e-6\nnoise = \"latch\"\nrun_length = 5000\nbits_per_second = 0\n",
      "x");
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_EQ(set->monitors.alpha, 1e-6);
  EXPECT_EQ(set->monitors.noise, "latch");
  EXPECT_EQ(set->monitors.run_length, 5000);
  EXPECT_EQ(set->monitors.bits_per_second, 0U);
  expect_refused(good + "[monitors]\nalpha = 0.5\n", "monitors.alpha: a number from 1e-09 to 0.1");
  expect_refused(good + "[monitors]\nalpha = \"small\"\n", "monitors.alpha: a number from");
  expect_refused(good + "[monitors]\nalpha = nan\n", "monitors.alpha: a number from");
  expect_refused(good + "[monitors]\ndetectors = \"shuffle\"\n",
                 "monitors.detectors: must be record or latch");
  EXPECT_EQ(config->monitors.quality, "record");
  EXPECT_EQ(parse_config(good + "[monitors]\nquality = \"latch\"\n", "x")->monitors.quality,
            "latch");
  expect_refused(good + "[monitors]\nquality = \"\"\n",
                 "monitors.quality: must be record or latch");
  expect_refused(good + "[monitors]\nseverity = \"latch\"\n", "monitors.severity: is not known");
}

TEST(Config, entropy_for_others_is_off_unless_named) {
  const auto plain = parse_config(good, "/etc/talla/rngd.toml");
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->egd.enabled());
  EXPECT_FALSE(plain->kernel_feed.enabled);
  const auto set = parse_config(good +
                                    "[egd]\nsocket = \"egd.sock\"\ngroup = \"kvm\"\nclients = 4\n"
                                    "[kernel_feed]\nenabled = true\ncredit_bits_per_byte = 0\n",
                                "/etc/talla/rngd.toml");
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_TRUE(set->egd.enabled());
  EXPECT_EQ(set->egd.socket, "/etc/talla/egd.sock");
  EXPECT_EQ(set->egd.clients, 4U);
  EXPECT_FALSE(set->egd.uncertified);
  EXPECT_TRUE(set->kernel_feed.enabled);
  EXPECT_EQ(set->kernel_feed.bytes_per_second, 64U);
  EXPECT_EQ(set->kernel_feed.credit_bits_per_byte, 0U);
  expect_refused(good + "[egd]\nclients = 4\n", "egd.socket: is missing");
  expect_refused(good + "[egd]\nport = 2000\naddress = \"0.0.0.0\"\n",
                 "egd.address: must be 127.0.0.1 or ::1");
  expect_refused(good + "[egd]\nport = 2000\nbytes_per_second = 0\n",
                 "egd.bytes_per_second: an integer from 1");
  expect_refused(good + "[kernel_feed]\ncredit_bits_per_byte = 9\n", "an integer from 0 to 8");
  expect_refused(good + "[kernel_feed]\nforce = true\n", "kernel_feed.force: is not known");
}

TEST(Config, samples_for_laboratories_are_off_unless_a_rate_is_named) {
  EXPECT_EQ(parse_config(good, "x")->laboratory.bytes_per_second, 0U);
  for (const std::uint32_t rate : {0U, 256U, 1'048'576U}) {
    const auto set =
        parse_config(good + "[laboratory]\nbytes_per_second = " + std::to_string(rate) + "\n", "x");
    ASSERT_TRUE(set) << set.error().text();
    EXPECT_EQ(set->laboratory.bytes_per_second, rate);
  }
  expect_refused(good + "[laboratory]\nbytes_per_second = 255\n",
                 "laboratory.bytes_per_second: must be 0");
  expect_refused(good + "[laboratory]\nbytes_per_second = 1048577\n",
                 "laboratory.bytes_per_second: an integer from 0 to 1048576");
  expect_refused(good + "[laboratory]\nrate = 1\n", "laboratory.rate: is not known");
}

TEST(Config, keys_are_files_credentials_tokens_or_derived) {
  const auto keys = [](const std::string& text) {
    return changed(
        "log_key = \"log.key\"\nlog_statement = \"log.json\"\nsealing_key = \"seal.key\"\n", text);
  };
  const std::string rest = "\nlog_statement = \"log.json\"\n";
  const auto token = parse_config(
      keys("log_key = \"pkcs11:object=a\"" + rest + "sealing_key = \"credential:seal\"\n" +
           "encrypted_credential = \"seal.cred\"\n"),
      "/etc/talla/rngd.toml");
  ASSERT_TRUE(token) << token.error().text();
  EXPECT_EQ(token->keys.log_key, "pkcs11:object=a");
  EXPECT_EQ(token->keys.sealing_key, "credential:seal");
  EXPECT_EQ(token->keys.encrypted_credential, "/etc/talla/seal.cred");
  const auto derived =
      parse_config(keys("log_key = \"log.key\"" + rest +
                        "sealing_key = \"passphrase:seal.json\"\n" + "passphrase = \"phrase\"\n"),
                   "/etc/talla/rngd.toml");
  ASSERT_TRUE(derived) << derived.error().text();
  EXPECT_EQ(derived->keys.sealing_key, "passphrase:/etc/talla/seal.json");
  EXPECT_EQ(derived->keys.passphrase, "/etc/talla/phrase");
  const auto sealed =
      parse_config(keys("log_key = \"log.key\"" + rest + "sealing_key = \"tpm:seal.json\"\n" +
                        "tpm_tcti = \"device:/dev/tpmrm0\"\npassphrase = \"credential:phrase\"\n"),
                   "/etc/talla/rngd.toml");
  ASSERT_TRUE(sealed) << sealed.error().text();
  EXPECT_EQ(sealed->keys.sealing_key, "tpm:/etc/talla/seal.json");
  EXPECT_EQ(sealed->keys.tpm_tcti, "device:/dev/tpmrm0");
  EXPECT_EQ(sealed->keys.passphrase, "credential:phrase");
  expect_refused(changed("\"seal.key\"", "\"seal.key\"\ntpm_tcti = \"t\""),
                 "keys.tpm_tcti: is for");
  const auto next = parse_config(keys("log_key = \"log.key\"" + rest +
                                      "sealing_key = \"seal.key\"\nnext_log_key = \"next.key\"\n" +
                                      "next_log_statement = \"next.json\"\n"),
                                 "/etc/talla/rngd.toml");
  ASSERT_TRUE(next) << next.error().text();
  EXPECT_EQ(next->keys.next_log_key, "/etc/talla/next.key");
  EXPECT_EQ(next->keys.next_log_statement, "/etc/talla/next.json");
  for (const std::string one : {"next_log_key", "next_log_statement"})
    expect_refused(changed("\"seal.key\"", "\"seal.key\"\n" + one + " = \"next\""), "both or none");
  expect_refused(changed("\"seal.key\"", "\"passphrase:seal.json\""),
                 "keys.passphrase: is missing");
  expect_refused(changed("\"seal.key\"", "\"seal.key\"\npassphrase = \"p\""),
                 "keys.passphrase: is for");
  expect_refused(changed("\"seal.key\"", "\"seal.key\"\nencrypted_credential = \"p\""),
                 "credential:NAME");
}
