#include "command.hpp"

#include <algorithm>
#include <cstdint>

#include "base/check.hpp"

namespace talla::core {
namespace {

struct Wanted {
  std::string_view what;
  std::string_view id;
  Errc over;  ///< Refusal when it was there and is closed.
};

tl::unexpected<Error> missing(const Call& call, const Wanted& wanted) {
  const std::string id(wanted.id);
  if (id.starts_with(std::string(wanted.what) + "-") && call.parts.was_there(call.client.id, id)) {
    return fail(wanted.over, id + " is closed");
  }
  return fail(Errc::not_found, "no such " + std::string(wanted.what));
}

template <class T>
Result<const T*> mine(const Call& call, const T* object, const Wanted& wanted) {
  if (object == nullptr) return missing(call, wanted);
  const auto* table = call.world().table(object->table);
  if (table == nullptr || table->client != call.client.id) {
    return fail(Errc::not_found, "no such " + std::string(wanted.what));
  }
  return object;
}

std::string_view verdict_word(entropy::Verdict verdict) {
  switch (verdict) {
    case entropy::Verdict::good:
      return "healthy";
    case entropy::Verdict::testing:
      return "startup";
    case entropy::Verdict::failed:
      return "alarm";
    case entropy::Verdict::untested:
      break;
  }
  return "not_tested";
}

ObjectSeq seq_or_none(std::string_view object_class, std::string_view id) {
  const auto seq = certs::object_seq(object_class, id);
  return seq ? *seq : ~ObjectSeq{0};
}

}  // namespace

const json::Value& Asked::at(std::string_view name) const {
  const auto* found = body_.find(name);
  TALLA_CHECK(found != nullptr);
  return *found;
}

std::string Asked::text_or(std::string_view name, std::string_view fallback) const {
  const auto* found = body_.find(name);
  return std::string(found == nullptr ? fallback : found->string());
}

std::uint32_t Asked::u32(std::string_view name) const {
  const auto number = integer(name);
  TALLA_CHECK(number >= 0 && number <= std::int64_t{UINT32_MAX});
  return static_cast<std::uint32_t>(number);
}

bool Asked::flag(std::string_view name) const {
  const auto* found = body_.find(name);
  return found != nullptr && found->boolean();
}

const json::Array& Asked::list(std::string_view name) const {
  static const json::Array none;
  const auto* found = body_.find(name);
  return found == nullptr ? none : found->array();
}

Digest Asked::digest(std::string_view name) const {
  const auto digest = digest_from_hex(text(name));
  TALLA_CHECK(digest.has_value());
  return *digest;
}

Result<const Table*> own_table(const Call& call, std::string_view id) {
  const auto* table = call.world().table(seq_or_none("table", id));
  if (table == nullptr) return missing(call, {"table", id, Errc::table_closed});
  if (table->client != call.client.id) return fail(Errc::not_found, "no such table");
  return table;
}

Status table_works(const Table& table) {
  if (table.closed) return fail(Errc::table_closed, table.id + " is closed");
  if (table.suspended)
    return fail(Errc::table_suspended, table.id + " is suspended by a health alarm");
  return {};
}

Result<const Table*> working_table(const Call& call, std::string_view id) {
  TALLA_TRY(const auto* table, own_table(call, id));
  TALLA_TRY_STATUS(table_works(*table));
  return table;
}

Result<const Shoe*> own_shoe(const Call& call, std::string_view id) {
  return mine(call, call.world().shoe(seq_or_none("shoe", id)), {"shoe", id, Errc::shoe_finished});
}
Result<const Batch*> own_batch(const Call& call, std::string_view id) {
  return mine(call, call.world().batch(seq_or_none("batch", id)),
              {"batch", id, Errc::batch_expired});
}
Result<const Round*> own_round(const Call& call, std::string_view id) {
  return mine(call, call.world().round(seq_or_none("round", id)), {"round", id, Errc::wrong_state});
}

certs::Context commitment_context(const Parts& parts, const Table& table,
                                  const entropy::Evidence& evidence) {
  certs::Context context;
  context.catalogue = table.open.catalogue;
  context.game = table.open.game;
  context.variant = table.open.variant;
  context.parameters = table.parameters;
  context.construction =
      evidence.construction == entropy::Construction::rbg3_xor ? "rbg3-xor" : "system";
  context.uncertified = evidence.uncertified;
  for (const auto& source : evidence.sources) {
    certs::SourceUse use;
    use.model = source.model;
    use.source_class = entropy::source_class_name(source.source_class);
    use.millibits = source.credited ? source.assessed_millibits_per_sample : 0;
    use.verdict = verdict_word(source.verdict);
    use.serial = source.serial;
    if (use.millibits > 0 && source.source_class == entropy::SourceClass::raw_physical) {
      use.assessment = entropy::assessment_origin_name(source.assessment.origin);
      if (const auto digest = digest_from_hex(source.assessment.digest))
        use.assessment_digest = *digest;
    }
    context.sources.push_back(std::move(use));
  }
  context.reseeds = evidence.reseed_counter;
  context.generates = evidence.generate_counter;
  context.software = parts.settings.software_digest;
  context.config = parts.settings.config_digest;
  context.rollback_protection = parts.settings.rollback_protection;
  context.anchor_lag = parts.anchor_lag();
  context.sealing = parts.settings.sealing;
  return context;
}

std::vector<std::uint64_t> commitment_cites(const Call& call, std::optional<ObjectSeq> table) {
  std::vector<std::uint64_t> cites = call.parts.start_records();
  if (table) cites.push_back(*table);
  return cites;
}

Result<SecretBytes> EntropyTaker::take(std::size_t n_bytes) {
  TALLA_TRY_STATUS(parts_.commitments_allowed());
  if (parts_.supply.latched()) return tl::unexpected(latched_error());
  auto bits = parts_.supply.full_entropy(n_bytes);
  if (!bits) {
    const auto errc = parts_.supply.latched() ? Errc::entropy_latched : Errc::entropy_not_ready;
    return fail(errc, bits.error().text());
  }
  window_.from_ns =
      window_.to_ns == 0 ? bits->samples_from_ns : std::min(window_.from_ns, bits->samples_from_ns);
  window_.to_ns = std::max(window_.to_ns, bits->samples_to_ns);
  evidence_ = std::move(bits->evidence);
  return std::move(bits->bytes);
}

certs::FullEntropyBits EntropyTaker::bits() {
  return [this](std::size_t n_bytes) { return take(n_bytes); };
}

}  // namespace talla::core
