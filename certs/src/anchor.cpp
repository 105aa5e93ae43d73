#include "certs/anchor.hpp"

#include <unistd.h>

#include "base/json.hpp"
#include "certs/files.hpp"

namespace talla::certs {

Result<std::optional<AnchorState>> FileAnchor::read() {
  if (::access(path_.c_str(), F_OK) != 0) return std::optional<AnchorState>();
  TALLA_TRY(const std::string text, read_file(path_));
  const auto malformed = [this](const std::string& why) {
    return fail(Errc::anchor_malformed, path_ + ": " + why);
  };
  auto value = json::parse_canonical(text);
  if (!value) return malformed(value.error().text());
  json::Reader reader(*value, "anchor");
  auto version = reader.integer("v", 1, 1);
  auto origin = reader.string("origin");
  auto size = reader.integer("size", 0, json::integer_max);
  auto root = reader.string("root");
  auto boot = reader.integer("boot", 0, json::integer_max);
  const auto rest = reader.finish();
  if (!version || !origin || !size || !root || !boot || !rest) return malformed("members or types");
  auto digest = digest_from_hex(*root);
  if (!digest) return malformed("root");
  return std::optional<AnchorState>(AnchorState{.origin = *origin,
                                                .size = static_cast<std::uint64_t>(*size),
                                                .root = *digest,
                                                .boot = static_cast<std::uint64_t>(*boot)});
}

Status FileAnchor::write(const AnchorState& state) {
  json::Value value;
  value["v"] = 1;
  value["origin"] = state.origin;
  value["size"] = state.size;
  value["root"] = to_hex(state.root);
  value["boot"] = state.boot;
  return replace_file(path_, json::canonical(value));
}

}  // namespace talla::certs
