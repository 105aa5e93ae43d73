#include "emulator/device_model.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>

namespace talla::emulator {
namespace {

void append_u16(Bytes& bytes, unsigned value) {
  bytes.push_back(static_cast<std::uint8_t>(value & 0xFFU));
  bytes.push_back(static_cast<std::uint8_t>(value >> 8U));
}

void append(Bytes& bytes, std::initializer_list<unsigned> values) {
  for (const unsigned value : values) bytes.push_back(static_cast<std::uint8_t>(value));
}

Bytes string_descriptor(const std::string& text) {
  Bytes bytes;
  append(bytes, {static_cast<unsigned>(2 + 2 * text.size()), 3});
  for (const char c : text) append_u16(bytes, static_cast<std::uint8_t>(c));
  return bytes;
}

}  // namespace

Bytes device_descriptor(const Identity& identity) {
  Bytes bytes;
  append(bytes, {18, 1, 0x00, 0x02, 0, 0, 0, 64});
  append_u16(bytes, identity.vendor_id);
  append_u16(bytes, identity.product_id);
  append_u16(bytes, 0x0100);
  append(bytes, {1, 2, 3, 1});
  return bytes;
}

Bytes configuration_descriptor(const Identity& identity) {
  Bytes body;
  for (const Interface& each : identity.interfaces) {
    append(body,
           {9, 4, each.number, 0, static_cast<unsigned>(each.endpoints.size()), each.class_code,
            each.class_code == 2 ? 2U : 0U, each.class_code == 2 ? 1U : 0U, 0});
    if (each.class_code ==
        2) {  // CDC header, call management, abstract control, union (CDC 1.2 table 11 and on)
      append(body, {5, 0x24, 0, 0x10, 0x01, 5, 0x24, 1, 0, each.number + 1U, 4, 0x24, 2, 2, 5, 0x24,
                    6, each.number, each.number + 1U});
    }
    for (const Endpoint& endpoint : each.endpoints) {
      append(body, {7, 5, endpoint.address, endpoint.attributes});
      append_u16(body, endpoint.packet_bytes);
      append(body, {endpoint.attributes == 3 ? 10U : 0U});
    }
  }
  Bytes bytes;
  append(bytes, {9, 2});
  append_u16(bytes, static_cast<unsigned>(9 + body.size()));
  append(bytes, {static_cast<unsigned>(identity.interfaces.size()), 1, 0, 0x80, 50});
  bytes.insert(bytes.end(), body.begin(), body.end());
  return bytes;
}

Reply DeviceModel::stall() {
  return {.status = -EPIPE};
}

std::size_t DeviceModel::packet_bytes(std::uint8_t endpoint) const {
  for (const Interface& each : identity_.interfaces) {
    for (const Endpoint& candidate : each.endpoints) {
      if (candidate.address == endpoint) return candidate.packet_bytes;
    }
  }
  return 0;
}

std::optional<Reply> DeviceModel::standard(const Setup& setup) const {
  constexpr std::uint8_t get_status = 0;
  constexpr std::uint8_t get_descriptor = 6;
  constexpr std::uint8_t get_configuration = 8;
  if ((setup.type & 0x60U) != 0) return std::nullopt;
  if ((setup.type & 0x80U) == 0)
    return Reply{};  // SET_CONFIGURATION, SET_INTERFACE, CLEAR_FEATURE...
  Bytes answer;
  if (setup.request == get_status) answer = {0, 0};
  if (setup.request == get_configuration) answer = {1};
  if (setup.request == get_descriptor) {
    const unsigned index = setup.value & 0xFFU;
    switch (setup.value >> 8U) {
      case 1:
        answer = device_descriptor(identity_);
        break;
      case 2:
        answer = configuration_descriptor(identity_);
        break;
      case 3:
        answer = index == 0   ? Bytes{4, 3, 0x09, 0x04}
                 : index == 1 ? string_descriptor(identity_.manufacturer)
                 : index == 2 ? string_descriptor(identity_.product)
                              : string_descriptor(identity_.serial);
        break;
      default:
        return stall();
    }
  }
  if (answer.empty()) return stall();
  answer.resize(std::min<std::size_t>(answer.size(), setup.length));
  return Reply{.status = 0, .bytes = std::move(answer)};
}

Reply DeviceModel::control(const Setup& setup, ByteView out) {
  if (auto reply = standard(setup)) {
    constexpr std::uint8_t clear_feature = 1;
    if (setup.type == 0x02 && setup.request == clear_feature)
      clear_halt(static_cast<std::uint8_t>(setup.index));
    return std::move(*reply);
  }
  std::array<char, 24> head{};
  static_cast<void>(std::snprintf(head.data(), head.size(), "%02x %02x %04x %04x", setup.type,
                                  setup.request, setup.value, setup.index));
  dialogue_.push_back(head.data() + (out.empty() ? std::string() : " " + to_hex(out)));
  if (faults_.mute_setup) return stall();
  Reply reply = on_control(setup, out);
  reply.bytes.resize(std::min<std::size_t>(reply.bytes.size(), setup.length));
  return reply;
}

Reply DeviceModel::bulk_out(std::uint8_t endpoint, ByteView data) {
  constexpr std::size_t shown_max = 32;
  dialogue_.push_back("> " + to_hex(data.first(std::min(data.size(), shown_max))));
  if (faults_.mute_setup) return stall();
  return on_bulk_out(endpoint, data);
}

void DeviceModel::clear_halt(std::uint8_t endpoint) {
  condition_.halted = false;
  cancel(endpoint);
}

/// A fault that ends the transfer at hand, or `wait` while the device says nothing.
std::optional<Reply> DeviceModel::fault_due(std::uint8_t endpoint, std::int64_t now_ns,
                                            bool& wait) {
  if (condition_.halted) return stall();
  if (faults_.stall_after != 0 && sent_ >= faults_.stall_after) {
    faults_.stall_after = 0;
    condition_.halted = true;
    cancel(endpoint);
    return stall();
  }
  if (faults_.error_after != 0 && sent_ >= faults_.error_after) {
    faults_.error_after = 0;
    cancel(endpoint);
    return Reply{.status = -EPROTO};
  }
  if (faults_.silent_after != 0 && sent_ >= faults_.silent_after) {
    if (condition_.silent_since_ns < 0) condition_.silent_since_ns = now_ns;
    wait = faults_.silent_ms == 0 || now_ns - condition_.silent_since_ns <
                                         static_cast<std::int64_t>(faults_.silent_ms) * 1'000'000;
    if (!wait) faults_.silent_after = 0;
  }
  return std::nullopt;
}

std::optional<Reply> DeviceModel::bulk_in(std::uint8_t endpoint, std::size_t size,
                                          std::int64_t now_ns) {
  const std::size_t packet_size = packet_bytes(endpoint);
  if (packet_size == 0) return stall();
  Bytes& filled = filling_[endpoint];
  while (true) {
    bool wait = false;
    if (auto fault = fault_due(endpoint, now_ns, wait)) return fault;
    if (wait || wants_to_go()) return std::nullopt;
    auto packet = next_packet(endpoint, now_ns);
    if (!packet) return std::nullopt;
    if (faults_.nonsense_after != 0 && sent_ >= faults_.nonsense_after && spoil(*packet))
      faults_.nonsense_after = 0;
    sent_ += packet->size();
    filled.insert(filled.end(), packet->begin(), packet->end());
    if (filled.size() > size) return Reply{.status = -EOVERFLOW};
    if (filled.size() < size && packet->size() == packet_size) continue;
    Reply reply{.status = 0, .bytes = std::move(filled)};
    filling_.erase(endpoint);
    return reply;
  }
}

std::size_t DeviceModel::yielded(std::int64_t now_ns, std::size_t most, unsigned permille) {
  if (rate_ == 0) return most;
  if (yield_.last_ns >= 0) {
    yield_.credit += static_cast<double>(now_ns - yield_.last_ns) * 1e-9 *
                     static_cast<double>(rate_) * permille / 1000.0;
    yield_.credit = std::min(yield_.credit, 65536.0);  // what a device can hold back
  }
  yield_.last_ns = now_ns;
  return std::min(most, static_cast<std::size_t>(std::max(yield_.credit, 0.0)));
}

}  // namespace talla::emulator
