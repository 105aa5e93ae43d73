// A SoftHSM 2 token in a folder of its own, for tests of what a PKCS#11 module keeps. Absent
// SoftHSM: `present()` is false.
#pragma once

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>

#include "certs/pkcs11.hpp"
#include "fixture.hpp"

namespace talla::certs::testing {

class SoftHsm {
 public:
  static constexpr const char* pin = "4711-secret-pin";
  static std::string module_path() {
    for (const char* path :
         {"/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so"}) {
      if (::access(path, R_OK) == 0) return path;
    }
    return {};
  }
  static bool present() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c): one thread
    return !module_path().empty() && std::system("command -v softhsm2-util >/dev/null") == 0;
  }

  /// The module reads SOFTHSM2_CONF when it starts: one SoftHsm at a time, made before the first
  /// token is opened.
  SoftHsm() {
    std::filesystem::create_directory(folder_ / "tokens");
    std::ofstream(folder_ / "softhsm2.conf")
        << "directories.tokendir = " << folder_.path() << "/tokens"
        << "\nobjectstore.backend = file\nlog.level = ERROR\n";
    std::ofstream(folder_ / "pin") << pin << "\n";
    static_cast<void>(::chmod((folder_ / "pin").c_str(), 0600));
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    static_cast<void>(::setenv("SOFTHSM2_CONF", (folder_ / "softhsm2.conf").c_str(), 1));
    add_token("talla");
  }
  static void add_token(const std::string& label) {
    const std::string command = "softhsm2-util --init-token --free --label " + label +
                                " --so-pin 12345678 --pin " + pin + " >/dev/null 2>&1";
    // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c): one thread
    if (std::system(command.c_str()) != 0) std::abort();
  }
  /// `pkcs11:token=LABEL;object=OBJECT?...` with the module and the PIN's file.
  [[nodiscard]] std::string uri(const std::string& object = {},
                                const std::string& label = "talla") const {
    return "pkcs11:token=" + label + (object.empty() ? "" : ";object=" + object) +
           "?module-path=" + module_path() + "&pin-source=" + (folder_ / "pin");
  }
  [[nodiscard]] std::shared_ptr<Pkcs11Token> open(const std::string& label = "talla") const {
    return must(Pkcs11Token::open(must(parse_pkcs11_uri(uri({}, label)))));
  }
  [[nodiscard]] const Folder& folder() const { return folder_; }

 private:
  Folder folder_;
};

}  // namespace talla::certs::testing
