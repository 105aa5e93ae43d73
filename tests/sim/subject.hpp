/// \file
/// One table under test: the driver, seen through a narrow door. The simulator speaks to nothing else, so that a test
/// can put a broken table behind the door and see that it is caught.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "games/driver.hpp"

namespace talla::sim {

class Subject {
 public:
  explicit Subject(games::Driver driver) : driver_(std::move(driver)) {}
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] virtual Status apply(const games::Event& event) { return driver_.apply(event); }
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
  [[nodiscard]] virtual json::Value view(const games::Viewer& viewer) const { return driver_.view(viewer); }
  [[nodiscard]] virtual json::Value carried() const { return driver_.carried(); }
  [[nodiscard]] virtual std::vector<games::Meter> meters() const {
    return table().engine().meters(table(), driver_.state());
  }
  [[nodiscard]] virtual std::vector<games::Event> take_events() { return driver_.take_events(); }
  [[nodiscard]] virtual std::vector<games::Settlement> take_settlements() {
    return driver_.take_settlements();
  }

  [[nodiscard]] std::string canonical() const { return json::canonical(state()); }
  [[nodiscard]] const games::Table& table() const { return driver_.table(); }
  [[nodiscard]] const std::optional<games::ShoeAccount>& shoe() const { return driver_.shoe(); }

 protected:
  games::Driver driver_;  // NOLINT: broken tables reach it
};

/// Puts a table behind the door.
using Maker = std::function<std::unique_ptr<Subject>(games::Driver)>;

}  // namespace talla::sim
