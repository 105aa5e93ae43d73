#include "format/log_key.hpp"

#include <algorithm>

#include "fields.hpp"
#include "format/checkpoint.hpp"
#include "format/domain.hpp"

namespace talla::certs {
namespace {
constexpr std::string_view statement_type = "talla-log-key";

Digest key_bytes(Fields& in, std::string_view member) {
  Digest key{};
  const Bytes bytes = in.base64(member);
  in.require(bytes.size() == key.size(), member, "32 bytes are expected");
  if (bytes.size() == key.size()) std::copy(bytes.begin(), bytes.end(), key.begin());
  return key;
}
}  // namespace

std::string format_statement(const LogKeyStatement& statement) {
  json::Object text{{"development", statement.development},
                    {"origin", statement.origin},
                    {"public", to_base64(statement.public_key)},
                    {"type", statement_type},
                    {"v", format_version}};
  if (statement.previous) text.emplace("previous", to_base64(*statement.previous));
  return json::canonical(json::Value(std::move(text)));
}

Result<LogKeyStatement> parse_statement(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value)
    return fail(FormatErrc::malformed_statement, "log key statement: " + value.error().detail);
  Fields in(*value, "statement", FormatErrc::malformed_statement);
  LogKeyStatement out;
  in.require(in.integer("v", {format_version, format_version}) == format_version, "v", "must be 2");
  in.require(in.text("type") == statement_type, "type", "must be `talla-log-key`");
  out.origin = in.text("origin");
  in.require(origin_valid(out.origin), "origin", "is no origin");
  out.development = in.boolean("development");
  out.public_key = key_bytes(in, "public");
  if (in.has("previous")) {
    out.previous = key_bytes(in, "previous");
    in.require(out.previous != out.public_key, "previous", "is the key itself");
  }
  return in.finish(std::move(out));
}

Bytes log_key_message(std::string_view statement) {
  return ByteWriter().raw(domain::log_key).raw(statement).take();
}

json::Value LogKey::to_json() const {
  json::Array certificates;
  for (const Bytes& certificate : chain) certificates.emplace_back(to_base64(certificate));
  return json::Object{{"chain", std::move(certificates)},
                      {"signature", to_base64(signature)},
                      {"statement", statement}};
}

Result<LogKey> LogKey::from_json(const json::Value& value) {
  Fields in(value, "log_key", FormatErrc::malformed_statement);
  LogKey out;
  out.statement = in.text("statement");
  out.signature = in.base64("signature");
  out.chain = in.certificate_chain("chain");
  if (auto statement = parse_statement(out.statement); !statement)
    (void)in.nested(std::move(statement));
  return in.finish(std::move(out));
}

}  // namespace talla::certs
