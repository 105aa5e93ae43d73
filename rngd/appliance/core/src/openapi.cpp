// The interface as an OpenAPI 3.1 document.
#include "core/openapi.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "format/bounds.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

constexpr std::string_view introduction =
    "Signed shoes, draws and settlements. TLS 1.3 with certificates on both sides; the "
    "certificate's URI is the client's id, its roles decide what it may do. Every POST that makes "
    "a record carries an Idempotency-Key; the same key with the same request gets the same bytes "
    "for ever. Every such reply carries receipts: verify them before relying on it. Members and "
    "query names that an operation does not know are refused. Refusals are problem documents "
    "(RFC 9457); with Accept-Language: es their title and detail are in Spanish, codes and members "
    "stay.";

struct Tag {
  const char* name;
  const char* words;
};
constexpr std::array tags{
    Tag{"tables", "Tables: a game of a catalogue, or equipment for a client that settles itself"},
    Tag{"shoes", "Sealed shoes: committed, mixed by the table's call, dealt, opened"},
    Tag{"rounds", "Rounds of tables that the appliance settles: bets, decisions, results"},
    Tag{"draws", "Batches of secrets, and draws from them"},
    Tag{"contributors",
        "Seats and partners that put numbers of their own into the calls of a table"},
    Tag{"meters", "Meters that several tables share"},
    Tag{"machines", "Shuffling machines, which get the order of a shoe"},
    Tag{"catalogues", "Games and their rules"},
    Tag{"evidence", "Receipts, proofs and bundles, which verify without the appliance"},
    Tag{"log", "The log: records, checkpoints, keys, stored replies"},
    Tag{"people", "Acts that take two persons; stopping and testing the generator"},
    Tag{"software", "What runs, as signed"},
    Tag{"appliance", "What the appliance says of itself"},
};

std::vector<std::string> names_in(std::string_view path) {
  std::vector<std::string> names;
  for (auto open = path.find('{'); open != std::string_view::npos; open = path.find('{', open + 1))
    names.emplace_back(path.substr(open + 1, path.find('}', open) - open - 1));
  return names;
}

/// A name in the braces of a path says what stands there.
Schema path_schema(const std::string& name) {
  if (name == "seq") return Schema::number().about("number of a record");
  if (name == "call") return Schema::number().about("number of a CALL");
  if (name == "position") return Schema::integer(certs::shoe_positions);
  if (name == "key") return Schema::text(1, 64).about("an Idempotency-Key");
  if (name == "catalogue" || name == "game") return Schema::text(1, 64);
  return Schema::id(name);
}

json::Object parameter(const char* in, const SchemaMember& one, json::Object& components) {
  return {{"name", one.name},
          {"in", in},
          {"required", one.required},
          {"schema", one.schema.to_json(components)}};
}

json::Array parameters_of(const Operation& operation, json::Object& components) {
  json::Array out;
  for (const auto& name : names_in(operation.row.path))
    out.emplace_back(parameter("path", required(name, path_schema(name)), components));
  for (const auto& one : operation.query) out.emplace_back(parameter("query", one, components));
  const auto refer = [&](const char* name) {
    out.emplace_back(json::Object{{"$ref", std::string("#/components/parameters/") + name}});
  };
  if (operation.row.makes_record) refer("IdempotencyKey");
  const bool streams = std::ranges::any_of(operation.replies, [](const OperationReply& reply) {
    return reply.content_type == "text/event-stream";
  });
  if (streams) refer("LastEventId");
  return out;
}

json::Value example_of(std::string_view text) {
  auto value =
      json::parse(text.starts_with('"') ? "[" + std::string(text) + "]" : std::string(text));
  TALLA_CHECK(value.has_value());
  return value->is_array() ? value->array().front() : std::move(*value);
}

json::Object replies_of(const Operation& operation, json::Object& components) {
  json::Object out{{"default", json::Object{{"$ref", "#/components/responses/Problem"}}}};
  const OperationReply* first = operation.replies.data();
  for (const auto& reply : operation.replies) {
    json::Object content{{"schema", reply.body.to_json(components)}};
    if (&reply == first) content["example"] = example_of(operation.example_reply);
    auto& response = out[std::to_string(reply.status)];
    response["description"] = reply.status == 201 ? "made" : "done";
    auto& all = response["content"];
    all[reply.content_type] = std::move(content);
  }
  return out;
}

json::Object text_of(const Operation& operation, json::Object& components) {
  json::Array roles;
  for (const Role role : every_role) {
    if (operation.row.roles.has(role)) roles.emplace_back(role_name(role));
  }
  json::Object out{{"operationId", operation.row.id},
                   {"tags", json::Array{operation.words.tag}},
                   {"summary", operation.words.summary},
                   {"description", operation.words.description},
                   {"x-talla-roles", std::move(roles)},
                   {"x-talla-record", operation.row.makes_record},
                   {"responses", replies_of(operation, components)}};
  if (auto parameters = parameters_of(operation, components); !parameters.empty())
    out["parameters"] = std::move(parameters);
  if (operation.body) {
    const json::Object content{{"schema", operation.body->to_json(components)},
                               {"example", example_of(operation.example_body)}};
    out["requestBody"] =
        json::Object{{"required", true}, {"content", json::Object{{"application/json", content}}}};
  }
  return out;
}

json::Object components_of(json::Object schemas) {
  const json::Object key{
      {"name", "Idempotency-Key"},
      {"in", "header"},
      {"required", true},
      {"description", "fresh for each request; the same for each try of it"},
      {"schema", json::Object{{"type", "string"}, {"pattern", "^[A-Za-z0-9._-]{1,64}$"}}}};
  const json::Object last{
      {"name", "Last-Event-ID"},
      {"in", "header"},
      {"required", false},
      {"description", "of an event stream that was lost: it goes on behind this seq"},
      {"schema", json::Object{{"type", "integer"}, {"minimum", 0}}}};
  const json::Object problem{
      {"description", "Refused (RFC 9457)"},
      {"headers",
       json::Object{
           {"Retry-After", json::Object{{"description", "seconds, where a later try can succeed"},
                                        {"schema", json::Object{{"type", "integer"}}}}}}},
      {"content",
       json::Object{{problem_type, json::Object{{"schema", problem_schema().to_json(schemas)}}}}}};
  return {{"parameters", json::Object{{"IdempotencyKey", key}, {"LastEventId", last}}},
          {"responses", json::Object{{"Problem", problem}}},
          {"securitySchemes",
           json::Object{
               {"certificate", json::Object{{"type", "mutualTLS"},
                                            {"description", "a P-256 certificate, enrolled"}}}}},
          {"schemas", std::move(schemas)}};
}

json::Array problems() {
  json::Array out;
  for (const auto& row : all_problems()) {
    json::Object one{{"code", errc_name(row.errc)},
                     {"status", row.status},
                     {"retry", retry_name(row.retry)},
                     {"title", row.title}};
    if (row.retry_after_s != 0) one["retry_after"] = row.retry_after_s;
    out.emplace_back(std::move(one));
  }
  return out;
}

void write_indented(const json::Value& value, std::size_t depth, std::string& out);

void write_line(std::size_t depth, std::string& out) {
  out += '\n';
  out.append(depth, ' ');
}

void write_members(const json::Object& object, std::size_t depth, std::string& out) {
  bool first = true;
  for (const auto& [name, value] : object) {
    if (!std::exchange(first, false)) out += ',';
    write_line(depth + 1, out);
    out += json::canonical(json::Value(name)) + ": ";
    write_indented(value, depth + 1, out);
  }
  write_line(depth, out);
}

void write_items(const json::Array& items, std::size_t depth, std::string& out) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out += ',';
    write_line(depth + 1, out);
    write_indented(items[i], depth + 1, out);
  }
  write_line(depth, out);
}

void write_indented(const json::Value& value, std::size_t depth, std::string& out) {
  if (value.is_object() && !value.object().empty()) {
    out += '{';
    write_members(value.object(), depth, out);
    out += '}';
  } else if (value.is_array() && !value.array().empty()) {
    out += '[';
    write_items(value.array(), depth, out);
    out += ']';
  } else {
    out += json::canonical(value);
  }
}

}  // namespace

std::string openapi_document() {
  json::Object schemas;
  json::Object paths;
  for (const auto& operation : all_operations()) {
    std::string method(operation.row.method);
    std::ranges::transform(method, method.begin(),
                           [](char c) { return static_cast<char>(c - 'A' + 'a'); });
    paths[operation.row.path][method] = text_of(operation, schemas);
  }
  json::Array headings;
  for (const auto& tag : tags)
    headings.emplace_back(json::Object{{"name", tag.name}, {"description", tag.words}});
  const json::Object document{
      {"openapi", "3.1.0"},
      {"info", json::Object{{"title", "Talla"}, {"version", "1"}, {"description", introduction}}},
      {"servers", json::Array{json::Object{{"url", "https://localhost:8443"}}}},
      {"security", json::Array{json::Object{{"certificate", json::Array{}}}}},
      {"tags", std::move(headings)},
      {"paths", std::move(paths)},
      {"components", components_of(std::move(schemas))},
      {"x-talla-problems", problems()}};
  std::string text;
  write_indented(json::Value(document), 0, text);
  return text + "\n";
}

}  // namespace talla::core
