/// \file
/// One who puts numbers of its own into the calls of a guest's table: a seat with the table's link,
/// or an enrolled partner. It hands in commitments ahead and opens behind each call that names it;
/// now and then it opens nothing, lies first, or comes back with another key. Requests and replies
/// may be lost: it asks again until it is answered.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/request.hpp"
#include "format/call.hpp"
#include "random.hpp"
#include "verify/call_key.hpp"

namespace talla::sim {

/// Where it sits.
struct SeatPlace {
  std::string table;
  Digest opening{};         ///< leaf hash of TABLE_OPEN
  std::int64_t number = 0;  ///< of the seat; 0: a partner, by its certificate
};

/// A call has ended: whether the evidence must hold its number, or must not.
struct Contributed {
  std::uint64_t seq = 0;  ///< of the record that ended the call
  Digest key{};           ///< SHA-256 of the key that was named
  bool in = false;
};

/// What it did, so that a test can see that it was about something.
struct SeatCounts {
  std::uint64_t opened = 0, kept_back = 0, lies = 0, keys = 0;
};

class Seat {
 public:
  Seat(SeatPlace place, Random& random);

  [[nodiscard]] const std::string& id() const { return id_; }
  /// The body of the request by which the table lets it in; nothing for a partner.
  [[nodiscard]] std::optional<json::Object> invitation() const;
  /// The table has let it in.
  void let_in() { inside_ = true; }
  [[nodiscard]] bool is_inside() const { return inside_; }

  /// What it asks now, the same until `answered`; nothing: it waits for a call.
  [[nodiscard]] const core::Request* asks();
  /// The reply to that. Throws Failure at one that the rules of the API do not allow.
  void answered(const core::Reply& reply);

  /// The table has called with this core, under this record.
  void called(std::uint64_t seq, const json::Value& core);
  /// That call has ended as its view says. Throws Failure where an opening was acknowledged and is
  /// called missing.
  [[nodiscard]] Contributed ended(const json::Value& view);
  [[nodiscard]] const SeatCounts& counts() const { return counts_; }

 private:
  enum class Asked { nothing, commit, open, lie };
  struct Named {
    std::uint64_t seq = 0;
    Digest digest{};  // of the core
    std::uint32_t t = 0;
    bool keeps_back = false;
    bool lies = false;
    bool opened = false;  // and it was acknowledged
    bool refused = false;
  };
  void new_key();
  void commit();
  void open();
  void lie();
  void post(std::string path, json::Object body, Asked what);
  void refused(const json::Value& problem);
  [[nodiscard]] Digest value(std::uint32_t t) const;
  [[nodiscard]] json::Object opening(std::uint32_t t, const Digest& value) const;
  [[nodiscard]] core::Client client() const;

  SeatPlace place_;
  Random* random_;
  std::string id_;
  std::string token_;
  bool inside_ = false;
  std::shared_ptr<const certs::CallKey> key_;
  Digest seed_{};
  std::uint32_t next_ = 1;   // t of the first that is not handed in
  std::uint32_t spent_ = 0;  // t of the last core that named it
  std::optional<Named> named_;
  Asked what_ = Asked::nothing;
  std::optional<core::Request> asked_;
  SeatCounts counts_;
};

}  // namespace talla::sim
