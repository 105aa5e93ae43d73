#include "passphrase.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "app.hpp"
#include "certs/secret_source.hpp"

namespace talla::cli {

namespace {

/// The controlling terminal without echo, as it was at the end.
class Terminal {
 public:
  Terminal() : fd_(::open("/dev/tty", O_RDWR | O_CLOEXEC)) {
    if (fd_ < 0 || ::tcgetattr(fd_, &before_) != 0) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    changed_ = ::tcsetattr(fd_, TCSAFLUSH, &quiet) == 0;
  }
  ~Terminal() {
    if (changed_) static_cast<void>(::tcsetattr(fd_, TCSAFLUSH, &before_));
    if (fd_ >= 0) static_cast<void>(::close(fd_));
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  [[nodiscard]] bool good() const { return changed_; }

  /// One line without its end.
  [[nodiscard]] SecretBytes line(const std::string& prompt) const {
    say(prompt);
    SecretBytes text;
    constexpr std::size_t size_max = 1024;
    for (std::uint8_t one = 0; text.size() < size_max && ::read(fd_, &one, 1) == 1 && one != '\n';)
      text.push_back(one);
    say("\n");
    return text;
  }

 private:
  void say(const std::string& text) const {
    if (::write(fd_, text.data(), text.size()) < 0) return;
  }
  int fd_;
  termios before_{};
  bool changed_ = false;
};

}  // namespace

Result<SecretBytes> passphrase_from(const std::string& source, bool fresh) {
  if (!source.empty()) return certs::read_secret_line(source);
  const Terminal terminal;
  if (!terminal.good())
    return fail(CliErrc::usage, "no terminal to ask for the passphrase; name a --passphrase file");
  SecretBytes text = terminal.line("Passphrase: ");
  if (fresh && terminal.line("The same again: ") != text)
    return fail(CliErrc::usage, "the two passphrases differ");
  return text;
}

}  // namespace talla::cli
