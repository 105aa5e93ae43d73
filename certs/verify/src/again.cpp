// Whether a CALL may stand behind the VOIDs of its round, shoe or batch.
#include "again.hpp"

#include "evidence.hpp"
#include "p256.hpp"

namespace talla::certs {

std::string order_fault(const CallOrder& order, const OrderTerms& terms) {
  const CallOrderer& first = order.by.front();
  const CallOrderer& second = order.by.back();
  if (first.id == second.id || first.key == second.key) return "is of one person";
  const Bytes statement = order_statement(terms.origin, terms.subject, order.head, terms.act);
  for (const CallOrderer& one : order.by) {
    if (one.key == terms.table_key) return "is signed by the table's key";
    const auto key = P256Key::parse(one.key);
    if (!key || !key->has_signed(statement, one.signature))
      return "is not signed by the key of " + one.id;
  }
  return {};
}

Status check_again(const Record& record, const CallBody& body, const CalledBefore& before) {
  const std::string& subject = call_subject(body.core);
  if (body.order) {
    std::string fault =
        order_fault(*body.order, {record.origin, subject, before.table.key, call_again_act});
    if (fault.empty() && !before.heads.stands(body.order->head))
      fault = "is of another state of the table";
    if (fault.empty()) return {};
    return refuse(VerifyErrc::order_wrong, record, "its order " + fault);
  }
  const std::uint32_t voids = before.subjects.voids(subject);
  if (voids > before.table.policy.max_voids)
    return refuse(VerifyErrc::void_limit, record,
                  "is behind " + std::to_string(voids) + " VOIDs of " + subject + " where " +
                      std::to_string(before.table.policy.max_voids) +
                      " are allowed, without an order of two persons");
  if (const NamedContributor* left = before.subjects.dropped(body.core))
    return refuse(VerifyErrc::contributor_dropped, record,
                  "leaves out " + left->id + ", whom the VOID before does not name missing");
  return {};
}

}  // namespace talla::certs
