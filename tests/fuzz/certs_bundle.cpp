// Goal: no bundle, end of a log or file of proofs crashes the verifier; what is read is written
//   back; nothing verifies without a trusted root.
// Method: the input as each of them, judged with no root; a bundle that reads is taken through
//         every step up to the chain.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.hpp"
#include "format/bundle.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/log_end.hpp"
#include "verify/verify.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace talla::certs;
  const std::string_view text = talla::as_text({data, size});
  if (const auto bundle = parse_bundle(text)) TALLA_CHECK(format_bundle(*bundle) == text);
  TALLA_CHECK(!verify_bundle(text, ""));
  const std::vector<std::string> ends{std::string(text)};
  if (const auto end = parse_log_end(text)) {
    TALLA_CHECK(format_log_end(*end) == text);
    const auto statement = parse_end_statement(end->statement);
    TALLA_CHECK(statement && format_end_statement(*statement) == end->statement);
  }
  TALLA_CHECK(!verify_log_ends(ends, ""));
  if (const auto file = parse_consistency(text)) {
    TALLA_CHECK(format_consistency(*file) == text);
    // A tree that is not that of the proofs: nothing counts.
    const EndedLog end{.statement = {}, .last = file->head, .development = false};
    const Checkpoint other{
        .origin = file->head.origin, .size = file->proofs.front().size, .root = {}};
    TALLA_CHECK(other.root == file->proofs.front().root ||
                !check_counts(BotanHashes(), end, other, text));
  }
  return 0;
}
