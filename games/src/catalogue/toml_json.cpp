#include "catalogue/toml_json.hpp"

// Broken text reaches an assertion of the library and is refused right behind it: off in every
// build.
#define TOML_ASSERT(expr) static_assert(true)
#include <toml++/toml.h>

#include <exception>
#include <string>

#include "games/errc.hpp"

namespace talla::games {
namespace {

constexpr int depth_max = 16;

Result<json::Value> convert(const toml::node& node, int depth);

tl::unexpected<Error> bad_toml(const toml::node& node, const std::string& why) {
  return fail(Errc::catalogue_malformed,
              "line " + std::to_string(node.source().begin.line) + ": " + why);
}

Result<json::Value> convert_table(const toml::table& table, int depth) {
  json::Object out;
  for (const auto& [key, value] : table) {
    TALLA_TRY(auto converted, convert(value, depth + 1));
    out.emplace(std::string(key.str()), std::move(converted));
  }
  return json::Value(std::move(out));
}

Result<json::Value> convert_array(const toml::array& array, int depth) {
  json::Array out;
  for (const auto& value : array) {
    TALLA_TRY(auto converted, convert(value, depth + 1));
    out.push_back(std::move(converted));
  }
  return json::Value(std::move(out));
}

Result<json::Value> convert(const toml::node& node, int depth) {
  if (depth > depth_max) return bad_toml(node, "nested too deep");
  if (const auto* table = node.as_table()) return convert_table(*table, depth);
  if (const auto* array = node.as_array()) return convert_array(*array, depth);
  if (const auto* text = node.as_string()) return json::Value(text->get());
  if (const auto* truth = node.as_boolean()) return json::Value(truth->get());
  if (const auto* integer = node.as_integer()) {
    if (integer->get() > json::integer_max || integer->get() < -json::integer_max) {
      return bad_toml(node, "integer beyond 2^53");
    }
    return json::Value(integer->get());
  }
  return bad_toml(node, "only tables, arrays, strings, integers and booleans are allowed");
}

tl::unexpected<Error> wrong_at(const toml::parse_error& error) {
  return fail(Errc::catalogue_malformed, "line " + std::to_string(error.source().begin.line) +
                                             ": " + std::string(error.description()));
}

}  // namespace

#if TOML_EXCEPTIONS
Result<json::Value> toml_to_json(std::string_view text) {
  try {
    const toml::table table = toml::parse(text);
    return convert(table, 0);
  } catch (const toml::parse_error& error) {
    return wrong_at(error);
  } catch (const std::exception&) {
    return fail(Errc::catalogue_malformed, "the file cannot be read as TOML");
  }
}
#else  // the page's module is compiled without exceptions
Result<json::Value> toml_to_json(std::string_view text) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) return wrong_at(parsed.error());
  return convert(parsed.table(), 0);
}
#endif

}  // namespace talla::games
