/// \file
/// What a Pkcs11Token holds: module, slot, session, lock. Private to certs.
#pragma once

#include <mutex>
#include <string>

#include "certs/pkcs11.hpp"
#include "pkcs11_module.hpp"
#include "pkcs11_template.hpp"

namespace talla::certs {

struct Pkcs11Token::State {
  std::unique_ptr<Pkcs11Module> module;
  CK_SLOT_ID slot = 0;
  CK_SESSION_HANDLE session = 0;
  bool session_open = false;
  std::string name;
  std::recursive_mutex mutex;  ///< guards `session`

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (session_open) static_cast<void>(module->functions().C_CloseSession(session));
  }
  [[nodiscard]] const CK_FUNCTION_LIST& functions() const { return module->functions(); }

  [[nodiscard]] Status choose_slot(const Pkcs11Uri& uri);
  [[nodiscard]] Status log_in(const SecretBytes& pin);

  [[nodiscard]] Result<std::vector<Pkcs11Object>> find(Pkcs11Template& wanted);
  [[nodiscard]] Status name_is_free(CK_OBJECT_CLASS object_class, const Pkcs11Name& name);
  /// Empty when the object has no such attribute.
  [[nodiscard]] Result<Bytes> attribute(Pkcs11Object object, CK_ATTRIBUTE_TYPE type);
  [[nodiscard]] Result<bool> flag(Pkcs11Object object, CK_ATTRIBUTE_TYPE type);
  /// CKA_SENSITIVE and not CKA_EXTRACTABLE.
  [[nodiscard]] Status stays_inside(Pkcs11Object object);
  [[nodiscard]] Result<Pkcs11Object> make_data(const Pkcs11Data& data);
  /// One-part C_Sign; `signature` has the size that the mechanism gives.
  [[nodiscard]] Status sign(CK_MECHANISM_TYPE mechanism, Pkcs11Object key, ByteView message,
                            std::span<std::uint8_t> signature);
};

}  // namespace talla::certs
