// Goal: inclusion and consistency agree with the public vectors of transparency-dev/merkle,
//       refusals included.
// Method: each line of the public JSON files; the reference tree of the certificate-transparency
//         tests.
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "base/json.hpp"
#include "format/merkle.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

/// The files hold `null` and numbers up to 2^64 - 1, which the house's JSON has not: both become
/// strings first.
std::string house_json(std::string line) {
  for (std::size_t at = line.find(": null"); at != std::string::npos; at = line.find(": null")) {
    line.replace(at, 6, ": []");
  }
  for (std::string key : {"leafIdx", "treeSize", "size1", "size2"}) {
    const std::string mark = "\"" + key + "\": ";
    const std::size_t at = line.find(mark);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + mark.size();
    const std::size_t end = line.find_first_not_of("0123456789", begin);
    line.replace(begin, end - begin, "\"" + line.substr(begin, end - begin) + "\"");
  }
  return line;
}

std::uint64_t number(const json::Value& value, std::string_view key) {
  return std::stoull(value.find(key)->string());
}

std::optional<Digest> digest(const json::Value& text) {
  const auto bytes = from_base64(text.string());
  if (!bytes || bytes->size() != 32) return std::nullopt;
  Digest out{};
  std::copy(bytes->begin(), bytes->end(), out.begin());
  return out;
}

/// Some roots of equal trees are words instead of hashes; they stand for any value.
Digest opaque(const json::Value& text) {
  return digest(text).value_or(hashes.sha256({*from_base64(text.string())}));
}

/// Nothing when a hash of the case is not 32 bytes: no caller of a typed interface can pass such a
/// one.
std::optional<std::vector<Digest>> path_of(const json::Value& line) {
  std::vector<Digest> path;
  for (const auto& entry : line.find("proof")->array()) {
    const auto hash = digest(entry);
    if (!hash) return std::nullopt;
    path.push_back(*hash);
  }
  return path;
}

std::vector<json::Value> lines_of(const std::string& name) {
  std::istringstream file(tlog_vector("merkle/" + name));
  std::vector<json::Value> lines;
  for (std::string line; std::getline(file, line);) {
    auto value = json::parse(house_json(line));
    EXPECT_TRUE(value) << line;
    if (value) lines.push_back(std::move(*value));
  }
  return lines;
}

TEST(TlogVectors, inclusion_proofs_verify_or_are_refused_as_the_public_vectors_say) {
  const auto lines = lines_of("inclusion.jsonl");
  EXPECT_EQ(lines.size(), 98U);
  for (const auto& line : lines) {
    const auto leaf = digest(*line.find("leafHash"));
    const auto root = digest(*line.find("root"));
    const auto path = path_of(line);
    const bool valid = leaf && root && path &&
                       verify_inclusion(hashes, {number(line, "leafIdx"), number(line, "treeSize")},
                                        *leaf, *path, *root);
    EXPECT_NE(valid, line.find("wantErr")->boolean()) << line.find("path")->string();
  }
}

TEST(TlogVectors, consistency_proofs_verify_or_are_refused_as_the_public_vectors_say) {
  const auto lines = lines_of("consistency.jsonl");
  EXPECT_EQ(lines.size(), 98U);
  for (const auto& line : lines) {
    const TreeHead head1{number(line, "size1"), opaque(*line.find("root1"))};
    const TreeHead head2{number(line, "size2"), opaque(*line.find("root2"))};
    const auto proof = path_of(line);
    const bool valid = proof && verify_consistency(hashes, head1, head2, *proof);
    EXPECT_NE(valid, line.find("wantErr")->boolean()) << line.find("path")->string();
  }
}

TEST(TlogVectors, the_reference_tree_has_its_known_roots_without_any_file) {
  // The eight leaves and two of the roots of the certificate-transparency tests.
  const auto leaves =
      std::to_array<std::string>({"", "00", "10", "2021", "3031", "40414243", "5051525354555657",
                                  "606162636465666768696a6b6c6d6e6f"});
  CompactRange range;
  EXPECT_EQ(to_hex(range.root(hashes)),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  for (const std::string& leaf : leaves) {
    range.append(hashes, leaf_hash(hashes, *from_hex(leaf)));
    if (range.size() == 1) {
      EXPECT_EQ(to_hex(range.root(hashes)),
                "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
    }
  }
  EXPECT_EQ(to_hex(range.root(hashes)),
            "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");
}

}  // namespace
}  // namespace talla::certs
