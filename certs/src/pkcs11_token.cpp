// Objects of a PKCS#11 token: found, made, read, used for signatures, destroyed.
#include <algorithm>
#include <array>

#include "certs/secret_source.hpp"
#include "pkcs11_session.hpp"

namespace talla::certs {

namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

constexpr std::array<std::uint8_t, 5> edwards_oid = {0x06, 0x03, 0x2B, 0x65, 0x70};
constexpr std::string_view edwards_name =
    "\x13\x0C"
    "edwards25519";

CK_OBJECT_CLASS class_of(Pkcs11Class type) {
  switch (type) {
    case Pkcs11Class::data:
      return CKO_DATA;
    case Pkcs11Class::public_key:
      return CKO_PUBLIC_KEY;
    case Pkcs11Class::private_key:
      return CKO_PRIVATE_KEY;
    case Pkcs11Class::secret_key:
      return CKO_SECRET_KEY;
  }
  return CKO_DATA;
}

std::string words_of(const Pkcs11Query& query) {
  constexpr std::array names = {"data object", "public key", "private key", "secret key"};
  std::string words = names.at(static_cast<std::size_t>(query.type));
  if (!query.label.empty()) words += " '" + query.label + "'";
  if (!query.id.empty()) words += " of id " + to_hex(query.id);
  return words;
}

/// Answers to a curve that a module does not know by this spelling.
bool other_spelling_may_help(CK_RV value) {
  constexpr std::array<CK_RV, 8> refusals = {
      CKR_CURVE_NOT_SUPPORTED,   CKR_DOMAIN_PARAMS_INVALID,  CKR_ATTRIBUTE_VALUE_INVALID,
      CKR_TEMPLATE_INCONSISTENT, CKR_GENERAL_ERROR,          CKR_FUNCTION_FAILED,
      CKR_ARGUMENTS_BAD,         CKR_MECHANISM_PARAM_INVALID};
  return std::find(refusals.begin(), refusals.end(), value) != refusals.end();
}

Result<std::unique_ptr<Pkcs11Module>> load_for(const Pkcs11Uri& uri) {
  if (uri.module_path.empty())
    return fail(Errc::uri_malformed, "pkcs11 URI: module-path is missing");
  return Pkcs11Module::load(uri.module_path);
}

}  // namespace

bool names_edwards25519(ByteView ec_params) {
  return std::equal(ec_params.begin(), ec_params.end(), edwards_oid.begin(), edwards_oid.end()) ||
         std::equal(ec_params.begin(), ec_params.end(), edwards_name.begin(), edwards_name.end());
}

Result<Digest> ed25519_point(ByteView point) {
  Digest key{};
  const bool octets = point.size() == 34 && point[0] == 0x04 && point[1] == 0x20;
  const bool bits = point.size() == 35 && point[0] == 0x03 && point[1] == 0x21 && point[2] == 0x00;
  if (point.size() != key.size() && !octets && !bits) {
    return fail(Errc::object_refused, "the public key has no point of 32 bytes");
  }
  std::copy(point.end() - static_cast<std::ptrdiff_t>(key.size()), point.end(), key.begin());
  return key;
}

Pkcs11Token::Pkcs11Token(std::unique_ptr<State> state) : state_(std::move(state)) {}
Pkcs11Token::~Pkcs11Token() = default;

Result<std::unique_ptr<Pkcs11Token>> Pkcs11Token::open(const Pkcs11Uri& uri,
                                                       const SecretBytes& pin) {
  auto state = std::make_unique<State>();
  TALLA_TRY(state->module, load_for(uri));
  TALLA_TRY_STATUS(state->choose_slot(uri));
  TALLA_TRY_STATUS(state->log_in(pin));
  return std::unique_ptr<Pkcs11Token>(new Pkcs11Token(std::move(state)));
}

Result<std::unique_ptr<Pkcs11Token>> Pkcs11Token::open(const Pkcs11Uri& uri) {
  if (uri.pin_source.empty()) return fail(Errc::uri_malformed, "pkcs11 URI: pin-source is missing");
  TALLA_TRY(const SecretBytes pin, read_secret_line(uri.pin_source));
  return open(uri, pin);
}

const std::string& Pkcs11Token::name() const {
  return state_->name;
}

Result<std::vector<Pkcs11Object>> Pkcs11Token::find(const Pkcs11Query& query) {
  const Lock lock(state_->mutex);
  Pkcs11Template wanted;
  wanted.number(CKA_CLASS, class_of(query.type));
  if (!query.label.empty()) wanted.text(CKA_LABEL, query.label);
  if (!query.id.empty()) wanted.bytes(CKA_ID, query.id);
  if (!query.application.empty()) wanted.text(CKA_APPLICATION, query.application);
  return state_->find(wanted);
}

Result<Pkcs11Object> Pkcs11Token::find_one(const Pkcs11Query& query) {
  TALLA_TRY(const auto found, find(query));
  if (found.empty()) return fail(Errc::object_missing, name() + " holds no " + words_of(query));
  if (found.size() > 1)
    return fail(Errc::object_refused, name() + " holds more than one " + words_of(query));
  return found.front();
}

Status Pkcs11Token::destroy(Pkcs11Object object) {
  const Lock lock(state_->mutex);
  const CK_RV gone = state_->functions().C_DestroyObject(state_->session, object);
  if (gone != CKR_OK) return pkcs11_fail("C_DestroyObject", gone);
  return {};
}

Result<Pkcs11Object> Pkcs11Token::create_data(const Pkcs11Data& data) {
  const Lock lock(state_->mutex);
  if (data.label.empty() || data.application.empty()) {
    return fail(Errc::object_refused, "a data object needs a label and an application");
  }
  TALLA_TRY(const auto there, find({.type = Pkcs11Class::data,
                                    .label = data.label,
                                    .id = {},
                                    .application = data.application}));
  if (!there.empty())
    return fail(Errc::object_refused, name() + " has a data object '" + data.label + "' already");
  return state_->make_data(data);
}

Result<Bytes> Pkcs11Token::read_data(Pkcs11Object object) {
  const Lock lock(state_->mutex);
  return state_->attribute(object, CKA_VALUE);
}

Result<Pkcs11Object> Pkcs11Token::replace_data(Pkcs11Object object, const Pkcs11Data& data) {
  const Lock lock(state_->mutex);
  TALLA_TRY(const Pkcs11Object fresh, state_->make_data(data));
  TALLA_TRY_STATUS(destroy(object));
  return fresh;
}

Status Pkcs11Token::generate_ed25519(const Pkcs11Name& wanted, Pkcs11Curve curve) {
  const Lock lock(state_->mutex);
  TALLA_TRY_STATUS(state_->name_is_free(CKO_PRIVATE_KEY, wanted));
  TALLA_TRY_STATUS(state_->name_is_free(CKO_PUBLIC_KEY, wanted));
  CK_RV made = CKR_OK;
  for (const Pkcs11Curve spelling : {Pkcs11Curve::oid, Pkcs11Curve::printable}) {
    if (curve != Pkcs11Curve::either && curve != spelling) continue;
    const ByteView parameters =
        spelling == Pkcs11Curve::oid ? ByteView(edwards_oid) : as_bytes(edwards_name);
    Pkcs11Template open;
    open.flag(CKA_TOKEN, true)
        .flag(CKA_PRIVATE, false)
        .flag(CKA_VERIFY, true)
        .bytes(CKA_EC_PARAMS, parameters);
    open.text(CKA_LABEL, wanted.label).bytes(CKA_ID, wanted.id);
    Pkcs11Template secret;
    secret.flag(CKA_TOKEN, true)
        .flag(CKA_PRIVATE, true)
        .flag(CKA_SENSITIVE, true)
        .flag(CKA_EXTRACTABLE, false);
    secret.flag(CKA_SIGN, true).text(CKA_LABEL, wanted.label).bytes(CKA_ID, wanted.id);
    CK_MECHANISM mechanism{};
    mechanism.mechanism = CKM_EC_EDWARDS_KEY_PAIR_GEN;
    CK_OBJECT_HANDLE public_key = 0;
    CK_OBJECT_HANDLE private_key = 0;
    made = state_->functions().C_GenerateKeyPair(state_->session, &mechanism, open.data(),
                                                 open.size(), secret.data(), secret.size(),
                                                 &public_key, &private_key);
    if (made == CKR_OK) return {};
    if (!other_spelling_may_help(made)) break;
  }
  return pkcs11_fail("C_GenerateKeyPair", made);
}

Status Pkcs11Token::generate_aes256(const Pkcs11Name& wanted) {
  const Lock lock(state_->mutex);
  TALLA_TRY_STATUS(state_->name_is_free(CKO_SECRET_KEY, wanted));
  constexpr CK_ULONG key_bytes = 32;
  Pkcs11Template secret;
  secret.flag(CKA_TOKEN, true)
      .flag(CKA_PRIVATE, true)
      .flag(CKA_SENSITIVE, true)
      .flag(CKA_EXTRACTABLE, false);
  secret.flag(CKA_SIGN, true)
      .flag(CKA_VERIFY, false)
      .flag(CKA_ENCRYPT, false)
      .flag(CKA_DECRYPT, false);
  secret.flag(CKA_WRAP, false).flag(CKA_UNWRAP, false).number(CKA_VALUE_LEN, key_bytes);
  secret.text(CKA_LABEL, wanted.label).bytes(CKA_ID, wanted.id);
  CK_MECHANISM mechanism{};
  mechanism.mechanism = CKM_AES_KEY_GEN;
  CK_OBJECT_HANDLE handle = 0;
  const CK_RV made = state_->functions().C_GenerateKey(state_->session, &mechanism, secret.data(),
                                                       secret.size(), &handle);
  if (made != CKR_OK) return pkcs11_fail("C_GenerateKey", made);
  return {};
}

Result<Digest> Pkcs11Token::ed25519_public_key(Pkcs11Object private_key) {
  const Lock lock(state_->mutex);
  TALLA_TRY_STATUS(state_->stays_inside(private_key));
  TALLA_TRY(const Bytes id, state_->attribute(private_key, CKA_ID));
  TALLA_TRY(const Bytes label, state_->attribute(private_key, CKA_LABEL));
  const Pkcs11Query pair{
      .type = Pkcs11Class::public_key,
      .label = id.empty() ? std::string(label.begin(), label.end()) : std::string(),
      .id = id,
      .application = {}};
  TALLA_TRY(const Pkcs11Object public_key, find_one(pair));
  TALLA_TRY(const Bytes parameters, state_->attribute(public_key, CKA_EC_PARAMS));
  if (!names_edwards25519(parameters))
    return fail(Errc::object_refused, name() + ": " + words_of(pair) + " is not Ed25519");
  TALLA_TRY(const Bytes point, state_->attribute(public_key, CKA_EC_POINT));
  return ed25519_point(point);
}

Result<Signature64> Pkcs11Token::sign_ed25519(Pkcs11Object private_key, ByteView message) {
  const Lock lock(state_->mutex);
  Signature64 signature{};
  TALLA_TRY_STATUS(state_->sign(CKM_EDDSA, private_key, message, signature));
  return signature;
}

Result<Signature64> Pkcs11Token::sign_p256(Pkcs11Object private_key, const Digest& digest) {
  const Lock lock(state_->mutex);
  TALLA_TRY_STATUS(state_->stays_inside(private_key));
  Signature64 signature{};
  TALLA_TRY_STATUS(state_->sign(CKM_ECDSA, private_key, digest, signature));
  return signature;
}

Status Pkcs11Token::cmac(Pkcs11Object secret_key, ByteView message, SecretBytes& out) {
  const Lock lock(state_->mutex);
  TALLA_TRY_STATUS(state_->stays_inside(secret_key));
  constexpr std::size_t mac_bytes = 16;
  const std::size_t before = out.size();
  out.resize(before + mac_bytes);
  const Status made =
      state_->sign(CKM_AES_CMAC, secret_key, message, std::span(out).subspan(before));
  if (!made) out.resize(before);
  return made;
}

}  // namespace talla::certs
