// The rollback anchor as a data object of a PKCS#11 token.
#include <tuple>

#include "certs/device_anchor.hpp"
#include "certs/pkcs11.hpp"

namespace talla::certs {
namespace {

constexpr const char* application = "talla-anchor";

class HsmAnchor final : public Anchor {
 public:
  HsmAnchor(Pkcs11Uri uri, std::string origin) : uri_(std::move(uri)), origin_(std::move(origin)) {}

  Result<std::optional<AnchorState>> read() override {
    TALLA_TRY(const auto found, newest());
    may_make_ = !found;
    if (!found) return std::optional<AnchorState>();
    return std::optional<AnchorState>(found->state);
  }

  Status write(const AnchorState& state) override {
    Status done = put(state);
    if (!done) token_.reset();  // a token that was away is opened again
    return done;
  }

 private:
  struct Found {
    AnchorState state;
    Pkcs11Object object = 0;
    std::vector<Pkcs11Object> others;
  };

  Status open() {
    if (token_) return {};
    auto opened = Pkcs11Token::open(uri_);
    if (!opened) return fail(Errc::anchor_unreachable, "HSM: " + opened.error().text());
    token_ = std::move(*opened);
    return {};
  }

  /// Nothing when the token holds no anchor of this label.
  Result<std::optional<Found>> newest() {
    TALLA_TRY_STATUS(open());
    const auto objects = token_->find(
        {.type = Pkcs11Class::data, .label = uri_.object, .id = {}, .application = application});
    if (!objects) return fail(Errc::anchor_unreachable, "HSM: " + objects.error().text());
    std::optional<Found> best;
    for (const Pkcs11Object object : *objects) {
      const auto value = token_->read_data(object);
      if (!value) return fail(Errc::anchor_unreachable, "HSM: " + value.error().text());
      TALLA_TRY(AnchorState state,
                parse_anchor(std::string(as_text(*value)), "HSM object " + uri_.object));
      if (state.origin != origin_)
        return fail(Errc::anchor_foreign,
                    "HSM object " + uri_.object + ": belongs to the log '" + state.origin + "'");
      if (!best) {
        best = Found{.state = std::move(state), .object = object, .others = {}};
      } else if (std::tie(state.size, state.boot) > std::tie(best->state.size, best->state.boot)) {
        best->others.push_back(best->object);
        best->state = std::move(state);
        best->object = object;
      } else {
        best->others.push_back(object);
      }
    }
    return best;
  }

  Status put(const AnchorState& state) {
    TALLA_TRY(const auto found, newest());
    const std::string text = anchor_text(state);
    const ByteView view = as_bytes(text);
    const Pkcs11Data data{
        .label = uri_.object, .application = application, .value = Bytes(view.begin(), view.end())};
    if (!found && !may_make_)
      return fail(Errc::anchor_foreign, "HSM object " + uri_.object + ": is gone");
    const auto made = found ? token_->replace_data(found->object, data) : token_->create_data(data);
    if (!made) return fail(Errc::anchor_unreachable, "HSM: " + made.error().text());
    may_make_ = false;
    if (found) {
      for (const Pkcs11Object other : found->others) static_cast<void>(token_->destroy(other));
    }
    return {};
  }

  Pkcs11Uri uri_;
  std::string origin_;
  std::unique_ptr<Pkcs11Token> token_;  // null: opened by the next use
  bool may_make_ = false;               // the last read found none
};

}  // namespace

Result<std::unique_ptr<Anchor>> make_hsm_anchor(HsmAnchorOptions options) {
  TALLA_TRY(Pkcs11Uri uri, parse_pkcs11_uri(options.uri));
  if (uri.object.empty())
    return fail(Errc::uri_malformed, "the anchor's URI names no object (object=LABEL)");
  return std::unique_ptr<Anchor>(
      std::make_unique<HsmAnchor>(std::move(uri), std::move(options.origin)));
}

}  // namespace talla::certs
