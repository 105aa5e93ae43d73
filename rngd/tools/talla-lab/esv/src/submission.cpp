// Takes a run file or a bare request apart.
#include "submission.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace talla::lab::esv {

namespace {

constexpr std::string_view version = "1.0";
constexpr std::int64_t hash_df_blocks = 255;

tl::unexpected<Error> esv_refused(const std::string& what) {
  return fail(EsvErrc::esv_refused, what);
}

/// `[{"esvVersion":"1.0"}, {...}]`
Result<Submission> bare_request(Submission out) {
  const json::Array& parts = out.file.array();
  const json::Value* said = parts.size() == 2 ? parts.front().find("esvVersion") : nullptr;
  if (said == nullptr || *said != json::Value(version))
    return esv_refused("a request is [{\"esvVersion\":\"1.0\"}, {...}], of exactly two parts");
  const json::Value& body = parts.back();
  if (!body.is_object()) return esv_refused("a request's second part is an object");
  if (body.find("rbg") != nullptr) {
    out.rbgs = body.find("rbg");
  } else if (body.find("entropyAssessments") != nullptr || body.find("entropyId") != nullptr) {
    out.certify = &body;
    out.documents = body.find("supportingDocumentation");
  } else {
    out.source = &body;
  }
  return out;
}

Status check_names(const json::Value& file) {
  static const std::set<std::string, std::less<>> known{"entropyAssessment", "dataFiles",
                                                        "randomBitGenerators",
                                                        "supportingDocumentation", "certify"};
  for (const auto& [name, value] : file.object()) {
    if (!known.contains(name))
      return esv_refused(name +
                         ": a run file has entropyAssessment, dataFiles, "
                         "randomBitGenerators, supportingDocumentation and certify");
  }
  return {};
}

Result<std::vector<std::int64_t>> whole_numbers(const json::Value& value, const std::string& what) {
  std::vector<std::int64_t> out;
  if (!value.is_array()) return esv_refused("facts: " + what + " is to be a list");
  for (const json::Value& item : value.array()) {
    if (!item.is_integer()) return esv_refused("facts: " + what + " has whole numbers");
    out.push_back(item.integer());
  }
  return out;
}

Result<Certificate> certificate_of(const json::Value& value, const std::string& name) {
  Certificate out;
  const auto physical = flag_at(value, "physical");
  if (!physical) return esv_refused("facts: " + name + ".physical is to be true or false");
  out.physical = *physical;
  for (const json::Value& item : list_at(value, "environments")) {
    const json::Value* id = item.find("id");
    const auto full = flag_at(item, "full_entropy");
    if (id == nullptr || !id->is_integer() || !full)
      return esv_refused("facts: environments of " + name + " have id and full_entropy");
    out.environments.emplace_back(id->integer(), *full);
  }
  return out;
}

}  // namespace

std::string_view errc_name(EsvErrc errc) {
  return errc == EsvErrc::esv_refused ? "esv_refused" : "unknown";
}

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return "holds";
    case Outcome::broken:
      return "broken";
    case Outcome::open:
      return "open";
    case Outcome::not_asked:
      return "not asked";
  }
  return "unknown";
}

Result<Known> Known::read(std::string_view text) {
  Known out;
  if (text.empty()) return out;
  TALLA_TRY(const json::Value value, read_json(text, "facts"));
  if (!value.is_object()) return esv_refused("facts: an object is expected");
  out.nothing_ = false;
  for (const auto& [name, member] : value.object()) {
    if (name == "environments") {
      TALLA_TRY(out.environments_, whole_numbers(member, name));
      continue;
    }
    if ((name != "entropy" && name != "algorithms") || !member.is_object())
      return esv_refused("facts: " + name + ": entropy, algorithms and environments are known");
    for (const auto& [number, entry] : member.object()) {
      if (name == "entropy") {
        TALLA_TRY(Certificate certificate, certificate_of(entry, number));
        out.entropy_.emplace_back(number, std::move(certificate));
      } else {
        TALLA_TRY(std::vector<std::int64_t> ids, whole_numbers(entry, number));
        out.algorithms_.emplace_back(number, std::move(ids));
      }
    }
  }
  return out;
}

const Certificate* Known::entropy(std::string_view number) const {
  for (const auto& [name, certificate] : entropy_) {
    if (name == number) return &certificate;
  }
  return nullptr;
}

const std::vector<std::int64_t>* Known::algorithm(std::string_view number) const {
  for (const auto& [name, ids] : algorithms_) {
    if (name == number) return &ids;
  }
  return nullptr;
}

bool Known::environment(std::int64_t number) const {
  return std::ranges::find(environments_, number) != environments_.end();
}

Result<Submission> read_submission(std::string_view text, const std::string& folder,
                                   const Facts& facts) {
  Submission out;
  out.folder = folder;
  TALLA_TRY(out.file, read_json(text, "run file"));
  TALLA_TRY(out.known, Known::read(facts.text));
  // The values lie on the heap of the file's own value: they stay where they are when it is moved.
  if (out.file.is_array()) return bare_request(std::move(out));
  if (!out.file.is_object()) return esv_refused("run file: an object is expected");
  TALLA_TRY_STATUS(check_names(out.file));
  out.source = out.file.find("entropyAssessment");
  out.data = out.file.find("dataFiles");
  out.rbgs = out.file.find("randomBitGenerators");
  out.documents = out.file.find("supportingDocumentation");
  out.certify = out.file.find("certify");
  if (out.source == nullptr && out.rbgs == nullptr && out.certify == nullptr)
    return esv_refused("run file: neither entropyAssessment, randomBitGenerators nor certify");
  return out;
}

bool Ruling::need(bool holds, const std::string& where, const std::string& right) {
  if (finding_.outcome == Outcome::not_asked) finding_.outcome = Outcome::holds;
  if (holds) return true;
  if (finding_.outcome != Outcome::broken) finding_.faults.clear();
  finding_.outcome = Outcome::broken;
  finding_.faults.push_back(where + ": " + right);
  return false;
}

void Ruling::open(const std::string& what) {
  if (finding_.outcome == Outcome::broken) return;
  finding_.outcome = Outcome::open;
  finding_.faults.push_back(what);
}

std::optional<bool> flag_at(const json::Value& value, std::string_view name) {
  const json::Value* found = value.find(name);
  if (found == nullptr || !found->is_bool()) return std::nullopt;
  return found->boolean();
}

std::optional<std::string> text_at(const json::Value& value, std::string_view name) {
  const json::Value* found = value.find(name);
  if (found == nullptr || !found->is_string() || is_decimal(*found)) return std::nullopt;
  return found->string();
}

std::optional<Nano> number_at(const json::Value& value, std::string_view name) {
  return number_of(value.find(name));
}

const json::Array& list_at(const json::Value& value, std::string_view name) {
  static const json::Array none;
  const json::Value* found = value.find(name);
  return found != nullptr && found->is_array() ? found->array() : none;
}

std::optional<std::vector<std::int64_t>> ids_at(const json::Value& value, std::string_view name) {
  std::vector<std::int64_t> out;
  for (const json::Value& item : list_at(value, name)) {
    if (!item.is_integer() || std::ranges::find(out, item.integer()) != out.end())
      return std::nullopt;
    out.push_back(item.integer());
  }
  if (out.empty()) return std::nullopt;
  return out;
}

bool blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

std::string place(std::string_view list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

const VettedFunction* vetted_function(std::string_view name) {
  static constexpr std::array table{
      VettedFunction{"HMAC-SHA-1", 160, 160, 160},
      VettedFunction{"HMAC-SHA2-224", 224, 224, 224},
      VettedFunction{"HMAC-SHA2-256", 256, 256, 256},
      VettedFunction{"HMAC-SHA2-384", 384, 384, 384},
      VettedFunction{"HMAC-SHA2-512", 512, 512, 512},
      VettedFunction{"SHA-1", 160, 160, 160},
      VettedFunction{"SHA2-224", 224, 224, 224},
      VettedFunction{"SHA2-256", 256, 256, 256},
      VettedFunction{"SHA2-384", 384, 384, 384},
      VettedFunction{"SHA2-512", 512, 512, 512},
      VettedFunction{"SHA2-512/256", 256, 256, 256},
      VettedFunction{"AES-CMAC", 128, 128, 128},
      VettedFunction{"AES-CBC-MAC", 128, 128, 128},
      VettedFunction{"Hash_DF-SHA2-256", 256, 0, 256 * hash_df_blocks},
      VettedFunction{"Hash_DF-SHA2-384", 384, 0, 384 * hash_df_blocks},
      VettedFunction{"Hash_DF-SHA2-512", 512, 0, 512 * hash_df_blocks},
      VettedFunction{"BlockCipher_DF-AES-128", 128, 0, 512},
      VettedFunction{"BlockCipher_DF-AES-192", 192, 0, 512},
      VettedFunction{"BlockCipher_DF-AES-256", 256, 0, 512},
      VettedFunction{"SHA2-256-HMAC-DRBG", 0, 0, 0},
      VettedFunction{"SHA2-512-HMAC-DRBG", 0, 0, 0},
      VettedFunction{"AES-256-CTR-DRBG", 0, 0, 0},
  };
  const auto* found = std::ranges::find(table, name, &VettedFunction::name);
  return found == table.end() ? nullptr : found;
}

}  // namespace talla::lab::esv
