/// \file
/// Whether a CALL may stand behind the VOIDs of its round, or outside rounds of its shoe or batch
/// (FORMAT.md section 8). Private to certs_verify.
///
/// Errors:  VerifyErrc::void_limit, contributor_dropped, order_wrong.
/// Threads: one at a time.
#pragma once

#include <string>
#include <string_view>

#include "format/body_table.hpp"
#include "format/call_subject.hpp"
#include "heads.hpp"

namespace talla::certs {

/// What is known of a table where its CALL stands.
struct CalledBefore {
  const CallSubjects& subjects;
  const Heads& heads;
  const TableOpenBody& table;
};

/// Not behind more VOIDs than the policy allows, and with everybody whom the VOID before did not
/// name missing; or by an order of two persons.
[[nodiscard]] Status check_again(const Record& record, const CallBody& body,
                                 const CalledBefore& before);

/// For what an order has to be signed.
struct OrderTerms {
  const std::string& origin;
  const std::string& subject;  ///< round, shoe or batch
  const Bytes& table_key;      ///< the table is none of the two persons
  std::string_view act = call_again_act;
};
/// Why it is not one of two persons with two keys; empty: it is. At which state of the table they
/// signed is not looked at.
[[nodiscard]] std::string order_fault(const CallOrder& order, const OrderTerms& terms);

}  // namespace talla::certs
