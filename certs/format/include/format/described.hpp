/// \file
/// What each kind's body holds, in words, from the descriptions that read and write it: the tables
/// of FORMAT.md, section 6.
///
/// Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace talla::certs {

struct MemberText {
  std::string name;      ///< "bets[].stake" for a member of a list's entries
  std::string type;      ///< "hex, 16 to 64 bytes"
  std::string presence;  ///< "optional", a condition, or empty: always there
  std::string meaning;
};
/// A rule over several members of a body, in words.
struct RuleText {
  std::string member;  ///< whose refusal it is
  std::string words;
};
/// The table of one body: its members and their rules.
struct MemberTable {
  std::string name;    ///< "SHOE_MIX", "context"
  std::string object;  ///< class of the object that it belongs to; empty: the machine
  bool opens = false;  ///< it opens that object
  std::vector<MemberText> members;
  std::vector<RuleText> rules;
};

/// One table for each kind, in the order of `Kind`, and behind them that of `context`.
[[nodiscard]] std::vector<MemberTable> member_tables();
/// The same as Markdown: a heading and a table each, rules below it.
[[nodiscard]] std::string member_tables_page();

}  // namespace talla::certs
