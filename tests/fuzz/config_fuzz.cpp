// Goal: no configuration or enrolment text, however broken, does more than be refused.
// Method: the input is one TOML text, given to both readers.
#include <cstdint>
#include <string_view>

#include "config/config.hpp"
#include "config/enrolment.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(talla::rngd::parse_config(text, "fuzz.toml").has_value());
  static_cast<void>(talla::rngd::parse_enrolment(text, "fuzz.toml").has_value());
  return 0;
}
