#include "certs/transcript.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "certs/files.hpp"
#include "key_files.hpp"

namespace talla::certs {

namespace {

constexpr std::string_view heading =
    "Talla key ceremony: what was done, in order. Each digest covers all bytes before its line.\n";
constexpr std::string_view digest_start = "\n   digest: ";

Result<Digest> sha256(std::string_view text) {
  Digest digest{};
  if (EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    return crypto_fail("SHA-256");
  }
  return digest;
}

std::string without_controls(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, '?');
  return text;
}

std::string utc(std::int64_t now_us) {
  const std::time_t seconds = now_us / 1'000'000;
  std::tm parts{};
  std::array<char, 32> text{};
  if (::gmtime_r(&seconds, &parts) == nullptr) return "?";
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

Result<TranscriptView> check_transcript(const std::string& path) {
  TranscriptView view;
  TALLA_TRY(view.text, read_file(path));
  const auto damaged = [&](const std::string& why) {
    return fail(Errc::key_malformed, path + ": " + why);
  };
  if (!view.text.starts_with(heading)) return damaged("no transcript of a key ceremony");
  std::size_t end = heading.size();
  for (std::size_t at = 0; (at = view.text.find(digest_start, end)) != std::string::npos;) {
    ++view.entries;
    const std::string entry = "entry " + std::to_string(view.entries);
    const std::size_t stop = view.text.find('\n', at + 1);
    if (stop == std::string::npos) return damaged(entry + " is cut off");
    TALLA_TRY(const Digest expected, sha256(std::string_view(view.text).substr(0, at + 1)));
    if (view.text.substr(at + digest_start.size(), stop - at - digest_start.size()) !=
        to_hex(expected)) {
      return damaged(entry + " was changed: its digest does not fit");
    }
    end = stop + 1;
  }
  if (end != view.text.size()) return damaged("something stands behind the last digest");
  TALLA_TRY(view.digest, sha256(view.text));
  return view;
}

Status add_to_transcript(const std::string& path, const TranscriptEntry& entry) {
  TranscriptView before;
  before.text = heading;
  if (file_exists(path)) {
    TALLA_TRY(before, check_transcript(path));
  }
  std::string text = before.text + "\n" + std::to_string(before.entries + 1) + ". " +
                     utc(entry.now_us) + " " + without_controls(entry.act) + "\n";
  for (const auto& [name, value] : entry.facts)
    text += "   " + without_controls(name) + ": " + without_controls(value) + "\n";
  TALLA_TRY(const Digest digest, sha256(text));
  text.pop_back();  // the start of the last line brings its own line end
  return replace_file(path, text + std::string(digest_start) + to_hex(digest) + "\n");
}

}  // namespace talla::certs
