/// \file
/// Types of members that calls have (FORMAT.md section 8). Private to certs_format.
#pragma once

#include "draw_types.hpp"
#include "format/call.hpp"
#include "format/contributor_id.hpp"

namespace talla::certs {

/// r || s in base64.
struct SignatureType {
  [[nodiscard]] Problem read(const json::Value& value, SignatureP256& out) const;
  [[nodiscard]] Problem check(const SignatureP256& /*signature*/) const { return nullptr; }
  [[nodiscard]] json::Value json(const SignatureP256& signature) const {
    return to_base64(signature);
  }
  void write(TextWriter& out, const SignatureP256& signature) const {
    out.text(to_base64(signature));
  }
  [[nodiscard]] std::string words() const { return "base64, 64 bytes"; }
};
inline constexpr SignatureType signature_type{};

/// Ids stand in the sentences of verdicts: nothing in them may read as words of the sentence.
inline constexpr TextType contributor_id =
    spelled([](std::string_view text) { return contributor_id_fits(text); },
            "text of 1 to 128 letters, digits and `:` `.` `/` `_` `-`");

/// Ids of contributors: some, ascending by their bytes.
struct IdsType {
  [[nodiscard]] Problem read(const json::Value& value, std::vector<std::string>& out) const;
  [[nodiscard]] Problem check(const std::vector<std::string>& ids) const;
  [[nodiscard]] json::Value json(const std::vector<std::string>& ids) const {
    return texts_json(ids);
  }
  void write(TextWriter& out, const std::vector<std::string>& ids) const {
    texts_type.write(out, ids);
  }
  [[nodiscard]] std::string words() const {
    return "array of ids of contributors, 1 to " + std::to_string(call_others.max) + ", ascending";
  }
};

/// What is called for: of a draw or of a mix, by its members.
struct CallSpecificationType {
  [[nodiscard]] Problem read(const json::Value& value, CallSpecification& out) const;
  [[nodiscard]] Problem check(const CallSpecification& specification) const;
  [[nodiscard]] json::Value json(const CallSpecification& specification) const;
  void write(TextWriter& out, const CallSpecification& specification) const;
  [[nodiscard]] std::string words() const {
    return "draw specification, section 8, or of a mix `candidates` (integer, " +
           bounds_text(mix_candidates) + ") and `places` (integer, " + bounds_text(shoe_cards) +
           ")";
  }
};

template <>
struct Description<CallOpening> {
  static constexpr std::string_view name = "openings[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CallOpening;
  static constexpr std::tuple rows{
      must<&B::value>("value", digest_type, "the number of that contributor"),
      must<&B::signature>("signature", signature_type, "of its key, section 8")};
  static constexpr NoRules<B> rules{};
};

template <>
struct Description<Contributor> {
  static constexpr std::string_view name = "others[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = Contributor;
  static constexpr std::tuple rows{
      must<&B::id>("id", contributor_id, "`seat-N`, or an enrolled id"),
      must<&B::key>("key", Base64Type{.filled = true}, "DER SubjectPublicKeyInfo of a P-256 key"),
      must<&B::t>("t", integer_in({1, index32.max}),
                  "counts the calls that name this key at this table"),
      must<&B::commit>("commit", digest_type, "of the number, section 8; opened behind the call")};
  static constexpr NoRules<B> rules{};
};

[[nodiscard]] bool shoe_or_batch(std::string_view id);
[[nodiscard]] bool others_fit(const CallCore& core);
[[nodiscard]] bool use_fits(const CallCore& core);
[[nodiscard]] bool index_fits(const CallCore& core);

inline constexpr auto use_type = word("mix", "draw");
inline constexpr ListType<CallOpening> openings_type{};
inline constexpr std::string_view openings_words =
    "one for each of `others` of the core, in their order";

template <>
struct Description<CallCore> {
  static constexpr std::string_view name = "core";
  static constexpr FormatErrc errc = FormatErrc::malformed_body;
  using B = CallCore;
  static constexpr std::tuple rows{
      must<&B::v>("v", integer_in({format_version, format_version}), "2"),
      must<&B::type>("type", one_of("talla-call"), "what it is"),
      must<&B::origin>("origin", filled_text, "of the log"),
      must<&B::table>("table", id_of("table"), "whose call it is"),
      must<&B::turn>("turn", integer_in({1, index32.max}), "of the table, from 1 without gaps"),
      must<&B::head>("head", digest_type,
                     "head (section 2) of a record of the table that CALL cites"),
      must<&B::use>("use", use_type, "what it is for"),
      must<&B::object>("object", spelled(shoe_or_batch, "id of a shoe or batch"),
                       "the shoe that is mixed, the batch that is drawn from"),
      must<&B::root>("root", digest_type, "of the batch, or the newest of the shoe"),
      must<&B::at>("at", integer_in(shoe_positions),
                   "draw: index of the secret, the next one; mix: cards dealt under this root"),
      must<&B::round>("round", IdType{.of = "round", .or_zero = true}, "that it is for; `0`: none"),
      must<&B::bets>("bets", digest_type, "bets digest"),
      must<&B::specification>("specification", CallSpecificationType{}, "what is called for"),
      must<&B::game>("game", any_text, "that of the table"),
      must<&B::variant>("variant", any_text, "that of the table"),
      must<&B::catalogue>("catalogue", digest_type, "catalogue digest, that of the table"),
      must<&B::parameters>("parameters", digest_type, "parameters digest, that of the table"),
      must<&B::value>("value", digest_type, "the table's number for this turn"),
      must<&B::others>("others", ListType<Contributor>{}, "further contributors, section 8")};
  static constexpr std::array<Rule<B>, 4> rules{
      {{"object", use_fits, "is a shoe for a mix and a batch for a draw"},
       {"specification",
        [](const B& core) {
          return std::holds_alternative<DrawSpecification>(core.specification) ==
                 (core.use == CallUse::draw);
        },
        "is that of a draw or of a mix, as `use` says"},
       {"at", index_fits, "is an index of a batch for a draw"},
       {"others", others_fit, "are at most 64"}}};
};

}  // namespace talla::certs
