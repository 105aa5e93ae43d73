/// \file
/// One record of the log in words, as `talla log tail` prints it.
///
/// The words are for a person who watches; what counts is the record. A kind or member that is not
/// known is shown as it stands. Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "table_book.hpp"

namespace talla::cli {

/// "drawn: number 24 (the wheel's place 20, counted from 0) (secret 3)", "latch-reset is done by
/// talla:officer-1 and talla:inspector-1". `pockets` are the numbers of the table's wheel, empty
/// where they are not known.
[[nodiscard]] std::string record_words(const json::Value& record,
                                       const std::vector<std::string>& pockets);
/// Time of this machine with its zone, number, table with its place, object, words: one line.
/// `event` is one of GET /v1/events, `record` what is in it, `facts` those of its table.
[[nodiscard]] std::string event_line(const json::Value& event, const json::Value& record,
                                     const TableFacts& facts);

}  // namespace talla::cli
