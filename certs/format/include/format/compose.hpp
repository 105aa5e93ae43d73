/// \file
/// Bodies written straight from typed values, without a JSON value in between.
///
/// `compose` checks what the type leaves open (lengths, ranges, words, ids), so that a composed
/// body is one that `check_body` accepts, and its text is `json::canonical(to_json())`, byte for
/// byte; both follow from one description of the body, and a property test compares them.
/// Errors:  FormatErrc::malformed_body, malformed_context, malformed_specification.
/// Threads: plain data and pure functions.
#pragma once

#include <string>

#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/record.hpp"

namespace talla::certs {

/// The canonical text of a body of this kind. Only `compose` makes one.
class ComposedBody {
 public:
  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  template <class Body>
  friend Result<ComposedBody> compose(const Body& body);
  ComposedBody(Kind kind, std::string text) : kind_(kind), text_(std::move(text)) {}
  Kind kind_;
  std::string text_;
};

/// For the typed body of each kind.
template <class Body>  // NOLINTNEXTLINE(readability-redundant-declaration): a friend above
[[nodiscard]] Result<ComposedBody> compose(const Body& body);

/// As `write_record`, with this body in the place of `record.body`, which is not looked at. The
/// kinds must agree.
[[nodiscard]] Result<std::string> write_record(const Record& record, const ComposedBody& body);

}  // namespace talla::certs
