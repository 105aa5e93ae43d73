// Goal: no bytes of an EGD client can crash the parser, and how they are cut into reads changes
//       nothing.
// Method: the input in one piece and in pieces of a size taken from it gives the same commands and
//         the same end.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/check.hpp"
#include "outlet/egd.hpp"

namespace {

using namespace talla;
using namespace talla::outlet;

struct Outcome {
  std::vector<EgdCommand> commands;
  bool failed = false;
  bool partial = false;
  bool operator==(const Outcome&) const = default;
};

Outcome run(ByteView input, std::size_t piece) {
  EgdParser parser;
  Outcome outcome;
  for (std::size_t at = 0; at < input.size() && !outcome.failed; at += piece) {
    ByteView part = input.subspan(at, std::min(piece, input.size() - at));
    while (!part.empty() && !outcome.failed) {
      const std::size_t before = part.size();
      const auto command = parser.take(part);
      outcome.failed = !command;
      if (command && *command) outcome.commands.push_back(**command);
      TALLA_CHECK(outcome.failed || part.size() < before);
    }
  }
  outcome.partial = !outcome.failed && parser.partial();
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView input(data, size);
  const Outcome whole = run(input, std::max<std::size_t>(size, 1));
  TALLA_CHECK(whole == run(input, 1));
  TALLA_CHECK(whole == run(input, size > 0 ? 1U + data[size - 1] % 17U : 1U));
  for (const EgdCommand& command : whole.commands)
    TALLA_CHECK(static_cast<unsigned>(command.kind) <= 4);
  return 0;
}
