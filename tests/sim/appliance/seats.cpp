// Those who contribute to the calls of one guest's table.
#include "seats.hpp"

#include <algorithm>

#include "certs/openssl_hashes.hpp"
#include "failure.hpp"
#include "format/merkle.hpp"

namespace talla::sim {
namespace {

constexpr std::size_t tables_without = 3;  // of four
constexpr std::size_t seats_max = 3;

}  // namespace

Seats::Seats(const json::Value& opened, Random& random) : random_(&random) {
  if (random.below(tables_without + 1) < tables_without) return;
  const auto& receipts = opened.find("receipts")->array();
  require(!receipts.empty(), "a table was opened without a receipt");
  const auto& record = receipts.back().find("record")->string();
  SeatPlace place{.table = opened.find("table")->find("id")->string(),
                  .opening = certs::leaf_hash(certs::OpensslHashes(), as_bytes(record)),
                  .number = 0};
  if (random.once_in(3)) seats_.push_back(std::make_unique<Seat>(place, random));
  const auto count = static_cast<std::int64_t>(1 + random.below(seats_max));
  for (place.number = 1; place.number <= count; ++place.number)
    seats_.push_back(std::make_unique<Seat>(place, random));
}

std::optional<json::Object> Seats::invitation() const {
  for (const auto& seat : seats_) {
    if (!seat->is_inside()) return seat->invitation();
  }
  return std::nullopt;
}

void Seats::let_in() {
  const auto next = std::ranges::find_if(seats_, [](const auto& one) { return !one->is_inside(); });
  if (next != seats_.end()) (*next)->let_in();
}

json::Array Seats::named(const json::Value& view) {
  json::Array others;
  if (random_->once_in(40)) return others;  // nobody, though they are there
  const auto* contributors = view.find("contributors");
  if (contributors == nullptr) return others;
  for (const auto& one : contributors->array()) {
    json::Object member;
    for (const char* name : {"id", "key", "t", "commit"}) member[name] = *one.find(name);
    others.emplace_back(std::move(member));
  }
  return others;
}

void Seats::called(std::uint64_t seq) {
  for (const auto& seat : seats_) seat->called(seq, core_);
  if (seq != 0) open_ = seq;
}

void Seats::order_is_due() {
  const auto& round = core_.find("round")->string();
  order_due_ = round == "0" ? core_.find("object")->string() : round;
}

void Seats::alone() {
  if (core_.find("use")->string() == "mix") mixed_.insert(core_.find("object")->string());
}

void Seats::ended(const json::Value& view) {
  open_.reset();
  const auto kind = view.find("ended")->find("kind")->string();
  const bool mixed_before =
      kind == "shoe_mix" && !mixed_.insert(core_.find("object")->string()).second;
  for (const auto& seat : seats_) {
    const auto one = seat->ended(view);
    // A mix is evidence with those before it, a VOID with the results before it.
    if (kind == "draw" || (kind == "shoe_mix" && one.in && !mixed_before))
      contributed_.push_back(one);
  }
}

}  // namespace talla::sim
