// Maps one piece of memory many times behind itself.
#include "repeated.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <numeric>
#include <system_error>
#include <utility>

#include "lab_acvp/acvp.hpp"

namespace talla::lab::acvp {

namespace {

constexpr std::size_t piece_bytes_least = std::size_t{16} << 20;
constexpr std::size_t content_most = 4096;

tl::unexpected<Error> no_memory(const char* what) {
  return fail(AcvpErrc::acvp_failed,
              std::string(what) + ": " + std::generic_category().message(errno));
}

/// The content as often as it takes, in a file of memory.
bool write_piece(int fd, ByteView content, std::size_t piece) {
  Bytes bytes;
  bytes.reserve(piece);
  while (bytes.size() < piece) bytes.insert(bytes.end(), content.begin(), content.end());
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t put = ::write(fd, bytes.data() + at, bytes.size() - at);
    if (put <= 0) return false;
    at += static_cast<std::size_t>(put);
  }
  return true;
}

}  // namespace

Result<Repeated> Repeated::create(ByteView content, std::size_t bytes) {
  if (content.empty() || content.size() > content_most || bytes == 0)
    return fail(AcvpErrc::acvp_refused, "a repeated content has 1 to 4096 bytes");
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t unit = std::lcm(page, content.size());
  const std::size_t piece = (piece_bytes_least + unit - 1) / unit * unit;
  const std::size_t pieces = (bytes + piece - 1) / piece;
  const std::size_t mapped = pieces * piece;
  const int fd = ::memfd_create("repeated", MFD_CLOEXEC);
  if (fd < 0) return no_memory("memory for a long message");
  void* at = ::mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool good = at != MAP_FAILED && write_piece(fd, content, piece);
  for (std::size_t i = 0; good && i < pieces; ++i) {
    good = ::mmap(static_cast<std::uint8_t*>(at) + i * piece, piece, PROT_READ,
                  MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED;
  }
  const auto failed = no_memory("addresses for a long message");
  static_cast<void>(::close(fd));
  if (good) return Repeated(at, mapped, bytes);
  if (at != MAP_FAILED) static_cast<void>(::munmap(at, mapped));
  return failed;
}

Repeated::Repeated(Repeated&& other) noexcept
    : at_(std::exchange(other.at_, nullptr)), mapped_(other.mapped_), bytes_(other.bytes_) {}

Repeated::~Repeated() {
  if (at_ != nullptr) static_cast<void>(::munmap(at_, mapped_));
}

ByteView Repeated::view() const {
  return {static_cast<const std::uint8_t*>(at_), bytes_};
}

}  // namespace talla::lab::acvp
