talla_bench(bench_games SOURCES games.cpp games_rounds.cpp LIBS games shuffle test_support)
# The bare rule functions and the census stand below the public face.
target_include_directories(bench_games PRIVATE ${CMAKE_SOURCE_DIR}/games/src)
talla_bench(bench_odds SOURCES odds.cpp games_rounds.cpp LIBS games shuffle test_support)
target_include_directories(bench_odds PRIVATE ${CMAKE_SOURCE_DIR}/games/src)
talla_bench(bench_poker SOURCES poker.cpp LIBS games shuffle)
target_include_directories(bench_poker PRIVATE ${CMAKE_SOURCE_DIR}/games/src)
