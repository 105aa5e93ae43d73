/// \file
/// The description of `context` (FORMAT.md section 2). Private to certs_format.
#pragma once

#include "format/context.hpp"
#include "member_types.hpp"

namespace talla::certs {

template <>
struct Description<SourceUse> {
  static constexpr std::string_view name = "context.sources[]";
  static constexpr FormatErrc errc = FormatErrc::malformed_context;
  static constexpr When<SourceUse> documented{
      [](const SourceUse& source) { return source.documented(); },
      "with `assessment` `unit` or `type`"};
  static constexpr std::tuple rows{
      must<&SourceUse::model>("model", filled_text, "driver's name for the model"),
      must<&SourceUse::source_class>(
          "class", one_of("raw_physical", "conditioned_physical", "system", "rdseed", "lab"),
          "what kind of noise it gives"),
      must<&SourceUse::millibits>(
          "millibits", count_type,
          "assessed min-entropy of a sample in 1/1000 bit; 0: not credited"),
      must<&SourceUse::verdict>("verdict", one_of("healthy", "startup", "alarm", "not_tested"),
                                "of the health tests"),
      may<&SourceUse::assessment>(
          "assessment", one_of("assumed", "stated", "unit", "type"),
          "where `millibits` comes from: the house's figure for the model, the site's without a "
          "document, a report on this unit, a type certification that names its serial number; at "
          "its start the appliance had the document and held the digest against it, and what a "
          "report says against `model`, `serial` and `millibits`"),
      only<&SourceUse::assessment_digest>(documented, "assessment_digest", digest_type,
                                          "SHA-256 of the document's bytes"),
      may<&SourceUse::serial>("serial", filled_text, "serial number of the device")};
  static constexpr NoRules<SourceUse> rules{};
};

template <>
struct Description<Context> {
  static constexpr std::string_view name = "context";
  static constexpr FormatErrc errc = FormatErrc::malformed_context;
  static constexpr std::tuple rows{
      must<&Context::catalogue>("catalogue", digest_type, "catalogue digest, that of the table"),
      must<&Context::game>("game", any_text, "that of the table"),
      must<&Context::variant>("variant", any_text, "that of the table"),
      must<&Context::parameters>("parameters", digest_type, "parameters digest, that of the table"),
      must<&Context::mapping>("mapping", one_of("talla-map-v1"), "from words to outcomes"),
      must<&Context::construction>("construction", one_of("rbg3-xor", "system"),
                                   "how the generator is built"),
      must<&Context::uncertified>("uncertified", FlagType{}, "no certified source fed it"),
      must<&Context::sources>("sources", ListType<SourceUse>{}, "what fed the generator"),
      must<&Context::reseeds>("reseeds", count_type, "reseed counter of the generator"),
      must<&Context::generates>("generates", count_type, "generate counter of the generator"),
      must<&Context::software>("software", digest_type, "SHA-256 of the program file"),
      must<&Context::config>("config", digest_type, "SHA-256 of the configuration file"),
      must<&Context::rollback_protection>("rollback_protection",
                                          one_of("local", "tpm", "hsm", "witness"),
                                          "what remembers the log's size outside the ledger"),
      must<&Context::anchor_lag>("anchor_lag", count_type, "records since the last anchor"),
      must<&Context::sealing>(
          "sealing", one_of("file", "credential", "tpm", "hsm", "passphrase"),
          "where the sealing key comes from; `credential`: from the service manager, whose file "
          "says that a TPM 2 opened it, which the appliance did not see; `tpm`: a TPM 2 unsealed "
          "it for the appliance itself")};
  static constexpr std::array<Rule<Context>, 1> rules{
      {{"uncertified",
        [](const Context& context) { return context.uncertified || context.may_be_certified(); },
        "is false only with construction `rbg3-xor`, a source of class `raw_physical` with "
        "`millibits` above 0 and verdict `healthy` or `startup`, and without `assessment` "
        "`assumed` or `stated` of any source of such a class and figure"}}};
};

/// The context of a commitment or draw; the page lists its members once.
inline constexpr NestedType<Context> context_type{.listed = false, .said = "object, section 2"};

}  // namespace talla::certs
