/// \file
/// Calls that wait for further contributors (PROTOCOL section 5b): the last opening gives the
/// result, in its own group; who has not opened in time is left out by a VOID that names them.
///
/// What was opened is a document of the ledger, so a restart goes on where it was. While a table is
/// suspended nothing happens to its call but by its people.
/// Threads: the sequencer's.
#pragma once

#include "command.hpp"
#include "duty.hpp"

namespace talla::core {

class WaitingCalls : public Duty {
 public:
  WaitingCalls(Appliance& appliance, const Parts& parts) : appliance_(appliance), parts_(parts) {}

  /// Those whose last opening has come get their result; those who waited long enough their VOID.
  void on_turn() override;
  /// The first half of it, behind the commands of a turn.
  void complete_open();

 private:
  void complete(const Table& table);
  void leave_out(const Table& table);
  /// Tables whose call waits and is not held.
  [[nodiscard]] std::vector<ObjectSeq> waiting() const;

  Appliance& appliance_;
  const Parts& parts_;
};

}  // namespace talla::core
