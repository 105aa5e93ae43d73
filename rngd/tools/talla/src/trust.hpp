/// \file
/// What a command that verifies trusts and asks for, read from its options, and how its verdict is
/// told: the same for evidence, archives and disputes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"
#include "verify/verify.hpp"

namespace talla::cli {

/// Paths, as given.
struct TrustOptions {
  std::string root{};     ///< empty: that of client.toml
  std::string log_key{};  ///< evidence only; not part of Trust: it is read with the receipt
  std::string known_key{};
  std::string policy{};
  std::string openings{};  ///< evidence only
  std::string mine{};      ///< evidence only: a key's SHA-256, or the file of a key
  std::vector<std::string> ended{};
  std::string consistency{};
  std::vector<std::string> catalogues{};           ///< evidence only
  std::vector<std::string> certification_roots{};  ///< evidence only: KIND=FILE
  std::vector<std::string> certifications{};       ///< evidence only
  std::vector<std::string> withdrawals{};          ///< evidence only
  bool production = false;
};

enum class Judged { evidence, archives };
/// Adds the options that what is judged has. `options` outlives parsing.
void add_trust(commandline::Command& command, TrustOptions& options, Judged judged);

/// What the files hold; empty where none was named.
struct Trust {
  std::string roots;
  std::string policy;
  std::string openings;
  std::string known_key;
  std::optional<Digest> mine{};
  std::vector<std::string> ended;
  std::string consistency;
  std::vector<std::string> catalogues;
  std::string type_roots;
  std::string installation_roots;
  std::vector<std::string> certifications;
  std::vector<std::string> withdrawals;

  /// With views of what is here: it must outlive them.
  [[nodiscard]] certs::VerifyOptions options(bool production) const&;
  [[nodiscard]] certs::VerifyOptions options(bool production) const&& = delete;
};
/// Errors: usage (no root), file, those of client.toml.
[[nodiscard]] Result<Trust> load_trust(const App& app, const TrustOptions& options);
/// The file, or nothing for no path. Errors: file, also when it is empty: it would count as none.
[[nodiscard]] Result<std::string> read_filled(const std::string& path);

/// Adds --language, es or en: the words of the verdict. The command sets `App::language` by it.
void add_verdict_language(commandline::Command& command, std::string& language);

/// "uncertified (certification_origin), development keys", in "es" or "en".
[[nodiscard]] std::string class_words(const certs::Verdict& verdict, std::string_view language);
/// What is not valid, and why, in the language of `app`: receipt_refused.
[[nodiscard]] tl::unexpected<Error> not_valid(const App& app, const std::string& path,
                                              const Error& why);
/// Prints it; with --json also `code` and `sentence`.
void refuse_evidence(App& app, const std::string& path, const Error& why);
/// What was checked and what was not, a line each, in the language of `app`.
void say_lines(const App& app, const certs::Verdict& verdict);
/// The exit code. Development keys are no evidence in production: they never end in the code of
/// certified evidence.
[[nodiscard]] int code_of(const certs::Verdict& verdict);
/// Names and the like: as they are.
[[nodiscard]] json::Array lines_of(const std::vector<std::string>& lines);
/// Lines of a verdict, in "es" or "en".
[[nodiscard]] json::Array lines_in(const std::vector<std::string>& lines,
                                   std::string_view language);

}  // namespace talla::cli
