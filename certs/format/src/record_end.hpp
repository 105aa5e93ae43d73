/// \file
/// The envelope behind a record's body, read from the end of its text: what a walk over a whole log
/// needs of most records. Private to certs_format.
///
/// Members stand in the order of their names and those behind `kind` are no objects, so the last
/// ones of the text are the record's own whatever its body holds. That the rest is canonical and
/// fits its kind is not looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/record.hpp"

namespace talla::certs {

struct RecordEnd {
  Kind kind = Kind::unknown;  ///< also of a kind that this version does not know
  std::uint64_t seq = 0;
  std::int64_t time_us = 0;
};
/// Empty where the text does not end as a record does.
[[nodiscard]] std::optional<RecordEnd> read_record_end(std::string_view text);

}  // namespace talla::certs
