/// \file
/// What all commands of `talla` share: the options before the command, output, and the exit codes.
#pragma once

#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "commandline/command.hpp"

namespace talla::cli {

/// Exit codes, documented in `talla --help`. 3 and 4 are the verifier's classes.
inline constexpr int exit_ok = 0;
inline constexpr int exit_refused = 1;  ///< Refused, failed, or not valid.
inline constexpr int exit_usage = 2;
inline constexpr int exit_unreachable = 5;  ///< The appliance does not answer.

struct App {
  bool json = false;            ///< --json: one JSON value a line instead of words.
  std::string client_folder;    ///< --client: folder with client.toml; default $TALLA_CLIENT.
  int exit = exit_ok;           ///< Set by the command that ran.
  std::string language = "en";  ///< Of refusals; set by commands that take --language.

  /// Prints words to a person, nothing with --json.
  void say(const std::string& line) const;
  /// Prints a value as one line with --json, nothing otherwise.
  void emit(const json::Value& value) const;
  /// Prints the error (standard error, or JSON) and sets the exit code.
  void refuse(const Error& error, int code);
  /// The same with exit_usage for CliErrc::usage, exit_refused for any other error.
  void refuse(const Error& error);
  /// Refuses what did not end well.
  void finish(const Status& done);
};

enum class CliErrc : std::uint16_t {
  file = 850,
  bad_client_file = 851,
  appliance_refused = 852,
  receipt_refused = 853,
  usage = 854
};
[[nodiscard]] std::string_view errc_name(CliErrc errc);

/// Whole file; at most `size_max` bytes.
[[nodiscard]] Result<std::string> read_file(const std::string& path,
                                            std::size_t size_max = std::size_t{64} << 20);
/// Writes a new file or replaces one, whole or not at all.
[[nodiscard]] Status write_file(const std::string& path, std::string_view content);

// One function per command; each adds itself and its help to `root`. `app` outlives parsing.
void add_acts(commandline::Command& root, App& app);
void add_anchor(commandline::Command& root, App& app);
void add_catalogue(commandline::Command& root, App& app);
void add_contribute(commandline::Command& root, App& app);
void add_devices(commandline::Command& root, App& app);
void add_dispute(commandline::Command& root, App& app);
void add_keys(commandline::Command& root, App& app);
void add_log(commandline::Command& root, App& app);
void add_odds(commandline::Command& root, App& app);
void add_docs(commandline::Command& root, App& app);
void add_setup(commandline::Command& root, App& app);
void add_settle(commandline::Command& root, App& app);
void add_verify(commandline::Command& root, App& app);
void add_witness(commandline::Command& root, App& app);
void add_status(commandline::Command& root, App& app);
void add_tables(commandline::Command& root, App& app);
void add_return(commandline::Command& root, App& app);
void add_monitors(commandline::Command& root, App& app);
void add_shoe(commandline::Command& root, App& app);
void add_spin(commandline::Command& root, App& app);
void add_roll(commandline::Command& root, App& app);
void add_draw(commandline::Command& root, App& app);
void add_play(commandline::Command& root, App& app);
void add_openings(commandline::Command& root, App& app);
void add_samples(commandline::Command& root, App& app);

}  // namespace talla::cli
