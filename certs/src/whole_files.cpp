#include "whole_files.hpp"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>

#include "errno_text.hpp"

namespace talla::certs {

namespace {

constexpr std::size_t copy_block_bytes = std::size_t{1} << 18U;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) static_cast<void>(::close(fd_));
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool good() const { return fd_ >= 0; }

 private:
  int fd_;
};

struct FreeDigest {
  void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
};

Status write_block(int fd, const std::string& path, ByteView block) {
  while (!block.empty()) {
    const ssize_t put = ::write(fd, block.data(), block.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return fail(Errc::ledger_io, path + ": " + errno_text());
    block = block.subspan(static_cast<std::size_t>(put));
  }
  return {};
}

/// `to` below 0: nothing is written.
Result<FileDigest> pump(const std::string& from, int to, const std::string& to_path) {
  const Descriptor in(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in.good()) return fail(BackupErrc::backup_refused, from + ": " + errno_text());
  const std::unique_ptr<EVP_MD_CTX, FreeDigest> context(EVP_MD_CTX_new());
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1)
    return fail(Errc::crypto_failed, "SHA-256");
  std::vector<std::uint8_t> block(copy_block_bytes);
  FileDigest out;
  for (;;) {
    const ssize_t got = ::read(in.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(BackupErrc::backup_refused, from + ": " + errno_text());
    if (got == 0) break;
    const auto count = static_cast<std::size_t>(got);
    if (EVP_DigestUpdate(context.get(), block.data(), count) != 1)
      return fail(Errc::crypto_failed, "SHA-256");
    if (to >= 0) TALLA_TRY_STATUS(write_block(to, to_path, ByteView(block).first(count)));
    out.bytes += count;
  }
  if (EVP_DigestFinal_ex(context.get(), out.sha256.data(), nullptr) != 1)
    return fail(Errc::crypto_failed, "SHA-256");
  return out;
}

}  // namespace

Result<FileDigest> digest_of_file(const std::string& path) {
  return pump(path, -1, {});
}

Result<FileDigest> copy_file_durably(const std::string& from, const std::string& to) {
  const Descriptor out(
      ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!out.good()) return fail(Errc::ledger_io, to + ": " + errno_text());
  TALLA_TRY(const FileDigest digest, pump(from, out.get(), to));
  if (::fsync(out.get()) != 0) return fail(Errc::ledger_io, to + ": fsync: " + errno_text());
  return digest;
}

Status sync_path(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.good() || ::fsync(file.get()) != 0)
    return fail(Errc::ledger_io, path + ": fsync: " + errno_text());
  return {};
}

Status name_folder(const std::string& partial, const std::string& folder) {
  TALLA_TRY_STATUS(sync_path(partial));
  if (std::filesystem::exists(std::filesystem::symlink_status(folder)))
    return fail(BackupErrc::backup_refused, folder + " exists already");
  if (::rename(partial.c_str(), folder.c_str()) != 0)
    return fail(Errc::ledger_io, folder + ": " + errno_text());
  const auto parent = std::filesystem::path(folder).parent_path();
  return sync_path(parent.empty() ? "." : parent.string());
}

}  // namespace talla::certs
