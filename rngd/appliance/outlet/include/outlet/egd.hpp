/// \file
/// The commands of the EGD protocol (Entropy Gathering Daemon), as its clients send them.
///
/// Grammar, one byte each where nothing else is said:
///
///     0x00                       pool level         answer: u32 big endian, bits ready now
///     0x01 count                 read, no waiting   answer: count' <= count, then so many bytes
///     0x02 count                 read, waiting      answer: count bytes, when there are so many
///     0x03 bits bits count data  write entropy      no answer (bits: u16 big endian)
///     0x04                       process id         answer: count, then so many decimal digits
///
/// Anything else is malformed: the protocol has no error reply, so the connection ends.
/// Memory: nothing of a write is kept, its data are wiped off as they come.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/bytes.hpp"

namespace talla::outlet {

struct EgdCommand {
  enum class Kind : std::uint8_t { level = 0, read = 1, read_waiting = 2, write = 3, process = 4 };
  Kind kind = Kind::level;
  std::uint8_t count = 0;  ///< Bytes asked for, or written.
  std::uint16_t bits = 0;  ///< What a writer claims.
  bool operator==(const EgdCommand&) const = default;
};

/// Commands out of a stream of bytes.
class EgdParser {
 public:
  /// Takes bytes off the front of `input`, at most one command's; the command when it is whole.
  /// Errors: malformed_command, again at each later call.
  [[nodiscard]] Result<std::optional<EgdCommand>> take(ByteView& input);
  /// A command has begun and is not whole.
  [[nodiscard]] bool partial() const { return known_ > 0; }

 private:
  [[nodiscard]] std::size_t header_bytes() const;
  std::array<std::uint8_t, 4> header_{};
  std::size_t known_ = 0;
  std::size_t data_left_ = 0;
  bool failed_ = false;
};

}  // namespace talla::outlet
