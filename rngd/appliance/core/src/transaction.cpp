#include "transaction.hpp"

#include "base/check.hpp"
#include "format/errc.hpp"

namespace talla::core {

Transaction::Transaction(const Effects& effects, State& state, Author author)
    : effects_(effects),
      state_(state),
      overlay_(state.world()),
      author_(std::move(author)),
      mark_(effects.log.mark()) {}

Transaction::~Transaction() {
  if (!kept_) effects_.log.undo(mark_);
}

void Transaction::keep() {
  TALLA_CHECK(!kept_);
  state_.keep(overlay_);
  kept_ = true;
}

namespace {

Result<std::optional<certs::ComposedBody>> composed(const TypedBody& typed) {
  std::optional<certs::ComposedBody> made;
  if (const auto* called = std::get_if<certs::CallBody>(&typed)) {
    TALLA_TRY(made, certs::compose(*called));
  } else if (const auto* draw = std::get_if<certs::DrawBody>(&typed)) {
    TALLA_TRY(made, certs::compose(*draw));
  } else if (const auto* card = std::get_if<certs::CardDealBody>(&typed)) {
    TALLA_TRY(made, certs::compose(*card));
  }
  return made;
}

}  // namespace

Result<std::uint64_t> Transaction::add(Addition addition, const Secrets& secrets) {
  certs::RecordDraft draft;
  draft.kind = addition.kind;
  draft.body = std::move(addition.body);
  TALLA_TRY(draft.composed, composed(addition.typed));
  draft.object = std::move(addition.object);
  draft.client = author_.client;
  draft.key = author_.key;
  draft.request = author_.request;
  draft.cites = std::move(addition.cites);
  if (!addition.note.empty()) draft.note = to_base64url(as_bytes(addition.note));
  draft.follows = addition.follows;
  auto appended = effects_.log.append(std::move(draft));
  if (!appended) {
    if (appended.error().is(certs::FormatErrc::record_too_long)) {
      return fail(Errc::limit_exceeded, "what the record must hold is longer than a record may be");
    }
    return pass(std::move(appended));
  }
  TALLA_TRY_STATUS(
      apply(effects_.context, overlay_, appended->record, appended->leaf, secrets, addition.typed));
  seqs_.push_back(appended->seq);
  time_us_ = appended->time_us;
  return appended->seq;
}

Status Transaction::seal_next(certs::Kind kind, const SecretBytes& secret, std::string object) {
  const auto seq = next_seq();
  if (object.empty()) object = certs::object_id(certs::kind_object(kind), seq);
  const auto name = certs::kind_name(kind);
  TALLA_TRY(auto sealed, effects_.sealer.seal({effects_.log.origin(), seq, name, object}, secret));
  group().sealed.push_back({object, seq, std::string(name), std::move(sealed)});
  return {};
}

}  // namespace talla::core
