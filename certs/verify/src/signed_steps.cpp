// Checks what persons asked for, confirmed and signed of the acts that a log holds.
#include "verify/signed_steps.hpp"

#include <algorithm>
#include <string_view>

#include "evidence.hpp"
#include "format/call.hpp"
#include "format/domain.hpp"
#include "format/lab_table.hpp"
#include "p256.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view asks = "asked";
constexpr std::string_view confirms = "confirmed";
constexpr std::string_view succession = "succession";
constexpr std::string_view done = "done";

/// ACT and STEP of what an ACCESS says; no step: empty.
std::pair<std::string_view, std::string_view> parts_of(std::string_view what) {
  const auto dot = what.rfind('.');
  if (dot == std::string_view::npos) return {what, {}};
  return {what.substr(0, dot), what.substr(dot + 1)};
}

/// Two steps of one act repeat what is asked for.
bool is_same_act(const AccessBody& one, const AccessBody& other) {
  return parts_of(one.what).first == parts_of(other.what).first && one.object == other.object &&
         one.digest == other.digest;
}

}  // namespace

struct SignedSteps::Step {
  const Record& record;
  const AccessBody& body;
  std::string_view act;
  std::string_view step;

  [[nodiscard]] Status refuse(VerifyErrc errc, std::string_view why) const {
    return certs::refuse(errc, record, why);
  }
  /// The request that it is about, by its seq: that of a succession cites the KEY of its log too.
  [[nodiscard]] std::optional<std::uint64_t> of() const {
    const std::size_t count = act.starts_with(succession) ? 2 : 1;
    if (record.cites.size() != count) return std::nullopt;
    return record.cites.back();
  }
  /// Who signs the digest signs the KEY that is asked for.
  [[nodiscard]] Status check_digest(const HashSuite& hashes) const {
    const json::Value* asked = record.body.find("key");
    if (asked == nullptr) return {};
    const std::string text = json::canonical(*asked);
    if (body.digest != hashes.sha256({as_bytes(domain::key), as_bytes(text)}))
      return refuse(VerifyErrc::access_digest, "has another digest than that of its key");
    return {};
  }
  /// An order says which samples, and once it is done which bytes; a laboratory's table stands in
  /// an order alone.
  [[nodiscard]] Status check_samples() const {
    const bool good = act == sampling_act ? SampleOrder::parse(body.object).has_value() &&
                                                body.digest.has_value() == (step == done)
                                          : !names_lab_table(body.object);
    if (!good) return refuse(VerifyErrc::lab_order, "orders no samples, or not as an order does");
    return {};
  }
  [[nodiscard]] Status check_signature(const HashSuite& hashes) const {
    const auto key = P256Key::parse(body.order->key);
    if (!key || !record.client || hashes.sha256({body.order->key}) != record.client->spki)
      return refuse(VerifyErrc::access_key, "is signed by another key than its client's");
    const std::string digest = body.digest ? to_hex(*body.digest) : std::string();
    if (!key->has_signed(order_statement(record.origin, body.object, body.order->head, act, digest),
                         body.order->signature))
      return refuse(VerifyErrc::access_signature, "is not signed by " + record.client->id);
    return {};
  }
};

bool SignedSteps::given(std::uint64_t seq) const {
  return std::ranges::any_of(
      runs_, [&](const auto& run) { return run.first <= seq && seq <= run.second; });
}

/// A step has a client, the last of those it names; who confirms is another one than who asked,
/// with another key.
Status SignedSteps::check_persons(const Step& step) const {
  const auto wrong = [&](std::string_view why) {
    return step.refuse(VerifyErrc::access_person, why);
  };
  const auto& [record, body, act, name] = step;
  const std::size_t persons = name == asks ? 1 : 2;
  if (!record.client) return wrong("is of nobody");
  if (body.by.size() != persons || body.by.back() != record.client->id)
    return wrong("names others than its client and who asked");
  if (name == asks) return {};
  if (body.by.front() == record.client->id) return wrong("is of who asked for it");
  for (const std::uint64_t seq : record.cites) {
    const auto asked = asked_.find(seq);
    if (asked == asked_.end()) continue;
    const Client& first = asked->second.client;
    if (first.id == record.client->id || first.spki == record.client->spki)
      return wrong("is of who asked for it");
    if (body.by.front() != first.id) return wrong("names others than its client and who asked");
  }
  return {};
}

/// It is of one request, which nobody has confirmed and nobody has ended.
Status SignedSteps::check_confirmed(const Step& step) {
  const auto wrong = [&](std::string_view why) {
    return step.refuse(VerifyErrc::access_step, why);
  };
  const auto seq = step.of();
  if (!seq) return wrong("does not cite its request");
  const auto asked = asked_.find(*seq);
  if (asked == asked_.end()) {
    if (given(*seq)) return wrong("cites what is no request");
    return {};
  }
  if (!is_same_act(asked->second.body, step.body)) return wrong("is of another act than it cites");
  if (asked->second.over) return wrong("is of a request that was over");
  return {};
}

/// What its person signed is for this request, once.
Status SignedSteps::check_head(const HashSuite& hashes, const Step& step) {
  const auto& [record, body, act, name] = step;
  const Digest& head = body.order->head;
  bool own = false;
  if (name == asks) {
    own = head == request_key_head(hashes, record.key) &&
          heads_.emplace(record.client->spki, head).second;
  } else if (name == confirms) {
    const auto asked = asked_.find(record.cites.back());
    own = asked == asked_.end() || asked->second.leaf == head;
  }
  if (!own) return step.refuse(VerifyErrc::access_head, "was signed for another request");
  return {};
}

Status SignedSteps::take(const HashSuite& hashes, const Record& record, const Digest& leaf) {
  const bool goes_on = !runs_.empty() && runs_.back().second + 1 == record.seq;
  if (goes_on) ++runs_.back().second;
  if (!goes_on) runs_.emplace_back(record.seq, record.seq);
  if (record.kind != Kind::access) return {};
  TALLA_TRY(const auto body, AccessBody::from_json(record.body));
  const auto [act, name] = parts_of(body.what);
  const Step step{record, body, act, name};
  const bool of_person = name == asks || name == confirms;
  const bool of_table = orders_table(act);  // for a state of its table, which its chain tells
  if (of_person) TALLA_TRY_STATUS(check_persons(step));
  TALLA_TRY_STATUS(step.check_digest(hashes));
  TALLA_TRY_STATUS(step.check_samples());
  if (name == confirms && !of_table) TALLA_TRY_STATUS(check_confirmed(step));
  if (body.order) {
    TALLA_TRY_STATUS(step.check_signature(hashes));
    if (!of_table) TALLA_TRY_STATUS(check_head(hashes, step));
  }
  if (of_person && !body.order) ++alone_;
  if (name == asks) {
    asked_.emplace(record.seq, Asked{leaf, *record.client, body});
  } else if (const auto seq = step.of(); seq && asked_.contains(*seq)) {
    asked_.at(*seq).over = true;
  }
  return {};
}

}  // namespace talla::certs
