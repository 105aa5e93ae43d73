/// \file
/// Command lines of the programs: commands with subcommands, options bound to variables, help and
/// wrong usage.
///
/// Names:    "--name" and "--name,-n" are options, "NAME" is an argument by its place.
/// Lifetime: variables that options are bound to outlive Program::parse; pointers that `add_...`
///           and `get_option` return live as long as the program.
/// Errors:   wrong usage is told on standard error by Program::parse; a wrong description of a
///           command (two options of one name, a name that is none) throws std::runtime_error.
/// Threads:  one thread.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace talla::commandline {

/// Types of variables that an option sets. A vector takes one value or more.
template <typename T>
concept Value = std::same_as<T, std::string> || std::same_as<T, std::int32_t> ||
                std::same_as<T, std::uint32_t> || std::same_as<T, std::int64_t> ||
                std::same_as<T, std::uint64_t> || std::same_as<T, double> ||
                std::same_as<T, std::vector<std::string>> ||
                std::same_as<T, std::vector<std::int64_t>> || std::same_as<T, std::vector<double>>;

/// An option, a flag or an argument of a command. What changes one returns it again.
class Option {
 public:
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  /// The command is wrong usage without it.
  Option* required();
  /// Each value is a number from `low` to `high`, both of them allowed.
  template <std::signed_integral T>
  Option* range(T low, T high) {
    return in_range(std::int64_t{low}, std::int64_t{high});
  }
  template <std::unsigned_integral T>
  Option* range(T low, T high) {
    return in_range(std::uint64_t{low}, std::uint64_t{high});
  }
  Option* range(double low, double high);
  /// Each value is a whole number and not below `low`, which is 0 or 1.
  Option* at_least(std::int64_t low);
  /// Each value is one of these.
  Option* one_of(const std::vector<std::string>& values);
  /// From `low` to `high` values, of a vector.
  Option* expected(int low, int high);
  /// Wrong usage unless that option is there too. One that is named was added to the same command
  /// before.
  Option* needs(Option* other);
  Option* needs(const std::string& other);
  /// Wrong usage if that option is there too, in either order. One that is named was added before.
  Option* excludes(Option* other);
  Option* excludes(const std::string& other);
  /// The help shows the value that the variable has now.
  Option* capture_default_str();
  /// The environment variable that counts where the option is absent.
  Option* envname(const std::string& name);
  /// The words of the help, instead of those it was added with.
  Option* description(const std::string& words);
  /// How often it was given. After parsing.
  [[nodiscard]] std::size_t count() const;

 private:
  friend class Command;
  explicit Option(CLI::Option& option) : option_(option) {}
  Option* in_range(std::int64_t low, std::int64_t high);
  Option* in_range(std::uint64_t low, std::uint64_t high);

  CLI::Option& option_;
};

/// A command: a program's own, or a subcommand.
class Command {
 public:
  Command(const Command&) = delete;
  Command& operator=(const Command&) = delete;
  ~Command();

  Command* add_subcommand(const std::string& name, const std::string& help);
  /// Wrong usage unless exactly one subcommand is given.
  Command* require_subcommand();
  template <Value T>
  Option* add_option(const std::string& names, T& value, const std::string& help);
  /// Takes no value; true if it is given.
  Option* add_flag(const std::string& names, bool& value, const std::string& help);
  /// One that was added. Throws std::runtime_error if there is none.
  [[nodiscard]] Option* get_option(const std::string& name);
  /// Words at the end of the help.
  Command* footer(const std::string& words);
  /// What is done when the command was given and understood; what it throws goes through
  /// Program::parse.
  Command* callback(std::function<void()> action);

 protected:
  explicit Command(CLI::App& app);

 private:
  Option* keep(CLI::Option& option);

  CLI::App& app_;
  std::vector<std::unique_ptr<Option>> options_;
  std::vector<std::unique_ptr<Command>> subcommands_;
};

/// The command of a program. --help is there from the start.
class Program : public Command {
 public:
  explicit Program(const std::string& description);
  ~Program();

  /// --version prints `text`.
  void version(const std::string& text);
  /// The program's own options may stand behind a subcommand too.
  void fallthrough();
  /// Reads the command line, sets the variables and runs the callbacks. Nothing: the program goes
  /// on. A code: help, version or wrong usage was printed, and the program ends; 0 for help and
  /// version, above 2 for wrong usage.
  [[nodiscard]] std::optional<int> parse(int argc, char** argv);

 private:
  explicit Program(std::unique_ptr<CLI::App> app);

  std::unique_ptr<CLI::App> owned_;
};

/// For callbacks: ends Program::parse as wrong usage, with "`what` is required".
[[noreturn]] void fail_required(const std::string& what);

}  // namespace talla::commandline
