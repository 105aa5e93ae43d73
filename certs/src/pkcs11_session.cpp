#include "pkcs11_session.hpp"

#include <algorithm>

namespace talla::certs {

namespace {

/// Fixed-width fields, padded with blanks.
template <std::size_t size>
std::string padded_text(const CK_UTF8CHAR (&text)[size]) {  // NOLINT: as PKCS#11 has it
  std::string out(std::begin(text), std::end(text));
  out.erase(out.find_last_not_of(std::string_view(" \0", 2)) + 1);
  return out;
}

std::string serial_of(const CK_TOKEN_INFO& info) {
  std::string out(std::begin(info.serialNumber), std::end(info.serialNumber));
  out.erase(out.find_last_not_of(std::string_view(" \0", 2)) + 1);
  return out;
}

bool meant(const Pkcs11Uri& uri, const CK_TOKEN_INFO& info) {
  const auto same = [](const std::string& wanted, const std::string& have) {
    return wanted.empty() || wanted == have;
  };
  return (info.flags & CKF_TOKEN_INITIALIZED) != 0 && same(uri.token, padded_text(info.label)) &&
         same(uri.manufacturer, padded_text(info.manufacturerID)) &&
         same(uri.model, padded_text(info.model)) && same(uri.serial, serial_of(info));
}

}  // namespace

Status Pkcs11Token::State::choose_slot(const Pkcs11Uri& uri) {
  CK_ULONG count = 0;
  if (const CK_RV got = functions().C_GetSlotList(CK_TRUE, nullptr, &count); got != CKR_OK) {
    return pkcs11_fail("C_GetSlotList", got);
  }
  std::vector<CK_SLOT_ID> slots(count);
  if (const CK_RV got = functions().C_GetSlotList(CK_TRUE, slots.data(), &count); got != CKR_OK) {
    return pkcs11_fail("C_GetSlotList", got);
  }
  slots.resize(std::min<std::size_t>(slots.size(), count));
  int found = 0;
  std::string there;
  for (const CK_SLOT_ID one : slots) {
    CK_TOKEN_INFO info{};
    if (functions().C_GetTokenInfo(one, &info) != CKR_OK) continue;  // pulled out meanwhile
    if ((info.flags & CKF_TOKEN_INITIALIZED) != 0)
      there += " '" + padded_text(info.label) + "' (serial " + serial_of(info) + ")";
    if (!meant(uri, info)) continue;
    ++found;
    slot = one;
    name = "token '" + padded_text(info.label) + "' (serial " + serial_of(info) + ")";
  }
  if (found == 1) return {};
  const std::string seen = there.empty() ? "; there is none" : "; there is:" + there;
  if (found == 0) return fail(Errc::token_refused, "no token as the URI names it" + seen);
  return fail(Errc::token_refused, "the URI means more than one token; give its serial" + seen);
}

Status Pkcs11Token::State::log_in(const SecretBytes& pin) {
  CK_TOKEN_INFO info{};
  if (const CK_RV got = functions().C_GetTokenInfo(slot, &info); got != CKR_OK)
    return pkcs11_fail("C_GetTokenInfo", got);
  if ((info.flags & CKF_USER_PIN_LOCKED) != 0)
    return fail(Errc::token_refused, name + ": its PIN is locked");
  if ((info.flags & CKF_USER_PIN_FINAL_TRY) != 0) {
    return fail(Errc::token_refused,
                name + ": one more wrong PIN locks it; log in with the maker's tool first");
  }
  const CK_RV opened = functions().C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, nullptr,
                                                 nullptr, &session);
  if (opened != CKR_OK) return pkcs11_fail("C_OpenSession", opened);
  session_open = true;
  if ((info.flags & CKF_LOGIN_REQUIRED) == 0) return {};
  SecretBytes copy = pin;  // the call takes it writable
  const CK_RV entered = functions().C_Login(session, CKU_USER, copy.data(), copy.size());
  if (entered != CKR_OK && entered != CKR_USER_ALREADY_LOGGED_IN)
    return pkcs11_fail("C_Login", entered);
  return {};
}

Result<std::vector<Pkcs11Object>> Pkcs11Token::State::find(Pkcs11Template& wanted) {
  if (const CK_RV begun = functions().C_FindObjectsInit(session, wanted.data(), wanted.size());
      begun != CKR_OK) {
    return pkcs11_fail("C_FindObjectsInit", begun);
  }
  std::vector<Pkcs11Object> found;
  CK_RV got = CKR_OK;
  for (CK_ULONG count = 1; got == CKR_OK && count > 0;) {
    CK_OBJECT_HANDLE one = 0;
    got = functions().C_FindObjects(session, &one, 1, &count);
    if (got == CKR_OK && count > 0) found.push_back(one);
  }
  const CK_RV ended = functions().C_FindObjectsFinal(session);
  if (got != CKR_OK) return pkcs11_fail("C_FindObjects", got);
  if (ended != CKR_OK) return pkcs11_fail("C_FindObjectsFinal", ended);
  return found;
}

Status Pkcs11Token::State::name_is_free(CK_OBJECT_CLASS object_class, const Pkcs11Name& wanted) {
  if (wanted.label.empty() || wanted.id.empty())
    return fail(Errc::object_refused, "a new key needs a label and an id");
  Pkcs11Template by_label;
  by_label.number(CKA_CLASS, object_class).text(CKA_LABEL, wanted.label);
  TALLA_TRY(const auto labelled, find(by_label));
  Pkcs11Template by_id;
  by_id.number(CKA_CLASS, object_class).bytes(CKA_ID, wanted.id);
  TALLA_TRY(const auto identified, find(by_id));
  if (labelled.empty() && identified.empty()) return {};
  return fail(Errc::object_refused, name + " has a key of the label '" + wanted.label +
                                        "' or of that id; none is replaced");
}

Result<Bytes> Pkcs11Token::State::attribute(Pkcs11Object object, CK_ATTRIBUTE_TYPE type) {
  CK_ATTRIBUTE one{};
  one.type = type;
  CK_RV got = functions().C_GetAttributeValue(session, object, &one, 1);
  if (got == CKR_ATTRIBUTE_TYPE_INVALID || (got == CKR_OK && one.ulValueLen == 0)) return Bytes();
  if (got != CKR_OK) return pkcs11_fail("C_GetAttributeValue", got);
  constexpr CK_ULONG size_max = CK_ULONG{1} << 20U;
  if (one.ulValueLen > size_max)
    return fail(Errc::object_refused, "an attribute is longer than 1 MiB");
  Bytes value(one.ulValueLen);
  one.pValue = value.data();
  got = functions().C_GetAttributeValue(session, object, &one, 1);
  if (got != CKR_OK) return pkcs11_fail("C_GetAttributeValue", got);
  value.resize(std::min<std::size_t>(value.size(), one.ulValueLen));
  return value;
}

Result<bool> Pkcs11Token::State::flag(Pkcs11Object object, CK_ATTRIBUTE_TYPE type) {
  TALLA_TRY(const Bytes value, attribute(object, type));
  return value.size() == 1 && value.front() != CK_FALSE;
}

Status Pkcs11Token::State::stays_inside(Pkcs11Object object) {
  TALLA_TRY(const bool sensitive, flag(object, CKA_SENSITIVE));
  TALLA_TRY(const bool extractable, flag(object, CKA_EXTRACTABLE));
  if (sensitive && !extractable) return {};
  return fail(Errc::object_refused,
              name + ": the key could leave the token (it must be sensitive and not extractable)");
}

Result<Pkcs11Object> Pkcs11Token::State::make_data(const Pkcs11Data& data) {
  Pkcs11Template object;
  object.number(CKA_CLASS, CKO_DATA).flag(CKA_TOKEN, true).flag(CKA_PRIVATE, true);
  object.text(CKA_LABEL, data.label)
      .text(CKA_APPLICATION, data.application)
      .bytes(CKA_VALUE, data.value);
  CK_OBJECT_HANDLE handle = 0;
  const CK_RV made = functions().C_CreateObject(session, object.data(), object.size(), &handle);
  if (made != CKR_OK) return pkcs11_fail("C_CreateObject", made);
  return handle;
}

Status Pkcs11Token::State::sign(CK_MECHANISM_TYPE type, Pkcs11Object key, ByteView message,
                                std::span<std::uint8_t> signature) {
  CK_MECHANISM mechanism{};
  mechanism.mechanism = type;
  if (const CK_RV begun = functions().C_SignInit(session, &mechanism, key); begun != CKR_OK) {
    return pkcs11_fail("C_SignInit", begun);
  }
  Bytes copy(message.begin(), message.end());  // the call takes it writable
  CK_ULONG size = signature.size();
  const CK_RV signed_now =
      functions().C_Sign(session, copy.data(), copy.size(), signature.data(), &size);
  if (signed_now != CKR_OK) return pkcs11_fail("C_Sign", signed_now);
  if (size != signature.size())
    return fail(Errc::object_refused, "C_Sign gave another number of bytes than the mechanism has");
  return {};
}

}  // namespace talla::certs
