// Judges laboratory files: outcomes of a table of class lab that two persons ordered (FORMAT.md
// section 15).
#include "laboratory.hpp"

#include <array>
#include <unordered_set>

#include "evidence.hpp"
#include "format/body_machine.hpp"

namespace talla::certs {
namespace {

/// asked, confirmed, done: of one order, allowed, by two persons.
Status check_order_of(const Evidence& evidence, std::array<AccessBody, 3>& bodies) {
  constexpr std::array<std::string_view, 3> steps{"asked", "confirmed", "done"};
  const auto wrong = [&](const Record& record, std::string_view why) {
    return refuse(VerifyErrc::lab_file, record, why);
  };
  const auto& records = evidence.records;
  if (records.size() != steps.size() || evidence.claim != &records.back())
    return wrong(*evidence.claim, "is not the last of the three steps of its order");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Record& record = records[i];
    if (record.kind != Kind::access) return wrong(record, "is no step of the order");
    TALLA_TRY(bodies.at(i), AccessBody::from_json(record.body));
    const AccessBody& body = bodies.at(i);
    if (body.what != std::string(sampling_act) + "." + std::string(steps.at(i)) || body.refused)
      return wrong(record, "is another step than the order's");
    const std::vector<std::uint64_t> cites{records.front().seq};
    if (body.object != bodies.front().object || (i > 0 && record.cites != cites))
      return wrong(record, "is of another order");
  }
  if (bodies.back().by != bodies.at(1).by)
    return wrong(records.back(), "names other persons than asked and confirmed");
  return {};
}

/// Every line: its bits, seen once, and the outcome that follows from them.
Status check_lines(const Evidence& evidence, const LabTable& table, const Digest& asked,
                   std::int64_t count) {
  const auto wrong = [&](VerifyErrc errc, const std::string& why) {
    return refuse(errc, *evidence.claim, why);
  };
  std::string_view rest = *evidence.bundle.outcomes;
  std::unordered_set<std::string_view> seen;
  for (std::int64_t line = 1; line <= count; ++line) {
    const auto number = "line " + std::to_string(line);
    const auto end = rest.find('\n');
    const auto space = rest.find(' ');
    if (end == std::string_view::npos || space >= end)
      return wrong(VerifyErrc::lab_outcomes, number + " of the outcomes is no line");
    const std::string_view hex = rest.substr(0, space);
    const auto bits = from_hex(hex);
    if (!bits || to_hex(*bits) != hex)
      return wrong(VerifyErrc::lab_outcomes, number + " of the outcomes begins with no bits");
    if (!seen.insert(hex).second)
      return wrong(VerifyErrc::lab_outcomes, number + " has bits that were there before");
    const auto outcome = lab_outcome(evidence.hashes, table, *bits, asked);
    if (!outcome || *outcome != rest.substr(space + 1, end - space - 1))
      return wrong(VerifyErrc::wrong_mapping, number + " does not follow from its bits");
    rest.remove_prefix(end + 1);
  }
  if (!rest.empty())
    return wrong(VerifyErrc::lab_outcomes, "there are more outcomes than were ordered");
  return {};
}

}  // namespace

std::optional<SampleOrder> lab_order_of(const Record& record) {
  if (record.kind != Kind::access) return std::nullopt;
  const auto body = AccessBody::from_json(record.body);
  if (!body || !body->what.starts_with(std::string(sampling_act) + ".")) return std::nullopt;
  auto order = SampleOrder::parse(body->object);
  if (!order || !order->table()) return std::nullopt;
  return order;
}

std::string lab_claim_text(const SampleOrder& order) {
  return std::string(kind_name(Kind::access)) + " " +
         note_line(Note::claim_laboratory, {{"count", std::to_string(order.count)},
                                            {"table", order.samples},
                                            {"laboratory", order.client}});
}

Status check_laboratory(Evidence& evidence) {
  const Record& claim = *evidence.claim;
  const auto order = lab_order_of(claim);
  if (!order) return refuse(VerifyErrc::lab_file, claim, "orders no laboratory's table");
  std::array<AccessBody, 3> bodies;
  TALLA_TRY_STATUS(check_order_of(evidence, bodies));
  if (evidence.bundle.outcomes) {
    if (evidence.hashes.sha256({as_bytes(*evidence.bundle.outcomes)}) != bodies.back().digest)
      return refuse(VerifyErrc::lab_outcomes, claim, "has the digest of other outcomes");
    TALLA_TRY_STATUS(check_lines(evidence, *order->table(),
                                 evidence.leaf_of(evidence.records.front()), order->count));
    evidence.checked(Note::outcomes_follow, {{"count", std::to_string(order->count)}});
  } else {
    evidence.not_checked(Note::outcomes_not_shown);
  }
  Verdict& verdict = evidence.verdict;
  verdict.lab_table = true;
  evidence.lab = true;
  conclude(evidence);
  verdict.claim_text = lab_claim_text(*order);
  return {};
}

}  // namespace talla::certs
