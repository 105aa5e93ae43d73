#include "app.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "words.hpp"

namespace talla::cli {

std::string_view errc_name(CliErrc errc) {
  switch (errc) {
    case CliErrc::file:
      return "file";
    case CliErrc::bad_client_file:
      return "bad_client_file";
    case CliErrc::appliance_refused:
      return "appliance_refused";
    case CliErrc::receipt_refused:
      return "receipt_refused";
    case CliErrc::usage:
      return "usage";
  }
  return "unknown";
}

void App::say(const std::string& line) const {
  if (!json) std::cout << line << "\n" << std::flush;
}

void App::emit(const json::Value& value) const {
  if (json) std::cout << json::canonical(value) << "\n" << std::flush;
}

void App::refuse(const Error& error, int code) {
  exit = code;
  if (json) {
    json::Value body;
    body["error"] = std::string(error.code);
    body["detail"] = detail_in(error, language);
    std::cout << json::canonical(body) << "\n" << std::flush;
  } else {
    const auto detail = detail_in(error, language);
    std::cerr << "talla: " << error.code << (detail.empty() ? "" : ": ") << detail << "\n";
  }
}

void App::refuse(const Error& error) {
  refuse(error, error.is(CliErrc::usage) ? exit_usage : exit_refused);
}

void App::finish(const Status& done) {
  if (!done) refuse(done.error());
}

Result<std::string> read_file(const std::string& path, std::size_t size_max) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    return fail(CliErrc::file, path + ": cannot be read");
  std::ostringstream text;
  text << file.rdbuf();
  std::string content = text.str();
  if (content.size() > size_max)
    return fail(CliErrc::file, path + ": is larger than " + std::to_string(size_max) + " bytes");
  return content;
}

Status write_file(const std::string& path, std::string_view content) {
  const std::string partial = path + ".part";
  {
    std::ofstream file(partial, std::ios::binary | std::ios::trunc);
    file << content;
    file.flush();
    if (!file) return fail(CliErrc::file, partial + ": cannot be written");
  }
  std::error_code error;
  std::filesystem::rename(partial, path, error);
  if (error) return fail(CliErrc::file, path + ": " + error.message());
  return {};
}

}  // namespace talla::cli
