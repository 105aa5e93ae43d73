/// \file
/// Types of members that tables, rounds and meters share. Private to certs_format.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "describe.hpp"
#include "format/body_end.hpp"
#include "games/event.hpp"
#include "member_types.hpp"

namespace talla::certs {

[[nodiscard]] bool fraction_in_lowest_terms(std::string_view text);
inline constexpr TextType fraction_text =
    spelled(fraction_in_lowest_terms, "text `n` or `n/d` in lowest terms, positive");

/// The lasting name of a table in the house.
inline constexpr TextType place_text =
    spelled([](std::string_view text) { return place_name_length.holds_count(text.size()); },
            "text of 1 to 64 characters");

/// The running counts of a place.
inline constexpr std::tuple place_counts_rows{
    must<&PlaceCounts::turns>("turns", count_type, "section 2, running counts"),
    must<&PlaceCounts::voids>("voids", count_type, "section 2, running counts"),
    must<&PlaceCounts::early_closes>("early_closes", count_type, "section 2, running counts")};

/// The game's words for the meters that a table shares, and their ids.
struct MetersType {
  using Meters = std::map<std::string, std::string>;
  [[nodiscard]] Problem read(const json::Value& value, Meters& out) const;
  [[nodiscard]] Problem check(const Meters& meters) const;
  [[nodiscard]] json::Value json(const Meters& meters) const;
  void write(TextWriter& out, const Meters& meters) const;
  [[nodiscard]] std::string words() const { return "object of ids of meters, not empty"; }
};

/// Public keys, DER in base64, ascending by their bytes.
struct KeysType {
  using Keys = std::vector<Bytes>;
  [[nodiscard]] Problem read(const json::Value& value, Keys& out) const;
  [[nodiscard]] Problem check(const Keys& keys) const;
  [[nodiscard]] json::Value json(const Keys& keys) const;
  void write(TextWriter& out, const Keys& keys) const { out.raw(json::canonical(json(keys))); }
  [[nodiscard]] std::string words() const {
    return "array of base64, at most " + std::to_string(call_others.max) + ", ascending by bytes";
  }
};

/// Certificates, DER in base64.
struct ChainType {
  using Chain = std::vector<Bytes>;
  [[nodiscard]] Problem read(const json::Value& value, Chain& out) const;
  [[nodiscard]] Problem check(const Chain& chain) const;
  [[nodiscard]] json::Value json(const Chain& chain) const;
  void write(TextWriter& out, const Chain& chain) const { out.raw(json::canonical(json(chain))); }
  [[nodiscard]] std::string words() const {
    return "array of base64, " + bounds_text(chain_certificates) + " DER certificates";
  }
};

/// The announced end of a session.
struct SessionEndType {
  [[nodiscard]] Problem read(const json::Value& value, games::LastRound& out) const;
  [[nodiscard]] Problem check(const games::LastRound& last) const;
  [[nodiscard]] json::Value json(const games::LastRound& last) const;
  void write(TextWriter& out, const games::LastRound& last) const;
  [[nodiscard]] std::string words() const {
    return "`true`, an integer, 2 to 100, or the text `shoe`";
  }
};

}  // namespace talla::certs
