#include "certs/next_log_key.hpp"

#include "certificates.hpp"
#include "certs/files.hpp"
#include "certs/key_history.hpp"
#include "certs/key_sources.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "key_files.hpp"

namespace talla::certs {

Status log_key_follows(const LogKey& present, const LogKey& next, bool production) {
  TALLA_TRY(const LogKeyStatement old, parse_statement(present.statement));
  TALLA_TRY(const LogKeyStatement fresh, parse_statement(next.statement));
  if (fresh.public_key == old.public_key)
    return fail(LogKeyErrc::wrong_log_key, "this key signs the log already");
  if (fresh.origin != old.origin || fresh.previous != old.public_key)
    return fail(LogKeyErrc::wrong_log_key,
                "the statement of the next log key does not follow the present one");
  if (production && fresh.development)
    return fail(LogKeyErrc::wrong_log_key, "the next log key is a development key");
  return {};
}

Result<Digest> make_next_log_key(const NextLogKeyOptions& options) {
  TALLA_TRY(const std::string text, read_file(options.statement_path));
  const auto value = json::parse_canonical(text);
  const auto present =
      value ? LogKey::from_json(*value) : Result<LogKey>(tl::unexpected(value.error()));
  const auto statement = present ? parse_statement(present->statement)
                                 : Result<LogKeyStatement>(tl::unexpected(present.error()));
  if (!statement)
    return fail(Errc::key_malformed, options.statement_path + ": " + statement.error().text());
  TALLA_TRY(const PkeyHandle key, load_private_key(options.certificate_key_path));
  TALLA_TRY(const std::string pem, read_file(options.certificate_path));
  TALLA_TRY(const CertificateHandle certificate, parse_certificate(pem, options.certificate_path));
  if (X509_check_private_key(certificate.get(), key.get()) != 1)
    return fail(Errc::key_malformed,
                options.certificate_key_path + " is not the key of " + options.certificate_path);
  if (alternative_names(*certificate) != std::vector<std::string>{"talla:log:" + statement->origin})
    return fail(Errc::id_malformed,
                options.certificate_path + ": is not for the log " + statement->origin);
  if (file_exists(options.out_path))
    return fail(Errc::key_exists, options.out_path + " exists and is never overwritten");
  if (options.log_key.empty()) TALLA_TRY_STATUS(create_ed25519_key(options.key_path));
  TALLA_TRY(const auto signer,
            open_log_signer(options.log_key.empty() ? options.key_path : options.log_key));
  TALLA_TRY(const LogKey next, make_log_statement({.origin = statement->origin,
                                                   .public_key = signer->public_key(),
                                                   .development = names_development(*certificate),
                                                   .previous = statement->public_key},
                                                  *key, *certificate));
  TALLA_TRY_STATUS(create_public_file(options.out_path, json::canonical(next.to_json())));
  constexpr std::string_view domain{"talla/v2/key\0", 13};
  const std::string body =
      json::canonical(json::Object{{"purpose", "log"}, {"log_key", next.to_json()}});
  return OpensslHashes().sha256({as_bytes(domain), as_bytes(body)});
}

}  // namespace talla::certs
