// What belongs together, subcommands, callbacks, and the texts of help and version.
#include <stdexcept>

#include "given.hpp"

namespace talla::commandline {
namespace {

TEST(Usage, required_is_named) {
  std::string config;
  Program program("test");
  program.add_option("--config", config, "a file")->required();
  const Given done = given(program, {});
  EXPECT_GT(done.code, 2);
  EXPECT_TRUE(done.out.empty());
  EXPECT_EQ(done.err, "--config is required\nRun with --help for more information.\n");
  EXPECT_EQ(given(program, {"--config", "a"}).code, std::nullopt);
}

TEST(Usage, unknown_option_is_named) {
  Program program("test");
  const Given done = given(program, {"--no-such"});
  EXPECT_GT(done.code, 2);
  EXPECT_NE(done.err.find("--no-such"), std::string::npos);
}

TEST(Usage, needs_and_excludes) {
  std::string key;
  std::string out;
  std::string other;
  const auto code = [&](const std::vector<std::string>& words) {
    Program program("test");
    Option* first = program.add_option("--key", key, "");
    program.add_option("--other", other, "")->needs("--key");
    program.add_option("--out", out, "")->needs(first)->excludes("--other");
    return given(program, words).code;
  };
  EXPECT_EQ(code({"--key", "k"}), std::nullopt);
  EXPECT_EQ(code({"--key", "k", "--out", "o"}), std::nullopt);
  EXPECT_EQ(code({"--key", "k", "--other", "o"}), std::nullopt);
  EXPECT_GT(code({"--out", "o"}), 2);
  EXPECT_GT(code({"--other", "o"}), 2);
  EXPECT_GT(code({"--key", "k", "--out", "o", "--other", "o"}), 2);
}

TEST(Usage, only_what_is_there_can_be_needed) {
  std::string out;
  Program program("test");
  Option* option = program.add_option("--out", out, "");
  EXPECT_THROW(option->needs("--key"), std::runtime_error);
  EXPECT_THROW(option->excludes("--key"), std::runtime_error);
}

TEST(Usage, excludes_goes_both_ways) {
  bool raw = false;
  bool restart = false;
  Program program("test");
  Option* first = program.add_flag("--raw", raw, "");
  program.add_flag("--restart", restart, "")->excludes(first);
  EXPECT_EQ(given(program, {"--raw"}).code, std::nullopt);
  EXPECT_GT(given(program, {"--raw", "--restart"}).code, 2);
}

/// `program [--json] (show NAME | list)`: what ran.
struct Two {
  Program program{"two commands"};
  bool json = false;
  std::string name;
  std::string ran;

  Two() {
    program.require_subcommand();
    program.fallthrough();
    program.add_flag("--json", json, "for programs");
    Command* show = program.add_subcommand("show", "shows one");
    show->add_option("NAME", name, "which")->required();
    show->callback([this] { ran += "show " + name; });
    program.add_subcommand("list", "lists all")->callback([this] { ran += "list"; });
  }
};

TEST(Commands, the_one_that_is_given_runs) {
  Two two;
  EXPECT_EQ(given(two.program, {"show", "shoe-1"}).code, std::nullopt);
  EXPECT_EQ(two.ran, "show shoe-1");
}

TEST(Commands, exactly_one) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"list", "show", "shoe-1"}, {"other"}, {"show"}}) {
    Two two;
    EXPECT_GT(given(two.program, words).code, 2);
    EXPECT_EQ(two.ran, "");
  }
}

TEST(Commands, options_of_the_program_stand_behind_the_command_too) {
  Two two;
  EXPECT_EQ(given(two.program, {"list", "--json"}).code, std::nullopt);
  EXPECT_TRUE(two.json);
  EXPECT_EQ(two.ran, "list");
}

TEST(Commands, a_callback_can_call_it_wrong_usage) {
  Program program("test");
  program.add_subcommand("collect", "")->callback([] { fail_required("one of --raw, --restart"); });
  const Given done = given(program, {"collect"});
  EXPECT_GT(done.code, 2);
  EXPECT_EQ(done.err,
            "one of --raw, --restart is required\nRun with --help for more information.\n");
}

TEST(Commands, other_exceptions_go_through) {
  Program program("test");
  program.add_subcommand("run", "")->callback([] { throw std::runtime_error("the disk is full"); });
  std::vector<std::string> words{"program", "run"};
  std::vector<char*> argv{words[0].data(), words[1].data()};
  EXPECT_THROW(static_cast<void>(program.parse(2, argv.data())), std::runtime_error);
}

TEST(Commands, options_are_found_by_name_and_counted) {
  std::string device = "auto";
  Program program("test");
  Option* added = program.add_option("--device", device, "");
  EXPECT_EQ(program.get_option("--device"), added);
  EXPECT_THROW(static_cast<void>(program.get_option("--none")), std::runtime_error);
  EXPECT_THROW(program.add_option("--device", device, ""), std::runtime_error);
  EXPECT_EQ(given(program, {}).code, std::nullopt);
  EXPECT_EQ(added->count(), 0U);
  EXPECT_EQ(given(program, {"--device", "x"}).code, std::nullopt);
  EXPECT_EQ(added->count(), 1U);
}

TEST(Help, tells_everything_and_ends_with_zero) {
  int decks = 6;
  std::string language = "es";
  std::string key;
  Program program("what it is for");
  program.add_option("--decks", decks, "how many")->range(1, 8)->capture_default_str();
  program.add_option("--language", language, "of the words")->one_of({"es", "en"});
  program.add_option("--key", key, "forgotten words")->description("a file")->required();
  program.footer("Exit codes: none.");
  const Given done = given(program, {"--help"});
  EXPECT_EQ(done.code, 0);
  EXPECT_TRUE(done.err.empty());
  EXPECT_EQ(done.out,
            "what it is for\n"
            "Usage: program [OPTIONS]\n"
            "\n"
            "Options:\n"
            "  -h,--help                   Print this help message and exit\n"
            "  --decks INT:INT in [1 - 8]=6\n"
            "                              how many\n"
            "  --language TEXT:{es,en}     of the words\n"
            "  --key TEXT REQUIRED         a file\n"
            "\n"
            "Exit codes: none.\n");
}

TEST(Help, of_a_subcommand_is_its_own) {
  Two two;
  const Given done = given(two.program, {"show", "--help"});
  EXPECT_EQ(done.code, 0);
  EXPECT_EQ(done.out.rfind("shows one\nUsage: program show [OPTIONS] NAME\n", 0), 0U) << done.out;
  EXPECT_EQ(two.ran, "");
}

TEST(Help, version) {
  Program program("test");
  program.version("program 1.2.3");
  const Given done = given(program, {"--version"});
  EXPECT_EQ(done.code, 0);
  EXPECT_EQ(done.out, "program 1.2.3\n");
}

}  // namespace
}  // namespace talla::commandline
