// Draws results of a game from a stated seed.
#include "lab_sample/sampler.hpp"

#include <algorithm>
#include <array>

#include "base/bytes.hpp"
#include "certs/openssl_hashes.hpp"
#include "entropy/drbg.hpp"
#include "entropy/sha512.hpp"
#include "format/call.hpp"
#include "format/game_events.hpp"
#include "games/catalogue.hpp"
#include "games/engine.hpp"
#include "games/odds.hpp"
#include "shuffle/batch.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shoe.hpp"

namespace talla::lab {
namespace {

constexpr std::string_view seed_prefix = "talla-lab sample v1";
constexpr std::size_t seed_digits = 64;

tl::unexpected<Error> sample_refusal(const std::string& what) {
  return fail(SampleErrc::sample_refused, what);
}

/// The names of a wheel as `talla-lab outcomes` takes them: by their number where that says all.
std::string wheel_outcomes(const std::vector<std::string>& pockets) {
  constexpr std::size_t double_zero_wheel = 38;
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
    std::vector<std::string> plain;
    for (std::size_t i = 0; i < pockets.size(); ++i) plain.push_back(std::to_string(i + first));
    if (first == 0 && pockets.size() == double_zero_wheel) plain.back() = "00";
    if (std::is_permutation(plain.begin(), plain.end(), pockets.begin(), pockets.end()))
      return "wheel:" + std::to_string(pockets.size()) + (first == 0 ? "" : ":1");
  }
  std::string named = "wheel:";
  for (const std::string& pocket : pockets) named += (named.back() == ':' ? "" : ",") + pocket;
  return named;
}

Result<std::unique_ptr<entropy::Drbg>> drbg_of(const SampleWish& wish) {
  const auto seed = from_hex(wish.seed);
  if (!seed || wish.seed.size() != seed_digits || wish.seed != to_hex(*seed))
    return sample_refusal("--seed: 64 hex digits in small letters are expected");
  const std::array<ByteView, 2> parts{as_bytes(seed_prefix), ByteView(*seed)};
  TALLA_TRY(const SecretBytes material, entropy::sha512(parts));
  const std::string person =
      wish.catalogue + " " + wish.game + " " + json::canonical(wish.parameters);
  return entropy::Drbg::instantiate(entropy::DrbgKind::hmac_sha512, material, as_bytes(person));
}

}  // namespace

std::string_view errc_name(SampleErrc /*errc*/) {
  return "sample_refused";
}

Sampler::Sampler() = default;
Sampler::Sampler(Sampler&& other) noexcept = default;
Sampler& Sampler::operator=(Sampler&& other) noexcept = default;
Sampler::~Sampler() = default;

Result<Sampler> Sampler::open(const SampleWish& wish) {
  const certs::OpensslHashes hashes;
  TALLA_TRY(auto catalogue, games::load_embedded(wish.catalogue, hashes));
  TALLA_TRY(const games::Table table,
            games::odds_table(std::move(catalogue), wish.game, wish.parameters));
  Sampler out;
  out.wish_ = wish;
  out.catalogue_ = table.catalogue().digest;
  const auto& draw = table.rules().draw;
  const auto shoe = table.engine().shoe(table);
  if (shoe && !wish.draw) {
    TALLA_TRY_STATUS(out.set_shoe(shoe->deck));
  } else if (draw) {
    TALLA_TRY_STATUS(out.set_draw(*draw));
  } else {
    return sample_refusal(wish.game + (shoe ? " has no draw, but a shoe"
                                            : " has neither a shoe nor a draw of its own"));
  }
  if (wish.first != 0 && out.draw_)
    return sample_refusal("--first: is for shoes; " + wish.game + " is a draw");
  if (wish.first > out.cards_.size() && !out.draw_)
    return sample_refusal("--first: the shoe of " + wish.game + " has " +
                          std::to_string(out.cards_.size()) + " cards");
  TALLA_TRY(out.drbg_, drbg_of(wish));
  return out;
}

Status Sampler::set_draw(const games::Draw& draw) {
  TALLA_TRY(specification_, certs::specification_of(draw));
  draw_ = draw;
  switch (draw.kind) {
    case games::DrawKind::wheel:
      outcomes_ = wheel_outcomes(draw.pockets);
      break;
    case games::DrawKind::dice:
      outcomes_ = "dice:" + std::to_string(draw.count) + "x" + std::to_string(draw.faces);
      break;
    case games::DrawKind::balls:
    case games::DrawKind::lots:
      outcomes_ = "wheel:" + std::to_string(draw.faces) + ":1";
      break;
  }
  return {};
}

Status Sampler::set_shoe(const std::string& deck) {
  TALLA_TRY(const auto specification, shuffle::DeckSpec::parse(deck));
  const auto cards = specification.cards();
  cards_.assign(cards.begin(), cards.end());
  const bool balls = specification.options().family == shuffle::DeckFamily::balls90;
  outcomes_ = balls ? "balls:" + std::to_string(cards_.size()) : "shoe:" + deck;
  return {};
}

std::uint64_t Sampler::usual_count() const {
  constexpr std::uint64_t draws = 10'000'000;
  constexpr std::uint64_t shoes = 2'500'000;
  return draw_ ? draws : shoes;
}

json::Value Sampler::manifest(std::uint64_t count) const {
  json::Object out{
      {"catalogue", wish_.catalogue},
      {"catalogue_sha256", to_hex(catalogue_)},
      {"count", count},
      {"format", 1},
      {"game", wish_.game},
      {"generator", std::string(entropy::drbg_kind_name(entropy::DrbgKind::hmac_sha512))},
      {"kind", "talla-lab sample"},
      {"outcomes", outcomes_},
      {"parameters", wish_.parameters},
      {"seed", wish_.seed}};
  if (wish_.first != 0) out.emplace("first", wish_.first);
  return out;
}

Status Sampler::next(std::string& text) {
  return draw_ ? next_draw(text) : next_shoe(text);
}

Status Sampler::next_draw(std::string& text) {
  static const certs::OpensslHashes hashes;
  std::array<std::uint8_t, 2 * sizeof(Digest)> bytes{};
  TALLA_TRY_STATUS(drbg_->generate(bytes));
  Digest call{};
  std::copy_n(bytes.begin() + sizeof(Digest), call.size(), call.begin());
  TALLA_TRY(
      const auto result,
      certs::map_draw(hashes, specification_,
                      std::span<const std::uint8_t>(bytes).first<sizeof(Digest)>(), call, {}));
  const games::DrawResult event = certs::draw_event(*draw_, result.outcome);
  for (std::size_t i = 0; i < event.values.size(); ++i) {
    if (i > 0) text += ' ';
    text += event.values[i];
  }
  text += '\n';
  return {};
}

Status Sampler::next_shoe(std::string& text) {
  Bytes bytes(shuffle::shuffle_bytes(cards_.size()));
  TALLA_TRY_STATUS(drbg_->generate(bytes));
  const auto shuffled = [&] {
    auto tape = shuffle::Tape::borrowed(bytes);
    return shuffle::shuffle_again(tape, shuffle::SecretCards(cards_.begin(), cards_.end()));
  };
  auto order = shuffled();
  while (!order && order.error().is(shuffle::Errc::tape_exhausted)) {
    std::array<std::uint8_t, sizeof(std::uint64_t)> more{};
    TALLA_TRY_STATUS(drbg_->generate(more));
    bytes.insert(bytes.end(), more.begin(), more.end());
    order = shuffled();
  }
  if (!order) return tl::unexpected<Error>(std::move(order).error());
  const std::size_t shown = wish_.first != 0 ? wish_.first : order->size();
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ' ';
    text += (*order)[i].text();
  }
  text += '\n';
  return {};
}

}  // namespace talla::lab
