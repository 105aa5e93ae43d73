#include "certs/anchor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "base/json.hpp"
#include "certs/files.hpp"
#include "certs/prover.hpp"
#include "certs/succession.hpp"

namespace talla::certs {

std::string anchor_text(const AnchorState& state) {
  json::Value value;
  value["v"] = 1;
  value["origin"] = state.origin;
  value["size"] = state.size;
  value["root"] = to_hex(state.root);
  value["boot"] = state.boot;
  return json::canonical(value);
}

Result<AnchorState> parse_anchor(const std::string& text, const std::string& where) {
  const auto malformed = [&](const std::string& why) {
    return fail(Errc::anchor_malformed, where + ": " + why);
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
  return AnchorState{.origin = *origin,
                     .size = static_cast<std::uint64_t>(*size),
                     .root = *digest,
                     .boot = static_cast<std::uint64_t>(*boot)};
}

Status compare_with_anchor(const Prover& prover, const std::string& origin,
                           const AnchorState& state) {
  if (state.origin != origin)
    return fail(Errc::ledger_foreign, "the anchor belongs to the log '" + state.origin + "'");
  if (anchor_retired(state)) {
    return fail(Errc::ledger_shorter,
                "the anchor is retired: another log follows this one (talla restore run), and no "
                "copy of this one goes on");
  }
  if (prover.size() < state.size) {
    return fail(Errc::ledger_shorter,
                fmt::format("the ledger holds {} records, the anchor says {}: an older copy "
                            "was restored or records were lost",
                            prover.size(), state.size));
  }
  TALLA_TRY(const Digest head, prover.root(state.size));
  if (head != state.root) {
    return fail(
        Errc::ledger_different,
        fmt::format("the first {} records are not those that the anchor has seen", state.size));
  }
  return {};
}

Result<std::optional<AnchorState>> FileAnchor::read() {
  if (::access(path_.c_str(), F_OK) != 0) return std::optional<AnchorState>();
  TALLA_TRY(const std::string text, read_file(path_));
  TALLA_TRY(AnchorState state, parse_anchor(text, path_));
  return std::optional<AnchorState>(std::move(state));
}

Status FileAnchor::write(const AnchorState& state) {
  return replace_file(path_, anchor_text(state));
}

DeviceAnchor::DeviceAnchor(std::unique_ptr<Anchor> device, std::string kind)
    : device_(std::move(device)), kind_(std::move(kind)), thread_([this] { run(); }) {}

DeviceAnchor::~DeviceAnchor() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

Result<std::uint64_t> DeviceAnchor::compare(Prover& prover, const Terms& terms) {
  const std::scoped_lock lock(device_mutex_);
  TALLA_TRY(const auto state, device_->read());
  if (!state) {
    if (prover.size() == 0 || terms.adopt) return 0;
    return fail(Errc::anchor_malformed,
                fmt::format("the anchor in the {} is gone, but the ledger holds {} records", kind_,
                            prover.size()));
  }
  TALLA_TRY_STATUS(compare_with_anchor(prover, terms.origin, *state));
  written_size_ = state->size;
  return state->boot;
}

Status DeviceAnchor::write(const AnchorState& state) {
  const std::scoped_lock lock(device_mutex_);
  if (state.size < written_size_) return {};  // a newer one is there
  Status written = device_->write(state);
  if (written) {
    written_size_ = state.size;
  } else {
    ++failures_;
  }
  return written;
}

void DeviceAnchor::post(const AnchorState& state) {
  {
    const std::scoped_lock lock(mutex_);
    posted_ = state;
  }
  wake_.notify_all();
}

void DeviceAnchor::run() {
  while (true) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return stopping_ || posted_; });
    if (stopping_) return;
    const AnchorState state = *posted_;
    posted_.reset();
    lock.unlock();
    static_cast<void>(write(state));  // counted; posted again while the lag stands
  }
}

}  // namespace talla::certs
