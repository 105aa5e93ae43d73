// Goal: no configuration, enrolment or client.toml text, however broken, does more than be refused.
// Method: the input is one TOML text, given to all three readers.
#include <cstdint>
#include <string_view>

#include "config/client_file.hpp"
#include "config/config.hpp"
#include "config/enrolment.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(talla::rngd::parse_config(text, "fuzz.toml").has_value());
  static_cast<void>(talla::rngd::parse_enrolment(text, "fuzz.toml").has_value());
  static_cast<void>(talla::rngd::parse_client_file(text, "fuzz.toml").has_value());
  return 0;
}
