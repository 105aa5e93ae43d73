// Starts a command line that ends with this process, and waits for it.
#include "child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace talla::lab::submit {
namespace {

constexpr int cannot_start = 126;
constexpr int signal_base = 128;
constexpr int file_mode = 0644;

/// Between fork and exec: system calls alone.
[[noreturn]] void become(const ChildWish& wish, char* const* arguments, int parent, int out,
                         int messages) {
  const bool tied = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
  if (tied && ::chdir(wish.folder.c_str()) == 0 && ::dup2(out, STDOUT_FILENO) >= 0 &&
      ::dup2(messages, STDERR_FILENO) >= 0)
    static_cast<void>(::execv(wish.program.c_str(), arguments));
  ::_exit(cannot_start);
}

}  // namespace

int run_child(const ChildWish& wish) {
  const std::string target = wish.out.empty() ? "/dev/null" : wish.out;
  const int out = ::open(target.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, file_mode);
  const int messages =
      ::open(wish.messages.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, file_mode);
  std::vector<std::string> words{wish.program};
  words.insert(words.end(), wish.arguments.begin(), wish.arguments.end());
  std::vector<char*> arguments;
  for (std::string& one : words) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  int status = cannot_start << 8;
  const int parent = ::getpid();
  const pid_t child = out < 0 || messages < 0 ? -1 : ::fork();
  if (child == 0) become(wish, arguments.data(), parent, out, messages);
  if (child > 0) {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  for (const int one : {out, messages})
    if (one >= 0) static_cast<void>(::close(one));
  return WIFSIGNALED(status) ? signal_base + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace talla::lab::submit
