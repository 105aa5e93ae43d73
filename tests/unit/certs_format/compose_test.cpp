// Goal: a body composed from typed values is the body that the generic writer gives, and one that
// check_body accepts; what check_body refuses is not composed.
// Method: random typed bodies, whole ones and ones with a value out of its range, through both
//         ways.
#include "format/compose.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>

#include "format/errc.hpp"

namespace talla::certs {
namespace {

Digest any_digest() {
  Digest digest{};
  for (auto& byte : digest) byte = *rc::gen::arbitrary<std::uint8_t>();
  return digest;
}

std::uint64_t any_count() {
  return *rc::gen::inRange<std::uint64_t>(0, static_cast<std::uint64_t>(json::integer_max) + 1);
}

std::string any_text() {
  return *rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7F));
}

std::string any_word(const std::vector<std::string>& words) {
  return *rc::gen::elementOf(words);
}

SourceUse any_source() {
  SourceUse use{
      .model = "m" + any_text(),
      .source_class = any_word({"raw_physical", "conditioned_physical", "system", "rdseed", "lab"}),
      .millibits = static_cast<std::int64_t>(any_count()),
      .verdict = any_word({"healthy", "startup", "alarm", "not_tested"}),
      .assessment = any_word({"", "assumed", "stated", "unit", "type"})};
  if (use.documented()) use.assessment_digest = any_digest();
  if (*rc::gen::arbitrary<bool>()) use.serial = "s" + any_text();
  return use;
}

Context any_context() {
  Context context;
  context.catalogue = any_digest();
  context.game = any_text();
  context.variant = any_text();
  context.parameters = any_digest();
  context.construction = any_word({"rbg3-xor", "system"});
  context.uncertified = *rc::gen::arbitrary<bool>();
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left)
    context.sources.push_back(any_source());
  context.reseeds = any_count();
  context.generates = any_count();
  context.software = any_digest();
  context.config = any_digest();
  context.rollback_protection = any_word({"local", "tpm", "hsm", "witness"});
  context.anchor_lag = any_count();
  context.sealing = any_word({"file", "credential", "tpm", "hsm", "passphrase"});
  return context;
}

std::vector<std::uint32_t> any_values(std::uint32_t min, std::uint32_t end) {
  return *rc::gen::suchThat(
      rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(min, end)),
      [](const auto& values) { return !values.empty() && values.size() <= 16; });
}

DrawSpecification any_specification() {
  switch (*rc::gen::inRange(0, 3)) {
    case 0:
      return WheelDraw{*rc::gen::inRange<std::uint32_t>(0, 1100)};
    case 1:
      return DiceDraw{*rc::gen::inRange<std::uint32_t>(0, 10),
                      *rc::gen::inRange<std::uint32_t>(0, 110)};
    default:
      return LotsDraw{any_values(0, 5000)};
  }
}

CallBody any_call() {
  CallBody body;
  CallCore& core = body.core;
  core.origin = "o" + any_text();
  core.table = "table-" + std::to_string(any_count());
  core.turn = *rc::gen::arbitrary<std::uint32_t>();
  core.head = any_digest();
  core.root = any_digest();
  core.at = *rc::gen::inRange<std::uint32_t>(0, 1100);
  if (*rc::gen::arbitrary<bool>()) core.round = "round-" + std::to_string(any_count());
  core.bets = any_digest();
  if (*rc::gen::arbitrary<bool>()) {
    core.object = "batch-" + std::to_string(any_count());
    core.specification = any_specification();
  } else {
    core.use = CallUse::mix;
    core.object = "shoe-" + std::to_string(any_count());
    core.specification = MixSpecification{*rc::gen::inRange<std::uint32_t>(0, 3),
                                          *rc::gen::inRange<std::uint32_t>(0, 1100)};
  }
  core.game = any_text();
  core.variant = any_text();
  core.catalogue = any_digest();
  core.parameters = any_digest();
  core.value = any_digest();
  body.signature.fill(*rc::gen::arbitrary<std::uint8_t>());
  return body;
}

BatchCommitBody any_commit() {
  BatchCommitBody body;
  body.table = "table-" + std::to_string(any_count());
  body.count = *rc::gen::inRange<std::uint32_t>(1, 257);
  body.root = any_digest();
  body.context = any_context();
  return body;
}

DrawBody any_draw() {
  DrawBody body;
  body.call = any_count();
  body.index = *rc::gen::inRange<std::uint32_t>(0, 256);
  body.secret = any_digest();
  for (int left = *rc::gen::inRange(0, 9); left > 0; --left) body.path.push_back(any_digest());
  body.outcome.form = static_cast<Outcome::Form>(*rc::gen::inRange(0, 3));
  body.outcome.values = body.outcome.form == Outcome::Form::pocket
                            ? std::vector<std::uint32_t>{any_values(0, 9).front()}
                            : any_values(0, 120);
  body.words_used = any_count();
  body.words_rejected = any_count();
  body.tape_digest = any_digest();
  return body;
}

CardDealBody any_card() {
  CardDealBody body;
  body.position = *rc::gen::arbitrary<std::uint32_t>();
  body.place = "p" + any_text();
  body.face = static_cast<Face>(*rc::gen::inRange(0, 3));
  if (*rc::gen::arbitrary<bool>()) body.round = "round-" + std::to_string(any_count());
  if (body.face == Face::open) {
    auto& opening = body.opening.emplace();
    opening.leaf = *rc::gen::arbitrary<std::uint32_t>();
    opening.card = any_word({"AS", "TD", "2C", "Ro", "Jk", "B90"});
    opening.salt = any_digest();
    for (int left = *rc::gen::inRange(0, 11); left > 0; --left)
      opening.path.push_back(any_digest());
  }
  std::int64_t seat = 0;
  for (int left = *rc::gen::inRange(0, 4); left > 0; --left) {
    seat += *rc::gen::inRange<std::int64_t>(1, 1'000'000'000);
    body.copies.push_back({seat, any_digest(), any_digest()});
  }
  return body;
}

/// Both ways agree on whether the body may stand, and on its bytes.
template <class Body>
void agree(Kind kind, const Body& body) {
  const json::Value value = body.to_json();
  const auto composed = compose(body);
  RC_ASSERT(composed.has_value() == (check_body(kind, value).has_value() && json::is_ascii(value)));
  if (!composed) return;
  RC_ASSERT(composed->kind() == kind);
  RC_ASSERT(composed->text() == json::canonical(value));
}

RC_GTEST_PROP(Compose, calls_are_those_of_the_generic_writer, ()) {
  const CallBody call = any_call();
  agree(Kind::call, call);
  RC_ASSERT(call.core.bytes() == json::canonical(call.core.to_json()));
}

RC_GTEST_PROP(Compose, commitments_are_those_of_the_generic_writer, ()) {
  agree(Kind::batch_commit, any_commit());
}

RC_GTEST_PROP(Compose, draws_are_those_of_the_generic_writer, ()) {
  agree(Kind::draw, any_draw());
}

RC_GTEST_PROP(Compose, cards_are_those_of_the_generic_writer, ()) {
  const CardDealBody body = any_card();
  RC_ASSERT(compose(body).has_value());
  agree(Kind::card_deal, body);
}

RC_GTEST_PROP(Compose, a_card_that_may_not_stand_is_refused_by_both, ()) {
  CardDealBody body = any_card();
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      body.place = *rc::gen::arbitrary<std::string>();
      break;
    case 1:
      body.round = any_text();
      break;
    case 2:
      body.face = static_cast<Face>(*rc::gen::inRange(0, 3));
      break;
    case 3:
      if (body.opening) body.opening->card = any_word({"", "1S", "as", "ASA", "X"});
      break;
    case 4:
      if (body.opening) body.opening->path.resize(*rc::gen::inRange<std::size_t>(60, 70));
      break;
    default:
      for (auto& copy : body.copies) copy.seat = *rc::gen::inRange<std::int64_t>(-2, 0x1'0000'0010);
  }
  agree(Kind::card_deal, body);
}

RC_GTEST_PROP(Compose, a_word_out_of_its_list_is_refused_by_both, ()) {
  BatchCommitBody body = any_commit();
  Context& context = body.context;
  const std::vector<std::string*> words = {&context.mapping, &context.construction,
                                           &context.rollback_protection, &context.sealing};
  **rc::gen::elementOf(words) = any_text();
  agree(Kind::batch_commit, body);
  CallBody call = any_call();
  const std::vector<std::string*> texts = {&call.core.table, &call.core.round, &call.core.object,
                                           &call.core.game,  &call.core.type,  &call.core.origin};
  **rc::gen::elementOf(texts) = *rc::gen::arbitrary<std::string>();
  agree(Kind::call, call);
}

RC_GTEST_PROP(Compose, a_length_or_source_out_of_range_is_refused_by_both, ()) {
  BatchCommitBody commit = any_commit();
  SourceUse odd{.model = *rc::gen::arbitrary<std::string>(),
                .source_class = any_word({"raw_physical", "system", "", "SYSTEM"}),
                .millibits = *rc::gen::inRange<std::int64_t>(-3, 3),
                .verdict = any_word({"healthy", "alarm", "", "good"})};
  commit.context.sources.push_back(odd);
  agree(Kind::batch_commit, commit);
  DrawBody draw = any_draw();
  draw.path.resize(*rc::gen::inRange<std::size_t>(60, 70));
  draw.index = *rc::gen::inRange<std::uint32_t>(0, 600);
  draw.openings.resize(*rc::gen::inRange<std::size_t>(0, 3));
  agree(Kind::draw, draw);
}

RC_GTEST_PROP(Compose, a_typed_body_is_read_back_from_its_text, ()) {
  const CallBody call = any_call();
  if (const auto composed = compose(call)) {
    const auto again = CallBody::from_json(*json::parse_canonical(composed->text()));
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->core == call.core);
    RC_ASSERT(compose(*again)->text() == composed->text());
  }
  const DrawBody draw = any_draw();
  if (const auto composed = compose(draw)) {
    const auto again = DrawBody::from_json(*json::parse_canonical(composed->text()));
    RC_ASSERT(again.has_value());
    RC_ASSERT(compose(*again)->text() == composed->text());
  }
  const CardDealBody card = any_card();
  if (const auto composed = compose(card)) {
    const auto again = CardDealBody::from_json(*json::parse_canonical(composed->text()));
    RC_ASSERT(again.has_value());
    RC_ASSERT(compose(*again)->text() == composed->text());
  }
}

TEST(Compose, numbers_beyond_json_are_refused) {
  EXPECT_TRUE(rc::check([] {
    DrawBody body = any_draw();
    body.outcome = {Outcome::Form::pocket, {1}};
    RC_ASSERT(compose(body).has_value());
    const auto counts =
        std::to_array<std::uint64_t*>({&body.call, &body.words_used, &body.words_rejected});
    *counts[*rc::gen::inRange<std::size_t>(0, 3)] =
        static_cast<std::uint64_t>(json::integer_max) + 1;
    RC_ASSERT(!compose(body).has_value());
    BatchCommitBody commit = any_commit();
    commit.context.uncertified = true;
    RC_ASSERT(compose(commit).has_value());
    const auto more = std::to_array<std::uint64_t*>(
        {&commit.context.reseeds, &commit.context.generates, &commit.context.anchor_lag});
    *more[*rc::gen::inRange<std::size_t>(0, 3)] = static_cast<std::uint64_t>(json::integer_max) + 1;
    RC_ASSERT(!compose(commit).has_value());
  }));
}

TEST(Compose, an_outcome_without_or_with_two_pockets_is_refused) {
  DrawBody body;
  body.outcome = {Outcome::Form::pocket, {3}};
  EXPECT_TRUE(compose(body));
  body.outcome.values = {};
  EXPECT_TRUE(compose(body).error().is(FormatErrc::malformed_body));
  body.outcome.values = {3, 4};
  EXPECT_TRUE(compose(body).error().is(FormatErrc::malformed_body));
}

RC_GTEST_PROP(Compose, a_record_is_the_same_either_way, ()) {
  Record record;
  record.origin = "casino.example/talla-1";
  record.seq = 1000;
  record.kind = Kind::draw;
  record.object = "batch-17";
  record.table = "table-5";
  record.prev = 999;
  record.link = any_digest();
  record.cites = {3, 17};
  record.client = Client{"urn:talla:\"table\\-1", any_digest()};
  record.key = "k";
  record.request = any_digest();
  record.note = "aG9sYQ";
  DrawBody body = any_draw();
  body.outcome = {Outcome::Form::pocket, {1}};
  record.body = body.to_json();
  const auto composed = write_record(record, *compose(body));
  RC_ASSERT(composed.has_value());
  RC_ASSERT(*composed == *write_record(record));
  RC_ASSERT(*parse_record(*composed) == record);
  record.kind = Kind::card_deal;
  RC_ASSERT(!write_record(record, *compose(body)).has_value());
}

}  // namespace
}  // namespace talla::certs
