// Goal: the OpenAPI document and the service take and refuse the same requests.
// Method: from the example of each operation many bodies are made, within and beyond each bound;
//         what a plain reader of JSON Schema says of them by the document alone is what the service
//         says.
#include "schema.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <regex>

#include "core/openapi.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

/// A reader of the keywords that the document uses (JSON Schema, draft 2020-12), written apart from
/// the service.
class Reader {
 public:
  explicit Reader(const json::Value& document) : document_(document) {}

  [[nodiscard]] const json::Value& resolved(const json::Value& schema) const {
    const auto* ref = schema.find("$ref");
    // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): of the document
    if (ref == nullptr) return schema;
    const std::string name = ref->string().substr(ref->string().rfind('/') + 1);
    return resolved(*document_.find("components")->find("schemas")->find(name));
  }

  [[nodiscard]] bool fits(const json::Value& given, const json::Value& value) const {
    const auto& schema = resolved(given);
    const auto* constant = schema.find("const");
    const auto* words = schema.find("enum");
    const auto* forms = schema.find("oneOf");
    if (constant != nullptr && value != *constant) return false;
    if (words != nullptr && std::ranges::find(words->array(), value) == words->array().end())
      return false;
    if (forms != nullptr &&
        std::ranges::none_of(forms->array(), [&](const auto& form) { return fits(form, value); }))
      return false;
    const auto* type = schema.find("type");
    if (type == nullptr) return true;
    if (type->string() == "integer") return value.is_integer() && integer_fits(schema, value);
    if (type->string() == "string") return value.is_string() && text_fits(schema, value);
    if (type->string() == "boolean") return value.is_bool();
    if (type->string() == "array") return value.is_array() && list_fits(schema, value);
    return value.is_object() && members_fit(schema, value);
  }

 private:
  static std::int64_t number(const json::Value& schema, const char* name, std::int64_t fallback) {
    const auto* found = schema.find(name);
    return found == nullptr ? fallback : found->integer();
  }
  static bool integer_fits(const json::Value& schema, const json::Value& value) {
    return value.integer() >= number(schema, "minimum", -json::integer_max) &&
           value.integer() <= number(schema, "maximum", json::integer_max);
  }
  static bool text_fits(const json::Value& schema, const json::Value& value) {
    const auto size = static_cast<std::int64_t>(value.string().size());
    const auto* pattern = schema.find("pattern");
    const bool base64 = schema.find("contentEncoding") != nullptr;
    static const std::regex alphabet("([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");
    return size >= number(schema, "minLength", 0) &&
           size <= number(schema, "maxLength", json::integer_max) &&
           (pattern == nullptr ||
            std::regex_match(value.string(), std::regex(pattern->string()))) &&
           (!base64 || std::regex_match(value.string(), alphabet));
  }
  [[nodiscard]] bool list_fits(const json::Value& schema, const json::Value& value) const {
    const auto& items = value.array();
    const auto size = static_cast<std::int64_t>(items.size());
    return size >= number(schema, "minItems", 0) &&
           size <= number(schema, "maxItems", json::integer_max) &&
           std::ranges::all_of(items,
                               [&](const auto& item) { return fits(*schema.find("items"), item); });
  }
  [[nodiscard]] bool members_fit(const json::Value& schema, const json::Value& value) const {
    const auto* required = schema.find("required");
    if (required != nullptr && std::ranges::any_of(required->array(), [&](const auto& name) {
          return value.find(name.string()) == nullptr;
        }))
      return false;
    const auto* more = schema.find("additionalProperties");
    const auto* properties = schema.find("properties");
    return std::ranges::all_of(value.object(), [&](const auto& entry) {
      const auto& [name, member] = entry;
      const auto* known = properties == nullptr ? nullptr : properties->find(name);
      if (known != nullptr) return fits(*known, member);
      return more == nullptr || (more->is_bool() ? more->boolean() : fits(*more, member));
    });
  }

  const json::Value& document_;
};

using Sink = std::function<void(const json::Value& changed)>;

/// Values beside the one of the example: at and beyond each bound, and of other types.
void vary(const Reader& reader, const json::Value& given, const json::Value& value,
          const Sink& sink) {
  const auto& schema = reader.resolved(given);
  for (const char* name : {"minimum", "maximum"}) {
    const auto* bound = schema.find(name);
    if (bound == nullptr) continue;
    for (const std::int64_t by : {-1, 0, 1}) {
      const auto near = bound->integer() + by;
      if (near >= -json::integer_max && near <= json::integer_max) sink(json::Value(near));
    }
  }
  for (const char* name : {"minLength", "maxLength"}) {
    const auto* bound = schema.find(name);
    if (bound == nullptr) continue;
    for (const std::int64_t by : {-1, 0, 1}) {
      if (bound->integer() + by >= 0)
        sink(std::string(static_cast<std::size_t>(bound->integer() + by), 'a'));
    }
  }
  if (const auto* words = schema.find("enum")) {
    for (const auto& word : words->array()) sink(word);
  }
  for (const std::size_t digits : {0U, 30U, 32U, 62U, 64U, 66U, 128U, 130U})
    sink(std::string(digits, 'a'));
  for (const char* text : {"other", "table-1", "shoe-01", "AB", "Zm9v", "Zm9"}) sink(text);
  sink(true);
  sink(7);
  sink(json::Object{});
  sink(json::Array{});
  if (const auto* forms = schema.find("oneOf")) {
    for (const auto& form : forms->array()) vary(reader, form, value, sink);
  }
  if (value.is_array() && schema.find("items") != nullptr) {
    for (std::size_t i = 0; i < value.array().size(); ++i) {
      vary(reader, *schema.find("items"), value.array()[i], [&](const json::Value& item) {
        auto changed = value.array();
        changed[i] = item;
        sink(json::Value(std::move(changed)));
      });
    }
  }
  if (!value.is_object()) return;
  auto more = value.object();
  more["unknown_member"] = 1;
  sink(json::Value(std::move(more)));
  for (const auto& [name, member] : value.object()) {
    auto less = value.object();
    less.erase(name);
    sink(json::Value(std::move(less)));
  }
  const auto* properties = schema.find("properties");
  if (properties == nullptr) return;
  for (const auto& [name, described] : properties->object()) {
    const auto* now = value.find(name);
    vary(reader, described, now == nullptr ? json::Value() : *now, [&](const json::Value& member) {
      auto changed = value.object();
      changed.insert_or_assign(name, member);
      sink(json::Value(std::move(changed)));
    });
  }
}

struct Asked {
  std::string id, method, path;
  json::Value schema, example;
};

std::vector<Asked> posts(const json::Value& document) {
  std::vector<Asked> all;
  for (const auto& [path, methods] : document.find("paths")->object()) {
    const auto* post = methods.find("post");
    if (post == nullptr) continue;
    const auto* content = post->find("requestBody")->find("content")->find("application/json");
    std::string target = path;  // nothing of that id is there: what fits is refused behind it
    for (auto open = target.find('{'); open != std::string::npos; open = target.find('{')) {
      const auto close = target.find('}');
      const auto name = target.substr(open + 1, close - open - 1);
      target.replace(open, close - open + 1, name + "-999999");
    }
    all.push_back({post->find("operationId")->string(), "POST", target, *content->find("schema"),
                   *content->find("example")});
  }
  return all;
}

/// Refusals of a body as it stands, for what no schema says: that one member goes with another.
bool beyond_schema(const std::string& id, const json::Value& body) {
  if (id == "draw" || id == "mixShoe" || id == "recordAnswer")
    return true;  // what a core is for decides what it holds
  if (id == "openMeter") return body.find("value") != nullptr;  // not below what the terms say
  return id == "openTable";  // decks and ranges have readers of their own
}

TEST(Requests, are_taken_and_refused_as_the_document_says) {
  const auto document = json::parse(openapi_document());
  ASSERT_TRUE(document);
  const Reader reader(*document);
  Settings settings;
  settings.client_rate_per_s = 0;
  Rig rig(settings);
  rig.client.roles = {
      Role::table,     Role::seat,    Role::auditor, Role::operator_, Role::security_officer,
      Role::inspector, Role::shuffler};
  std::size_t refused = 0;
  std::size_t taken = 0;
  for (const auto& operation : posts(*document)) {
    EXPECT_TRUE(reader.fits(operation.schema, operation.example)) << operation.id;
    const auto send = [&](const json::Value& body) {
      if (!body.is_object()) return;
      const bool fits = reader.fits(operation.schema, body);
      const auto text = json::canonical(body);
      const auto got = rig.post(operation.path, text);
      const bool malformed = got.code() == "malformed_request" || got.code() == "nonce_malformed";
      (fits ? taken : refused) += 1;
      if (fits && beyond_schema(operation.id, body)) return;
      EXPECT_EQ(malformed, !fits) << operation.id << " " << text << "\n" << got.body;
    };
    send(operation.example);
    vary(reader, operation.schema, operation.example, send);
  }
  EXPECT_GT(refused, 1000U);
  EXPECT_GT(taken, 200U);
}

TEST(Requests, queries_are_taken_and_refused_as_the_document_says) {
  Rig rig;
  rig.client.roles = {Role::auditor, Role::table};
  for (const char* good : {"?limit=1", "?limit=1000", "?after=-1", "?after=0&limit=5", ""})
    EXPECT_EQ(rig.get("/v1/events" + std::string(good)).status, 200) << good;
  for (const char* bad : {"?limit=0", "?limit=1001", "?limit=01", "?limit=", "?after=-2",
                          "?after=x", "?kinds=DRAW", "?limit=1&limit=2", "?limit"})
    EXPECT_EQ(rig.get("/v1/events" + std::string(bad)).code(), "malformed_request") << bad;
  for (const char* path : {"/v1/tables?colour=7", "/v1/status?x=1", "/v1/checkpoint?x=1"})
    EXPECT_EQ(rig.get(path).code(), "malformed_request") << path;
  EXPECT_EQ(rig.get("/v1/catalogues?language=fr").code(), "malformed_request");
}

TEST(Requests, a_refusal_names_the_member_and_what_would_be_right) {
  Rig rig;
  const auto detail = [&](const std::string& path, const std::string& body) {
    return rig.post(path, body).text({"detail"});
  };
  EXPECT_EQ(
      detail("/v1/rounds/round-9/bets", R"({"bets":[{"id":"a","seat":1,"kind":"rojo","stake":5},)"
                                        R"({"id":"b","seat":1,"kind":"rojo","stake":0}]})"),
      "bets[1].stake: must be from 1 to 9007199254740991");
  EXPECT_EQ(detail("/v1/tables", R"({"catalogue":"es-1977","game":"craps","table":{"min":25}})"),
            "table.currency: is missing");
  EXPECT_EQ(detail("/v1/tables/table-4/batches", R"({"count":"many"})"),
            "count: an integer is expected");
  EXPECT_EQ(detail("/v1/tables/table-4/batches", R"({"number":2})"), "number: is not known here");
  EXPECT_EQ(detail("/v1/shoes/shoe-4/mix", R"({"signature":"AA=="})"), "core: is missing");
}

}  // namespace
}  // namespace talla::core::test
