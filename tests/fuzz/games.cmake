talla_fuzz(games_catalogue games_catalogue.cpp games)
talla_fuzz(games_scenario games_scenario.cpp games)
