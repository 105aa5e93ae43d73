// The state of a submission under way.
#include "sent.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/bytes.hpp"
#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"

namespace talla::lab::esv {

namespace {
constexpr std::size_t file_bytes_most = std::size_t{64} << 20;
constexpr std::string_view state_kind = "talla-lab esv state";
}  // namespace

Result<OutFile> out_file(const Submission& of, const json::Value& entry) {
  OutFile out;
  const std::filesystem::path path = text_at(entry, "filePath").value_or("");
  out.path = (path.is_absolute() ? path : std::filesystem::path(of.folder) / path).string();
  std::ifstream file(out.path, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  out.content = content.str();
  if (!file || path.empty() || out.content.size() > file_bytes_most)
    return fail(EsvErrc::esv_refused, out.path + ": cannot be read, or is above 64 MB");
  out.sha256 = to_hex(certs::OpensslHashes().sha256({as_bytes(out.content)}));
  return out;
}

Result<Sent> Sent::open(const std::string& path, const json::Value& identity) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    Sent out(path, json::Object{{"identity", identity}, {"kind", state_kind}});
    TALLA_TRY_STATUS(out.keep());
    return out;
  }
  const auto refuse = [&](const std::string& why) {
    return fail(EsvErrc::esv_refused, path + ": " + why);
  };
  const auto text = certs::read_private_file(path);
  if (!text) return refuse(text.error().detail);
  auto parsed = json::parse(as_text(*text));
  if (!parsed || text_at(*parsed, "kind") != state_kind || parsed->find("identity") == nullptr)
    return refuse("this is no state of talla-lab esv send");
  if (*parsed->find("identity") != identity)
    return refuse(
        "this is the state of another submission: run file, files or server differ. Give another "
        "--state, or take this one away; what the server has of it stays there");
  return Sent(path, std::move(*parsed));
}

Status Sent::keep() const {
  return certs::replace_private_file(path_, as_bytes(json::canonical(all_) + "\n"));
}

}  // namespace talla::lab::esv
