// Where a device answers otherwise than the emulated one of its model.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "trial/reference.hpp"

namespace talla::trial {
namespace {

constexpr std::string_view arrow = " => ";
constexpr std::size_t compared_max =
    32;  // bytes: an answer of the protocol is short, noise is long

constexpr std::string_view type_name(usb::TransferType type) {
  switch (type) {
    case usb::TransferType::control:
      return "control";
    case usb::TransferType::isochronous:
      return "isochronous";
    case usb::TransferType::bulk:
      return "bulk";
    case usb::TransferType::interrupt:
      return "interrupt";
  }
  return "unknown";
}

/// Digits of a product's name become '#': a version is not the protocol.
std::string masked(std::string_view fact) {
  std::string out(fact);
  if (!fact.starts_with("product: ")) return out;
  std::ranges::replace_if(
      out, [](char c) { return c >= '0' && c <= '9'; }, '#');
  return out;
}

/// A line of text; two status bytes may look printable too.
bool is_text(const Bytes& bytes) {
  return std::ranges::find(bytes, '\n') != bytes.end() &&
         std::ranges::all_of(bytes, [](std::uint8_t byte) {
           return (byte >= 0x20 && byte <= 0x7e) || byte == '\r' || byte == '\n';
         });
}

/// What is asked, to its answers; lines without an arrow are facts by themselves.
struct Lines {
  std::set<std::string, std::less<>> facts;
  std::map<std::string, std::set<std::string>, std::less<>> answers;
};

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t at = line.find(arrow);
    if (line.empty()) continue;
    if (at == std::string_view::npos)
      lines.facts.emplace(line);
    else
      lines.answers[std::string(line.substr(0, at))].emplace(line.substr(at + arrow.size()));
  }
  return lines;
}

std::string joined(const std::set<std::string>& all) {
  std::string text;
  for (const std::string& each : all) text += (text.empty() ? "" : " or ") + each;
  return text;
}

/// "product: ChaosKey": what it is of, to be found again among the reference's facts.
std::string kind_of(std::string_view fact) {
  return std::string(fact.substr(0, fact.find(": ")));
}

void compare_facts(const Lines& reference, const usb::DeviceInfo& info,
                   std::vector<Difference>& found) {
  for (const std::string& fact : self_description(info)) {
    if (reference.facts.contains(masked(fact))) continue;
    const std::string kind = kind_of(fact);
    std::string theirs;
    for (const std::string& other : reference.facts) {
      if (kind_of(other) == kind) theirs = other;
    }
    found.push_back({.what = kind, .here = fact, .emulation = theirs});
  }
}

void compare_dialogue(const Lines& reference, const Transcript& transcript,
                      std::vector<Difference>& found) {
  for (std::size_t k = 0; k < transcript.setup(); ++k) {
    const Exchange& each = transcript.exchanges[k];
    if (each.asked.starts_with("open ")) continue;
    const auto known = reference.answers.find(each.asked);
    if (known != reference.answers.end() && known->second.contains(normal(each.answered))) continue;
    const bool told = std::ranges::any_of(found, [&](const Difference& other) {
      return other.what == each.asked && normal(other.here) == normal(each.answered);
    });
    if (told) continue;
    found.push_back({.what = each.asked,
                     .here = each.answered,
                     .emulation = known == reference.answers.end() ? "" : joined(known->second)});
  }
}

}  // namespace

std::vector<std::string> self_description(const usb::DeviceInfo& info) {
  std::vector<std::string> lines{fmt::format("ids: {:04x}:{:04x}", info.vendor_id, info.product_id),
                                 "manufacturer: " + info.manufacturer, "product: " + info.product};
  for (const usb::InterfaceInfo& each : info.interfaces) {
    std::string endpoints;
    for (const usb::EndpointInfo& endpoint : each.endpoints)
      endpoints += fmt::format(", {:02x} {} {}", endpoint.address, type_name(endpoint.type),
                               endpoint.packet_bytes_max);
    lines.push_back(
        fmt::format("interface {}: class {:02x}{}", each.number, each.class_code, endpoints));
  }
  return lines;
}

std::string normal(std::string_view answer) {
  const std::size_t cut = answer.find("... ");
  if (cut != std::string_view::npos) return std::string(answer.substr(cut + 4));
  // An error's code; its words are the bus's, and another bus has others.
  if (answer.starts_with("usb_")) return std::string(answer.substr(0, answer.find(':')));
  const auto bytes = from_hex(answer);
  if (!bytes || bytes->empty()) return std::string(answer);
  if (bytes->size() > compared_max) return fmt::format("{} bytes", bytes->size());
  if (!is_text(*bytes)) return std::string(answer);
  std::string text;
  for (const std::uint8_t byte : *bytes) {
    const bool digit = byte >= '0' && byte <= '9';
    text += byte == '\r'   ? "\\r"
            : byte == '\n' ? "\\n"
                           : std::string(1, digit ? '#' : static_cast<char>(byte));
  }
  return '"' + text + '"';
}

std::vector<std::string> reference_lines(const usb::DeviceInfo& info,
                                         const Transcript& transcript) {
  std::vector<std::string> lines;
  for (const std::string& fact : self_description(info)) lines.push_back(masked(fact));
  for (std::size_t k = 0; k < transcript.setup(); ++k) {
    const Exchange& each = transcript.exchanges[k];
    if (each.asked.starts_with("open ")) continue;
    std::string line = each.asked + std::string(arrow) + normal(each.answered);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

std::vector<Difference> differences(std::string_view model, const usb::DeviceInfo& info,
                                    const Transcript& transcript, bool with_dialogue) {
  std::vector<Difference> best;
  bool first = true;
  for (const Reference& reference : references()) {
    if (reference.model != model) continue;
    const Lines lines = split(reference.text);
    std::vector<Difference> found;
    compare_facts(lines, info, found);
    if (with_dialogue) compare_dialogue(lines, transcript, found);
    if (first || found.size() < best.size()) best = std::move(found);
    first = false;
  }
  return best;
}

}  // namespace talla::trial
