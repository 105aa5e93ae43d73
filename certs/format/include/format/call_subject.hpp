/// \file
/// What the calls of a table are counted by (FORMAT.md section 8): how often each round, or outside
/// rounds each shoe or batch, ended in VOID, and whom its next call has to name.
///
/// Threads: plain data.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "format/call.hpp"

namespace talla::certs {

/// The round that a core is for; outside rounds its shoe or batch.
[[nodiscard]] inline const std::string& call_subject(const CallCore& core) {
  return core.round == "0" ? core.object : core.round;
}

/// One whom a call has named.
struct NamedContributor {
  std::string id;
  Bytes key;
  bool operator==(const NamedContributor&) const = default;
};

/// What came of the calls of one of them.
struct CallSubject {
  std::uint32_t voids = 0;  ///< its calls and cores that ended so
  /// Of its last call, where that ended in VOID: whom the VOID did not name missing.
  std::vector<NamedContributor> kept;
  bool operator==(const CallSubject&) const = default;
};

/// All of one table, as far as its records were seen.
class CallSubjects {
 public:
  /// The core became a CALL: the next one is held to what this one comes to.
  void called(const CallCore& core);
  /// That CALL ended in VOID.
  void ended(const CallCore& core, const std::vector<std::string>& missing);
  /// A core that became no CALL counts; whom it named says nothing.
  void lapsed(const CallCore& core);
  /// Records are missing here: who was named last is not known.
  void forget_kept();
  /// A round, shoe or batch that nothing is called for any more.
  void erase(const std::string& subject) { all_.erase(subject); }

  [[nodiscard]] std::uint32_t voids(const std::string& subject) const;
  /// One whom this core leaves out and must not; null: none.
  [[nodiscard]] const NamedContributor* dropped(const CallCore& core) const;
  /// For a file of one's own, and back. Errors: FormatErrc::malformed_body.
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<CallSubjects> from_json(const json::Value& value);

 private:
  std::map<std::string, CallSubject> all_;
};

}  // namespace talla::certs
