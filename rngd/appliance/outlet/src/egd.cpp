#include "outlet/egd.hpp"

#include <algorithm>

#include "outlet/errc.hpp"

namespace talla::outlet {

std::size_t EgdParser::header_bytes() const {
  switch (EgdCommand::Kind{header_[0]}) {
    case EgdCommand::Kind::level:
    case EgdCommand::Kind::process:
      return 1;
    case EgdCommand::Kind::read:
    case EgdCommand::Kind::read_waiting:
      return 2;
    case EgdCommand::Kind::write:
      return 4;
  }
  return 0;
}

Result<std::optional<EgdCommand>> EgdParser::take(ByteView& input) {
  while (!failed_ && !input.empty()) {
    if (known_ == 0) {
      header_[known_++] = input.front();
      input = input.subspan(1);
      if (header_bytes() == 0) {
        failed_ = true;
        break;
      }
    }
    while (known_ < header_bytes() && !input.empty()) {
      header_[known_++] = input.front();
      input = input.subspan(1);
      if (known_ == 4) data_left_ = header_[3];
    }
    if (known_ < header_bytes()) break;
    const std::size_t skipped = std::min(data_left_, input.size());
    input = input.subspan(skipped);
    data_left_ -= skipped;
    if (data_left_ > 0) break;
    EgdCommand command{.kind = EgdCommand::Kind{header_[0]}};
    if (known_ == 2) command.count = header_[1];
    if (known_ == 4) {
      command.bits = static_cast<std::uint16_t>(header_[1] << 8U | header_[2]);
      command.count = header_[3];
    }
    known_ = 0;
    return std::optional(command);
  }
  if (failed_) return fail(OutletErrc::malformed_command, "not a command of the EGD protocol");
  return std::optional<EgdCommand>();
}

}  // namespace talla::outlet
