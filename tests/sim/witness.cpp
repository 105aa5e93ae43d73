#include "witness.hpp"

#include <algorithm>

#include "failure.hpp"
#include "people.hpp"
#include "support/openssl_hashes.hpp"

namespace talla::sim {
namespace {

using namespace games;  // NOLINT: the simulator's words are theirs

json::Value reread(const json::Value& value) {
  auto parsed = json::parse_canonical(json::canonical(value));
  require(parsed.has_value(), "a state or event is no canonical JSON");
  return *parsed;
}

Event reread(const Event& event) {
  auto parsed = event_from_json(reread(to_json(event)));
  require(parsed.has_value() && *parsed == event,
          [&] { return "an event does not survive its JSON: " + text_of(event); });
  return *parsed;
}

std::unique_ptr<Subject> restored(const Table& table, const Maker& maker, const json::Value& state,
                                  const std::optional<ShoeAccount>& shoe) {
  auto copy = table.engine().restore(table, state);
  require(copy.has_value(), [&] {
    return "a state is not restored: " + (copy ? std::string() : copy.error().text()) + " " +
           json::canonical(state);
  });
  return maker(Driver(table, *std::move(copy), shoe));
}

/// Every text of a value that is the text of a card.
template <class Take>
void each_card(const json::Value& value, const Take& take) {
  constexpr std::size_t text_max = 3;  // no card has more
  if (value.is_string() && value.string().size() <= text_max) {
    if (const auto card = Card::parse(value.string())) take(*card);
  } else if (value.is_array()) {
    for (const auto& one : value.array()) each_card(one, take);
  } else if (value.is_object()) {
    for (const auto& [key, one] : value.object()) each_card(one, take);
  }
}

}  // namespace

std::vector<Viewer> viewers(const Table& table) {
  std::vector<Viewer> out{{Viewer::Kind::public_, 0}, {Viewer::Kind::inspector, 0}};
  const auto shoe = table.engine().shoe(table);
  const bool covered = shoe && shoe->covered;
  const Seat last =
      covered ? std::max({Seat{3}, table.rules().seats_max, table.rules().boxes_max}) : Seat{3};
  for (Seat seat = 1; seat <= last; ++seat) out.push_back({Viewer::Kind::seat, seat});
  return out;
}

Shadow::Shadow(const Table& table, const Maker& maker) : table_(&table), maker_(&maker) {
  auto driver = Driver::start(table);
  require(driver.has_value(), "a table does not start");
  subject_ = maker(*std::move(driver));
}

void Shadow::follow(const std::vector<Event>& events, const std::vector<Settlement>& settlements,
                    const Subject& subject, bool through_json) {
  std::vector<Settlement> own;
  for (const auto& event : events) {
    if (through_json) {
      if (!state_) state_ = subject_->state();
      auto next = restored(*table_, *maker_, reread(*state_), subject_->shoe());
      require(next->state() == *state_,
              [&] { return "a restored state is another state: " + json::canonical(*state_); });
      subject_ = std::move(next);
    }
    state_.reset();
    const auto status = subject_->apply(through_json ? reread(event) : event);
    require(status.has_value(), [&] {
      return "a restored table refuses " + text_of(event) + ": " +
             (status ? std::string() : status.error().text());
    });
    for (auto& one : subject_->take_settlements()) own.push_back(std::move(one));
  }
  require(own == settlements, "a restored table settles otherwise");
  require(subject_->shoe() == subject.shoe(), "a restored table counts its shoe otherwise");
  static_cast<void>(subject_->take_events());
  if (!through_json) return;
  state_ = subject_->state();
  require(*state_ == subject.state(), [&] {
    return "a restored table goes another way: " + subject_->canonical() + " instead of " +
           subject.canonical();
  });
}

Heir::Heir(const Subject& subject, const Maker& maker) {
  const auto& table = subject.table();
  const auto carried = reread(subject.carried());
  auto state = table.engine().resume(table, carried);
  require(state.has_value(), [&] {
    return "a round does not resume from " + json::canonical(carried) + ": " +
           (state ? std::string() : state.error().text());
  });
  subject_ = maker(Driver(table, *std::move(state), subject.shoe()));
  require(subject_->carried() == carried, [&] {
    return "a resumed round carries something else: " + json::canonical(subject_->carried()) +
           " instead of " + json::canonical(carried);
  });
}

bool Heir::follow(const std::vector<Event>& events, const Subject& subject) {
  for (const auto& event : events) {
    const auto status = subject_->apply(event);
    require(status.has_value(), [&] {
      return "a resumed table refuses " + text_of(event) + ": " +
             (status ? std::string() : status.error().text());
    });
  }
  if (find_need<Settled>(subject.needs()) != nullptr) return true;
  require(subject_->state() == subject.state(), [&] {
    return "something beside `carried` outlives the round: " + subject_->canonical() +
           " instead of " + subject.canonical();
  });
  return false;
}

std::vector<json::Value> views_of(const Subject& subject) {
  std::vector<json::Value> out;
  for (const auto& viewer : viewers(subject.table())) out.push_back(subject.view(viewer));
  return out;
}

void check_view(const Subject& subject, const Source& source, const Viewer& viewer) {
  if (!subject.shoe()) return;
  const auto view = subject.view(viewer);
  each_card(view, [&](Card card) {
    require(source.seen(card), [&] {
      return "a view names " + card.text() + ", which nobody has seen: " + json::canonical(view);
    });
  });
}

void rerun_permuted(const Passage& passage, const Table& table, const Maker& maker,
                    Random& random) {
  Source source(with_hidden_permuted(passage.script, random));
  auto subject = restored(table, maker, passage.start, passage.shoe);
  for (const auto& step : passage.steps) {
    source.allow_one();
    const auto status = step ? subject->apply(*step) : subject->advance(source, source);
    require(status.has_value(), [&] {
      return "with the hidden cards permuted a step is refused: " +
             (status ? std::string() : status.error().text());
    });
  }
  require(subject->canonical() == passage.state, [&] {
    return "the state depends on hidden cards: " + subject->canonical() + " instead of " +
           passage.state;
  });
  require(views_of(*subject) == passage.views, "a view depends on hidden cards");
}

void replay_all(const Table& table, const Maker& maker, const std::vector<std::string>& events,
                const std::vector<Settlement>& settlements, const Subject& subject) {
  auto driver = Driver::start(table);
  require(driver.has_value(), "a table does not start");
  const auto again = maker(*std::move(driver));
  for (const auto& text : events) {
    const auto value = json::parse_canonical(text);
    require(value.has_value(), [&] { return "an event is no canonical JSON: " + text; });
    const auto event = event_from_json(*value);
    require(event.has_value(), [&] { return "an event is not read back: " + text; });
    require(again->apply(*event).has_value(), [&] { return "a replay refuses " + text; });
  }
  const test::OpenSslHashes hash;
  const auto digest = [&](const Subject& one) { return hash.sha256({as_bytes(one.canonical())}); };
  require(again->take_settlements() == settlements, "a replay settles otherwise");
  require(digest(*again) == digest(subject), "a replay ends in another state");
}

}  // namespace talla::sim
