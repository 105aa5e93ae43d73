/// \file
/// JSON text of reports: the house's own JSON (base/json.hpp) has no floating point, reports are
/// full of it.
///
/// Numbers: shortest text that reads back to the same double; NaN and infinities become null.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace talla::lab {

class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);
  JsonWriter& value(bool flag);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  JsonWriter& value(T number) {
    separate();
    text_ += std::to_string(number);
    return *this;
  }
  template <class T>
  JsonWriter& member(std::string_view name, const T& what) {
    return key(name).value(what);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void separate();
  std::string text_;
};

}  // namespace talla::lab
