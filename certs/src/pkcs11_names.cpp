// The names of PKCS#11 return codes.
#include <fmt/format.h>
#include <p11-kit/pkcs11.h>

#include <array>
#include <utility>

#include "certs/pkcs11.hpp"

namespace talla::certs {

namespace {

#define TALLA_CKR(name) \
  std::pair<unsigned long, std::string_view>(name, #name)  // NOLINT(cppcoreguidelines-macro-usage)
constexpr std::array ckr_names = {TALLA_CKR(CKR_OK),
                                  TALLA_CKR(CKR_CANCEL),
                                  TALLA_CKR(CKR_HOST_MEMORY),
                                  TALLA_CKR(CKR_SLOT_ID_INVALID),
                                  TALLA_CKR(CKR_GENERAL_ERROR),
                                  TALLA_CKR(CKR_FUNCTION_FAILED),
                                  TALLA_CKR(CKR_ARGUMENTS_BAD),
                                  TALLA_CKR(CKR_NO_EVENT),
                                  TALLA_CKR(CKR_NEED_TO_CREATE_THREADS),
                                  TALLA_CKR(CKR_CANT_LOCK),
                                  TALLA_CKR(CKR_ATTRIBUTE_READ_ONLY),
                                  TALLA_CKR(CKR_ATTRIBUTE_SENSITIVE),
                                  TALLA_CKR(CKR_ATTRIBUTE_TYPE_INVALID),
                                  TALLA_CKR(CKR_ATTRIBUTE_VALUE_INVALID),
                                  TALLA_CKR(CKR_ACTION_PROHIBITED),
                                  TALLA_CKR(CKR_DATA_INVALID),
                                  TALLA_CKR(CKR_DATA_LEN_RANGE),
                                  TALLA_CKR(CKR_DEVICE_ERROR),
                                  TALLA_CKR(CKR_DEVICE_MEMORY),
                                  TALLA_CKR(CKR_DEVICE_REMOVED),
                                  TALLA_CKR(CKR_ENCRYPTED_DATA_INVALID),
                                  TALLA_CKR(CKR_ENCRYPTED_DATA_LEN_RANGE),
                                  TALLA_CKR(CKR_FUNCTION_CANCELED),
                                  TALLA_CKR(CKR_FUNCTION_NOT_PARALLEL),
                                  TALLA_CKR(CKR_FUNCTION_NOT_SUPPORTED),
                                  TALLA_CKR(CKR_KEY_HANDLE_INVALID),
                                  TALLA_CKR(CKR_KEY_SIZE_RANGE),
                                  TALLA_CKR(CKR_KEY_TYPE_INCONSISTENT),
                                  TALLA_CKR(CKR_KEY_NOT_NEEDED),
                                  TALLA_CKR(CKR_KEY_CHANGED),
                                  TALLA_CKR(CKR_KEY_NEEDED),
                                  TALLA_CKR(CKR_KEY_INDIGESTIBLE),
                                  TALLA_CKR(CKR_KEY_FUNCTION_NOT_PERMITTED),
                                  TALLA_CKR(CKR_KEY_NOT_WRAPPABLE),
                                  TALLA_CKR(CKR_KEY_UNEXTRACTABLE),
                                  TALLA_CKR(CKR_MECHANISM_INVALID),
                                  TALLA_CKR(CKR_MECHANISM_PARAM_INVALID),
                                  TALLA_CKR(CKR_OBJECT_HANDLE_INVALID),
                                  TALLA_CKR(CKR_OPERATION_ACTIVE),
                                  TALLA_CKR(CKR_OPERATION_NOT_INITIALIZED),
                                  TALLA_CKR(CKR_PIN_INCORRECT),
                                  TALLA_CKR(CKR_PIN_INVALID),
                                  TALLA_CKR(CKR_PIN_LEN_RANGE),
                                  TALLA_CKR(CKR_PIN_EXPIRED),
                                  TALLA_CKR(CKR_PIN_LOCKED),
                                  TALLA_CKR(CKR_SESSION_CLOSED),
                                  TALLA_CKR(CKR_SESSION_COUNT),
                                  TALLA_CKR(CKR_SESSION_HANDLE_INVALID),
                                  TALLA_CKR(CKR_SESSION_PARALLEL_NOT_SUPPORTED),
                                  TALLA_CKR(CKR_SESSION_READ_ONLY),
                                  TALLA_CKR(CKR_SESSION_EXISTS),
                                  TALLA_CKR(CKR_SESSION_READ_ONLY_EXISTS),
                                  TALLA_CKR(CKR_SESSION_READ_WRITE_SO_EXISTS),
                                  TALLA_CKR(CKR_SIGNATURE_INVALID),
                                  TALLA_CKR(CKR_SIGNATURE_LEN_RANGE),
                                  TALLA_CKR(CKR_TEMPLATE_INCOMPLETE),
                                  TALLA_CKR(CKR_TEMPLATE_INCONSISTENT),
                                  TALLA_CKR(CKR_TOKEN_NOT_PRESENT),
                                  TALLA_CKR(CKR_TOKEN_NOT_RECOGNIZED),
                                  TALLA_CKR(CKR_TOKEN_WRITE_PROTECTED),
                                  TALLA_CKR(CKR_UNWRAPPING_KEY_HANDLE_INVALID),
                                  TALLA_CKR(CKR_UNWRAPPING_KEY_SIZE_RANGE),
                                  TALLA_CKR(CKR_UNWRAPPING_KEY_TYPE_INCONSISTENT),
                                  TALLA_CKR(CKR_USER_ALREADY_LOGGED_IN),
                                  TALLA_CKR(CKR_USER_NOT_LOGGED_IN),
                                  TALLA_CKR(CKR_USER_PIN_NOT_INITIALIZED),
                                  TALLA_CKR(CKR_USER_TYPE_INVALID),
                                  TALLA_CKR(CKR_USER_ANOTHER_ALREADY_LOGGED_IN),
                                  TALLA_CKR(CKR_USER_TOO_MANY_TYPES),
                                  TALLA_CKR(CKR_WRAPPED_KEY_INVALID),
                                  TALLA_CKR(CKR_WRAPPED_KEY_LEN_RANGE),
                                  TALLA_CKR(CKR_WRAPPING_KEY_HANDLE_INVALID),
                                  TALLA_CKR(CKR_WRAPPING_KEY_SIZE_RANGE),
                                  TALLA_CKR(CKR_WRAPPING_KEY_TYPE_INCONSISTENT),
                                  TALLA_CKR(CKR_RANDOM_SEED_NOT_SUPPORTED),
                                  TALLA_CKR(CKR_RANDOM_NO_RNG),
                                  TALLA_CKR(CKR_DOMAIN_PARAMS_INVALID),
                                  TALLA_CKR(CKR_CURVE_NOT_SUPPORTED),
                                  TALLA_CKR(CKR_BUFFER_TOO_SMALL),
                                  TALLA_CKR(CKR_SAVED_STATE_INVALID),
                                  TALLA_CKR(CKR_INFORMATION_SENSITIVE),
                                  TALLA_CKR(CKR_STATE_UNSAVEABLE),
                                  TALLA_CKR(CKR_CRYPTOKI_NOT_INITIALIZED),
                                  TALLA_CKR(CKR_CRYPTOKI_ALREADY_INITIALIZED),
                                  TALLA_CKR(CKR_MUTEX_BAD),
                                  TALLA_CKR(CKR_MUTEX_NOT_LOCKED),
                                  TALLA_CKR(CKR_NEW_PIN_MODE),
                                  TALLA_CKR(CKR_NEXT_OTP),
                                  TALLA_CKR(CKR_EXCEEDED_MAX_ITERATIONS),
                                  TALLA_CKR(CKR_FIPS_SELF_TEST_FAILED),
                                  TALLA_CKR(CKR_LIBRARY_LOAD_FAILED),
                                  TALLA_CKR(CKR_PIN_TOO_WEAK),
                                  TALLA_CKR(CKR_PUBLIC_KEY_INVALID),
                                  TALLA_CKR(CKR_FUNCTION_REJECTED)};
#undef TALLA_CKR

}  // namespace

std::string ckr_name(unsigned long value) {
  for (const auto& [number, name] : ckr_names) {
    if (number == value) return std::string(name);
  }
  return fmt::format("CKR 0x{:08x}", value);
}

}  // namespace talla::certs
