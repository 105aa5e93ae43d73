// Goal: digests, leaves and outcomes of draws are those of FORMAT.md section 8, and no space
//       reaches 2^128.
// Method: frozen values computed by the Python verifier; each range at its ends, valid and invalid
//         side by side.
#include "format/draw_format.hpp"

#include <gtest/gtest.h>

#include "format/domain.hpp"
#include "format/errc.hpp"
#include "frozen_core.hpp"
#include "shared.hpp"

namespace talla::certs {
namespace {

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

TEST(DrawFormat, leaf_has_its_frozen_value) {
  EXPECT_EQ(to_hex(batch_leaf_hash(hashes, "batch-9", 3, filled(5))),
            "1a4c6395e210808174e7dddcf32f166d2bcfde600e8891f40b1a181e5a104fb6");
}

TEST(DrawFormat, outcomes_have_their_frozen_values) {
  const auto outcome = [](const DrawSpecification& specification, const std::string& tape) {
    const Digest call = call_digest(hashes, frozen_core(specification).bytes());
    auto result = map_draw(hashes, specification, filled(5), call, {});
    EXPECT_TRUE(result);
    EXPECT_EQ(result->words_used, 1U);
    EXPECT_EQ(to_hex(result->tape_digest), tape);
    return json::canonical(outcome_json(result->outcome));
  };
  EXPECT_EQ(
      outcome(WheelDraw{37}, "312e60a9645f69d9f73901cf4ae26d52af51306d8e5ffa57fa48b9eee3f7c558"),
      R"({"pocket":7})");
  EXPECT_EQ(
      outcome(DiceDraw{2, 6}, "f549d0cdae739bb9ff32bd92941b498ce1f3215680a0ed30a09f08e9a0055c25"),
      R"({"dice":[2,3]})");
  EXPECT_EQ(outcome(LotsDraw{{90, 89, 88, 4294967295}},
                    "46a5deb05d58e62aac6dc4cf260b04fcb9615946f5d3d48f96366184c12e56be"),
            R"({"lots":[83,20,72,1576720141]})");
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
