/// \file
/// The one way to write into the state: only those who fold in what the ledger holds can make one.
///
/// A record changes it through `apply` (apply.hpp), a document of the ledger through `Documents`
/// (documents.hpp), a resume point through itself (resume.hpp). Whoever else tries does not
/// compile.
#pragma once

#include "world.hpp"

namespace talla::core {

class Editing {
 public:
  /// What is written, for reading.
  [[nodiscard]] const Overlay& seen() const { return overlay_; }

  /// A copy is made at the first touch. Null when there is no such object.
  [[nodiscard]] Table* table(ObjectSeq seq);
  [[nodiscard]] Shoe* shoe(ObjectSeq seq);
  [[nodiscard]] Batch* batch(ObjectSeq seq);
  [[nodiscard]] Round* round(ObjectSeq seq);
  [[nodiscard]] SharedMeter* meter(ObjectSeq seq);
  [[nodiscard]] Act* act(ObjectSeq seq);

  void add(Table table);
  void add(Shoe shoe);
  void add(Batch batch);
  void add(SharedMeter meter);
  void add(Act act);
  void add(Round round);

  [[nodiscard]] std::vector<EnrolledClient>& clients();
  [[nodiscard]] std::vector<Approval>& approvals();
  void answered(const Digest& series, std::uint64_t seq);

 private:
  friend class Applier;
  friend class Documents;
  friend class ResumePoint;
  explicit Editing(Overlay& overlay) : overlay_(overlay) {}

  Overlay& overlay_;
};

}  // namespace talla::core
