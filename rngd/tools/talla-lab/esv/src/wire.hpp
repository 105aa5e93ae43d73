/// \file
/// What goes over the wire to a server of the ESV protocol, and what comes back.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "http/client.hpp"
#include "lab_esv/send.hpp"

namespace talla::lab::esv {

/// One field of a form; a file has a name.
struct FormPart {
  std::string name;
  std::string file{};
  std::string content;
};

/// One connection, logged in. Errors of all: esv_refused with method, path and the server's words.
class Wire {
 public:
  [[nodiscard]] static Result<Wire> open(const SendWish& wish);

  /// The second part of the answer, `[{"esvVersion":"1.0"}, ...]`.
  [[nodiscard]] Result<json::Value> post(const std::string& path, const std::string& token,
                                         const json::Value& body);
  [[nodiscard]] Result<json::Value> post_form(const std::string& path, const std::string& token,
                                              const std::vector<FormPart>& parts);
  [[nodiscard]] Result<json::Value> get(const std::string& path, const std::string& token);
  /// Logs in when this connection has not, or when its token ends soon.
  [[nodiscard]] Status login();
  /// The token, or one with the same claims when it ends soon.
  [[nodiscard]] Result<std::string> fresh(std::string token);
  [[nodiscard]] const std::string& token() const { return token_; }
  /// "/esv/v1"
  [[nodiscard]] const std::string& base() const { return base_; }

 private:
  Wire(std::unique_ptr<http::Client> client, std::string base, std::string secret)
      : client_(std::move(client)), base_(std::move(base)), secret_(std::move(secret)) {}
  [[nodiscard]] Result<json::Value> exchange(const http::Request& request);
  /// One password opens one window; asks again in the next one when the server says so.
  [[nodiscard]] Result<std::string> token_for(const std::string& old);

  std::unique_ptr<http::Client> client_;
  std::string base_;
  std::string secret_;
  std::string token_;
  std::int64_t window_ = 0;  ///< of the last password
  unsigned status_ = 0;      ///< of the last answer
};

}  // namespace talla::lab::esv
