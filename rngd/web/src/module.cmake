# Writes OUTPUT, a C++ source with what rngd/packaging/settle left in FOLDER; without FOLDER, one
# without files.
set(text "")
string(APPEND text "// Generated: the engines for browsers, as rngd/packaging/settle packed them.\n"
  "#include <array>\n#include <cstdint>\n\n#include \"files.hpp\"\n\nnamespace talla::web {\n\n")
if(FOLDER)
  file(READ ${FOLDER}/settle.wasm.gz hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REPEAT "0x[0-9a-f][0-9a-f]," 16 sixteen)
  string(REGEX REPLACE "(${sixteen})" "\\1\n" bytes "${bytes}")
  file(READ ${FOLDER}/digest.js digest)
  string(APPEND text
    "namespace {\nconstexpr std::uint8_t packed_engines[] = {\n${bytes}};\n}\n\n"
    "std::span<const File> module_files() {\n  static const std::array<File, 2> all{{\n"
    "    {\"/web/settle/digest.js\", R\"web(${digest})web\"},\n"
    "    {\"/web/settle/settle.wasm.gz\",\n"
    "     {reinterpret_cast<const char*>(packed_engines), sizeof(packed_engines)}},\n"
    "  }};\n  return all;\n}\n")
else()
  string(APPEND text "std::span<const File> module_files() {\n  return {};\n}\n")
endif()
string(APPEND text "\n}  // namespace talla::web\n")
file(WRITE ${OUTPUT} "${text}")
