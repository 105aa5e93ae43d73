#include "stats/outcome/shoes.hpp"

#include <algorithm>
#include <numeric>

#include "outcome/shoe_parts.hpp"

namespace talla::stats::outcome {
namespace {

constexpr std::size_t cards_least = 4, cards_most = 1024;
constexpr std::size_t faces_most = 255;

std::vector<double> places_in_deck(std::size_t faces) {
  std::vector<double> scores(faces);
  std::iota(scores.begin(), scores.end(), 0.0);
  return scores;
}

}  // namespace

ShoeSpec ShoeSpec::balls(std::size_t count, std::size_t drawn) {
  ShoeSpec spec;
  for (std::size_t i = 1; i <= count; ++i) spec.faces.push_back(std::to_string(i));
  spec.copies.assign(count, 1);
  spec.drawn = drawn;
  return spec;
}

ShoeKind::ShoeKind(ShoeSpec given)
    : spec(std::move(given)),
      cards(spec.copies),
      all(std::accumulate(spec.copies.begin(), spec.copies.end(), std::size_t{0})),
      drawn(spec.drawn == 0 ? all : spec.drawn),
      faces(spec.copies.size()),
      scores(score_moments(cards, places_in_deck(faces))) {}

struct ShoeTests::Impl {
  explicit Impl(ShoeSpec spec)
      : kind(std::move(spec)),
        places(kind),
        correlations(kind),
        neighbours(kind),
        first_cards(kind) {}

  ShoeKind kind;
  Places places;
  Correlations correlations;
  Neighbours neighbours;
  FirstCards first_cards;
  std::vector<std::uint32_t> census;
  std::uint64_t n = 0;
};

Result<ShoeTests> ShoeTests::create(ShoeSpec spec) {
  const std::size_t faces = spec.copies.size();
  const std::size_t all = std::accumulate(spec.copies.begin(), spec.copies.end(), std::size_t{0});
  if (faces < 2 || faces > faces_most) {
    return refuse(std::to_string(faces) + " different cards: 2 to " + std::to_string(faces_most) +
                  " can be tested");
  }
  if (all < cards_least || all > cards_most) {
    return refuse(std::to_string(all) + " cards: " + std::to_string(cards_least) + " to " +
                  std::to_string(cards_most) + " can be tested");
  }
  if (std::count(spec.copies.begin(), spec.copies.end(), 0U) != 0)
    return refuse("a card has no copy in the shoe");
  if (spec.faces.size() != faces) return refuse("as many names as cards are needed");
  for (const Grouping& grouping : spec.groupings) {
    const auto wrong = [&](std::uint8_t group) { return group >= grouping.names.size(); };
    if (grouping.of.size() != faces || grouping.names.size() < 2 ||
        std::any_of(grouping.of.begin(), grouping.of.end(), wrong)) {
      return refuse("grouping " + grouping.name + " does not fit the cards");
    }
  }
  if (spec.drawn == 1 || spec.drawn > all) {
    return refuse("first " + std::to_string(spec.drawn) + " cards: 2 to " + std::to_string(all) +
                  " can be tested");
  }
  return ShoeTests(std::make_unique<Impl>(std::move(spec)));
}

ShoeTests::ShoeTests(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ShoeTests::ShoeTests(ShoeTests&&) noexcept = default;
ShoeTests& ShoeTests::operator=(ShoeTests&&) noexcept = default;
ShoeTests::~ShoeTests() = default;

Result<bool> ShoeTests::add(std::span<const std::uint8_t> faces) {
  const ShoeKind& kind = impl_->kind;
  if (faces.size() != kind.drawn) {
    return refuse(std::to_string(faces.size()) + " cards instead of " + std::to_string(kind.drawn));
  }
  auto& census = impl_->census;
  census.assign(kind.faces, 0);
  for (const std::uint8_t face : faces) {
    if (face >= kind.faces) return refuse("no such card");
    if (++census[face] > kind.spec.copies[face]) {
      return refuse("card " + kind.spec.faces[face] + " comes more than " +
                    std::to_string(kind.spec.copies[face]) +
                    (kind.spec.copies[face] == 1 ? " time" : " times"));
    }
  }
  impl_->places.add(faces);
  impl_->correlations.add(faces);
  impl_->neighbours.add(faces);
  impl_->first_cards.add(faces);
  ++impl_->n;
  return true;
}

std::uint64_t ShoeTests::count() const {
  return impl_->n;
}

const ShoeSpec& ShoeTests::spec() const {
  return impl_->kind.spec;
}

std::vector<Row> ShoeTests::rows() const {
  std::vector<Row> rows;
  const std::uint64_t n = impl_->n;
  impl_->places.rows(rows, n);
  impl_->correlations.rows(rows, impl_->places, n);
  impl_->neighbours.rows(rows, n);
  impl_->neighbours.before_rows(rows, n);
  impl_->correlations.before_rows(rows, impl_->places, n);
  impl_->first_cards.rows(rows, n);
  return rows;
}

std::span<const std::uint32_t> ShoeTests::place_table() const {
  return impl_->places.table();
}

}  // namespace talla::stats::outcome
