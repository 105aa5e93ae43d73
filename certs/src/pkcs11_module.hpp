/// \file
/// One loaded PKCS#11 module, shared by all tokens of the process. Private to certs.
#pragma once

#include <p11-kit/pkcs11.h>

#include <memory>
#include <string>

#include "certs/pkcs11.hpp"

namespace talla::certs {

/// `CALL: CKR_NAME` as pkcs11_failed.
[[nodiscard]] tl::unexpected<Error> pkcs11_fail(const char* call, CK_RV value);

class Pkcs11Module {
 public:
  /// Absolute path. Loads and starts it, or shares what runs. Errors: module_refused. Threads: any.
  [[nodiscard]] static Result<std::unique_ptr<Pkcs11Module>> load(const std::string& path);
  Pkcs11Module(const Pkcs11Module&) = delete;
  Pkcs11Module& operator=(const Pkcs11Module&) = delete;
  /// The last one finishes the module.
  ~Pkcs11Module();
  [[nodiscard]] const CK_FUNCTION_LIST& functions() const { return *functions_; }

 private:
  Pkcs11Module(std::string path, CK_FUNCTION_LIST_PTR functions)
      : path_(std::move(path)), functions_(functions) {}
  std::string path_;
  CK_FUNCTION_LIST_PTR functions_;
};

}  // namespace talla::certs
