#include "base/json.hpp"

#include <algorithm>

#include "base/check.hpp"

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
  auto& members = object();
  const auto found = members.find(key);
  return found != members.end() ? found->second : members.emplace(std::string(key), Value()).first->second;
}

void Value::require_safe(std::int64_t value, bool overflowed) {
  TALLA_CHECK(!overflowed);
  TALLA_CHECK(value <= integer_max);
  TALLA_CHECK(value >= -integer_max);
}

Reader::Reader(const Value& value, std::string where) : value_(&value), where_(std::move(where)) {}

bool Reader::has(std::string_view key) const { return value_->find(key) != nullptr; }

const Value* Reader::optional(std::string_view key) {
  const Value* found = value_->find(key);
  if (found != nullptr) read_.emplace_back(key);
  return found;
}

Result<const Value*> Reader::need(std::string_view key) {
  if (!value_->is_object()) return fail(BaseErrc::malformed_json, where_ + ": an object is expected");
  const Value* found = optional(key);
  if (found == nullptr) return fail(BaseErrc::malformed_json, where_ + "." + std::string(key) + ": is missing");
  return found;
}

Result<std::string> Reader::string(std::string_view key) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_string()) return fail(BaseErrc::malformed_json, where_ + "." + std::string(key) + ": a string is expected");
  return found->string();
}

Result<std::int64_t> Reader::integer(std::string_view key, std::int64_t min, std::int64_t max) {
  TALLA_TRY(const Value* found, need(key));
  const std::string path = where_ + "." + std::string(key);
  if (!found->is_integer()) return fail(BaseErrc::malformed_json, path + ": an integer is expected");
  const std::int64_t value = found->integer();
  if (value < min || value > max) {
    return fail(BaseErrc::malformed_json, path + ": must be from " + std::to_string(min) + " to " + std::to_string(max));
  }
  return value;
}

Result<bool> Reader::boolean(std::string_view key) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_bool()) return fail(BaseErrc::malformed_json, where_ + "." + std::string(key) + ": true or false is expected");
  return found->boolean();
}

Result<const Array*> Reader::array(std::string_view key) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_array()) return fail(BaseErrc::malformed_json, where_ + "." + std::string(key) + ": an array is expected");
  return &found->array();
}

Result<const Value*> Reader::object(std::string_view key) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_object()) return fail(BaseErrc::malformed_json, where_ + "." + std::string(key) + ": an object is expected");
  return found;
}

Status Reader::finish() const {
  if (!value_->is_object()) return fail(BaseErrc::malformed_json, where_ + ": an object is expected");
  for (const auto& [key, member] : value_->object()) {
    if (std::find(read_.begin(), read_.end(), key) == read_.end()) {
      return fail(BaseErrc::malformed_json, where_ + "." + key + ": is not known here");
    }
  }
  return {};
}

bool is_ascii(const Value& value) {
  const auto plain = [](std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7e; });
  };
  if (value.is_string()) return plain(value.string());
  if (value.is_array()) return std::all_of(value.array().begin(), value.array().end(), is_ascii);
  if (!value.is_object()) return true;
  return std::all_of(value.object().begin(), value.object().end(),
                     [&](const auto& member) { return plain(member.first) && is_ascii(member.second); });
}

}  // namespace talla::json
