#include "hardening.hpp"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>

#include "base/secret.hpp"
#include "log.hpp"

namespace talla::rngd {

std::string_view errc_name(HardeningErrc errc) {
  return errc == HardeningErrc::not_hardened ? "not_hardened" : "unknown";
}

namespace {

/// Lines of /proc/swaps beyond its heading are active swap areas.
bool swap_is_on() {
  std::ifstream swaps("/proc/swaps");
  std::string line;
  int lines = 0;
  while (std::getline(swaps, line)) ++lines;
  return lines > 1;
}

/// What secrets are likely to need at once; the count of locked memory goes on in the metrics.
bool memory_locks() {
  const std::size_t before = secret_memory().unlocked_bytes;
  const SecretBytes probe(std::size_t{1} << 20);
  return secret_memory().unlocked_bytes == before;
}

Status judge(Profile profile, bool good, const char* event, const std::string& what) {
  if (good) return {};
  if (profile == Profile::production) return fail(HardeningErrc::not_hardened, what);
  log(Level::warning, event, {{"reason", what}});
  return {};
}

}  // namespace

Status harden_process(Profile profile, const Status& openssl_secrets) {
  static_cast<void>(::umask(077));
  const rlimit none{0, 0};
  const bool closed = ::setrlimit(RLIMIT_CORE, &none) == 0 &&
                      ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 &&
                      ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  if (!closed)
    return fail(HardeningErrc::not_hardened,
                "core dumps, tracing or new privileges cannot be switched off");
  TALLA_TRY_STATUS(
      judge(profile, memory_locks(), "memory_not_locked",
            "secret memory cannot be locked: raise LimitMEMLOCK (ulimit -l) for this user"));
  TALLA_TRY_STATUS(judge(profile, openssl_secrets.has_value(), "openssl_memory_not_locked",
                         openssl_secrets ? "" : openssl_secrets.error().detail));
  if (profile == Profile::production) demand_locked_secrets();
  return judge(profile, !swap_is_on(), "swap_is_on",
               "swap is on: secrets could reach the disk (swapoff -a)");
}

}  // namespace talla::rngd
