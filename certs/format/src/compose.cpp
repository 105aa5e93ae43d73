#include "format/compose.hpp"

#include <algorithm>

#include "format/errc.hpp"
#include "format/merkle.hpp"
#include "format/nonce.hpp"
#include "shuffle/deck.hpp"
#include "text_writer.hpp"

namespace talla::certs {
namespace {

constexpr std::uint32_t index_max = 255;
constexpr std::size_t values_max = 16;
constexpr std::uint32_t die_max = 100;
constexpr std::int64_t seat_max = 0xFFFFFFFF;
constexpr std::size_t body_bytes_usual = 1536;

bool among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

tl::unexpected<Error> refuse_context(std::string_view what) {
  return fail(FormatErrc::malformed_context,
              "context." + std::string(what) + ": not as FORMAT.md has it");
}
tl::unexpected<Error> refuse_body(std::string_view what) {
  return fail(FormatErrc::malformed_body, std::string(what) + ": not as FORMAT.md has it");
}

Status check_source(const SourceUse& source) {
  if (source.model.empty() || !printable(source.model)) return refuse_context("sources[].model");
  if (!among(source.source_class,
             {"raw_physical", "conditioned_physical", "system", "rdseed", "lab"}))
    return refuse_context("sources[].class");
  if (source.millibits < 0 || source.millibits > json::integer_max)
    return refuse_context("sources[].millibits");
  if (!among(source.verdict, {"healthy", "startup", "alarm", "not_tested"}))
    return refuse_context("sources[].verdict");
  if (!source.assessment.empty() &&
      !among(source.assessment, {"assumed", "stated", "unit", "type"}))
    return refuse_context("sources[].assessment");
  if (!source.documented() && source.assessment_digest != Digest{})
    return refuse_context("sources[].assessment_digest");
  if (!printable(source.serial)) return refuse_context("sources[].serial");
  return {};
}

/// The rules of Context::from_json, over the values.
Status check_context(const Context& context) {
  if (!printable(context.game)) return refuse_context("game");
  if (!printable(context.variant)) return refuse_context("variant");
  if (context.mapping != "talla-map-v1") return refuse_context("mapping");
  if (!among(context.construction, {"rbg3-xor", "system"})) return refuse_context("construction");
  for (const SourceUse& source : context.sources) TALLA_TRY_STATUS(check_source(source));
  if (std::max({context.reseeds, context.generates, context.anchor_lag}) > largest_number)
    return refuse_context("counters");
  if (!among(context.rollback_protection, {"local", "tpm", "hsm", "witness"}))
    return refuse_context("rollback_protection");
  if (!among(context.sealing, {"file", "credential", "tpm", "hsm", "passphrase"}))
    return refuse_context("sealing");
  if (!context.uncertified && !context.may_be_certified()) return refuse_context("uncertified");
  return {};
}

void write_context(TextWriter& out, const Context& context) {
  out.key("context").open('{').key("anchor_lag").number(context.anchor_lag);
  out.key("catalogue").hex(context.catalogue).key("config").hex(context.config);
  out.key("construction").text(context.construction).key("game").text(context.game);
  out.key("generates").number(context.generates).key("mapping").text(context.mapping);
  out.key("parameters").hex(context.parameters).key("reseeds").number(context.reseeds);
  out.key("rollback_protection")
      .text(context.rollback_protection)
      .key("sealing")
      .text(context.sealing);
  out.key("software").hex(context.software).key("sources").open('[');
  for (const SourceUse& source : context.sources) {
    out.open('{');
    if (!source.assessment.empty()) out.key("assessment").text(source.assessment);
    if (source.documented()) out.key("assessment_digest").hex(source.assessment_digest);
    out.key("class").text(source.source_class);
    out.key("millibits").number(static_cast<std::uint64_t>(source.millibits));
    out.key("model").text(source.model);
    if (!source.serial.empty()) out.key("serial").text(source.serial);
    out.key("verdict").text(source.verdict).close('}');
  }
  out.close(']').key("uncertified").boolean(context.uncertified);
  out.key("variant").text(context.variant).close('}');
}

void write_values(TextWriter& out, std::string_view name,
                  const std::vector<std::uint32_t>& values) {
  out.key(name).open('[');
  for (const std::uint32_t value : values) out.number(value);
  out.close(']');
}

void write_specification(TextWriter& out, const DrawSpecification& specification) {
  out.key("specification").open('{');
  if (const auto* wheel = std::get_if<WheelDraw>(&specification)) {
    out.key("kind").text("wheel").key("pockets").number(wheel->pockets);
  } else if (const auto* dice = std::get_if<DiceDraw>(&specification)) {
    out.key("count").number(dice->count).key("faces").number(dice->faces).key("kind").text("dice");
  } else {
    write_values(out, "bounds", std::get<LotsDraw>(specification).bounds);
    out.key("kind").text("lots");
  }
  out.close('}');
}

Status check_outcome(const Outcome& outcome) {
  const auto& values = outcome.values;
  const bool single = outcome.form == Outcome::Form::pocket;
  if (values.empty() || values.size() > (single ? 1 : values_max)) return refuse_body("outcome");
  const bool dice_fit = std::all_of(values.begin(), values.end(), [](std::uint32_t value) {
    return value >= 1 && value <= die_max;
  });
  if (outcome.form == Outcome::Form::dice && !dice_fit) return refuse_body("outcome.dice");
  return {};
}

void write_outcome(TextWriter& out, const Outcome& outcome) {
  out.key("outcome").open('{');
  switch (outcome.form) {
    case Outcome::Form::pocket:
      out.key("pocket").number(outcome.values.front());
      break;
    case Outcome::Form::dice:
      write_values(out, "dice", outcome.values);
      break;
    case Outcome::Form::lots:
      write_values(out, "lots", outcome.values);
      break;
  }
  out.close('}');
}

Status check_card(const CardDealBody& body) {
  if (body.place.empty() || !printable(body.place)) return refuse_body("CARD_DEAL.place");
  if (!body.round.empty() && !object_seq("round", body.round))
    return refuse_body("CARD_DEAL.round");
  if (body.opening.has_value() != (body.face == Face::open)) return refuse_body("CARD_DEAL.card");
  if (body.opening && !shuffle::Card::parse(body.opening->card))
    return refuse_body("CARD_DEAL.card");
  if (body.opening && body.opening->path.size() > path_hashes_max)
    return refuse_body("CARD_DEAL.path");
  if (body.face != Face::covered) return {};
  std::int64_t last = 0;
  for (const CoveredCopy& copy : body.copies) {
    if (copy.seat <= last || copy.seat > seat_max) return refuse_body("CARD_DEAL.copies");
    last = copy.seat;
  }
  return {};
}

void write_copies(TextWriter& out, const std::vector<CoveredCopy>& copies) {
  out.key("copies").open('[');
  for (const CoveredCopy& copy : copies) {
    out.open('{').key("ciphertext").hex(copy.ciphertext).key("key").hex(copy.key);
    out.key("seat").number(static_cast<std::uint64_t>(copy.seat)).close('}');
  }
  out.close(']');
}

void write_path(TextWriter& out, const std::vector<Digest>& path) {
  out.key("path").open('[');
  for (const Digest& hash : path) out.hex(hash);
  out.close(']');
}

}  // namespace

Result<ComposedBody> compose(const IntentBody& body) {
  if (!object_seq("table", body.table)) return refuse_body("INTENT.table");
  if (body.round != "0" && !object_seq("round", body.round)) return refuse_body("INTENT.round");
  if (body.index > index_max) return refuse_body("INTENT.index");
  if (!nonce_length_valid(body.nonce.size())) return refuse_body("INTENT.nonce");
  TALLA_TRY_STATUS(check_specification(body.specification));
  TALLA_TRY_STATUS(check_context(body.context));
  std::string text;
  text.reserve(body_bytes_usual);
  TextWriter out(text);
  out.open('{').key("bets").hex(body.bets);
  write_context(out, body.context);
  out.key("digest").hex(body.digest).key("index").number(body.index).key("nonce").hex(body.nonce);
  out.key("root").hex(body.root).key("round").text(body.round);
  write_specification(out, body.specification);
  out.key("table").text(body.table).close('}');
  return ComposedBody(Kind::intent, std::move(text));
}

Result<ComposedBody> compose(const DrawBody& body) {
  if (std::max({body.intent, body.words_used, body.words_rejected}) > largest_number)
    return refuse_body("DRAW");
  if (body.index > index_max) return refuse_body("DRAW.index");
  if (body.path.size() > path_hashes_max) return refuse_body("DRAW.path");
  TALLA_TRY_STATUS(check_outcome(body.outcome));
  TALLA_TRY_STATUS(check_context(body.context));
  std::string text;
  text.reserve(body_bytes_usual);
  TextWriter out(text);
  out.open('{');
  write_context(out, body.context);
  out.key("index").number(body.index).key("intent").number(body.intent);
  write_outcome(out, body.outcome);
  write_path(out, body.path);
  out.key("secret").hex(body.secret).key("tape_digest").hex(body.tape_digest);
  out.key("words_rejected")
      .number(body.words_rejected)
      .key("words_used")
      .number(body.words_used)
      .close('}');
  return ComposedBody(Kind::draw, std::move(text));
}

Result<ComposedBody> compose(const CardDealBody& body) {
  TALLA_TRY_STATUS(check_card(body));
  std::string text;
  text.reserve(body_bytes_usual);
  TextWriter out(text);
  out.open('{');
  if (body.opening) out.key("card").text(body.opening->card);
  if (body.face == Face::covered) write_copies(out, body.copies);
  out.key("face").text(face_word(body.face));
  if (body.opening) {
    out.key("leaf").number(body.opening->leaf);
    write_path(out, body.opening->path);
  }
  out.key("place").text(body.place).key("position").number(body.position);
  if (!body.round.empty()) out.key("round").text(body.round);
  if (body.opening) out.key("salt").hex(body.opening->salt);
  out.close('}');
  return ComposedBody(Kind::card_deal, std::move(text));
}

}  // namespace talla::certs
