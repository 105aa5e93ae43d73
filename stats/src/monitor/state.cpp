#include "stats/monitor/state.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace talla::stats::monitor {
namespace {

constexpr std::string_view magic = "talla-monitors\n";
constexpr std::uint32_t version = 1;

constexpr std::array<std::uint64_t, 256> crc_table() {
  std::array<std::uint64_t, 256> table{};
  for (std::uint64_t i = 0; i < table.size(); ++i) {
    std::uint64_t crc = i;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xC96C5795D7870F42ULL : 0ULL);
    table[i] = crc;
  }
  return table;
}

std::uint64_t crc64(std::string_view bytes) {
  static constexpr auto table = crc_table();
  std::uint64_t crc = ~std::uint64_t{0};
  for (const char c : bytes)
    crc = table[(crc ^ static_cast<std::uint8_t>(c)) & 0xFFU] ^ (crc >> 8U);
  return ~crc;
}

void append(std::string& out, std::uint64_t value, unsigned size) {
  for (unsigned i = 0; i < size; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
}

std::uint64_t number(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = (value << 8U) | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

}  // namespace

void StateWriter::u32(std::uint32_t value) {
  append(fields_, value, 4);
}
void StateWriter::u64(std::uint64_t value) {
  append(fields_, value, 8);
}
void StateWriter::f64(double value) {
  u64(std::bit_cast<std::uint64_t>(value));
}
void StateWriter::text(std::string_view value) {
  u32(static_cast<std::uint32_t>(value.size()));
  fields_ += value;
}
void StateWriter::f64s(std::span<const double> values) {
  for (const double value : values) f64(value);
}
void StateWriter::u64s(std::span<const std::uint64_t> values) {
  for (const std::uint64_t value : values) u64(value);
}

std::string_view StateReader::take(std::size_t size, std::string_view what) {
  if (!good()) return {};
  if (fields_.size() - at_ < size) {
    refuse(std::string(what) + " is missing");
    return {};
  }
  const auto taken = fields_.substr(at_, size);
  at_ += size;
  return taken;
}

void StateReader::refuse(std::string_view what) {
  if (good()) wrong_ = "state, byte " + std::to_string(at_) + ": " + std::string(what);
}
std::uint32_t StateReader::u32() {
  return static_cast<std::uint32_t>(number(take(4, "a number")));
}
std::uint64_t StateReader::u64() {
  return number(take(8, "a number"));
}
double StateReader::f64(double min) {
  const auto value = std::bit_cast<double>(u64());
  if (good() && !(std::isfinite(value) && value >= min)) refuse("a number is out of its range");
  return good() ? value : 0;
}
std::string StateReader::text() {
  const std::size_t size = u32();
  return std::string(take(size, "a text"));
}
void StateReader::f64s(std::span<double> into, double min) {
  for (double& value : into) value = f64(min);
}
void StateReader::u64s(std::span<std::uint64_t> into) {
  for (std::uint64_t& value : into) value = u64();
}
Result<bool> StateReader::finish() {
  if (good() && at_ != fields_.size()) refuse("more than a state");
  if (!good()) return stats::refuse(wrong_);
  return true;
}

std::string frame_state(std::string_view fields) {
  std::string frame(magic);
  append(frame, version, 4);
  append(frame, fields.size(), 8);
  frame += fields;
  append(frame, crc64(frame), 8);
  return frame;
}

Result<std::string_view> unframe_state(std::string_view bytes) {
  if (!bytes.starts_with(magic)) return refuse("no state of monitors");
  const std::size_t head = magic.size() + 12;
  if (bytes.size() < head + 8) return refuse("the state is cut short");
  const auto found = number(bytes.substr(magic.size(), 4));
  if (found != version) return refuse("state of version " + std::to_string(found) + ", expected 1");
  const auto size = number(bytes.substr(magic.size() + 4, 8));
  if (size != bytes.size() - head - 8) return refuse("the state is cut short or too long");
  if (number(bytes.substr(bytes.size() - 8)) != crc64(bytes.substr(0, bytes.size() - 8))) {
    return refuse("the state is damaged: its checksum is another one");
  }
  return bytes.substr(head, size);
}

}  // namespace talla::stats::monitor
