// Goal: no record, receipt, checkpoint or proof crashes its parser, and what is read is
//       written back.
// Method: one input tried as each of them.
#include <cstdint>
#include <string_view>

#include "base/check.hpp"
#include "format/proof.hpp"
#include "format/record.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace talla::certs;
  const std::string_view text = talla::as_text({data, size});
  if (const auto record = parse_record(text); record && record->kind != Kind::unknown) {
    const auto again = write_record(*record);
    TALLA_CHECK(again.has_value());
    TALLA_CHECK(*again == text);
  }
  if (const auto proof = parse_proof(text)) TALLA_CHECK(format_proof(*proof) == text);
  if (const auto receipt = parse_receipt(text)) TALLA_CHECK(format_receipt(*receipt) == text);
  if (const auto head = parse_checkpoint(text)) {
    TALLA_CHECK(format_checkpoint(head->checkpoint, head->key_id, head->signature) == text);
  }
  static_cast<void>(parse_note(text));
  return 0;
}
