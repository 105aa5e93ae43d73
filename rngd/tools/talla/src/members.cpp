// Members of a reply that is only shown, whatever form it has.
#include "members.hpp"

namespace talla::cli {

const json::Value& member_in(const json::Value& of, std::string_view name) {
  static const json::Value none;
  const json::Value* found = of.find(name);
  return found == nullptr ? none : *found;
}

std::string word_of(const json::Value& value) {
  return value.is_string() ? value.string() : std::string(not_told);
}

std::string word_in(const json::Value& of, std::string_view name) {
  return word_of(member_in(of, name));
}

std::optional<std::int64_t> number_in(const json::Value& of, std::string_view name) {
  const json::Value& found = member_in(of, name);
  return found.is_integer() ? std::optional(found.integer()) : std::nullopt;
}

std::string number_text(const json::Value& of, std::string_view name) {
  const auto found = number_in(of, name);
  return found ? std::to_string(*found) : std::string(not_told);
}

bool says(const json::Value& of, std::string_view name) {
  const json::Value& found = member_in(of, name);
  return found.is_bool() && found.boolean();
}

const json::Array& list_in(const json::Value& of, std::string_view name) {
  static const json::Array none;
  const json::Value& found = member_in(of, name);
  return found.is_array() ? found.array() : none;
}

}  // namespace talla::cli
