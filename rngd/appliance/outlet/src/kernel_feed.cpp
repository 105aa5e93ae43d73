#include "outlet/kernel_feed.hpp"

#include <fcntl.h>
#include <linux/random.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/check.hpp"
#include "base/secret.hpp"
#include "outlet/errc.hpp"

namespace talla::outlet {

namespace {

constexpr const char* device_path = "/dev/random";

/// rand_pool_info of <linux/random.h> with its bytes behind it.
struct PoolInput {
  int entropy_bits = 0;
  int size_bytes = 0;
  std::array<std::uint8_t, give_bytes_unit> bytes{};
};
static_assert(sizeof(PoolInput) == sizeof(rand_pool_info) + give_bytes_unit);

std::string words(int error) {
  return std::string("RNDADDENTROPY on ") + device_path + ": " + strerrordesc_np(error);
}

}  // namespace

Result<std::unique_ptr<LinuxKernelPool>> LinuxKernelPool::open() {
  const int device = ::open(device_path, O_WRONLY | O_CLOEXEC);
  if (device < 0)
    return fail(OutletErrc::no_permission,
                std::string(device_path) + ": " + strerrordesc_np(errno));
  std::unique_ptr<LinuxKernelPool> pool(
      new LinuxKernelPool(device));  // NOLINT: private constructor
  const PoolInput nothing;
  if (ioctl(device, RNDADDENTROPY, &nothing) != 0) {
    return fail(OutletErrc::no_permission, words(errno) + "; it needs CAP_SYS_ADMIN");
  }
  return pool;
}

LinuxKernelPool::~LinuxKernelPool() {
  close(device_);
}

Status LinuxKernelPool::add(std::span<const std::uint8_t> bytes, std::uint32_t credited_bits) {
  TALLA_CHECK(!bytes.empty() && bytes.size() <= give_bytes_unit &&
              credited_bits <= 8 * bytes.size());
  PoolInput input{.entropy_bits = static_cast<int>(credited_bits),
                  .size_bytes = static_cast<int>(bytes.size())};
  std::copy(bytes.begin(), bytes.end(), input.bytes.begin());
  const int code = ioctl(device_, RNDADDENTROPY, &input);
  const int error = errno;
  wipe(&input, sizeof(input));
  if (code != 0) return fail(OutletErrc::kernel_refused, words(error));
  return {};
}

KernelFeed::KernelFeed(const KernelFeedOptions& options, Giver& giver, KernelPool& pool,
                       Clock& clock,
                       std::function<void(const std::string&, const std::string&)> say)
    : options_(options),
      giver_(giver),
      pool_(pool),
      clock_(clock),
      say_(std::move(say)),
      allowance_(options.bytes_per_second, clock.monotonic_ns()) {
  TALLA_CHECK(options.credit_bits_per_byte <= 8);
}

KernelFeed::~KernelFeed() {
  stop();
}

void KernelFeed::start() {
  thread_ = std::thread([this] { run(); });
}

void KernelFeed::stop() {
  {
    const std::lock_guard guard(lock_);
    ending_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void KernelFeed::step() {
  while (!failed_ && allowance_.bytes(clock_.monotonic_ns()) >= give_bytes_unit) {
    const auto given = giver_.give(give_bytes_unit);
    if (!given) return;
    allowance_.spend(give_bytes_unit);
    const auto credit = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        given->assessed_bits, std::uint64_t{options_.credit_bits_per_byte} * give_bytes_unit));
    if (const Status fed = pool_.add(given->bytes, credit); !fed) {
      failed_ = true;
      say_("kernel_feed_ended", fed.error().text());
      return;
    }
    bytes_fed_ += give_bytes_unit;
    bits_credited_ += credit;
  }
}

void KernelFeed::run() {
  const auto interval = std::chrono::milliseconds(std::clamp<std::uint32_t>(
      1000 * static_cast<std::uint32_t>(give_bytes_unit) / options_.bytes_per_second, 10, 1000));
  std::unique_lock guard(lock_);
  while (!ending_ && !failed_) {
    guard.unlock();
    step();
    guard.lock();
    wake_.wait_for(guard, interval, [this] { return ending_; });
  }
}

KernelFeedCounters KernelFeed::counters() const {
  return {.bytes_fed = bytes_fed_, .bits_credited = bits_credited_, .failed = failed_};
}

}  // namespace talla::outlet
