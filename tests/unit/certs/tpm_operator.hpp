// What an operator with the owner's rights, or hands on the bus, does to a TPM: its own ESAPI with
// plain passwords, and a proxy between a TCTI and swtpm.
#pragma once

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <tss2/tss2_esys.h>
#include <tss2/tss2_tctildr.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "fixture.hpp"

namespace talla::certs::testing {

/// The owner's rights (an empty value), and whatever authorisation value he is told.
class TpmOperator {
 public:
  explicit TpmOperator(const std::string& tcti) {
    if (Tss2_TctiLdr_Initialize(tcti.c_str(), &tcti_) != 0) std::abort();
    if (Esys_Initialize(&context_, tcti_, nullptr) != 0) std::abort();
  }
  ~TpmOperator() {
    Esys_Finalize(&context_);
    Tss2_TctiLdr_Finalize(&tcti_);
  }
  TpmOperator(const TpmOperator&) = delete;
  TpmOperator& operator=(const TpmOperator&) = delete;

  bool remove(std::uint32_t index) {
    const ESYS_TR handle = open(index, "");
    return Esys_NV_UndefineSpace(context_, ESYS_TR_RH_OWNER, handle, ESYS_TR_PASSWORD, ESYS_TR_NONE,
                                 ESYS_TR_NONE) == 0;
  }
  bool define(std::uint32_t index, TPMA_NV attributes, std::uint16_t size,
              const std::string& auth) {
    TPM2B_NV_PUBLIC wanted{};
    wanted.nvPublic.nvIndex = index;
    wanted.nvPublic.nameAlg = TPM2_ALG_SHA256;
    wanted.nvPublic.attributes = attributes & ~TPMA_NV_WRITTEN;
    wanted.nvPublic.dataSize = size;
    const TPM2B_AUTH value = auth_of(auth);
    ESYS_TR handle = ESYS_TR_NONE;
    return Esys_NV_DefineSpace(context_, ESYS_TR_RH_OWNER, ESYS_TR_PASSWORD, ESYS_TR_NONE,
                               ESYS_TR_NONE, &value, &wanted, &handle) == 0;
  }
  Bytes read(std::uint32_t index, const std::string& auth) {
    const std::uint16_t size = public_of(index).dataSize;
    const ESYS_TR handle = open(index, auth);  // ESAPI has one handle for an index, and one value
    TPM2B_MAX_NV_BUFFER* data = nullptr;
    const TSS2_RC code = Esys_NV_Read(context_, handle, handle, ESYS_TR_PASSWORD, ESYS_TR_NONE,
                                      ESYS_TR_NONE, size, 0, &data);
    if (code != 0) std::abort();
    Bytes bytes(data->buffer, data->buffer + data->size);
    Esys_Free(data);
    return bytes;
  }
  bool write(std::uint32_t index, const std::string& auth, const Bytes& bytes) {
    const ESYS_TR handle = open(index, auth);
    TPM2B_MAX_NV_BUFFER data{};
    data.size = static_cast<UINT16>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), data.buffer);
    return Esys_NV_Write(context_, handle, handle, ESYS_TR_PASSWORD, ESYS_TR_NONE, ESYS_TR_NONE,
                         &data, 0) == 0;
  }
  bool increment(std::uint32_t index, const std::string& auth) {
    const ESYS_TR handle = open(index, auth);
    return Esys_NV_Increment(context_, handle, handle, ESYS_TR_PASSWORD, ESYS_TR_NONE,
                             ESYS_TR_NONE) == 0;
  }
  TPMS_NV_PUBLIC public_of(std::uint32_t index) {
    TPM2B_NV_PUBLIC* found = nullptr;
    TPM2B_NAME* name = nullptr;
    if (Esys_NV_ReadPublic(context_, open(index, ""), ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE,
                           &found, &name) != 0) {
      std::abort();
    }
    const TPMS_NV_PUBLIC area = found->nvPublic;
    Esys_Free(found);
    Esys_Free(name);
    return area;
  }

 private:
  static TPM2B_AUTH auth_of(const std::string& auth) {
    TPM2B_AUTH value{};
    value.size = static_cast<UINT16>(auth.size());
    std::copy(auth.begin(), auth.end(), value.buffer);
    return value;
  }
  ESYS_TR open(std::uint32_t index, const std::string& auth) {
    ESYS_TR handle = ESYS_TR_NONE;
    if (Esys_TR_FromTPMPublic(context_, index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &handle) !=
        0)
      std::abort();
    const TPM2B_AUTH value = auth_of(auth);
    Esys_TR_SetAuth(context_, handle, &value);
    return handle;
  }
  TSS2_TCTI_CONTEXT* tcti_ = nullptr;
  ESYS_CONTEXT* context_ = nullptr;
};

/// The bus: passes swtpm's two channels on, keeps what went by, and changes or cuts what it is told
/// to.
class TpmBus {
 public:
  explicit TpmBus(std::uint16_t tpm_port) : tpm_port_(tpm_port) {
    for (int port = 12000 + ::getpid() % 4000 * 2; port < 20000; port += 2) {
      port_ = static_cast<std::uint16_t>(port);
      if (listen_at(0) && listen_at(1)) break;
    }
    thread_ = std::thread([this] { run(); });
  }
  ~TpmBus() {
    stopping_ = true;
    thread_.join();
    for (const int fd : listeners_) ::close(fd);
  }
  TpmBus(const TpmBus&) = delete;
  TpmBus& operator=(const TpmBus&) = delete;
  [[nodiscard]] std::string tcti() const {
    return "swtpm:host=127.0.0.1,port=" + std::to_string(port_);
  }
  /// Of each answer to a command with this code; set while nobody talks.
  std::function<void(std::uint32_t command, std::vector<std::uint8_t>& answer)> change;
  /// A command with this code never arrives, and the line is dead after it.
  std::atomic<std::uint32_t> cut{0};
  [[nodiscard]] bool carried(const std::string& bytes) {
    const std::scoped_lock lock(mutex_);
    return std::search(seen_.begin(), seen_.end(), bytes.begin(), bytes.end()) != seen_.end();
  }
  [[nodiscard]] std::size_t carried_bytes() {
    const std::scoped_lock lock(mutex_);
    return seen_.size();
  }

 private:
  struct Line {
    int client = -1;
    int tpm = -1;
    bool data = false;
    std::uint32_t command = 0;
  };
  static sockaddr_in local(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
  }
  bool listen_at(int offset) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int yes = 1;
    ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    const sockaddr_in address = local(port_ + offset);
    if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(fd, 8) != 0) {
      ::close(fd);
      return false;
    }
    if (offset == 0) listeners_.clear();
    listeners_.push_back(fd);
    return true;
  }
  void run() {
    std::vector<Line> lines;
    while (!stopping_) {
      std::vector<pollfd> wait;
      for (const int fd : listeners_) wait.push_back({.fd = fd, .events = POLLIN, .revents = 0});
      for (const Line& line : lines) {
        wait.push_back({.fd = line.client, .events = POLLIN, .revents = 0});
        wait.push_back({.fd = line.tpm, .events = POLLIN, .revents = 0});
      }
      if (::poll(wait.data(), wait.size(), 20) <= 0) continue;
      const std::size_t old = lines.size();
      std::vector<bool> dead(old, false);
      for (std::size_t i = 0; i < old; ++i) {
        if (wait[2 + 2 * i].revents != 0 && !pass(lines[i], true)) dead[i] = true;
        if (!dead[i] && wait[3 + 2 * i].revents != 0 && !pass(lines[i], false)) dead[i] = true;
      }
      for (std::size_t i = old; i-- > 0;) {
        if (!dead[i]) continue;
        end(lines[i]);
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i));
      }
      for (int offset = 0; offset < 2; ++offset) {
        if ((wait[static_cast<std::size_t>(offset)].revents & POLLIN) == 0) continue;
        Line line{.client = ::accept(wait[static_cast<std::size_t>(offset)].fd, nullptr, nullptr),
                  .tpm = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
                  .data = offset == 0};
        const sockaddr_in address = local(tpm_port_ + offset);
        if (::connect(line.tpm, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
          lines.push_back(line);
        } else {
          end(line);
        }
      }
    }
    for (const Line& line : lines) end(line);
  }
  static void end(const Line& line) {
    ::close(line.client);
    ::close(line.tpm);
  }
  bool pass(Line& line, bool to_tpm) {
    std::vector<std::uint8_t> bytes(8192);
    const ssize_t got = ::recv(to_tpm ? line.client : line.tpm, bytes.data(), bytes.size(), 0);
    if (got <= 0) return false;
    bytes.resize(static_cast<std::size_t>(got));
    if (line.data && to_tpm && bytes.size() >= 10) {
      line.command = load_be32(bytes.data() + 6);
      if (cut != 0 && line.command == cut) return false;
    }
    {
      const std::scoped_lock lock(mutex_);
      seen_.insert(seen_.end(), bytes.begin(), bytes.end());
    }
    if (line.data && !to_tpm && change) change(line.command, bytes);
    return ::send(to_tpm ? line.tpm : line.client, bytes.data(), bytes.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(bytes.size());
  }

  std::uint16_t tpm_port_ = 0;
  std::uint16_t port_ = 0;
  std::vector<int> listeners_;
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::string seen_;  // mutex_
  std::thread thread_;
};

}  // namespace talla::certs::testing
