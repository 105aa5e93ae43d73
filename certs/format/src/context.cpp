// The context of commitments: what may be certified, and what each protection does not stop.
#include "format/context.hpp"

#include <algorithm>

#include "described_context.hpp"

namespace talla::certs {
std::vector<std::string> rollback_limits(std::string_view protection) {
  if (protection == "local") return {"disk-copy"};
  if (protection == "tpm") return {"authorisation-holder", "unproven-device"};
  if (protection == "hsm") return {"pin-holder", "token-copy"};
  if (protection == "witness") return {"witness-keys"};
  return {};
}

json::Value Context::to_json() const {
  return object_json(*this);
}
Result<Context> Context::from_json(const json::Value& value) {
  return read_described<Context>(value);
}
template MemberTable members_of<Context>();

bool Context::may_be_certified() const {
  const auto counts = [](const SourceUse& s) {
    return s.source_class == "raw_physical" && s.millibits > 0;
  };
  const bool passed = std::any_of(sources.begin(), sources.end(), [&](const SourceUse& s) {
    return counts(s) && (s.verdict == "healthy" || s.verdict == "startup");
  });
  const bool bare = std::any_of(sources.begin(), sources.end(), [&](const SourceUse& s) {
    return counts(s) && !s.assessment.empty() && !s.documented();
  });
  return passed && !bare && construction == "rbg3-xor";
}

bool Context::lab() const {
  return std::any_of(sources.begin(), sources.end(),
                     [](const SourceUse& s) { return s.source_class == "lab"; });
}

}  // namespace talla::certs
