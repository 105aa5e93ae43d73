#include "input.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iostream>

namespace talla::lab {
namespace {

constexpr std::size_t look = 4096;

std::size_t read_from(std::istream& stream, std::span<std::uint8_t> into) {
  stream.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
  return static_cast<std::size_t>(stream.gcount());
}

}  // namespace

stats::Result<Input> Input::open(const std::string& path) {
  Input input;
  input.path_ = path;
  if (path == "-") return input;
  std::error_code error;
  input.file_ = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (!*input.file_ || std::filesystem::is_directory(path, error))
    return stats::refuse(path + ": cannot be read");
  if (std::filesystem::is_regular_file(path, error))
    input.size_ = std::filesystem::file_size(path, error);
  return input;
}

std::size_t Input::read(std::span<std::uint8_t> into) {
  std::size_t got = std::min(ahead_.size(), into.size());
  std::copy_n(ahead_.begin(), got, into.begin());
  ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(got));
  if (got < into.size())
    got += read_from(file_ ? static_cast<std::istream&>(*file_) : std::cin, into.subspan(got));
  return got;
}

std::span<const std::uint8_t> Input::beginning() {
  if (!looked_) {
    looked_ = true;
    ahead_.resize(look);
    ahead_.resize(read_from(file_ ? static_cast<std::istream&>(*file_) : std::cin, ahead_));
  }
  return ahead_;
}

stats::Result<std::vector<std::uint8_t>> Input::read_all(std::size_t most) {
  std::vector<std::uint8_t> all;
  constexpr std::size_t chunk = std::size_t{1} << 20;
  for (;;) {
    const std::size_t old = all.size();
    all.resize(old + chunk);
    const std::size_t got = read(std::span(all).subspan(old));
    all.resize(old + got);
    if (all.size() > most)
      return stats::refuse(path_ + ": more than " + std::to_string(most) + " bytes");
    if (got == 0) return all;
  }
}

stats::BitForm form_of(const std::string& form, Input& input) {
  if (form == "auto") return stats::guess_form(input.beginning());
  return form == "ascii" ? stats::BitForm::ascii : stats::BitForm::binary;
}

}  // namespace talla::lab
