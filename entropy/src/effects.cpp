#include "entropy/effects.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "entropy/errc.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace talla::entropy {

Status SystemOsRandom::fill(std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = ::getrandom(out.data() + done, out.size() - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail(Errc::source_failed, "getrandom");
    done += static_cast<std::size_t>(got);
  }
  return {};
}

#if defined(__x86_64__)

bool CpuRdSeed::available() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & (1U << 18U)) != 0;
}

Status CpuRdSeed::fill(std::span<std::uint8_t> out) {
  constexpr int tries_max = 1000;
  for (std::size_t done = 0; done < out.size();) {
    std::uint64_t word = 0;
    std::uint8_t good = 0;
    for (int tries = 0; tries < tries_max && good == 0; ++tries) {
      __asm__ volatile("rdseed %0; setc %1" : "=r"(word), "=qm"(good) : : "cc");
      if (good == 0) __builtin_ia32_pause();
    }
    if (good == 0) return fail(Errc::source_failed, "rdseed gave nothing");
    const std::size_t part = std::min(sizeof word, out.size() - done);
    std::memcpy(out.data() + done, &word, part);
    done += part;
  }
  return {};
}

#else

bool CpuRdSeed::available() {
  return false;
}
Status CpuRdSeed::fill(std::span<std::uint8_t> /*out*/) {
  return fail(Errc::source_failed, "no rdseed here");
}

#endif

Status NoRdSeed::fill(std::span<std::uint8_t> /*out*/) {
  return fail(Errc::source_failed, "no rdseed here");
}

}  // namespace talla::entropy
