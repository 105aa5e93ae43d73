/// \file
/// The bytes of a monitor's state: written field by field, framed with a version and a checksum,
/// checked when read back.
///
/// Frame: "talla-monitors" and a line feed, u32 version (1), u64 length, the fields, u64 CRC-64
/// (ECMA-182, as in xz) of all before. Integers are little-endian, doubles their IEEE 754 bits,
/// texts a u32 length and their bytes.
/// Errors:  a damaged state is refused with what is wrong and where; nothing half-read is ever
///          used.
/// Threads: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "stats/result.hpp"

namespace talla::stats::monitor {

class StateWriter {
 public:
  /// Each writes one field behind the others.
  void u32(std::uint32_t value);
  void u64(std::uint64_t value);
  void i64(std::int64_t value) { u64(static_cast<std::uint64_t>(value)); }
  void f64(double value);
  void text(std::string_view value);
  void f64s(std::span<const double> values);
  void u64s(std::span<const std::uint64_t> values);
  [[nodiscard]] const std::string& fields() const { return fields_; }

 private:
  std::string fields_;
};

/// Reads fields in the order they were written. After a failure every read gives 0 and `status`
/// says what was wrong.
class StateReader {
 public:
  explicit StateReader(std::string_view fields) : fields_(fields) {}
  /// Each takes the next field.
  [[nodiscard]] std::uint32_t u32();
  [[nodiscard]] std::uint64_t u64();
  [[nodiscard]] std::int64_t i64() { return static_cast<std::int64_t>(u64()); }
  /// A finite double that is not below `min`.
  [[nodiscard]] double f64(double min);
  [[nodiscard]] std::string text();
  void f64s(std::span<double> into, double min);
  void u64s(std::span<std::uint64_t> into);
  /// Refuses the state: `what` does not fit.
  void refuse(std::string_view what);
  [[nodiscard]] bool good() const { return wrong_.empty(); }
  /// There are fields that were not read yet.
  [[nodiscard]] bool more() const { return good() && at_ < fields_.size(); }
  /// All was read and all of it fitted.
  [[nodiscard]] Result<bool> finish();

 private:
  [[nodiscard]] std::string_view take(std::size_t size, std::string_view what);
  std::string_view fields_;
  std::size_t at_ = 0;
  std::string wrong_;
};

/// The fields with version and CRC-64 around them.
[[nodiscard]] std::string frame_state(std::string_view fields);
/// The fields of a whole frame. Errors: no such state, another version, cut short, damaged.
[[nodiscard]] Result<std::string_view> unframe_state(std::string_view bytes);

}  // namespace talla::stats::monitor
