#include "format/archive.hpp"

#include <algorithm>
#include <bit>

#include "fields.hpp"
#include "format/domain.hpp"
#include "hash_list.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view first_line = "talla-archive v1\n";
constexpr std::string_view archive_type = "talla-archive";
constexpr std::size_t buffer_bytes = std::size_t{1} << 18U;
/// Of a header, a state or a catalogue: what canonical JSON of the house may have.
constexpr std::size_t content_bytes_max = std::size_t{8} << 20U;

tl::unexpected<Error> malformed_archive(std::uint64_t at, const std::string& why) {
  return fail(ArchiveErrc::malformed_archive, "byte " + std::to_string(at) + ": " + why);
}

std::size_t bytes_max(ArchiveTag tag) {
  switch (tag) {
    case ArchiveTag::record:
      return record_bytes_max;
    case ArchiveTag::end:
      return Digest{}.size();
    case ArchiveTag::header:
    case ArchiveTag::state:
    case ArchiveTag::catalogue:
      return content_bytes_max;
  }
  return 0;
}

Status check_span(const ArchiveHeader& header) {
  const auto wrong = [](const std::string& why) {
    return fail(ArchiveErrc::malformed_archive, "header: " + why);
  };
  if (header.from >= header.to) return wrong("the span holds no record");
  if (header.left.size() != static_cast<std::size_t>(std::popcount(header.from)))
    return wrong("left: not one hash for each set bit of `from`");
  if (header.previous.has_value() != (header.from > 0))
    return wrong("previous: stands there exactly when the span does not begin with the log");
  TALLA_TRY(const SignedCheckpoint note, parse_cosigned_checkpoint(header.checkpoint));
  if (note.checkpoint.origin != header.origin) return wrong("the checkpoint is of another log");
  if (note.checkpoint.size < header.to) return wrong("the checkpoint ends before the records");
  return {};
}

}  // namespace

std::string_view errc_name(ArchiveErrc errc) {
  switch (errc) {
    case ArchiveErrc::malformed_archive:
      return "malformed_archive";
    case ArchiveErrc::archive_differs:
      return "archive_differs";
  }
  return "unknown";
}

std::string format_archive_header(const ArchiveHeader& header) {
  json::Object value{{"v", format_version},
                     {"type", archive_type},
                     {"origin", header.origin},
                     {"from", header.from},
                     {"to", header.to},
                     {"checkpoint", header.checkpoint},
                     {"log_key", header.log_key.to_json()},
                     {"left", hash_list_json(header.left)},
                     {"consistency", hash_list_json(header.consistency)}};
  if (!header.key_changes.empty())
    value.emplace("key_changes", key_changes_json(header.key_changes));
  if (header.previous) value.emplace("previous", to_hex(*header.previous));
  return json::canonical(json::Value(std::move(value)));
}

Result<ArchiveHeader> parse_archive_header(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value) return fail(ArchiveErrc::malformed_archive, "header: " + value.error().detail);
  Fields in(*value, "header", FormatErrc::malformed_bundle);
  ArchiveHeader out;
  in.require(in.integer("v", {format_version, format_version}) == format_version, "v", "must be 2");
  in.require(in.text("type") == archive_type, "type", "must be `talla-archive`");
  out.origin = in.filled_text("origin");
  out.from = in.count("from");
  out.to = in.count("to");
  out.checkpoint = in.filled_text("checkpoint");
  if (const json::Value* log_key = in.object("log_key"))
    out.log_key = in.nested(LogKey::from_json(*log_key));
  if (const json::Value* changes = in.optional("key_changes"))
    out.key_changes = in.nested(key_changes_from(*changes));
  out.left = hash_list(in, "left");
  out.consistency = hash_list(in, "consistency");
  out.previous = in.optional_digest("previous");
  if (const Status read = in.status(); !read)
    return fail(ArchiveErrc::malformed_archive, read.error().detail);
  TALLA_TRY_STATUS(check_span(out));
  return out;
}

Digest archive_digest(const HashSuite& hashes, std::string_view header_text) {
  return hashes.sha256({as_bytes(domain::archive), as_bytes(header_text)});
}

void put_archive_entry(std::string& out, ArchiveTag tag, std::string_view content) {
  ByteWriter front;
  front.u8(static_cast<std::uint8_t>(tag)).u32(static_cast<std::uint32_t>(content.size()));
  out.append(as_text(front.bytes())).append(content);
}

std::string archive_begin(std::string_view header_text) {
  std::string out(first_line);
  put_archive_entry(out, ArchiveTag::header, header_text);
  return out;
}

Result<bool> ArchiveReader::fill() {
  if (at_ < end_) return true;
  buffer_.resize(buffer_bytes);
  TALLA_TRY(end_, source_->read(buffer_));
  at_ = 0;
  return end_ > 0;
}

Status ArchiveReader::take(std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    TALLA_TRY(const bool more, fill());
    if (!more) return malformed_archive(position_, "the file is cut short");
    const std::size_t count = std::min(out.size() - done, end_ - at_);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), count,
                out.begin() + static_cast<std::ptrdiff_t>(done));
    at_ += count;
    done += count;
    position_ += count;
  }
  return {};
}

Result<ArchiveReader> ArchiveReader::open(ByteSource& source) {
  ArchiveReader reader(source);
  std::string line(first_line.size(), '\0');
  const auto writable = [](std::string& text) {
    return std::span<std::uint8_t>(reinterpret_cast<std::uint8_t*>(text.data()),
                                   text.size());  // NOLINT
  };
  TALLA_TRY_STATUS(reader.take(writable(line)));
  if (line != first_line) return malformed_archive(0, "no `talla-archive v1`");
  TALLA_TRY(const Entry entry, reader.next());
  if (entry.tag != ArchiveTag::header) return malformed_archive(first_line.size(), "no header");
  reader.header_text_ = entry.content;
  TALLA_TRY(reader.header_, parse_archive_header(reader.header_text_));
  return reader;
}

Result<ArchiveReader::Entry> ArchiveReader::next() {
  const std::uint64_t at = position_;
  std::array<std::uint8_t, 5> front{};
  TALLA_TRY_STATUS(take(front));
  const auto tag = static_cast<ArchiveTag>(front[0]);
  const std::uint32_t length = load_be32(front.data() + 1);
  if (length > bytes_max(tag))
    return malformed_archive(at, "an entry of no kind, or too long for it");
  if (tag == ArchiveTag::header && !header_text_.empty())
    return malformed_archive(at, "a second header");
  const std::uint64_t offset = position_;
  content_.resize(length);
  TALLA_TRY_STATUS(
      take({reinterpret_cast<std::uint8_t*>(content_.data()), content_.size()}));  // NOLINT
  return Entry{.tag = tag, .content = content_, .offset = offset};
}

Status ArchiveReader::finish() {
  TALLA_TRY(const bool more, fill());
  if (more) return malformed_archive(position_, "bytes behind the end");
  return {};
}

}  // namespace talla::certs
