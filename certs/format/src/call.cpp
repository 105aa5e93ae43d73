// What a call binds: its digest, what is signed, the numbers of its contributors, its tape.
#include "format/call.hpp"

#include "base/check.hpp"
#include "call_tape.hpp"
#include "format/domain.hpp"

namespace talla::certs {

const DrawSpecification& CallCore::draw() const {
  TALLA_CHECK(std::holds_alternative<DrawSpecification>(specification));
  return *std::get_if<DrawSpecification>(&specification);
}

const MixSpecification& CallCore::mix() const {
  TALLA_CHECK(std::holds_alternative<MixSpecification>(specification));
  return *std::get_if<MixSpecification>(&specification);
}

Digest call_digest(const HashSuite& hashes, std::string_view core) {
  return hashes.sha256({as_bytes(domain::core), as_bytes(core)});
}

Bytes call_statement(std::string_view core) {
  return ByteWriter().raw(domain::call).raw(core).take();
}

Digest contribution_value(const HashSuite& hashes, std::span<const std::uint8_t, 32> seed,
                          const Digest& opening, std::uint32_t count) {
  const Bytes said = ByteWriter().raw(domain::contribution).raw(opening).u32(count).take();
  return hashes.hmac_key(seed)->mac({said});
}

Digest contribution_commit(const HashSuite& hashes, const Digest& opening, std::string_view id,
                           std::uint32_t count, const Digest& value) {
  const Bytes said = ByteWriter()
                         .raw(domain::contribution_commit)
                         .raw(opening)
                         .field(id)
                         .u32(count)
                         .raw(value)
                         .take();
  return hashes.sha256({said});
}

Bytes opening_statement(const Digest& call, std::string_view id, std::uint32_t count,
                        const Digest& value) {
  return ByteWriter().raw(domain::opening).raw(call).field(id).u32(count).raw(value).take();
}

bool orders_table(std::string_view act) {
  return act == call_again_act || act == draw_void_act || act == table_void_act ||
         act == shoe_close_act;
}

Digest request_key_head(const HashSuite& hashes, std::string_view key) {
  return hashes.sha256({ByteWriter().raw(domain::request_key).field(key).take()});
}

Bytes order_statement(std::string_view origin, std::string_view object, const Digest& head,
                      std::string_view act, std::string_view digest) {
  const json::Object said{{"act", std::string(act)},
                          {"digest", std::string(digest)},
                          {"head", to_hex(head)},
                          {"object", std::string(object)},
                          {"origin", std::string(origin)}};
  return ByteWriter().raw(domain::order).raw(json::canonical(json::Value(said))).take();
}

shuffle::Tape call_tape(const HashSuite& hashes, const CallTape& terms,
                        std::span<const CallOpening> openings) {
  std::vector<ByteView> inputs;
  inputs.reserve(openings.size() + 1);
  if (terms.first) inputs.emplace_back(*terms.first);
  for (const CallOpening& one : openings) inputs.emplace_back(one.value);
  return shuffle::Tape::from_hmac(hashes.hmac_key(terms.key), terms.purpose, inputs);
}

namespace {

Result<DrawResult> map_tape(const HashSuite& hashes, const DrawSpecification& specification,
                            const CallTape& terms, std::span<const CallOpening> openings) {
  TALLA_TRY_STATUS(check_specification(specification));
  auto tape = call_tape(hashes, terms, openings);
  DrawResult result;
  result.outcome.form = static_cast<Outcome::Form>(specification.index());
  TALLA_TRY(result.outcome.values, shuffle::draw_values(tape, specification));
  result.words_used = tape.words_used();
  result.words_rejected = tape.words_rejected();
  result.tape_digest = tape.consumed_digest(hashes);
  return result;
}

}  // namespace

Result<DrawResult> map_draw(const HashSuite& hashes, const DrawSpecification& specification,
                            std::span<const std::uint8_t, 32> secret, const Digest& call,
                            std::span<const CallOpening> openings) {
  return map_tape(hashes, specification, {.key = secret, .purpose = "draw", .first = call},
                  openings);
}

Result<DrawResult> map_lab_draw(const HashSuite& hashes, const DrawSpecification& specification,
                                std::span<const std::uint8_t, 32> secret, const Digest& asked) {
  return map_tape(hashes, specification, {.key = secret, .purpose = "lab", .first = asked}, {});
}

}  // namespace talla::certs
