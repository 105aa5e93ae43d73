#include "pkcs11_module.hpp"

#include <dlfcn.h>

#include <climits>
#include <cstdlib>
#include <map>
#include <mutex>

namespace talla::certs {

namespace {

struct Running {
  CK_FUNCTION_LIST_PTR functions = nullptr;
  std::size_t users = 0;
  /// Somebody else in this process may have started it: then it is theirs to finish.
  bool started_here = false;
};
struct Registry {
  std::mutex mutex;
  std::map<std::string, Running> modules;  ///< mutex
};
/// Never destroyed: a token may outlive static objects.
Registry& registry() {
  static auto* one = new Registry;  // NOLINT(cppcoreguidelines-owning-memory)
  return *one;
}

Result<CK_FUNCTION_LIST_PTR> functions_of(const std::string& path) {
  // Modules register clean-up at exit: they stay in memory.
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library == nullptr) {
    const char* why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread in glibc
    return fail(Errc::module_refused, why != nullptr ? why : path);
  }
  const auto get = reinterpret_cast<CK_C_GetFunctionList>(
      ::dlsym(library, "C_GetFunctionList"));  // NOLINT: dlsym
  if (get == nullptr)
    return fail(Errc::module_refused, path + ": no PKCS#11 module (it has no C_GetFunctionList)");
  CK_FUNCTION_LIST_PTR functions = nullptr;
  if (const CK_RV got = get(&functions); got != CKR_OK || functions == nullptr) {
    return fail(Errc::module_refused, path + ": C_GetFunctionList: " + ckr_name(got));
  }
  if (functions->version.major < 2)
    return fail(Errc::module_refused, path + ": PKCS#11 older than 2.0");
  return functions;
}

}  // namespace

tl::unexpected<Error> pkcs11_fail(const char* call, CK_RV value) {
  return fail(Errc::pkcs11_failed, std::string(call) + ": " + ckr_name(value));
}

Result<std::unique_ptr<Pkcs11Module>> Pkcs11Module::load(const std::string& path) {
  if (path.empty() || path.front() != '/') {
    return fail(Errc::module_refused, "'" + path + "': the module is named by its absolute path");
  }
  std::string file(PATH_MAX, '\0');
  if (::realpath(path.c_str(), file.data()) == nullptr)
    return fail(Errc::module_refused, path + ": no such file");
  file.resize(file.find('\0'));
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  Running& running = all.modules[file];
  if (running.users == 0) {
    TALLA_TRY(running.functions, functions_of(file));
    CK_C_INITIALIZE_ARGS terms{};
    terms.flags = CKF_OS_LOCKING_OK;
    const CK_RV started = running.functions->C_Initialize(&terms);
    if (started != CKR_OK && started != CKR_CRYPTOKI_ALREADY_INITIALIZED) {
      return fail(Errc::module_refused, path + ": C_Initialize: " + ckr_name(started));
    }
    running.started_here = started == CKR_OK;
  }
  ++running.users;
  return std::unique_ptr<Pkcs11Module>(new Pkcs11Module(std::move(file), running.functions));
}

Pkcs11Module::~Pkcs11Module() {
  auto& all = registry();
  const std::lock_guard lock(all.mutex);
  Running& running = all.modules[path_];
  if (--running.users == 0 && running.started_here)
    static_cast<void>(functions_->C_Finalize(nullptr));
}

}  // namespace talla::certs
