/// \file
/// Small tables for a person's eyes: columns as wide as what stands in them.
/// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"

namespace talla::cli {

/// One row of cells; rows of one table have equally many.
using Cells = std::vector<std::string>;

/// A member of an object as a person reads it: a text without quotes, anything else as JSON; empty
/// when it is not there.
[[nodiscard]] std::string shown(const json::Value& object, std::string_view member);
/// Characters that a terminal shows of a UTF-8 text (one place each).
[[nodiscard]] std::size_t shown_width(const std::string& text);
/// The lines of a table, the first row its head: two blanks in front and between columns, none at
/// the end of a line.
[[nodiscard]] std::vector<std::string> column_lines(const std::vector<Cells>& rows);
/// Says `title`, then the table; nothing at all when there is no row behind the head.
void say_columns(const App& app, const std::string& title, const std::vector<Cells>& rows);
/// Says `title`, then name and value of each row in two columns.
void say_pairs(const App& app, const std::string& title, const std::vector<Cells>& pairs);

}  // namespace talla::cli
