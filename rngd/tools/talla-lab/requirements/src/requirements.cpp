// Reads the matrix of requirements that is built in.
#include "lab_requirements/requirements.hpp"

#include "base/check.hpp"
#include "base/json.hpp"

namespace talla::lab::requirements {

namespace {

constexpr std::string_view built_in =
#include "built_in.hpp"
    ;

Result<std::vector<std::string>> texts(json::Reader& reader, std::string_view name,
                                       const std::string& where) {
  TALLA_TRY(const json::Array* list, reader.array(name));
  std::vector<std::string> out;
  for (const json::Value& item : *list) {
    if (!item.is_string() || item.string().empty())
      return fail(BaseErrc::malformed_json, where + "." + std::string(name) + ": texts");
    out.push_back(item.string());
  }
  return out;
}

Result<Clause> clause_of(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  Clause out;
  TALLA_TRY(out.clause, reader.string("clause"));
  TALLA_TRY(out.mark, reader.string("mark"));
  TALLA_TRY(out.asks, reader.string("asks"));
  TALLA_TRY(out.code, texts(reader, "code", where));
  TALLA_TRY(out.tests, texts(reader, "tests", where));
  TALLA_TRY(out.evidence, texts(reader, "evidence", where));
  if (reader.has("open")) {
    TALLA_TRY(out.open, reader.string("open"));
  }
  TALLA_TRY_STATUS(reader.finish());
  if (out.open.empty() && (out.tests.empty() || out.evidence.empty()))
    return fail(
        BaseErrc::malformed_json,
        where + " (" + out.clause + "): without tests or evidence it is open, and says why");
  return out;
}

Result<Group> group_of(const json::Value& value, const std::string& where) {
  json::Reader reader(value, where);
  Group out;
  TALLA_TRY(out.number, reader.integer("number", 1, 999));
  TALLA_TRY(out.name, reader.string("name"));
  TALLA_TRY(const json::Array* clauses, reader.array("clauses"));
  TALLA_TRY_STATUS(reader.finish());
  for (std::size_t i = 0; i < clauses->size(); ++i) {
    TALLA_TRY(Clause clause,
              clause_of((*clauses)[i], where + ".clauses[" + std::to_string(i) + "]"));
    out.clauses.push_back(std::move(clause));
  }
  return out;
}

}  // namespace

Result<std::vector<Group>> read(std::string_view text) {
  TALLA_TRY(const json::Value value, json::parse(text));
  json::Reader reader(value, "requirements");
  TALLA_TRY(const json::Array* list, reader.array("groups"));
  TALLA_TRY_STATUS(reader.finish());
  std::vector<Group> out;
  for (std::size_t i = 0; i < list->size(); ++i) {
    TALLA_TRY(Group group, group_of((*list)[i], "groups[" + std::to_string(i) + "]"));
    out.push_back(std::move(group));
  }
  return out;
}

const std::vector<Group>& groups() {
  static const std::vector<Group> all = [] {
    auto built = read(built_in);
    TALLA_CHECK(built.has_value());
    return std::move(*built);
  }();
  return all;
}

}  // namespace talla::lab::requirements
