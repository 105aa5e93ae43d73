// The texts of certifications and of their withdrawal: their members, each written and read once.
#include "format/certification.hpp"

#include <algorithm>
#include <array>

#include "fields.hpp"
#include "format/bounds.hpp"
#include "format/checkpoint.hpp"
#include "format/domain.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t entries_max = 64;
constexpr std::size_t text_bytes_max = 60'000;
constexpr std::size_t word_bytes_max = 64;
constexpr std::array<std::string_view, 3> kind_names{"type", "installation", "withdrawal"};
constexpr std::array<std::string_view, 3> type_words{"talla-type-certification",
                                                     "talla-installation-certification",
                                                     "talla-certification-withdrawal"};
constexpr std::array<std::string_view, 2> mix_words{"shoe", "round"};
constexpr std::array<std::string_view, 3> reason_words{"superseded", "false", "stolen"};

std::string_view type_word(CertificationKind kind) {
  return type_words.at(static_cast<std::size_t>(kind));
}

json::Array hex_list(const std::vector<Digest>& digests) {
  json::Array out;
  for (const Digest& digest : digests) out.emplace_back(to_hex(digest));
  return out;
}

json::Object head_json(CertificationKind kind, const CertificationHead& head) {
  return {{"issuer", head.issuer},
          {"made", head.made_us},
          {"number", head.number},
          {"type", type_word(kind)},
          {"v", format_version}};
}

void add_term(json::Object& out, const CertificationTerm& term) {
  out.emplace("from", term.from_us);
  out.emplace("until", term.until_us);
}

template <class T>
bool rising(const std::vector<T>& values) {
  return std::adjacent_find(values.begin(), values.end(),
                            [](const T& a, const T& b) { return !(a < b); }) == values.end();
}

/// Digests in hex, ascending, each once; `least` to 64.
std::vector<Digest> digests_in(Fields& in, std::string_view key, std::size_t least) {
  std::vector<Digest> out;
  const json::Array* entries = in.array(key);
  if (entries == nullptr) return out;
  for (const json::Value& entry : *entries) {
    const auto digest =
        entry.is_string() ? digest_from_hex(entry.string()) : Result<Digest>(Digest{});
    in.require(entry.is_string() && digest.has_value(), key, "64 digits of hex are expected");
    if (digest) out.push_back(*digest);
  }
  in.require(out.size() >= least && out.size() <= entries_max && rising(out), key,
             std::to_string(least) + " to 64 digests are expected, ascending, each once");
  return out;
}

std::vector<std::string> words_in(Fields& in, std::string_view key) {
  auto words = in.texts(key);
  in.require(!words.empty() && words.size() <= entries_max && rising(words), key,
             "1 to 64 texts are expected, ascending, each once");
  return words;
}

CertificationHead head_in(Fields& in, CertificationKind kind) {
  CertificationHead head;
  in.require(in.integer("v", {format_version, format_version}) == format_version, "v", "must be 2");
  in.require(in.text("type") == type_word(kind), "type",
             "must be `" + std::string(type_word(kind)) + "`");
  head.issuer = in.text("issuer");
  in.require(issuer_valid(head.issuer), "issuer", "1 to 64 characters a-z 0-9 . - are expected");
  head.number = in.text("number");
  in.require(certification_number_valid(head.number), "number",
             "1 to 64 printable ASCII characters are expected");
  head.made_us = in.integer("made", natural);
  return head;
}

CertificationTerm term_in(Fields& in) {
  CertificationTerm term;
  term.from_us = in.integer("from", natural);
  term.until_us = in.integer("until", natural);
  in.require(term.from_us < term.until_us, "until", "is not behind `from`");
  return term;
}

Result<CertifiedSource> source_from(const json::Value& value) {
  Fields in(value, "sources[]", FormatErrc::malformed_certification);
  CertifiedSource out;
  out.model = in.filled_text("model");
  out.source_class = in.text("class");
  in.require(out.source_class == "raw_physical" || out.source_class == "conditioned_physical",
             "class", "must be `raw_physical` or `conditioned_physical`");
  out.millibits = in.integer("millibits", natural);
  in.require(out.millibits > 0, "millibits", "must be above 0");
  out.assessments = digests_in(in, "assessments", 0);
  return in.finish(std::move(out));
}

Result<CertifiedFloor> floor_from(const json::Value& value) {
  Fields in(value, "policy", FormatErrc::malformed_certification);
  CertifiedFloor out;
  out.mix = static_cast<MixRule>(in.word("mix", {mix_words.at(0), mix_words.at(1)}));
  out.candidates = static_cast<std::uint32_t>(in.integer("candidates", mix_candidates));
  return in.finish(std::move(out));
}

Result<json::Value> value_of(std::string_view text) {
  if (text.size() > text_bytes_max)
    return fail(FormatErrc::malformed_certification, "certification: above 60,000 bytes");
  auto value = json::parse_canonical(text);
  if (!value)
    return fail(FormatErrc::malformed_certification, "certification: " + value.error().detail);
  return std::move(*value);
}

bool within(const std::vector<Digest>& some, const std::vector<Digest>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

Status check_text(std::string_view text) {
  TALLA_TRY(const CertificationKind kind, certification_kind_of(text));
  switch (kind) {
    case CertificationKind::type: {
      TALLA_TRY([[maybe_unused]] const auto read, parse_type_certification(text));
      return {};
    }
    case CertificationKind::installation: {
      TALLA_TRY([[maybe_unused]] const auto read, parse_installation_certification(text));
      return {};
    }
    case CertificationKind::withdrawal:
      break;
  }
  TALLA_TRY([[maybe_unused]] const auto read, parse_certification_withdrawal(text));
  return {};
}

}  // namespace

std::string_view certification_kind_name(CertificationKind kind) {
  return kind_names.at(static_cast<std::size_t>(kind));
}

std::string_view withdrawal_reason_name(WithdrawalReason reason) {
  return reason_words.at(static_cast<std::size_t>(reason));
}

bool issuer_valid(std::string_view issuer) {
  return !issuer.empty() && issuer.size() <= word_bytes_max &&
         std::ranges::all_of(issuer, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
         });
}

bool certification_number_valid(std::string_view number) {
  return !number.empty() && number.size() <= word_bytes_max &&
         std::ranges::all_of(number, [](char c) { return c >= ' ' && c <= '~'; });
}

std::string format_certification(const TypeCertification& text) {
  json::Object out = head_json(CertificationKind::type, text.head);
  add_term(out, text.term);
  json::Array formats;
  for (const std::int64_t version : text.formats) formats.emplace_back(version);
  json::Array sources;
  for (const CertifiedSource& source : text.sources) {
    sources.emplace_back(json::Object{{"assessments", hex_list(source.assessments)},
                                      {"class", source.source_class},
                                      {"millibits", source.millibits},
                                      {"model", source.model}});
  }
  out.emplace("manifests", hex_list(text.manifests));
  out.emplace("formats", std::move(formats));
  out.emplace("mappings", texts_json(text.mappings));
  out.emplace("catalogues", hex_list(text.catalogues));
  out.emplace("sources", std::move(sources));
  out.emplace("rollback", texts_json(text.rollback));
  out.emplace("sealing", texts_json(text.sealing));
  out.emplace("policy",
              json::Object{{"candidates", text.policy.candidates},
                           {"mix", mix_words.at(static_cast<std::size_t>(text.policy.mix))}});
  return json::canonical(json::Value(std::move(out)));
}

Result<TypeCertification> parse_type_certification(std::string_view text) {
  TALLA_TRY(const json::Value value, value_of(text));
  Fields in(value, "type certification", FormatErrc::malformed_certification);
  TypeCertification out;
  out.head = head_in(in, CertificationKind::type);
  out.term = term_in(in);
  out.manifests = digests_in(in, "manifests", 1);
  if (const json::Array* formats = in.array("formats")) {
    for (const json::Value& one : *formats) {
      in.require(one.is_integer(), "formats", "integers are expected");
      if (one.is_integer()) out.formats.push_back(one.integer());
    }
    in.require(!out.formats.empty() && out.formats.size() <= entries_max && rising(out.formats),
               "formats", "1 to 64 are expected, ascending, each once");
  }
  out.mappings = words_in(in, "mappings");
  out.catalogues = digests_in(in, "catalogues", 1);
  if (const json::Array* sources = in.array("sources")) {
    in.require(!sources->empty() && sources->size() <= entries_max, "sources",
               "1 to 64 are expected");
    for (const json::Value& one : *sources) out.sources.push_back(in.nested(source_from(one)));
  }
  out.rollback = words_in(in, "rollback");
  out.sealing = words_in(in, "sealing");
  if (const json::Value* floor = in.object("policy")) out.policy = in.nested(floor_from(*floor));
  return in.finish(std::move(out));
}

std::string format_certification(const InstallationCertification& text) {
  json::Object out = head_json(CertificationKind::installation, text.head);
  add_term(out, text.term);
  out.emplace("types", hex_list(text.types));
  out.emplace("origin", text.origin);
  out.emplace("log_key", to_base64(text.log_key));
  out.emplace("serials", hex_list(text.serials));
  out.emplace("independent", hex_list(text.independent));
  out.emplace("assessments", hex_list(text.assessments));
  out.emplace("manifests", hex_list(text.manifests));
  out.emplace("settings", hex_list(text.settings));
  return json::canonical(json::Value(std::move(out)));
}

Result<InstallationCertification> parse_installation_certification(std::string_view text) {
  TALLA_TRY(const json::Value value, value_of(text));
  Fields in(value, "installation certification", FormatErrc::malformed_certification);
  InstallationCertification out;
  out.head = head_in(in, CertificationKind::installation);
  out.term = term_in(in);
  out.types = digests_in(in, "types", 1);
  out.origin = in.text("origin");
  in.require(origin_valid(out.origin), "origin", "is no origin");
  const Bytes key = in.base64("log_key");
  in.require(key.size() == out.log_key.size(), "log_key", "32 bytes are expected");
  if (key.size() == out.log_key.size()) std::copy(key.begin(), key.end(), out.log_key.begin());
  out.serials = digests_in(in, "serials", 1);
  out.independent = digests_in(in, "independent", 0);
  in.require(within(out.independent, out.serials), "independent", "are some of `serials`");
  out.assessments = digests_in(in, "assessments", 0);
  out.manifests = digests_in(in, "manifests", 1);
  out.settings = digests_in(in, "settings", 1);
  return in.finish(std::move(out));
}

std::string format_certification(const CertificationWithdrawal& text) {
  json::Object out = head_json(CertificationKind::withdrawal, text.head);
  out.emplace("of", certification_kind_name(text.of));
  out.emplace("reason", withdrawal_reason_name(text.reason));
  if (text.reason == WithdrawalReason::stolen) {
    out.emplace("key", to_hex(text.key));
    out.emplace("counts", hex_list(text.counts));
  } else {
    out.emplace("certification", to_hex(text.certification));
  }
  if (text.reason == WithdrawalReason::superseded) out.emplace("from", text.from_us);
  return json::canonical(json::Value(std::move(out)));
}

Result<CertificationWithdrawal> parse_certification_withdrawal(std::string_view text) {
  TALLA_TRY(const json::Value value, value_of(text));
  Fields in(value, "certification withdrawal", FormatErrc::malformed_certification);
  CertificationWithdrawal out;
  out.head = head_in(in, CertificationKind::withdrawal);
  out.of = static_cast<CertificationKind>(in.word("of", {"type", "installation"}));
  out.reason = static_cast<WithdrawalReason>(in.word("reason", {"superseded", "false", "stolen"}));
  if (out.reason == WithdrawalReason::stolen) {
    out.key = in.digest("key");
    out.counts = digests_in(in, "counts", 0);
  } else {
    out.certification = in.digest("certification");
  }
  if (out.reason == WithdrawalReason::superseded) out.from_us = in.integer("from", natural);
  return in.finish(std::move(out));
}

Bytes certification_message(std::string_view text) {
  return ByteWriter().raw(domain::certification).raw(text).take();
}

Digest certification_digest(const HashSuite& hashes, std::string_view text) {
  return hashes.sha256({as_bytes(domain::certification_text), as_bytes(text)});
}

Digest serial_digest(const HashSuite& hashes, std::string_view model, std::string_view serial) {
  ByteWriter input;
  input.raw(domain::certification_serial).field(model).field(serial);
  return hashes.sha256({input.bytes()});
}

Digest settings_digest(const HashSuite& hashes, const json::Value& settings) {
  const std::string text = json::canonical(settings);
  return hashes.sha256({as_bytes(domain::settings), as_bytes(text)});
}

std::string certification_uri(CertificationKind kind, std::string_view issuer) {
  const std::string name(issuer);
  if (kind == CertificationKind::withdrawal) return "talla:certification-withdrawal:" + name;
  return "talla:certification:" + std::string(certification_kind_name(kind)) + ":" + name;
}

Result<CertificationKind> certification_kind_of(std::string_view text) {
  TALLA_TRY(const json::Value value, value_of(text));
  const json::Value* type = value.find("type");
  for (std::size_t i = 0; i < type_words.size(); ++i) {
    if (type != nullptr && type->is_string() && type->string() == type_words.at(i))
      return static_cast<CertificationKind>(i);
  }
  return fail(FormatErrc::malformed_certification,
              "certification: type: is none of the three that there are");
}

json::Value SignedCertification::to_json() const {
  json::Array certificates;
  for (const Bytes& certificate : chain) certificates.emplace_back(to_base64(certificate));
  return json::Object{{"chain", std::move(certificates)},
                      {"signature", to_base64(signature)},
                      {"statement", statement}};
}

Result<SignedCertification> SignedCertification::from_json(const json::Value& value) {
  constexpr std::size_t signature_bytes = 64;
  Fields in(value, "certification", FormatErrc::malformed_certification);
  SignedCertification out;
  out.statement = in.text("statement");
  out.signature = in.base64("signature");
  in.require(out.signature.size() == signature_bytes, "signature", "64 bytes are expected");
  out.chain = in.certificate_chain("chain");
  TALLA_TRY_STATUS(in.status());
  TALLA_TRY_STATUS(check_text(out.statement));
  return out;
}

std::string format_certification_file(const SignedCertification& file) {
  return json::canonical(file.to_json());
}

Result<SignedCertification> parse_certification_file(std::string_view text) {
  auto value = json::parse_canonical(text);
  if (!value)
    return fail(FormatErrc::malformed_certification, "certification: " + value.error().detail);
  return SignedCertification::from_json(*value);
}

}  // namespace talla::certs
