// Starts another program and reads what it says.
#include "software/output.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace talla::software {
namespace {

std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 4096> block{};
  for (;;) {
    const auto got = ::read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

/// Where its output and its errors go.
class Actions {
 public:
  explicit Actions(int output) {
    static_cast<void>(::posix_spawn_file_actions_init(&actions_));
    static_cast<void>(::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO));
    static_cast<void>(
        ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0));
  }
  ~Actions() { static_cast<void>(::posix_spawn_file_actions_destroy(&actions_)); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  Actions(Actions&&) = delete;
  Actions& operator=(Actions&&) = delete;
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

}  // namespace

Result<ProgramOutput> output_of(const std::string& program, std::vector<std::string> arguments) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail(Errc::loader_refused, "no pipe");
  std::string name = program;
  std::vector<char*> words{name.data()};
  for (std::string& one : arguments) words.push_back(one.data());
  words.push_back(nullptr);
  std::array<char*, 1> environment{nullptr};
  const Actions actions(ends[1]);
  pid_t child = 0;
  const int refused = ::posix_spawn(&child, program.c_str(), actions.get(), nullptr, words.data(),
                                    environment.data());
  static_cast<void>(::close(ends[1]));
  ProgramOutput out;
  if (refused == 0) out.text = read_to_end(ends[0]);
  static_cast<void>(::close(ends[0]));
  int status = 0;
  while (refused == 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (refused != 0 || !WIFEXITED(status))
    return fail(Errc::loader_refused, program + ": cannot be started, or was killed");
  out.status = WEXITSTATUS(status);
  return out;
}

}  // namespace talla::software
