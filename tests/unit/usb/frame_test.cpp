// Goal: frames survive the way whole and cut anywhere, and all outside their grammar is refused.
// Method: bytes written by hand from the grammar, one broken rule at a time; round trips and cuts
//         (rapidcheck).
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/secret.hpp"
#include "usb/source_frame.hpp"

using namespace talla;
using namespace talla::usb;

namespace {

const std::string hello_json =
    R"({"assessed_millibits_per_sample":900,"assessment_origin":"o","bits_per_sample":2,"class":"raw_physical",)"
    R"("model":"m","nominal_rate_hz":5,"serial":"s"})";

Bytes frame(std::uint8_t type, std::string_view payload) {
  ByteWriter writer;
  writer.u8(0x54)
      .u8(0x53)
      .u8(1)
      .u8(type)
      .u32(static_cast<std::uint32_t>(payload.size()))
      .raw(payload);
  return writer.take();
}
Bytes hello() {
  return frame(1, hello_json);
}
Bytes operator+(Bytes left, const Bytes& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// All frames of a stream, or the error.
Result<std::vector<Frame>> decode_all(const Bytes& stream, std::size_t piece = 1 << 20) {
  FrameDecoder decoder;
  std::vector<Frame> frames;
  for (std::size_t at = 0; at < stream.size(); at += piece) {
    decoder.push(ByteView(stream).subspan(at, std::min(piece, stream.size() - at)));
    while (true) {
      TALLA_TRY(auto next, decoder.next());
      if (!next) break;
      frames.push_back(std::move(*next));
    }
  }
  return frames;
}

void expect_refused(const Bytes& stream) {
  const auto frames = decode_all(stream);
  ASSERT_FALSE(frames) << to_hex(stream);
  EXPECT_TRUE(frames.error().is(UsbErrc::malformed_frame));
}

}  // namespace

TEST(Frames, a_whole_stream_of_every_type_decodes) {
  const Bytes stream = hello() + frame(2, std::string("\0\1\2\3", 4)) +
                       frame(3, R"({"count":2,"what":"stall_cleared"})") +
                       frame(3, R"({"count":1,"what":"restarted_after_silence"})") + frame(5, "");
  for (const std::size_t piece : {1U, 3U, 1000U}) {
    const auto frames = decode_all(stream, piece);
    ASSERT_TRUE(frames) << frames.error().text();
    ASSERT_EQ(frames->size(), 5U);
    const auto& greeting = std::get<HelloFrame>((*frames)[0]);
    EXPECT_EQ(greeting.description.model, "m");
    EXPECT_EQ(greeting.description.serial, "s");
    EXPECT_EQ(greeting.description.source_class, entropy::SourceClass::raw_physical);
    EXPECT_EQ(greeting.description.bits_per_sample, 2U);
    EXPECT_EQ(greeting.description.assessed_millibits_per_sample, 900U);
    EXPECT_EQ(greeting.description.nominal_rate_hz, 5U);
    EXPECT_EQ(greeting.assessment_origin, "o");
    EXPECT_EQ(std::get<SamplesFrame>((*frames)[1]).samples, (Bytes{0, 1, 2, 3}));
    EXPECT_EQ(std::get<NoticeFrame>((*frames)[2]).count, 2U);
    EXPECT_EQ(std::get<NoticeFrame>((*frames)[3]).what, NoticeFrame::What::restarted_after_silence);
    EXPECT_TRUE(std::holds_alternative<ByeFrame>((*frames)[4]));
  }
}

TEST(Frames, an_error_may_stand_alone_or_end_a_stream) {
  const Bytes error = frame(4, R"({"code":"usb_gone","detail":"unplugged"})");
  EXPECT_EQ(std::get<ErrorFrame>(decode_all(error)->at(0)).code, "usb_gone");
  EXPECT_EQ(std::get<ErrorFrame>(decode_all(hello() + error)->at(1)).detail, "unplugged");
}

TEST(Frames, the_encoder_writes_exactly_the_grammar) {
  EXPECT_EQ(encode_frame(ByeFrame{}), (Bytes{0x54, 0x53, 1, 5, 0, 0, 0, 0}));
  EXPECT_EQ(encode_samples(Bytes{9, 8}), (Bytes{0x54, 0x53, 1, 2, 0, 0, 0, 2, 9, 8}));
  HelloFrame greeting;
  greeting.description = {.model = "m",
                          .serial = "s",
                          .source_class = entropy::SourceClass::raw_physical,
                          .bits_per_sample = 2,
                          .assessed_millibits_per_sample = 900,
                          .nominal_rate_hz = 5};
  greeting.assessment_origin = "o";
  EXPECT_EQ(encode_frame(greeting), hello());
}

TEST(Frames, wrong_headers_are_refused_at_the_first_wrong_byte) {
  expect_refused({0x55});
  expect_refused({0x54, 0x54});
  expect_refused({0x54, 0x53, 0});
  expect_refused({0x54, 0x53, 2});
  expect_refused({0x54, 0x53, 1, 0, 0, 0, 0, 0});
  expect_refused({0x54, 0x53, 1, 6, 0, 0, 0, 0});
  expect_refused({0x54, 0x53, 1, 1, 0, 0, 4, 1});                    // hello of 1,025 bytes
  expect_refused(hello() + Bytes{0x54, 0x53, 1, 2, 0, 0, 0x40, 1});  // 16,385 samples
  expect_refused(hello() + Bytes{0x54, 0x53, 1, 2, 0xFF, 0xFF, 0xFF, 0xFF});
  expect_refused(hello() + Bytes{0x54, 0x53, 1, 5, 0, 0, 0, 1});
}

TEST(Frames, order_is_hello_then_the_rest_then_the_end) {
  expect_refused(frame(2, "\1"));
  expect_refused(frame(3, R"({"count":1,"what":"stall_cleared"})"));
  expect_refused(frame(5, ""));
  expect_refused(hello() + hello());
  expect_refused(hello() + frame(5, "") + frame(2, "\1"));
  expect_refused(frame(4, R"({"code":"c","detail":""})") + hello());
}

TEST(Frames, payloads_are_strict) {
  expect_refused(hello() + frame(2, ""));
  expect_refused(hello() + frame(2, "\4"));  // three bits where hello says two
  expect_refused(hello() + frame(3, R"({"count":0,"what":"stall_cleared"})"));
  expect_refused(hello() + frame(3, R"({"count":1,"what":"other"})"));
  expect_refused(hello() + frame(3, R"({"what":"stall_cleared","count":1})"));  // not canonical
  expect_refused(hello() + frame(3, R"({"count":1,"more":1,"what":"stall_cleared"})"));
  expect_refused(frame(4, R"({"code":"","detail":""})"));
  expect_refused(frame(4, "{\"code\":\"c\",\"detail\":\"\xC3\xB1\"}"));
  expect_refused(frame(4, "[]"));
}

TEST(Frames, hello_is_strict) {
  const auto with = [](std::string_view from, std::string_view to) {
    std::string text = hello_json;
    text.replace(text.find(from), from.size(), to);
    return frame(1, text);
  };
  ASSERT_TRUE(decode_all(with("raw_physical", "conditioned_physical")));
  expect_refused(with("raw_physical", "system"));
  expect_refused(with("raw_physical", "lab"));
  expect_refused(with("\"bits_per_sample\":2", "\"bits_per_sample\":9"));
  expect_refused(with("\"bits_per_sample\":2", "\"bits_per_sample\":0"));
  expect_refused(with("900", "2001"));  // more entropy than bits
  expect_refused(with("900", "0"));
  expect_refused(with("\"model\":\"m\"", "\"model\":\"\""));
  expect_refused(with("\"serial\":\"s\"", "\"serial\":7"));
  expect_refused(with(",\"serial\":\"s\"", ""));
}

TEST(Wipe, the_decoder_keeps_nothing_of_what_it_gave_nor_of_a_buffer_it_outgrew) {
  const Bytes samples = encode_samples(Bytes(1000, 3));
  std::uint64_t before = 0;
  {
    FrameDecoder decoder;
    decoder.push(hello());
    ASSERT_TRUE(decoder.next());
    decoder.push(samples);
    before = wiped_bytes();
    ASSERT_TRUE(decoder.next());
    EXPECT_EQ(wiped_bytes() - before, samples.size()) << "a frame that was given";
    before = wiped_bytes();
    decoder.push(Bytes(samples_bytes_max, 9));
    decoder.push(Bytes(samples_bytes_max, 9));
    EXPECT_GE(wiped_bytes() - before, samples_bytes_max) << "it moved to a larger buffer";
    before = wiped_bytes();
  }
  EXPECT_GE(wiped_bytes() - before, 2 * samples_bytes_max) << "what it still held";
}

TEST(Frames, an_error_stays_an_error) {
  FrameDecoder decoder;
  decoder.push(Bytes{0});
  EXPECT_FALSE(decoder.next());
  decoder.push(hello());
  EXPECT_FALSE(decoder.next());
}

TEST(Frames, partial_tells_an_unfinished_frame) {
  FrameDecoder decoder;
  EXPECT_FALSE(decoder.partial());
  decoder.push(Bytes{0x54});
  ASSERT_TRUE(decoder.next());
  EXPECT_TRUE(decoder.partial());
}

TEST(Frames, no_device_text_and_no_error_text_can_break_the_stream) {
  EXPECT_TRUE(
      rc::check([](const std::string& model, const std::string& serial, const std::string& detail) {
        HelloFrame greeting;
        greeting.description.model = "m" + model;
        greeting.description.serial = serial;
        greeting.description.source_class = entropy::SourceClass::raw_physical;
        greeting.assessment_origin = detail;
        const auto frames = decode_all(encode_frame(greeting) +
                                       encode_frame(ErrorFrame{.code = "c", .detail = detail}));
        RC_ASSERT(frames.has_value());
        RC_ASSERT(frames->size() == 2U);
      }));
}

TEST(Frames, the_longest_texts_still_fit) {
  HelloFrame greeting;
  greeting.description.model = std::string(5000, '"');
  greeting.description.serial = std::string(5000, '\\');
  greeting.description.source_class = entropy::SourceClass::raw_physical;
  greeting.assessment_origin = std::string(5000, '"');
  const ErrorFrame error{.code = std::string(5000, '"'), .detail = std::string(5000, '"')};
  EXPECT_TRUE(decode_all(encode_frame(greeting) + encode_frame(error)));
}

TEST(Frames, samples_survive_any_cutting_of_the_stream) {
  EXPECT_TRUE(rc::check([](const std::vector<Bytes>& pieces) {
    std::string text = hello_json;
    text.replace(text.find("\"bits_per_sample\":2"), 19, "\"bits_per_sample\":8");
    Bytes stream = frame(1, text);
    Bytes sent;
    for (const Bytes& piece : pieces) {
      if (piece.empty()) continue;
      stream = stream + encode_samples(piece);
      sent = sent + piece;
    }
    const auto cut = *rc::gen::inRange<std::size_t>(1, 50);
    const auto frames = decode_all(stream, cut);
    RC_ASSERT(frames.has_value());
    Bytes received;
    for (const Frame& each : *frames) {
      if (const auto* samples = std::get_if<SamplesFrame>(&each))
        received = received + samples->samples;
    }
    RC_ASSERT(received == sent);
  }));
}
