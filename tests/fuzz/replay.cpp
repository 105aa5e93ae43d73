// Goal: run a fuzz target without libFuzzer, over its corpus and over seeded mutations of every
//       corpus file.
// Method: each file as it is, then truncated, with flipped bytes and with repeated slices; the seed
//         is fixed.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

// NOLINTNEXTLINE(readability-redundant-declaration): of the target that it is linked with
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

/// splitmix64 (Steele, Lea, Flood 2014): fixed-seed mutations, nothing secret.
std::uint64_t next(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

void mutate(Input& input, std::uint64_t& state) {
  if (input.empty()) return;
  const auto at = static_cast<std::size_t>(next(state) % input.size());
  switch (next(state) % 4) {
    case 0:
      input[at] = static_cast<std::uint8_t>(next(state));
      break;
    case 1:
      input.resize(at);
      break;
    case 2:
      input[at] = static_cast<std::uint8_t>(input[at] ^ (1U << (next(state) % 8)));
      break;
    default: {
      const Input slice(input.begin() + static_cast<std::ptrdiff_t>(at), input.end());
      input.insert(input.end(), slice.begin(), slice.end());
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    static_cast<void>(std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]));
    return 2;
  }
  std::size_t runs = 0;
  std::uint64_t state = 20260101;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream file(entry.path(), std::ios::binary);
    const Input original{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    static_cast<void>(LLVMFuzzerTestOneInput(original.data(), original.size()));
    ++runs;
    for (int round = 0; round < 300; ++round) {
      Input input = original;
      const auto steps = 1 + next(state) % 4;
      for (std::uint64_t k = 0; k < steps && input.size() < 65536; ++k) mutate(input, state);
      static_cast<void>(LLVMFuzzerTestOneInput(input.data(), input.size()));
      ++runs;
    }
  }
  std::printf("%zu inputs run\n", runs);
  return runs > 0 ? 0 : 1;
}
