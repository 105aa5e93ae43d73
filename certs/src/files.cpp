#include "certs/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "errno_text.hpp"
#include "private_file.hpp"

namespace talla::certs {

namespace {

constexpr std::size_t private_bytes_max = std::size_t{1} << 20U;
constexpr std::size_t public_bytes_max = std::size_t{8} << 20U;

/// A descriptor that is closed at the end of its block.
class File {
 public:
  File(const std::string& path, int flags, mode_t mode = 0)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~File() {
    if (fd_ >= 0) static_cast<void>(::close(fd_));
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  [[nodiscard]] bool good() const { return fd_ >= 0; }
  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

template <class Container>
Status read_all(const File& file, const std::string& path, std::size_t limit, Container& out) {
  struct stat state {};
  if (::fstat(file.fd(), &state) != 0)
    return fail(Errc::key_file_missing, path + ": " + errno_text());
  const auto size = static_cast<std::size_t>(state.st_size);
  if (size > limit) return fail(Errc::key_malformed, path + ": file is too long");
  out.resize(size);
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::read(file.fd(), out.data() + have, size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail(Errc::key_file_missing, path + ": " + errno_text());
    have += static_cast<std::size_t>(got);
  }
  return {};
}

Status write_all(const File& file, const std::string& path, ByteView content) {
  while (!content.empty()) {
    const ssize_t put = ::write(file.fd(), content.data(), content.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return fail(Errc::ledger_io, path + ": " + errno_text());
    content = content.subspan(static_cast<std::size_t>(put));
  }
  if (::fsync(file.fd()) != 0) return fail(Errc::ledger_io, path + ": fsync: " + errno_text());
  return {};
}

Status sync_folder_of(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const File file(folder, O_RDONLY | O_DIRECTORY);
  if (!file.good() || ::fsync(file.fd()) != 0)
    return fail(Errc::ledger_io, folder + ": " + errno_text());
  return {};
}

Status create_file(const std::string& path, ByteView content, mode_t mode) {
  const File file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  if (!file.good()) {
    if (errno == EEXIST) return fail(Errc::key_exists, path + " exists and is never overwritten");
    return fail(Errc::ledger_io, path + ": " + errno_text());
  }
  if (::fchmod(file.fd(), mode) != 0) return fail(Errc::ledger_io, path + ": " + errno_text());
  TALLA_TRY_STATUS(write_all(file, path, content));
  return sync_folder_of(path);
}

}  // namespace

Result<SecretBytes> read_file_closed_to(const std::string& path, mode_t forbidden) {
  const File file(path, O_RDONLY);
  if (!file.good()) return fail(Errc::key_file_missing, path + ": " + errno_text());
  struct stat state {};
  if (::fstat(file.fd(), &state) != 0)
    return fail(Errc::key_file_missing, path + ": " + errno_text());
  if (!S_ISREG(state.st_mode)) return fail(Errc::key_file_open, path + ": not a plain file");
  if ((state.st_mode & forbidden) != 0) {
    return fail(Errc::key_file_open,
                fmt::format("{}: mode {:04o} lets others in; run: chmod 600 {}", path,
                            state.st_mode & 07777U, path));
  }
  if (state.st_uid != ::geteuid() && state.st_uid != 0) {
    return fail(Errc::key_file_open,
                fmt::format("{}: it belongs to user {}, who can change it; run: chown {} {}", path,
                            state.st_uid, ::geteuid(), path));
  }
  SecretBytes content;
  TALLA_TRY_STATUS(read_all(file, path, private_bytes_max, content));
  return content;
}

Result<SecretBytes> read_private_file(const std::string& path) {
  return read_file_closed_to(path, S_IRWXG | S_IRWXO);
}

Result<std::string> read_file(const std::string& path) {
  const File file(path, O_RDONLY);
  if (!file.good()) return fail(Errc::key_file_missing, path + ": " + errno_text());
  std::string content;
  TALLA_TRY_STATUS(read_all(file, path, public_bytes_max, content));
  return content;
}

Status create_private_file(const std::string& path, ByteView content) {
  return create_file(path, content, 0600);
}

Status create_public_file(const std::string& path, std::string_view content) {
  return create_file(path, as_bytes(content), 0644);
}

namespace {

Status replace(const std::string& path, ByteView content, mode_t mode) {
  const std::string fresh = path + ".new";
  if (::unlink(fresh.c_str()) != 0 && errno != ENOENT)
    return fail(Errc::ledger_io, fresh + ": " + errno_text());
  {
    const File file(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    if (!file.good()) return fail(Errc::ledger_io, fresh + ": " + errno_text());
    TALLA_TRY_STATUS(write_all(file, fresh, content));
  }
  if (::rename(fresh.c_str(), path.c_str()) != 0)
    return fail(Errc::ledger_io, path + ": " + errno_text());
  return sync_folder_of(path);
}

}  // namespace

Status replace_file(const std::string& path, std::string_view content) {
  return replace(path, as_bytes(content), 0644);
}

Status replace_private_file(const std::string& path, ByteView content) {
  return replace(path, content, 0600);
}

Status create_folder(const std::string& path) {
  std::filesystem::path whole;
  for (const auto& part : std::filesystem::path(path)) {
    whole /= part;
    if (whole.empty() || ::mkdir(whole.c_str(), 0700) == 0 || errno == EEXIST) continue;
    return fail(Errc::ledger_io, whole.string() + ": " + errno_text());
  }
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored))
    return fail(Errc::ledger_io, path + ": not a folder");
  return {};
}

}  // namespace talla::certs
