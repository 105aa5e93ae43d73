/// \file
/// Published test vectors of tests/vectors. A file that is missing or broken fails the test that
/// asks for it: std::runtime_error with its path. Threads: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace talla::test {

/// The folder itself, for what lists it or runs a script in it.
[[nodiscard]] std::filesystem::path vectors_folder();

/// All bytes of a file, `path` being below tests/vectors; one that is kept compressed (`path`.gz)
/// comes out as it was published.
[[nodiscard]] std::string vector_text(const std::string& path);
[[nodiscard]] std::vector<std::uint8_t> vector_bytes(const std::string& path);

}  // namespace talla::test
