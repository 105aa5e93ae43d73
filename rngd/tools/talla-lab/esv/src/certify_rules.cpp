// Rules of certify, and what the client asks of data files and documents.
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "submission.hpp"

namespace talla::lab::esv {

namespace {

constexpr std::string_view certify_request = "certify";
constexpr std::string_view files_request = "files";
constexpr std::size_t id_characters = 4;
constexpr std::uintmax_t data_bytes = 1'000'000;
constexpr std::int64_t data_bits_most = 8;

bool letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void entropy_id(const Submission& of, Ruling& rule) {
  if (of.certify == nullptr) return;
  const auto id = text_at(*of.certify, "entropyId");
  rule.need(id && id->size() == id_characters && std::ranges::all_of(*id, letter_or_digit),
            "certify.entropyId", "a text of exactly 4 letters or digits (\"0118\", not 118)");
}

void limit(const Submission& of, Ruling& rule) {
  if (of.certify == nullptr) return;
  rule.need(flag_at(*of.certify, "limitEntropyAssessmentToSingleModule").has_value(),
            "certify.limitEntropyAssessmentToSingleModule", "true or false");
}

void assessments(const Submission& of, Ruling& rule) {
  if (of.certify == nullptr) return;
  const std::string at = "certify.entropyAssessments";
  if (of.file.is_object() && of.certify->find("entropyAssessments") == nullptr) {
    rule.open(at + ": the server gives their numbers when the source is registered");
    return;
  }
  const json::Array& all = list_at(*of.certify, "entropyAssessments");
  if (!rule.need(!all.empty(), at, "not empty")) return;
  std::vector<std::int64_t> seen;
  for (const json::Value& one : all) {
    const json::Value* id = one.find("eaId");
    const bool good =
        id != nullptr && id->is_integer() && std::ranges::find(seen, id->integer()) == seen.end();
    if (rule.need(good, at, "each with an eaId of its own")) seen.push_back(id->integer());
  }
  rule.open(at + ": whether each has passed, and its data files were successful");
}

std::ptrdiff_t documents_of(const Submission& of, std::string_view type) {
  if (of.documents == nullptr || !of.documents->is_array()) return 0;
  return std::ranges::count_if(of.documents->array(), [type](const json::Value& one) {
    return text_at(one, "sdType") == type;
  });
}

void source_documents(const Submission& of, Ruling& rule) {
  if (of.certify == nullptr || (of.source == nullptr && of.rbgs != nullptr)) return;
  const std::string at = "supportingDocumentation";
  for (const std::string_view type : {"EntropyAssessmentReport", "PublicUseDocument"})
    rule.need(documents_of(of, type) == 1, at, "exactly one " + std::string(type));
  rule.need(documents_of(of, "DataCollectionAttestation") <= 1, at,
            "at most one DataCollectionAttestation");
}

void rbg_documents(const Submission& of, Ruling& rule) {
  if (of.certify == nullptr || of.rbgs == nullptr) return;
  rule.need(documents_of(of, "RandomBitGeneratorReport") == 1, "supportingDocumentation",
            "exactly one RandomBitGeneratorReport");
}

// Files.

std::filesystem::path path_of(const Submission& of, const json::Value& entry) {
  const std::filesystem::path path = text_at(entry, "filePath").value_or("");
  return path.is_absolute() ? path : std::filesystem::path(of.folder) / path;
}

std::int64_t bits_of(const Submission& of, const json::Value& entry) {
  const json::Value* own = entry.find("bitsPerSample");
  if (own == nullptr && of.source != nullptr) own = of.source->find("bitsPerSample");
  if (own == nullptr || !own->is_integer()) return 0;
  return own->integer();
}

/// Size, width and every sample: one sample a byte, in its low bits.
void data_file(const Submission& of, Ruling& rule, const json::Value* entry,
               const std::string& where) {
  if (!rule.need(entry != nullptr && entry->is_object(), where, "present, with filePath")) return;
  const auto path = path_of(of, *entry);
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!rule.need(!error && size == data_bytes, where,
                 path.string() + " is to be a file of exactly 1000000 bytes"))
    return;
  const std::int64_t bits = bits_of(of, *entry);
  const json::Value* registered = of.source != nullptr ? of.source->find("bitsPerSample") : nullptr;
  const std::int64_t most = registered != nullptr && registered->is_integer()
                                ? std::min(registered->integer(), data_bits_most)
                                : data_bits_most;
  if (!rule.need(bits >= 1 && bits <= most, where + ".bitsPerSample",
                 "from 1 to the registered width, and at most 8"))
    return;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes(data_bytes);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  const auto whole = static_cast<std::size_t>(file.gcount()) == bytes.size();
  const auto wide = std::ranges::find_if(bytes, [bits](char byte) {
    return (static_cast<unsigned>(static_cast<unsigned char>(byte)) >> bits) != 0;
  });
  rule.need(whole && wide == bytes.end(), where,
            path.string() + ": byte " + std::to_string(wide - bytes.begin()) + " is wider than " +
                std::to_string(bits) + " bits");
}

void noise_file(const Submission& of, Ruling& rule, std::string_view name) {
  if (of.source == nullptr || of.data == nullptr) return;
  if (!rule.need(of.data->is_array() && !of.data->array().empty(), "dataFiles",
                 "a list, not empty"))
    return;
  const json::Array& all = of.data->array();
  for (std::size_t i = 0; i < all.size(); ++i)
    data_file(of, rule, all[i].find(name), place("dataFiles", i) + "." + std::string(name));
}
void raw_noise(const Submission& of, Ruling& rule) {
  noise_file(of, rule, "rawNoise");
}
void restart_noise(const Submission& of, Ruling& rule) {
  noise_file(of, rule, "restart");
}

/// Of each component that is neither vetted nor bijective, and of no other.
void conditioned(const Submission& of, Ruling& rule) {
  if (of.source == nullptr || of.data == nullptr || !of.data->is_array()) return;
  std::vector<std::int64_t> wanted;
  for (const json::Value& one : list_at(*of.source, "conditioningComponent")) {
    const json::Value* position = one.find("sequencePosition");
    const bool needs =
        !flag_at(one, "vetted").value_or(false) && !flag_at(one, "bijectiveClaim").value_or(false);
    if (needs && position != nullptr && position->is_integer())
      wanted.push_back(position->integer());
  }
  const json::Array& all = of.data->array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string at = place("dataFiles", i) + ".conditioned";
    std::vector<std::int64_t> given;
    for (const json::Value& one : list_at(all[i], "conditioned")) {
      const json::Value* position = one.find("sequencePosition");
      if (position != nullptr && position->is_integer()) given.push_back(position->integer());
      data_file(of, rule, &one, at);
    }
    std::ranges::sort(given);
    std::ranges::sort(wanted);
    rule.need(given == wanted, at,
              "one file for each component that is neither vetted nor bijective, and no other");
  }
}

void environment_files(const Submission& of, Ruling& rule) {
  if (of.source == nullptr || of.data == nullptr || !of.data->is_array()) return;
  std::vector<std::int64_t> seen;
  for (const json::Value& one : of.data->array()) {
    const json::Value* id = one.find("oeId");
    const bool fresh =
        id != nullptr && id->is_integer() && std::ranges::find(seen, id->integer()) == seen.end();
    if (rule.need(fresh, "dataFiles", "each with an oeId of its own"))
      seen.push_back(id->integer());
  }
}

void documents(const Submission& of, Ruling& rule) {
  if (of.documents == nullptr || !of.documents->is_array() || of.folder.empty()) return;
  constexpr std::array<std::string_view, 5> types{"EntropyAssessmentReport", "PublicUseDocument",
                                                  "RandomBitGeneratorReport",
                                                  "DataCollectionAttestation", "Other"};
  const json::Array& all = of.documents->array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string at = place("supportingDocumentation", i);
    const std::string type = text_at(all[i], "sdType").value_or("");
    rule.need(std::ranges::find(types, type) != types.end(), at + ".sdType",
              "EntropyAssessmentReport, PublicUseDocument, RandomBitGeneratorReport, "
              "DataCollectionAttestation or Other");
    const auto path = path_of(of, all[i]);
    std::ifstream file(path, std::ios::binary);
    std::array<char, 5> head{};
    file.read(head.data(), head.size());
    rule.need(file && std::string_view(head.data(), head.size()) == "%PDF-", at,
              path.string() + " is to be a PDF");
  }
}

constexpr std::array certify_table{
    Rule{{certify_request, "entropyId", "a text of exactly 4 letters or digits", ""}, &entropy_id},
    Rule{{certify_request, "limitEntropyAssessmentToSingleModule", "present", ""}, &limit},
    Rule{{certify_request, "entropyAssessments", "not empty, each once, passed", ""}, &assessments},
    Rule{{certify_request, "supportingDocumentation (source)",
          "one EntropyAssessmentReport, one PublicUseDocument, at most one "
          "DataCollectionAttestation",
          ""},
         &source_documents},
    Rule{{certify_request, "supportingDocumentation (rbg or combined)",
          "one RandomBitGeneratorReport", ""},
         &rbg_documents},
};
constexpr std::array file_table{
    Rule{{files_request, "dataFiles[].oeId", "each environment once", ""}, &environment_files},
    Rule{{files_request, "rawNoise", "1,000,000 samples, one a byte, none too wide",
          "SP 800-90B 3.1.1"},
         &raw_noise},
    Rule{{files_request, "restart", "1,000 x 1,000 samples, one a byte, none too wide",
          "SP 800-90B 3.1.4.1"},
         &restart_noise},
    Rule{{files_request, "conditioned",
          "of each component that is neither vetted nor bijective: 1,000,000 samples",
          "SP 800-90B 3.1.5.2"},
         &conditioned},
    Rule{{files_request, "supportingDocumentation", "PDF files of a known type", ""}, &documents},
};

}  // namespace

std::span<const Rule> certify_rules() {
  return certify_table;
}
std::span<const Rule> file_rules() {
  return file_table;
}

}  // namespace talla::lab::esv
