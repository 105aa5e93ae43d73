# Writes OUTPUT, a C++ source with the bytes of each of FILES under its name without extension:
# FUNCTION of the header HEADER gives them as a list.
set(text "// Generated from files of games/catalogues.\n#include \"games/${HEADER}\"\n\n")
string(APPEND text "namespace talla::games {\nnamespace {\n")
set(list "")
string(REPEAT "0x[0-9a-f][0-9a-f]," 8 eight)
set(index 0)
foreach(file IN LISTS FILES)
  get_filename_component(id ${file} NAME_WE)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(${eight})" "\\1\n" bytes "${bytes}")
  string(APPEND text "constexpr std::uint8_t ${FUNCTION}_${index}[] = {\n${bytes}};\n")
  string(APPEND list "      {\"${id}\", ${FUNCTION}_${index}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND text "}  // namespace\n\nconst std::vector<EmbeddedCatalogue>& ${FUNCTION}() {\n"
  "  static const std::vector<EmbeddedCatalogue> all = {\n${list}  };\n"
  "  return all;\n}\n\n}  // namespace talla::games\n")
file(WRITE ${OUTPUT} "${text}")
