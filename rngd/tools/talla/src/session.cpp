#include "session.hpp"

#include "base/bytes.hpp"
#include "certs/keys.hpp"
#include "client/errc.hpp"
#include "config/client_file.hpp"
#include "config/ended_files.hpp"
#include "http/client.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/call_key.hpp"

namespace talla::cli {

int code_of(const Error& error) {
  if (error.is(CliErrc::usage)) return exit_usage;
  return error.is(http::Errc::cannot_connect) ? exit_unreachable : exit_refused;
}

Result<Session> Session::open(const App& app) {
  if (app.client_folder.empty()) {
    return fail(
        CliErrc::usage,
        "which appliance? give --client FOLDER or set TALLA_CLIENT (the folder holds client.toml)");
  }
  return open(app.client_folder);
}

Result<Session> Session::open(const std::string& folder) {
  TALLA_TRY(const rngd::ClientFile file, rngd::load_client_file(folder + "/client.toml"));
  TALLA_TRY(std::string log_key, read_file(file.log_key));
  TALLA_TRY(std::string roots, read_file(file.root));
  TALLA_TRY(std::vector<std::string> ended, rngd::load_ended_files(file.ended));
  client::SessionOptions options;
  options.folder = folder;
  options.patience = std::chrono::seconds(1);  // a person waits, and asks again
  options.patience_refused = {};
  options.wait_for_start = false;
  TALLA_TRY(auto client, client::Session::open(std::move(options)));
  return Session(std::move(client), std::move(log_key), std::move(roots), std::move(ended));
}

std::string escaped(const std::string& value) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += {'%', digits[byte >> 4U], digits[byte & 0x0FU]};
    }
  }
  return out;
}

namespace {

/// A client's error by the codes of this program.
template <class T>
Result<T> told(Result<T> reply) {
  if (reply) return reply;
  const Error& error = reply.error();
  if (error.is(client::Errc::not_believed)) return fail(CliErrc::receipt_refused, error.detail);
  if (error.is(client::Errc::malformed_wish)) return fail(CliErrc::usage, error.detail);
  const bool of_client = error.is(client::Errc::appliance_refused) ||
                         error.is(client::Errc::unanswered) ||
                         error.is(client::Errc::request_pending);
  if (of_client) return fail(CliErrc::appliance_refused, error.detail);
  return reply;
}

}  // namespace

Result<json::Value> Session::get(const std::string& path) {
  return told(client_.get(path));
}

Result<std::string> Session::get_text(const std::string& path) {
  return told(client_.get_text(path));
}

/// A request that got no answer is asked for first: it may have been done.
Result<json::Value> Session::post(const std::string& path, const json::Value& body,
                                  const std::string& key) {
  if (!client_.pending().empty()) {
    const auto before = told(client_.resume());
    if (!client_.pending().empty()) return before;
  }
  return told(client_.post(path, body, key));
}

Result<json::Value> Session::draw(const std::string& table, const std::string& round) {
  return told(client_.draw(table, round == "0" ? json::Object{} : json::Object{{"round", round}}));
}

Result<json::Value> Session::mix(const std::string& shoe) {
  return told(client_.mix(shoe));
}

/// The log's key was rotated, perhaps: all keys of the log are taken when they hold the known one
/// and the receipt verifies with them.
Result<certs::Verdict> Session::judge_receipt(const std::string& receipt) {
  auto verdict = certs::verify_receipt(receipt, log_key_, roots_, {.ended = ended_});
  const bool other_key = !verdict && (verdict.error().is(certs::VerifyErrc::wrong_signature) ||
                                      verdict.error().is(certs::VerifyErrc::wrong_statement));
  if (!other_key) return verdict;
  auto keys = get_text("/v1/log-keys");
  if (!keys || !certs::log_keys_follow(log_key_, *keys)) return verdict;
  verdict = certs::verify_receipt(receipt, *keys, roots_, {.ended = ended_});
  if (verdict) log_key_ = std::move(*keys);
  return verdict;
}

Result<std::string> Session::verified_record(std::uint64_t seq) {
  TALLA_TRY(const json::Value receipt, get("/v1/receipts/" + std::to_string(seq)));
  const auto verdict = judge_receipt(json::canonical(receipt));
  if (!verdict)
    return fail(CliErrc::receipt_refused,
                "the receipt of record " + std::to_string(seq) + ": " + verdict.error().text());
  const std::string& bytes = receipt.find("record")->string();
  TALLA_TRY(const auto record, certs::parse_record(bytes));
  if (record.seq != seq)
    return fail(CliErrc::receipt_refused,
                "the receipt of record " + std::to_string(seq) + " is of another one");
  return bytes;
}

Result<std::string> Session::log_keys() {
  TALLA_TRY(std::string keys, get_text("/v1/log-keys"));
  TALLA_TRY_STATUS(certs::log_keys_follow(log_key_, keys));
  TALLA_TRY(const std::string receipt, get_text("/v1/receipts/0"));
  TALLA_TRY([[maybe_unused]] const certs::Verdict verdict,
            certs::verify_receipt(receipt, keys, roots_, {.ended = ended_}));
  return keys;
}

Result<std::vector<std::string>> Session::own_names() const {
  TALLA_TRY(const certs::CertificateView own, certs::view_certificate(client_.certificate_file()));
  return own.names;
}

Result<std::string> Session::key_digest() const {
  TALLA_TRY(const std::string pem, read_file(key_file()));
  auto key = certs::CallKey::load(pem);
  if (!key) return fail(CliErrc::usage, key_file() + ": " + key.error().detail);
  return to_hex(certs::BotanHashes().sha256({key->spki()}));
}

Result<certs::Record> Session::parsed(std::string_view kind) const {
  const json::Value* found = record(kind);
  if (found == nullptr)
    return fail(CliErrc::appliance_refused, "the reply holds no receipt of a " + std::string(kind));
  return certs::parse_record(json::canonical(*found));
}

Result<certs::CallCore> Session::called() const {
  TALLA_TRY(const auto record, parsed("CALL"));
  TALLA_TRY(auto body, certs::CallBody::from_json(record.body));
  return std::move(body.core);
}

const json::Value* Session::record(std::string_view kind) const {
  return client_.record(kind);
}

}  // namespace talla::cli
