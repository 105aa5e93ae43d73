// Goal: no bundle crashes the verifier; what is read is written back; nothing verifies without a trusted root.
// Method: the input as a bundle, judged with no root; a bundle that reads is taken through every step up to the chain.
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "format/bundle.hpp"
#include "verify/verify.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace talla::certs;
  const std::string_view text = talla::as_text({data, size});
  if (const auto bundle = parse_bundle(text)) TALLA_CHECK(format_bundle(*bundle) == text);
  TALLA_CHECK(!verify_bundle(text, ""));
  return 0;
}
