#include "usb/source_frame.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/json.hpp"
#include "base/secret.hpp"

namespace talla::usb {
namespace {

constexpr std::uint8_t magic_0 = 0x54;
constexpr std::uint8_t magic_1 = 0x53;
constexpr std::uint8_t version = 1;
enum class Type : std::uint8_t {
  hello = 1,
  samples = 2,
  notice = 3,
  error = 4,
  bye = 5,
  renewed = 6
};

/// Room for the JSON around the two texts of an error, and for escapes.
constexpr std::size_t error_code_max = 48;
constexpr std::size_t error_detail_max = 400;

constexpr std::size_t payload_bytes_max(Type type) {
  switch (type) {
    case Type::hello:
      return hello_bytes_max;
    case Type::samples:
      return samples_bytes_max;
    case Type::notice:
      return notice_bytes_max;
    case Type::error:
      return error_bytes_max;
    case Type::bye:
      return 0;
    case Type::renewed:
      return renew_bytes - frame_header_bytes;
  }
  return 0;
}

constexpr std::string_view notice_name(NoticeFrame::What what) {
  switch (what) {
    case NoticeFrame::What::stall_cleared:
      return "stall_cleared";
    case NoticeFrame::What::restarted_after_silence:
      return "restarted_after_silence";
    case NoticeFrame::What::blocks_dropped:
      return "blocks_dropped";
    case NoticeFrame::What::gain_permille:
      return "gain_permille";
    case NoticeFrame::What::sample_variance:
      return "sample_variance";
    case NoticeFrame::What::supply_millivolts:
      return "supply_millivolts";
    case NoticeFrame::What::firmware_version:
      return "firmware_version";
  }
  return "";
}

Bytes frame_of(Type type, ByteView payload) {
  TALLA_CHECK(payload.size() <= payload_bytes_max(type));
  ByteWriter writer;
  writer.u8(magic_0).u8(magic_1).u8(version).u8(static_cast<std::uint8_t>(type));
  writer.u32(static_cast<std::uint32_t>(payload.size())).raw(payload);
  return writer.take();
}

std::string printable(std::string_view text, std::size_t size_max) {
  std::string clean(text.substr(0, size_max));
  std::ranges::replace_if(
      clean, [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  return clean;
}

struct Encoder {
  Bytes operator()(const HelloFrame& hello) const {
    const entropy::SourceDescription& description = hello.description;
    json::Value value;
    value["model"] = printable(description.model, 64);
    value["serial"] = printable(description.serial, 126);
    value["class"] = entropy::source_class_name(description.source_class);
    value["bits_per_sample"] = description.bits_per_sample;
    value["assessed_millibits_per_sample"] = description.assessed_millibits_per_sample;
    value["nominal_rate_hz"] = description.nominal_rate_hz;
    value["assessment_origin"] = printable(hello.assessment_origin, 200);
    return frame_of(Type::hello, as_bytes(json::canonical(value)));
  }
  Bytes operator()(const SamplesFrame& samples) const { return encode_samples(samples.samples); }
  Bytes operator()(const NoticeFrame& notice) const {
    json::Value value;
    value["what"] = notice_name(notice.what);
    value["count"] = notice.count;
    return frame_of(Type::notice, as_bytes(json::canonical(value)));
  }
  Bytes operator()(const ErrorFrame& error) const {
    json::Value value;
    value["code"] = printable(error.code, error_code_max);
    value["detail"] = printable(error.detail, error_detail_max);
    return frame_of(Type::error, as_bytes(json::canonical(value)));
  }
  Bytes operator()(const ByeFrame& /*bye*/) const { return frame_of(Type::bye, {}); }
  Bytes operator()(const RenewedFrame& renewed) const {
    return frame_of(Type::renewed, ByteWriter().u64(renewed.generation).bytes());
  }
};

tl::unexpected<Error> malformed(const std::string& what) {
  return fail(UsbErrc::malformed_frame, "frame of the source process: " + what);
}

Result<json::Value> parse_payload(ByteView payload) {
  auto value = json::parse_canonical(as_text(payload));
  if (!value) return malformed("payload is not canonical JSON");
  if (!json::is_ascii(*value)) return malformed("payload holds more than printable ASCII");
  return value;
}

Result<entropy::SourceClass> class_from_name(std::string_view name) {
  using entropy::SourceClass;
  for (const SourceClass each : {SourceClass::raw_physical, SourceClass::conditioned_physical}) {
    if (entropy::source_class_name(each) == name) return each;
  }
  return malformed("a source class that a USB generator cannot have");
}

Result<HelloFrame> decode_hello(ByteView payload) {
  TALLA_TRY(const json::Value value, parse_payload(payload));
  json::Reader reader(value, "hello");
  HelloFrame hello;
  entropy::SourceDescription& description = hello.description;
  TALLA_TRY(description.model, reader.string("model"));
  TALLA_TRY(description.serial, reader.string("serial"));
  TALLA_TRY(const std::string class_name, reader.string("class"));
  TALLA_TRY(description.source_class, class_from_name(class_name));
  TALLA_TRY(const std::int64_t bits, reader.integer("bits_per_sample", 1, 8));
  TALLA_TRY(const std::int64_t millibits,
            reader.integer("assessed_millibits_per_sample", 1, 1000 * bits));
  TALLA_TRY(const std::int64_t rate, reader.integer("nominal_rate_hz", 0, UINT32_MAX));
  TALLA_TRY(hello.assessment_origin, reader.string("assessment_origin"));
  TALLA_TRY_STATUS(reader.finish());
  if (description.model.empty()) return malformed("hello without a model");
  description.bits_per_sample = static_cast<unsigned>(bits);
  description.assessed_millibits_per_sample = static_cast<std::uint32_t>(millibits);
  description.nominal_rate_hz = static_cast<std::uint32_t>(rate);
  return hello;
}

Result<NoticeFrame> decode_notice(ByteView payload) {
  TALLA_TRY(const json::Value value, parse_payload(payload));
  json::Reader reader(value, "notice");
  TALLA_TRY(const std::string what, reader.string("what"));
  TALLA_TRY(const std::int64_t count, reader.integer("count", 1, json::integer_max));
  TALLA_TRY_STATUS(reader.finish());
  using What = NoticeFrame::What;
  for (const auto each : {What::stall_cleared, What::restarted_after_silence, What::blocks_dropped,
                          What::gain_permille, What::sample_variance, What::supply_millivolts,
                          What::firmware_version}) {
    if (notice_name(each) == what)
      return NoticeFrame{.what = each, .count = static_cast<std::uint64_t>(count)};
  }
  return malformed("unknown notice");
}

Result<ErrorFrame> decode_error(ByteView payload) {
  TALLA_TRY(const json::Value value, parse_payload(payload));
  json::Reader reader(value, "error");
  ErrorFrame error;
  TALLA_TRY(error.code, reader.string("code"));
  TALLA_TRY(error.detail, reader.string("detail"));
  TALLA_TRY_STATUS(reader.finish());
  if (error.code.empty()) return malformed("error without a code");
  return error;
}

/// The payload decoders speak JSON errors too; outside there is one code for all of them.
template <class T>
Result<Frame> as_frame(Result<T> decoded) {
  if (decoded) return Frame(std::move(*decoded));
  if (decoded.error().is(UsbErrc::malformed_frame)) return pass(std::move(decoded));
  return malformed(decoded.error().detail);
}

}  // namespace

Bytes encode_frame(const Frame& frame) {
  return std::visit(Encoder{}, frame);
}

std::optional<std::uint64_t> decode_renew(ByteView bytes) {
  if (bytes.size() != renew_bytes) return std::nullopt;
  std::uint64_t generation = 0;
  for (const std::uint8_t byte : bytes.subspan(frame_header_bytes))
    generation = generation << 8U | byte;
  const Bytes same = encode_frame(RenewedFrame{.generation = generation});
  return std::ranges::equal(same, bytes) ? std::optional(generation) : std::nullopt;
}

Bytes encode_samples(ByteView samples) {
  TALLA_CHECK(!samples.empty());
  return frame_of(Type::samples, samples);
}

FrameDecoder::~FrameDecoder() {
  wipe(buffer_.data(), buffer_.size());
}

void FrameDecoder::push(ByteView bytes) {
  if (at_ == buffer_.size()) {
    buffer_.clear();
    at_ = 0;
  }
  if (buffer_.capacity() <
      buffer_.size() + bytes.size()) {  // grow by hand: what moves must be wiped behind it
    Bytes grown;
    grown.reserve(
        std::max<std::size_t>(2 * (buffer_.size() - at_ + bytes.size()), samples_bytes_max));
    grown.insert(grown.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(at_), buffer_.end());
    wipe(buffer_.data(), buffer_.size());
    buffer_ = std::move(grown);
    at_ = 0;
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

Result<std::optional<Frame>> FrameDecoder::next() {
  if (failed_) return tl::unexpected<Error>(*failed_);
  auto frame = step();
  if (!frame) failed_ = frame.error();
  return frame;
}

Result<std::optional<Frame>> FrameDecoder::step() {
  const ByteView waiting = ByteView(buffer_).subspan(at_);
  if (waiting.empty()) return std::optional<Frame>();
  if (ended_) return malformed("bytes after the end");
  const bool good_start = waiting[0] == magic_0 && (waiting.size() < 2 || waiting[1] == magic_1) &&
                          (waiting.size() < 3 || waiting[2] == version);
  if (!good_start) return malformed("wrong magic or version");
  if (waiting.size() < frame_header_bytes) return std::optional<Frame>();
  const std::uint8_t type = waiting[3];
  if (type < static_cast<std::uint8_t>(Type::hello) ||
      type > static_cast<std::uint8_t>(Type::renewed))
    return malformed("unknown type");
  const std::size_t size = load_be32(waiting.data() + 4);
  if (size > payload_bytes_max(Type{type})) return malformed("payload longer than its type allows");
  if (waiting.size() < frame_header_bytes + size) return std::optional<Frame>();
  auto frame = decode(type, waiting.subspan(frame_header_bytes, size));
  wipe(buffer_.data() + at_, frame_header_bytes + size);
  at_ += frame_header_bytes + size;
  if (!frame) return pass(std::move(frame));
  return std::optional<Frame>(std::move(*frame));
}

Result<Frame> FrameDecoder::decode(std::uint8_t type, ByteView payload) {
  const bool greeted = bits_per_sample_ != 0;
  if (greeted && Type{type} == Type::hello) return malformed("a second hello");
  if (!greeted && Type{type} != Type::hello && Type{type} != Type::error) {
    return malformed("the first frame is neither hello nor error");
  }
  switch (Type{type}) {
    case Type::hello: {
      auto hello = decode_hello(payload);
      if (hello) bits_per_sample_ = hello->description.bits_per_sample;
      return as_frame(std::move(hello));
    }
    case Type::samples: {
      if (payload.empty()) return malformed("no samples in a samples frame");
      const unsigned excess = ~((1U << bits_per_sample_) - 1U);
      if (std::ranges::any_of(payload,
                              [excess](std::uint8_t sample) { return (sample & excess) != 0; })) {
        return malformed("a sample of more bits than the hello states");
      }
      return Frame(SamplesFrame{.samples = Bytes(payload.begin(), payload.end())});
    }
    case Type::notice:
      return as_frame(decode_notice(payload));
    case Type::error:
      ended_ = true;
      return as_frame(decode_error(payload));
    case Type::bye:
      ended_ = true;
      return Frame(ByeFrame{});
    case Type::renewed: {
      std::uint64_t generation = 0;
      if (payload.size() != renew_bytes - frame_header_bytes)
        return malformed("renewed without its generation");
      for (const std::uint8_t byte : payload) generation = generation << 8U | byte;
      return Frame(RenewedFrame{.generation = generation});
    }
  }
  return malformed("unknown type");
}

}  // namespace talla::usb
