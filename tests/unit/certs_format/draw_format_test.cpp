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
            "6c18f58027deceeaa51408f0a32500ea3cbd5e8ee9cf39ad150956f58827afe1");
  EXPECT_EQ(to_hex(parameters_digest(hashes, json::Object{})),
            "55dd890b1464b67f8c0fe12e08f148e564e316d9c3096f2eab4e8aee73892952");
  EXPECT_EQ(to_hex(state_digest(hashes, json::Object{})),
            "5fdaa8683d654b1756b470c56a6030851845b854504f08ec92f430d9ecdcedbc");
  EXPECT_EQ(to_hex(request_digest(hashes, "POST", "/v1/tables", "{}")),
            "d75a3ff5d5427f11741e6e2853667fd8d0db9e680bc4d6d471a2740201d3a751");
}

TEST(DrawFormat, leaf_and_draw_digest_have_their_frozen_values) {
  EXPECT_EQ(to_hex(batch_leaf_hash(hashes, "batch-9", 3, filled(5))),
            "69890144a8072d4c5e951595730d222296ddf570639143c9d0f1313adca5a307");
  EXPECT_EQ(to_hex(frozen_draw_digest()),
            "90aba50a98d276c315f3cd75f73c2e652a8a29a9fb9cb054ec0c11b63954f96e");
}

TEST(DrawFormat, outcomes_have_their_frozen_values) {
  const auto outcome = [](const DrawSpecification& specification) {
    auto result = map_draw(hashes, specification, filled(5), filled(3), 3, frozen_draw_digest());
    EXPECT_TRUE(result);
    EXPECT_EQ(result->words_used, 1U);
    EXPECT_EQ(to_hex(result->tape_digest),
              "09305f355adb677d9c6dc54862a53b180be55d020f211b9f6ca251a16e457a86");
    return json::canonical(outcome_json(result->outcome));
  };
  EXPECT_EQ(outcome(WheelDraw{37}), R"({"pocket":32})");
  EXPECT_EQ(outcome(DiceDraw{2, 6}), R"({"dice":[6,2]})");
  EXPECT_EQ(outcome(LotsDraw{{90, 89, 88, 4294967295}}), R"({"lots":[78,30,57,841441092]})");
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
