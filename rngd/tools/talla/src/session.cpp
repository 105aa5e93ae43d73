#include "session.hpp"

#include <sys/random.h>

#include <array>

#include "base/bytes.hpp"
#include "base/check.hpp"
#include "config/client_file.hpp"
#include "config/ended_files.hpp"
#include "format/body_draw.hpp"
#include "format/merkle.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/verify.hpp"

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
  http::ClientOptions options;
  options.host = file.host;
  options.port = file.port;
  options.server_name = file.server_name;
  options.files = {.certificate = file.certificate, .key = file.key, .trusted = file.root};
  TALLA_TRY(auto client, http::Client::create(std::move(options)));
  return Session(std::move(client), file.host + ":" + std::to_string(file.port), std::move(log_key),
                 std::move(roots), std::move(ended), file.key);
}

std::string Session::nonce() {
  std::array<std::uint8_t, 16> bytes{};
  TALLA_CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return to_hex(bytes);
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

Result<json::Value> Session::get(const std::string& path) {
  TALLA_TRY(const http::ClientReply reply, client_->send({.method = "GET",
                                                          .target = path,
                                                          .idempotency_key = {},
                                                          .accept = {},
                                                          .last_event_id = {},
                                                          .body = {},
                                                          .peer = {}}));
  return take(reply);
}

Result<std::string> Session::get_text(const std::string& path) {
  TALLA_TRY(http::ClientReply reply, client_->send({.method = "GET",
                                                    .target = path,
                                                    .idempotency_key = {},
                                                    .accept = {},
                                                    .last_event_id = {},
                                                    .body = {},
                                                    .peer = {}}));
  if (reply.status != 200) return pass(take(reply));
  link_ = std::move(reply.link);
  return std::move(reply.body);
}

Result<json::Value> Session::post(const std::string& path, const json::Value& body) {
  constexpr int tries = 3;
  const http::Request request{.method = "POST",
                              .target = path,
                              .idempotency_key = nonce(),
                              .accept = {},
                              .last_event_id = {},
                              .body = json::canonical(body),
                              .peer = {}};
  for (int attempt = 1;; ++attempt) {
    auto reply = client_->send(request);
    if (reply) return take(*reply);
    if (attempt == tries || reply.error().is(http::Errc::cannot_connect))
      return pass(std::move(reply));
  }
}

Result<json::Value> Session::take(const http::ClientReply& reply) {
  auto body = json::parse(reply.body);
  if (reply.status >= 200 && reply.status < 300) {
    if (!body)
      return fail(CliErrc::appliance_refused,
                  where_ + ": the reply is no JSON: " + body.error().detail);
    TALLA_TRY_STATUS(check_receipts(*body));
    return body;
  }
  std::string words = "status " + std::to_string(reply.status);
  if (body && body->find("code") != nullptr && body->find("code")->is_string())
    words = body->find("code")->string();
  if (body && body->find("detail") != nullptr && body->find("detail")->is_string())
    words += ": " + body->find("detail")->string();
  if (!reply.retry_after.empty()) words += " (try again after " + reply.retry_after + " s)";
  return fail(CliErrc::appliance_refused, words);
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

Status Session::check_receipts(const json::Value& reply) {
  records_.clear();
  const json::Value* receipts = reply.find("receipts");
  if (receipts == nullptr) return {};
  if (!receipts->is_array())
    return fail(CliErrc::receipt_refused, "receipts: an array is expected");
  for (const json::Value& receipt : receipts->array()) {
    const auto verdict = judge_receipt(json::canonical(receipt));
    if (!verdict)
      return fail(CliErrc::receipt_refused,
                  "a receipt of the reply is not valid: " + verdict.error().text());
    const std::string& bytes = receipt.find("record")->string();
    TALLA_TRY(json::Value record, json::parse_canonical(bytes));
    records_.push_back(std::move(record));
    if (!caller_) continue;
    TALLA_TRY(const auto parsed, certs::parse_record(bytes));
    const Status taken =
        caller_->take(parsed, certs::leaf_hash(certs::BotanHashes(), as_bytes(bytes)));
    if (!taken) return fail(CliErrc::receipt_refused, taken.error().detail);
  }
  return {};
}

Status Session::load_key() {
  if (key_) return {};
  TALLA_TRY(const std::string pem, read_file(key_file_));
  auto key = certs::CallKey::load(pem);
  if (!key) return fail(CliErrc::usage, key_file_ + ": " + key.error().detail);
  key_ = std::make_shared<const certs::CallKey>(std::move(*key));
  return {};
}

Result<std::string> Session::key_digest() const {
  TALLA_TRY(const std::string pem, read_file(key_file_));
  auto key = certs::CallKey::load(pem);
  if (!key) return fail(CliErrc::usage, key_file_ + ": " + key.error().detail);
  return to_hex(certs::BotanHashes().sha256({key->spki()}));
}

Status Session::begin_calls() {
  TALLA_TRY_STATUS(load_key());
  TALLA_TRY(const auto opening, parsed("TABLE_OPEN"));
  const Digest leaf =
      certs::leaf_hash(certs::BotanHashes(), as_bytes(json::canonical(*record("TABLE_OPEN"))));
  auto caller = certs::Caller::open(key_, opening, leaf);
  if (!caller) return fail(CliErrc::receipt_refused, caller.error().detail);
  caller_.emplace(std::move(*caller));
  return {};
}

Result<json::Value> Session::call(const std::string& path, const certs::CallWish& wish) {
  if (!caller_) return fail(CliErrc::usage, "this session opened no table");
  auto body = caller_->make(wish);
  if (!body) return fail(CliErrc::usage, body.error().detail);
  TALLA_TRY(json::Value reply, post(path, *body));
  if (caller_->waiting())
    return fail(CliErrc::receipt_refused, "the reply holds no result of the call");
  return reply;
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
  for (auto it = records_.rbegin(); it != records_.rend(); ++it) {
    const json::Value* found = it->find("kind");
    if (found != nullptr && found->is_string() && found->string() == kind) return &*it;
  }
  return nullptr;
}

}  // namespace talla::cli
