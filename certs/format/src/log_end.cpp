#include "format/log_end.hpp"

#include <algorithm>
#include <array>

#include "fields.hpp"
#include "format/domain.hpp"
#include "hash_list.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t keys_max = 64;
constexpr std::size_t proofs_max = 10'000;
constexpr std::string_view end_type = "talla-log-end";
constexpr std::string_view consistency_type = "talla-consistency";
constexpr std::array<std::string_view, 3> reason_names{"compromised", "closed", "replaced"};

Result<Digest> key_from(std::string_view text) {
  TALLA_TRY(const Bytes bytes, from_base64(text));
  Digest key{};
  if (bytes.size() != key.size())
    return fail(FormatErrc::malformed_statement, "a key has 32 bytes");
  std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}

bool each_once(std::vector<Digest> keys) {
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) == keys.end();
}

Result<LogEndStatement::Successor> successor_from(const json::Value& value) {
  Fields in(value, "successor", FormatErrc::malformed_statement);
  LogEndStatement::Successor out;
  out.origin = in.text("origin");
  in.require(origin_valid(out.origin), "origin", "is no origin");
  out.key = in.nested(key_from(in.text("key")));
  return in.finish(std::move(out));
}

Result<ConsistencyFile::Proof> proof_from(const json::Value& value) {
  Fields in(value, "proofs[]", FormatErrc::malformed_proof);
  ConsistencyFile::Proof out;
  out.size = in.count("size");
  out.root = in.digest("root");
  out.path = hash_list(in, "path");
  return in.finish(std::move(out));
}

bool ascending(const std::vector<ConsistencyFile::Proof>& proofs, std::uint64_t size) {
  std::uint64_t before = 0;
  for (const ConsistencyFile::Proof& proof : proofs) {
    if (proof.size <= before || proof.size >= size) return false;
    before = proof.size;
  }
  return true;
}

}  // namespace

std::string_view end_reason_name(EndReason reason) {
  return reason_names.at(static_cast<std::size_t>(reason));
}

std::optional<EndReason> end_reason_from(std::string_view name) {
  const auto found = std::find(reason_names.begin(), reason_names.end(), name);
  if (found == reason_names.end()) return std::nullopt;
  return static_cast<EndReason>(found - reason_names.begin());
}

std::string format_end_statement(const LogEndStatement& statement) {
  json::Array keys;
  for (const Digest& key : statement.keys) keys.emplace_back(to_base64(key));
  json::Object text{{"checkpoint", statement.checkpoint},
                    {"keys", std::move(keys)},
                    {"known", statement.known_us},
                    {"made", statement.made_us},
                    {"origin", statement.origin},
                    {"reason", end_reason_name(statement.reason)},
                    {"type", end_type},
                    {"v", format_version}};
  if (statement.successor) {
    text.emplace("successor", json::Object{{"key", to_base64(statement.successor->key)},
                                           {"origin", statement.successor->origin}});
  }
  return json::canonical(json::Value(std::move(text)));
}

Result<LogEndStatement> parse_end_statement(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(FormatErrc::malformed_statement, "end of a log: " + value.error().detail);
  Fields in(*value, "end of a log", FormatErrc::malformed_statement);
  LogEndStatement out;
  in.require(in.integer("v", {format_version, format_version}) == format_version, "v", "must be 2");
  in.require(in.text("type") == end_type, "type", "must be `talla-log-end`");
  out.origin = in.text("origin");
  out.checkpoint = in.text("checkpoint");
  const auto note = parse_cosigned_checkpoint(out.checkpoint);
  in.require(note.has_value(), "checkpoint", "is no checkpoint");
  in.require(note && note->checkpoint.origin == out.origin, "origin",
             "is not that of the checkpoint");
  in.require(note && note->checkpoint.size > 0, "checkpoint", "is of an empty log");
  for (const std::string& key : in.texts("keys")) out.keys.push_back(in.nested(key_from(key)));
  in.require(!out.keys.empty() && out.keys.size() <= keys_max && each_once(out.keys), "keys",
             "1 to 64 keys are expected, each once");
  out.reason = static_cast<EndReason>(in.word("reason", {"compromised", "closed", "replaced"}));
  out.known_us = in.integer("known", natural);
  out.made_us = in.integer("made", natural);
  in.require(out.known_us <= out.made_us, "known", "is later than the statement");
  if (const json::Value* successor = in.optional("successor")) {
    out.successor = in.nested(successor_from(*successor));
    in.require(out.successor->origin != out.origin, "successor", "is the log itself");
  }
  return in.finish(std::move(out));
}

Bytes log_end_message(std::string_view statement) {
  return ByteWriter().raw(domain::log_end).raw(statement).take();
}

std::string format_log_end(const LogEnd& end) {
  json::Array certificates;
  for (const Bytes& certificate : end.chain) certificates.emplace_back(to_base64(certificate));
  return json::canonical(json::Object{{"chain", std::move(certificates)},
                                      {"signature", to_base64(end.signature)},
                                      {"statement", end.statement}});
}

Result<LogEnd> parse_log_end(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(FormatErrc::malformed_statement, "end of a log: " + value.error().detail);
  Fields in(*value, "end of a log", FormatErrc::malformed_statement);
  LogEnd out;
  out.statement = in.text("statement");
  out.signature = in.base64("signature");
  out.chain = in.certificate_chain("chain");
  if (auto statement = parse_end_statement(out.statement); !statement)
    static_cast<void>(in.nested(std::move(statement)));
  return in.finish(std::move(out));
}

std::string format_consistency(const ConsistencyFile& file) {
  json::Array proofs;
  for (const ConsistencyFile::Proof& proof : file.proofs) {
    proofs.emplace_back(json::Object{
        {"path", hash_list_json(proof.path)}, {"root", to_hex(proof.root)}, {"size", proof.size}});
  }
  return json::canonical(json::Object{{"origin", file.head.origin},
                                      {"proofs", std::move(proofs)},
                                      {"root", to_hex(file.head.root)},
                                      {"size", file.head.size},
                                      {"type", consistency_type},
                                      {"v", format_version}});
}

Result<ConsistencyFile> parse_consistency(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(FormatErrc::malformed_proof, "consistency: " + value.error().detail);
  Fields in(*value, "consistency", FormatErrc::malformed_proof);
  ConsistencyFile out;
  in.require(in.integer("v", {format_version, format_version}) == format_version, "v", "must be 2");
  in.require(in.text("type") == consistency_type, "type", "must be `talla-consistency`");
  out.head.origin = in.text("origin");
  in.require(origin_valid(out.head.origin), "origin", "is no origin");
  out.head.size = in.count("size");
  out.head.root = in.digest("root");
  if (const json::Array* proofs = in.array("proofs")) {
    in.require(!proofs->empty() && proofs->size() <= proofs_max, "proofs",
               "1 to 10,000 are expected");
    for (const json::Value& one : *proofs) out.proofs.push_back(in.nested(proof_from(one)));
    in.require(ascending(out.proofs, out.head.size), "proofs",
               "sizes ascend from 1 and stay below `size`");
  }
  return in.finish(std::move(out));
}

}  // namespace talla::certs
