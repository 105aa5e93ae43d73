// Orders for a laboratory and the outcomes of its tables.
#include "format/lab_table.hpp"

#include <algorithm>
#include <charconv>

#include "format/call.hpp"
#include "format/errc.hpp"
#include "format/game_events.hpp"
#include "games/engine.hpp"
#include "games/table.hpp"
#include "shuffle/batch.hpp"
#include "shuffle/shoe.hpp"

namespace talla::certs {
namespace {

constexpr std::string_view lab_prefix = "lab/";
constexpr std::string_view raw_prefix = "raw-";
constexpr std::string_view shoe_prefix = "shoe-";
constexpr Between name_length{1, 64};

bool is_name(std::string_view text) {
  return name_length.holds_count(text.size()) && std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

/// Numbers between separators; spelled otherwise than in decimal they would not read back.
std::vector<std::uint32_t> numbers_in(std::string_view text, char separator) {
  std::vector<std::uint32_t> numbers;
  while (true) {
    const auto digits = text.substr(0, text.find(separator));
    std::uint32_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size()) return {};
    numbers.push_back(number);
    if (digits.size() == text.size()) return numbers;
    text.remove_prefix(digits.size() + 1);
  }
}

std::string drawn_text(const DrawSpecification& specification) {
  if (const auto* wheel = std::get_if<WheelDraw>(&specification))
    return "wheel-" + std::to_string(wheel->pockets);
  if (const auto* dice = std::get_if<DiceDraw>(&specification))
    return "dice-" + std::to_string(dice->count) + "x" + std::to_string(dice->faces);
  std::string text = "lots";
  for (const std::uint32_t bound : std::get<LotsDraw>(specification).bounds)
    text += "-" + std::to_string(bound);
  return text;
}

std::optional<DrawSpecification> draw_of(std::string_view text) {
  const auto dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view kind = text.substr(0, dash);
  const auto numbers = numbers_in(text.substr(dash + 1), kind == "dice" ? 'x' : '-');
  DrawSpecification out;
  if (kind == "wheel" && numbers.size() == 1) {
    out = WheelDraw{numbers.front()};
  } else if (kind == "dice" && numbers.size() == 2) {
    out = DiceDraw{numbers.front(), numbers.back()};
  } else if (kind == "lots" && !numbers.empty()) {
    out = LotsDraw{numbers};
  } else {
    return std::nullopt;
  }
  if (!check_specification(out) || drawn_text(out) != text) return std::nullopt;
  return out;
}

template <class Values>
std::string joined_values(const Values& values, auto&& word) {
  std::string out;
  for (const auto& value : values) out += (out.empty() ? "" : " ") + word(value);
  return out;
}

}  // namespace

std::string LabTable::text() const {
  const auto* deck = shoe();
  return std::string(lab_prefix) + catalogue + "/" + game + "/" +
         (deck != nullptr ? std::string(shoe_prefix) + deck->text()
                          : drawn_text(std::get<DrawSpecification>(drawn)));
}

std::optional<LabTable> LabTable::parse(std::string_view text) {
  if (!names_lab_table(text)) return std::nullopt;
  text.remove_prefix(lab_prefix.size());
  const auto first = text.find('/');
  const auto second = first == std::string_view::npos ? first : text.find('/', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  LabTable table{.catalogue = std::string(text.substr(0, first)),
                 .game = std::string(text.substr(first + 1, second - first - 1)),
                 .drawn = {}};
  if (!is_name(table.catalogue) || !is_name(table.game)) return std::nullopt;
  const std::string_view drawn = text.substr(second + 1);
  if (drawn.starts_with(shoe_prefix)) {
    auto deck = shuffle::DeckSpec::parse(drawn.substr(shoe_prefix.size()));
    if (!deck) return std::nullopt;
    table.drawn = std::move(*deck);
    return table;
  }
  const auto draw = draw_of(drawn);
  if (!draw) return std::nullopt;
  table.drawn = *draw;
  return table;
}

std::optional<LabTable> LabTable::of(const games::Table& table, std::string_view catalogue,
                                     bool shoe) {
  LabTable out{
      .catalogue = std::string(catalogue), .game = table.rules().id, .drawn = DrawSpecification()};
  if (shoe) {
    const auto own = table.engine().shoe(table);
    if (!own) return std::nullopt;
    const auto deck = shuffle::DeckSpec::parse(own->deck);
    if (!deck) return std::nullopt;
    out.drawn = *deck;
  } else {
    const auto& draw = table.rules().draw;
    if (!draw) return std::nullopt;
    const auto own = specification_of(*draw);
    if (!own) return std::nullopt;
    out.drawn = *own;
  }
  return LabTable::parse(out.text()) ? std::optional(std::move(out)) : std::nullopt;
}

std::size_t LabTable::outcome_bytes() const {
  const auto* deck = shoe();
  return deck != nullptr ? shuffle::shuffle_bytes(deck->cards_count()) : sizeof(Digest);
}

bool names_lab_table(std::string_view object) {
  return object.starts_with(lab_prefix);
}

std::string SampleOrder::text() const {
  return samples + ":" + std::to_string(count) + ":" + client;
}

std::optional<SampleOrder> SampleOrder::parse(std::string_view object) {
  const auto first = object.find(':');
  const auto second = first == std::string_view::npos ? first : object.find(':', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  SampleOrder order{.samples = std::string(object.substr(0, first)),
                    .client = std::string(object.substr(second + 1))};
  const auto digits = object.substr(first + 1, second - first - 1);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), order.count);
  const bool whole = read.ec == std::errc{} && order.text() == object && !order.client.empty();
  const auto table = order.table();
  const bool known = table || order.samples == "bits" || raw_source_of(order.samples);
  if (!whole || !known || !(table ? table->counts() : sample_bytes).holds(order.count))
    return std::nullopt;
  return order;
}

std::optional<std::size_t> raw_source_of(std::string_view samples) {
  for (std::size_t i = 0; i < raw_sources_max; ++i) {
    if (samples == std::string(raw_prefix) + std::to_string(i)) return i;
  }
  return std::nullopt;
}

std::vector<std::string> sample_names() {
  std::vector<std::string> names{"bits"};
  for (std::size_t i = 0; i < raw_sources_max; ++i)
    names.push_back(std::string(raw_prefix) + std::to_string(i));
  return names;
}

Result<std::string> lab_outcome(const HashSuite& hashes, const LabTable& table, ByteView bits,
                                const Digest& asked) {
  const auto left_over = [] {
    return fail(FormatErrc::malformed_specification, "an outcome does not use up its bits");
  };
  if (const auto* deck = table.shoe()) {
    auto tape = shuffle::Tape::borrowed(bits);
    TALLA_TRY(const auto order, shuffle::shuffle_shoe(tape, *deck));
    if (tape.consumed().size() != bits.size()) return left_over();
    return joined_values(order, [](const shuffle::Card& card) { return card.text(); });
  }
  if (bits.size() != sizeof(Digest)) return left_over();
  TALLA_TRY(const auto result, map_lab_draw(hashes, std::get<DrawSpecification>(table.drawn),
                                            bits.first<sizeof(Digest)>(), asked));
  return joined_values(result.outcome.values,
                       [](std::uint32_t value) { return std::to_string(value); });
}

std::string lab_line(ByteView bits, std::string_view outcome) {
  return to_hex(bits) + " " + std::string(outcome) + "\n";
}

}  // namespace talla::certs
