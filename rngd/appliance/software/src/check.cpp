#include "software/check.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "file.hpp"

namespace talla::software {
namespace {

using namespace std::string_view_literals;
constexpr auto file_domain = "talla/v2/software-file\0"sv;
constexpr auto whole_domain = "talla/v2/software\0"sv;
constexpr std::int64_t size_max = std::int64_t{512} << 20;

tl::unexpected<Error> unreadable(const std::string& path, const std::string& why) {
  return fail(Errc::unreadable, path + ": " + why);
}

}  // namespace

json::Array finding_list(const std::vector<Finding>& findings) {
  json::Array out;
  for (const auto& one : findings)
    out.emplace_back(json::Object{{"path", one.path}, {"what", one.what}});
  return out;
}

File::~File() {
  if (descriptor_ >= 0) static_cast<void>(::close(descriptor_));
}

Result<File> File::open(const std::string& path) {
  File file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.descriptor_ < 0)
    return unreadable(path, std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  struct stat facts {};
  if (::fstat(file.descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode))
    return unreadable(path, "is no plain file");
  file.size_ = facts.st_size;
  return file;
}

bool File::read_at(std::uint64_t offset, std::span<std::uint8_t> into) const {
  while (!into.empty()) {
    const auto got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    offset += static_cast<std::uint64_t>(got);
    into = into.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

Result<Bytes> read_plain_file(const std::string& path) {
  TALLA_TRY(const File file, File::open(path));
  if (file.size() > size_max) return unreadable(path, "more than 512 MiB");
  Bytes content(static_cast<std::size_t>(file.size()));
  if (!file.read_at(0, content)) return unreadable(path, "ended while it was read");
  std::uint8_t more = 0;
  if (file.read_at(content.size(), {&more, 1})) return unreadable(path, "grew while it was read");
  return content;
}

CheckReport check_files(const HashSuite& hashes, const SignedManifest& manifest,
                        const CheckOptions& options) {
  CheckReport report;
  const auto key = options.nonce.empty() ? nullptr : hashes.hmac_key(options.nonce);
  ByteWriter all;
  all.raw(whole_domain).raw(manifest.digest);
  for (const auto& file : manifest.manifest.files) {
    if (options.go_on && !options.go_on()) {
      report.whole = false;
      return report;
    }
    CheckedFile checked;
    const auto content = read_plain_file(options.root + file.path);
    if (!content) {
      report.findings.push_back({file.path, found_unreadable});
    } else {
      checked.sha256 = hashes.sha256({*content});
      if (content->size() != file.size || checked.sha256 != file.sha256)
        report.findings.push_back({file.path, found_changed});
      if (key) {
        ByteWriter name;
        name.field(file.path);
        checked.answer = key->mac({as_bytes(file_domain), name.bytes(), *content});
      }
    }
    all.field(file.path).raw(checked.answer);
    report.files.push_back(checked);
  }
  if (key) report.answer = key->mac({all.bytes()});
  return report;
}

}  // namespace talla::software
