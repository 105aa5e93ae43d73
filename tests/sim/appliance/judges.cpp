// Health alarms, and the persons who judge the tables that they suspend.
#include "judges.hpp"

#include "failure.hpp"
#include "format/record.hpp"

namespace talla::sim {
namespace {

std::string state_of(core::test::Rig& rig, const std::string& table) {
  const auto seen = rig.get("/v1/tables/" + table);
  if (seen.status != 200) return "unknown";
  return seen.text({"table", "state"});
}

}  // namespace

void JudgeCounts::add(const JudgeCounts& other) {
  alarms += other.alarms;
  suspended += other.suspended;
  finished += other.finished;
  voided += other.voided;
}

void Judges::alarm(core::test::Rig& rig) {
  rig.alarm();
  ++counts_.alarms;
  looks_ = 4;
}

void Judges::look(core::test::Rig& rig, const std::string& table) {
  if (table.empty() || rig.service().failed()) return;
  const auto known = suspended_.find(table);
  if (known == suspended_.end()) {
    if (looks_ == 0 || !random_->once_in(3)) return;
    --looks_;
    if (state_of(rig, table) != "suspended") return;
    suspended_[table] = rig.log().size();
    ++counts_.suspended;
    return;
  }
  if (random_->once_in(8)) judge(rig, table);
}

void Judges::judge(core::test::Rig& rig, const std::string& table) {
  const bool finish = !random_->once_in(3);
  const auto asked = finish ? rig.post_as(rig.officer, "/v1/acts",
                                          R"({"act":"table-finish","object":")" + table + R"("})")
                            : rig.ask_order(rig.officer, "table-void", table, table);
  if (asked.status != 201) return;
  const auto done =
      finish ? rig.post_as(rig.inspector, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm")
             : rig.confirm_order(rig.inspector, asked);
  if (done.status != 200 && done.status < 500) return;
  suspended_.erase(table);  // or perhaps: nobody heard the answer
  if (done.status != 200) return;
  ++(finish ? counts_.finished : counts_.voided);
}

void Judges::answered(const std::string& table, const core::Reply& reply) const {
  const auto known = suspended_.find(table);
  if (known == suspended_.end() || reply.status >= 300) return;
  const auto value = json::parse(reply.body);
  const auto* receipts = value ? value->find("receipts") : nullptr;
  if (receipts == nullptr) return;
  for (const auto& receipt : receipts->array()) {
    const auto record = certs::parse_record(receipt.find("record")->string());
    require(!record || record->seq < known->second, [&] {
      return table + " is suspended, and plays on: " + receipt.find("record")->string();
    });
  }
}

void Judges::check_after_start(core::test::Rig& rig) const {
  for (const auto& [table, size] : suspended_) {
    const auto now = state_of(rig, table);
    require(now != "open", [&, name = table] {
      return name + " was suspended before the start, and is " + now + " behind it";
    });
  }
}

}  // namespace talla::sim
