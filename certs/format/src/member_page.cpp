// The members of every kind as Markdown.
#include "format/described.hpp"

namespace talla::certs {
namespace {

/// Commas and bars of a cell do not end it.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string row_text(const MemberText& member) {
  std::string type = member.type;
  if (member.presence == "optional") {
    type = "optional; " + type;
  } else if (!member.presence.empty()) {
    type += "; " + member.presence;
  }
  return "| `" + member.name + "` | " + cell(type) + " | " + cell(member.meaning) + " |\n";
}

}  // namespace

std::string member_tables_page() {
  std::string page;
  for (const MemberTable& table : member_tables()) {
    page += "#### " + table.name + "\n| member | type | meaning |\n|---|---|---|\n";
    for (const MemberText& member : table.members) page += row_text(member);
    for (const RuleText& rule : table.rules)
      page += "| `" + rule.member + "` | rule | " + cell(rule.words) + " |\n";
    page += "\n";
  }
  return page;
}

}  // namespace talla::certs
