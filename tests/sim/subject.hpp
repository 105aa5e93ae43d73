/// \file
/// One table under test: the driver, seen through a narrow door. The simulator speaks to nothing
/// else, so that a test can put a broken table behind the door and see that it is caught.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "games/driver.hpp"

namespace talla::sim {

/// What a table was like before an event that may be refused.
struct Memory {
  std::optional<games::State> held;  ///< shared, so that nothing can change it in place
  std::string text;                  ///< its canonical text; empty: not written
  std::optional<games::ShoeAccount> shoe;
};

class Subject {
 public:
  explicit Subject(games::Driver driver) : driver_(std::move(driver)) {}
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] virtual Status apply(const games::Event& event) {
    const auto* before = &driver_.state().data();
    auto status = driver_.apply(event);
    if (status) copies_ = before != &driver_.state().data();
    return status;
  }
  [[nodiscard]] virtual Status advance(games::CardSource& cards, games::DrawSource& draws) {
    return driver_.advance(cards, draws);
  }
  /// Whether the event would be accepted now; changes nothing.
  [[nodiscard]] virtual Status probe(const games::Event& event) const {
    games::Driver copy = driver_;
    return copy.apply(event);
  }
  [[nodiscard]] virtual games::Needs needs() const { return driver_.needs(); }
  [[nodiscard]] virtual json::Value state() const { return driver_.state().to_json(); }
  [[nodiscard]] virtual json::Value view(const games::Viewer& viewer) const {
    return driver_.view(viewer);
  }
  [[nodiscard]] virtual json::Value carried() const { return driver_.carried(); }
  [[nodiscard]] virtual std::vector<games::Meter> meters() const {
    return table().engine().meters(table(), driver_.state());
  }
  [[nodiscard]] virtual std::vector<games::Event> take_events() { return driver_.take_events(); }
  [[nodiscard]] virtual std::vector<games::Settlement> take_settlements() {
    return driver_.take_settlements();
  }

  [[nodiscard]] std::string canonical() const { return json::canonical(state()); }

  /// Whether an accepted event has put a new value in the place of the old one. Such a table's
  /// states are values that nobody changes: the same object is the same state. (Others are changed
  /// in place while nobody shares them.)
  [[nodiscard]] bool copies() const { return copies_; }
  /// `with_text`: the text is written whether or not the table copies.
  [[nodiscard]] Memory remember(bool with_text) const {
    Memory out{std::nullopt, {}, driver_.shoe()};
    if (copies_) out.held = driver_.state();
    if (with_text) out.text = canonical();
    return out;
  }
  /// Nothing has changed since; compares what was remembered.
  [[nodiscard]] bool is_still(const Memory& memory) const {
    return (!memory.held || &memory.held->data() == &driver_.state().data()) &&
           (memory.text.empty() || canonical() == memory.text) && driver_.shoe() == memory.shoe;
  }
  [[nodiscard]] const games::Table& table() const { return driver_.table(); }
  [[nodiscard]] const std::optional<games::ShoeAccount>& shoe() const { return driver_.shoe(); }

 protected:
  games::Driver driver_;  // NOLINT: broken tables reach it

 private:
  bool copies_ = false;
};

/// Puts a table behind the door.
using Maker = std::function<std::unique_ptr<Subject>(games::Driver)>;

}  // namespace talla::sim
