#include "format/body_release.hpp"

#include "fields.hpp"

namespace talla::certs {
namespace {
constexpr Between compartments_bounds{2, 256};
constexpr Between places_bounds{0, 4096};
}  // namespace

std::string_view form_name(ReleaseForm form) {
  return form == ReleaseForm::order ? "order" : form == ReleaseForm::targets ? "targets" : "shelf";
}

std::string_view result_name(ShuffleResult result) {
  switch (result) {
    case ShuffleResult::match:
      return "match";
    case ShuffleResult::mismatch:
      return "mismatch";
    case ShuffleResult::jam:
      return "jam";
    case ShuffleResult::lid:
      return "lid";
  }
  return "unknown";
}

json::Value ShoeReleaseBody::to_json() const {
  json::Object body{
      {"ciphertext", to_hex(ciphertext)}, {"machine", machine}, {"order_known_to", to_hex(key)}};
  if (form != ReleaseForm::order) body.emplace("form", form_name(form));
  if (form == ReleaseForm::shelf) {
    body.emplace("compartments", compartments);
    if (reverses) body.emplace("reverses", true);
  }
  return body;
}

Result<ShoeReleaseBody> ShoeReleaseBody::from_json(const json::Value& body) {
  Fields in(body, "SHOE_RELEASE");
  ShoeReleaseBody out;
  out.machine = in.filled_text("machine");
  out.key = in.digest("order_known_to");
  out.ciphertext = in.digest("ciphertext");
  if (in.has("form"))
    out.form = static_cast<ReleaseForm>(in.word("form", {"targets", "shelf"}) + 1);
  if (out.form == ReleaseForm::shelf) {
    out.compartments = static_cast<std::uint32_t>(in.integer("compartments", compartments_bounds));
    if (in.has("reverses")) {
      out.reverses = in.boolean("reverses");
      in.require(out.reverses, "reverses", "is left out when it is false");
    }
  }
  return in.finish(std::move(out));
}

json::Value ShuffleReportBody::to_json() const {
  json::Object body{{"recognised", recognised}, {"result", result_name(result)}};
  if (position) body.emplace("position", *position);
  if (complete) body.emplace("census", *complete ? "complete" : "wrong");
  if (seen) body.emplace("seen", to_hex(*seen));
  if (targets) body.emplace("targets", *targets);
  return body;
}

Result<ShuffleReportBody> ShuffleReportBody::from_json(const json::Value& body) {
  Fields in(body, "SHUFFLE_REPORT");
  ShuffleReportBody out;
  out.recognised = static_cast<std::uint32_t>(in.integer("recognised", places_bounds));
  out.result = static_cast<ShuffleResult>(in.word("result", {"match", "mismatch", "jam", "lid"}));
  if (const auto position = in.optional_integer("position", places_bounds))
    out.position = static_cast<std::uint32_t>(*position);
  if (in.has("census")) out.complete = in.word("census", {"complete", "wrong"}) == 0;
  if (in.has("seen")) out.seen = in.digest("seen");
  if (const auto targets = in.optional_integer("targets", places_bounds))
    out.targets = static_cast<std::uint32_t>(*targets);
  const bool match = out.result == ShuffleResult::match;
  in.require(out.complete.has_value() == out.seen.has_value(), "census",
             "belongs to what was seen");
  in.require(!match || (out.complete == true && !out.position), "result",
             "is a match only when every card is in its place");
  in.require(out.result != ShuffleResult::mismatch || (out.seen && out.position), "result",
             "is a mismatch at a position");
  return in.finish(std::move(out));
}

}  // namespace talla::certs
