/// \file
/// The frames on the socket between `rngd-source` and the core: one direction, strict, bounded.
///
/// Grammar (all integers big endian):
///
///     stream  = hello *( samples / notice / renewed ) ( bye / error )       or just: error
///     frame   = magic version type length payload
///     magic   = 0x54 0x53                  ; "TS"
///     version = 0x01
///     type    = 1 hello / 2 samples / 3 notice / 4 error / 5 bye / 6 renewed  ; one byte
///     length  = u32, bytes of payload, at most the type's limit
///     hello   = canonical JSON object, at most 1,024 bytes: model, serial, class
///               ("raw_physical" or "conditioned_physical"), bits_per_sample,
///               assessed_millibits_per_sample, nominal_rate_hz, assessment_origin; all required,
///               no others
///     samples = 1 to 16,384 sample bytes; a byte above 2^bits_per_sample - 1 is refused
///     notice  = canonical JSON object, at most 256 bytes: what ("stall_cleared" /
///               "restarted_after_silence" / "blocks_dropped" / "gain_permille" /
///               "sample_variance" / "supply_millivolts" / "firmware_version"), count: so many
///               since the start, or the figure that was measured
///     error   = canonical JSON object, at most 1,024 bytes: code, detail (printable ASCII)
///     bye     = empty; the orderly end
///     renewed = u64, the generation that begins: every sample behind it is younger than the
///               core's wish for it
///
/// The core sends wishes alone, `renew`: a frame of type 6 with a generation, each greater than the
/// one before. All that comes before the answer `renewed` with the last generation asked for is
/// older than that wish, and dropped unseen. The core closes its sending half to ask for the end.
/// End of the socket without bye or error is the death of the process. A reader meets anything
/// else: malformed_frame, and the stream is over. A higher version is refused: both programs come
/// from one package.
/// Secrecy: samples are raw noise; the decoder wipes what it has handed on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "base/bytes.hpp"
#include "entropy/source.hpp"
#include "usb/errors.hpp"

namespace talla::usb {

/// Bounds of the frames, bytes.
inline constexpr std::size_t frame_header_bytes = 8;
inline constexpr std::size_t hello_bytes_max = 1024;
inline constexpr std::size_t samples_bytes_max = 16384;
inline constexpr std::size_t notice_bytes_max = 256;
inline constexpr std::size_t error_bytes_max = 1024;
inline constexpr std::size_t renew_bytes = frame_header_bytes + 8;  ///< A whole wish or answer.

struct HelloFrame {
  entropy::SourceDescription description;
  std::string assessment_origin;
};
/// Samples of the device, one a byte.
struct SamplesFrame {
  Bytes samples;
};
/// Something that happened at the device, with a number.
struct NoticeFrame {
  enum class What : std::uint8_t {
    stall_cleared,
    restarted_after_silence,
    blocks_dropped,
    gain_permille,
    sample_variance,
    supply_millivolts,
    firmware_version,
  };
  What what = What::stall_cleared;
  /// Since the start of the source; of a figure (usb/driver.hpp) its value.
  std::uint64_t count = 0;
};
struct ErrorFrame {
  std::string code;  ///< An error code of the house, e.g. "usb_gone".
  std::string detail;
};
struct ByeFrame {};
struct RenewedFrame {
  std::uint64_t generation = 0;  ///< As asked for: what comes behind it was read since.
};
using Frame =
    std::variant<HelloFrame, SamplesFrame, NoticeFrame, ErrorFrame, ByeFrame, RenewedFrame>;

/// Precondition (checked): 1 to 16,384 samples. Texts that are too long are cut, and what is not
/// printable ASCII becomes '?': a device's strings and an error's words can never break the stream.
[[nodiscard]] Bytes encode_frame(const Frame& frame);
/// The samples frame without a copy into a Frame.
[[nodiscard]] Bytes encode_samples(ByteView samples);

/// The generation of a wish `renew`, which has the form of its answer; nothing for any other bytes.
[[nodiscard]] std::optional<std::uint64_t> decode_renew(ByteView bytes);

/// Takes bytes as they come and gives frames in order; enforces the grammar of the whole stream.
class FrameDecoder {
 public:
  FrameDecoder() = default;
  FrameDecoder(const FrameDecoder&) = delete;
  FrameDecoder& operator=(const FrameDecoder&) = delete;
  ~FrameDecoder();
  void push(ByteView bytes);
  /// The next whole frame, or nothing when more bytes are needed. Errors: malformed_frame, again at
  /// each later call.
  [[nodiscard]] Result<std::optional<Frame>> next();
  /// True after bye or error: nothing may follow.
  [[nodiscard]] bool ended() const { return ended_; }
  /// Bytes of an unfinished frame are waiting.
  [[nodiscard]] bool partial() const { return at_ < buffer_.size(); }

 private:
  [[nodiscard]] Result<std::optional<Frame>> step();
  [[nodiscard]] Result<Frame> decode(std::uint8_t type, ByteView payload);
  Bytes buffer_;
  std::size_t at_ = 0;
  unsigned bits_per_sample_ = 0;  ///< 0 until hello.
  bool ended_ = false;
  std::optional<Error> failed_;
};

}  // namespace talla::usb
