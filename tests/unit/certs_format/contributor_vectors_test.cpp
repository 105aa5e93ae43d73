// Goal: number, commitment and statement of a contributor are the bytes that FORMAT section 8 says.
// Method: the vectors of tests/vectors/contributor.json, which were written from that page by a
//   program of its own; browser and Python read the same file.
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "format/call.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

Digest digest_of(const json::Value& from, std::string_view member) {
  Digest out{};
  const auto bytes = from_hex(from.find(member)->string());
  EXPECT_TRUE(bytes && bytes->size() == out.size()) << member;
  if (bytes && bytes->size() == out.size()) std::copy(bytes->begin(), bytes->end(), out.begin());
  return out;
}

TEST(ContributorVectors, value_commitment_call_and_statement_are_those_of_the_page) {
  const auto file = json::parse(test::vector_text("contributor.json"));
  ASSERT_TRUE(file);
  const auto& cases = file->find("cases")->array();
  EXPECT_EQ(cases.size(), 3U);
  for (const auto& one : cases) {
    const Digest opening = digest_of(one, "opening");
    const std::string id = one.find("id")->string();
    const auto t = static_cast<std::uint32_t>(one.find("t")->integer());
    const Digest value = contribution_value(hashes, digest_of(one, "seed"), opening, t);
    EXPECT_EQ(value, digest_of(one, "value")) << id;
    EXPECT_EQ(contribution_commit(hashes, opening, id, t, value), digest_of(one, "commit")) << id;
    const Digest call = call_digest(hashes, json::canonical(*one.find("core")));
    EXPECT_EQ(call, digest_of(one, "call")) << id;
    EXPECT_EQ(to_hex(opening_statement(call, id, t, value)), one.find("statement")->string()) << id;
  }
}

}  // namespace
}  // namespace talla::certs
