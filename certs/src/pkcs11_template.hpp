/// \file
/// Attribute lists of PKCS#11 calls, owning their values. Private to certs.
#pragma once

#include <p11-kit/pkcs11.h>

#include <cstring>
#include <deque>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"

namespace talla::certs {

class Pkcs11Template {
 public:
  Pkcs11Template& number(CK_ATTRIBUTE_TYPE type, CK_ULONG value) {
    Bytes bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return add(type, std::move(bytes));
  }
  Pkcs11Template& flag(CK_ATTRIBUTE_TYPE type, bool value) {
    return add(type, Bytes{static_cast<std::uint8_t>(value ? CK_TRUE : CK_FALSE)});
  }
  Pkcs11Template& text(CK_ATTRIBUTE_TYPE type, std::string_view value) {
    return add(type, Bytes(value.begin(), value.end()));
  }
  Pkcs11Template& bytes(CK_ATTRIBUTE_TYPE type, ByteView value) {
    return add(type, Bytes(value.begin(), value.end()));
  }
  [[nodiscard]] CK_ATTRIBUTE_PTR data() { return list_.data(); }
  [[nodiscard]] CK_ULONG size() const { return list_.size(); }

 private:
  Pkcs11Template& add(CK_ATTRIBUTE_TYPE type, Bytes value) {
    Bytes& kept = values_.emplace_back(std::move(value));
    CK_ATTRIBUTE one{};
    one.type = type;
    one.pValue = kept.data();
    one.ulValueLen = kept.size();
    list_.push_back(one);
    return *this;
  }
  std::deque<Bytes> values_;
  std::vector<CK_ATTRIBUTE> list_;
};

}  // namespace talla::certs
