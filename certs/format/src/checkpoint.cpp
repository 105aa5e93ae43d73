#include "format/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "decimal.hpp"
#include "format/errc.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t note_bytes_max = 65'536;
constexpr std::size_t origin_bytes_max = 200;
constexpr std::size_t cosignatures_max = 64;
constexpr std::string_view signature_mark = "\xE2\x80\x94 ";  // em dash, space
constexpr std::uint8_t ed25519_type = 0x01;
/// Unicode White_Space beyond ASCII, which key names may not hold (signed-note, "Format").
constexpr std::array<std::string_view, 8> wide_spaces = {
    "\xC2\x85",     "\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\xA8",
    "\xE2\x80\xA9", "\xE2\x80\xAF", "\xE2\x81\x9F", "\xE3\x80\x80"};

/// Length of the UTF-8 sequence at the start, or 0 when it is malformed.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool surrogate = first == 0xED && byte(1) > 0x9F;
  const bool beyond = first == 0xF4 && byte(1) > 0x8F;
  return overlong || surrogate || beyond ? 0 : length;
}

bool note_text_valid(std::string_view text) {
  while (!text.empty()) {
    const auto first = static_cast<std::uint8_t>(text.front());
    if ((first < 0x20 && first != '\n') || first == 0x7F) return false;
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool key_name_valid(std::string_view name) {
  if (name.empty()) return false;
  if (std::any_of(name.begin(), name.end(), [](char c) { return c == ' ' || c == '+'; }))
    return false;
  if (std::any_of(std::begin(wide_spaces), std::end(wide_spaces), [&](std::string_view space) {
        return name.find(space) != std::string_view::npos;
      })) {
    return false;
  }
  // U+2000 to U+200A.
  for (std::size_t at = name.find("\xE2\x80"); at != std::string_view::npos;
       at = name.find("\xE2\x80", at + 1)) {
    if (at + 2 < name.size() && static_cast<std::uint8_t>(name[at + 2]) <= 0x8A) return false;
  }
  return true;
}

/// The next line without its LF; nothing when no LF is left.
std::optional<std::string_view> take_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return line;
}

Result<NoteSignature> parse_signature_line(std::string_view line) {
  if (!line.starts_with(signature_mark))
    return fail(FormatErrc::malformed_note, "note: no signature line");
  line.remove_prefix(signature_mark.size());
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos)
    return fail(FormatErrc::malformed_note, "note: signature line without key");
  NoteSignature signature;
  signature.name = std::string(line.substr(0, space));
  if (!key_name_valid(signature.name))
    return fail(FormatErrc::malformed_note, "note: malformed key name");
  auto bytes = from_base64(line.substr(space + 1));
  if (!bytes || bytes->size() <= signature.key_id.size()) {
    return fail(FormatErrc::malformed_note, "note: malformed signature bytes");
  }
  std::copy_n(bytes->begin(), signature.key_id.size(), signature.key_id.begin());
  signature.signature.assign(bytes->begin() + static_cast<std::ptrdiff_t>(signature.key_id.size()),
                             bytes->end());
  return signature;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  const auto size = decimal_number(text);
  if (!size) return fail(FormatErrc::malformed_checkpoint, "checkpoint: malformed size");
  return *size;
}

}  // namespace

KeyId ed25519_key_id(const HashSuite& hashes, std::string_view name, const Digest& public_key) {
  constexpr std::array<std::uint8_t, 2> between = {0x0A, ed25519_type};
  const Digest digest = hashes.sha256({as_bytes(name), between, public_key});
  KeyId id{};
  std::copy_n(digest.begin(), id.size(), id.begin());
  return id;
}

bool origin_valid(std::string_view origin) {
  return !origin.empty() && origin.size() <= origin_bytes_max &&
         std::all_of(origin.begin(), origin.end(),
                     [](char c) { return c > 0x20 && c <= 0x7E && c != '+'; });
}

std::string checkpoint_text(const Checkpoint& checkpoint) {
  return checkpoint.origin + "\n" + std::to_string(checkpoint.size) + "\n" +
         to_base64(checkpoint.root) + "\n";
}

std::string signature_line(std::string_view name, const KeyId& key_id, ByteView signature) {
  Bytes tail(key_id.begin(), key_id.end());
  tail.insert(tail.end(), signature.begin(), signature.end());
  std::string line(signature_mark);
  return line.append(name).append(" ").append(to_base64(tail)).append("\n");
}

std::string format_checkpoint(const Checkpoint& checkpoint, const KeyId& key_id,
                              const Signature64& signature) {
  return checkpoint_text(checkpoint) + "\n" + signature_line(checkpoint.origin, key_id, signature);
}

Result<std::string> sign_checkpoint(const HashSuite& hashes, const Checkpoint& checkpoint,
                                    Ed25519Signer& signer) {
  if (!origin_valid(checkpoint.origin))
    return fail(FormatErrc::malformed_checkpoint, "checkpoint: malformed origin");
  const std::string text = checkpoint_text(checkpoint);
  TALLA_TRY(const Signature64 signature, signer.sign(as_bytes(text)));
  return format_checkpoint(
      checkpoint, ed25519_key_id(hashes, checkpoint.origin, signer.public_key()), signature);
}

Result<SignedNote> parse_note(std::string_view note) {
  if (note.size() > note_bytes_max) return fail(FormatErrc::malformed_note, "note: too long");
  if (!note_text_valid(note)) return fail(FormatErrc::malformed_note, "note: not UTF-8 text");
  // The signatures stand behind the last empty line.
  const std::size_t gap = note.rfind("\n\n");
  if (gap == std::string_view::npos)
    return fail(FormatErrc::malformed_note, "note: no signature block");
  SignedNote parsed;
  parsed.text = std::string(note.substr(0, gap + 1));
  std::string_view rest = note.substr(gap + 2);
  if (rest.empty() || rest.back() != '\n')
    return fail(FormatErrc::malformed_note, "note: no signature block");
  while (auto line = take_line(rest)) {
    TALLA_TRY(NoteSignature signature, parse_signature_line(*line));
    parsed.signatures.push_back(std::move(signature));
  }
  return parsed;
}

Result<Checkpoint> parse_checkpoint_text(std::string_view text) {
  std::string_view rest = text;
  const auto origin = take_line(rest);
  const auto size = take_line(rest);
  const auto root = take_line(rest);
  if (!origin || !size || !root || origin->empty()) {
    return fail(FormatErrc::malformed_checkpoint, "checkpoint: fewer than three lines");
  }
  while (!rest.empty()) {
    const auto extension = take_line(rest);
    if (!extension || extension->empty()) {
      return fail(FormatErrc::malformed_checkpoint, "checkpoint: malformed extension line");
    }
  }
  Checkpoint checkpoint;
  checkpoint.origin = std::string(*origin);
  TALLA_TRY(checkpoint.size, parse_size(*size));
  auto hash = from_base64(*root);
  if (!hash || hash->size() != checkpoint.root.size()) {
    return fail(FormatErrc::malformed_checkpoint, "checkpoint: malformed root");
  }
  std::copy(hash->begin(), hash->end(), checkpoint.root.begin());
  return checkpoint;
}

Result<SignedCheckpoint> parse_cosigned_checkpoint(std::string_view note) {
  SignedCheckpoint result;
  TALLA_TRY(result.note, parse_note(note));
  const SignedNote& parsed = result.note;
  TALLA_TRY(result.checkpoint, parse_checkpoint_text(parsed.text));
  if (!origin_valid(result.checkpoint.origin) ||
      checkpoint_text(result.checkpoint) != parsed.text) {
    return fail(FormatErrc::malformed_checkpoint,
                "checkpoint: more or other lines than origin, size and root");
  }
  const auto own_lines =
      std::count_if(parsed.signatures.begin(), parsed.signatures.end(),
                    [&](const auto& one) { return one.name == result.checkpoint.origin; });
  const NoteSignature& own = parsed.signatures.front();
  if (own_lines != 1 || parsed.signatures.size() > 1 + cosignatures_max ||
      own.name != result.checkpoint.origin || own.signature.size() != result.signature.size()) {
    return fail(FormatErrc::malformed_checkpoint,
                "checkpoint: not exactly one signature by the log itself");
  }
  result.key_id = own.key_id;
  std::copy(own.signature.begin(), own.signature.end(), result.signature.begin());
  result.text = parsed.text;
  return result;
}

Result<SignedCheckpoint> parse_checkpoint(std::string_view note) {
  TALLA_TRY(SignedCheckpoint result, parse_cosigned_checkpoint(note));
  if (result.note.signatures.size() != 1) {
    return fail(FormatErrc::malformed_checkpoint,
                "checkpoint: not exactly one signature by the log itself");
  }
  return result;
}

}  // namespace talla::certs
