// Says what the library maps: one request a line of the standard input, one outcome a line.
//   order N HEX | wheel N HEX | dice K S HEX | lots B,B,... HEX     ("-" is none)
//   drawn WORDS REFUSED value value ... | exhausted | fault | refused
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "shuffle/draw.hpp"
#include "shuffle/permutation.hpp"
#include "shuffle/uniform.hpp"

namespace {

using namespace talla;
using shuffle::Errc;

[[noreturn]] void malformed_request(const std::string& line) {
  std::cerr << "mapped: no request: " << line.substr(0, 80) << '\n';
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  std::exit(2);
}

std::vector<std::uint64_t> listed_bounds(const std::string& text) {
  std::vector<std::uint64_t> bounds;
  std::istringstream parts(text == "-" ? std::string() : text);
  for (std::string part; std::getline(parts, part, ',');) bounds.push_back(std::stoull(part));
  return bounds;
}

template <class Number>
std::string outcome_line(const shuffle::Tape& tape, const Result<std::vector<Number>>& drawn) {
  if (!drawn) {
    const Error& error = drawn.error();
    if (error.is(Errc::tape_exhausted)) return "exhausted";
    if (error.is(Errc::generator_fault)) return "fault";
    if (error.is(Errc::bound_out_of_range) || error.is(Errc::outcome_space_too_large))
      return "refused";
    return "other " + error.text();
  }
  std::string line =
      "drawn " + std::to_string(tape.words_used()) + " " + std::to_string(tape.words_rejected());
  for (const auto number : *drawn) line += " " + std::to_string(number);
  return line;
}

std::string map_request(const std::string& line) {
  std::istringstream words(line);
  std::string kind;
  std::string ask;
  std::string faces;
  std::string hex;
  words >> kind >> ask;
  if (kind == "dice") words >> faces;
  words >> hex;
  const auto bytes = from_hex(hex == "-" ? std::string() : hex);
  if (hex.empty() || !bytes) malformed_request(line);
  auto tape = shuffle::Tape::borrowed(*bytes);
  const auto number = [](const std::string& text) {
    return static_cast<std::uint32_t>(std::stoul(text));
  };
  if (kind == "order") return outcome_line(tape, shuffle::draw_permutation(tape, number(ask)));
  if (kind == "wheel")
    return outcome_line(tape, shuffle::draw_values(tape, shuffle::WheelDraw{number(ask)}));
  if (kind == "dice")
    return outcome_line(tape,
                        shuffle::draw_values(tape, shuffle::DiceDraw{number(ask), number(faces)}));
  if (kind == "lots") return outcome_line(tape, shuffle::draw_indices(tape, listed_bounds(ask)));
  malformed_request(line);
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) std::cout << map_request(line) << '\n';
  return 0;
}
