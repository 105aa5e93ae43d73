/// \file
/// Types of members for draw specifications and outcomes (FORMAT.md section 8). Private to
/// certs_format.
#pragma once

#include "format/draw_format.hpp"
#include "member_types.hpp"

namespace talla::certs {

struct SpecificationType {
  [[nodiscard]] Problem read(const json::Value& value, DrawSpecification& out) const;
  [[nodiscard]] Problem check(const DrawSpecification& specification) const;
  [[nodiscard]] json::Value json(const DrawSpecification& specification) const {
    return specification_json(specification);
  }
  void write(TextWriter& out, const DrawSpecification& specification) const;
  [[nodiscard]] std::string words() const { return "draw specification, section 8"; }
};

struct OutcomeType {
  [[nodiscard]] Problem read(const json::Value& value, Outcome& out) const;
  [[nodiscard]] Problem check(const Outcome& outcome) const;
  [[nodiscard]] json::Value json(const Outcome& outcome) const { return outcome_json(outcome); }
  void write(TextWriter& out, const Outcome& outcome) const;
  [[nodiscard]] std::string words() const { return "outcome, section 8"; }
};

/// An outcome, or a word where nobody knows it.
struct OutcomeOrWord {
  static constexpr bool takes_optional = true;
  std::string_view word;
  [[nodiscard]] Problem read(const json::Value& value, std::optional<Outcome>& out) const;
  [[nodiscard]] Problem check(const std::optional<Outcome>& outcome) const;
  [[nodiscard]] json::Value json(const std::optional<Outcome>& outcome) const;
  void write(TextWriter& out, const std::optional<Outcome>& outcome) const;
  [[nodiscard]] std::string words() const;
};

}  // namespace talla::certs
