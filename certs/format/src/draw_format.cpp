#include "format/draw_format.hpp"

#include <algorithm>

#include "fields.hpp"
#include "format/domain.hpp"

namespace talla::certs {
namespace {

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overload(Ts...) -> Overload<Ts...>;

std::vector<std::uint32_t> integers(Fields& in, std::string_view key, Between range) {
  std::vector<std::uint32_t> values;
  const json::Array* entries = in.array(key);
  if (entries == nullptr) return values;
  in.require(lot_counts.holds_count(entries->size()), key,
             bounds_text(lot_counts) + " integers are expected");
  for (const auto& entry : *entries) {
    if (!entry.is_integer() || entry.integer() < range.min || entry.integer() > range.max) {
      in.refuse(key, "integers in range are expected");
      return {};
    }
    values.push_back(static_cast<std::uint32_t>(entry.integer()));
  }
  return values;
}

json::Value integers_json(const std::vector<std::uint32_t>& values) {
  json::Array list;
  for (const std::uint32_t value : values) list.emplace_back(value);
  return list;
}

bool ranges_valid(const DrawSpecification& specification) {
  return std::visit(
      Overload{[](const WheelDraw& wheel) { return wheel_pockets.holds(wheel.pockets); },
               [](const DiceDraw& dice) {
                 return dice_counts.holds(dice.count) && die_faces.holds(dice.faces);
               },
               [](const LotsDraw& lots) {
                 return lot_counts.holds_count(lots.bounds.size()) &&
                        std::all_of(lots.bounds.begin(), lots.bounds.end(),
                                    [](std::uint32_t bound) { return lot_bounds.holds(bound); });
               }},
      specification);
}

}  // namespace

json::Value specification_json(const DrawSpecification& specification) {
  return std::visit(
      Overload{[](const WheelDraw& wheel) {
                 return json::Value(json::Object{{"kind", "wheel"}, {"pockets", wheel.pockets}});
               },
               [](const DiceDraw& dice) {
                 return json::Value(
                     json::Object{{"count", dice.count}, {"faces", dice.faces}, {"kind", "dice"}});
               },
               [](const LotsDraw& lots) {
                 return json::Value(
                     json::Object{{"bounds", integers_json(lots.bounds)}, {"kind", "lots"}});
               }},
      specification);
}

Result<DrawSpecification> specification_from_json(const json::Value& value) {
  Fields in(value, "specification", FormatErrc::malformed_specification);
  DrawSpecification out;
  switch (in.word("kind", {"wheel", "dice", "lots"})) {
    case 0:
      out = WheelDraw{static_cast<std::uint32_t>(in.integer("pockets", wheel_pockets))};
      break;
    case 1:
      out = DiceDraw{static_cast<std::uint32_t>(in.integer("count", dice_counts)),
                     static_cast<std::uint32_t>(in.integer("faces", die_faces))};
      break;
    default:
      out = LotsDraw{integers(in, "bounds", lot_bounds)};
      break;
  }
  TALLA_TRY_STATUS(in.status());
  TALLA_TRY_STATUS(check_specification(out));
  return out;
}

Status check_specification(const DrawSpecification& specification) {
  if (!ranges_valid(specification))
    return fail(FormatErrc::malformed_specification, "specification: out of range");
  if (!shuffle::check_outcome_space(specification)) {
    return fail(FormatErrc::malformed_specification, "specification: 2^128 outcomes or more");
  }
  return {};
}

json::Value outcome_json(const Outcome& outcome) {
  switch (outcome.form) {
    case Outcome::Form::pocket:
      return json::Object{{"pocket", outcome.values.empty() ? 0 : outcome.values.front()}};
    case Outcome::Form::dice:
      return json::Object{{"dice", integers_json(outcome.values)}};
    case Outcome::Form::lots:
      break;
  }
  return json::Object{{"lots", integers_json(outcome.values)}};
}

Result<Outcome> outcome_from_json(const json::Value& value) {
  Fields in(value, "outcome");
  Outcome out;
  if (in.has("pocket")) {
    out.values.push_back(in.u32("pocket"));
  } else if (in.has("dice")) {
    out.form = Outcome::Form::dice;
    out.values = integers(in, "dice", Between{1, die_faces.max});
  } else {
    out.form = Outcome::Form::lots;
    out.values = integers(in, "lots", index32);
  }
  return in.finish(std::move(out));
}

Digest batch_leaf_hash(const HashSuite& hashes, std::string_view batch_id, std::uint32_t index,
                       std::span<const std::uint8_t, 32> secret) {
  const Bytes head = ByteWriter().u8(0).raw(domain::batch_leaf).field(batch_id).u32(index).take();
  return hashes.sha256({head, secret});
}

}  // namespace talla::certs
