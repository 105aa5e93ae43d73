#include "monitor/outcome_reader.hpp"

#include <algorithm>
#include <charconv>

#include "base/json.hpp"
#include "format/body_shoe.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shoe.hpp"
#include "stats/monitor/streams.hpp"

namespace talla::rngd {
namespace {

namespace mon = stats::monitor;
using certs::Kind;

constexpr std::size_t throws_max = 1296;
constexpr std::size_t alphabet_max = 4096;
constexpr std::uint32_t lot_parts = 64;
constexpr std::size_t calls_max = 100'000;

/// The text of a member of a canonical record, wherever it stands: a quote inside a string is
/// escaped, so that no string can hold it.
std::string_view member_text(std::string_view record, std::string_view name) {
  const std::string key = "\"" + std::string(name) + "\":";
  const auto at = record.find(key);
  if (at == std::string_view::npos) return {};
  record.remove_prefix(at + key.size());
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < record.size(); ++i) {
    const char c = record[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
      continue;
    }
    if (c == '"') quoted = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth < 0 || (depth == 0 && c == ',')) return record.substr(0, i);
  }
  return {};
}

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end.ec != std::errc{} || end.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<certs::DrawSpecification> specification_of(std::string_view record) {
  const auto value = json::parse(member_text(record, "specification"));
  if (!value) return std::nullopt;
  auto specification = certs::specification_from_json(*value);
  if (!specification) return std::nullopt;
  return *specification;
}

std::size_t throws_of(std::uint32_t count, std::uint32_t faces) {
  std::size_t throws = 1;
  for (std::uint32_t i = 0; i < count && throws <= throws_max; ++i) throws *= faces;
  return throws;
}

/// Kinds of a deck in the order of a new one, with their copies.
struct Kinds {
  std::map<shuffle::Card, std::uint16_t> index;
  std::vector<std::uint32_t> copies;
};
Kinds kinds_of(const shuffle::DeckSpec& deck) {
  Kinds kinds;
  for (const shuffle::Card card : deck.cards()) {
    const auto [at, fresh] =
        kinds.index.emplace(card, static_cast<std::uint16_t>(kinds.copies.size()));
    if (fresh) kinds.copies.push_back(0);
    ++kinds.copies[at->second];
  }
  return kinds;
}

std::unique_ptr<mon::Group> make_dice(std::string_view text) {
  const auto cross = text.find('x');
  if (cross == std::string_view::npos) return nullptr;
  const auto count = number(text.substr(0, cross));
  const auto faces = number(text.substr(cross + 1));
  if (!count || !faces || *count < 1 || *count > 8 || *faces < 2 || *faces > 100) return nullptr;
  const auto throws = throws_of(*count, *faces);
  return throws <= throws_max ? std::make_unique<mon::Alphabet>(throws, "throws") : nullptr;
}

std::unique_ptr<mon::Group> make_shoe(std::string_view text) {
  const auto deck = shuffle::DeckSpec::parse(text);
  if (!deck) return nullptr;
  auto kinds = kinds_of(*deck);
  return kinds.copies.size() >= 2 ? std::make_unique<mon::Shoe>(std::move(kinds.copies)) : nullptr;
}

/// The order that the appliance committed to, which a public shoe's close opens. The order dealt
/// has the table's number in it too, and would hide a generator that repeats itself.
std::vector<shuffle::Card> committed_order(const shuffle::DeckSpec& deck,
                                           const certs::ShoeDisclosure& opened) {
  auto tape = shuffle::Tape::borrowed(opened.tape);
  const auto order = shuffle::shuffle_shoe(tape, deck);
  if (!order) return {};
  return {order->begin(), order->end()};
}

/// Cards dealt open from the first position on, up to the first that was not.
std::vector<shuffle::Card> open_beginning(const std::vector<certs::LedgerRecord>& chain) {
  std::vector<shuffle::Card> dealt;
  for (const auto& one : chain) {
    if (one.kind != Kind::card_deal) continue;
    const auto record = certs::parse_record(one.bytes);
    const auto body = record ? certs::CardDealBody::from_json(record->body)
                             : Result<certs::CardDealBody>(certs::CardDealBody{});
    if (!record || !body || body->position != dealt.size() || !body->opening) break;
    const auto card = shuffle::Card::parse(body->opening->card);
    if (!card) break;
    dealt.push_back(*card);
  }
  return dealt;
}

}  // namespace

std::unique_ptr<mon::Group> OutcomeReader::make(const std::string& key) {
  const auto dash = key.find('-');
  if (dash == std::string::npos) return nullptr;
  const std::string_view name = std::string_view(key).substr(0, dash);
  const std::string_view rest = std::string_view(key).substr(dash + 1);
  if (name == "shoe") return make_shoe(rest);
  if (name == "dice") return make_dice(rest);
  const auto size = number(rest);
  if (!size || *size < 2) return nullptr;
  if (name == "wheel" && *size <= alphabet_max)
    return std::make_unique<mon::Alphabet>(*size, "numbers");
  if (name == "die" && *size <= 100) return std::make_unique<mon::Alphabet>(*size, "dice");
  if (name == "lots")
    return std::make_unique<mon::Alphabet>(*size <= alphabet_max ? *size : lot_parts, "lots");
  return nullptr;
}

void OutcomeReader::symbol(const std::string& key, std::size_t symbol) {
  auto* group = dynamic_cast<mon::Alphabet*>(board_.group(key, now_us_));
  if (group == nullptr || symbol >= group->size()) {
    ++unwatched_;
    return;
  }
  group->observe(symbol);
  board_.look(*group, *found_);
}

void OutcomeReader::see_dice(const certs::DiceDraw& dice,
                             const std::vector<std::uint32_t>& values) {
  std::size_t whole = 0;
  for (const std::uint32_t value : values) {
    symbol("die-" + std::to_string(dice.faces), value - 1);
    whole = whole * dice.faces + (value - 1);
  }
  if (values.size() < 2 || throws_of(dice.count, dice.faces) > throws_max) return;
  symbol("dice-" + std::to_string(dice.count) + "x" + std::to_string(dice.faces), whole);
}

void OutcomeReader::see_lot(std::uint32_t bound, std::uint32_t value) {
  const std::uint32_t part = bound <= alphabet_max ? 1 : bound / lot_parts;
  // Values beyond the equal parts tell nothing; the others are equally likely still.
  if (bound > alphabet_max && value / part >= lot_parts) return;
  symbol("lots-" + std::to_string(bound), value / part);
}

void OutcomeReader::see(const certs::DrawSpecification& specification,
                        const certs::Outcome& outcome) {
  const auto& values = outcome.values;
  if (const auto* wheel = std::get_if<certs::WheelDraw>(&specification);
      wheel != nullptr && values.size() == 1) {
    return symbol("wheel-" + std::to_string(wheel->pockets), values[0]);
  }
  if (const auto* dice = std::get_if<certs::DiceDraw>(&specification)) {
    const bool fits =
        values.size() == dice->count && std::ranges::all_of(values, [dice](std::uint32_t value) {
          return value >= 1 && value <= dice->faces;
        });
    if (fits) return see_dice(*dice, values);
  }
  if (const auto* lots = std::get_if<certs::LotsDraw>(&specification);
      lots != nullptr && values.size() == lots->bounds.size()) {
    for (std::size_t i = 0; i < values.size(); ++i) see_lot(lots->bounds[i], values[i]);
    return;
  }
  ++unwatched_;
}

void OutcomeReader::draw(const certs::LedgerRecord& record) {
  const auto call = json::parse("[" + std::string(member_text(record.bytes, "call")) + "]");
  const auto value = json::parse(member_text(record.bytes, "outcome"));
  const auto outcome =
      value ? certs::outcome_from_json(*value) : Result<certs::Outcome>(certs::Outcome{});
  if (!call || call->array().size() != 1 || !call->array()[0].is_integer() || !value || !outcome) {
    ++unwatched_;
    return;
  }
  const auto seq = static_cast<std::uint64_t>(call->array()[0].integer());
  auto known = calls_.extract(seq);
  if (!known.empty()) return see(known.mapped(), *outcome);
  const auto stored = ledger_.record(seq);  // committed before this reader began
  const auto specification = stored ? specification_of(stored->bytes) : std::nullopt;
  if (!specification) {
    ++unwatched_;
    return;
  }
  see(*specification, *outcome);
}

void OutcomeReader::shoe(const certs::LedgerRecord& record) {
  const auto chain = ledger_.chain(record.object);
  if (!chain || chain->empty() || chain->front().kind != Kind::shoe_commit) return;
  if (std::ranges::any_of(*chain,
                          [](const auto& one) { return one.kind == Kind::shoe_recommit; })) {
    ++unwatched_;
    return;
  }
  const auto opening = certs::parse_record(chain->front().bytes);
  const auto closing = certs::parse_record(record.bytes);
  if (!opening || !closing) return;
  const auto commit = certs::ShoeCommitBody::from_json(opening->body);
  const auto close = certs::ShoeCloseBody::from_json(closing->body);
  const auto deck = commit ? shuffle::DeckSpec::parse(commit->deck)
                           : Result<shuffle::DeckSpec>(shuffle::DeckSpec::french(1));
  if (!commit || !close || !deck) return;
  const auto cards =
      close->disclosure ? committed_order(*deck, *close->disclosure) : open_beginning(*chain);
  if (cards.empty()) return;
  const auto kinds = kinds_of(*deck);
  std::vector<std::uint16_t> dealt;
  for (const shuffle::Card card : cards) {
    const auto found = kinds.index.find(card);
    dealt.push_back(found == kinds.index.end() ? UINT16_MAX : found->second);
  }
  auto* group = dynamic_cast<mon::Shoe*>(board_.group("shoe-" + commit->deck, now_us_));
  if (group == nullptr || !group->observe(dealt)) {
    ++unwatched_;
    return;
  }
  board_.look(*group, *found_);
}

void OutcomeReader::read(const certs::LedgerRecord& record, std::int64_t now_us,
                         std::vector<mon::Finding>& found) {
  now_us_ = now_us;
  found_ = &found;
  if (record.kind == Kind::call) {
    if (calls_.size() >= calls_max) calls_.clear();
    if (auto specification = specification_of(record.bytes))
      calls_.emplace(record.seq, std::move(*specification));
  } else if (record.kind == Kind::draw) {
    draw(record);
  } else if (record.kind == Kind::void_call) {
    calls_.erase(calls_.begin(),
                 calls_.end());  // rare; what is still open is read again from the ledger
  } else if (record.kind == Kind::shoe_close) {
    shoe(record);
  }
  found_ = nullptr;
}

}  // namespace talla::rngd
