#include "certs/ceremony_end.hpp"

#include <algorithm>
#include <set>

#include "ceremony_root.hpp"
#include "certs/backup.hpp"
#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/transcript.hpp"
#include "format/key_change.hpp"
#include "key_files.hpp"

namespace talla::certs {

namespace {

constexpr int certificate_days = 1;

/// The statements of every key that the file names: one statement, or all keys of a log.
Result<std::vector<LogKeyStatement>> keys_in(const std::string& path) {
  TALLA_TRY(const std::string text, read_file(path));
  auto value = json::parse_canonical(text);
  if (!value) return fail(Errc::key_malformed, path + ": " + value.error().detail);
  std::vector<LogKey> keys;
  if (value->find("type") == nullptr) {
    TALLA_TRY(LogKey key, LogKey::from_json(*value));
    keys.push_back(std::move(key));
  } else {
    TALLA_TRY(const LogKeys all, parse_log_keys(text));
    for (const KeyChange& change : all.changes) keys.push_back(change.log_key);
    keys.push_back(all.log_key);
  }
  std::vector<LogKeyStatement> statements;
  for (const LogKey& key : keys) {
    TALLA_TRY(LogKeyStatement statement, parse_statement(key.statement));
    statements.push_back(std::move(statement));
  }
  return statements;
}

Result<std::string> checkpoint_in(const std::string& path) {
  TALLA_TRY(std::string text, read_file(path));
  if (!text.starts_with('{')) return text;
  TALLA_TRY(BackupManifest manifest, parse_manifest(text));
  return std::move(manifest.checkpoint);
}

Status check_persons(const std::vector<std::string>& persons) {
  const std::set<std::string> each(persons.begin(), persons.end());
  const bool named = std::ranges::all_of(persons, [](const std::string& name) {
    return !name.empty() && name.size() <= 64 &&
           std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  });
  if (persons.size() >= 2 && each.size() == persons.size() && named) return {};
  return fail(Errc::count_refused,
              "two persons or more, each once, 1 to 64 printable ASCII characters");
}

Status check_signed(const LogEndStatement& statement, const Ed25519Verifier& verifier) {
  const OpensslHashes hashes;
  TALLA_TRY(const SignedCheckpoint note, parse_cosigned_checkpoint(statement.checkpoint));
  const bool signed_by_it = std::ranges::any_of(statement.keys, [&](const Digest& key) {
    return note.key_id == ed25519_key_id(hashes, statement.origin, key) &&
           verifier.verify(key, as_bytes(note.text), note.signature);
  });
  if (signed_by_it) return {};
  return fail(Errc::key_malformed,
              "the checkpoint of " + statement.origin + " is signed by none of the keys named");
}

Result<LogEndStatement> statement_of(const EndTerms& terms, const Ed25519Verifier& verifier) {
  LogEndStatement out{.origin = {},
                      .checkpoint = {},
                      .keys = {},
                      .reason = terms.reason,
                      .known_us = terms.known_us,
                      .made_us = terms.now_us};
  TALLA_TRY(out.checkpoint, checkpoint_in(terms.checkpoint_path));
  TALLA_TRY(const SignedCheckpoint note, parse_cosigned_checkpoint(out.checkpoint));
  out.origin = note.checkpoint.origin;
  for (const std::string& path : terms.key_paths) {
    TALLA_TRY(const auto keys, keys_in(path));
    for (const LogKeyStatement& key : keys) {
      if (key.origin != out.origin)
        return fail(Errc::id_malformed,
                    path + ": is of the log " + key.origin + ", not of " + out.origin);
      if (std::ranges::find(out.keys, key.public_key) == out.keys.end())
        out.keys.push_back(key.public_key);
    }
  }
  if (!terms.successor_path.empty()) {
    TALLA_TRY(const auto keys, keys_in(terms.successor_path));
    out.successor =
        LogEndStatement::Successor{.origin = keys.back().origin, .key = keys.back().public_key};
  }
  TALLA_TRY_STATUS(check_signed(out, verifier));
  // What a reader would refuse is not signed.
  TALLA_TRY(LogEndStatement read, parse_end_statement(format_end_statement(out)));
  return read;
}

Status note_act(const EndTerms& terms, const LogEndStatement& statement,
                const std::string& serial) {
  TALLA_TRY(const SignedCheckpoint note, parse_cosigned_checkpoint(statement.checkpoint));
  std::vector<std::pair<std::string, std::string>> facts{
      {"log", statement.origin},
      {"records", std::to_string(note.checkpoint.size)},
      {"root", to_hex(note.checkpoint.root)},
      {"reason", std::string(end_reason_name(statement.reason))},
      {"known-us", std::to_string(statement.known_us)}};
  for (const Digest& key : statement.keys) facts.emplace_back("log-key", to_base64(key));
  if (statement.successor) {
    facts.emplace_back("successor", statement.successor->origin);
    facts.emplace_back("successor-key", to_base64(statement.successor->key));
  }
  for (const std::string& person : terms.persons) facts.emplace_back("present", person);
  facts.emplace_back("serial", serial);
  TALLA_TRY(const std::string digest, file_digest(terms.out_path));
  facts.emplace_back("file", digest);
  return add_to_transcript(terms.folder + "/transcript.txt",
                           {.now_us = terms.now_us, .act = "log ended", .facts = std::move(facts)});
}

}  // namespace

Result<LogEndStatement> end_log(const EndTerms& terms, const Ed25519Verifier& verifier) {
  TALLA_TRY_STATUS(check_persons(terms.persons));
  if (file_exists(terms.out_path))
    return fail(Errc::key_exists, terms.out_path + " exists and is never overwritten");
  TALLA_TRY(LogEndStatement statement, statement_of(terms, verifier));
  TALLA_TRY(const CeremonyRoot root, load_root(terms.folder, terms.passphrase));
  TALLA_TRY(const PkeyHandle key, generate_p256());
  const CertificateTerms certified{
      .common_name = "Talla end of a log",
      .names = {{.form = NameForm::uri, .value = "talla:log-end:" + statement.origin}},
      .now_us = terms.now_us,
      .days = certificate_days,
      .development = false};
  TALLA_TRY(const CertificateHandle certificate,
            make_certificate(*key, certified,
                             {.certificate = root.certificate.get(), .key = root.key.get()}));
  LogEnd end{.statement = format_end_statement(statement), .signature = {}, .chain = {}};
  TALLA_TRY(end.signature, sign_ecdsa(*key, log_end_message(end.statement)));
  TALLA_TRY(Bytes der, certificate_der(*certificate));
  end.chain.push_back(std::move(der));
  TALLA_TRY(const std::string pem, certificate_pem(*certificate));
  TALLA_TRY_STATUS(
      create_public_file(terms.folder + "/issued/" + serial_of(*certificate) + ".pem", pem));
  TALLA_TRY_STATUS(create_public_file(terms.out_path, format_log_end(end)));
  TALLA_TRY_STATUS(note_act(terms, statement, serial_of(*certificate)));
  return statement;
}

}  // namespace talla::certs
