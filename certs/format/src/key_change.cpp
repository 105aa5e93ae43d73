#include "format/key_change.hpp"

#include <algorithm>

#include "fields.hpp"
#include "hash_list.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t changes_max = 256;
constexpr std::string_view keys_type = "talla-log-keys";

Result<KeyChange> change_from(const json::Value& value) {
  Fields in(value, "key_changes[]", FormatErrc::malformed_bundle);
  KeyChange out;
  if (const json::Value* log_key = in.object("log_key"))
    out.log_key = in.nested(LogKey::from_json(*log_key));
  out.checkpoint = in.text("checkpoint");
  out.record = in.filled_text("record");
  out.path = hash_list(in, "path");
  out.consistency = hash_list(in, "consistency");
  return in.finish(std::move(out));
}

}  // namespace

json::Value key_changes_json(const std::vector<KeyChange>& changes) {
  json::Array all;
  for (const KeyChange& change : changes) {
    all.emplace_back(json::Object{{"log_key", change.log_key.to_json()},
                                  {"checkpoint", change.checkpoint},
                                  {"record", change.record},
                                  {"path", hash_list_json(change.path)},
                                  {"consistency", hash_list_json(change.consistency)}});
  }
  return json::Value(std::move(all));
}

Result<std::vector<KeyChange>> key_changes_from(const json::Value& value) {
  if (!value.is_array() || value.array().empty() || value.array().size() > changes_max)
    return fail(FormatErrc::malformed_bundle, "key_changes: an array of 1 to 256 is expected");
  std::vector<KeyChange> changes;
  for (const json::Value& one : value.array()) {
    TALLA_TRY(KeyChange change, change_from(one));
    changes.push_back(std::move(change));
  }
  return changes;
}

std::string format_log_keys(const LogKeys& keys) {
  json::Object value{{"v", format_version},
                     {"type", keys_type},
                     {"log_key", keys.log_key.to_json()},
                     {"checkpoint", keys.checkpoint}};
  if (!keys.changes.empty()) value.emplace("key_changes", key_changes_json(keys.changes));
  return json::canonical(json::Value(std::move(value)));
}

Result<LogKeys> parse_log_keys(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(FormatErrc::malformed_bundle, "log keys: " + value.error().detail);
  Fields in(*value, "log keys", FormatErrc::malformed_bundle);
  LogKeys out;
  in.require(in.integer("v", {format_version, format_version}) == format_version, "v", "must be 2");
  in.require(in.text("type") == keys_type, "type", "must be `talla-log-keys`");
  if (const json::Value* log_key = in.object("log_key"))
    out.log_key = in.nested(LogKey::from_json(*log_key));
  out.checkpoint = in.text("checkpoint");
  if (const json::Value* changes = in.optional("key_changes"))
    out.changes = in.nested(key_changes_from(*changes));
  return in.finish(std::move(out));
}

}  // namespace talla::certs
