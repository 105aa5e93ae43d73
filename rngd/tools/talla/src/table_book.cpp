// What a person calls a table, and the numbers on its wheel.
#include "table_book.hpp"

#include <utility>

#include "columns.hpp"
#include "steps.hpp"

namespace talla::cli {

TableFacts& TableBook::known(const std::string& table) {
  const auto found = tables_.find(table);
  if (found != tables_.end()) return found->second;
  TableFacts facts;
  if (const auto reply = session_.get("/v1/tables/" + table)) {
    const json::Value* view = reply->find("table");
    const json::Value* opening = view == nullptr ? nullptr : view->find("opening");
    if (opening != nullptr) view = opening;  // of a closed table: its TABLE_OPEN
    if (view != nullptr) {
      facts.place = shown(*view, "place");
      facts.game = shown(*view, "game");
      facts.catalogue = shown(*view, "catalogue");
    }
  }
  return tables_.emplace(table, std::move(facts)).first->second;
}

std::vector<std::string> TableBook::pockets_of(const TableFacts& table) {
  if (catalogues_.empty()) {
    const auto reply = session_.get("/v1/catalogues");
    const json::Value* all = reply ? reply->find("catalogues") : nullptr;
    if (all == nullptr || !all->is_array()) return {};
    for (const json::Value& one : all->array())
      catalogues_.emplace(shown(one, "digest"), shown(one, "id"));
  }
  const auto id = catalogues_.find(table.catalogue);
  if (id == catalogues_.end()) return {};
  const auto game = session_.get("/v1/catalogues/" + id->second + "/" + table.game);
  const json::Value* draw = game ? equipment_of(*game, "draw") : nullptr;
  const json::Value* listed = draw == nullptr ? nullptr : draw->find("pockets");
  std::vector<std::string> pockets;
  if (listed == nullptr || !listed->is_array()) return pockets;
  for (const json::Value& one : listed->array())
    pockets.push_back(one.is_string() ? one.string() : json::canonical(one));
  return pockets;
}

const TableFacts& TableBook::facts(const std::string& table) {
  return known(table);
}

const TableFacts& TableBook::with_wheel(const std::string& table) {
  TableFacts& facts = known(table);
  if (!facts.pockets.empty() || facts.game.empty() || facts.catalogue.empty()) return facts;
  const std::pair key{facts.catalogue, facts.game};
  auto wheel = wheels_.find(key);
  if (wheel == wheels_.end()) wheel = wheels_.emplace(key, pockets_of(facts)).first;
  facts.pockets = wheel->second;
  return facts;
}

}  // namespace talla::cli
