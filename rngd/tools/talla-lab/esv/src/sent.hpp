/// \file
/// What a server has and gave already, kept beside the run file, so that a cut run goes on.
#pragma once

#include <string>

#include "base/json.hpp"
#include "submission.hpp"

namespace talla::lab::esv {

/// A file that is sent, as it was when the run began.
struct OutFile {
  std::string path;
  std::string content;
  std::string sha256;
};
/// Errors: esv_refused, the file cannot be read or is above 64 MB.
[[nodiscard]] Result<OutFile> out_file(const Submission& of, const json::Value& entry);

/// The state of one submission at one server.
class Sent {
 public:
  /// Read, or begun. `identity`: digests of run file and all files, and the server. Errors:
  /// esv_refused: the state is of something else, or no state.
  [[nodiscard]] static Result<Sent> open(const std::string& path, const json::Value& identity);
  /// Writes it, whole and for this user alone.
  [[nodiscard]] Status keep() const;
  [[nodiscard]] json::Value& all() { return all_; }
  [[nodiscard]] const json::Value& all() const { return all_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  Sent(std::string path, json::Value all) : path_(std::move(path)), all_(std::move(all)) {}
  std::string path_;
  json::Value all_;
};

}  // namespace talla::lab::esv
