/// \file
/// Catalogues as tables on a terminal; with --json nothing of this is printed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"
#include "base/json.hpp"
#include "games/listing.hpp"

namespace talla::cli {

/// Rows under a line of headings, columns as wide as their widest cell (in characters, not bytes);
/// long cells go on in the lines below. Nothing when there are no rows.
void say_table(const App& app, const std::vector<std::string>& headings,
               const std::vector<std::vector<std::string>>& rows);

/// Games of catalogues, as `games::list_games` gives them.
void say_games(const App& app, const json::Array& games, std::string_view language);
/// A catalogue's header, as `games::describe` gives it.
void say_catalogue(const App& app, const json::Value& described, std::string_view language);
/// One game with everything in it, as `games::describe` gives it, with the sentences about
/// equipment and figures.
void say_game(const App& app, const json::Value& described,
              const std::vector<games::RuleLine>& lines, std::string_view language);
/// Readings, as `games::ambiguities` gives them.
void say_ambiguities(const App& app, const json::Array& all, std::string_view language);
/// Differences, as `games::differences` gives them; `a` and `b` are the catalogues' ids.
void say_differences(const App& app, const json::Array& all, const std::string& a,
                     const std::string& b, std::string_view language);

}  // namespace talla::cli
