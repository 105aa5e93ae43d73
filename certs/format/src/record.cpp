#include "format/record.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "fields.hpp"
#include "format/checkpoint.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t key_characters_max = 64;

Status refuse(std::string detail) {
  return fail(FormatErrc::malformed_record, "record: " + std::move(detail));
}

bool plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}

bool is_utf8_note(std::string_view note) {
  return from_base64url(note).has_value();
}

bool cites_valid(const Record& record) {
  for (std::size_t i = 0; i < record.cites.size(); ++i) {
    if (record.cites[i] >= record.seq || (i > 0 && record.cites[i] <= record.cites[i - 1])) return false;
  }
  return true;
}

/// Opening records have no `prev` and name themselves; others of an object have both; the machine's have neither.
Status check_object(const Record& record) {
  if (record.kind == Kind::unknown) return {};
  const std::string_view object_class = kind_object(record.kind);
  if (object_class.empty()) {
    if (!record.object.empty() || record.prev) return refuse("object: a record of the machine has none");
    return {};
  }
  const auto opened_at = object_seq(object_class, record.object);
  if (!opened_at) return refuse("object: is no " + std::string(object_class) + " id");
  if (kind_opens(record.kind)) {
    if (record.prev || *opened_at != record.seq) return refuse("object: an opening record names its own seq");
    return {};
  }
  if (!record.prev || *opened_at > *record.prev) return refuse("prev: is missing or older than the object");
  return {};
}

Status check_envelope(const Record& record) {
  constexpr auto largest = static_cast<std::uint64_t>(json::integer_max);
  if (!origin_valid(record.origin)) return refuse("origin: is no log name");
  if (record.seq > largest) return refuse("seq: out of range");
  if (record.time_us < 0 || record.time_us > json::integer_max) return refuse("time: out of range");
  if (record.boot < 1 || record.boot > largest) return refuse("boot: out of range");
  if (record.client && (record.client->id.empty() || !plain(record.client->id)))
    return refuse("client.id: malformed");
  if (!record.key.empty() && !idempotency_key_valid(record.key)) return refuse("key: malformed");
  if (record.prev && *record.prev >= record.seq) return refuse("prev: is not below seq");
  if (!cites_valid(record)) return refuse("cites: must ascend below seq");
  if (!plain(record.object)) return refuse("object: malformed");
  if (!record.note.empty() && !is_utf8_note(record.note)) return refuse("note: is not base64url");
  if (!json::is_ascii(record.body)) return refuse("body: more than printable ASCII");
  TALLA_TRY_STATUS(check_object(record));
  return check_body(record.kind, record.body);
}

/// Appends members in the order they are called with, which must be the canonical one.
class Members {
 public:
  explicit Members(std::string& text) : text_(text) { text_ += '{'; }
  Members& raw(std::string_view key, std::string_view json_text) {
    if (text_.size() > 1) text_ += ',';
    text_.append("\"").append(key).append("\":").append(json_text);
    return *this;
  }
  Members& quoted(std::string_view key, std::string_view text) {
    return raw(key, json::canonical(json::Value(text)));
  }
  Members& number(std::string_view key, std::uint64_t value) { return raw(key, std::to_string(value)); }

 private:
  std::string& text_;
};

std::string cites_text(const std::vector<std::uint64_t>& cites) {
  std::string text = "[";
  for (const std::uint64_t seq : cites) text.append(text.size() > 1 ? "," : "").append(std::to_string(seq));
  return text + "]";
}

std::string envelope_text(const Record& record) {
  std::string text;
  Members members(text);
  members.raw("body", json::canonical(record.body))
      .number("boot", record.boot)
      .raw("cites", cites_text(record.cites));
  if (record.client) {
    members.raw("client", json::canonical(json::Object{{"id", record.client->id},
                                                       {"spki", to_hex(record.client->spki)}}));
  }
  if (!record.key.empty()) members.quoted("key", record.key);
  members.quoted("kind", kind_name(record.kind));
  if (!record.note.empty()) members.quoted("note", record.note);
  if (!record.object.empty()) members.quoted("object", record.object);
  members.quoted("origin", record.origin);
  if (record.prev) members.number("prev", *record.prev);
  if (record.request) members.quoted("request", to_hex(*record.request));
  members.number("seq", record.seq).number("time", static_cast<std::uint64_t>(record.time_us));
  members.quoted("time_quality", time_quality_name(record.time_quality)).number("v", 1);
  text += '}';
  return text;
}

Result<Client> client_from_json(const json::Value& value) {
  Fields in(value, "client", FormatErrc::malformed_record);
  Client client;
  client.id = in.filled_text("id");
  client.spki = in.digest("spki");
  return in.finish(std::move(client));
}

void read_cites(Fields& in, Record& record) {
  const json::Array* cites = in.array("cites");
  if (cites == nullptr) return;
  for (const auto& entry : *cites) {
    if (!entry.is_integer() || entry.integer() < 0) {
      in.refuse("cites", "sequence numbers are expected");
      return;
    }
    record.cites.push_back(static_cast<std::uint64_t>(entry.integer()));
  }
}

Result<Record> record_from_json(const json::Value& value) {
  Fields in(value, "record", FormatErrc::malformed_record);
  Record record;
  (void)in.integer("v", {1, 1});
  record.origin = in.text("origin");
  record.seq = in.count("seq");
  const std::string kind = in.filled_text("kind");
  record.kind = kind_from_name(kind);
  if (record.kind == Kind::unknown) record.unknown_kind = kind;
  record.time_us = in.integer("time", natural);
  record.time_quality = static_cast<TimeQuality>(in.word("time_quality", {"synced", "holdover", "unset"}));
  record.boot = in.count("boot");
  if (const json::Value* client = in.optional("client")) record.client = in.nested(client_from_json(*client));
  record.key = in.optional_text("key");
  record.request = in.optional_digest("request");
  record.object = in.optional_text("object");
  if (const auto prev = in.optional_integer("prev", natural)) record.prev = static_cast<std::uint64_t>(*prev);
  read_cites(in, record);
  if (const json::Value* body = in.object("body")) record.body = *body;
  record.note = in.optional_text("note");
  return in.finish(std::move(record));
}

}  // namespace

bool idempotency_key_valid(std::string_view key) {
  return !key.empty() && key.size() <= key_characters_max && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

Result<std::string> write_record(const Record& record) {
  if (record.kind == Kind::unknown) return fail(FormatErrc::unknown_kind, "record: no kind of version 1");
  TALLA_TRY_STATUS(check_envelope(record));
  std::string text = envelope_text(record);
  if (text.size() > record_bytes_max) return fail(FormatErrc::record_too_long, "record: above 60,000 bytes");
  return text;
}

Result<Record> parse_record(std::string_view bytes) {
  if (bytes.size() > record_bytes_max) return fail(FormatErrc::record_too_long, "record: above 60,000 bytes");
  auto value = json::parse_canonical(bytes);
  if (!value) return fail(FormatErrc::malformed_record, "record: " + value.error().detail);
  const json::Value* version = value->find("v");
  if (version == nullptr || !(*version == json::Value(1))) {
    return fail(FormatErrc::unknown_version, "record: only version 1 is known");
  }
  TALLA_TRY(Record record, record_from_json(*value));
  if (record.kind == Kind::unknown && !plain(record.unknown_kind)) {
    return fail(FormatErrc::malformed_record, "record.kind: malformed");
  }
  TALLA_TRY_STATUS(check_envelope(record));
  return record;
}

}  // namespace talla::certs
