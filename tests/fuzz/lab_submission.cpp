// Goal: no vector set, answer or submission file of a laboratory, however broken, does more than be
//   refused or answered.
// Method: the input is one file, given to all readers: as a prompt, as answers to itself, as the
//   keys of a sample, as a submission and as what certificates say.
#include <cstdint>
#include <string_view>

#include "lab_acvp/acvp.hpp"
#include "lab_esv/esv.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(talla::lab::acvp::respond(text).has_value());
  static_cast<void>(talla::lab::acvp::judge(text, text).has_value());
  static_cast<void>(
      talla::lab::acvp::respond(text, {.projection = text, .progress = {}}).has_value());
  static_cast<void>(talla::lab::esv::examine(text, "", {}).has_value());
  static_cast<void>(talla::lab::esv::examine("{\"certify\":{}}", "", {text}).has_value());
  return 0;
}
