// Goal: no bytes of a source process can crash the decoder, and what it accepts is inside the
//       grammar.
// Method: the input in one piece and cut at a place taken from it must give the same frames and the
//         same end.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/check.hpp"
#include "usb/source_frame.hpp"

namespace {

using namespace talla;
using namespace talla::usb;

struct Outcome {
  Bytes again;  ///< The accepted frames, encoded anew.
  bool failed = false;
  bool operator==(const Outcome&) const = default;
};

Outcome run(ByteView input, std::size_t piece) {
  FrameDecoder decoder;
  Outcome outcome;
  for (std::size_t at = 0; at < input.size() && !outcome.failed; at += piece) {
    decoder.push(input.subspan(at, std::min(piece, input.size() - at)));
    while (true) {
      auto frame = decoder.next();
      if (!frame) outcome.failed = true;
      if (!frame || !*frame) break;
      const Bytes encoded = encode_frame(**frame);
      outcome.again.insert(outcome.again.end(), encoded.begin(), encoded.end());
    }
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView input(data, size);
  const Outcome whole = run(input, std::max<std::size_t>(size, 1));
  const Outcome cut = run(input, size > 0 ? 1U + data[size - 1] % 97U : 1U);
  TALLA_CHECK(whole == cut);
  // What was accepted is accepted again (texts may have been cut to what the house itself would
  // send).
  TALLA_CHECK(!run(whole.again, whole.again.size() + 1).failed);
  return 0;
}
