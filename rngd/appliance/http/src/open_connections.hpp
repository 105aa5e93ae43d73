/// \file
/// The connections of a server that can be told to end. Private to http.
///
/// Threads: any.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace talla::http {

class Endable {
 public:
  Endable() = default;
  Endable(const Endable&) = delete;
  Endable& operator=(const Endable&) = delete;
  virtual ~Endable() = default;
  /// Now, or behind the reply that is on its way. Returns at once; any thread.
  virtual void end_soon() = 0;
};

class OpenConnections {
 public:
  void add(const std::shared_ptr<Endable>& connection) {
    const std::scoped_lock lock(mutex_);
    open_.emplace(connection.get(), connection);
  }
  /// No matter when it was never added.
  void remove(const Endable* connection) {
    const std::scoped_lock lock(mutex_);
    open_.erase(connection);
  }
  void end_all() {
    std::vector<std::shared_ptr<Endable>> alive;  // the last owner of one would remove it here
    {
      const std::scoped_lock lock(mutex_);
      alive.reserve(open_.size());
      for (const auto& [address, connection] : open_) {
        if (auto one = connection.lock()) alive.push_back(std::move(one));
      }
    }
    for (const auto& connection : alive) connection->end_soon();
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const Endable*, std::weak_ptr<Endable>> open_;  // mutex_
};

}  // namespace talla::http
