/// \file
/// A shuffling machine of the tests: its key, what it reads of a release with Botan, what it
/// reports.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "certs/openssl_hashes.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "must.hpp"
#include "rig.hpp"
#include "seat_pair.hpp"
#include "shuffle/card.hpp"
#include "verify/call_key.hpp"
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
    known = order();
    cards_ = static_cast<std::size_t>(got.number({"release", "cards"}));
    const auto* before = got.at({"release"}).find("report");
    number = before == nullptr ? 1 : before->find("number")->integer() + 1;
    const auto text = got.text({"release", "record"});
    const auto record = must(certs::parse_record(text));
    const certs::OpensslHashes hashes;
    table_ = record.table;
    released_ = certs::chain_head(hashes, *record.link, certs::leaf_hash(hashes, as_bytes(text)));
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
  /// What it finds in the body of a report that it is about to send, as FORMAT.md section 7 says;
  /// `targets`: how many it was given.
  [[nodiscard]] certs::ShuffleReportBody found(const json::Value& body,
                                               std::optional<std::uint32_t> targets = {}) const {
    const certs::OpensslHashes hashes;
    const certs::SeenCodes codes(hashes, head.report_key, shoe_);
    certs::ShuffleReportBody report;
    report.number = static_cast<std::uint64_t>(number);
    report.targets = targets;
    if (const auto* said = body.find("seen")) {
      std::vector<std::optional<certs::SeenCode>> seen;
      std::vector<std::uint8_t> cards;
      for (const auto& one : said->array()) {
        const auto place = static_cast<std::uint32_t>(seen.size());
        seen.emplace_back();
        const auto card = std::ranges::find_if(known, [&](std::uint8_t code) {
          return to_hex(codes.of(place, code)) == one.string();
        });
        const auto said_code = must(from_hex(one.string()));
        if (!said_code.empty()) std::ranges::copy(said_code, seen.back().emplace().begin());
        const bool right = card != known.end() && place < known.size() && *card == known[place];
        if (!right && !report.position) report.position = place;
        if (card == known.end()) continue;
        cards.push_back(*card);
      }
      if (!report.position && seen.size() < cards_)
        report.position = static_cast<std::uint32_t>(seen.size());
      report.recognised = static_cast<std::uint32_t>(cards.size());
      report.complete = seen.size() == cards_ && std::ranges::is_permutation(cards, known);
      report.seen = certs::seen_digest(hashes, seen);
      if (report.position) report.result = certs::ShuffleResult::mismatch;
    }
    const auto says = [&](std::string_view name) {
      const auto* flag = body.find(name);
      return flag != nullptr && flag->boolean();
    };
    if (says("jam")) report.result = certs::ShuffleResult::jam;
    if (says("lid")) report.result = certs::ShuffleResult::lid;
    return report;
  }
  /// The body with its signature over the report.
  [[nodiscard]] std::string signed_report(json::Value body,
                                          const certs::ShuffleReportBody& report) const {
    const auto key = must(certs::CallKey::load(pair.pem));
    const auto statement = certs::report_statement({rig_origin, table_, shoe_, released_}, report);
    body["signature"] = to_base64(key.sign(statement));
    return json::canonical(body);
  }
  [[nodiscard]] std::string signed_report(const std::string& body,
                                          std::optional<std::uint32_t> targets = {}) const {
    const auto value = must(json::parse(body));
    return signed_report(value, found(value, targets));
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
  std::vector<std::uint8_t> known;  ///< the order, as far as it was told
  std::int64_t number = 1;          ///< of its next report
  Bytes bytes;                      ///< as it was given: ephemeral key and part 0

 private:
  std::string table_;
  Digest released_{};  // head of the table with the SHOE_RELEASE
  std::size_t cards_ = 0;
  std::string shoe_;
  certs::ReleaseContext context_;
};

}  // namespace talla::core::test
