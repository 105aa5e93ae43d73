// The one source that reads CLI11: commands, options and values behind the house's own header.
#include "commandline/command.hpp"

#include <CLI/CLI.hpp>

namespace talla::commandline {

Option* Option::required() {
  option_.required();
  return this;
}

Option* Option::in_range(std::int64_t low, std::int64_t high) {
  option_.check(CLI::Range(low, high));
  return this;
}

Option* Option::in_range(std::uint64_t low, std::uint64_t high) {
  option_.check(CLI::Range(low, high));
  return this;
}

Option* Option::range(double low, double high) {
  option_.check(CLI::Range(low, high));
  return this;
}

Option* Option::at_least(std::int64_t low) {
  const auto check = [low](const std::string& text) {
    std::int64_t value = 0;  // what is no number is told by the conversion
    const bool below = CLI::detail::lexical_cast(text, value) && value < low;
    return below ? "must be " + std::to_string(low) + " or more" : std::string();
  };
  option_.check(CLI::Validator(check, low == 0 ? "NONNEGATIVE" : "POSITIVE"));
  return this;
}

Option* Option::one_of(const std::vector<std::string>& values) {
  option_.check(CLI::IsMember(values));
  return this;
}

Option* Option::expected(int low, int high) {
  option_.expected(low, high);
  return this;
}

Option* Option::needs(Option* other) {
  option_.needs(&other->option_);
  return this;
}

Option* Option::needs(const std::string& other) {
  option_.needs(other);
  return this;
}

Option* Option::excludes(Option* other) {
  option_.excludes(&other->option_);
  return this;
}

Option* Option::excludes(const std::string& other) {
  option_.excludes(other);
  return this;
}

Option* Option::capture_default_str() {
  option_.capture_default_str();
  return this;
}

Option* Option::envname(const std::string& name) {
  option_.envname(name);
  return this;
}

Option* Option::description(const std::string& words) {
  option_.description(words);
  return this;
}

std::size_t Option::count() const {
  return option_.count();
}

Command::Command(CLI::App& app) : app_(app) {}
Command::~Command() = default;

Command* Command::add_subcommand(const std::string& name, const std::string& help) {
  subcommands_.push_back(std::unique_ptr<Command>(new Command(*app_.add_subcommand(name, help))));
  return subcommands_.back().get();
}

Command* Command::require_subcommand() {
  app_.require_subcommand(1);
  return this;
}

Option* Command::keep(CLI::Option& option) {
  options_.push_back(std::unique_ptr<Option>(new Option(option)));
  return options_.back().get();
}

template <Value T>
Option* Command::add_option(const std::string& names, T& value, const std::string& help) {
  return keep(*app_.add_option(names, value, help));
}

template Option* Command::add_option(const std::string&, std::string&, const std::string&);
template Option* Command::add_option(const std::string&, std::int32_t&, const std::string&);
template Option* Command::add_option(const std::string&, std::uint32_t&, const std::string&);
template Option* Command::add_option(const std::string&, std::int64_t&, const std::string&);
template Option* Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option* Command::add_option(const std::string&, double&, const std::string&);
template Option* Command::add_option(const std::string&, std::vector<std::string>&,
                                     const std::string&);
template Option* Command::add_option(const std::string&, std::vector<std::int64_t>&,
                                     const std::string&);
template Option* Command::add_option(const std::string&, std::vector<double>&, const std::string&);

Option* Command::add_flag(const std::string& names, bool& value, const std::string& help) {
  return keep(*app_.add_flag(names, value, help));
}

Option* Command::get_option(const std::string& name) {
  const CLI::Option* wanted = app_.get_option(name);
  for (const auto& option : options_) {
    if (&option->option_ == wanted) return option.get();
  }
  throw CLI::OptionNotFound(name);  // the library's own, --help
}

Command* Command::footer(const std::string& words) {
  app_.footer(words);
  return this;
}

Command* Command::callback(std::function<void()> action) {
  app_.callback(std::move(action));
  return this;
}

Program::Program(const std::string& description)
    : Program(std::make_unique<CLI::App>(description)) {}
Program::Program(std::unique_ptr<CLI::App> app) : Command(*app), owned_(std::move(app)) {}
Program::~Program() = default;

void Program::version(const std::string& text) {
  owned_->set_version_flag("--version", text);
}

void Program::fallthrough() {
  owned_->fallthrough();
}

std::optional<int> Program::parse(int argc, char** argv) {
  try {
    owned_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return owned_->exit(error);
  }
}

void fail_required(const std::string& what) {
  throw CLI::RequiredError(what);
}

}  // namespace talla::commandline
