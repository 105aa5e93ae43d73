/// \file
/// What a person calls a table, and the numbers on its wheel: asked of the appliance once a table.
///
/// Nothing of it is evidence; a question that is refused leaves the names out.
/// Threads: one book belongs to one thread, that of its session.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "session.hpp"

namespace talla::cli {

/// Facts of one table; what is not known is empty.
struct TableFacts {
  std::string place;                 ///< its lasting name in the house, "Mesa 7"
  std::string game;                  ///< id in its catalogue
  std::string catalogue;             ///< digest
  std::vector<std::string> pockets;  ///< numbers of its wheel, in the wheel's order
};

class TableBook {
 public:
  /// `session` outlives the book.
  explicit TableBook(Session& session) : session_(session) {}

  /// Place and game of a table, open or closed.
  [[nodiscard]] const TableFacts& facts(const std::string& table);
  /// The same with the numbers of its wheel, if its game has one.
  [[nodiscard]] const TableFacts& with_wheel(const std::string& table);

 private:
  TableFacts& known(const std::string& table);
  [[nodiscard]] std::vector<std::string> pockets_of(const TableFacts& table);

  Session& session_;
  std::map<std::string, TableFacts> tables_;
  std::map<std::string, std::string> catalogues_;  // id by digest
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> wheels_;
};

}  // namespace talla::cli
