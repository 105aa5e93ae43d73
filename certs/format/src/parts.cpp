#include "format/parts.hpp"

#include <iterator>
#include <utility>

#include "format/errc.hpp"

namespace talla::certs {
namespace {

std::vector<Bet>& list_of(BetsClosedBody& body) {
  return body.bets;
}
std::vector<SettlementResult>& list_of(SettlementBody& body) {
  return body.results;
}

template <class Body>
Result<std::vector<Body>> split(Body whole) {
  auto list = std::exchange(list_of(whole), {});
  std::vector<Body> parts(1);
  std::size_t bytes = 0;
  for (auto& entry : list) {
    const auto size = json::canonical(entry.to_json()).size() + 1;
    if (size > part_list_bytes_max)
      return fail(FormatErrc::malformed_body, "an entry is too long for a record");
    if (bytes + size > part_list_bytes_max) {
      parts.emplace_back();
      bytes = 0;
    }
    bytes += size;
    list_of(parts.back()).push_back(std::move(entry));
  }
  if (parts.size() == 1) {
    list_of(whole) = std::move(list_of(parts.front()));
    return std::vector<Body>{std::move(whole)};
  }
  parts.push_back(std::move(whole));
  if (!part_counts.holds_count(parts.size()))
    return fail(FormatErrc::malformed_body,
                "a content of more than " + std::to_string(part_counts.max) + " parts");
  std::int64_t number = 0;
  for (Body& part : parts) part.part = {++number, static_cast<std::int64_t>(parts.size())};
  return parts;
}

}  // namespace

Result<std::vector<BetsClosedBody>> in_parts(BetsClosedBody whole) {
  return split(std::move(whole));
}
Result<std::vector<SettlementBody>> in_parts(SettlementBody whole) {
  return split(std::move(whole));
}

bool ends_content(const json::Value& body) {
  const json::Value* part = body.find("part");
  const json::Value* parts = body.find("parts");
  return part == nullptr || parts == nullptr || *part == *parts;
}

template <class Body>
Result<std::optional<Body>> PartCollector<Body>::take(Body part) {
  const Part expected{begun_ ? begun_->part.number + 1 : 1,
                      begun_ ? begun_->part.count : part.part.count};
  const bool whole = part.part == Part{} && !begun_;
  if (!whole && part.part != expected)
    return fail(FormatErrc::malformed_body,
                "a numbered part is missing, doubled or of another content");
  if (begun_) {
    auto& list = list_of(*begun_);
    auto& piece = list_of(part);
    list.insert(list.end(), std::make_move_iterator(piece.begin()),
                std::make_move_iterator(piece.end()));
    piece = std::move(list);
    begun_.reset();
  }
  if (!part.part.last()) {
    begun_ = std::move(part);
    return std::optional<Body>();
  }
  part.part = {};
  return std::optional<Body>(std::move(part));
}

template class PartCollector<BetsClosedBody>;
template class PartCollector<SettlementBody>;

}  // namespace talla::certs
