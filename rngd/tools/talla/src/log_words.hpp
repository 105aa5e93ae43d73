/// \file
/// One record of the log in words, as `talla log tail` prints it.
///
/// The words are for a person who watches; what counts is the record. A kind or member that is not
/// known is shown as it stands. Threads: any.
#pragma once

#include <string>

#include "base/json.hpp"

namespace talla::cli {

/// "a draw: wheel 17 (secret 3)", "latch-reset.asked by talla:officer-1: allowed".
[[nodiscard]] std::string record_words(const json::Value& record);
/// Time of this machine with its zone, number, table or object, words: one line.
/// `event` is one of GET /v1/events, `record` what is in it.
[[nodiscard]] std::string event_line(const json::Value& event, const json::Value& record);

}  // namespace talla::cli
