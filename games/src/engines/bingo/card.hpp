/// \file
/// A sold card of bingo: its numbers in rows, and what the balls called so far make of it. Pure
/// functions.
///
/// Source: es-1977 10 I (line: all numbers of one row; bingo: all numbers; the last ball called
///         must belong to it).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace talla::games::bingo {

using Ball = std::uint8_t;

/// The numbers of a bet's `on`, row by row. Precondition (checked): decimal numbers of 1 to 255.
[[nodiscard]] std::vector<Ball> numbers_of(const std::vector<std::string>& on);

/// The row that the last of these balls completed, if any. `rows` divides the count of numbers.
[[nodiscard]] std::optional<std::size_t> completed_row(std::span<const Ball> numbers,
                                                       std::size_t rows,
                                                       std::span<const Ball> balls);
/// Whether the last of these balls completed the whole card.
[[nodiscard]] bool completed_card(std::span<const Ball> numbers, std::span<const Ball> balls);

}  // namespace talla::games::bingo
