/// \file
/// A token behind a PKCS#11 module (HSM, smart card, SoftHSM 2): log-in, objects, Ed25519
/// signatures, AES-CMAC.
///
/// Standards: OASIS PKCS#11 2.40 with CKM_EDDSA and CKK_EC_EDWARDS of 3.0; RFC 7512 (pkcs11: URI).
///            The module is loaded at run time and never unloaded; nothing else stands between it
///            and us.
/// Life:      a module is started once for the process and finished with its last token. The log-in
///            belongs to the process and the token: a second Pkcs11Token on it finds itself logged
///            in.
/// Errors:    module_refused, token_refused, object_missing, object_refused, pkcs11_failed with the
///            call and its CKR name (`C_Login: CKR_PIN_INCORRECT`). A PIN is tried once, and never
///            when the token says it is the last try.
/// Threads:   any; calls of one Pkcs11Token wait for each other. Secrecy: no PIN and no value in an
///            error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "format/checkpoint.hpp"

namespace talla::certs {

enum class Pkcs11Class : std::uint8_t { data, public_key, private_key, secret_key };

/// The parts of a `pkcs11:` URI that we use; empty ones match anything.
struct Pkcs11Uri {
  std::string token;                ///< label of the token
  std::string manufacturer;         ///< of the token
  std::string model;                ///< of the token
  std::string serial;               ///< of the token
  std::string object;               ///< label of the object
  Bytes id;                         ///< CKA_ID of the object
  std::optional<Pkcs11Class> type;  ///< data, public, private or secret-key
  std::string module_path;          ///< `?module-path=`: the module's file, absolute
  /// `?pin-source=`: see secret_source.hpp; `file:/path` is the same as the path.
  std::string pin_source;
  bool operator==(const Pkcs11Uri&) const = default;
};
[[nodiscard]] bool is_pkcs11_uri(std::string_view text);
/// Strict: unknown attributes are refused, `pin-value` too (a PIN has no place in a configuration).
///         Errors: uri_malformed.
[[nodiscard]] Result<Pkcs11Uri> parse_pkcs11_uri(std::string_view text);

/// Handle of an object, for the life of its Pkcs11Token.
using Pkcs11Object = unsigned long;

/// How objects are told apart; empty parts match anything.
struct Pkcs11Query {
  Pkcs11Class type = Pkcs11Class::data;
  std::string label;
  Bytes id;
  std::string application;  ///< CKA_APPLICATION of data objects
};
/// Name of a new key: label and CKA_ID.
struct Pkcs11Name {
  std::string label;
  Bytes id;
};
struct Pkcs11Data {
  std::string label;
  std::string application;
  Bytes value;
};
/// How a module wants edwards25519 named: by its OID, or as the printable string of PKCS#11 3.0.
/// `either` tries both.
enum class Pkcs11Curve : std::uint8_t { either, oid, printable };

class Pkcs11Module;

/// One token, logged in.
class Pkcs11Token {
 public:
  /// Loads the module, finds the one token that the URI means, logs in as its user.
  [[nodiscard]] static Result<std::unique_ptr<Pkcs11Token>> open(const Pkcs11Uri& uri,
                                                                 const SecretBytes& pin);
  /// The same with the PIN from the URI's pin-source.
  [[nodiscard]] static Result<std::unique_ptr<Pkcs11Token>> open(const Pkcs11Uri& uri);
  Pkcs11Token(const Pkcs11Token&) = delete;
  Pkcs11Token& operator=(const Pkcs11Token&) = delete;
  ~Pkcs11Token();

  /// Label and serial number, for messages.
  [[nodiscard]] const std::string& name() const;

  /// Objects of the token that fit the query.
  [[nodiscard]] Result<std::vector<Pkcs11Object>> find(const Pkcs11Query& query);
  /// Exactly one (object_missing, object_refused).
  [[nodiscard]] Result<Pkcs11Object> find_one(const Pkcs11Query& query);
  [[nodiscard]] Status destroy(Pkcs11Object object);

  /// A private data object that lasts; object_refused when one of that label and application is
  /// there.
  [[nodiscard]] Result<Pkcs11Object> create_data(const Pkcs11Data& data);
  [[nodiscard]] Result<Bytes> read_data(Pkcs11Object object);
  /// Puts `data` in the place of `object`: makes the new one, then destroys the old one (tokens let
  /// no value be changed, and so none can be torn). A power cut in between leaves both; whoever
  /// reads takes the one that is further.
  [[nodiscard]] Result<Pkcs11Object> replace_data(Pkcs11Object object, const Pkcs11Data& data);

  /// A pair that signs and never leaves the token. The name must be free (object_refused).
  [[nodiscard]] Status generate_ed25519(const Pkcs11Name& name,
                                        Pkcs11Curve curve = Pkcs11Curve::either);
  /// An AES-256 key for `cmac` alone that never leaves the token. The name must be free
  /// (object_refused).
  [[nodiscard]] Status generate_aes256(const Pkcs11Name& name);

  /// Of a key pair, by its private key: refuses one that is not Ed25519, or could leave the token
  /// (object_refused).
  [[nodiscard]] Result<Digest> ed25519_public_key(Pkcs11Object private_key);
  /// Pure Ed25519 (CKM_EDDSA without parameters).
  [[nodiscard]] Result<Signature64> sign_ed25519(Pkcs11Object private_key, ByteView message);
  /// ECDSA on P-256 of a SHA-256 digest (CKM_ECDSA): r || s; refuses a key that could leave the
  /// token (object_refused).
  [[nodiscard]] Result<Signature64> sign_p256(Pkcs11Object private_key, const Digest& digest);
  /// AES-CMAC (SP 800-38B), 16 bytes appended to `out`; refuses a key that could leave the token
  /// (object_refused).
  [[nodiscard]] Status cmac(Pkcs11Object secret_key, ByteView message, SecretBytes& out);

 private:
  struct State;
  explicit Pkcs11Token(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// CKR_... of a return value, or its number.
[[nodiscard]] std::string ckr_name(unsigned long value);
/// CKA_EC_PARAMS of edwards25519 in either spelling.
[[nodiscard]] bool names_edwards25519(ByteView ec_params);
/// CKA_EC_POINT of an Ed25519 key as modules give it: bare, in an OCTET STRING, or in a BIT STRING.
/// Errors: object_refused.
[[nodiscard]] Result<Digest> ed25519_point(ByteView ec_point);

}  // namespace talla::certs
