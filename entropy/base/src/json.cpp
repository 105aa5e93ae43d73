#include "base/json.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "json_scan.hpp"

namespace talla::json {

bool Value::boolean() const {
  TALLA_CHECK(is_bool());
  return std::get<bool>(data_);
}
std::int64_t Value::integer() const {
  TALLA_CHECK(is_integer());
  return std::get<std::int64_t>(data_);
}
const std::string& Value::string() const {
  TALLA_CHECK(is_string());
  return std::get<std::string>(data_);
}
const Array& Value::array() const {
  TALLA_CHECK(is_array());
  return std::get<Array>(data_);
}
Array& Value::array() {
  TALLA_CHECK(is_array());
  return std::get<Array>(data_);
}
const Object& Value::object() const {
  TALLA_CHECK(is_object());
  return std::get<Object>(data_);
}
Object& Value::object() {
  TALLA_CHECK(is_object());
  return std::get<Object>(data_);
}

const Value* Value::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const auto& members = std::get<Object>(data_);
  const auto found = members.find(key);
  return found == members.end() ? nullptr : &found->second;
}

Value& Value::operator[](std::string_view key) {
  return object()[key];
}

void Value::require_safe(std::int64_t value, bool overflowed) {
  TALLA_CHECK(!overflowed);
  TALLA_CHECK(value <= integer_max);
  TALLA_CHECK(value >= -integer_max);
}

bool is_ascii(const Value& value) {
  const auto plain = [](std::string_view text) {
    while (true) {
      text.remove_prefix(plain_run(text));
      if (text.empty()) return true;
      if (text.front() != '"' && text.front() != '\\') return false;
      text.remove_prefix(1);
    }
  };
  if (value.is_string()) return plain(value.string());
  if (value.is_array()) return std::all_of(value.array().begin(), value.array().end(), is_ascii);
  if (!value.is_object()) return true;
  return std::all_of(value.object().begin(), value.object().end(), [&](const auto& member) {
    return plain(member.first) && is_ascii(member.second);
  });
}

}  // namespace talla::json
