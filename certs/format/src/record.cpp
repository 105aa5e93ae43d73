#include "format/record.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "fields.hpp"
#include "format/checkpoint.hpp"
#include "format/compose.hpp"
#include "text_writer.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t key_characters_max = 64;
constexpr std::size_t envelope_bytes_usual = 768;

Status refuse(std::string detail) {
  return fail(FormatErrc::malformed_record, "record: " + std::move(detail));
}

/// The JSON reader takes no string that is not UTF-8; where a note would break out of one, it is
/// shown a blank.
bool is_utf8_note(std::string_view note) {
  const auto words = from_base64url(note);
  if (!words) return false;
  std::string quoted = "\"";
  for (const std::uint8_t byte : *words)
    quoted += byte < 0x20 || byte == '"' || byte == '\\' ? ' ' : static_cast<char>(byte);
  return json::parse(quoted + '"').has_value();
}

bool cites_valid(const Record& record) {
  for (std::size_t i = 0; i < record.cites.size(); ++i) {
    if (record.cites[i] >= record.seq || (i > 0 && record.cites[i] <= record.cites[i - 1]))
      return false;
  }
  return true;
}

/// The chain of its table: `table` and `link`, and `prev` in all but TABLE_OPEN; others have none.
/// `opened_at`: where its object begins.
Status check_chain(const Record& record, std::uint64_t opened_at) {
  if (!kind_chained(record.kind)) {
    if (!record.table.empty() || record.prev || record.link)
      return refuse("table: a record of no table has none, nor prev and link");
    return {};
  }
  const auto table_at = object_seq(kind_object(Kind::table_open), record.table);
  if (!table_at) return refuse("table: is no table id");
  if (!record.link) return refuse("link: is missing");
  const std::string_view own = class_of_object(record.kind, record.body);
  if (own == kind_object(Kind::table_open) && record.table != record.object)
    return refuse("table: is not the object");
  const json::Value* named = record.body.find("table");
  if (named != nullptr && *named != json::Value(record.table))
    return refuse("table: is not that of the body");
  if (record.kind == Kind::table_open)
    return record.prev ? refuse("prev: the first record of a table has none") : Status();
  const bool within = !kind_opens(record.kind) && own != kind_object(Kind::meter_open);
  const std::uint64_t least = within ? std::max(*table_at, opened_at) : *table_at;
  if (!record.prev || *record.prev < least)
    return refuse("prev: is missing or older than the table or the object");
  return {};
}

/// Opening records name themselves; others of an object name what was opened before; the machine's
/// have no object.
Status check_object(const Record& record) {
  if (record.kind == Kind::unknown) return {};
  const std::string_view wanted = class_of_object(record.kind, record.body);
  if (wanted.empty()) {
    if (!record.object.empty() || record.meter_prev)
      return refuse("object: a record of the machine has none");
    return check_chain(record, 0);
  }
  const auto opened_at = object_seq(wanted, record.object);
  if (!opened_at) return refuse("object: is no " + std::string(wanted) + " id");
  if (kind_opens(record.kind) && *opened_at != record.seq)
    return refuse("object: an opening record names its own seq");
  const bool moves = wanted == kind_object(Kind::meter_open) && !kind_opens(record.kind);
  const bool in_order = !record.meter_prev || *record.meter_prev >= *opened_at;
  if (record.meter_prev.has_value() != moves || !in_order)
    return refuse("meter_prev: is missing, out of place or older than the meter");
  return check_chain(record, *opened_at);
}

Status check_envelope(const Record& record) {
  if (!origin_valid(record.origin)) return refuse("origin: is no log name");
  if (record.seq > largest_number) return refuse("seq: out of range");
  if (record.time_us < 0 || record.time_us > json::integer_max) return refuse("time: out of range");
  if (record.boot < 1 || record.boot > largest_number) return refuse("boot: out of range");
  if (record.client && (record.client->id.empty() || !printable(record.client->id)))
    return refuse("client.id: malformed");
  if (!record.key.empty() && !idempotency_key_valid(record.key)) return refuse("key: malformed");
  if (record.prev && *record.prev >= record.seq) return refuse("prev: is not below seq");
  if (record.meter_prev && *record.meter_prev >= record.seq)
    return refuse("meter_prev: is not below seq");
  if (!cites_valid(record)) return refuse("cites: must ascend below seq");
  if (!printable(record.object)) return refuse("object: malformed");
  if (!printable(record.table)) return refuse("table: malformed");
  if (!record.note.empty() && !is_utf8_note(record.note))
    return refuse("note: is not base64url of UTF-8");
  return check_object(record);
}

Status check_whole(const Record& record, bool ascii) {
  TALLA_TRY_STATUS(check_envelope(record));
  if (!ascii) return refuse("body: more than printable ASCII");
  return check_body(record.kind, record.body);
}

std::string envelope_text(const Record& record, std::string_view body) {
  std::string text;
  text.reserve(body.size() + envelope_bytes_usual);
  TextWriter out(text);
  out.open('{').key("body").raw(body).key("boot").number(record.boot).key("cites").open('[');
  for (const std::uint64_t seq : record.cites) out.number(seq);
  out.close(']');
  if (record.client) {
    out.key("client")
        .open('{')
        .key("id")
        .text(record.client->id)
        .key("spki")
        .hex(record.client->spki)
        .close('}');
  }
  if (!record.key.empty()) out.key("key").text(record.key);
  out.key("kind").text(kind_name(record.kind));
  if (record.link) out.key("link").hex(*record.link);
  if (record.meter_prev) out.key("meter_prev").number(*record.meter_prev);
  if (!record.note.empty()) out.key("note").text(record.note);
  if (!record.object.empty()) out.key("object").text(record.object);
  out.key("origin").text(record.origin);
  if (record.prev) out.key("prev").number(*record.prev);
  if (record.request) out.key("request").hex(*record.request);
  out.key("seq").number(record.seq);
  if (!record.table.empty()) out.key("table").text(record.table);
  out.key("time").number(static_cast<std::uint64_t>(record.time_us));
  out.key("time_quality")
      .text(time_quality_name(record.time_quality))
      .key("v")
      .number(format_version)
      .close('}');
  return text;
}

Result<std::string> within_length(std::string text) {
  if (text.size() > record_bytes_max)
    return fail(FormatErrc::record_too_long, "record: above 60,000 bytes");
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

/// All but the body, which the caller takes out of the value.
Result<Record> record_from_json(const json::Value& value) {
  Fields in(value, "record", FormatErrc::malformed_record);
  Record record;
  (void)in.integer("v", {format_version, format_version});
  record.origin = in.text("origin");
  record.seq = in.count("seq");
  const std::string kind = in.filled_text("kind");
  record.kind = kind_from_name(kind);
  if (record.kind == Kind::unknown) record.unknown_kind = kind;
  record.time_us = in.integer("time", natural);
  record.time_quality =
      static_cast<TimeQuality>(in.word("time_quality", {"synced", "holdover", "unset"}));
  record.boot = in.count("boot");
  if (const json::Value* client = in.optional("client"))
    record.client = in.nested(client_from_json(*client));
  record.key = in.optional_text("key");
  record.request = in.optional_digest("request");
  record.object = in.optional_text("object");
  if (const auto prev = in.optional_integer("prev", natural))
    record.prev = static_cast<std::uint64_t>(*prev);
  record.table = in.optional_text("table");
  record.link = in.optional_digest("link");
  if (const auto prev = in.optional_integer("meter_prev", natural))
    record.meter_prev = static_cast<std::uint64_t>(*prev);
  read_cites(in, record);
  (void)in.object("body");
  record.note = in.optional_text("note");
  return in.finish(std::move(record));
}

}  // namespace

bool idempotency_key_valid(std::string_view key) {
  return !key.empty() && key.size() <= key_characters_max &&
         std::all_of(key.begin(), key.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                  c == '.' || c == '_' || c == '-';
         });
}

Result<std::string> write_record(const Record& record) {
  if (record.kind == Kind::unknown)
    return fail(FormatErrc::unknown_kind, "record: no kind of version 2");
  TALLA_TRY_STATUS(check_whole(record, json::is_ascii(record.body)));
  return within_length(envelope_text(record, json::canonical(record.body)));
}

Result<std::string> write_record(const Record& record, const ComposedBody& body) {
  if (record.kind != body.kind())
    return fail(FormatErrc::malformed_body, "record: composed for another kind");
  TALLA_TRY_STATUS(check_envelope(record));
  return within_length(envelope_text(record, body.text()));
}

Result<Record> parse_record(std::string_view bytes) {
  if (bytes.size() > record_bytes_max)
    return fail(FormatErrc::record_too_long, "record: above 60,000 bytes");
  auto read = json::parse_canonical_text(bytes);
  if (!read) return fail(FormatErrc::malformed_record, "record: " + read.error().detail);
  json::Value& value = read->value;
  const json::Value* version = value.find("v");
  if (version == nullptr || !(*version == json::Value(format_version))) {
    return fail(FormatErrc::unknown_version, "record: only version 2 is known");
  }
  TALLA_TRY(Record record, record_from_json(value));
  record.body = std::move(value["body"]);
  if (record.kind == Kind::unknown && !printable(record.unknown_kind)) {
    return fail(FormatErrc::malformed_record, "record.kind: malformed");
  }
  TALLA_TRY_STATUS(check_whole(record, read->ascii || json::is_ascii(record.body)));
  return record;
}

}  // namespace talla::certs
