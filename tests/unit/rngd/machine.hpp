/// \file
/// A shuffling machine of the tests: its key, what it reads of a release with Botan, what it
/// reports.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "certs/openssl_hashes.hpp"
#include "rig.hpp"
#include "seat_pair.hpp"
#include "shuffle/card.hpp"
#include "verify/release.hpp"

namespace talla::core::test {

inline std::string card_text(std::uint8_t code) {
  return shuffle::Card::from_code(code)->text();
}

class Machine {
 public:
  explicit Machine(std::string id = "talla:shuffler-1") : pair(certs::testing::seat_pair()) {
    client = {std::move(id),
              to_hex(pair.digest),
              {Role::shuffler},
              std::string(pair.spki.begin(), pair.spki.end())};
  }
  [[nodiscard]] EnrolledClient enrolment() const { return {client.id, client.spki, {"shuffler"}}; }
  /// Body of POST release; `more` begins with a comma.
  [[nodiscard]] std::string wish(const std::string& more = {}) const {
    return R"({"machine":")" + client.id + R"(","key":")" + to_base64(pair.spki) + "\"" + more +
           "}";
  }
  Got get(Rig& rig, const std::string& shoe) const {
    const auto before = std::exchange(rig.client, client);
    auto got = rig.get("/v1/shoes/" + shoe + "/release");
    rig.client = before;
    return got;
  }
  /// Reads what GET gave.
  void read(const Got& got) {
    ASSERT_EQ(got.status, 200) << got.body;
    shoe_ = got.text({"release", "shoe"});
    const auto root = *digest_from_hex(got.text({"release", "root"}));
    const auto form = got.text({"release", "form"});
    context_ = {.origin = rig_origin,
                .shoe = shoe_,
                .recommits = static_cast<std::uint32_t>(got.number({"release", "recommits"})),
                .root = root,
                .machine = client.id,
                .key = pair.digest,
                .form = form == "order"     ? certs::ReleaseForm::order
                        : form == "targets" ? certs::ReleaseForm::targets
                                            : certs::ReleaseForm::shelf};
    bytes = *from_base64(got.text({"release", "ciphertext"}));
    auto opened = certs::open_release_head(pair.pem, context_, bytes);
    ASSERT_TRUE(opened.has_value()) << opened.error().text();
    head = std::move(*opened);
  }
  /// The code of a card at a place, as this machine reports it.
  [[nodiscard]] std::string code(std::uint32_t place, std::uint8_t card) const {
    const certs::OpensslHashes hashes;
    return to_hex(certs::SeenCodes(hashes, head.report_key, shoe_).of(place, card));
  }
  [[nodiscard]] std::string report(const std::vector<std::uint8_t>& cards) const {
    json::Array seen;
    for (std::uint32_t place = 0; place < cards.size(); ++place)
      seen.emplace_back(code(place, cards[place]));
    return json::canonical(json::Value(json::Object{{"seen", std::move(seen)}}));
  }
  [[nodiscard]] std::uint8_t target(std::uint32_t position, const std::string& ciphertext) const {
    const auto card =
        certs::open_release_target(pair.pem, context_, bytes, position, *from_base64(ciphertext));
    EXPECT_TRUE(card.has_value());
    return card.value_or(255);
  }
  [[nodiscard]] std::vector<std::uint8_t> order() const {
    return {head.cards.begin(), head.cards.end()};
  }

  certs::testing::SeatPair pair;
  Client client;
  certs::ReleaseHead head;
  Bytes bytes;  ///< as it was given: ephemeral key and part 0

 private:
  std::string shoe_;
  certs::ReleaseContext context_;
};

}  // namespace talla::core::test
