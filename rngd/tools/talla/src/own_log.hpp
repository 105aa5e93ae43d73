/// \file
/// The log of the appliance that a partner's program belongs to: what the program opens elsewhere
/// is recorded there first (ANSWER, certs/FORMAT.md section 8).
///
/// What it believes: a record by its receipt, and only as long as the log still holds what it held
/// before: which log that is, and the newest ANSWER, stand in a file of the state's folder.
/// Errors:  those of the session; usage where the log is another one, or has gone back, or holds
///          another answer: then nothing may be opened any more.
/// Threads: one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "format/body_answer.hpp"
#include "session.hpp"

namespace talla::cli {

class OwnLog {
 public:
  /// `folder` holds client.toml of a client with the role contributor there. Nothing is asked yet.
  [[nodiscard]] static Result<OwnLog> open(const std::string& folder, const std::string& state);
  /// Whether the program of that folder has recorded anything.
  [[nodiscard]] static bool known(const std::string& state);
  /// The ANSWER as it is durable there: the one that this makes, or the one that stands for it.
  /// Errors also: cannot_connect and others that may pass.
  [[nodiscard]] Result<certs::AnswerBody> record(const certs::AnswerBody& answer);
  [[nodiscard]] const std::string& where() const { return session_.where(); }

 private:
  /// The newest ANSWER that was seen there.
  struct Known {
    std::string origin;
    std::uint64_t seq;
    Digest leaf;
  };
  OwnLog(Session session, std::string file)
      : session_(std::move(session)), file_(std::move(file)) {}
  [[nodiscard]] Status load();
  [[nodiscard]] Status keep() const;
  /// What was there is there still.
  [[nodiscard]] Status check_known();

  Session session_;
  std::string file_;
  std::optional<Known> known_;
};

/// Nothing may be opened there any more: not a failure that passes.
[[nodiscard]] bool is_final(const Error& error);

}  // namespace talla::cli
