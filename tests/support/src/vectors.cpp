// Published vectors below tests/vectors: plain files and gzipped ones, read whole.
#include "support/vectors.hpp"

#include <zlib.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "support/source_tree.hpp"

namespace talla::test {

std::filesystem::path vectors_folder() {
  return talla::test::source_tree() / "tests/vectors";
}

std::string vector_text(const std::string& path) {
  auto place = vectors_folder() / path;
  if (!std::filesystem::is_regular_file(place)) place += ".gz";
  if (!std::filesystem::is_regular_file(place))
    throw std::runtime_error("no such test vectors: " + (vectors_folder() / path).string());
  // zlib hands a file through as it is when it does not begin like a compressed one.
  const std::unique_ptr<gzFile_s, decltype(&gzclose)> file(gzopen(place.c_str(), "rb"), &gzclose);
  if (!file) throw std::runtime_error("cannot open " + place.string());
  std::string text;
  std::array<char, 65'536> part{};
  int got = 0;
  while ((got = gzread(file.get(), part.data(), part.size())) > 0)
    text.append(part.data(), static_cast<std::size_t>(got));
  int error = Z_OK;
  const char* const message = gzerror(file.get(), &error);
  // A compressed file that ends too early reads as a short one; only the error code says so.
  if (got < 0 || (error != Z_OK && error != Z_STREAM_END))
    throw std::runtime_error(std::string("cannot read ") + message);  // zlib names the file
  if (text.empty()) throw std::runtime_error("empty test vectors: " + place.string());
  return text;
}

std::vector<std::uint8_t> vector_bytes(const std::string& path) {
  const std::string text = vector_text(path);
  return {text.begin(), text.end()};
}

}  // namespace talla::test
