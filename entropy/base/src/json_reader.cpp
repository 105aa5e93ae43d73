// Reads the members of a JSON object one by one and refuses what was not asked for.
#include <algorithm>

#include "base/json.hpp"

namespace talla::json {

namespace {
constexpr std::size_t bits = 64;
}

Reader::Reader(const Value& value, std::string where) : value_(&value), where_(std::move(where)) {}

std::string Reader::path(std::string_view key) const {
  return where_ + "." + std::string(key);
}

bool Reader::has(std::string_view key) const {
  return value_->find(key) != nullptr;
}

const Value* Reader::optional(std::string_view key) {
  if (!value_->is_object()) return nullptr;
  const Object& members = value_->object();
  const auto found = members.find(key);
  if (found == members.end()) return nullptr;
  const auto place = static_cast<std::size_t>(found - members.begin());
  if (place < bits) {
    read_ |= std::uint64_t{1} << place;
  } else {
    read_later_.push_back(place);
  }
  return &found->second;
}

Result<const Value*> Reader::need(std::string_view key) {
  if (!value_->is_object())
    return fail(BaseErrc::malformed_json, where_ + ": an object is expected");
  const Value* found = optional(key);
  if (found == nullptr) return fail(BaseErrc::malformed_json, path(key) + ": is missing");
  return found;
}

Result<std::string_view> Reader::text(std::string_view key) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_string())
    return fail(BaseErrc::malformed_json, path(key) + ": a string is expected");
  return std::string_view(found->string());
}

Result<std::string> Reader::string(std::string_view key) {
  TALLA_TRY(const std::string_view found, text(key));
  return std::string(found);
}

Result<std::int64_t> Reader::integer(std::string_view key, std::int64_t min, std::int64_t max) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_integer())
    return fail(BaseErrc::malformed_json, path(key) + ": an integer is expected");
  const std::int64_t value = found->integer();
  if (value < min || value > max) {
    return fail(BaseErrc::malformed_json,
                path(key) + ": must be from " + std::to_string(min) + " to " + std::to_string(max));
  }
  return value;
}

Result<bool> Reader::boolean(std::string_view key) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_bool())
    return fail(BaseErrc::malformed_json, path(key) + ": true or false is expected");
  return found->boolean();
}

Result<const Array*> Reader::array(std::string_view key) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_array())
    return fail(BaseErrc::malformed_json, path(key) + ": an array is expected");
  return &found->array();
}

Result<const Value*> Reader::object(std::string_view key) {
  TALLA_TRY(const Value* found, need(key));
  if (!found->is_object())
    return fail(BaseErrc::malformed_json, path(key) + ": an object is expected");
  return found;
}

Status Reader::finish() const {
  if (!value_->is_object())
    return fail(BaseErrc::malformed_json, where_ + ": an object is expected");
  std::size_t place = 0;
  for (const auto& [key, member] : value_->object()) {
    const bool read = place < bits ? (read_ >> place & 1) != 0
                                   : std::find(read_later_.begin(), read_later_.end(), place) !=
                                         read_later_.end();
    if (!read) return fail(BaseErrc::malformed_json, path(key) + ": is not known here");
    ++place;
  }
  return {};
}

}  // namespace talla::json
