/// \file
/// One settled round as a person reads it: table, bets, cards and draws in order, decisions, the
/// rule of each payment; poker hands by their names.
///
/// Made from an evidence bundle (certs/FORMAT.md section 9) and from nothing else but the time zone
/// where it is made, which it names: in one zone anybody who holds the file gets the same text.
/// Names of bets, places and actions are the catalogue's own; the rest is the report's, in Spanish
/// or English. The report judges nothing: verify the bundle first (`certs::verify_bundle`) and pass
/// the verdict.
/// Errors: FormatErrc of a damaged bundle; ReportErrc::no_settlement when its claim is another kind
///         of record.
/// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "format/bundle.hpp"
#include "verify/verdict.hpp"

namespace talla::report {

enum class ReportErrc : std::uint16_t { no_settlement = 875 };
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(ReportErrc errc);

/// The language of a report.
enum class Language : std::uint8_t { es, en };

/// Plain text, lines of any length, ends in a line feed.
[[nodiscard]] Result<std::string> round_report(const certs::Bundle& bundle,
                                               const certs::Verdict& verdict, Language language);

/// The same facts as data: {"table","round","bets","events","counts","hands","results",...}; names
/// in `language`. "counts": what the rules count of each hand of points, {"holder","total"}.
/// Each result has "net" and "sentences", the rules' own words of its bet. "hands":
/// poker hands that lay open, {"holder","which"?,"category","cards","text"}.
[[nodiscard]] Result<json::Value> round_facts(const certs::Bundle& bundle, Language language);

/// An amount of a table's units as money: "2.50 EUR" when the currency's decimals write it exactly,
/// else "5/3 EUR". `unit` is TABLE_OPEN's: worth of one unit in the currency. Without a currency:
/// the count of units.
[[nodiscard]] Result<std::string> money_text(std::int64_t amount, std::string_view unit,
                                             std::string_view currency);

}  // namespace talla::report
