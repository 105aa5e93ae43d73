// Goal: digests, leaves and outcomes of draws are those of FORMAT.md section 8, and no space
//       reaches 2^128.
// Method: frozen values computed by the Python verifier; each range at its ends, valid and invalid
//         side by side.
#include "format/draw_format.hpp"

#include <gtest/gtest.h>

#include "format/domain.hpp"
#include "format/errc.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

Digest frozen_draw_digest() {
  const Bytes nonce(16, 4);
  return draw_digest(hashes, {.origin = "casino.example/talla-1",
                              .client = "urn:talla:table-1",
                              .table = "table-1",
                              .round = "0",
                              .game = "",
                              .variant = "",
                              .catalogue = {},
                              .parameters = parameters_digest(hashes, json::Object{}),
                              .bets = bets_digest(hashes, json::Array{}),
                              .root = filled(3),
                              .index = 3,
                              .nonce = nonce});
}

TEST(Digests, of_canonical_json_and_requests_have_their_frozen_values) {
  EXPECT_EQ(to_hex(bets_digest(hashes, json::Array{})),
            "07ec42681a07756fe9e08bee478e7630ae2f5061de3072862627239ac12ebf13");
  EXPECT_EQ(to_hex(parameters_digest(hashes, json::Object{})),
            "b207062ea2d9011be0f2a06d8e9ad5c51110fc0fc37eba66ce2c69071d7f1086");
  EXPECT_EQ(to_hex(state_digest(hashes, json::Object{})),
            "0305b0ab19590b1360e2855fa9c3b2e4c010fcbe8b43c0e261d80bc88fd262bf");
  EXPECT_EQ(to_hex(request_digest(hashes, "POST", "/v1/tables", "{}")),
            "40ede2233b811c961bf27dafbc046a2c7ce6bee8c5462500dc6f8125298a8060");
}

TEST(DrawFormat, leaf_and_draw_digest_have_their_frozen_values) {
  EXPECT_EQ(to_hex(batch_leaf_hash(hashes, "batch-9", 3, filled(5))),
            "1a4c6395e210808174e7dddcf32f166d2bcfde600e8891f40b1a181e5a104fb6");
  EXPECT_EQ(to_hex(frozen_draw_digest()),
            "0f9f2593963f388145cdcca0dce4ffc10a368e649e4811193d4a1486dbee255a");
}

TEST(DrawFormat, outcomes_have_their_frozen_values) {
  const auto outcome = [](const DrawSpecification& specification) {
    auto result = map_draw(hashes, specification, filled(5), filled(3), 3, frozen_draw_digest());
    EXPECT_TRUE(result);
    EXPECT_EQ(result->words_used, 1U);
    EXPECT_EQ(to_hex(result->tape_digest),
              "4d29f6129bacfe856f0fe1dd395b6e58dcd48f68d282d8049137aa1580d73a16");
    return json::canonical(outcome_json(result->outcome));
  };
  EXPECT_EQ(outcome(WheelDraw{37}), R"({"pocket":35})");
  EXPECT_EQ(outcome(DiceDraw{2, 6}), R"({"dice":[6,5]})");
  EXPECT_EQ(outcome(LotsDraw{{90, 89, 88, 4294967295}}), R"({"lots":[86,43,65,794947334]})");
}

TEST(DrawFormat, each_range_ends_where_it_says) {
  const auto valid = [](const std::string& text) {
    const auto parsed = specification_from_json(*json::parse(text));
    if (parsed) {
      EXPECT_EQ(json::canonical(specification_json(*parsed)), json::canonical(*json::parse(text)));
    }
    return parsed.has_value();
  };
  EXPECT_TRUE(valid(R"({"kind":"wheel","pockets":2})"));
  EXPECT_TRUE(valid(R"({"kind":"wheel","pockets":1024})"));
  EXPECT_FALSE(valid(R"({"kind":"wheel","pockets":1})"));
  EXPECT_FALSE(valid(R"({"kind":"wheel","pockets":1025})"));
  EXPECT_FALSE(valid(R"({"kind":"wheel","pockets":37,"zeros":2})"));
  EXPECT_TRUE(valid(R"({"count":8,"faces":100,"kind":"dice"})"));
  EXPECT_FALSE(valid(R"({"count":9,"faces":6,"kind":"dice"})"));
  EXPECT_FALSE(valid(R"({"count":2,"faces":101,"kind":"dice"})"));
  EXPECT_TRUE(valid(R"({"bounds":[4294967295,4294967295,4294967295,4294967295],"kind":"lots"})"));
  EXPECT_FALSE(
      valid(R"({"bounds":[4294967295,4294967295,4294967295,4294967295,2],"kind":"lots"})"));
  EXPECT_FALSE(valid(R"({"bounds":[],"kind":"lots"})"));
  EXPECT_FALSE(valid(R"({"bounds":[1],"kind":"lots"})"));
  EXPECT_FALSE(valid(R"({"kind":"coin"})"));
}

TEST(DrawFormat, outcomes_of_another_form_are_refused) {
  EXPECT_TRUE(outcome_from_json(*json::parse(R"({"pocket":0})")));
  EXPECT_TRUE(outcome_from_json(*json::parse(R"({"dice":[1,6]})")));
  EXPECT_FALSE(outcome_from_json(*json::parse(R"({"dice":[0,6]})")));
  EXPECT_FALSE(outcome_from_json(*json::parse(R"({"dice":[]})")));
  EXPECT_FALSE(outcome_from_json(*json::parse(R"({"dice":[1],"pocket":0})")));
  EXPECT_FALSE(outcome_from_json(*json::parse(R"({})")));
}

}  // namespace
}  // namespace talla::certs
