#include "format/cosignature.hpp"

#include <algorithm>
#include <array>

#include "format/errc.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t time_bytes = 8;
constexpr std::size_t cosignature_bytes = time_bytes + Signature64{}.size();
constexpr std::uint64_t time_s_max = (std::uint64_t{1} << 63U) - 1;

tl::unexpected<Error> malformed_key(const std::string& what) {
  return fail(FormatErrc::malformed_key, "verifier key: " + what);
}

bool named(const NoteSignature& line, const VerifierKey& key) {
  return line.name == key.name && line.key_id == key.key_id;
}

}  // namespace

VerifierKey make_verifier_key(const HashSuite& hashes, std::string_view name, KeyType type,
                              const Digest& public_key) {
  const std::array<std::uint8_t, 2> between = {0x0A, static_cast<std::uint8_t>(type)};
  const Digest digest = hashes.sha256({as_bytes(name), between, public_key});
  VerifierKey key{.name = std::string(name), .key_id = {}, .type = type, .public_key = public_key};
  std::copy_n(digest.begin(), key.key_id.size(), key.key_id.begin());
  return key;
}

Result<VerifierKey> parse_verifier_key(const HashSuite& hashes, std::string_view text) {
  const std::size_t first = text.find('+');
  const std::size_t second = first == std::string_view::npos ? first : text.find('+', first + 1);
  if (second == std::string_view::npos)
    return malformed_key("<name>+<key id>+<base64> is expected");
  const std::string_view name = text.substr(0, first);
  const auto id = from_hex(text.substr(first + 1, second - first - 1));
  const auto material = from_base64(text.substr(second + 1));
  const bool control =
      std::any_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; });
  if (name.empty() || control)
    return malformed_key("the name is empty or holds control characters");
  if (!id || id->size() != KeyId{}.size())
    return malformed_key("the key id is not 8 lower-case hex digits");
  if (!material || material->empty()) return malformed_key("the key is not base64");
  const std::uint8_t type = material->front();
  if (type != static_cast<std::uint8_t>(KeyType::log) &&
      type != static_cast<std::uint8_t>(KeyType::witness)) {
    return malformed_key("signature type 0x" + to_hex({&type, 1}) +
                         " is not supported; 0x01 and 0x04 (Ed25519) are");
  }
  if (material->size() != 1 + Digest{}.size()) return malformed_key("an Ed25519 key has 32 bytes");
  Digest public_key{};
  std::copy(material->begin() + 1, material->end(), public_key.begin());
  VerifierKey key = make_verifier_key(hashes, name, KeyType{type}, public_key);
  if (!std::equal(key.key_id.begin(), key.key_id.end(), id->begin()))
    return malformed_key("the key id is not that of name and key");
  return key;
}

std::string format_verifier_key(const VerifierKey& key) {
  Bytes material{static_cast<std::uint8_t>(key.type)};
  material.insert(material.end(), key.public_key.begin(), key.public_key.end());
  return key.name + "+" + to_hex(key.key_id) + "+" + to_base64(material);
}

Result<Cosignature> parse_cosignature(ByteView bytes) {
  Cosignature parsed;
  if (bytes.size() != cosignature_bytes)
    return fail(FormatErrc::malformed_cosignature, "cosignature: 72 bytes are expected");
  parsed.time_s = load_be64(bytes.data());
  if (parsed.time_s == 0 || parsed.time_s > time_s_max)
    return fail(FormatErrc::malformed_cosignature, "cosignature: time out of range");
  std::copy(bytes.begin() + time_bytes, bytes.end(), parsed.signature.begin());
  return parsed;
}

std::string cosignature_message(std::uint64_t time_s, std::string_view checkpoint_text) {
  std::string message = "cosignature/v1\ntime " + std::to_string(time_s) + "\n";
  return message.append(checkpoint_text);
}

Result<std::string> cosign(std::string_view checkpoint_text, const VerifierKey& key,
                           std::uint64_t time_s, Ed25519Signer& signer) {
  if (time_s == 0 || time_s > time_s_max)
    return fail(FormatErrc::malformed_cosignature, "cosignature: time out of range");
  TALLA_TRY(const Signature64 signature,
            signer.sign(as_bytes(cosignature_message(time_s, checkpoint_text))));
  ByteWriter bytes;
  bytes.u64(time_s).raw(signature);
  return signature_line(key.name, key.key_id, bytes.bytes());
}

Signed check_log_signature(const SignedNote& note, const VerifierKey& key,
                           const Ed25519Verifier& verifier) {
  Signed state = Signed::absent;
  for (const NoteSignature& line : note.signatures) {
    if (!named(line, key)) continue;
    Signature64 signature{};
    if (line.signature.size() != signature.size()) return Signed::wrong;
    std::copy(line.signature.begin(), line.signature.end(), signature.begin());
    if (!verifier.verify(key.public_key, as_bytes(note.text), signature)) return Signed::wrong;
    state = Signed::valid;
  }
  return state;
}

CheckedCosignature check_cosignature(const SignedNote& note, const VerifierKey& key,
                                     const Ed25519Verifier& verifier) {
  CheckedCosignature checked;
  for (const NoteSignature& line : note.signatures) {
    if (!named(line, key)) continue;
    const auto parsed = parse_cosignature(line.signature);
    if (!parsed ||
        !verifier.verify(key.public_key, as_bytes(cosignature_message(parsed->time_s, note.text)),
                         parsed->signature)) {
      return {.state = Signed::wrong, .time_s = 0};
    }
    checked = {.state = Signed::valid, .time_s = std::max(checked.time_s, parsed->time_s)};
  }
  return checked;
}

}  // namespace talla::certs
