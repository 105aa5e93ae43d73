/// \file
/// Documents of the ledger: what is kept beside the records and replaced as a whole, each under a
/// name.
///
/// A document is never evidence: it says what follows from records (which acts are open), or what
/// no record says yet (the bets of an open round). It goes with a group, and a group without its
/// text is never durable. All names stand here. Threads: plain data.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.hpp"

namespace talla::certs {

class DocumentName {
 public:
  explicit DocumentName(std::string text) : text_(std::move(text)) {}
  [[nodiscard]] const std::string& text() const { return text_; }
  bool operator==(const DocumentName&) const = default;

 private:
  std::string text_;
};

/// One document under its name; written as a whole.
struct Document {
  DocumentName name;
  std::string text;  ///< empty: the document goes
};

namespace documents {

/// The bets of an open round, before they are closed.
[[nodiscard]] DocumentName bets(const std::string& round_id);
/// The engine's state at ROUND_OPEN, for bundles; of a table, what it carried over from the one
/// before.
[[nodiscard]] DocumentName state(const std::string& object_id);
/// Who may contribute at a table, and what was committed ahead.
[[nodiscard]] DocumentName contributors(const std::string& table_id);
/// What was opened behind the open call of a table.
[[nodiscard]] DocumentName openings(const std::string& table_id);
/// What two persons have ordered for the next call of a table.
[[nodiscard]] DocumentName order(const std::string& table_id);
/// The seq of the newest ANSWER of one key for one opening of a table of another log; `of` stands
/// for the three.
[[nodiscard]] DocumentName answer(const Digest& of);
/// How many targets of a released shoe its machine was given.
[[nodiscard]] DocumentName targets(const std::string& shoe_id);
/// The resume point of a table, sealed.
[[nodiscard]] DocumentName resume_point(const std::string& table_id);
/// The seq of the last TABLE_CLOSE at a place of the house, or of the KEY that says what the log
/// before left there.
[[nodiscard]] DocumentName place(const std::string& name);
/// Signatures of the ends of groups, 512 in each document.
[[nodiscard]] DocumentName signatures(std::uint64_t number);
/// Keys of the log before the present one.
[[nodiscard]] DocumentName log_keys();
/// Acts of two persons that are open.
[[nodiscard]] DocumentName acts();
/// What two persons have approved and nobody has carried out.
[[nodiscard]] DocumentName approvals();
/// The clients enrolled now, and those of the file that the last start read.
[[nodiscard]] DocumentName enrolment();
[[nodiscard]] DocumentName enrolment_file();
/// The digest of the configuration that served last.
[[nodiscard]] DocumentName configuration();
/// The manifest that counts, of the last start that was in order; empty: none.
[[nodiscard]] DocumentName software();
/// The file of a certification that a CONFIG names; it stays.
[[nodiscard]] DocumentName certification(const Digest& digest);
/// Monitors and their epochs.
[[nodiscard]] DocumentName monitors();

}  // namespace documents
}  // namespace talla::certs
